import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.actionables import Draft, ItemSource, Priority
from heedful.judgement import Refusal, check_item
from heedful.sources import Traits
from tests.judgement.views import OWN, ROBIN, message, thread

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)
TEXT = "Hi Robin,\n\nplease send me the  October report,\nall 14 pages of it, by 2026-11-27.\n\nAna"
MAIL = message(TEXT, subject="Report")
GOOD: Mapping[str, object] = {
    "title": "Send Ana the October report",
    "description": "Ana wants all 14 pages by 27 November.",
    "source": "email",
    "priority": "important",
    "actionable": True,
    "requires_confirmation": False,
    "has_complex_action": False,
    "source_label": "Whatever",
    "evidence": [{"chunk": "c1", "quote": "please send me the October report, all 14 pages of it"}],
}


def check(
    changes: Mapping[str, object] | None = None, *, mail: object = None, raw: object = None
) -> Draft | Refusal:
    view = thread(MAIL if mail is None else mail)  # type: ignore[arg-type] # only messages are passed here
    value = {**GOOD, **(changes or {})} if raw is None else raw
    labels = {"c1": view.messages[0].chunks[0].id}
    return check_item(
        value, view, now=NOW, zone=ZONE, own=OWN, found_by="local/small", prompt="p@1", labels=labels
    )


def refused(changes: Mapping[str, object] | None = None, *, mail: object = None) -> str:
    answer = check(changes, mail=mail)
    assert isinstance(answer, Refusal)
    return answer.reason


def test_a_good_item_becomes_a_draft_whose_facts_come_from_the_message() -> None:
    draft = check()
    assert isinstance(draft, Draft)
    assert draft.evidence[0].quote == "please send me the  October report,\nall 14 pages of it"
    assert TEXT[draft.evidence[0].start : draft.evidence[0].end] == draft.evidence[0].quote
    assert draft.source is ItemSource.EMAIL
    assert draft.source_label == "Work mail"
    assert draft.people == ("Ana Costa",)
    assert (draft.found_by, draft.prompt) == ("local/small", "p@1")


@pytest.mark.parametrize(
    "changes",
    [
        {"priority": "urgent"},
        {"source": "fax"},
        {"title": "x" * 81},
        {"title": ""},
        {"title": 7},
        {"actionable": "yes"},
        {"description": ["a"]},
    ],
)
def test_an_item_outside_the_schema_is_refused(changes: Mapping[str, object]) -> None:
    assert refused(changes)


def test_an_item_without_evidence_is_refused() -> None:
    assert "no evidence" in refused({"evidence": []})
    assert "no evidence" in refused({"evidence": None})


def test_a_quote_that_is_not_in_the_chunk_is_refused() -> None:
    assert "does not stand" in refused(
        {"evidence": [{"chunk": "c1", "quote": "please send me the September report"}]}
    )
    assert "does not stand" in refused({"evidence": [{"chunk": "c9", "quote": "October report"}]})


def test_an_invented_number_is_refused() -> None:
    assert "4711" in refused({"title": "Send Ana report 4711"})
    assert "0301234" in refused({"description": "Call 0301234."})


def test_a_quote_from_quoted_text_is_refused() -> None:
    mail = message(
        "Fine.\n\nOn Tue, 24 Nov 2026 at 09:00, Bo <bo@x.example> wrote:\n> please send me the report\n"
    )
    reason = refused(
        {"description": "", "evidence": [{"chunk": "c1", "quote": "please send me the report"}]}, mail=mail
    )
    assert "author" in reason


def test_a_quote_from_a_newsletter_or_from_the_person_is_refused() -> None:
    evidence = {"description": "", "evidence": [{"chunk": "c1", "quote": "October report"}]}
    assert "newsletter" in refused(evidence, mail=message(TEXT, traits=Traits(bulk=True)))
    assert "themselves" in refused(evidence, mail=message(TEXT, author=ROBIN, from_me=True))


def test_a_model_cannot_make_an_item_critical_that_is_not_due_today() -> None:
    draft = check({"priority": "critical"})
    assert isinstance(draft, Draft)
    assert draft.priority is Priority.IMPORTANT
    assert any("critical" in reason for reason in draft.reasons)


def test_money_asks_for_confirmation_whatever_the_model_says() -> None:
    mail = message("Please transfer 640 euros by 2026-11-30.")
    changes = {
        "title": "Transfer 640 euros",
        "description": "",
        "evidence": [{"chunk": "c1", "quote": "transfer 640 euros"}],
    }
    draft = check(changes, mail=mail)
    assert isinstance(draft, Draft)
    assert draft.requires_confirmation


def test_what_was_due_days_ago_is_refused() -> None:
    mail = message("Please send the list by 2026-11-10.", sent_at=NOW - timedelta(days=20))
    changes = {
        "title": "Send the list",
        "description": "",
        "evidence": [{"chunk": "c1", "quote": "send the list by 2026-11-10"}],
    }
    assert "passed" in refused(changes, mail=mail)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*GOOD, "x"]) | st.text(max_size=5), inner, max_size=6)
    ),
    max_leaves=12,
)


@settings(max_examples=80, deadline=None)
@given(JSON)
def test_no_value_makes_the_check_raise(raw: object) -> None:
    assert isinstance(check(raw=raw if raw is not None else []), Draft | Refusal)
    if isinstance(raw, dict):
        assert isinstance(check(raw), Draft | Refusal)
        json.dumps(raw)


def test_a_chunks_own_id_is_understood_as_its_label() -> None:
    evidence = [{"chunk": str(MAIL.chunks[0].id), "quote": "October report"}]
    assert isinstance(check({"evidence": evidence}), Draft)
