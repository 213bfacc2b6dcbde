"""What a text names is found where it stands, whatever its case, and leaves with the passage that named it."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.bus import Bus
from heedful.core.ids import ChunkId, MessageId
from heedful.core.paths import home_at
from heedful.memory.entities import extraction, registry
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.names import Known, names_in
from heedful.memory.entities.patterns import shapes_in
from heedful.memory.messages import messages_store
from heedful.sources import Person
from heedful.storage import Key, KeyKind, Store
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, do, dump, letter, rows, take, whole
from tests.memory.reading_along import found, mail, read_all, tell, top

NOBODY = Known({}, {})
AT = datetime(2026, 12, 1, 9, tzinfo=UTC)


def shapes(text: str, lang: str = "en") -> dict[str, str]:
    """What shapes give away: the text of each place, and the key behind it."""
    return {text[s.start : s.end]: s.key for s in shapes_in(text, at=AT, lang=lang)}


def names(text: str, lang: str = "en", known: Known = NOBODY) -> set[tuple[str, str]]:
    return {(s.kind.value, text[s.start : s.end]) for s in names_in(text, lang=lang, known=known)}


@pytest.mark.parametrize(
    ("text", "surface", "key"),
    [
        ("Write to Ana.Lopes@Ciclone.example.", "Ana.Lopes@Ciclone.example", "ana.lopes@ciclone.example"),
        (
            "See https://www.Ciclone.example/a?b=1).",
            "https://www.Ciclone.example/a?b=1",
            "ciclone.example/a?b=1",
        ),
        ("Ask @rui_prado about it", "@rui_prado", "@rui_prado"),
        ("All of #launch", "#launch", "launch"),
        ("Call +49 (0)30 1234 567 today", "+49 (0)30 1234 567", "+49301234567"),
        ("It costs €1,200.50 in all", "€1,200.50", "EUR 1200.5"),
        ("Pay invoice no. 2024-113 now", "2024-113", "2024-113"),
        ("Ihre Rechnung Nr. RE-2026/0042 liegt bei", "RE-2026/0042", "re-2026/0042"),
        ("O pedido nº 778812 saiu", "778812", "778812"),
        ("Look at ticket 42", "42", "ticket 42"),
        ("Fixed in HEED-77", "HEED-77", "heed-77"),
        ("It is due on 12 December 2026", "12 December 2026", "2026-12-12"),
    ],
)
def test_a_shape_gives_its_entity_away_at_its_exact_place(text: str, surface: str, key: str) -> None:
    assert shapes(text)[surface] == key


@pytest.mark.parametrize(
    "text", ["Use UTF-8 here", "colour #fff000", "at 2026-12-03", "version 1.2.3", "@here all"]
)
def test_what_only_looks_like_an_entity_is_none(text: str) -> None:
    kinds = {s.kind for s in shapes_in(text, at=AT, lang="en")}
    assert kinds <= {EntityKind.DATE}


@pytest.mark.parametrize(
    ("text", "lang", "kind", "name"),
    [
        ("We met Ana Lopes yesterday.", "en", "person", "Ana Lopes"),
        ("Please ask Dr. Ixchel Tamm.", "en", "person", "Ixchel Tamm"),
        ("their CFO Ivo Brandt agreed", "en", "person", "Ivo Brandt"),
        ("The books of Prado Studio are closed.", "en", "organisation", "Prado Studio"),
        ("Die Prado Werke GmbH liefert.", "de", "organisation", "Prado Werke GmbH"),
        ("A reunião com a Prado Ltda foi boa.", "pt", "organisation", "Prado Ltda"),
        ("She lives in Porto Alegre now.", "en", "place", "Porto Alegre"),
        ("Nos vemos en la calle, cerca de Madrid.", "es", "place", "Madrid"),
        ("The Aurora project starts soon.", "en", "project", "Aurora"),
        ("Das Aurora-Projekt beginnt.", "de", "project", "Aurora"),
        ("We moved to Nimbus 2.4 last week.", "en", "product", "Nimbus"),
        ("Die Version Falter 3.2 ist da.", "de", "product", "Falter"),
        ("Kommt in die Lindenstraße 8, bitte.", "de", "place", "Lindenstraße"),
        ("Guten Tag Herr Rehberg, es geht los.", "de", "person", "Rehberg"),
        ("Die Firma Kranz & Söhne GmbH liefert.", "de", "organisation", "Kranz & Söhne GmbH"),
        ("Anna Berg und die Stadtwerke Emden zahlen.", "de", "person", "Anna Berg"),
        ("Prezado Rafael, segue a conta.", "pt", "person", "Rafael"),
        ("O entregador da Expresso Litoral S.A. liga.", "pt", "organisation", "Expresso Litoral S.A."),
        ("Mi Tía Rocío vive lejos.", "es", "person", "Rocío"),
        ("Estamos con la Clínica Norte.", "es", "organisation", "Clínica Norte"),
    ],
)
def test_a_name_is_told_by_its_words_and_its_surroundings(text: str, lang: str, kind: str, name: str) -> None:
    assert (kind, name) in names(text, lang)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Please review the Release Notes with Reading List and Code Freeze.", "en"),
        ("Yours, the Export Manager", "en"),
        ("We spoke about Native Species and Distributed Tracing.", "en"),
        ("Bitte bringen Sie Ihre Versichertenkarte und den Impfpass mit.", "de"),
        ("Segue a Planilha de Custos, com Conta de Luz.", "pt"),
        ("Traiga el Informe de Ventas y la Tarjeta Sanitaria.", "es"),
    ],
)
def test_things_with_capital_letters_are_nobodys_name(text: str, lang: str) -> None:
    assert names(text, lang) == set()


def test_somebody_called_tom_is_no_day() -> None:
    assert not [
        s for s in shapes_in("Ask Tom Achterberg now.", at=AT, lang="en") if s.kind is EntityKind.DATE
    ]
    assert names("Ask Tom Achterberg now.") == {("person", "Tom Achterberg")}


def test_ana_lopes_of_prado_labs_is_a_person_and_a_firm() -> None:
    assert names("Yesterday Ana Lopes of Prado Labs called.") == {
        ("person", "Ana Lopes"),
        ("organisation", "Prado Labs"),
    }


@pytest.mark.parametrize("written", ["ana straße", "ANA STRASSE", "Ana Straße", "aNa strasse"])
def test_a_known_name_is_found_in_any_case_with_exact_places(written: str) -> None:
    known = Known({("ana", "strasse"): (EntityKind.PERSON, "Ana Straße")}, {})
    text = f"ẞß İ and {written}'s letter"
    (sighting,) = [s for s in names_in(text, lang="en", known=known) if s.score > 0.9]
    assert text[sighting.start : sighting.end] == written
    assert sighting.name == "Ana Straße"


@given(st.text(max_size=200), st.sampled_from(["en", "de", "pt", "es"]))
def test_any_text_gives_places_within_itself_in_order(text: str, lang: str) -> None:
    known = Known({("a",): (EntityKind.PROJECT, "A"), ("b", "c"): (EntityKind.PERSON, "B C")}, {"a": "A D"})
    for seen in (shapes_in(text, at=AT, lang=lang), names_in(text, lang=lang, known=known)):
        assert all(0 <= s.start < s.end <= len(text) for s in seen)
        assert all(s.key and 0 < s.score <= 1 for s in seen)


async def test_people_of_the_head_are_there_with_names_and_addresses(store: Store) -> None:
    await tell(store, A, mail(1))
    ana = await found(store, "Ana Lopes")
    assert {(alias.kind, alias.text) for alias in ana.aliases} == {
        ("address", "ana@ciclone.example"),
        ("name", "Ana Lopes"),
    }
    assert ana.kind is EntityKind.PERSON


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "We joined the American programme last week."),
        ("en", "They asked about our Spanish project."),
        ("en", "The American Pipeline is late."),
        ("de", "Wir sind im Amerikanischen Programm."),
        ("de", "Das ist das Deutsche Projekt."),
        ("es", "Hablamos del programa Estadounidense y del proyecto Francés."),
        ("pt", "Falámos do programa Brasileiro e da iniciativa Portuguesa."),
    ],
)
def test_an_adjective_of_a_nation_alone_names_no_project(lang: str, text: str) -> None:
    assert names(text, lang) == set()


def test_an_adjective_of_a_nation_within_a_name_belongs_to_it() -> None:
    assert ("project", "American Aurora") in names("We like the American Aurora project.")


@pytest.mark.parametrize(
    "mailbox",
    [
        "garden-subscribe", "garden-unsubscribe", "list-unsubscribe", "garden-owner", "owner-garden", "garden-request",
        "bounces", "bounce42", "garden-return-7-ana=reis.example", "noreply", "noreply2", "no_reply", "nao-responda",
        "no-responder", "nichtantworten", "mailman",
    ],
)  # fmt: skip
async def test_an_address_of_a_duty_is_no_person(store: Store, mailbox: str) -> None:
    await tell(store, A, mail(1, "Write to us.", author=Person("", f"{mailbox}@lists.example")))
    assert (await found(store, f"{mailbox}@lists.example")).kind is EntityKind.ORGANISATION


async def test_a_shop_that_writes_by_machine_is_no_person(store: Store) -> None:
    shop = Person("Prado Shop", "no-reply@prado.example")
    await tell(store, A, whole(mail(1, author=shop), automatic=True))
    assert (await found(store, "Prado Shop")).kind is EntityKind.ORGANISATION


async def test_a_clinic_that_signs_with_its_name_is_no_person(store: Store) -> None:
    await tell(store, A, mail(1, author=Person("Clínica Boa Vista", "agenda@boavista.example")))
    assert (await found(store, "Clínica Boa Vista")).kind is EntityKind.ORGANISATION


@pytest.mark.parametrize(
    ("domain", "firms"),
    [
        ("halcyon", {"halcyon"}),
        ("mail.halcyon", {"halcyon"}),
        ("privat", set()),
        ("atelier", set()),
        ("familie", set()),
        ("família", set()),
        ("correo", set()),
        ("home", set()),
        ("office", set()),
        ("praxis", set()),
        ("consulting", set()),
    ],
)
async def test_a_mail_domain_names_a_firm_unless_its_owner_chose_a_common_word(
    store: Store, domain: str, firms: set[str]
) -> None:
    await tell(store, A, mail(1, author=Person("Thessaly Quorn", f"tq@{domain}.example")))
    told = await rows(store, "SELECT lower(name) FROM entities WHERE kind = 'organisation'")
    assert {name for (name,) in told} == firms


async def test_those_who_take_part_are_known_by_their_whole_names_in_any_case(store: Store) -> None:
    odd = Person("Thessaly Quorn", "tq@ciclone.example")
    await tell(store, A, mail(1, "the keys are with thessaly quorn, as ever", author=odd))
    assert await rows(store, "SELECT x.start, x.finish FROM mentions x WHERE x.role = 'text'") == [(18, 32)]


@pytest.mark.parametrize(
    "text",
    [
        "Steve will bring it.",
        "the list is with Steve",
        "Ask Steve Quorn for it.",
        "Steven M. Quorn has the keys.",
        "Thank you,\nSteve Quorn",
    ],
)
async def test_whoever_takes_part_is_known_by_what_they_are_called_as_well(store: Store, text: str) -> None:
    steven = Person("Steven Quorn", "sq@ciclone.example")
    await tell(store, A, mail(1, text, to=(steven,)))
    told = await rows(
        store,
        "SELECT a.alias FROM mentions x JOIN entities e ON e.seq = x.entity_seq JOIN aliases a ON a.entity_seq = e.seq "
        "AND a.is_own WHERE x.role IN ('text', 'signature') AND e.kind = 'person'",
    )
    assert told == [("sq@ciclone.example",)]


async def test_a_talk_tells_the_same_read_at_once_or_word_by_word(store: Store, tmp_path: Path) -> None:
    people = [Person("Thessaly Quorn", ""), Person("Ivo Brandt", "")]
    talk = [
        letter(n, text, author=people[n % 2], to=(), channel="telegram", thread_key="talk")
        for n, text in enumerate(
            ["Who has the keys?", "Thessaly, you had them.", "No, ask Ivo.", "I have not."]
        )
    ]
    told = []
    for size in (4, 1):
        one = Store.open(home_at(tmp_path / str(size)), Key(KeyKind.UNENCRYPTED, None), Bus())
        for begin in range(0, len(talk), size):
            await tell(one, A, *talk[begin : begin + size])
        mentions = await rows(one, "SELECT e.id, x.chunk_seq, x.role, x.start FROM mentions x "
            "JOIN entities e ON e.seq = x.entity_seq ORDER BY 2, 3, 4, 1")  # fmt: skip
        relations = await rows(one, "SELECT s.id, r.predicate, o.id, r.evidence_count FROM relations r JOIN entities s "
            "ON s.seq = r.subject_seq JOIN entities o ON o.seq = r.object_seq ORDER BY 1, 2, 3")  # fmt: skip
        told.append((mentions, relations))
        one.close()
    assert told[0] == told[1]
    assert len(told[0][1]) == 2


async def test_a_short_name_that_two_may_be_called_by_means_neither(store: Store) -> None:
    two = (Person("Steven Quorn", "sq@ciclone.example"), Person("Stephen Falk", "sf@ciclone.example"))
    await tell(store, A, mail(1, "Steve will bring it.", to=two))
    meant = await rows(
        store,
        "SELECT DISTINCT a.alias FROM mentions x JOIN aliases a ON a.entity_seq = x.entity_seq AND a.is_own "
        "WHERE x.role = 'text'",
    )
    assert not {alias for (alias,) in meant} & {"sq@ciclone.example", "sf@ciclone.example"}


async def test_two_capitals_are_a_first_name_where_somebody_bears_them(store: Store) -> None:
    await tell(
        store, A, mail(1, "We wait for TK, who has the TV.", to=(Person("TK Lohr", "tk@ciclone.example"),))
    )
    assert await rows(store, "SELECT x.start, x.finish FROM mentions x WHERE x.role = 'text'") == [(12, 14)]


async def test_a_passage_tells_whom_it_mentions_head_first(store: Store) -> None:
    await tell(store, A, mail(1, "Rui, please pay invoice no. 2024-113."))
    (chunk,) = await rows(store, "SELECT id FROM chunks")
    mentions = await store.read(lambda connection: registry.entities_in(connection, ChunkId(str(chunk[0]))))
    assert [(m.name, m.role) for m in mentions if m.kind is EntityKind.PERSON] == [
        ("Ana Lopes", "author"),
        ("Rui Prado", "to"),
        ("Rui Prado", "text"),
    ]
    assert ("2024-113", 28, 36) in {(m.name, m.start, m.end) for m in mentions}


async def test_quoted_words_are_left_to_the_message_they_came_from(store: Store) -> None:
    await tell(store, A, mail(1, "Fine by me.\n\n> Call +49 30 1234 567 about #launch\n"))
    assert not await top(store, EntityKind.PHONE)
    assert not await top(store, EntityKind.HASHTAG)


async def test_a_thing_met_before_is_known_again_in_lower_case(store: Store) -> None:
    await tell(store, A, mail(1, "The Blue Harbour project begins."))
    await tell(store, A, mail(2, "how is blue harbour going"))
    assert (await found(store, "Blue Harbour", EntityKind.PROJECT)).chunks == 2


async def test_messages_of_a_person_come_newest_first_and_once(store: Store) -> None:
    await tell(store, A, mail(1, "Ana Lopes here. Ana Lopes again."), mail(2, author=RUI, to=(ANA,)))
    ana = await found(store, "Ana Lopes")
    told = await store.read(lambda connection: registry.messages_of(connection, ana.id))
    assert [message.external_id for message in told] == ["x2", "x1"]
    written = await store.read(lambda connection: registry.messages_of(connection, ana.id, roles=("author",)))
    assert [message.external_id for message in written] == ["x1"]


async def test_the_stage_reads_each_chunk_once(store: Store) -> None:
    await tell(store, A, mail(1), mail(2))
    before = await rows(store, "SELECT * FROM mentions")
    assert await read_all(store) == 0
    assert await rows(store, "SELECT * FROM mentions") == before


async def test_a_step_that_was_written_already_changes_nothing(store: Store) -> None:
    await take(store, A, mail(1))
    step = await store.read(extraction.next_step)
    assert step is not None
    readings = extraction.read_step(step)
    for _ in range(2):
        await do(store, lambda c: extraction.write_step(c, step, readings, now=MONDAY))
    assert (await found(store, "Ana Lopes")).chunks == 1


async def test_a_message_edited_while_it_was_read_is_read_again(store: Store) -> None:
    await take(store, A, mail(1, "Call +49 30 1234 567 now."))
    step = await store.read(extraction.next_step)
    assert step is not None
    readings = extraction.read_step(step)
    await take(store, A, mail(1, "Call +49 30 7654 321 now."))
    await do(store, lambda c: extraction.write_step(c, step, readings, now=MONDAY))
    await read_all(store)
    assert [phone.name for phone in await top(store, EntityKind.PHONE)] == ["+49 30 7654 321"]


async def test_an_edit_takes_what_is_no_longer_said_with_it(store: Store) -> None:
    await tell(store, A, mail(1, "Call +49 30 1234 567 now."))
    await tell(store, A, mail(1, "Call me."))
    assert await top(store, EntityKind.PHONE) == []
    assert (await found(store, "Ana Lopes")).chunks == 1


async def test_nothing_is_left_of_what_only_a_forgotten_passage_told(store: Store) -> None:
    secret = "Zanzibar Quillfeather"
    canary = Person(secret, "zq@canary.example")
    text = f"Ask {secret} of Canary Labs, +49 30 5550 199, #canarytag, order CAN-4711."
    await tell(store, A, mail(1, text, author=canary, to=(RUI,)), mail(2))
    chunk = [ChunkId(str(i)) for (i,) in await rows(store, "SELECT c.id FROM chunks c WHERE message_seq = 1")]
    await do(store, lambda connection: registry.forget_chunks(connection, chunk))
    tables = ("entities", "aliases", "mentions", "relations", "relation_evidence", "merge_opinions")
    left = [row for table in tables for row in await rows(store, f"SELECT * FROM {table}")]
    assert not any(word in repr(left).casefold() for word in ("quill", "canary", "5550", "4711"))
    assert (await found(store, "Ana Lopes")).chunks == 1


async def test_a_name_forgotten_leaves_the_person_with_the_others(store: Store) -> None:
    await tell(store, A, mail(1, author=Person("Canary Quill", "q@ciclone.example")))
    await tell(store, A, mail(2, author=Person("Q. Ill", "q@ciclone.example")))
    (chunk,) = await rows(store, "SELECT id FROM chunks WHERE message_seq = 1")
    await do(store, lambda connection: registry.forget_chunks(connection, [ChunkId(str(chunk[0]))]))
    assert "Canary" not in repr(await rows(store, "SELECT * FROM entities")) + repr(
        await rows(store, "SELECT * FROM aliases")
    )


async def test_removing_the_last_message_leaves_no_entity(store: Store) -> None:
    await tell(store, A, mail(1, "Ask Ana Lopes about Prado Labs."))
    await do(store, lambda connection: connection.execute("DELETE FROM messages"))
    assert await rows(store, "SELECT * FROM entities") == []
    assert await rows(store, "SELECT * FROM relations") == []


async def test_what_the_stage_sees_in_one_message_can_be_asked(store: Store) -> None:
    await take(store, A, mail(1, "Please pay invoice no. 2024-113."))
    (message_id,) = (await rows(store, "SELECT id FROM messages"))[0]
    reading = await store.read(lambda c: extraction.explain(c, MessageId(str(message_id))))
    assert reading is not None
    assert "2024-113" in {seen.being.name for seen in reading.seen}
    assert await rows(store, "SELECT * FROM entities") == []


async def test_a_message_of_several_chunks_counts_its_author_once(store: Store) -> None:
    await tell(store, A, mail(1, "A long sentence that goes on about the harbour and its boats. " * 80))
    assert (await found(store, "Ana Lopes")).chunks == 1
    (count,) = (await rows(store, "SELECT count(*) FROM chunks"))[0]
    assert isinstance(count, int)
    assert count > 1


async def test_mentions_stay_within_the_chunk_they_are_counted_to(store: Store) -> None:
    text = "Nothing of note was said in this part of the letter. " * 60 + "Call +49 30 1234 567."
    await tell(store, B, mail(1, text))
    message = (await store.read(lambda c: messages_store.messages(c, [1])))[0]
    within = [
        (chunk, mention.start)
        for chunk in message.chunks
        for mention in await store.read(lambda c, chunk=chunk: registry.entities_in(c, chunk.id))  # type: ignore[misc] # bound
        if mention.role == "text"
    ]
    assert [chunk for chunk, _ in within] == [message.chunks[-1]]
    assert all(chunk.start <= start <= chunk.end for chunk, start in within)


async def test_secrets_taken_out_at_the_door_are_no_entities(store: Store) -> None:
    await tell(
        store, A, mail(1, "password: hunter2hunter2 and token ghp_0123456789abcdefghijABCDEFGHIJ456789")
    )
    assert "hunter2" not in await dump(store)


async def test_a_single_name_means_the_one_in_the_thread(store: Store) -> None:
    await tell(store, A, mail(1, "Thanks Rui for the boat."))
    rui = await found(store, "Rui Prado")
    texts = await store.read(lambda c: registry.messages_of(c, rui.id, roles=("text",)))
    assert [message.external_id for message in texts] == ["x1"]
    assert replace(rui, aliases=()).identities == rui.identities


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Das Treffen von Prado Labs war gut.", "de", {("organisation", "Prado Labs")}),
        ("Ontem a Maria da Silva ligou.", "pt", {("person", "Maria da Silva")}),
        (
            "Ontem falei com Maria Silva do Prado Studio.",
            "pt",
            {("person", "Maria Silva"), ("organisation", "Prado Studio")},
        ),
        ("The Bank of Lagoa Verde wrote.", "en", {("organisation", "Bank of Lagoa Verde")}),
    ],
)
def test_small_words_join_a_name_or_part_two(text: str, lang: str, expected: set[tuple[str, str]]) -> None:
    assert names(text, lang) == expected
