"""An embedding server as the Settings tab tries it out, in memory."""

from dataclasses import dataclass, field

from heedful.core.errors import HeedfulError
from heedful.core.settings import EmbeddingSettings
from heedful.inference import LocalServer, Trial


@dataclass(slots=True)
class FakeEmbeddingServers:
    """Servers that are found, and what a trial of one says; `tried` lists what was tried."""

    found: tuple[LocalServer, ...] = ()
    trial: Trial = field(
        default_factory=lambda: Trial(True, ("It answered in 0.2 s, with 384 numbers a passage.",))
    )
    failure: HeedfulError | None = None
    tried: list[EmbeddingSettings] = field(default_factory=list)

    async def find(self) -> tuple[LocalServer, ...]:
        return self.found

    async def try_out(self, chosen: EmbeddingSettings, /) -> Trial:
        self.tried.append(chosen)
        if self.failure is not None:
            raise self.failure
        return self.trial
