"""Forgetting takes out everything that was made of a message, and nothing else."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from heedful.actionables import Draft, Evidence, ItemSource, Priority
from heedful.conscious.findings import store_drafts
from heedful.core.bus import Bus
from heedful.core.errors import RejectedError
from heedful.core.events import Event
from heedful.core.paths import Home
from heedful.inference import ledger_store
from heedful.memory import Filters, search
from heedful.memory.entities.registry import find_entities
from heedful.memory.forget.at_once import forget_now
from heedful.memory.forget.forgetting import forget
from heedful.memory.forget.targets import find
from heedful.memory.intake.departures import give_up
from heedful.memory.work.kind import JobContext
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.sources import Person
from heedful.storage import Connection, Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import everything, forgotten, lived_with, put_item, put_traces, settle, stored
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, do, rows, take
from tests.memory.reading_along import mail
from tests.memory.workshop import ask, tools_of, worker_of

# The index keeps this word as it is; a word with a stem of its own would hide there.
CANARY = "zquorkab"
CARLA = Person("Carla Zquorkab", "carla@zquorkab.example")
SECRET = (
    f"Could you please send the {CANARY} report to Bruno before Friday? Call {CANARY}@zquorkab.example, it costs "
    f"€ 4,200.00 and belongs to Project {CANARY.title()}. Dr. {CANARY.title()} works with Ana Lopes.\n\nThank you,\nAna"
)

# How forgetting reaches each table that names a message, a chunk or a source; a new table must be added here.
REACHED = {
    "sources": "removed with its source",
    "rejects": "a foreign key to its source",
    "threads": "mended, or removed with their last message",
    "messages": "removed",
    "origins": "a foreign key to the message",
    "recipients": "a foreign key to the message; a forgotten person's are removed",
    "occurrences": "a foreign key to the message",
    "calendar_series": "a foreign key to the message",
    "chunks": "a foreign key to the message",
    "chunk_places": "a foreign key to the chunk",
    "verdicts": "a foreign key to the message; those of the rest of the thread by their words",
    "actionable_evidence": "removed, with the item where nothing else supports it",
    "actionable_history": "a foreign key to the item",
    "interruptions": "removed with the item",
    "admissions": "a foreign key to the chunk",
    "node_chunks": "a foreign key to the chunk",
    "vectors": "a foreign key to the chunk; windows that took it in are removed",
    "vector_codes": "a foreign key to the vector",
    "mentions": "a foreign key to the chunk",
    "relation_evidence": "a foreign key to the chunk",
    "query_hits": "a trigger takes them off with their entity",
    "departures": "a foreign key to the message",
    "forgotten_messages": "kept on purpose: a digest, so that it does not come back; a foreign key to its source",
    "retentions": "a foreign key to its source",
    "source_counts": "a foreign key to its source; triggers count what goes off",
    "entity_counts": "triggers count what goes off; a count of nothing has no row",
    "ledger": "the texts are removed, the figures stay",
}
NAMING = {
    "chunk_id", "chunk_seq", "message_id", "message_seq", "source_id", "source_ids", "thread_id", "owner_id",
    "actionable_id", "before_seq",
}  # fmt: skip


async def test_a_forgotten_message_leaves_no_word_in_any_table(store: Store, clock: FakeClock) -> None:
    for number in range(2, 6):
        await take(
            store, A, mail(number, f"The meeting number {number} about the garden was fine.", thread_key="t1")
        )
    letter_of_it = mail(1, SECRET, subject=f"About {CANARY}", thread_title=f"About {CANARY}")
    secret = await lived_with(store, clock, letter_of_it, item=f"Send the {CANARY} report")
    assert (await everything(store)).count(CANARY) > 10
    (done,) = await forgotten(store, clock, secret.id)
    assert CANARY not in await everything(store)
    counts = done.counts
    assert (counts.messages, counts.items, counts.texts, counts.originals) == (1, 1, 1, 1)
    assert min(counts.chunks, counts.nodes, counts.entities) >= 1
    assert len(await rows(store, "SELECT seq FROM messages")) == 4
    assert await rows(store, "SELECT reason FROM interruptions") == []


async def test_what_is_not_forgotten_is_found_as_before(store: Store, clock: FakeClock) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    await settle(store, clock)
    await forgotten(store, clock, (await stored(store, "x1")).id)
    found = await store.read(lambda c: search(c, "garden", limit=5, filters=Filters()))
    gone = await store.read(lambda c: search(c, "report", limit=5, filters=Filters()))
    assert [hit.external_id for hit in found] == ["x2"]
    assert gone == []


async def test_summaries_above_a_forgotten_message_are_written_anew_at_once(
    store: Store, clock: FakeClock
) -> None:
    texts = [f"Number {n}: we water the garden on day {n}." for n in range(2, 8)]
    await take(
        store,
        A,
        *(mail(n, text, thread_key="t1") for n, text in enumerate(texts, 2)),
        mail(1, SECRET, thread_key="t1"),
    )
    await settle(store, clock)
    secret = await stored(store, "x1")
    await do(store, lambda c: forget(c, find(c, secret.id), now=clock.now()))
    nodes = await rows(store, "SELECT text FROM nodes")
    assert nodes
    assert not any(CANARY in str(text).casefold() for (text,) in nodes)
    assert any("garden" in str(text) for (text,) in nodes)


@pytest.mark.parametrize("edit", ["The garden is green.", "ok"])
async def test_what_a_forgotten_message_said_before_it_was_edited_leaves_the_summaries_at_once(
    store: Store, clock: FakeClock, edit: str
) -> None:
    long = " ".join(f"The zquorkab number {n} costs {n} euros, says Ana Lopes." for n in range(70))
    ago = MONDAY - timedelta(days=2)
    await take(store, A, *(replace(mail(n, f"We water bed {n}."), sent_at=ago) for n in range(2, 11)))
    await take(store, A, replace(mail(1, long), sent_at=ago))
    await settle(store, clock)
    told = "SELECT scope, level FROM nodes WHERE text LIKE '%zquorkab%' ORDER BY 1, 2"
    assert len(await rows(store, told)) > 2
    await take(store, A, replace(mail(1, edit), sent_at=ago, from_me=False))
    await Worker(tools_of(store, clock), lambda: {"seal": job_kinds()["seal"]}).settle()
    secret = await stored(store, "x1")
    await do(store, lambda c: forget(c, find(c, secret.id), now=clock.now()))
    assert await rows(store, told) == []


async def test_a_day_of_which_everything_was_forgotten_goes_at_once_where_it_was_the_first(
    store: Store, clock: FakeClock
) -> None:
    days = "SELECT scope_id FROM nodes WHERE scope = 'day'"
    first = replace(mail(1, "The zquorkab is sold."), sent_at=MONDAY - timedelta(days=3))
    await take(store, A, first, replace(mail(2, "The roof is painted."), sent_at=MONDAY - timedelta(days=1)))
    await settle(store, clock)
    assert ("2026-11-27",) in await rows(store, days)
    await forgotten(store, clock, (await stored(store, "x1")).id)
    assert ("2026-11-27",) not in await rows(store, days)


async def test_a_thread_called_by_the_forgotten_is_called_by_what_is_left(
    store: Store, clock: FakeClock
) -> None:
    await take(
        store,
        A,
        mail(1, SECRET, subject=f"About {CANARY}", thread_title="", thread_key="t1"),
        mail(2, "It is green.", subject="Re: The garden", thread_title="", thread_key="t1"),
    )
    await settle(store, clock)
    assert await rows(store, "SELECT title FROM threads") == [(f"About {CANARY}",)]
    await forgotten(store, clock, (await stored(store, "x1")).id)
    assert await rows(store, "SELECT title FROM threads") == [("The garden",)]


async def test_a_forgotten_thread_goes_with_its_head(store: Store, clock: FakeClock) -> None:
    await take(
        store,
        A,
        mail(1, SECRET, thread_key="t", thread_title=CANARY),
        mail(2, SECRET, thread_key="t"),
        mail(3),
    )
    await settle(store, clock)
    (done,) = await forgotten(store, clock, (await stored(store, "x1")).thread_id)
    assert done.counts.messages == 2
    assert CANARY not in await everything(store)
    assert len(await rows(store, "SELECT id FROM threads")) == 1


async def test_a_forgotten_person_goes_from_letters_to_several_too(store: Store, clock: FakeClock) -> None:
    await do(
        store,
        lambda c: c.execute(
            "INSERT INTO own_addresses (address, origin) VALUES ('rui@prado.example', 'stated')"
        ),
    )
    await take(
        store, A,
        mail(1, "I will be late.", author=CARLA),
        mail(2, "No problem, see you.", author=RUI, to=(CARLA,)),
        mail(3, "Dear both, the garden is green.", author=ANA, to=(RUI, CARLA)),
        mail(4, "Just between us.", author=ANA, to=(RUI,)),
    )  # fmt: skip
    await settle(store, clock)
    (done,) = await forgotten(store, clock, CARLA.address)
    assert CANARY not in await everything(store)
    assert done.counts.messages == 2
    assert {left for (left,) in await rows(store, "SELECT external_id FROM messages")} == {"x3", "x4"}


async def test_a_forgotten_person_goes_from_their_chats_too_and_a_namesake_elsewhere_stays(
    store: Store, clock: FakeClock
) -> None:
    await do(
        store,
        lambda c: c.execute(
            "INSERT INTO own_addresses (address, origin) VALUES ('rui@prado.example', 'stated')"
        ),
    )
    chatting, elsewhere = Person(CARLA.name, "user2"), Person("Someone Else", "user2")
    await take(
        store, A,
        mail(1, "I will be late.", author=CARLA),
        mail(2, "The keys are with me.", author=chatting, channel="telegram", to=(), thread_key="talk"),
        mail(3, "The garden is green.", author=elsewhere, channel="slack", to=(), thread_key="other"),
    )  # fmt: skip
    await settle(store, clock)
    await forgotten(store, clock, CARLA.address)
    assert {left for (left,) in await rows(store, "SELECT external_id FROM messages")} == {"x3"}
    assert CANARY not in await everything(store)


async def test_nobody_forgets_themselves_by_mistake(store: Store, clock: FakeClock) -> None:
    await do(
        store,
        lambda c: c.execute(
            "INSERT INTO own_addresses (address, origin) VALUES ('rui@prado.example', 'stated')"
        ),
    )
    await take(store, A, mail(1, author=RUI))
    with pytest.raises(RejectedError, match="That is you"):
        await forgotten(store, clock, RUI.address)


async def test_a_forgotten_source_leaves_what_another_holds_too(store: Store, clock: FakeClock) -> None:
    shared = mail(1, "The garden is green.")
    await take(store, A, shared, mail(2, SECRET, author=CARLA))
    await take(store, B, shared)
    await settle(store, clock)
    (done,) = await forgotten(store, clock, A)
    assert done.counts.messages == 1
    assert CANARY not in await everything(store)
    assert [str(s) for (s,) in await rows(store, "SELECT source_id FROM messages")] == [B]


async def test_an_item_that_others_support_stays_without_the_forgotten_words(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "Please send the garden plan."))
    one, two = await stored(store, "x1"), await stored(store, "x2")
    await do(store, lambda c: put_item(c, "i1", "Send the garden plan", two, one))
    await do(store, lambda c: put_item(c, "i2", f"Send {CANARY} and the garden plan", two, one))
    before = await rows(store, "SELECT max(changed) FROM messages")
    (done,) = await forgotten(store, clock, one.id)
    assert CANARY not in await everything(store)
    assert done.items == ("i2", "i1") or done.items == ("i1", "i2")
    assert [item for (item,) in await rows(store, "SELECT id FROM actionables")] == ["i1"]
    looked_at_again = await rows(store, "SELECT changed FROM messages WHERE external_id = 'x2'")
    assert looked_at_again > before


async def test_what_is_not_there_is_refused_with_a_sentence(store: Store, clock: FakeClock) -> None:
    for word in ("nothing", "nobody@ciclone.example"):
        with pytest.raises(RejectedError, match="Nothing remembered"):
            await forgotten(store, clock, word)


async def test_a_forgetting_that_was_cut_off_is_finished_after_a_restart(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    await settle(store, clock)
    secret = await stored(store, "x1")
    await do(store, lambda c: forget(c, find(c, secret.id), now=clock.now()))
    assert CANARY in await everything(store), "the index is cleared by a job of its own"
    store.close()
    again = Store.open(home, key, Bus())
    try:
        await settle(again, clock)
        assert CANARY not in await everything(again)
    finally:
        again.close()


async def test_work_that_read_what_is_forgotten_meanwhile_may_not_write_it(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    secret = await stored(store, "x1")
    await settle(store, clock)
    wrote: list[str] = []

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        del payload
        texts = [str(text) for (text,) in await rows(store, "SELECT text FROM messages")]
        if not wrote:
            await do(store, lambda c: forget(c, find(c, secret.id), now=clock.now()))
        wrote.append("")

        def work(connection: Connection) -> tuple[None, list[Event]]:
            for text in texts:
                connection.execute("INSERT INTO participants (address, name) VALUES ('', ?)", (text,))
            return None, []

        await context.finish(work)

    await ask(store, clock, "slow")
    await worker_of(store, clock, slow=run).settle()
    await settle(store, clock)
    assert len(wrote) == 2
    assert CANARY not in await everything(store)


async def test_a_call_and_a_look_under_way_bring_nothing_forgotten_back(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET))
    secret = await stored(store, "x1")
    await do(store, lambda c: put_traces(c, secret))
    await forgotten(store, clock, secret.id)
    seen = Evidence(
        secret.chunks[0].id, secret.id, A, secret.thread_id, secret.text, 0, 9, said_at=secret.sent_at
    )
    draft = Draft(
        title=f"Send the {CANARY} report",
        description="",
        source=ItemSource.EMAIL,
        priority=Priority.NORMAL,
        source_label="Mail",
        evidence=(seen,),
    )

    def end(connection: Connection) -> None:
        (entry,) = ledger_store.entries(connection, MONDAY - timedelta(days=1), 5)
        ledger_store.update(connection, replace(entry, response=secret.text))
        store_drafts(connection, [draft], now=clock.now(), room=9)

    await do(store, end)
    assert CANARY not in await everything(store)


async def test_the_vector_of_a_passage_that_took_the_forgotten_in_is_made_anew(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))

    def vectors(connection: Connection) -> None:
        connection.execute("INSERT INTO embedding_models (id, name, dimensions) VALUES (1, 'm', 1)")
        for chunk, part, before in ((1, 0, None), (2, 0, None), (2, -1, 1)):
            connection.execute(
                "INSERT INTO vectors (model_id, chunk_seq, part, before_seq, content_hash, scale, numbers) "
                "VALUES (1, ?, ?, ?, '', 1.0, x'00')",
                (chunk, part, before),
            )
        connection.execute("INSERT INTO stage_cursors (stage, place) VALUES ('embed m', 2)")

    await do(store, vectors)
    secret = await stored(store, "x1")
    await do(store, lambda c: forget(c, find(c, secret.id), now=clock.now()))
    assert await rows(store, "SELECT chunk_seq, part FROM vectors") == [(2, 0)]
    assert ("re-embed",) in await rows(store, "SELECT kind FROM jobs WHERE state = 'ready'")


async def test_what_was_forgotten_does_not_come_back_when_its_source_is_read_again(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    await forgotten(store, clock, (await stored(store, "x1")).id)
    again = await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    assert (again.new, again.known) == (0, 2)
    assert CANARY not in await everything(store)


async def test_what_was_forgotten_does_not_come_back_in_other_words_of_the_same_message(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET, identity="made of its words"))
    await forgotten(store, clock, (await stored(store, "x1")).id)
    again = await take(store, A, mail(1, f"{SECRET} Thanks!", identity="made of its new words"))
    assert (again.new, again.known) == (0, 1)
    assert CANARY not in await everything(store)


async def test_a_forgotten_note_does_not_come_back_under_another_name(store: Store, clock: FakeClock) -> None:
    note = replace(mail(1, SECRET, identity="note:plans.md"), kind="note", channel="note")
    moved = replace(note, external_id="old/plans.md", identity="note:old/plans.md")
    await take(store, A, note)
    await forgotten(store, clock, (await stored(store, "x1")).id)
    again = await take(store, A, moved, gone=["x1"])
    assert (again.new, again.known) == (0, 1)
    assert CANARY not in await everything(store)
    assert (await take(store, B, moved)).new == 1


async def test_a_source_that_is_removed_and_added_again_comes_in_whole(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    await forgotten(store, clock, (await stored(store, "x1")).id)
    await forgotten(store, clock, A)
    assert (await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))).new == 2


async def test_what_a_removed_source_gave_up_just_before_leaves_nothing_behind(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, SECRET), mail(2, "The garden is green."))
    await settle(store, clock)
    await do(store, lambda connection: give_up(connection, A, ["x1"], now=clock.now()))
    await forget_now(store, clock, [A])
    assert CANARY not in await everything(store)


async def test_somebody_whom_others_only_wrote_about_leaves_the_registry(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, mail(1, "Please write to bo@harbour.example about the boat."))
    await settle(store, clock)
    gone = await forget_now(store, clock, ["bo@harbour.example"])
    assert (gone.entities, gone.messages) == (1, 0)
    assert await store.read(lambda connection: find_entities(connection, "bo@harbour.example")) == []


async def test_every_table_that_names_a_message_is_reached(store: Store) -> None:
    def read(connection: Connection) -> set[str]:
        tables = connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND name NOT LIKE 'chunk_index%'"
        )
        return {
            str(table)
            for (table,) in tables
            for (column,) in connection.rows("SELECT name FROM pragma_table_info(?)", (table,))
            if column in NAMING
        }

    naming = await store.read(read)
    assert naming <= set(REACHED), f"forgetting must reach {sorted(naming - set(REACHED))}"
