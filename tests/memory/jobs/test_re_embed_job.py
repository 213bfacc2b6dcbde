"""Passages that were passed over get their vectors later: what may leave now, and what stood beside an edit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest

from heedful.core.bus import Bus
from heedful.core.ids import SourceId
from heedful.memory import Library
from heedful.memory.embeddings import vector_gaps
from heedful.memory.embeddings.vector_numpy import Floats
from heedful.memory.forget.forgetting import forget
from heedful.memory.forget.targets import find
from heedful.memory.jobs import embed, re_embed
from heedful.memory.work.worker import Settled, Worker
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.forgetting import stored
from tests.memory.incoming import MONDAY, A, B, do, letter, rows, take
from tests.memory.workshop import tools_with

BARE = "SELECT seq FROM chunks WHERE seq NOT IN (SELECT chunk_seq FROM vectors)"


async def settle(store: Store, model: BoxEmbedder) -> Settled:
    kinds = {"embed": embed.JOB, "re-embed": re_embed.JOB}
    return await Worker(tools_with(store, FakeClock(MONDAY), FakeMeaning(model)), lambda: kinds).settle()


async def test_a_source_that_may_be_shown_to_the_model_now_gets_the_vectors_it_lacks(
    store: Store, bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(re_embed, "AT_ONCE", 3)
    library = Library(store, bus, FakeClock(MONDAY))
    for number in range(0, 20, 2):
        await take(store, A, letter(number, f"A secret of number {number}."))
        await take(store, B, letter(number + 1, f"No secret of number {number}."))
    await library.set_egress(A, "local-only")
    model = BoxEmbedder(away=frozenset({A}))
    await settle(store, model)
    assert len(await rows(store, BARE)) == 10
    model.away = frozenset()
    await library.set_egress(A, "allowed")
    asked = len(model.asked)
    settled = await settle(store, model)
    assert (settled.failed, settled.deferred) == (0, 0)
    assert await rows(store, BARE) == []
    assert len(model.asked) - asked == 10
    await library.set_egress(A, "allowed")
    await settle(store, model)
    assert len(model.asked) - asked == 10


@pytest.mark.parametrize("change", ["edit", "forget"])
async def test_the_passage_after_an_edited_or_forgotten_one_is_embedded_anew_without_its_words(
    store: Store, change: str
) -> None:
    model = BoxEmbedder()
    await take(
        store,
        A,
        letter(1, "The automobile is blue.", thread_key="t"),
        letter(2, "Indeed it is.", thread_key="t"),
        letter(3, "And far away.", thread_key="other"),
    )
    await settle(store, model)
    asked = len(model.asked)
    if change == "edit":
        await take(store, A, letter(1, "The bicycle is blue.", thread_key="t"))
    else:
        first = await stored(store, "x1")
        await do(store, lambda c: forget(c, find(c, first.id), now=MONDAY))
    await settle(store, model)
    again = model.asked[asked:]
    assert any("Indeed it is." in text for text in again)
    assert not any("automobile" in text or "far away" in text for text in again)
    assert await rows(store, BARE) == []


def gap(connection: Connection, chunk: int) -> None:
    connection.execute("DELETE FROM vectors WHERE chunk_seq = ?", (chunk,))
    vector_gaps.ask_to_fill(connection, now=MONDAY)


@dataclass(slots=True)
class InterruptedEmbedder(BoxEmbedder):
    """Another gap is asked to be closed while it works."""

    store: Store | None = None

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> list[Floats | None]:
        if self.store is not None:
            store, self.store = self.store, None
            await do(store, lambda connection: gap(connection, 2))
        return await BoxEmbedder.embed(self, texts, source_ids=source_ids)


async def test_gaps_asked_for_while_others_are_closed_are_closed_too(store: Store) -> None:
    model = InterruptedEmbedder()
    await take(store, A, *(letter(number, f"Word of number {number}.") for number in range(6)))
    await settle(store, model)
    await do(store, lambda connection: gap(connection, 4))
    model.store = store
    await settle(store, model)
    assert await rows(store, BARE) == []


async def test_without_a_model_gaps_stay_and_nothing_fails(store: Store) -> None:
    await take(store, A, letter(1))
    await do(store, lambda c: vector_gaps.ask_to_fill(c, now=MONDAY))
    kinds = {"re-embed": re_embed.JOB}
    settled = await Worker(tools_with(store, FakeClock(MONDAY), FakeMeaning(None)), lambda: kinds).settle()
    assert (settled.failed, settled.deferred) == (0, 0)
