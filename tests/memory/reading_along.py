"""Takes letters in and lets the entities' stage read them, as its job would."""

from datetime import datetime

from heedful.core.events import Event
from heedful.core.ids import SourceId
from heedful.memory.entities import extraction, registry
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.registry import Entity
from heedful.reading import zones
from heedful.sources import Incoming
from heedful.storage import Connection, Store
from tests.memory.incoming import MONDAY, letter, take


def mail(number: int, text: str = "Shall we meet?", **changes: object) -> Incoming:
    """A letter whose zones are told from its text."""
    return letter(number, text, zones=zones(text), **changes)


async def tell(store: Store, source_id: SourceId, *items: Incoming, now: datetime = MONDAY) -> None:
    """Takes items in and reads everything that waits."""
    await take(store, source_id, *items)
    await read_all(store, now=now)


async def read_all(store: Store, *, now: datetime = MONDAY) -> int:
    """Reads everything that waits; returns in how many steps."""
    steps = 0
    while (step := await store.read(extraction.next_step)) is not None:
        readings = extraction.read_step(step)
        read = step

        def work(connection: Connection) -> tuple[None, list[Event]]:
            extraction.write_step(connection, read, readings, now=now)  # noqa: B023 (awaited in this turn)
            return None, []

        await store.write(work)
        steps += 1
    return steps


async def found(store: Store, text: str, kind: EntityKind | None = None) -> Entity:
    """The one entity that a name leads to."""
    (only,) = await store.read(lambda connection: registry.find_entities(connection, text, kind=kind))
    return only


async def top(store: Store, kind: EntityKind | None = None, **rest: object) -> list[Entity]:
    return await store.read(
        lambda connection: registry.top_entities(connection, kind, **rest)  # type: ignore[arg-type] # by name
    )
