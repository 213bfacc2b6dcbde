"""The embedding servers as the Settings tab reaches them."""

from heedful.core.clock import Clock
from heedful.core.errors import UserCanFixError
from heedful.core.ids import NewId
from heedful.core.secrets import Secrets
from heedful.core.settings import EmbeddingSettings
from heedful.inference import Inference, LocalServer, Trial, find_local_servers
from heedful.memory.embeddings.server import provider_of


class EmbeddingServers:
    """Finds model servers on this computer, and tries an embedding server out."""

    def __init__(self, inference: Inference, secrets: Secrets, clock: Clock, new_id: NewId) -> None:
        self._inference = inference
        self._secrets = secrets
        self._clock = clock
        self._new_id = new_id

    async def find(self) -> tuple[LocalServer, ...]:
        """Every model server that answers on a usual port of this computer."""
        return await find_local_servers()

    async def try_out(self, chosen: EmbeddingSettings) -> Trial:
        """What became of three made-up sentences under these settings, saved or not."""
        from heedful.memory.embeddings.openai_compatible import remote_embedder  # brings numpy
        from heedful.memory.embeddings.trying import try_out

        try:
            provider = provider_of(chosen)
        except UserCanFixError as exc:
            return Trial(False, (exc.sentence(),))
        remote = remote_embedder(
            chosen, self._inference, self._secrets, clock=self._clock, new_id=self._new_id
        )
        return await try_out(provider, remote, self._inference, self._clock)
