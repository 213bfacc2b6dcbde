"""One person is one, whatever they write from; evidence proposes, the person decides, and nothing is destroyed."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.errors import RejectedError
from heedful.memory.entities import canonical
from heedful.memory.entities.canonical import Identities, Suggestion
from heedful.memory.entities.canonical_clusters import Tie, join
from heedful.memory.entities.canonical_evidence import MERGE_AT, SUGGEST_AT, Identity, weigh
from heedful.memory.entities.canonical_names import login_fit, mailbox, name_words
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.registry import Entity
from heedful.memory.forget.forgetting import forget
from heedful.memory.forget.targets import find
from heedful.memory.messages import own_addresses_store
from heedful.sources import Person
from heedful.storage import Connection, Row, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import stored
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, do, rows, take
from tests.memory.reading_along import found, mail, tell, top


def one(address: str = "", *names: str, **more: object) -> Identity:
    return Identity(id=address or names[0], address=address, names=frozenset(names), **more)  # type: ignore[arg-type] # by name


def score(first: Identity, second: Identity) -> float:
    assert weigh(first, second) == weigh(second, first)
    return weigh(first, second).score


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (one("a.lopes+lists@gmail.com"), one("alopes@googlemail.com")),
        (one("ana@ciclone.example", "Ana Lopes"), one("ana@mar.example", "Ana Lopes")),
        (one("ana@ciclone.example", "Ana Lopes"), one("al@mar.example", "Lopes, Ana")),
        (one("x@ciclone.example", "Ana M. Lopes"), one("y@mar.example", "Ana Lopes")),
        (one("x@ciclone.example", "José Núñez"), one("y@mar.example", "Jose Nunez")),
        (one("x@ciclone.example", "Jürgen Groß"), one("y@mar.example", "Juergen Gross")),
        (one("x@ciclone.example", "Dr. Ana Lopes"), one("y@mar.example", 'Ana "Nita" Lopes')),
        (one("x@ciclone.example", "Hannelore Brandt"), one("hannelore.brandt@mar.example")),
        (one("x@ciclone.example", "Hannelore Brandt"), one("hbrandt@mar.example")),
        (one("zaphodt@ciclone.example", "Ixchel Tamm"), one("zaphodt@mar.example")),
        (one("tamm@mail.ciclone.example"), one("tamm@ciclone.example")),
        (
            one("x@ciclone.example", "Ixchel Tamm", phones=frozenset(["+49301"])),
            one("i@m.example", "I. Tamm", phones=frozenset(["+49301"])),
        ),
        (one("x@ciclone.example", signed_addresses=frozenset(["y@mar.example"])), one("y@mar.example")),
        (one("x@ciclone.example", is_own=True), one("y@mar.example", is_own=True)),
        (
            one("x@c.example", "Ixchel Tamm"),
            one("y@m.example", "Ixchel", answers_for=frozenset(["x@c.example"])),
        ),
    ],
)
def test_what_speaks_for_one_person_merges(first: Identity, second: Identity) -> None:
    assert score(first, second) >= MERGE_AT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (one("ana@ciclone.example", "Ana Lopes"), one("ana@mar.example", "Ana Prado")),
        (one("info@ciclone.example"), one("info@mar.example")),
        (one("ana@ciclone.example"), one("ana@mar.example")),
        (one("x@ciclone.example", "Anna Weber"), one("y@mar.example", "Hanna Weber")),
        (one("x@ciclone.example", "Anna Weber"), one("y@mar.example", "Anna Huber")),
        (one("j.silva@firma.example", "João Silva"), one("j.silva2@firma.example", "João Silva")),
        (one("x@ciclone.example", "Support Team"), one("y@mar.example", "Support Team")),
        (one("", "Ana"), one("", "Ana Lopes")),
        (
            one("x@c.example", "Ana Lopes", phones=frozenset(["1"])),
            one("y@c.example", "Rui Prado", phones=frozenset(["1"])),
        ),
    ],
)
def test_what_may_be_two_people_does_not_merge_by_itself(first: Identity, second: Identity) -> None:
    assert score(first, second) < MERGE_AT


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (
            one("kestrel@ciclone.example"),
            one("kestrel@ciclone.com.example"),
            "the same name at two domains of one owner",
        ),
        (
            one("", "Ana", handles=frozenset(["slack:U5"])),
            one("x@mar.example", handles=frozenset(["slack:U5"])),
            "the same handle",
        ),
        (
            one("x@ciclone.example", signed_addresses=frozenset(["y@mar.example"])),
            one("y@mar.example"),
            "one signs with the other's address",
        ),
        (
            one("x@c.example", "Ixchel Tamm"),
            one("y@m.example", answers_for=frozenset(["x@c.example"])),
            "one answers what was sent to the other alone",
        ),
    ],
)
def test_each_piece_of_evidence_is_enough_by_itself(first: Identity, second: Identity, reason: str) -> None:
    assert score(first, second) >= MERGE_AT
    assert weigh(first, second).reasons == (reason,)
    named = replace(first, names=frozenset(["Ana Lopes"])), replace(second, names=frozenset(["Rui Prado"]))
    assert score(*named) < MERGE_AT


def test_a_slip_in_a_name_is_worth_a_question_and_another_name_none() -> None:
    katharina = one("x@ciclone.example", "Katharina Neumann")
    asked = weigh(katharina, one("y@mar.example", "Katarina Neumann"))
    assert SUGGEST_AT <= asked.score < MERGE_AT
    assert asked.reasons == ("almost the same name",)
    assert score(one("x@ciclone.example", "Anna Weber"), one("y@mar.example", "Hanna Weber")) < SUGGEST_AT


def test_what_is_likely_but_unsure_is_worth_a_question_with_its_reason() -> None:
    opinion = weigh(one("x@ciclone.example", "A. Lopes"), one("y@mar.example", "Ana Lopes"))
    assert SUGGEST_AT <= opinion.score < MERGE_AT
    assert opinion.reasons == ("almost the same name",)


@pytest.mark.parametrize(
    ("login", "name", "least", "most"),
    [
        ("ana.lopes", "Ana Lopes", 0.95, 1),
        ("lopesana", "Ana Lopes", 0.95, 1),
        ("alopes", "Ana Lopes", 0.9, 0.95),
        ("amlopes", "Ana Lopes", 0.9, 0.95),
        ("lopes", "Ana Lopes", 0.6, 0.89),
        ("ana", "Ana Lopes", 0.3, 0.6),
        ("juergen.gross", "Jürgen Groß", 0.95, 1),
        ("rui", "Ana Lopes", 0, 0),
    ],
)
def test_a_login_fits_the_name_it_was_made_of(login: str, name: str, least: float, most: float) -> None:
    assert least <= login_fit(login, name_words(name)) <= most


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=20), st.text(max_size=20))
def test_any_two_identities_can_be_weighed_either_way(a: str, b: str, x: str, y: str) -> None:
    first, second = one(f"{x}@{y}.example".casefold(), a), one("", b or "B")
    assert 0 <= score(first, second) <= 1
    assert mailbox(first.address).key


TIES = [
    Tie("a", "b", 0.95, "merged", by_person=False),
    Tie("b", "c", 0.92, "merged", by_person=False),
    Tie("c", "d", 0.99, "merged", by_person=False),
    Tie("a", "d", 1.0, "refused", by_person=True),
]


def test_groups_depend_on_the_opinions_and_not_on_their_order() -> None:
    results = {
        frozenset(join("abcd", order, may_join=lambda _a, _b: True).values()) for order in permutations(TIES)
    }
    assert results == {frozenset([frozenset("ab"), frozenset("cd")])}


async def test_one_person_across_addresses_names_and_sources(store: Store) -> None:
    await tell(store, A, mail(1, author=Person("Ana Lopes", "ana@ciclone.example")))
    await tell(store, A, mail(2, author=Person("LOPES, Ana", "alopes@mar.example")))
    await tell(store, B, mail(3, author=Person("Ana Lopes"), channel="chat", to=()))
    await tell(store, B, mail(4, author=Person("Ana Lopes", "user77"), channel="telegram", to=()))
    ana = await found(store, "Ana Lopes")
    assert len(ana.identities) == 4
    assert ana.chunks == 4
    assert {alias.text for alias in ana.aliases if alias.kind == "address"} == {
        "ana@ciclone.example",
        "alopes@mar.example",
    }


async def test_a_bare_address_joins_the_name_it_is_made_of(store: Store) -> None:
    await tell(store, A, mail(1, author=Person("", "hannelore.brandt@mar.example")))
    await tell(store, A, mail(2, author=Person("Hannelore Brandt", "hb@ciclone.example")))
    assert len((await found(store, "Hannelore Brandt")).identities) == 2


async def test_an_address_that_fits_two_names_joins_neither(store: Store) -> None:
    await tell(store, A, mail(1, author=Person("Hannelore Brandt", "x1@ciclone.example")))
    await tell(store, A, mail(2, author=Person("Heinrich Brandt", "x2@ciclone.example")))
    await tell(store, A, mail(3, author=Person("", "hbrandt@mar.example")))
    assert len((await found(store, "Hannelore Brandt")).identities) == 1
    assert len((await found(store, "Heinrich Brandt")).identities) == 1


async def test_what_comes_together_is_weighed_as_what_comes_one_by_one(store: Store) -> None:
    await tell(
        store,
        A,
        mail(1, author=Person("", "hbrandt@mar.example"), to=()),
        mail(2, author=Person("Hannelore Brandt", "x1@ciclone.example"), to=()),
        mail(3, author=Person("Heinrich Brandt", "x2@ciclone.example"), to=()),
        mail(4, author=Person("Ixchel"), channel="chat", to=()),
        mail(5, author=Person("Ixchel Tamm", "it@ciclone.example"), to=()),
    )
    people = await top(store, EntityKind.PERSON)
    assert [len(person.identities) for person in people] == [1] * 5
    asked = await store.read(canonical.suggestions)
    assert sorted(question.score for question in asked) == [0.6, 0.7, 0.7]


async def test_a_reply_from_another_address_tells_who_answers(store: Store) -> None:
    await tell(store, A, mail(1, author=RUI, to=(Person("Ixchel Tamm", "i.t@ciclone.example"),)))
    answer = mail(2, author=Person("Ixchel", "boat@mar.example"), to=(RUI,), reply_to="x1")
    await tell(store, A, answer)
    assert len((await found(store, "Ixchel Tamm")).identities) == 2


async def test_a_signature_with_the_other_address_joins_both(store: Store) -> None:
    text = "See you.\n\n-- \nIxchel Tamm\nboat@mar.example\n+49 30 1234 567\n"
    await tell(store, A, mail(1, text, author=Person("Ixchel Tamm", "i.t@ciclone.example")))
    await tell(store, A, mail(2, author=Person("", "boat@mar.example")))
    tamm = await found(store, "Ixchel Tamm")
    assert {"i.t@ciclone.example", "boat@mar.example"} <= {
        a.text for a in tamm.aliases if a.kind == "address"
    }
    assert "+49301234567" in {alias.text for alias in tamm.aliases if alias.kind == "phone"}


async def test_an_address_that_a_mail_goes_to_is_not_its_authors_by_standing_at_its_end(store: Store) -> None:
    end = "See you.\n\n-- \nGarden list\ngarden@list.example\n"
    garden = Person("Garden", "garden@list.example")
    await tell(store, A, mail(1, end, author=Person("Ixchel", "i.t@ciclone.example"), to=(garden,)))
    await tell(store, A, mail(2, end, author=Person("Jon", "jon@mar.example"), to=(RUI,), cc=(garden,)))
    await tell(store, A, mail(3, author=garden))
    assert len((await found(store, "garden@list.example")).identities) == 1


async def test_a_person_who_also_writes_as_a_list_is_counted_among_people_alone(store: Store) -> None:
    await tell(store, A, mail(1, author=Person("Thessaly Quorn", "tq@redpie.example")))
    await tell(store, A, mail(2, author=Person("Thessaly Quorn", "lists@redpie.example")))
    quorn = await found(store, "Thessaly Quorn")
    assert (quorn.kind, len(quorn.identities)) == (EntityKind.PERSON, 2)
    assert quorn.id in {one.id for one in await top(store, EntityKind.PERSON)}
    assert {one.kind for one in await top(store, EntityKind.ORGANISATION)} <= {EntityKind.ORGANISATION}
    assert quorn.id in {one.id for one in await top(store)}


async def test_the_persons_own_addresses_are_one_person(store: Store) -> None:
    for address in ("me@ciclone.example", "zz@mar.example"):
        await do(store, partial(own_addresses_store.state_address, address=address, origin="stated"))
    await tell(
        store,
        A,
        mail(1, author=Person("", "me@ciclone.example")),
        mail(2, author=Person("", "zz@mar.example")),
    )
    assert len((await found(store, "me@ciclone.example")).identities) == 2


def asked_of(people: list[Entity], pair: Suggestion) -> str:
    """Which address both questions are about."""
    by_id = {person.id: {a.text for a in person.aliases if a.kind == "address"} for person in people}
    return ({*by_id[pair.first_id], *by_id[pair.second_id]} & {"third@mar.example"}).pop()


async def two(store: Store) -> tuple[str, str]:
    """Ids of two whom evidence leaves apart, though it makes one wonder."""
    await tell(store, A, mail(1, author=Person("Ana Lopes", "ana@ciclone.example"), to=()))
    await tell(store, A, mail(2, author=Person("A. Lopes", "boat@mar.example"), to=()))
    return (await found(store, "ana@ciclone.example")).id, (await found(store, "boat@mar.example")).id


async def test_an_unsure_pair_is_asked_about_with_its_reasons(store: Store) -> None:
    ids = await two(store)
    (asked,) = await store.read(canonical.suggestions)
    assert {asked.first_id, asked.second_id} == set(ids)
    assert "almost the same name" in asked.reasons


async def test_the_persons_yes_makes_them_one_and_ends_the_question(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    await Identities(store, clock).merge(first, second)
    assert len((await found(store, "Ana Lopes")).identities) == 2
    assert await store.read(canonical.suggestions) == []


async def test_the_persons_no_is_final(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    await Identities(store, clock).refuse(first, second)
    assert await store.read(canonical.suggestions) == []
    # The same full name from now on: evidence enough, were it not for the person's word.
    await tell(store, A, mail(3, author=Person("Ana Lopes", "boat@mar.example"), to=()))
    assert len((await found(store, "boat@mar.example")).identities) == 1


async def test_a_merge_can_be_taken_back_and_leaves_all_as_it_was(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    mentions = await rows(store, "SELECT * FROM mentions")
    await Identities(store, clock).merge(first, second)
    await Identities(store, clock).part(second)
    assert (await found(store, "ana@ciclone.example")).identities == (first,)
    assert (await found(store, "boat@mar.example")).identities == (second,)
    assert await rows(store, "SELECT * FROM mentions") == mentions


async def test_one_taken_out_of_a_person_stays_out_whatever_comes(store: Store, clock: FakeClock) -> None:
    await tell(
        store, A, mail(1, author=ANA, to=()), mail(2, author=Person("Ana Lopes", "ana@mar.example"), to=())
    )
    other = next(i for i in (await found(store, "Ana Lopes")).identities)
    await Identities(store, clock).part(other)
    await tell(store, A, mail(3, author=Person("Ana Lopes", "ana@mar.example"), to=()))
    await tell(store, A, mail(4, author=Person("Ana Lopes", "third@mar.example"), to=()))
    people = await top(store, EntityKind.PERSON)
    assert [len(person.identities) for person in people] == [1, 1, 1]
    assert {"third@mar.example"} == {
        asked_of(people, pair) for pair in await store.read(canonical.suggestions)
    }


async def test_the_last_word_counts(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    await identities.refuse(first, second)
    await identities.merge(first, second)
    assert len((await found(store, "Ana Lopes")).identities) == 2


NITA = Person("Nita Prado", "nita@ciclone.example")


async def who_is_whom(store: Store) -> list[Row]:
    return await rows(store, "SELECT id, name, canonical, chunks FROM entities ORDER BY seq")


async def two_of_two(store: Store) -> tuple[Entity, Entity]:
    """Two people without anything in common, each at two addresses by evidence."""
    await tell(
        store, A,
        mail(1, author=ANA, to=()), mail(2, author=Person("Ana Lopes", "ana@mar.example"), to=()),
        mail(3, author=NITA, to=()), mail(4, author=Person("Nita Prado", "nita@mar.example"), to=()),
    )  # fmt: skip
    return await found(store, "Ana Lopes"), await found(store, "Nita Prado")


async def test_two_whom_nothing_speaks_for_become_one_at_the_persons_word_with_all_that_is_theirs(
    store: Store, clock: FakeClock
) -> None:
    ana, nita = await two_of_two(store)
    await Identities(store, clock).merge(ana.id, nita.id)
    assert len((await found(store, "Nita Prado")).identities) == 4
    await tell(store, A, mail(5, author=Person("Nita Prado", "third@mar.example"), to=()))
    assert len((await found(store, "Ana Lopes")).identities) == 5


async def test_not_the_same_after_the_persons_yes_leaves_everybody_as_they_were(
    store: Store, clock: FakeClock
) -> None:
    ana, nita = await two_of_two(store)
    held = "SELECT * FROM {} ORDER BY 1, 2, 3"
    told = [await rows(store, held.format(table)) for table in ("mentions", "relations", "aliases")]
    before = await who_is_whom(store)
    identities = Identities(store, clock)
    for one in (*ana.identities, *nita.identities):
        await identities.merge(ana.id, nita.id)
        await identities.part(one)
        assert await who_is_whom(store) == before
    assert [await rows(store, held.format(table)) for table in ("mentions", "relations", "aliases")] == told


async def test_not_the_same_after_the_persons_yes_is_final_over_evidence(
    store: Store, clock: FakeClock
) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    await identities.merge(first, second)
    await identities.part(second)
    await tell(store, A, mail(3, author=Person("Ana Lopes", "boat@mar.example"), to=()))
    assert len((await found(store, "boat@mar.example")).identities) == 1
    assert await store.read(canonical.suggestions) == []


def signed(phone: str) -> str:
    """A letter whose signature tells something new, and nothing of who is whom."""
    return f"See you.\n\n-- \nBest\n{phone}\n"


async def test_a_question_put_off_rests_until_more_speaks_for_it(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    await identities.put_off(second, first)
    await tell(
        store, A, mail(3, signed("+49 30 111 222"), author=Person("A. Lopes", "boat@mar.example"), to=())
    )
    await tell(
        store, A, mail(4, signed("+49 30 333 444"), author=Person("Ana Lopes", "ana@ciclone.example"), to=())
    )
    assert await store.read(canonical.suggestions) == []
    assert (await found(store, "ana@ciclone.example")).identities == (first,)
    await tell(store, A, mail(5, author=Person("Ana", "boat@mar.example"), to=()))
    (asked,) = await store.read(canonical.suggestions)
    assert asked.reasons == ("almost the same name", "the same first name")
    await identities.put_off(first, second)
    assert await store.read(canonical.suggestions) == []


async def test_a_question_by_a_first_name_stays_put_off_whoever_of_the_two_writes(
    store: Store, clock: FakeClock
) -> None:
    await tell(store, B, mail(9, author=Person("Ixchel"), channel="chat", to=()))
    await tell(store, A, mail(1, author=Person("Ixchel Tamm", "it@ciclone.example"), to=()))
    (asked,) = await store.read(canonical.suggestions)
    await Identities(store, clock).put_off(asked.first_id, asked.second_id)
    await tell(
        store, A, mail(2, signed("+49 30 111 222"), author=Person("Ixchel Tamm", "it@ciclone.example"), to=())
    )
    await tell(store, B, mail(8, signed("+49 30 333 444"), author=Person("Ixchel"), channel="chat", to=()))
    assert await store.read(canonical.suggestions) == []


async def test_not_sure_can_be_taken_back(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    held = "SELECT first_seq, second_seq, score, reasons, verdict, by_person FROM merge_opinions"
    before = await rows(store, held)
    identities = Identities(store, clock)
    await identities.take_back(await identities.put_off(first, second))
    assert await rows(store, held) == before
    assert len(await store.read(canonical.suggestions)) == 1


async def test_a_yes_taken_back_leaves_a_question_put_off_as_it_was(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    await identities.put_off(first, second)
    await identities.take_back(await identities.merge(first, second))
    assert len((await found(store, "ana@ciclone.example")).identities) == 1
    assert await store.read(canonical.suggestions) == []


async def test_others_are_found_by_any_word_of_their_name_or_address(store: Store, clock: FakeClock) -> None:
    ana, nita = await two_of_two(store)
    identities = Identities(store, clock)
    for words in ("prado", "nita p", "Nita Prado", "nita@mar", "mar.example"):
        assert [one.entity.id for one in await identities.candidates(ana.id, words)] == [nita.id], words
    assert await identities.candidates(ana.id, "ana") == ()
    assert await identities.candidates(ana.id, "rado") == ()
    assert await identities.candidates("nobody", "ana") == ()


async def test_without_words_those_are_offered_for_whom_something_speaks(
    store: Store, clock: FakeClock
) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    (only,) = await identities.candidates(first, " ")
    assert (only.entity.id, only.reasons, only.kept_apart) == (second, ("almost the same name",), False)
    await identities.put_off(first, second)
    assert len(await identities.candidates(first, "")) == 1
    await identities.refuse(first, second)
    assert await identities.candidates(first, "") == ()
    (only,) = await identities.candidates(first, "lopes")
    assert only.kept_apart


async def test_a_yes_taken_back_is_asked_again(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    held = "SELECT first_seq, second_seq, score, reasons, verdict, by_person FROM merge_opinions"
    before = await rows(store, held)
    word = await identities.merge(first, second)
    await identities.take_back(word)
    assert await rows(store, held) == before
    assert await rows(store, "SELECT seq FROM entities WHERE person_said") == []
    assert len((await found(store, "ana@ciclone.example")).identities) == 1
    assert len(await store.read(canonical.suggestions)) == 1


async def test_a_no_taken_back_is_asked_again(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    await identities.take_back(await identities.refuse(first, second))
    assert len(await store.read(canonical.suggestions)) == 1


async def test_what_was_said_before_counts_again_when_a_later_word_is_taken_back(
    store: Store, clock: FakeClock
) -> None:
    first, second = await two(store)
    identities = Identities(store, clock)
    await identities.refuse(first, second)
    await identities.take_back(await identities.merge(first, second))
    assert await store.read(canonical.suggestions) == []
    await identities.merge(first, second)
    await identities.take_back(await identities.part(second))
    assert len((await found(store, "Ana Lopes")).identities) == 2


async def test_unknown_or_unlike_things_are_refused_with_a_sentence(store: Store, clock: FakeClock) -> None:
    await tell(store, A, mail(1, "All of #launch"))
    (tag,) = await top(store, EntityKind.HASHTAG)
    ana = await found(store, "Ana Lopes")
    identities = Identities(store, clock)
    with pytest.raises(RejectedError):
        await identities.merge(ana.id, tag.id)
    with pytest.raises(RejectedError):
        await identities.part("nobody")
    with pytest.raises(RejectedError):
        await identities.refuse(ana.id, ana.id)


async def test_the_persons_word_outlives_an_edit(store: Store, clock: FakeClock) -> None:
    first, second = await two(store)
    await Identities(store, clock).merge(first, second)
    await tell(store, A, mail(2, "Edited words.", author=Person("A. Lopes", "boat@mar.example"), to=()))
    assert len((await found(store, "Ana Lopes")).identities) == 2


def forgetting(word: str) -> Callable[[Connection], object]:
    return lambda connection: forget(connection, find(connection, word), now=MONDAY)


@pytest.mark.parametrize("way", ["message", "edit"])
async def test_two_who_were_one_through_somebody_are_two_without_them(
    store: Store, clock: FakeClock, way: str
) -> None:
    between = Person("Bo Lind", "bo@lind.example")
    await tell(store, A, *(mail(n, "Hm.", author=one, to=()) for n, one in enumerate((ANA, between, RUI), 1)))
    ana, bo, rui = [(await found(store, name)).id for name in ("Ana Lopes", "Bo Lind", "Rui Prado")]
    identities = Identities(store, clock)
    await identities.merge(ana, bo)
    await identities.merge(bo, rui)
    if way == "edit":
        await do(store, lambda c: c.execute("UPDATE entities SET person_said = 0"))
        await take(store, A, mail(2, "Hm, hm.", author=ANA, to=()))
    else:
        await do(store, forgetting((await stored(store, "x2")).id))
    assert [len((await found(store, name)).identities) for name in ("Ana", "Rui")] == [1, 1]


async def test_two_who_were_kept_apart_by_somebody_are_one_without_them(
    store: Store, clock: FakeClock
) -> None:
    addresses = ("ana@ciclone.example", "ana@mar.example", "third@mar.example")
    letters = [mail(n, author=Person("Ana Lopes", where), to=()) for n, where in enumerate(addresses, 1)]
    await tell(store, A, *letters[:2])
    first, second = (await found(store, "Ana Lopes")).identities
    await Identities(store, clock).refuse(first, second)
    await tell(store, A, letters[2])
    assert len((await found(store, "third@mar.example")).identities) == 1
    await do(store, forgetting(first))
    assert len((await found(store, "third@mar.example")).identities) == 2


async def test_a_first_name_that_one_other_has_is_a_question(store: Store) -> None:
    await tell(store, B, mail(9, author=Person("Ixchel"), channel="chat", to=()))
    await tell(store, A, mail(1, author=Person("Ixchel Tamm", "it@ciclone.example"), to=()))
    (asked,) = await store.read(canonical.suggestions)
    assert asked.reasons == ("the same first name",)
    await tell(store, A, mail(2, author=Person("Ixchel Prado", "ip@ciclone.example"), to=()))
    assert await store.read(canonical.suggestions) == []


async def test_a_first_name_that_only_a_text_drops_is_no_question(store: Store) -> None:
    await tell(store, A, mail(1, "Maybe Martina knows.", to=()))
    await tell(store, A, mail(2, author=Person("Martina Tamm", "mt@ciclone.example"), to=()))
    assert await store.read(canonical.suggestions) == []


async def test_many_who_share_only_a_first_name_are_no_question(store: Store) -> None:
    letters = [
        mail(n, author=Person(f"Ana {last}", f"p{n}@ciclone.example"), to=())
        for n, last in enumerate(["Brandt", "Tamm", "Prado"])
    ]
    await tell(store, A, *letters)
    await tell(store, B, mail(9, author=Person("Ana"), channel="chat", to=()))
    assert await store.read(canonical.suggestions) == []
