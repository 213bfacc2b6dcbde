"""Leaves in the order of time, page by page, whatever sources they are in."""

import random
from datetime import timedelta

import pytest

from heedful.core.paths import Home
from heedful.memory.search.browsing import Range, browse, count
from heedful.storage import Connection, Key, Store
from tests.memory.incoming import MONDAY, A, B, C, do, letter, take

LONG = "This sentence says little, but it says it at some length. " * 60


@pytest.fixture
async def mixed(store: Store) -> Store:
    """Sixty letters over three sources, many sent in the same minute, some of several passages."""
    draw = random.Random(7)
    for number in range(60):
        minute = timedelta(minutes=draw.randrange(12))
        text = LONG if number % 9 == 0 else f"Letter {number}"
        await take(store, draw.choice((A, B, C)), letter(number, text, sent_at=MONDAY + minute))
    return store


def in_order(connection: Connection, sources: str) -> list[str]:
    """The same, by sorting everything."""
    rows = connection.rows(
        "SELECT c.id FROM chunks c JOIN messages m ON m.seq = c.message_seq WHERE instr(?, m.source_id) "
        "ORDER BY m.sent_at DESC, m.seq DESC, c.start",
        (sources,),
    )
    return [str(chunk_id) for (chunk_id,) in rows]


@pytest.mark.parametrize("sources", ["abc", "ac", "b", ""])
@pytest.mark.parametrize("size", [1, 7, 100])
async def test_pages_by_place_and_by_number_give_everything_once_and_in_order(
    mixed: Store, sources: str, size: int
) -> None:
    among = Range(frozenset(one for one in (A, B, C) if one in sources))
    wanted = await mixed.read(lambda connection: in_order(connection, sources))
    by_place, by_number, place = [], [], None
    for begin in range(0, len(wanted) + size, size):
        page = await mixed.read(lambda c, after=place: browse(c, among, limit=size, after=after))  # type: ignore[misc] # mypy can't infer a default's type
        by_place += [leaf.chunk_id for leaf in page]
        place = page[-1].place if page else place
        page = await mixed.read(lambda c, skip=begin: browse(c, among, limit=size, skip=skip))  # type: ignore[misc] # mypy can't infer a default's type
        by_number += [leaf.chunk_id for leaf in page]
    assert by_number == wanted
    assert by_place[: len(wanted)] == wanted
    assert await mixed.read(lambda connection: count(connection, among)) == len(wanted)


async def test_a_late_page_costs_no_more_than_the_first(store: Store, home: Home, key: Key) -> None:
    await take(store, A, letter(0))
    await do(store, lambda connection: _multiply(connection, 3000))
    among = Range(frozenset([A]))
    last = (await store.read(lambda c: browse(c, among, limit=1, skip=2900)))[0].place
    connection = Connection(home.database, key.hex, read_only=True)
    looks = 0

    def over() -> bool:
        nonlocal looks
        looks += 1
        return False

    connection.stop_when(over)  # asked each twenty thousand instructions
    assert len(browse(connection, among, limit=20, after=last)) == 20
    connection.close()
    assert looks == 0


def _multiply(connection: Connection, times: int) -> None:
    """Puts the one message there is in many times, a second apart, each with a passage."""
    numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
    connection.execute(
        "INSERT INTO messages (id, source_id, thread_id, kind, channel, external_id, identity, author_id, sent_at, "
        "subject, text, zones, lang, traits, content_hash, ingested_at, changed) "
        f"{numbers} SELECT id || i, source_id, thread_id, kind, channel, i, i, author_id, sent_at + 1000 * i, "
        "subject, text, zones, lang, traits, content_hash, ingested_at, changed + i FROM messages, n",
        (times,),
    )
    connection.execute(
        "INSERT INTO chunks (id, message_seq, start, finish) SELECT 'c' || seq, seq, 0, 1 FROM messages WHERE seq > 1"
    )
