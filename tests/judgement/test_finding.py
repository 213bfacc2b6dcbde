from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.actionables import ItemSource, Priority
from heedful.judgement import BuiltinFinder, Judged
from heedful.memory.messages.stored import StoredMessage
from heedful.reading import numbers_in
from heedful.sources import Occurrence, Person, Traits
from tests.fakes.zones import BrokenZone
from tests.judgement.views import ANA, MARTA, OWN, ROBIN, message, thread

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)
ASKS = "Could you please send me the October sales report?"


def judge(*messages: StoredMessage, now: datetime = NOW) -> Judged:
    return BuiltinFinder().find(thread(*messages), now=now, zone=ZONE, own=OWN)


def test_a_request_gives_an_item_with_the_sentence_it_came_from() -> None:
    (draft,) = judge(message(f"Hi Robin,\n\n{ASKS}\n\nAna")).drafts
    assert draft.title == "Send the October sales report to Ana Costa"
    assert draft.evidence[0].quote == ASKS
    assert draft.source is ItemSource.EMAIL
    assert draft.people == ("Ana Costa",)
    assert "Ana Costa asks you directly" in draft.reasons


def test_a_message_that_meets_a_bug_stays_silent_and_says_so_while_the_others_are_judged(
    expected_logs: list[str],
) -> None:
    broken = NOW.date() - timedelta(days=3)
    meets_it = message(
        "Can you send me the plan by tomorrow?", sent_at=datetime.combine(broken, NOW.time(), UTC), seq=1
    )
    judged = BuiltinFinder().find(
        thread(meets_it, message(ASKS, seq=2)), now=NOW, zone=BrokenZone(broken), own=OWN
    )
    assert [(verdict.message_id, verdict.verdict) for verdict in judged.verdicts] == [
        ("m1", "silent"), ("m2", "item"),
    ]  # fmt: skip
    assert "a fault of its own" in judged.verdicts[0].reasons[0]
    assert len(judged.drafts) == 1
    assert len(expected_logs) == 1


def test_only_new_messages_are_judged() -> None:
    judged = judge(message(ASKS, is_new=False), message("Thanks in any case.", seq=2))
    assert judged.drafts == ()
    assert [verdict.message_id for verdict in judged.verdicts] == ["m2"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"traits": Traits(bulk=True)}, "newsletter"),
        ({"traits": Traits(list_id="dev.acme.example")}, "mailing list"),
        ({"to": (MARTA,), "cc": (ROBIN,)}, "copy"),
        ({"from_me": True}, "You wrote it"),
        ({"sent_at": NOW - timedelta(days=45)}, "Too old"),
    ],
)
def test_a_message_that_asks_nobody_or_somebody_else_stays_silent_and_says_why(
    changes: dict[str, object], reason: str
) -> None:
    judged = judge(message(ASKS, **changes))  # type: ignore[arg-type] # the table names fields of `message`
    assert judged.drafts == ()
    assert judged.verdicts[0].verdict == "silent"
    assert reason in judged.verdicts[0].reasons[0]


def test_a_mailing_list_that_names_the_person_is_heard() -> None:
    text = "Robin, could you post the trace of the crash here?"
    assert judge(message(text, traits=Traits(list_id="dev.acme.example"))).drafts


def test_a_sentence_for_somebody_else_gives_nothing() -> None:
    text = "Marta, could you book the room?\n\nThe agenda is unchanged."
    assert judge(message(text, to=(ROBIN, MARTA))).drafts == ()


def test_in_a_group_chat_only_what_names_the_person_or_everybody_is_theirs() -> None:
    nils, vera = Person("Nils"), Person("Vera")
    hello = message("nice ride today", author=nils, channel="telegram", is_new=False)

    def asks(text: str) -> bool:
        return bool(judge(hello, message(text, seq=2, author=vera, channel="telegram")).drafts)

    assert not asks("who can bring the tubes?")
    assert asks("Robin, can you bring the tubes?")
    assert asks("can everyone please bring a light?")


def test_quoted_and_forwarded_words_are_no_evidence() -> None:
    text = f"Looks good to me.\n\nOn Tue, 24 Nov 2026 at 09:00, Robin Hale <robin.hale@acme.example> wrote:\n> {ASKS}\n"
    assert judge(message(text)).drafts == ()


def test_a_file_written_out_in_letters_is_no_evidence() -> None:
    block = "begin 644 plan.bin\nM1TE&.#EA 0 ! /   /___P   \"'Y! 0     +      $  0   @)$ 0 [  !D\nend\n"
    assert judge(message(f"Here is the plan.\n\n{block}")).drafts == ()
    assert len(judge(message(f"{ASKS}\n\n{block}")).drafts) == 1


def test_what_is_due_today_is_critical_and_what_is_due_within_two_days_is_important() -> None:
    today = judge(message("Please send me the list by 2026-11-26.")).drafts[0]
    soon = judge(message("Please send me the list by 2026-11-27.")).drafts[0]
    later = judge(message("Please send me the list by 2026-12-20.")).drafts[0]
    assert (today.priority, soon.priority, later.priority) == (
        Priority.CRITICAL,
        Priority.IMPORTANT,
        Priority.NORMAL,
    )


def test_what_was_due_long_ago_is_not_shown() -> None:
    judged = judge(message("Please send me the list by 2026-11-10.", sent_at=NOW - timedelta(days=20)))
    assert judged.drafts == ()
    assert "passed" in judged.verdicts[0].reasons[0]


def test_a_payment_names_its_invoice_and_amount_and_asks_for_confirmation() -> None:
    text = "Your invoice HW-20931 over € 84.20 is due. Please pay it before 2026-12-04."
    (draft,) = judge(
        message(text, author=Person("Hosting", "billing@host.example"), traits=Traits(automatic=True))
    ).drafts
    assert draft.title == "Pay invoice HW-20931 (€ 84.20)"
    assert draft.requires_confirmation


def test_a_suspicious_sign_in_is_a_critical_security_item() -> None:
    text = "We noticed a suspicious sign-in to your account from Minsk. If this was not you, secure your account."
    (draft,) = judge(message(text, subject="Suspicious sign-in", traits=Traits(automatic=True))).drafts
    assert draft.source is ItemSource.SECURITY
    assert draft.priority is Priority.CRITICAL


def test_a_promise_of_somebody_else_is_waited_for() -> None:
    (draft,) = judge(message("I'll send you the contract tomorrow.")).drafts
    assert draft.direction == "theirs"
    assert draft.title.startswith("Waiting for Ana Costa: send you the contract")


def test_a_promise_of_the_person_is_theirs_to_keep() -> None:
    (draft,) = judge(
        message("I'll send you the vendor comparison tomorrow.", author=ROBIN, to=(ANA,), from_me=True)
    ).drafts
    assert draft.direction == "mine"
    assert draft.title == "Send the vendor comparison to Ana Costa"


def event(*occurrences: Occurrence, text: str = "Budget review\n2026-11-27 10:00") -> StoredMessage:
    return message(
        text,
        kind="event",
        channel="calendar",
        subject="Budget review",
        author=Person(""),
        occurrences=occurrences,
    )


def occurrence(hours: float, *, moved: bool = False, cancelled: bool = False, key: str = "") -> Occurrence:
    start = NOW + timedelta(hours=hours)
    before = start - timedelta(hours=4) if moved else None
    return Occurrence(
        key, start, start + timedelta(hours=1), False, "cancelled" if cancelled else "confirmed", before
    )


def test_a_single_event_within_a_day_is_an_item_that_expires_with_it() -> None:
    (draft,) = judge(event(occurrence(20))).drafts
    assert draft.source is ItemSource.CALENDAR
    assert draft.expires_at == NOW + timedelta(hours=21)
    assert draft.evidence[0].quote == "Budget review"


@pytest.mark.parametrize(
    ("first", "end", "due", "told"),
    [
        ("2026-11-27", "2026-11-28", "2026-11-27T23:59", "tomorrow"),
        ("2026-11-27", "2026-12-01", "2026-11-27T23:59", "tomorrow"),
        ("2026-11-24", "2026-12-01", "2026-11-26T23:59", "today"),
        ("2026-11-24", "2026-11-27", "2026-11-26T23:59", "today"),
    ],
)
@pytest.mark.parametrize("calendar", [ZONE, ZoneInfo("Asia/Tokyo"), ZoneInfo("America/New_York")])
def test_an_event_of_whole_days_is_due_on_its_first_day_or_today_once_it_has_begun(
    first: str, end: str, due: str, told: str, calendar: ZoneInfo
) -> None:
    midnights = [datetime.fromisoformat(day).replace(tzinfo=calendar).astimezone(UTC) for day in (first, end)]
    fair = Occurrence("", midnights[0], midnights[1], all_day=True, status="confirmed")
    (draft,) = judge(event(fair, text="Book fair")).drafts
    assert draft.due == datetime.fromisoformat(due).replace(tzinfo=ZONE)
    assert f"due {told}" in draft.reasons
    assert draft.expires_at == midnights[1]


def test_regular_occurrences_of_a_series_give_nothing() -> None:
    judged = judge(event(occurrence(20, key="a"), occurrence(20 + 168, key="b")))
    assert judged.drafts == ()
    assert "regular" in judged.verdicts[0].reasons[0]


@pytest.mark.parametrize(
    ("changes", "word"), [({"moved": True}, "new time"), ({"cancelled": True}, "Cancelled")]
)
def test_a_moved_or_cancelled_occurrence_of_the_coming_fortnight_is_told(
    changes: dict[str, bool], word: str
) -> None:
    judged = judge(event(occurrence(20, key="a"), occurrence(200, key="b", **changes)))
    assert word in judged.drafts[0].title
    assert judge(event(occurrence(24 * 20, key="b", **changes))).drafts == ()


def test_a_change_is_quoted_from_the_line_that_tells_it() -> None:
    moved = occurrence(20, key="a", moved=True)
    text = f"Team sync\nFrom Monday, every week.\n\nMoved: Friday {moved.starts_at:%H:%M} instead of 01:10."
    (draft,) = judge(event(moved, text=text)).drafts
    assert draft.evidence[0].quote == f"Moved: Friday {moved.starts_at:%H:%M} instead of 01:10."


def test_a_series_with_one_occurrence_ahead_is_still_regular() -> None:
    assert (
        judge(event(occurrence(20), text="Team sync\nFrom Monday, 23 November 2026, every week.")).drafts
        == ()
    )


def test_an_open_to_do_of_the_calendar_is_an_item_and_a_done_one_is_not() -> None:
    (draft,) = judge(event(occurrence(50), text="To do: Renew the pass\nDue Saturday.")).drafts
    assert draft.title == "Budget review"
    assert draft.due == NOW + timedelta(hours=50)
    assert judge(event(occurrence(50), text="To do: Renew the pass\nDue Saturday.\nDone.")).drafts == ()


def test_an_invitation_by_mail_waits_for_an_answer_until_it_begins() -> None:
    invited = Traits(invitation="REQUEST")
    text = "Planning\n2026-12-01, 10:00–11:00.\nWith: Marta Silva (organiser)"
    (draft,) = judge(message(text, author=MARTA, subject="Invitation: Planning", traits=invited)).drafts
    assert draft.title == "Answer the invitation: Planning"
    assert draft.expires_at == draft.due
    assert judge(message(text.replace("2026-12", "2026-10"), author=MARTA, traits=invited)).drafts == ()


@pytest.mark.parametrize(
    ("text", "lang", "has_many"),
    [
        ("Could you sign and send me the contract by Friday?", "en", False),
        ("Could you print, sign and send me the contract by Friday?", "en", True),
        ("Podes assinar e enviar-me o contrato até sexta?", "pt", False),
        ("Podes verificar, assinar e enviar-me o contrato até sexta?", "pt", True),
        ("¿Puedes firmar y enviarme el contrato antes del viernes?", "es", False),
        ("¿Puedes revisar, firmar y enviarme el contrato antes del viernes?", "es", True),
        ("¿Me mandas el contrato antes del viernes?", "es", False),
        ("Schickst du mir den Vertrag bis Freitag?", "de", False),
    ],
)
def test_a_request_is_called_complex_when_it_names_more_than_two_things_to_do(
    text: str, lang: str, has_many: bool
) -> None:
    (draft,) = judge(message(text, lang=lang)).drafts
    assert draft.has_complex_action is has_many


def test_titles_never_hold_a_number_that_the_message_does_not() -> None:
    text = "Please pay invoice 2026-118 over 640 euros and call 030 5550 before 2026-12-04."
    drafts = judge(message(text)).drafts
    assert drafts
    for draft in drafts:
        assert numbers_in(draft.title) <= numbers_in(text)


VOCABULARY = """
please could you send me the report by tomorrow ? . , Robin Ana pay invoice 4471 € 12,50 I'll can we meet >
você pode enviar até amanhã se for why who what sign it now
"""
WORDS = st.sampled_from([*VOCABULARY.split(), "\n"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(WORDS | st.text(max_size=6), max_size=40),
    st.integers(5, 200),
    st.sampled_from(["en", "pt", "de"]),
)
def test_no_text_makes_the_finder_raise_and_every_quote_stands_in_its_chunk(
    words: list[str], chunk_chars: int, lang: str
) -> None:
    text = " ".join(words)
    one = message(text, subject=text[:40], chunk_chars=chunk_chars, lang=lang)
    judged = judge(one)
    assert judged == judge(one)
    chunks = {chunk.id: chunk for chunk in one.chunks}
    for draft in judged.drafts:
        assert len(draft.title) <= 80
        for evidence in draft.evidence:
            chunk = chunks[evidence.chunk_id]
            assert text[evidence.start : evidence.end] == evidence.quote
            assert chunk.start <= evidence.start < evidence.end <= chunk.end
