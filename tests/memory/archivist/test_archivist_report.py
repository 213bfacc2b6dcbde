"""The report of the store's size accounts for every byte."""

from heedful.memory.archivist.report import OTHER, room_of, store_report
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import settle
from tests.memory.incoming import A, take
from tests.memory.reading_along import mail


async def test_every_page_is_accounted_for(store: Store, clock: FakeClock) -> None:
    await take(store, A, *(mail(n, f"The garden of number {n} is green.") for n in range(50)))
    await settle(store, clock)
    report = await store.read(store_report)

    def pages(connection: Connection) -> int:
        return int(
            connection.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") or 0
        )

    assert report.messages == 50
    assert sum(report.rooms.values()) + report.free_bytes == await store.read(pages)
    assert {"messages", "passages and their index", "people and things", "summaries", OTHER} <= set(
        report.rooms
    )
    assert report.rooms["messages"] > 0
    assert report.sentence.startswith(max(report.rooms, key=lambda room: report.rooms[room]))
    assert report.sentence.count("B") == len(report.rooms) + (report.free_bytes > 0)


async def test_every_table_but_the_few_small_ones_has_a_room_of_its_own(store: Store) -> None:
    def unnamed(connection: Connection) -> set[str]:
        names = [
            str(row[0]) for row in connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        return {name for name in names if room_of(name) == OTHER and not name.startswith("sqlite_")}

    assert await store.read(unnamed) <= {"consents", "provider_abilities", "pauses"}
