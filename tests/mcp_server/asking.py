"""A desk on a home's store, and the program that asks at it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from heedful.core.bus import Bus
from heedful.core.errors import DamageError
from heedful.core.paths import Home
from heedful.core.settings import EmbeddingSettings
from heedful.mcp_server import Desk, OpenMemory, every_tool
from heedful.memory import Meaning
from heedful.memory.reads import Read, Reads
from heedful.storage import Key, Store
from tests.fakes.clock import FakeClock

NONCE = "7f3a"


class FullReads(Reads):
    """A record on a full disk."""

    def add(self, read: Read, *, asked: Iterable[str] = ()) -> None:
        raise DamageError("The disk is full", "", "Free some space.")


@dataclass(slots=True)
class Program:
    """Another program with a name; `ask` gives a result as it goes over the wire."""

    home: Home
    key: Key
    clock: FakeClock
    name: str = "helper"
    desk: Desk = field(init=False)
    opened: int = 0
    record_is_full: bool = False
    meaning: Meaning = field(default_factory=lambda: Meaning(lambda: EmbeddingSettings(kind="none")))

    def __post_init__(self) -> None:
        self.desk = Desk(self.home, self.clock, self._open, every_tool(), lambda: NONCE)

    async def _open(self) -> OpenMemory:
        self.opened += 1
        store = Store.open(self.home, self.key, Bus(), read_only=True)
        record = FullReads if self.record_is_full else Reads
        return OpenMemory(store, self.meaning, record.open(self.home, self.key, now=self.clock.now()))

    async def ask(self, tool: str, **arguments: object) -> Any:  # noqa: ANN401 (JSON of whatever tool)
        """The result of a call by its tool and arguments."""
        return (await self.desk.call(self.name, tool, arguments)).result.model_dump(mode="json")

    def record(self) -> list[Read]:
        """The record's rows, the newest first."""
        reads = Reads.open(self.home, self.key, now=self.clock.now())
        try:
            return reads.newest()
        finally:
            reads.close()

    def may(self, settings: str) -> None:
        """Writes the person's settings."""
        self.home.config.mkdir(parents=True, exist_ok=True)
        self.home.settings.write_text(settings, encoding="utf-8")
