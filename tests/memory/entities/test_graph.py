"""What is said to hold between people and things is kept with the passages that say it, and goes with them."""

from datetime import timedelta

import pytest

from heedful.core.ids import ChunkId
from heedful.memory.entities import graph, registry
from heedful.memory.entities.graph import Relation
from heedful.memory.entities.graph_predicates import Predicate, fits, folded_phrase, meanings, phrases
from heedful.memory.entities.graph_statements import statements
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.names import Known, names_in
from heedful.memory.entities.patterns import shapes_in, without_overlap
from heedful.sources import Person
from heedful.storage import Store
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, do, rows, take, whole
from tests.memory.reading_along import found, mail, read_all, tell
from tests.memory.statements_said import SAYING


def said(text: str, lang: str = "en") -> set[tuple[str | None, str, str]]:
    sightings = without_overlap(
        [*shapes_in(text, at=MONDAY, lang=lang), *names_in(text, lang=lang, known=Known({}, {}))]
    )
    return {
        (None if s.subject is None else s.subject.name, s.predicate.value, s.object.name)
        for s in statements(text, sightings, lang=lang)
    }


@pytest.mark.parametrize(
    ("text", "lang", "statement"),
    [
        ("Ana Lopes works for Prado Labs.", "en", ("Ana Lopes", "works for", "Prado Labs")),
        ("Anna Weber arbeitet bei der Prado GmbH.", "de", ("Anna Weber", "works for", "Prado GmbH")),
        ("Ana Lopes trabalha na Prado Ltda.", "pt", ("Ana Lopes", "works for", "Prado Ltda")),
        ("Ana Lopes trabaja en Prado Labs.", "es", ("Ana Lopes", "works for", "Prado Labs")),
        (
            "The Aurora project depends on Borealis Software.",
            "en",
            ("Aurora", "depends on", "Borealis Software"),
        ),
        ("Project Aurora is due by 12 December 2026.", "en", ("Aurora", "has deadline", "2026-12-12")),
        ("Ana Lopes leads Project Aurora.", "en", ("Ana Lopes", "owns", "Aurora")),
        ("I prefer green tea.", "en", (None, "prefers", "green tea")),
        ("Ich meide lange Meetings.", "de", (None, "avoids", "lange Meetings")),
        ("Maria Silva doesn't like long meetings.", "en", ("Maria Silva", "avoids", "long meetings")),
        ("Ana Lopes met Maria Silva.", "en", ("Ana Lopes", "communicates with", "Maria Silva")),
    ],
)
def test_a_sentence_says_what_holds(text: str, lang: str, statement: tuple[str | None, str, str]) -> None:
    assert statement in said(text, lang)


@pytest.mark.parametrize(
    "text",
    [
        "Does Ana Lopes work for Prado Labs?",
        "Ana Lopes never works for Prado Labs.",
        "Ana Lopes dreams that unicorns work for Prado Labs.",
        "Prado Labs works for Ana Lopes.",
    ],
)
def test_a_question_a_denial_or_other_words_say_nothing(text: str) -> None:
    assert {predicate for _, predicate, _ in said(text)} <= {"communicates with"}


def test_every_phrase_of_the_map_is_found_by_itself_and_nothing_by_a_part_of_it() -> None:
    for phrase in phrases():
        assert meanings(phrase)
        assert meanings(phrase.upper())
        assert meanings(phrase.replace(" ", "_"))
        assert folded_phrase(phrase) == phrase
        assert not meanings(f"{phrase} zzz")
        assert not meanings(f"zzz {phrase}")


def test_every_predicate_can_hold_between_something() -> None:
    kinds = list(EntityKind)
    for predicate in Predicate:
        assert any(fits(predicate, a, b) for a in kinds for b in kinds)
    assert not fits(Predicate.WORKS_FOR, EntityKind.ORGANISATION, EntityKind.PERSON)
    assert not fits(Predicate.HAS_DEADLINE, EntityKind.PROJECT, EntityKind.PERSON)


async def about(store: Store, name: str) -> list[Relation]:
    person = await found(store, name)
    return await store.read(lambda connection: graph.around(connection, person.id))


async def test_those_who_write_to_each_other_are_related_with_evidence(store: Store) -> None:
    await tell(store, A, mail(1), mail(2), mail(3, author=RUI, to=(ANA,)))
    ties = {(r.is_outgoing): r for r in await about(store, "Ana Lopes") if r.other_name == "Rui Prado"}
    assert ties[True].predicate is Predicate.COMMUNICATES_WITH
    assert ties[True].evidence_count == 2
    assert ties[False].evidence_count == 1
    assert ties[True].confidence > ties[False].confidence
    assert ties[True].first_at < ties[True].last_at
    (newest,) = await rows(store, "SELECT id FROM chunks WHERE message_seq = 2")
    assert ties[True].evidence[0] == newest[0]


async def test_two_addresses_of_one_person_have_one_relation(store: Store) -> None:
    other = Person("Ana Lopes", "ana@mar.example")
    await tell(store, A, mail(1), mail(2, author=other))
    ties = [r for r in await about(store, "Ana Lopes") if r.other_name == "Rui Prado"]
    assert [tie.evidence_count for tie in ties] == [2]


async def test_a_mass_mail_makes_no_correspondents(store: Store) -> None:
    crowd = tuple(Person(f"Person {n}", f"p{n}@ciclone.example") for n in range(20))
    await tell(store, A, mail(1, to=crowd), whole(mail(2), bulk=True))
    assert not [r for r in await about(store, "Ana Lopes") if r.predicate is Predicate.COMMUNICATES_WITH]


async def test_those_of_one_firm_who_write_to_each_other_work_with_each_other(store: Store) -> None:
    colleague, friend = Person("Bruno Reis", "bruno@ciclone.example"), Person("Ixchel Tamm", "it@mar.example")
    await tell(store, A, mail(1, to=(colleague, friend)))
    works = [r for r in await about(store, "Ana Lopes") if r.predicate is Predicate.WORKS_WITH]
    assert [(r.other_name, r.confidence, r.evidence_count) for r in works] == [("Bruno Reis", 0.4, 1)]


async def test_where_somebody_works_is_told_by_their_address_and_signature(store: Store) -> None:
    await tell(store, A, mail(1, "See you.\n\n-- \nAna Lopes\nHarbour Works GmbH\n+49 30 1234 567\n"))
    works = {r.other_name for r in await about(store, "Ana Lopes") if r.predicate is Predicate.WORKS_FOR}
    assert works == {"Ciclone", "Harbour Works GmbH"}


async def test_the_same_said_twice_in_one_passage_is_one_piece_of_evidence(store: Store) -> None:
    text = "Maria Silva works for Prado Labs. As I said, Maria Silva works for Prado Labs."
    await tell(store, A, mail(1, text))
    (relation,) = [r for r in await about(store, "Maria Silva") if r.predicate is Predicate.WORKS_FOR]
    assert relation.evidence_count == 1


async def test_the_same_said_in_two_passages_is_one_relation_with_both_as_evidence_and_their_times(
    store: Store,
) -> None:
    says = "Maria Silva works for Prado Labs."
    later = MONDAY + timedelta(days=40)
    await tell(store, A, mail(1, f"As you know, {says}"))
    (once,) = [r for r in await about(store, "Maria Silva") if r.predicate is Predicate.WORKS_FOR]
    await tell(store, B, mail(2, f"{says} She told me so.", author=RUI, to=(ANA,), sent_at=later))
    (twice,) = [r for r in await about(store, "Maria Silva") if r.predicate is Predicate.WORKS_FOR]
    assert [str(chunk) for chunk in twice.evidence] == [
        str(chunk) for (chunk,) in await rows(store, "SELECT id FROM chunks ORDER BY seq DESC")
    ]
    assert (twice.evidence_count, twice.first_at, twice.last_at) == (2, once.first_at, later)
    assert twice.confidence > once.confidence
    places = await rows(
        store,
        "SELECT substr(m.text, e.start + 1, e.finish - e.start) FROM relation_evidence e JOIN relations r "
        "ON r.seq = e.relation_seq AND r.predicate = 'works for' JOIN chunks c ON c.seq = e.chunk_seq "
        "JOIN messages m ON m.seq = c.message_seq WHERE e.finish > 0",
    )
    assert places == [(says[:-1],)] * 2


async def test_no_relation_is_without_evidence_and_time(store: Store) -> None:
    for number, (lang, text, _) in enumerate(SAYING):
        await take(store, A, mail(number, text, lang=lang))
    await read_all(store)
    told = await rows(
        store,
        "SELECT m.external_id, r.predicate FROM relations r JOIN relation_evidence e ON e.relation_seq = r.seq "
        "JOIN chunks c ON c.seq = e.chunk_seq JOIN messages m ON m.seq = c.message_seq AND m.sent_at = e.said_at",
    )
    said_by = {(f"x{number}", predicate) for number, (_, _, (_, predicate, _)) in enumerate(SAYING)}
    assert said_by - {(str(message), str(predicate)) for message, predicate in told} == set()
    assert (
        await rows(
            store,
            "SELECT r.seq FROM relations r WHERE r.evidence_count < 1 OR r.first_at = 0 OR r.last_at < r.first_at "
            "OR NOT EXISTS (SELECT 1 FROM relation_evidence e WHERE e.relation_seq = r.seq AND e.said_at > 0)",
        )
        == []
    )


async def test_what_the_writer_says_of_themselves_is_theirs(store: Store) -> None:
    await tell(store, A, mail(1, "I prefer green tea."))
    liked = [r for r in await about(store, "Ana Lopes") if r.predicate is Predicate.PREFERS]
    assert [(r.other_name, r.other_kind) for r in liked] == [("green tea", EntityKind.TOPIC)]
    await do(store, lambda connection: connection.execute("DELETE FROM messages"))
    assert await rows(store, "SELECT * FROM entities") == []


async def test_a_forgotten_passage_weakens_the_relation_and_the_last_one_ends_it(store: Store) -> None:
    await tell(store, A, mail(1), mail(2))
    chunks = [ChunkId(str(i)) for (i,) in await rows(store, "SELECT id FROM chunks ORDER BY seq")]
    before = next(r for r in await about(store, "Ana Lopes") if r.other_name == "Rui Prado")
    await do(store, lambda connection: registry.forget_chunks(connection, chunks[:1]))
    after = next(r for r in await about(store, "Ana Lopes") if r.other_name == "Rui Prado")
    assert (before.evidence_count, after.evidence_count) == (2, 1)
    assert after.confidence < before.confidence
    assert after.first_at == after.last_at
    await do(store, lambda connection: registry.forget_chunks(connection, chunks))
    assert await rows(store, "SELECT * FROM relations") == []


async def test_counts_agree_with_the_evidence_whatever_comes_and_goes(store: Store) -> None:
    await tell(store, A, *(mail(n, f"Ana Lopes works for Prado Labs, note {n}.") for n in range(6)))
    await tell(store, A, mail(2, "Nothing more."), mail(4, "Nothing."))
    await do(store, lambda connection: connection.execute("DELETE FROM messages WHERE external_id = 'x1'"))
    wrong = await rows(
        store,
        "SELECT r.seq FROM relations r LEFT JOIN relation_evidence e ON e.relation_seq = r.seq GROUP BY r.seq "
        "HAVING count(e.chunk_seq) <> r.evidence_count OR abs(total(e.doubt) - r.doubt) > 1e-9 "
        "OR min(e.said_at) <> r.first_at OR max(e.said_at) <> r.last_at",
    )
    assert wrong == []
    miscounted = await rows(
        store,
        "SELECT e.seq FROM entities e LEFT JOIN mentions m ON m.entity_seq = e.seq GROUP BY e.seq "
        "HAVING count(DISTINCT m.chunk_seq) <> e.chunks",
    )
    assert miscounted == []
    (unused,) = (await rows(store, "SELECT count(*) FROM aliases WHERE uses < 1 AND NOT is_own"))[0]
    assert unused == 0
