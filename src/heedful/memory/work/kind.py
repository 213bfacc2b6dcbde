"""The shape of a kind of job, and what its work may use."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from heedful.core.clock import Clock
from heedful.core.errors import PassingError, RejectedError
from heedful.core.events import Event
from heedful.core.ids import NewId
from heedful.memory.queue import queue_store
from heedful.memory.queue.queue_store import Lease
from heedful.storage import Connection, Store
from heedful.storage.store import WriteWork

if TYPE_CHECKING:  # it brings the network's libraries, which most commands never need
    from heedful.inference import Inference
    from heedful.memory.embeddings.vector_meaning import Meaning
    from heedful.tokenjuice import Juicer

T = TypeVar("T")


class LeaseLostError(RejectedError):
    """The job was given to somebody else meanwhile; nothing of this write was kept."""


class PausedError(PassingError):
    """The machine has no time for this work now; the job goes on later from its last step."""


async def _at_once() -> None:
    """Rests after no step."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What every job may use.

    `inference` is None where no model may be asked, `meaning` where nothing is embedded, `juicer` where nothing is
    compressed; `prompts` is the person's folder.
    """

    store: Store
    clock: Clock
    new_id: NewId
    inference: "Inference | None" = None
    prompts: Path = Path()
    meaning: "Meaning | None" = None
    juicer: "Juicer | None" = None


@dataclass(slots=True)
class JobContext:
    """One run of a job: the tools, and writes that count only while its lease is held.

    `rest` is taken after each step of a long job, as the machine needs it.
    """

    tools: Tools
    lease: Lease
    rest: Callable[[], Awaitable[None]] = _at_once
    is_finished: bool = False

    @property
    def store(self) -> Store:
        """The store, for reading; write through `keep` or `finish`."""
        return self.tools.store

    @property
    def clock(self) -> Clock:
        """Now, and the person's zone."""
        return self.tools.clock

    async def finish(self, work: WriteWork[T]) -> T:
        """Writes the job's effect and its end in one transaction, so that the effect happens exactly once.

        Asking for the same kind and key inside `work` makes the job run again, for what is left.

        Raises:
            LeaseLostError: Nothing was written.
        """
        outcome = await self._write(work, queue_store.finish)
        self.is_finished = True
        return outcome

    async def keep(self, work: WriteWork[T]) -> T:
        """Writes one step of a long job and prolongs its lease; the step must stand when the job begins anew.

        Raises:
            LeaseLostError: Nothing was written.
            PausedError: The step is written, the next must wait.
        """
        outcome = await self._write(work, queue_store.renew)
        await self.rest()
        return outcome

    async def _write(self, work: WriteWork[T], held: Callable[..., bool]) -> T:
        now = self.clock.now()

        def guarded(connection: Connection) -> tuple[T, Sequence[Event]]:
            outcome = work(connection)
            if not held(connection, self.lease, now=now):
                raise LeaseLostError("This work was begun anew elsewhere")
            return outcome

        return await self.store.write(guarded)


Run = Callable[[JobContext, Mapping[str, object]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of job.

    `run` does the work from the job's payload and ends with `JobContext.finish`, or simply returns where its steps
    were kept already. What it raises decides: UserCanFixError, PassingError and BudgetSpentError (something it
    needs is not in reach) put the job off without counting; RejectedError fails it for good; a bug counts as an
    attempt. Kinds with a lower `turn` go first. What `asks_model` mostly waits for a model, and is worked off beside
    all others. With `on_growth` each batch of new or changed messages asks for it
    with the key `all`; it then finds its own work, by a cursor (`messages.cursors_store`).
    """

    name: str
    run: Run
    turn: int = 50
    asks_model: bool = False
    on_growth: bool = False
