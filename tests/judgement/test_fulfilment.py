from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from heedful.actionables import Draft
from heedful.judgement import BuiltinFinder, fulfilled_by
from heedful.memory.messages.stored import StoredMessage, ThreadView
from heedful.sources import Channel, Person, Traits
from tests.judgement.views import ANA, OWN, PLAIN, ROBIN, message, thread

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)
ASKED = datetime(2026, 11, 25, 10, 0, tzinfo=ZONE)
REQUEST = "Could you send me the October report?"
QUESTION = "Which notice period did you agree on?"


def answer(
    text: str, *, mine: bool = True, channel: Channel = "email", traits: Traits = PLAIN
) -> StoredMessage:
    who, to = (ROBIN, ANA) if mine else (ANA, ROBIN)
    return message(
        text,
        seq=2,
        author=who,
        to=(to,),
        from_me=mine,
        sent_at=ASKED + timedelta(hours=2),
        channel=channel,
        traits=traits,
    )


def settled(asked: str, later: StoredMessage | None, *, channel: Channel = "email") -> bool:
    first = message(asked, sent_at=ASKED, channel=channel)
    draft = _draft(thread(first))
    view = thread(first, later) if later else thread(first)
    return fulfilled_by(draft, view, own=OWN) is not None


def _draft(view: ThreadView) -> Draft:
    return BuiltinFinder().find(view, now=NOW, zone=ZONE, own=OWN).drafts[0]


def test_an_open_request_is_open() -> None:
    assert not settled(REQUEST, None)


@pytest.mark.parametrize("text", ["Here it is, all the pages.", "Done, sent this morning.", "Attached."])
def test_a_reply_that_delivers_settles_a_request(text: str) -> None:
    assert settled(REQUEST, answer(text))


@pytest.mark.parametrize(
    "text", ["Sure, will do tomorrow.", "Ok", "Let me check.", "Which format do you need?"]
)
def test_a_reply_that_puts_off_accepts_or_asks_back_settles_nothing(text: str) -> None:
    assert not settled(REQUEST, answer(text))


def test_an_answer_settles_a_question_and_an_attachment_a_request() -> None:
    assert settled(QUESTION, answer("Six weeks, with a right to end it earlier."))
    assert settled(REQUEST, answer("as asked", traits=Traits(attachments=("report.pdf",))))


def test_in_a_chat_idle_words_settle_no_request() -> None:
    assert not settled(REQUEST, answer("what a match yesterday", channel="telegram"), channel="telegram")


def test_the_asker_can_withdraw() -> None:
    assert settled(REQUEST, answer("Never mind, found it.", mine=False))
    assert not settled(REQUEST, answer("It is a bit urgent.", mine=False))


def test_a_confirmed_payment_is_done() -> None:
    biller = Person("Hosting", "billing@host.example")
    bill = message("Your invoice 4471 over 84.20 EUR is overdue.", author=biller, sent_at=ASKED)
    paid = message(
        "We have received your payment for invoice 4471.",
        seq=2,
        author=biller,
        sent_at=ASKED + timedelta(hours=3),
    )
    assert fulfilled_by(_draft(thread(bill)), thread(bill, paid), own=OWN) is not None


def test_a_done_item_carries_the_words_that_show_it() -> None:
    view = thread(message(REQUEST, sent_at=ASKED), answer("Here it is, all the pages."))
    judged = BuiltinFinder().find(view, now=NOW, zone=ZONE, own=OWN)
    done_by = judged.drafts[0].done_by
    assert done_by is not None
    assert done_by.quote == "Here it is, all the pages."
    assert judged.verdicts[0].verdict == "done"
