from datetime import date, timedelta

import pytest

from heedful.core.paths import Home
from heedful.storage import Connection, Store
from heedful.tokenjuice import Juicer, MemoryOriginals, Originals
from heedful.tokenjuice.originals_store import (
    StoredOriginals,
    add_savings,
    forget_oldest,
    keep,
)
from tests.fakes.clock import FakeClock
from tests.tokenjuice.samples import log_with


@pytest.fixture(params=["memory", "store"])
def originals(request: pytest.FixtureRequest, store: Store, clock: FakeClock) -> Originals:
    return MemoryOriginals() if request.param == "memory" else StoredOriginals(store, clock)


def test_bytes_come_back_exactly(originals: Originals) -> None:
    data = bytes(range(256)) * 40

    assert originals.get(originals.put(data)) == data


def test_the_same_bytes_have_the_same_id_and_others_another(originals: Originals) -> None:
    assert originals.put(b"one") == originals.put(b"one")
    assert originals.put(b"one") != originals.put(b"two")


def test_an_unknown_id_gives_nothing(originals: Originals) -> None:
    assert originals.get("0" * 16) is None


def test_memory_forgets_the_oldest_first() -> None:
    originals = MemoryOriginals(limit_bytes=10, limit_count=2)
    first = originals.put(b"aaaa")
    second = originals.put(b"bbbb")
    originals.put(b"aaaa")

    third = originals.put(b"cccc")

    assert originals.get(second) is None
    assert originals.get(first) == b"aaaa"
    assert originals.get(third) == b"cccc"


async def test_what_was_saved_is_there_for_the_next_run(store: Store, clock: FakeClock) -> None:
    first = StoredOriginals(store, clock)
    squeezed = Juicer(originals=first).compress(log_with("ERROR disk full"), command="journalctl")
    assert squeezed.retrieve_id is not None

    assert await first.save() == 1
    assert await first.save() == 0

    assert StoredOriginals(store, clock).get(squeezed.retrieve_id) == log_with("ERROR disk full").encode()


async def test_originals_lie_encrypted_on_disk(store: Store, clock: FakeClock, home: Home) -> None:
    originals = StoredOriginals(store, clock)
    originals.put(b"a-word-that-occurs-nowhere-else " * 3)

    await originals.save()

    on_disk = b"".join(file.read_bytes() for file in home.data.iterdir() if file.is_file())
    assert b"a-word-that-occurs-nowhere-else" not in on_disk
    assert b"CREATE TABLE" not in on_disk


async def test_old_originals_are_forgotten(store: Store, clock: FakeClock) -> None:
    def work(connection: Connection) -> tuple[tuple[int, int], tuple[()]]:
        keep(connection, "old", b"x", at=clock.now() - timedelta(days=40))
        keep(connection, "new", b"y", at=clock.now())
        gone = forget_oldest(connection, at=clock.now())
        return (gone, int(str(connection.value("SELECT count(*) FROM originals")))), ()

    assert await store.write(work) == (1, 1)


async def test_the_oldest_make_room_for_the_newest(store: Store, clock: FakeClock) -> None:
    def work(connection: Connection) -> tuple[list[str], tuple[()]]:
        for n in range(5):
            keep(connection, f"id{n}", bytes([n]) * 50, at=clock.now() + timedelta(minutes=n))
        size = int(str(connection.value("SELECT max(size_bytes) FROM originals")))
        forget_oldest(connection, at=clock.now(), limit_bytes=2 * size)
        return [str(row[0]) for row in connection.rows("SELECT id FROM originals ORDER BY id")], ()

    assert await store.write(work) == ["id3", "id4"]


async def test_savings_add_up_by_day(store: Store, clock: FakeClock) -> None:
    squeezed = Juicer().compress(log_with("ERROR disk full"), command="journalctl")

    def work(connection: Connection) -> tuple[None, tuple[()]]:
        for day in (date(2026, 12, 1), date(2026, 12, 1), date(2026, 12, 2), date(2026, 11, 1)):
            add_savings(connection, squeezed, day=day)
        return None, ()

    await store.write(work)

    days = await StoredOriginals(store, clock).savings(since=date(2026, 12, 1))
    assert [(found.day.day, found.texts) for found in days] == [(1, 2), (2, 1)]
    assert days[0].input_tokens == 2 * squeezed.input_tokens
    assert days[0].output_tokens == 2 * squeezed.output_tokens
