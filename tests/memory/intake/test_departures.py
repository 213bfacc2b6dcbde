"""What no source holds any more leaves as if it were forgotten; what was decided on it is remembered without a word."""

from datetime import timedelta
from pathlib import Path

import pytest

from heedful.actionables import Decisions, Draft, Evidence, ItemSource, Priority, actionables_store
from heedful.conscious.findings import store_drafts
from heedful.core.bus import Bus
from heedful.core.errors import RejectedError
from heedful.core.ids import ActionableId
from heedful.core.paths import Home
from heedful.memory import Library
from heedful.memory.forget.traces import EMPTIED
from heedful.memory.intake.door import take_in
from heedful.memory.messages.stored import StoredMessage
from heedful.storage import Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import everything, lived_with, put_item, put_traces, settle, stored
from tests.memory.incoming import MONDAY, A, B, add_sources, batch, do, letter, rows, take
from tests.memory.reading_along import mail
from tests.sources.letters import letter as raw_letter

CANARY = "zquorkab"
SECRET = f"Could you please send the {CANARY} report to Bruno before Friday?\n\nThank you,\nAna"


def draft_of(message: StoredMessage) -> Draft:
    quote = Evidence(
        message.chunks[0].id, message.id, A, message.thread_id, "Could you", 0, 9, said_at=message.sent_at
    )
    return Draft("Send the report", "", ItemSource.EMAIL, Priority.NORMAL, "Mail", (quote,))


async def test_what_is_gone_from_its_last_source_leaves_no_word_in_any_table(
    store: Store, clock: FakeClock
) -> None:
    for number in range(2, 6):
        await take(store, A, mail(number, f"Number {number}: the garden was fine.", thread_key="t1"))
    letter_of_it = mail(1, SECRET, subject=f"About {CANARY}", thread_title=f"About {CANARY}")
    await lived_with(store, clock, letter_of_it, item=f"Send the {CANARY} report")
    assert (await everything(store)).count(CANARY) > 10
    await take(store, A, gone=["x1"])
    await settle(store, clock)
    assert CANARY not in await everything(store)
    assert await rows(store, "SELECT count(*) FROM messages") == [(4,)]
    assert await rows(store, "SELECT id FROM actionables") == []


@pytest.mark.parametrize("state", ["completed", "dismissed", "approved", "expired"])
async def test_a_decided_item_keeps_its_state_and_history_without_a_word_of_what_is_gone(
    store: Store, clock: FakeClock, state: str
) -> None:
    await take(store, A, mail(1, SECRET))
    secret = await stored(store, "x1")
    await do(store, lambda c: put_item(c, "i1", f"Send the {CANARY} report", secret, state=state))
    await take(store, A, gone=["x1"])
    await settle(store, clock)
    assert CANARY not in await everything(store)
    item = await store.read(lambda c: actionables_store.item(c, ActionableId("i1")))
    assert item is not None
    assert (item.state, item.draft.title, item.draft.evidence) == (state, EMPTIED, ())
    assert await rows(store, "SELECT after_state FROM actionable_history") == [(state,)]


@pytest.mark.parametrize("state", ["active", "awaiting", "snoozed"])
async def test_an_open_item_goes_with_its_last_evidence_and_stays_with_any(store: Store, state: str) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "Please send the garden plan."))
    one, two = await stored(store, "x1"), await stored(store, "x2")
    await do(store, lambda c: put_item(c, "i1", f"Send the {CANARY} report", one, state=state))
    await do(store, lambda c: put_item(c, "i2", "Send the garden plan", two, one, state=state))
    await take(store, A, gone=["x1"])
    assert await rows(store, "SELECT id, state FROM actionables") == [("i2", state)]
    assert CANARY not in str(await rows(store, "SELECT quote FROM actionable_evidence"))


async def test_a_mail_moved_to_a_folder_that_is_read_later_in_the_round_loses_nothing(
    store: Store, bus: Bus, clock: FakeClock, tmp_path: Path
) -> None:
    inbox, archive = tmp_path / "Inbox", tmp_path / "Archive"
    for number, folder in ((1, inbox), (2, inbox), (3, archive)):
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.eml").write_text(raw_letter(number=number), encoding="utf-8")
    library = Library(store, bus, clock)
    sources = [await library.add(folder) for folder in (inbox, archive)]
    for source_id in sources:
        await library.sync(source_id)
    moved = await stored(store, "1@prado.example")
    await do(store, lambda c: put_item(c, "i1", "Send the figures", moved, state="snoozed"))
    (inbox / "1.eml").rename(archive / "1.eml")
    async with library.round():
        for source_id in sources:
            await library.sync(source_id)
    again = await stored(store, "1@prado.example")
    assert (again.id, again.seq, again.source_id) == (moved.id, moved.seq, sources[1])
    assert await rows(store, "SELECT state FROM actionables") == [("snoozed",)]
    assert await rows(store, "SELECT count(*) FROM departures") == [(0,)]


async def test_what_was_noted_before_the_process_died_leaves_with_the_next_work(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    await do(store, lambda c: take_in(c, A, batch(gone=["x1"]), now=MONDAY))
    assert await rows(store, "SELECT count(*) FROM messages") == [(2,)]
    store.close()
    again = Store.open(home, key, Bus())
    try:
        await settle(again, clock)
        assert CANARY not in await everything(again)
        assert await rows(again, "SELECT external_id FROM messages") == [("x2",)]
    finally:
        again.close()


async def test_what_comes_back_before_it_left_stays_as_it_was(store: Store, clock: FakeClock) -> None:
    await take(store, A, mail(1, SECRET))
    secret = await stored(store, "x1")
    await do(store, lambda c: put_item(c, "i1", "Send the report", secret))
    await do(store, lambda c: take_in(c, A, batch(gone=["x1"]), now=MONDAY))
    await take(store, B, mail(1, SECRET, external_id="y1"))
    await settle(store, clock)
    assert await rows(store, "SELECT seq, source_id, external_id FROM messages") == [(1, B, "y1")]
    assert await rows(store, "SELECT id FROM actionables") == [("i1",)]


async def test_what_comes_back_later_comes_in_anew_unlike_what_was_forgotten(store: Store) -> None:
    await take(store, A, mail(1, SECRET))
    await take(store, A, gone=["x1"])
    assert (await take(store, A, mail(1, SECRET))).new == 1


async def test_what_was_dismissed_stays_dismissed_when_its_message_comes_back(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET))
    found = draft_of(await stored(store, "x1"))
    await do(store, lambda c: store_drafts(c, [found], now=clock.now(), room=9))
    await Decisions(store, clock).dismiss(found.id)
    await take(store, A, gone=["x1"])
    await do(store, lambda c: store_drafts(c, [found], now=clock.now(), room=9))
    assert await rows(store, "SELECT state, title FROM actionables") == [("dismissed", EMPTIED)]
    await take(store, A, mail(1, SECRET))
    again = draft_of(await stored(store, "x1"))
    await do(store, lambda c: store_drafts(c, [again], now=clock.now(), room=9))
    assert await rows(store, "SELECT id, state FROM actionables") == [(found.id, "dismissed")]


async def test_a_decision_on_what_is_gone_is_not_taken_back(store: Store, clock: FakeClock) -> None:
    await take(store, A, mail(1, SECRET))
    of = await stored(store, "x1")
    found = draft_of(of)
    await do(store, lambda c: store_drafts(c, [found], now=clock.now(), room=9))
    decisions = Decisions(store, clock)
    await decisions.complete(found.id)
    await take(store, A, gone=["x1"])
    with pytest.raises(RejectedError, match="What this came from is gone"):
        await decisions.undo(found.id)


async def test_the_same_asked_again_after_it_was_done_and_deleted_comes_up_in_its_own_words(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET))
    found = draft_of(await stored(store, "x1"))
    await do(store, lambda c: store_drafts(c, [found], now=clock.now(), room=9))
    await Decisions(store, clock).complete(found.id)
    await take(store, A, gone=["x1"])
    clock.advance(timedelta(days=30))
    await take(store, A, mail(2, SECRET, sent_at=clock.now()))
    again = draft_of(await stored(store, "x2"))
    await do(store, lambda c: store_drafts(c, [again], now=clock.now(), room=9))
    assert await rows(store, "SELECT id, state, title FROM actionables") == [
        (found.id, "active", "Send the report")
    ]


async def test_a_look_under_way_makes_nothing_of_what_is_gone(store: Store, clock: FakeClock) -> None:
    await take(store, A, mail(1, SECRET))
    of = await stored(store, "x1")
    quote = Evidence(of.chunks[0].id, of.id, A, of.thread_id, SECRET, 0, 9, said_at=of.sent_at)
    found = Draft(f"Send {CANARY}", "", ItemSource.EMAIL, Priority.NORMAL, "Mail", (quote,))
    await take(store, A, gone=["x1"])
    await do(store, lambda c: store_drafts(c, [found], now=clock.now(), room=9))
    assert await rows(store, "SELECT id FROM actionables") == []


async def test_a_message_gone_here_and_held_elsewhere_is_the_others_from_then_on(store: Store) -> None:
    await take(store, A, letter(1, "as it was"))
    await take(store, B, letter(1, "as it was", external_id="y1"))
    await take(store, A, gone=["x1"])
    assert await rows(store, "SELECT source_id, external_id FROM messages") == [(B, "y1")]
    assert (await take(store, B, letter(1, "as it is", external_id="y1"))).edited == 1


async def test_most_of_a_source_missing_at_once_is_not_believed(store: Store) -> None:
    letters = [letter(number) for number in range(40)]
    await take(store, A, *letters)
    assert (await take(store, A, gone=[f"x{number}" for number in range(21)])).gone == 0
    assert await rows(store, "SELECT count(*) FROM messages") == [(40,)]
    assert await rows(store, "SELECT missing FROM sources") == [(21,)]
    assert (await take(store, A, gone=[f"x{number}" for number in range(20)])).gone == 20


async def test_an_edit_follows_into_the_quotations_of_its_items(store: Store) -> None:
    await take(store, A, mail(1, "Good morning. Please send the old report to Bruno. Thanks."))
    message = await stored(store, "x1")
    quote = "Please send the old report to Bruno."
    for name, state in (("i1", "snoozed"), ("i2", "dismissed")):
        await do(store, lambda c, n=name, s=state: put_item(c, n, "Send the report", message, state=s))  # type: ignore[misc] # bound now
    await do(store, lambda c: c.execute("UPDATE actionable_evidence SET quote = ?, start = 14", (quote,)))
    await take(store, A, mail(1, "Hello! Good morning. Please send the new report to Bruno. Thanks."))
    after = await stored(store, "x1")
    for row in await rows(store, "SELECT quote, start, finish, chunk_id FROM actionable_evidence"):
        assert row[0] == "Please send the new report to Bruno."
        assert after.text[int(row[1] or 0) : int(row[2] or 0)] == row[0]
        assert row[3] == after.chunks[0].id
    assert await rows(store, "SELECT state FROM actionables ORDER BY id") == [("snoozed",), ("dismissed",)]


@pytest.mark.parametrize(
    "now_says", ["Good morning. Thanks.", "Good morning. Please send the report by Monday. Thanks."]
)
async def test_a_sentence_that_an_edit_took_out_or_gave_another_day_is_quoted_by_nothing(
    store: Store, now_says: str
) -> None:
    quote = "Please send the report by Friday."
    await take(store, A, mail(1, f"Good morning. {quote} Thanks."))
    message = await stored(store, "x1")
    await do(store, lambda c: put_item(c, "i1", "Send the report by Friday", message))
    await do(store, lambda c: put_item(c, "i2", "Send the report by Friday", message, state="dismissed"))
    await do(store, lambda c: c.execute("UPDATE actionable_evidence SET quote = ?, start = 14", (quote,)))
    await take(store, A, mail(1, now_says))
    assert await rows(store, "SELECT id, title FROM actionables") == [("i2", EMPTIED)]
    assert await rows(store, "SELECT quote FROM actionable_evidence") == []


async def test_removing_a_source_forgets_what_only_it_held_everywhere(
    store: Store, bus: Bus, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET))
    await settle(store, clock)
    secret = await stored(store, "x1")
    await do(store, lambda c: put_item(c, "i1", f"Send the {CANARY} report", secret, state="completed"))
    await do(store, lambda c: put_traces(c, secret))
    assert await Library(store, bus, clock).remove(A) == 1
    await settle(store, clock)
    assert CANARY not in await everything(store)
    await do(store, lambda c: add_sources(c, A))
    assert (await take(store, A, mail(1, SECRET))).new == 1
