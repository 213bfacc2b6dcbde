"""Which addresses are the person's own."""

from dataclasses import replace

from heedful.sources import Incoming, Traits
from heedful.sources.addresses import likely_own, tally
from tests.sources.letters import letter, read


def mail(number: int, *, sender: str = "ana@prado.example", to: str = "bo@lind.example") -> Incoming:
    raw = letter(number=number).replace("bo@lind.example", to)
    return read(raw.replace("Ana Prado <ana@prado.example>", f"X <{sender}>"))


def test_the_address_that_mail_is_written_to_is_the_persons() -> None:
    inbox = [mail(n) for n in range(9)] + [mail(10, to="caio@reis.example")]

    (best, *others) = likely_own(tally(inbox))

    assert best.address == "bo@lind.example"
    assert "9 of 10 received messages were addressed to it" in best.why
    assert others == []


def test_whoever_wrote_the_sent_mail_is_surest() -> None:
    sent = [
        replace(
            mail(n, sender="bo.lind@work.example", to="ana@prado.example"), traits=Traits(sent_folder=True)
        )
        for n in range(3)
    ]

    found = likely_own(tally([*sent, *(mail(n) for n in range(10, 14))]))

    assert [candidate.address for candidate in found] == ["bo.lind@work.example", "bo@lind.example"]


def test_a_mailing_list_is_nobodys_own_address() -> None:
    delivered = Traits(delivered_to="bo@lind.example")
    posts = [replace(mail(n, to="rowers@lists.example"), traits=delivered) for n in range(10)]

    assert [candidate.address for candidate in likely_own(tally(posts))] == ["bo@lind.example"]


def test_nothing_is_guessed_from_nothing() -> None:
    assert likely_own(tally([])) == ()
