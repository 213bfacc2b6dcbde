"""Passages get their vectors in the background, by the model the person chose, each once."""

from heedful.core.ids import content_id
from heedful.memory import recall
from heedful.memory.jobs import embed
from heedful.memory.messages.cursors_store import advance
from heedful.memory.queue.asking import enqueue
from heedful.memory.work.worker import Settled, Worker
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.incoming import MONDAY, A, B, do, letter, take
from tests.memory.workshop import tools_with


async def settle(store: Store, meaning: FakeMeaning | None) -> Settled:
    clock = FakeClock(MONDAY)
    return await Worker(tools_with(store, clock, meaning), lambda: {"embed": embed.JOB}).settle()


async def rows(store: Store, sql: str) -> list[tuple[object, ...]]:
    return list(await store.read(lambda connection: connection.rows(sql)))


async def test_every_passage_gets_vectors_once(store: Store) -> None:
    model = BoxEmbedder()
    await take(store, A, letter(1, "Good morning."), letter(2, "A plain word. " * 200))
    await settle(store, FakeMeaning(model))
    asked = len(model.asked)
    assert await rows(
        store, "SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT chunk_seq FROM vectors)"
    ) == [(0,)]
    await settle(store, FakeMeaning(model))
    assert len(model.asked) == asked
    await take(store, A, letter(3, "One more."))
    await settle(store, FakeMeaning(model))
    assert len(model.asked) == asked + 1


async def test_what_has_no_embedding_has_no_row_and_never_zeros(store: Store) -> None:
    await take(store, A, letter(1, "…"), letter(2, "word"))
    model = BoxEmbedder()
    await settle(store, FakeMeaning(model))
    numbers = await rows(store, "SELECT numbers FROM vectors")
    assert numbers
    assert all(any(bytes(row[0])) for row in numbers)  # type: ignore[call-overload] # a blob, as the table says


async def test_a_row_knows_its_model_its_length_and_the_text_it_was_made_of(store: Store) -> None:
    model = BoxEmbedder()
    await take(store, A, letter(1, "Good morning."))
    await settle(store, FakeMeaning(model))
    (text,) = model.asked
    assert await rows(
        store,
        "SELECT e.name, e.dimensions = length(v.numbers), v.content_hash FROM vectors v "
        "JOIN embedding_models e ON e.id = v.model_id",
    ) == [(model.id, 1, content_id("embedded", text))]


async def test_an_edited_passage_is_embedded_anew_and_its_old_vectors_go(store: Store) -> None:
    model = FakeMeaning(BoxEmbedder())
    await take(store, A, letter(1, "The old words."))
    await settle(store, model)
    before = await rows(store, "SELECT id FROM vectors ORDER BY id")
    await take(store, A, letter(1, "The new words."))
    await settle(store, model)
    after = await rows(store, "SELECT id FROM vectors ORDER BY id")
    assert len(after) == len(before)
    assert not set(after) & set(before)
    assert await rows(store, "SELECT id FROM vector_codes ORDER BY id") == after


async def test_another_model_embeds_everything_anew_and_the_old_vectors_go_when_it_is_through(
    store: Store,
) -> None:
    await take(store, A, letter(1, "The automobile is here."))
    await settle(store, FakeMeaning(BoxEmbedder()))
    await take(store, A, letter(2, "It is there."))
    other = FakeMeaning(BoxEmbedder("others", dimensions=64))
    await settle(store, other)
    assert await rows(store, "SELECT name, dimensions FROM embedding_models") == [("others", 64)]
    assert await rows(store, "SELECT count(DISTINCT chunk_seq) FROM vectors") == [(2,)]


async def test_a_model_out_of_reach_puts_the_work_off_and_on_its_return_all_is_done(store: Store) -> None:
    model = BoxEmbedder(in_reach=False)
    await take(store, A, letter(1, "The automobile is here."))
    away = await settle(store, FakeMeaning(model))
    assert (away.failed, away.deferred) == (0, 1)
    model.in_reach = True
    back = await settle(store, FakeMeaning(model))
    assert (back.failed, back.deferred) == (0, 0)
    assert await rows(store, "SELECT count(DISTINCT chunk_seq) FROM vectors") == [(1,)]


async def test_what_must_not_leave_is_not_shown_to_a_model_elsewhere(store: Store) -> None:
    await take(store, A, letter(1, "A secret."))
    await take(store, B, letter(2, "No secret."))
    model = BoxEmbedder(away=frozenset({A}))
    await settle(store, FakeMeaning(model))
    assert model.seen == {B}
    assert not any("A secret" in text for text in model.asked)


async def test_a_turn_takes_in_no_word_of_a_source_that_must_not_leave(store: Store) -> None:
    await take(store, A, letter(1, "My secret harbour.", thread_key="talk"))
    await take(store, B, letter(2, "And mine.", thread_key="talk"), letter(3, "Not mine.", thread_key="talk"))
    model = BoxEmbedder(away=frozenset([A]))
    await settle(store, FakeMeaning(model))
    assert len(model.asked) == 2
    assert not any("harbour" in text for text in model.asked)


async def test_a_model_is_told_of_every_source_that_a_turn_takes_words_from(store: Store) -> None:
    await take(store, A, letter(1, "A long word. " * 100, thread_key="talk"))
    await take(store, B, letter(2, "A short one.", thread_key="talk"))
    model = BoxEmbedder()
    await do(store, lambda connection: advance(connection, embed.stage_of(model.id), 1))
    await settle(store, FakeMeaning(model))
    (turn,) = model.asked
    assert "A long word" in turn
    assert model.seen == {A, B}


async def test_without_a_model_there_is_nothing_to_do(store: Store) -> None:
    await take(store, A, letter(1))
    settled = await settle(store, FakeMeaning(None))
    assert (settled.failed, settled.deferred) == (0, 0)
    assert (await settle(store, None)).failed == 0
    assert await rows(store, "SELECT count(*) FROM vectors") == [(0,)]


async def test_going_back_to_an_earlier_model_embeds_everything_anew(store: Store) -> None:
    await take(store, A, letter(1, "The automobile is here."))
    for name in ("boxes", "others", "boxes"):
        await settle(store, FakeMeaning(BoxEmbedder(name)))
        assert await rows(store, "SELECT DISTINCT chunk_seq FROM vectors") == [(1,)]
        assert await rows(store, "SELECT name FROM embedding_models") == [(name,)]
        await do(store, lambda connection: enqueue(connection, "embed", "all", now=MONDAY))


async def test_a_model_that_changed_behind_its_name_is_not_mixed_with_what_it_made_before(
    store: Store, expected_logs: list[str]
) -> None:
    await take(store, A, letter(1, "The automobile is here."))
    await settle(store, FakeMeaning(BoxEmbedder()))
    await take(store, A, letter(2, "It is there."))
    changed = FakeMeaning(BoxEmbedder(dimensions=64))
    settled = await settle(store, changed)
    assert (settled.failed, settled.deferred) == (0, 1)
    assert await rows(store, "SELECT DISTINCT length(numbers) FROM vectors") == [(192,)]
    ((error,),) = await rows(store, "SELECT error FROM jobs WHERE kind = 'embed' AND state = 'ready'")
    assert str(error).startswith("The embedding model makes other vectors than before.")
    sense = await changed.sense("automobile")
    assert sense is not None
    hits = await store.read(lambda connection: recall(connection, "automobile", sense=sense))
    assert [hit.degraded for hit in hits] == [True]
    assert expected_logs == ["WARNING heedful.storage.store: a write failed: UserCanFixError"]
