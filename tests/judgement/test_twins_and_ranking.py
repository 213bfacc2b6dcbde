from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.actionables import Draft, Priority
from heedful.core.ids import MessageId
from heedful.judgement import BuiltinFinder, explain_item, explain_silence, merge, most_urgent, twin_of
from tests.judgement.views import OWN, message, thread

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)


def found(text: str, *, seq: int = 1, chat: bool = False) -> Draft:
    mail = message(text, seq=seq, channel="telegram" if chat else "email", thread=f"t{seq}")
    return BuiltinFinder().find(thread(mail), now=NOW, zone=ZONE, own=OWN).drafts[0]


MAIL = found("Could you send me the October sales report?")
CHAT = found("can you send me the october sales report please", seq=2, chat=True)
OTHER = found("Could you call the caterer?", seq=3)


def test_the_same_request_in_mail_and_chat_becomes_one_item_with_both_quotes() -> None:
    (one,) = merge([MAIL, CHAT])
    assert {evidence.message_id for evidence in one.evidence} == {"m1", "m2"}


def test_different_requests_of_one_person_stay_two() -> None:
    assert merge([MAIL, OTHER]) == (MAIL, OTHER)


def test_items_with_different_numbers_or_days_are_no_twins() -> None:
    one, other = replace(MAIL, title="Pay invoice 4471"), replace(CHAT, title="Pay invoice 4472")
    assert len(merge([one, other])) == 2
    today, later = replace(MAIL, due=NOW), replace(CHAT, due=NOW + timedelta(days=7))
    assert len(merge([today, later])) == 2


def test_items_of_nobody_with_the_same_words_are_twins_on_the_same_day_only() -> None:
    evidence = (replace(CHAT.evidence[0], message_id=MessageId("m9")),)
    one = replace(MAIL, title="Pay the October invoice", people=(), due=NOW)
    other = replace(one, title="Pay the invoice for October", evidence=evidence)
    assert len(merge([one, OTHER, other])) == 2
    assert twin_of(other, [OTHER, one]) is one
    assert len(merge([one, OTHER, replace(other, due=None)])) == 3


def test_an_item_meets_its_twin_by_what_another_twin_brought_in() -> None:
    joined = replace(CHAT, people=("Bruno Reis",))
    third = replace(CHAT, title="Send October sales report", evidence=(), people=("Bruno Reis",))
    assert twin_of(third, [replace(MAIL, evidence=())]) is None
    assert len(merge([MAIL, replace(joined, evidence=MAIL.evidence), third])) == 1


def test_a_reworded_item_on_the_same_sentence_is_the_twin_of_a_dismissed_one() -> None:
    reworded = replace(MAIL, title="Email Ana last month's sales figures")
    assert twin_of(reworded, [OTHER, MAIL]) is MAIL
    assert twin_of(OTHER, [MAIL, CHAT]) is None


def test_merging_twice_changes_nothing() -> None:
    once = merge([MAIL, OTHER, CHAT])
    assert merge(once) == once


def test_the_most_urgent_are_kept_and_the_rest_is_named() -> None:
    drafts = [replace(MAIL, title=f"Do thing {letter}") for letter in "abcdefghijklmnopqrstuvwxy"]
    drafts[24] = replace(drafts[24], priority=Priority.CRITICAL)
    kept, dropped = most_urgent(drafts)
    assert (len(kept), len(dropped)) == (20, 5)
    assert kept[0].priority is Priority.CRITICAL


@settings(max_examples=40)
@given(
    st.permutations(
        [MAIL, OTHER, replace(MAIL, title="Sign the lease", due=NOW), replace(OTHER, title="Call Bo")]
    )
)
def test_the_order_of_arrival_does_not_change_the_ranking(drafts: list[Draft]) -> None:
    assert most_urgent(drafts, limit=2) == most_urgent(sorted(drafts, key=lambda draft: draft.title), limit=2)


def test_an_item_and_a_silence_are_explained_in_sentences() -> None:
    said = explain_item(MAIL)
    assert said[0] == "Ana Costa asks you directly."
    assert any("October sales report" in sentence for sentence in said)
    assert explain_silence(("it was said to a group",)) == ("It was said to a group.",)
    assert explain_silence(()) == ("Nothing in it asks anything of you.",)
