"""Which addresses are the person's own."""

from dataclasses import replace

import pytest

from heedful.sources import Incoming, Traits
from heedful.sources.addresses import likely_own, names_list, tally
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


@pytest.mark.parametrize(
    "address",
    ["w3c-wai-ig@w3.example", "rowers-l@boats.example", "web-dev@ciclone.example", "list@boats.example",
     "walkers@lists.boats.example", "walkers@googlegroups.com"],
)  # fmt: skip
def test_what_is_called_a_list_is_never_offered_though_all_mail_goes_there(address: str) -> None:
    archive = [mail(n, to=address) for n in range(40)]
    assert likely_own(tally(archive)) == ()


@pytest.mark.parametrize("address", ["dev@prado.example", "ana-lena@prado.example", "members@prado.example"])
def test_what_a_person_may_be_called_is_no_list(address: str) -> None:
    assert [one.address for one in likely_own(tally([mail(n, to=address) for n in range(9)]))] == [address]


def test_what_the_persons_own_mail_is_written_from_is_theirs_whatever_its_name() -> None:
    sent = [
        replace(mail(n, sender="rowers-l@boats.example"), traits=Traits(sent_folder=True)) for n in range(9)
    ]
    assert [one.address for one in likely_own(tally(sent))] == ["rowers-l@boats.example"]


def test_a_list_is_known_by_what_the_head_says_of_it() -> None:
    assert names_list("friends.boats.example", "friends@boats.example")
    assert names_list("Friends@boats.example", "friends@boats.example")
    assert names_list("friends.lists.host.example", "friends@boats.example")
    assert not names_list("weekly.shop.example", "bo@lind.example")
