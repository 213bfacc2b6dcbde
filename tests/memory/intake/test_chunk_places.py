"""What narrows a look-up finds what reading every message would find, also after messages have moved."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.ids import SourceId, ThreadId
from heedful.memory import Filters, recall, search
from heedful.memory.intake.door import take_in
from heedful.memory.search import scope
from heedful.storage import Connection
from heedful.storage.migrating import migrate
from tests.memory.incoming import MONDAY, A, B, add_sources, batch, letter

HEX = SourceId("00ab12cd34ef567890123456")
SOURCES = (A, B, HEX)
LONG = "The anchor was lost in the harbour, and nobody knew of it. " * 60


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Connection:
    """Thirty letters about anchors: three sources, five threads each, an hour between them; some are long."""
    connection = opened(tmp_path_factory.mktemp("places"))
    for number in range(30):
        text = LONG if number % 7 == 0 else f"An anchor, number {number}."
        item = letter(
            number,
            text,
            thread_key=f"t{number % 15}",
            sent_at=MONDAY + timedelta(hours=number),
            identity=f"jsonl:{number}",
        )
        take_in(connection, SOURCES[number % 3], batch(item), now=MONDAY)
    return connection


def opened(folder: Path) -> Connection:
    file = folder / "plain.db"
    connection = Connection(file, None)
    migrate(connection, file)
    add_sources(connection, *SOURCES)
    return connection


def threads(connection: Connection) -> list[ThreadId]:
    return [ThreadId(str(row[0])) for row in connection.rows("SELECT id FROM threads ORDER BY id")]


@given(st.data())
@settings(max_examples=40)
def test_filters_let_through_what_reading_every_message_would(
    harbour: Connection, data: st.DataObject
) -> None:
    moment = st.none() | st.integers(-1, 31).map(lambda hours: MONDAY + timedelta(hours=hours))
    filters = Filters(
        source_id=data.draw(st.none() | st.sampled_from(SOURCES)),
        among=data.draw(st.none() | st.frozensets(st.sampled_from(SOURCES))),
        since=data.draw(moment),
        until=data.draw(moment),
        thread_id=data.draw(st.none() | st.sampled_from(threads(harbour))),
    )
    every = recall(harbour, "anchor", limit=100)
    assert len(every) == 30
    wanted = {
        hit.message_id
        for hit in every
        if filters.source_id in (None, hit.source_id)
        and (filters.among is None or hit.source_id in filters.among)
        and (filters.since is None or hit.sent_at >= filters.since)
        and (filters.until is None or hit.sent_at <= filters.until)
        and filters.thread_id in (None, hit.thread_id)
    }
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scope, "FEW", data.draw(st.sampled_from([0, 4, 2000])))
        found = {hit.message_id for hit in recall(harbour, "anchor", limit=100, filters=filters)}
    assert found == wanted
    assert {hit.message_id for hit in search(harbour, "anchor", limit=100, filters=filters)} == wanted


def test_what_was_edited_is_found_at_its_new_time(tmp_path: Path) -> None:
    connection = opened(tmp_path)
    item = letter(1, "An anchor.")
    take_in(connection, A, batch(item), now=MONDAY)
    later = MONDAY + timedelta(days=3)
    take_in(connection, A, batch(replace(item, text="An anchor again.", sent_at=later)), now=later)
    assert len(search(connection, "anchor", filters=Filters(since=later))) == 1
    assert search(connection, "anchor", filters=Filters(until=later - timedelta(days=1))) == []


def test_what_moved_to_another_source_is_found_there_and_not_where_it_was(tmp_path: Path) -> None:
    connection = opened(tmp_path)
    take_in(connection, A, batch(letter(1, "An anchor.")), now=MONDAY)
    connection.execute("UPDATE messages SET source_id = ?", (HEX,))
    for look in (search, recall):
        assert len(look(connection, "anchor", filters=Filters(source_id=HEX))) == 1
        assert look(connection, "anchor", filters=Filters(source_id=A)) == []


@pytest.mark.parametrize("few", [0, 2000])
def test_ids_that_begin_alike_are_still_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(scope, "FEW", few)
    connection = opened(tmp_path)
    twin = SourceId(HEX[:12] + "999999999999")
    add_sources(connection, twin)
    take_in(connection, HEX, batch(letter(1, "An anchor.")), now=MONDAY)
    for look in (search, recall):
        assert look(connection, "anchor", filters=Filters(source_id=twin)) == []
        assert look(connection, "anchor", filters=Filters(among=frozenset({twin, A}))) == []


def test_a_passage_that_goes_takes_its_place_with_it(tmp_path: Path) -> None:
    connection = opened(tmp_path)
    take_in(connection, A, batch(letter(1, LONG), letter(2, "An anchor.")), now=MONDAY)
    connection.execute("DELETE FROM messages WHERE seq = 1")
    assert connection.rows("SELECT chunk_seq, message_seq FROM chunk_places") == connection.rows(
        "SELECT seq, message_seq FROM chunks"
    )
