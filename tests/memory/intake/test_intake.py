"""The one door into memory: what is new, known, edited or gone; and a batch with its cursor or neither."""

from datetime import date, datetime, timedelta
from functools import partial

import pytest

from heedful.core.errors import RejectedError
from heedful.core.events import Event
from heedful.core.ids import SourceId
from heedful.memory.forget.forgetting import forget
from heedful.memory.forget.targets import Target
from heedful.memory.intake.door import Intake, take_in
from heedful.memory.messages import messages_store, rejects_store, sources_store
from heedful.memory.search.exact import search
from heedful.reading import Zone, ZoneKind
from heedful.sources import Person, Rejected
from heedful.storage import Connection, Store
from tests.fakes.zones import BrokenZone
from tests.memory.forgetting import put_item, stored
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, C, add_sources, batch, do, event, letter, rows, take


async def counts(store: Store) -> dict[str, int]:
    tables = ("messages", "threads", "chunks", "chunk_index", "origins", "recipients")
    found = {table: await rows(store, f"SELECT count(*) FROM {table}") for table in tables}
    return {table: int(rows_[0][0] or 0) for table, rows_ in found.items()}


async def found(store: Store, text: str) -> list[str]:
    return [hit.external_id for hit in await store.read(lambda connection: search(connection, text))]


async def test_what_is_new_is_counted_once_however_often_it_is_read(store: Store) -> None:
    assert await take(store, A, letter(1), letter(2)) == Intake(new=2)
    before = await counts(store)
    assert await take(store, A, letter(1), letter(2)) == Intake(known=2)
    assert await counts(store) == before


async def test_an_arrival_or_edit_never_gets_the_number_of_one_before_it_that_left(store: Store) -> None:
    await take(store, A, letter(1), letter(2))
    await take(store, A, gone=["x2"])
    await take(store, A, letter(3))
    await take(store, A, letter(3, "Shall we meet there?"))
    await do(store, lambda connection: forget(connection, Target("source", A), now=MONDAY))
    await take(store, B, letter(4))
    assert await rows(store, "SELECT changed FROM messages") == [(5,)]


async def test_an_edit_that_lets_another_message_be_judged_again_keeps_no_later_one_out(store: Store) -> None:
    await take(store, A, letter(1, "Send me the report."), letter(2, "Here it is."))
    asked, answer = await stored(store, "x1"), await stored(store, "x2")
    await do(store, lambda connection: put_item(connection, "i", "Send the report", asked, answer))
    await do(store, lambda c: c.execute("UPDATE actionable_evidence SET role = 'done' WHERE place = 1"))
    assert await take(store, A, letter(1, "The sun shines."), letter(3)) == Intake(new=1, edited=1)
    numbers = await rows(store, "SELECT external_id FROM messages ORDER BY changed")
    assert numbers == [("x1",), ("x2",), ("x3",)]


async def test_somebody_whom_an_edit_no_longer_names_is_nobody_any_more(store: Store) -> None:
    await take(store, A, letter(1, to=(Person("Bo Lind", "bo@lind.example"),)), letter(2, author=RUI))
    await take(store, A, letter(1, "Shall we meet there?", to=(RUI,)))
    assert await rows(store, "SELECT name FROM participants ORDER BY 1") == [("Ana Lopes",), ("Rui Prado",)]


async def test_overlapping_imports_by_two_sources_are_one_message_with_two_origins(store: Store) -> None:
    await take(store, A, letter(1, external_id="inbox 1"))
    assert await take(store, B, letter(1, external_id="archive 9")) == Intake(known=1)
    assert (await counts(store))["messages"] == 1
    assert await rows(store, "SELECT source_id, external_id FROM origins ORDER BY 1") == [
        ("a", "inbox 1"),
        ("b", "archive 9"),
    ]


async def test_a_message_that_meets_a_bug_is_left_out_and_listed_while_its_batch_is_taken_in(
    store: Store, expected_logs: list[str]
) -> None:
    broken = datetime(2026, 11, 1, 12, tzinfo=BrokenZone(date(2026, 11, 1)))
    assert await take(store, A, letter(1), letter(2, sent_at=broken), letter(3)) == Intake(new=2)
    assert await found(store, "meet") == ["x3", "x1"]
    rejected = await rows(store, "SELECT place, reason FROM rejects")
    assert [place for place, _ in rejected] == ["x2"]
    assert "a fault of its own" in str(rejected[0][1])
    assert (await counts(store))["threads"] == 2
    assert len(expected_logs) == 1
    assert await take(store, A, letter(1), letter(2), letter(3)) == Intake(new=1, known=2)


async def test_the_same_thing_twice_in_one_batch_is_one_message(store: Store) -> None:
    assert await take(store, A, letter(1), letter(1, external_id="copy")) == Intake(new=1, known=1)
    assert (await counts(store))["messages"] == 1


async def test_an_edit_replaces_passages_and_index_and_rises_in_the_order_of_changes(store: Store) -> None:
    await take(store, A, letter(1, "the old wording"), letter(2))
    assert await take(store, A, letter(1, "the new wording")) == Intake(edited=1)
    assert await found(store, "old wording") == []
    assert await found(store, "new wording") == ["x1"]
    changes = await store.read(lambda connection: messages_store.changes_since(connection, 2))
    assert [seq for _, seq, _ in changes] == [1]
    assert (await counts(store))["chunks"] == (await counts(store))["chunk_index"] == 2


async def test_an_edit_replaces_who_wrote_and_who_was_asked(store: Store) -> None:
    await take(store, A, event(1, MONDAY, to=(RUI,)))
    eve = Person("Eve Dias", "eve@ciclone.example")
    await take(
        store,
        A,
        event(1, MONDAY, raw="BEGIN:VCALENDAR 2", author=RUI, to=(eve, ANA), thread_title="Retitled"),
    )
    (kept,) = await store.read(lambda connection: messages_store.messages(connection, [1]))
    assert kept.author == RUI
    assert kept.to == (eve, ANA)
    assert await rows(store, "SELECT title FROM threads") == [("Retitled",)]


async def test_an_export_of_the_same_calendar_a_day_later_changes_nothing(store: Store) -> None:
    raw = "BEGIN:VCALENDAR\r\nDTSTAMP:{}\r\nSEQUENCE:{}\r\nSUMMARY:Team sync\r\nEND:VCALENDAR\r\n"
    later = MONDAY + timedelta(days=7)
    await take(store, A, event(1, MONDAY, raw=raw.format("20261130T090000Z", 1)))
    again = event(1, later, raw=raw.format("20261201T090000Z", 2), text="Team sync, worded by the day")
    assert await take(store, A, again) == Intake(known=1)


async def test_an_occurrence_that_moved_is_remembered_with_its_old_start(store: Store) -> None:
    later = MONDAY + timedelta(hours=3)
    await take(store, A, event(1, MONDAY))
    await take(store, A, event(1, later, raw="BEGIN:VCALENDAR moved"))
    (kept,) = await store.read(lambda connection: messages_store.messages(connection, [1]))
    assert [(o.starts_at, o.moved_from) for o in kept.occurrences] == [(later, MONDAY)]


async def test_an_edit_seen_by_a_source_that_does_not_own_the_message_changes_nothing(store: Store) -> None:
    await take(store, A, letter(1, "as it was sent"))
    assert await take(store, B, letter(1, "as an archive rewrote it")) == Intake(known=1)
    assert await found(store, "as it was sent") == ["x1"]


async def test_what_a_source_no_longer_holds_goes_with_all_that_was_made_of_it(store: Store) -> None:
    await take(store, A, letter(1, thread_key="t"), letter(2, thread_key="t"), letter(3))
    assert await take(store, A, gone=["x1", "x3", "never met"]) == Intake(gone=2)
    left = await counts(store)
    assert left == {
        "messages": 1, "threads": 1, "chunks": 1, "chunk_index": 1, "origins": 1, "recipients": 1,
    }  # fmt: skip
    assert await rows(store, "SELECT messages FROM threads") == [(1,)]


async def test_what_is_gone_here_stays_while_another_source_holds_it(store: Store) -> None:
    await take(store, A, letter(1))
    await take(store, B, letter(1))
    assert await take(store, A, gone=["x1"]) == Intake()
    assert await found(store, "meet") == ["x1"]
    assert await take(store, B, gone=["x1"]) == Intake(gone=1)


async def test_removing_a_source_hands_what_others_hold_to_them(store: Store) -> None:
    await take(store, A, letter(1, thread_key="t"), letter(2, thread_key="t"), letter(3))
    await take(store, B, letter(1, thread_key="t"))
    await do(store, lambda connection: forget(connection, Target("source", A), now=MONDAY))
    assert await rows(store, "SELECT source_id FROM messages") == [("b",)]
    assert await rows(store, "SELECT source_id, messages FROM threads") == [("b", 1)]


@pytest.mark.parametrize(("second", "third", "left"), [(B, C, "x2"), (C, B, "x1")])
async def test_removing_one_source_after_the_other_loses_nothing_that_a_third_holds(
    store: Store, second: SourceId, third: SourceId, left: str
) -> None:
    await take(store, A, letter(1, thread_key="t"), letter(2, thread_key="t"))
    await take(store, B, letter(1, thread_key="t"))
    await take(store, C, letter(2, thread_key="t"))
    for source_id in (A, second):
        await do(store, partial(forget, target=Target("source", source_id), now=MONDAY))
    assert await rows(store, "SELECT external_id, source_id FROM messages") == [(left, third)]
    assert await rows(store, "SELECT source_id FROM threads") == [(third,)]
    await do(store, partial(forget, target=Target("source", third), now=MONDAY))
    assert (await counts(store))["messages"] == 0
    assert (await counts(store))["threads"] == 0


async def test_what_could_not_be_read_is_listed_with_its_place_and_newest_reason(store: Store) -> None:
    await take(
        store, A, letter(1), rejected=[Rejected("byte 7", "It has no date."), Rejected("byte 9", "Cut off.")]
    )
    await take(store, A, rejected=[Rejected("byte 7", "It is empty.")])
    listed = await store.read(lambda connection: rejects_store.rejects(connection, A, 10))
    assert listed == (Rejected("byte 7", "It is empty."), Rejected("byte 9", "Cut off."))
    (row,) = await store.read(sources_store.sources)
    assert row.rejected == 2


async def test_a_batch_is_kept_with_its_cursor_or_neither_is(store: Store, expected_logs: list[str]) -> None:
    def cut_off(connection: Connection) -> tuple[None, list[Event]]:
        add_sources(connection, A)
        take_in(connection, A, batch(letter(1), cursor="after one"), now=MONDAY)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.write(cut_off)
    assert (await counts(store))["messages"] == 0
    await take(store, A, letter(1), cursor="after one")
    assert await store.read(lambda connection: sources_store.cursor_of(connection, A)) == "after one"
    assert len(expected_logs) == 1


async def test_no_batch_is_taken_for_a_source_that_is_not_there(store: Store) -> None:
    with pytest.raises(RejectedError, match="no such source"):
        await store.read(lambda connection: sources_store.source(connection, SourceId("gone")))


@pytest.mark.parametrize("odd", ["half \ud83d of a pair", "a NUL \0 inside", "\udcff"])
async def test_text_that_no_database_can_hold_is_kept_with_a_mark_at_the_place(
    store: Store, odd: str
) -> None:
    text = f"{odd} and then the word pineapple"
    item = letter(
        1, text, subject=odd, thread_title=odd, external_id=odd, identity=odd, thread_key=odd, reply_to=odd,
        author=Person(odd, "ana@ciclone.example"), to=(Person(odd),), raw=odd,
    )  # fmt: skip
    assert await take(store, A, item, rejected=[Rejected(odd, odd)]) == Intake(new=1)
    assert await take(store, A, item) == Intake(known=1)
    (kept,) = await store.read(lambda connection: messages_store.messages(connection, [1]))
    assert len(kept.text) == len(text)
    assert "\ufffd" in kept.text
    assert kept.zones == (Zone(ZoneKind.NEW, 0, len(text)),)
    (hit,) = await store.read(lambda connection: search(connection, "pineapple"))
    assert "pineapple" in hit.excerpt
    assert await take(store, A, gone=[odd]) == Intake(gone=1)


async def test_a_message_without_words_and_names_is_kept_all_the_same(store: Store) -> None:
    bare = letter(1, "", subject="", thread_title="", author=Person(""), to=(), zones=())
    assert await take(store, A, bare) == Intake(new=1)
    kept = await store.read(lambda connection: messages_store.messages(connection, [1]))
    assert kept[0].text == ""
    assert kept[0].author == Person("")
