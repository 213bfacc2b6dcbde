"""Broad questions go down through the summaries, sharp ones straight to what was said, and nothing stays invisible."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from heedful.core.ids import SourceId
from heedful.memory import Filters, Hit, Sense, recall
from heedful.memory.forget.forgetting import forget
from heedful.memory.forget.targets import find
from heedful.memory.recall import by_words
from heedful.memory.recall.nodes import below_summaries
from heedful.memory.search.question import understand
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.sources import Incoming
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.incoming import MONDAY, A, B, do, letter, rows, take
from tests.memory.workshop import tools_with

STAGES = ("embed", "seal", "summarise", "digest", "embed_nodes")
MOVING = (
    "We spoke about the moving van.", "The landlord wants the keys of the old flat.", "Boxes are in the cellar.",
    "The lift of the new flat is booked.", "Aunt Ida takes the piano.",
)  # fmt: skip
GARDEN = ("The tomatoes need stakes.", "The hedge was cut.", "We sowed beans in the garden.", "Slugs again.")


async def remembered(
    store: Store, *items: Incoming, meaning: FakeMeaning | None = None, source: SourceId = A
) -> None:
    await take(store, source, *items)
    kinds = {name: kind for name, kind in job_kinds().items() if name in STAGES}
    await Worker(tools_with(store, FakeClock(MONDAY), meaning), lambda: kinds).settle()


async def found(
    store: Store, text: str, *, meaning: FakeMeaning | None = None, filters: Filters | None = None
) -> list[Hit]:
    sense: Sense | None = await meaning.sense(text) if meaning is not None else None
    return await store.read(
        lambda connection: recall(connection, text, filters=filters or Filters(), sense=sense, now=MONDAY)
    )


def talk(first: int, texts: Sequence[str], thread: str, *, days_ago: int) -> list[Incoming]:
    return [
        letter(
            first + place, text, thread_key=thread, thread_title=thread, subject="", channel="chat",
            sent_at=MONDAY - timedelta(days=days_ago) + timedelta(minutes=place),
        )
        for place, text in enumerate(texts)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "What did we talk about in March?", "What is going on with the move?", "Summary of last week",
        "Worüber haben wir im März gesprochen?", "Was ist mit dem Umzug los?", "O que aconteceu na semana passada?",
        "¿De qué hablamos en marzo?",
    ],
)  # fmt: skip
def test_a_question_for_an_overview_is_known_as_one(text: str) -> None:
    assert understand(text, now=MONDAY).is_broad


@pytest.mark.parametrize(
    "text",
    ["Who has the keys?", "What did Ana say about the summary?", "Wer hat im März angerufen?", "invoice 17"],
)
def test_a_sharp_question_is_not(text: str) -> None:
    assert not understand(text, now=MONDAY).is_broad


async def test_an_overview_leads_through_the_summary_to_what_shares_no_word_with_the_question(
    store: Store,
) -> None:
    await remembered(
        store, *talk(1, MOVING, "household", days_ago=3), *talk(20, GARDEN, "garden", days_ago=40)
    )
    hits = await found(store, "What is going on with the moving van?")
    assert {hit.external_id for hit in hits[:5]} == {f"x{number}" for number in range(1, 6)}
    beside = next(hit for hit in hits if hit.external_id == "x5")
    assert beside.fts_rank is None
    assert beside.boosts["summary"] > 0


async def test_a_sharp_question_does_not_go_through_summaries(store: Store) -> None:
    await remembered(store, *talk(1, MOVING, "household", days_ago=3))
    hits = await found(store, "Who wrote about the moving van?")
    assert [hit.external_id for hit in hits] == ["x1"]
    assert "summary" not in hits[0].boosts


async def test_an_overview_of_days_is_about_what_was_said_on_them(store: Store) -> None:
    await remembered(
        store, *talk(1, MOVING, "household", days_ago=3), *talk(20, GARDEN, "garden", days_ago=40)
    )
    hits = await found(store, "What did we talk about last week?")
    assert {hit.external_id for hit in hits} == {f"x{number}" for number in range(1, 6)}
    assert all(hit.boosts["day"] > 0 for hit in hits)
    earlier = await found(store, "What did we talk about in October 2026?")
    assert {hit.external_id for hit in earlier} == {f"x{number}" for number in range(20, 24)}


async def test_what_hangs_in_no_tree_yet_is_in_the_overview(store: Store) -> None:
    await remembered(store, *talk(1, MOVING, "household", days_ago=3))
    await take(store, A, *talk(9, ["The moving van came late."], "household", days_ago=2))
    assert "x9" in [hit.external_id for hit in await found(store, "What is going on with the moving van?")]
    assert "x9" in [hit.external_id for hit in await found(store, "What did we talk about last week?")]


async def test_what_an_unsealed_node_holds_but_does_not_tell_of_yet_is_in_the_overview(store: Store) -> None:
    await remembered(store, *talk(1, MOVING, "household", days_ago=3))
    await take(
        store, A, *talk(9, ["A lamp broke when Ana carried it down to the yard."], "household", days_ago=3)
    )
    seal = {"seal": job_kinds()["seal"]}
    await Worker(tools_with(store, FakeClock(MONDAY), None), lambda: seal).settle()
    assert await rows(store, "SELECT count(*) FROM nodes WHERE stale > 0 AND scope = 'thread'") != [(0,)]
    assert "x9" in [hit.external_id for hit in await found(store, "What is going on with the moving van?")]


async def test_filters_hold_below_summaries(store: Store) -> None:
    await remembered(store, *talk(1, MOVING, "household", days_ago=3))
    await remembered(store, *talk(20, ["The moving van of the office."], "office", days_ago=3), source=B)
    question = "What is going on with the moving van?"
    only = await found(store, question, filters=Filters(source_id=B))
    assert [hit.external_id for hit in only] == ["x20"]
    assert (
        await found(
            store, "What did we talk about last week?", filters=Filters(until=MONDAY - timedelta(days=9))
        )
        == []
    )


async def test_summaries_have_vectors_and_lose_them_with_their_text(store: Store) -> None:
    meaning = FakeMeaning(BoxEmbedder())
    await remembered(store, *talk(1, MOVING, "household", days_ago=3), meaning=meaning)
    without = (
        "SELECT count(*) FROM nodes n WHERE n.text <> '' AND n.seq NOT IN (SELECT node_seq FROM node_vectors)"
    )
    assert await rows(store, without) == [(0,)]
    before = await rows(store, "SELECT node_seq FROM node_vectors")
    await remembered(store, *talk(7, ["The automobile is sold."], "household", days_ago=1), meaning=meaning)
    assert await rows(store, without) == [(0,)]
    assert len(await rows(store, "SELECT node_seq FROM node_vectors")) >= len(before)
    hits = await found(store, "Tell me about the car", meaning=meaning)
    sold = next(hit for hit in hits if hit.external_id == "x7")
    assert sold.boosts["summary"] > 0


async def test_a_summary_in_which_a_source_speaks_that_stays_here_gets_no_vector(store: Store) -> None:
    model = BoxEmbedder(away=frozenset([A]))
    await remembered(store, *talk(1, MOVING, "household", days_ago=3), meaning=FakeMeaning(model))
    assert await rows(store, "SELECT count(*) FROM node_vectors") == [(0,)]
    assert A not in model.seen


async def test_a_summary_that_forgetting_wrote_anew_gets_its_vector(store: Store) -> None:
    meaning = FakeMeaning(BoxEmbedder())
    await remembered(store, *talk(1, MOVING, "household", days_ago=3), meaning=meaning)
    ((message_id,),) = await rows(store, "SELECT id FROM messages WHERE external_id = 'x1'")
    await do(store, lambda connection: forget(connection, find(connection, str(message_id)), now=MONDAY))
    await remembered(store, meaning=meaning)
    counted = "SELECT count(*), count(v.node_seq) FROM nodes n LEFT JOIN node_vectors v ON v.node_seq = n.seq"
    ((nodes, vectors),) = await rows(store, f"{counted} WHERE n.text <> ''")
    assert nodes == vectors != 0


async def test_a_forgotten_thread_is_in_no_summary_that_leads_anywhere(store: Store) -> None:
    await remembered(
        store, *talk(1, MOVING, "household", days_ago=3), *talk(20, GARDEN, "garden", days_ago=3)
    )
    await take(store, A, gone=tuple(f"x{number}" for number in range(1, 6)))
    hits = await found(store, "What is going on with the moving van?")
    assert not {f"x{number}" for number in range(1, 6)} & {hit.external_id for hit in hits}


@pytest.mark.parametrize(
    "text",
    ["What happened on 27 November 2026?", "Was war am 27. November 2026?", "¿Qué pasó el 27 de noviembre?"],
)
async def test_the_message_of_the_day_that_is_named_comes_first(store: Store, text: str) -> None:
    await remembered(
        store, *talk(1, ["The boiler was mended."], "boiler", days_ago=3), *talk(20, GARDEN, "garden", days_ago=9),
        *talk(30, ["On 27 November we shall see what happened."], "plans", days_ago=20),
    )  # fmt: skip
    assert (await found(store, text))[0].external_id == "x1"


def test_yesterday_is_one_day_and_a_month_without_a_year_may_be_of_any_of_the_last_few() -> None:
    assert len(understand("What did I get yesterday?", now=MONDAY).periods) == 1
    assert len(understand("What did we talk about in March?", now=MONDAY).periods) == 5


async def test_a_script_without_spaces_is_neither_short_nor_foreign_to_itself(store: Store) -> None:
    meaning = FakeMeaning(BoxEmbedder())
    await remembered(
        store,
        letter(1, "明天的会议在三点开始", lang="en"),
        letter(2, "La reunión fue ayer.", lang="es"),
        meaning=meaning,
    )
    hits = {hit.external_id: hit for hit in await found(store, "明天会议几点", meaning=meaning)}
    assert "foreign" not in hits["x1"].boosts
    assert "short" not in hits["x1"].boosts


async def test_of_nodes_that_share_a_word_of_very_many_the_newest_are_looked_at(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, first in enumerate((1, 20, 40)):
        await remembered(store, *talk(first, GARDEN, f"garden {number}", days_ago=30 - 10 * number))

    async def below() -> set[int]:
        question = understand("What is going on with the beans and the zinnias?", now=MONDAY)
        return set(await store.read(lambda c: below_summaries(c, question, sense=None, leaves=())))

    everywhere = await below()
    monkeypatch.setattr(by_words, "MOST_RANKED", 1)
    newest = await below()
    assert newest
    assert newest < everywhere
