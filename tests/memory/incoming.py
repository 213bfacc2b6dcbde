"""Things as a source would yield them, and a store to take them in by hand."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from heedful.core.events import Event
from heedful.core.ids import SourceId
from heedful.memory.intake.departures import let_go
from heedful.memory.intake.door import Intake, take_in
from heedful.memory.messages import sources_store
from heedful.reading import Zone, ZoneKind
from heedful.sources import Batch, Incoming, Occurrence, Person, Rejected, Traits
from heedful.storage import Connection, Row, Store

MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ANA = Person("Ana Lopes", "ana@ciclone.example")
RUI = Person("Rui Prado", "rui@prado.example")
A, B, C = SourceId("a"), SourceId("b"), SourceId("c")


def letter(number: int, text: str = "Shall we meet?", **changes: object) -> Incoming:
    """One mail of a thread of its own; `changes` replace any field."""
    plain = Incoming(
        kind="message",
        channel="email",
        external_id=f"x{number}",
        identity=f"mail:{number}@ciclone.example",
        thread_key=f"t{number}",
        thread_title="A word",
        author=ANA,
        sent_at=MONDAY + timedelta(minutes=number),
        subject="A word",
        text=text,
        zones=(Zone(ZoneKind.NEW, 0, len(text)),),
        to=(RUI,),
    )
    return replace(plain, **changes)  # type: ignore[arg-type] # any field by its name


def event(number: int, *starts: datetime, raw: str = "BEGIN:VCALENDAR", **changes: object) -> Incoming:
    """A calendar entry that takes place at `starts`, an hour each."""
    times = tuple(
        Occurrence(f"{place}", start, start + timedelta(hours=1), all_day=False, status="confirmed")
        for place, start in enumerate(starts)
    )
    plain = letter(number, "Team sync", kind="event", channel="calendar", occurrences=times, raw=raw)
    return replace(plain, **changes)  # type: ignore[arg-type] # any field by its name


def batch(
    *items: Incoming, rejected: Sequence[Rejected] = (), gone: Sequence[str] = (), cursor: str = "read"
) -> Batch:
    return Batch(items, tuple(rejected), cursor, len(items), None, tuple(gone))


def add_sources(connection: Connection, *ids: SourceId) -> None:
    for source_id in ids:
        sources_store.add_source(
            connection, source_id, kind="mbox", name=source_id, path=Path("/mail"), watched=False, now=MONDAY
        )


async def take(
    store: Store, source_id: SourceId, *items: Incoming, now: datetime = MONDAY, **rest: object
) -> Intake:
    """Takes one batch in, adding the source when it is not there; what is gone leaves, as at a reading's end."""

    def work(connection: Connection) -> tuple[Intake, list[Event]]:
        add_sources(connection, source_id)
        whole = batch(*items, **rest)  # type: ignore[arg-type] # passed on by name
        return take_in(connection, source_id, whole, now=now), []

    intake = await store.write(work)
    if intake.gone:
        await do(store, lambda connection: let_go(connection, now=now))
    return intake


async def do(store: Store, work: Callable[[Connection], object]) -> None:
    """Runs one change in a transaction."""

    def written(connection: Connection) -> tuple[None, list[Event]]:
        work(connection)
        return None, []

    await store.write(written)


async def rows(store: Store, sql: str) -> list[Row]:
    return await store.read(lambda connection: connection.rows(sql))


async def dump(store: Store) -> str:
    """Every value of every table, as the person's enemy would see it with the key in hand."""

    def read(connection: Connection) -> str:
        tables = [
            str(name) for (name,) in connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        return "\n".join(repr(row) for table in tables for row in connection.rows(f'SELECT * FROM "{table}"'))

    return await store.read(read)


def whole(item: Incoming, **traits: object) -> Incoming:
    """The item with traits set."""
    return replace(item, traits=replace(Traits(), **traits))  # type: ignore[arg-type] # any trait by its name
