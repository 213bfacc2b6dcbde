"""Ways in which a memory goes wrong unseen: each stays out."""

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError
from heedful.core.ids import SourceId
from heedful.core.paths import Home, home_at
from heedful.memory import Filters, search
from heedful.memory.archivist.backup import back_up, backups, restore
from heedful.memory.archivist.forget_all import wipe
from heedful.memory.archivist.housekeeping import Archivist, prove_sound
from heedful.memory.embeddings.vector_numpy import Floats
from heedful.memory.entities import graph, registry
from heedful.memory.entities.canonical import Identities
from heedful.memory.entities.graph_predicates import Predicate
from heedful.memory.entities.hotness import note_asked
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.forget import at_once, forgetting
from heedful.memory.jobs import embed
from heedful.memory.messages import own_addresses_store
from heedful.memory.queue import queue_store
from heedful.memory.work.host_load import AT_FULL_PACE
from heedful.memory.work.worker import Worker
from heedful.sources import Person
from heedful.storage import Connection, Key, Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.forgetting import everything, forgotten, settle, stored
from tests.memory.incoming import MONDAY, A, do, rows, take
from tests.memory.reading_along import found, mail, tell, top
from tests.memory.workshop import ask, tools_with

NOBODY = Person("", "")


async def test_a_message_without_a_subject_is_found_by_the_title_of_what_it_belongs_to(store: Store) -> None:
    await take(store, A, mail(1, "See you there", subject="", thread_title="Kohlrabi weekend"))
    (hit,) = await store.read(lambda connection: search(connection, "kohlrabi"))
    assert hit.external_id == "x1"


async def test_a_few_mentions_of_today_weigh_more_than_many_of_last_month(store: Store) -> None:
    then, now = Person("Otto Brandt", "otto@ciclone.example"), Person("Nina Tamm", "nina@mar.example")
    old = [
        replace(mail(n, author=then, to=()), sent_at=MONDAY - timedelta(days=50, minutes=n))
        for n in range(30)
    ]
    new = [mail(100 + n, author=now, to=()) for n in range(8)]
    await tell(store, A, *old, *new)
    people = await top(store, EntityKind.PERSON, now=MONDAY + timedelta(days=1))
    assert [person.name for person in people] == ["Nina Tamm", "Otto Brandt"]
    assert people[1].hotness > 0


async def test_a_passage_without_any_word_has_no_vector_at_all(store: Store) -> None:
    await take(store, A, mail(1, "…", author=NOBODY), mail(2, "A word", author=NOBODY))
    tools = tools_with(store, FakeClock(MONDAY), FakeMeaning(Wordless()))
    await Worker(tools, lambda: {"embed": embed.JOB}).settle()
    assert await rows(
        store,
        "SELECT m.external_id FROM vectors v JOIN chunks c ON c.seq = v.chunk_seq "
        "JOIN messages m ON m.seq = c.message_seq",
    ) == [("x2",)]


class Wordless(BoxEmbedder):
    """Gives no vector for what has no letter, as every real embedder does."""

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> list[Floats | None]:
        vectors = await super().embed(texts, source_ids=source_ids)
        return [
            vector if any(map(str.isalnum, text)) else None
            for text, vector in zip(texts, vectors, strict=True)
        ]


async def test_who_lost_a_job_to_another_can_neither_end_it_nor_put_it_back(
    store: Store, clock: FakeClock
) -> None:
    await ask(store, clock, "x")
    now = clock.now()

    def work(connection: Connection) -> None:
        first = queue_store.claim(connection, ["x"], token="1", holder="dead", now=now)
        queue_store.reclaim_of_others(connection, "alive", now=now)
        second = queue_store.claim(connection, ["x"], token="2", holder="alive", now=now)
        assert first is not None
        assert second is not None
        lost = first[1]
        assert not queue_store.renew(connection, lost, now=now)
        assert not queue_store.finish(connection, lost, now=now)
        queue_store.fail(connection, lost, now=now, error_type="X", error="x")
        queue_store.put_back(
            connection, lost, available_at=now, counts_as="attempts", error_type=None, error=None
        )

    await do(store, work)
    assert await rows(store, "SELECT state, lease_token, error FROM jobs") == [("running", "2", None)]


async def test_what_somebody_says_they_like_is_hearsay_with_its_passage_and_goes_with_it(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, "I like zquorkab."), mail(2, "As I said: I like zquorkab."))
    await settle(store, clock)
    ana = await found(store, "ana@ciclone.example")
    likes = [
        one
        for one in await store.read(lambda connection: graph.around(connection, ana.id))
        if one.predicate is Predicate.PREFERS
    ]
    (only,) = likes
    assert (only.other_name, only.evidence_count, len(only.evidence)) == ("zquorkab", 2, 2)
    assert only.confidence < 0.7
    held = await rows(store, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*belief*'")
    assert held == []
    await forgotten(store, clock, (await stored(store, "x1")).id, (await stored(store, "x2")).id)
    assert "zquorkab" not in await everything(store)


async def test_a_judgement_on_another_message_keeps_no_word_of_the_forgotten_one(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, "Is the zquorkab ready?", thread_key="t"), mail(2, "Yes.", thread_key="t"))
    answer = await stored(store, "x2")
    await do(
        store,
        lambda c: c.execute(
            "INSERT INTO verdicts (message_seq, run_id, verdict, reasons, judged_at) VALUES (?, 'r', 'item', ?, 0)",
            (answer.seq, json.dumps(["It answers «Is the zquorkab ready?»"])),
        ),
    )
    await forgotten(store, clock, (await stored(store, "x1")).id)
    assert "zquorkab" not in await everything(store)
    assert await rows(store, "SELECT external_id FROM messages") == [("x2",)]


async def test_that_somebody_forgotten_was_asked_for_is_forgotten_too(store: Store, clock: FakeClock) -> None:
    zara, nina = Person("Zara Quor", "zara@mar.example"), Person("Nina Tamm", "nina@mar.example")
    await tell(store, A, mail(1, author=zara, to=()), mail(2, author=nina, to=()))
    ids = [(await found(store, person.address)).id for person in (zara, nina)]
    await do(store, lambda c: note_asked(c, ids, now=MONDAY))
    await forgotten(store, clock, zara.address)
    assert await rows(store, "SELECT owner_id FROM query_hits") == [(ids[1],)]


async def test_a_person_of_whom_the_person_said_something_goes_with_the_last_message_all_the_same(
    store: Store, clock: FakeClock
) -> None:
    await tell(
        store,
        A,
        mail(1, author=Person("Zara Zquorkab", "zara@mar.example"), to=()),
        mail(2, author=Person("Z. Quor", "zq@vento.example"), to=()),
    )
    one, other = await found(store, "zara@mar.example"), await found(store, "zq@vento.example")
    await Identities(store, clock).merge(one.id, other.id)
    await forgotten(store, clock, (await stored(store, "x1")).id)
    assert "zquorkab" not in await everything(store)
    left = await store.read(lambda c: registry.entity(c, other.id))
    assert left is not None
    assert left.identities == (other.id,)


async def test_an_address_taken_for_the_persons_own_goes_with_the_only_source_that_spoke_for_it(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, to=(Person("", "zquorkab@vento.example"),)))
    await do(store, lambda c: own_addresses_store.infer_address(c, "zquorkab@vento.example", 3))
    await do(store, lambda c: own_addresses_store.state_address(c, "me@vento.example", "stated"))
    await forgotten(store, clock, A)
    assert await rows(store, "SELECT address FROM own_addresses") == [("me@vento.example",)]
    assert "zquorkab" not in await everything(store)


@pytest.mark.parametrize("by_job", [True, False])
async def test_the_index_is_cleared_of_forgotten_words_however_many_steps_it_takes(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, *, by_job: bool
) -> None:
    monkeypatch.setattr(forgetting, "PAGES_AT_ONCE", 1)
    for begin in range(0, 300, 50):
        await take(
            store, A, *(mail(n, f"Word{n * 7919} in letter{n}. " * 9) for n in range(begin, begin + 50))
        )
    await take(store, A, mail(1000, "Only the zquorkab."))
    message = await stored(store, "x1000")
    if by_job:
        await forgotten(store, clock, message.id)
    else:
        await at_once.forget_now(store, clock, [message.id])
    assert "zquorkab" not in await everything(store)


def test_a_wipe_leaves_no_file_that_holds_anything(home: Home) -> None:
    (home.data / "backups").mkdir(parents=True)
    names = [
        "heedful.db", "heedful.db-wal", "heedful.db-shm", "heedful.db.restored", "heedful.schema-0003.backup.db",
        "reads.db", "reads.db-wal", "backups/heedful-20261129T090000Z.db", "backups/heedful-20261129T090000Z.db.new",
        "backups/heedful-replaced-20261129T090000Z.db", "backups/heedful-replaced-20261129T090000Z.db-wal",
    ]  # fmt: skip
    for name in names:
        (home.data / name).write_bytes(b"words")
    (home.data / "heedful.key.json").write_text("{}", encoding="utf-8")
    assert wipe(home) == len(names)
    assert [file.name for file in home.data.rglob("*") if file.is_file() and file.stat().st_size] == [
        "heedful.key.json"
    ]


async def test_a_damaged_store_replaces_no_backup(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1))

    class Damaged:
        size_bytes = 0

        async def read_long(self, work: object) -> None:
            assert work is prove_sound
            raise DamageError("The store is damaged")

    archivist = Archivist(Damaged(), home, key, clock, gauge=lambda: AT_FULL_PACE)  # type: ignore[arg-type] # a store with a broken page
    with pytest.raises(DamageError):
        await archivist.keep_a_copy()
    assert backups(home) == []


async def test_an_id_finds_what_bears_it_and_only_within_the_filters(store: Store) -> None:
    await take(store, A, mail(1, "Nothing to see."), mail(2, "An x1 is named here."))
    message, away = await stored(store, "x1"), Filters(source_id=SourceId("b"))
    for known in (message.id, message.chunks[0].id):
        (hit,) = await store.read(lambda c, known=known: search(c, known))  # type: ignore[misc] # bound
        assert hit.external_id == "x1"
        assert await store.read(lambda c, known=known: search(c, known, filters=away)) == []  # type: ignore[misc] # bound
    await take(store, A, mail(3, "By its own name.", external_id="<abc.123@mar.example>"))
    (hit,) = await store.read(lambda c: search(c, "<abc.123@mar.example>"))
    assert hit.subject == "A word"


async def test_a_word_in_a_subject_outweighs_it_twice_in_a_text(store: Store) -> None:
    filler = "The garden was green and the evening long. " * 3
    await take(
        store,
        A,
        mail(1, f"Quince and quince. {filler}", subject="An evening in the garden"),
        mail(2, f"Nothing of note. {filler}", subject="Quince of the garden"),
        *(mail(n, filler, subject="An evening in the garden") for n in range(3, 9)),
    )
    hits = await store.read(lambda c: search(c, "quince"))
    assert [hit.external_id for hit in hits] == ["x2", "x1"]


async def test_a_restore_after_a_kill_brings_the_backup_and_nothing_from_the_log_left_behind(
    store: Store, home: Home, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    await take(store, A, mail(1, "The garden is green."))
    backup = back_up(home, key, now=clock.now())
    await take(store, A, *(mail(n, f"Letter {n} about the dry garden. " * 40) for n in range(2, 30)))
    killed = home_at(tmp_path / "killed")
    killed.data.mkdir(parents=True)
    for ending in ("", "-wal"):  # what a process that was killed leaves
        left = home.database.with_name(home.database.name + ending)
        shutil.copy2(left, killed.data / left.name)
    assert (killed.data / "heedful.db-wal").stat().st_size
    restore(killed, key, backup, now=clock.now())
    again = Store.open(killed, key, Bus())
    try:
        await again.read(prove_sound)
        assert await rows(again, "SELECT external_id FROM messages") == [("x1",)]
    finally:
        again.close()
