"""Recall finds what fits a question, says why, and stays useful without a model."""

import importlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import TypeVar

import pytest

from heedful.core.ids import SourceId, ThreadId
from heedful.memory import Filters, Hit, Sense, recall
from heedful.memory.embeddings import vector_within
from heedful.memory.jobs import embed
from heedful.memory.search import scope
from heedful.memory.work.worker import Worker
from heedful.sources import Incoming, Person
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.incoming import MONDAY, A, B, letter, take
from tests.memory.workshop import tools_with

T = TypeVar("T")

CAROLINE = Person("Caroline", "caroline@ciclone.example")
MELANIE = Person("Melanie", "melanie@ciclone.example")


@pytest.fixture
def meaning() -> FakeMeaning:
    return FakeMeaning(BoxEmbedder())


async def embedded(store: Store, meaning: FakeMeaning, source: SourceId = A, *items: Incoming) -> None:
    await take(store, source, *items)
    clock = FakeClock(MONDAY)
    await Worker(tools_with(store, clock, meaning), lambda: {"embed": embed.JOB}).settle()


async def found(
    store: Store, text: str, meaning: FakeMeaning | None = None, filters: Filters | None = None
) -> list[Hit]:
    sense: Sense | None = await meaning.sense(text) if meaning is not None else None
    return await store.read(
        lambda connection: recall(connection, text, filters=filters or Filters(), sense=sense, now=MONDAY)
    )


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.external_id for hit in hits]


async def test_what_was_said_in_other_words_is_found_by_meaning(store: Store, meaning: FakeMeaning) -> None:
    await embedded(
        store, meaning, A, letter(1, "The automobile is in the garage."), letter(2, "Lunch was fine."),
        letter(3, "The weather turns tomorrow."),
    )  # fmt: skip
    hits = await found(store, "car", meaning)
    assert ids(hits)[0] == "x1"
    assert hits[0].fts_rank is None
    assert hits[0].cosine is not None
    assert hits[0].cosine > 0.2
    assert not hits[0].degraded


async def test_a_fresh_passage_without_a_vector_is_found_and_without_a_model_the_hit_says_degraded(
    store: Store, meaning: FakeMeaning
) -> None:
    await take(store, A, letter(1, "The invoice of the dentist is due."))
    (hit,) = await found(store, "What about the dentist?")
    assert hit.external_id == "x1"
    assert hit.degraded
    assert hit.cosine is None
    (again,) = await found(store, "What about the dentist?", meaning)
    assert again.external_id == "x1"


async def test_a_fresh_passage_is_found_beside_those_that_have_vectors(
    store: Store, meaning: FakeMeaning
) -> None:
    await embedded(
        store, meaning, A, letter(1, "The automobile is in the garage."), letter(2, "A new automobile.")
    )
    await take(store, A, letter(3, "The invoice of the dentist is due."))
    hits = {hit.external_id: hit for hit in await found(store, "What about the dentist?", meaning)}
    assert hits["x3"].fts_rank == 1
    assert hits["x3"].cosine is None
    assert hits["x1"].cosine is not None


async def test_a_model_out_of_reach_degrades_recall_and_breaks_nothing(
    store: Store, meaning: FakeMeaning
) -> None:
    await embedded(store, meaning, A, letter(1, "The invoice of the dentist is due."))
    meaning.fake = BoxEmbedder(in_reach=False)
    (hit,) = await found(store, "dentist", meaning)
    assert hit.degraded


async def test_a_hit_says_what_spoke_for_it(store: Store, meaning: FakeMeaning) -> None:
    await embedded(
        store, meaning, A, letter(1, "I painted a sunrise.", author=MELANIE),
        letter(2, "I painted a sunrise.", author=CAROLINE),
    )  # fmt: skip
    first, second = await found(store, "When did Melanie paint a sunrise?", meaning)
    assert (first.external_id, second.external_id) == ("x1", "x2")
    assert first.boosts["author"] > 0
    assert second.boosts["other_author"] < 0
    assert {"match", "cover", "phrase", "part", "after"} <= set(first.boosts)
    assert first.score == pytest.approx(sum(first.boosts.values()), abs=0.05)


async def test_a_short_turn_is_found_by_what_came_before_it(store: Store, meaning: FakeMeaning) -> None:
    talk = {"thread_key": "t", "subject": ""}
    await embedded(
        store, meaning, A,
        letter(1, "Which colour did the kitchen get?", author=CAROLINE, **talk),
        letter(2, "Turquoise, we finished yesterday.", author=MELANIE, **talk),
        *(letter(number, f"Something else entirely {number}.") for number in range(3, 9)),
    )  # fmt: skip
    assert set(ids(await found(store, "colour of the kitchen", meaning))[:2]) == {"x1", "x2"}


async def test_a_message_is_found_once_by_its_best_passage(store: Store) -> None:
    filler = "Nothing of note was said in this part. " * 60
    await take(store, A, letter(1, f"The dentist called. {filler} The dentist called about the bill."))
    (hit,) = await found(store, "the dentist's bill")
    assert "bill" in hit.excerpt


async def test_a_day_that_the_question_names_prefers_what_was_said_then(store: Store) -> None:
    await take(
        store, A,
        letter(1, "We met for lunch.", sent_at=MONDAY - timedelta(days=200)),
        letter(2, "We met for lunch.", sent_at=MONDAY - timedelta(days=7)),
        letter(3, "We met for lunch.", sent_at=MONDAY - timedelta(days=90)),
    )  # fmt: skip
    hits = await found(store, "Whom did we meet for lunch last week?")
    assert hits[0].external_id == "x2"
    assert "day" in hits[0].boosts
    assert ids(await found(store, "Whom did we meet for lunch on 1 September 2026?"))[0] == "x3"


async def test_words_of_a_language_are_found_in_their_other_forms(store: Store) -> None:
    await take(
        store, A,
        letter(1, "As reuniões foram canceladas pela diretora.", lang="pt"),
        letter(2, "O almoço foi bom.", lang="pt"),
    )  # fmt: skip
    assert ids(await found(store, "Quem cancelou a reunião?")) == ["x1"]


async def test_a_misspelt_rare_word_is_tried_by_its_beginning(store: Store) -> None:
    await take(store, A, letter(1, "Ask Kowalczyk about the pump."), letter(2, "Ask somebody."))
    assert ids(await found(store, "Kowalcz")) == ["x1"]


async def test_filters_hold_for_what_is_found_by_meaning_too(store: Store, meaning: FakeMeaning) -> None:
    await embedded(store, meaning, A, letter(1, "The automobile is here."))
    await embedded(store, meaning, B, letter(2, "Another automobile is there."))
    assert ids(await found(store, "car", meaning, Filters(source_id=B))) == ["x2"]
    assert ids(await found(store, "car", meaning, Filters(among=frozenset({A})))) == ["x1"]
    assert ids(await found(store, "car", meaning, Filters(since=MONDAY + timedelta(days=1)))) == []


@pytest.mark.parametrize("few", [0, 1000])
@pytest.mark.parametrize("whole", [1000, 1])
async def test_within_a_filter_meaning_finds_what_stands_far_behind_others_elsewhere(
    store: Store, meaning: FakeMeaning, monkeypatch: pytest.MonkeyPatch, whole: int, few: int
) -> None:
    monkeypatch.setattr(scope, "FEW", few)
    monkeypatch.setattr(vector_within, "COMPARED_WHOLE", whole)
    await embedded(
        store, meaning, A,
        letter(1, "The automobile stands in the yard behind the house.", author=CAROLINE, subject="", thread_key="t"),
        letter(2, "Lunch was fine.", author=CAROLINE, subject="", thread_key="t"),
    )  # fmt: skip
    await embedded(store, meaning, B, *(letter(n, "The automobile.", subject="") for n in range(3, 160)))
    thread = await store.read(lambda c: c.value("SELECT thread_id FROM messages WHERE external_id = 'x1'"))
    for narrow in (Filters(source_id=A), Filters(thread_id=ThreadId(str(thread)))):
        assert ids(await found(store, "car", meaning, narrow))[:1] == ["x1"]


class AtOnce(ThreadPoolExecutor):
    """Does what it is handed before anything else."""

    def submit(self, fn: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        done = Future[T]()
        done.set_result(fn(*args, **kwargs))
        return done


async def test_what_is_found_does_not_hang_on_what_another_thread_compares_meanwhile(
    store: Store, meaning: FakeMeaning, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("automobile", "car", "garage", "lunch", "weather", "travel")
    await embedded(
        store, meaning, A, *(letter(n, f"The {words[n % 6]} and the {words[n % 5]}.") for n in range(60))
    )
    questions = [f"{first} {second}" for first in words for second in words]
    beside = [await found(store, text, meaning) for text in questions]
    monkeypatch.setattr(
        importlib.import_module("heedful.memory.recall.recalling"), "ThreadPoolExecutor", AtOnce
    )
    assert [await found(store, text, meaning) for text in questions] == beside


async def test_what_is_gone_is_not_found_by_its_vector(store: Store, meaning: FakeMeaning) -> None:
    await embedded(
        store, meaning, A, letter(1, "The automobile is here."), letter(2, "The automobile is there.")
    )
    assert len(await found(store, "car", meaning)) == 2
    await take(store, A, gone=("x1",))
    assert ids(await found(store, "car", meaning)) == ["x2"]


@pytest.mark.parametrize("text", ["", "  ", "?!", "\0", "\ud800", '"', "the of and", "NEAR(", "a" * 5000])
async def test_no_question_raises(store: Store, meaning: FakeMeaning, text: str) -> None:
    await embedded(store, meaning, A, letter(1, "The automobile is here."))
    assert isinstance(await found(store, text, meaning), list)


async def test_a_day_that_is_named_brings_what_was_said_on_it_though_it_shares_no_word(store: Store) -> None:
    await take(
        store, A,
        letter(1, "Nothing but rain.", sent_at=MONDAY - timedelta(days=200)),
        *(letter(number, "What did Ana watch today?", sent_at=MONDAY) for number in range(2, 9)),
    )  # fmt: skip
    hits = await found(store, "What did Ana watch on 14 May 2026?")
    assert "x1" in ids(hits)


async def test_words_as_they_were_asked_count_for_more_than_the_same_words_apart(store: Store) -> None:
    await take(
        store, A,
        letter(1, "The regime of home exercises replaces the classes."),
        letter(2, "The exercises replaced home classes; a regime of the school."),
    )  # fmt: skip
    hits = await found(store, "What is the regime of home exercises?")
    assert ids(hits)[0] == "x1"
    assert hits[0].boosts["verbatim"] > hits[1].boosts.get("verbatim", 0.0)


async def test_a_telling_word_beside_a_small_one_counts_for_half_of_two_telling_ones(store: Store) -> None:
    await take(
        store, A,
        letter(1, "A garage key hung here for years, and nobody took it."),
        letter(2, "The garage was locked for years, and a key was lost."),
    )  # fmt: skip
    together, apart = await found(store, "Is the garage key mine?")
    assert ids([together, apart]) == ["x1", "x2"]
    assert together.boosts["verbatim"] == pytest.approx(2 * apart.boosts["verbatim"], abs=0.002)


async def test_in_the_record_of_a_talk_what_the_named_one_says_counts(store: Store) -> None:
    await take(
        store, A,
        letter(1, "Marketing: The buttons should be red.\nUser Interface: I see.\nMarketing: Really red buttons."),
        letter(2, "User Interface: The buttons should be red.\nMarketing: I see.\nUser Interface: Really red buttons."),
    )  # fmt: skip
    hits = await found(store, "What did Marketing say about the buttons?")
    assert ids(hits)[0] == "x1"
    assert hits[0].boosts["said"] > hits[1].boosts["said"]


async def test_in_a_conversation_what_stands_beside_a_near_turn_is_lifted(
    store: Store, meaning: FakeMeaning
) -> None:
    talk = {"thread_key": "t", "subject": ""}
    long = "and so on it went with this and that for quite a while " * 6
    await embedded(
        store, meaning, A,
        letter(1, f"The automobile is in the garage {long}", author=CAROLINE, **talk),
        letter(2, f"Blue suits me {long}", author=MELANIE, **talk),
        letter(3, f"Blue suits me {long}", author=MELANIE, thread_key="u", subject=""),
    )  # fmt: skip
    hits = {hit.external_id: hit for hit in await found(store, "Which car?", meaning)}
    assert hits["x2"].boosts["around"] > 0
    assert "around" not in hits["x3"].boosts
    assert hits["x2"].score > hits["x3"].score


async def test_another_language_is_favoured_only_where_words_favour_the_questions_own(
    store: Store, meaning: FakeMeaning
) -> None:
    await embedded(
        store, meaning, A, letter(1, "The automobile is in the garage.", lang="en"),
        letter(2, "Das Auto ist in der Garage.", lang="de"),
    )  # fmt: skip
    hits = await found(store, "car", meaning)
    assert sorted(ids(hits)) == ["x1", "x2"]
    assert all("foreign" not in hit.boosts for hit in hits)
    await embedded(store, meaning, A, letter(3, "A car is a car.", lang="en"))
    boosts = {hit.external_id: hit.boosts for hit in await found(store, "car", meaning)}
    assert [name for name, of in boosts.items() if "foreign" in of] == ["x2"]


async def test_a_short_text_is_held_back_but_not_in_a_script_whose_signs_are_words(
    store: Store, meaning: FakeMeaning
) -> None:
    await embedded(
        store, meaning, A, letter(1, "automobile 在车库里", subject="", lang="en"),
        letter(2, "automobile in the yard", subject="", lang="en"),
    )  # fmt: skip
    boosts = {hit.external_id: hit.boosts for hit in await found(store, "car", meaning)}
    assert "short" not in boosts["x1"]
    assert boosts["x2"]["short"] < 0
