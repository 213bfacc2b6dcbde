"""Kinds of jobs that tests give the queue, and a worker for them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import count

from heedful.inference import Inference
from heedful.memory import Meaning
from heedful.memory.queue import asking
from heedful.memory.work.kind import JobContext, JobKind, Tools
from heedful.memory.work.worker import Worker
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import rows

Work = Callable[[JobContext, Mapping[str, object]], Awaitable[None]]


def tools_of(store: Store, clock: FakeClock, inference: Inference | None = None) -> Tools:
    numbers = count(1)
    return Tools(store, clock, lambda: f"id-{next(numbers)}", inference)


def tools_with(store: Store, clock: FakeClock, meaning: Meaning | None) -> Tools:
    """The same, with a way to embed."""
    return replace(tools_of(store, clock), meaning=meaning)


def worker_of(store: Store, clock: FakeClock, **kinds: Work) -> Worker:
    """A worker that knows these kinds, the first of them first."""
    known = {name: JobKind(name, run, turn=turn) for turn, (name, run) in enumerate(kinds.items())}
    return Worker(tools_of(store, clock), lambda: known)


async def ask(store: Store, clock: FakeClock, kind: str, key: str = "all", **payload: object) -> None:
    """Puts one job into the queue."""
    await ask_later(store, clock, kind, key, timedelta(), **payload)


async def ask_later(
    store: Store, clock: FakeClock, kind: str, key: str, delay: timedelta, **payload: object
) -> None:
    def work(connection: Connection) -> tuple[None, tuple[()]]:
        asking.enqueue(connection, kind, key, payload, now=clock.now(), delay=delay)
        return None, ()

    await store.write(work)


async def failures(store: Store) -> list[tuple[str, str]]:
    """What failed for good, the newest first: the class of its error and its sentence."""
    found = await rows(
        store, "SELECT error_type, error FROM jobs WHERE state = 'failed' ORDER BY finished_at DESC"
    )
    return [(str(kind), str(sentence)) for kind, sentence in found]


async def waiting(store: Store) -> int:
    """How many jobs are still to be done, now or later."""
    return len(await rows(store, "SELECT 1 FROM jobs WHERE state = 'ready'"))


def note(connection: Connection, name: str) -> tuple[None, tuple[()]]:
    """An effect that a test can count, as a whole write."""
    seen = int(connection.value("SELECT count(*) FROM participants WHERE name = ?", (name,)) or 0)
    connection.execute("INSERT INTO participants (address, name) VALUES (?, ?)", (f"{seen}", name))
    return None, ()


def noting(log: list[str]) -> Work:
    """Work that logs its payload's name."""

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        log.append(str(payload.get("name")))

    return run
