"""An item as cards and rows show it."""

from datetime import timedelta

from heedful.actionables import ItemSource, Priority, State
from heedful.presenters.items import APPROVAL_NOTE, Verb, item_view, matters_now, most_urgent_first
from heedful.presenters.quotations import QUOTE_LENGTH, quotation
from tests.fakes import samples
from tests.fakes.samples import NOW, ZONE, evidence, item, local


def test_the_decisive_words_of_the_evidence_are_marked() -> None:
    invoice = samples.morning()[0]
    said = item_view(invoice, now=NOW, zone=ZONE).quotes[0]
    assert [said.text[start:end] for start, end in said.marks] == ["EUR 84.20", "due today"]


def test_white_space_in_a_due_text_does_not_keep_it_from_being_marked() -> None:
    draft = item("Send it", due_text="by noon\n tomorrow").draft
    said = quotation(evidence("Send it  by noon\ntomorrow, please.", NOW), draft)
    assert said.text == "Send it by noon tomorrow, please."
    assert [said.text[start:end] for start, end in said.marks] == ["by noon tomorrow"]


def test_an_entry_of_a_calendar_is_as_old_as_its_coming_up_not_as_its_writing() -> None:
    written = NOW - timedelta(weeks=5)
    entry = item(
        "Coming up: Board call", source=ItemSource.CALENDAR, evidence=(evidence("Board call", written),)
    )
    said = item_view(entry, now=NOW, zone=ZONE)
    assert said.age == "1 h"
    assert said.meta == "Mail · 1 h ago"


def test_the_same_words_said_twice_are_quoted_once() -> None:
    twice = (evidence("Pay it today.", NOW), evidence("Pay it  today.", NOW - timedelta(days=1)))
    said = item_view(item("Pay", evidence=(*twice, evidence("Or tomorrow.", NOW))), now=NOW, zone=ZONE)
    assert [quote.text for quote in said.quotes] == ["Pay it today.", "Or tomorrow."]


def test_a_name_from_right_to_left_leaves_the_time_after_it_where_it_is() -> None:
    said = item_view(item("Pay", people=("محمد العلي",)), now=NOW, zone=ZONE)
    assert said.meta == "Mail · \u2068محمد العلي\u2069 · 1 h ago"


def test_a_long_quote_is_cut_around_what_decides() -> None:
    draft = item("Pay", due_text="on Friday").draft
    said = quotation(evidence("word " * 200 + "pay EUR 12.00 on Friday " + "tail " * 100, NOW), draft)
    assert len(said.text) <= QUOTE_LENGTH + 2
    assert said.text.startswith("…")
    assert said.text.endswith("…")
    assert [said.text[start:end] for start, end in said.marks] == ["EUR 12.00", "on Friday"]


def test_an_item_that_asks_for_confirmation_offers_approve_and_says_what_that_does() -> None:
    view = item_view(samples.morning()[0], now=NOW, zone=ZONE)
    assert view.verbs == (Verb.APPROVE, Verb.DISMISS)
    assert view.note == APPROVAL_NOTE
    assert view.meta == "Mail · Hostwerk billing · 3 h ago"


def test_an_ordinary_item_offers_done_first() -> None:
    view = item_view(samples.morning()[1], now=NOW, zone=ZONE)
    assert view.verbs == (Verb.DONE, Verb.SNOOZE, Verb.DISMISS)
    assert view.due == "tomorrow, 12:00"
    assert view.note == ""


def test_a_description_that_only_repeats_the_evidence_is_known_as_such() -> None:
    said = "Could you please send me your comments by noon tomorrow?"
    repeats = item(
        "Send comments", description="Could you please  send me your comments by noon tomorrow?", quote=said
    )
    adds = item("Send comments", description="Before the board call.", quote=said)
    assert item_view(repeats, now=NOW, zone=ZONE).repeats_quote
    assert not item_view(adds, now=NOW, zone=ZONE).repeats_quote


def test_what_others_owe_says_since_when_and_is_no_card() -> None:
    promised = samples.morning()[-1]
    view = item_view(promised, now=NOW, zone=ZONE)
    assert (view.shape, view.tag) == ("waiting", "Waiting for others")
    assert view.detail == "since Sunday · Mail"
    assert not matters_now(promised)


def test_what_was_decided_can_be_brought_back_and_says_when() -> None:
    snoozed, done, _ = samples.set_aside()
    assert item_view(snoozed, now=NOW, zone=ZONE).detail == "until tomorrow 08:00"
    assert item_view(done, now=NOW, zone=ZONE).verbs == (Verb.UNDO,)
    assert item_view(done, now=NOW, zone=ZONE).shape == "done"


def test_critical_comes_first_then_what_waits_then_what_is_due_sooner() -> None:
    late = item("late", priority=Priority.IMPORTANT, due=local(27, 9))
    soon = item("soon", priority=Priority.IMPORTANT, due=local(25, 9))
    waits = item("waits", priority=Priority.IMPORTANT, state=State.AWAITING)
    critical = item("critical", priority=Priority.CRITICAL, ago=timedelta(days=9))
    newer, older = item("newer", ago=timedelta(hours=1)), item("older", ago=timedelta(hours=2))
    ordered = most_urgent_first([older, late, newer, soon, waits, critical])
    assert [one.draft.title for one in ordered] == ["critical", "waits", "soon", "late", "newer", "older"]
