"""What is worth a vector, and the models that make it."""

import json
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.errors import BudgetSpentError, HeedfulError, PassingError
from heedful.core.settings import BudgetSettings, EmbeddingSettings, Settings
from heedful.inference import Egress, Inference, KeptBackError, Ledger, NoConsentError
from heedful.memory import Meaning
from heedful.memory.embeddings import embeddable, embedded, embedder_for, parts, window
from heedful.memory.embeddings.embedded import NAME, EmbeddedModel
from heedful.memory.embeddings.openai_compatible import Remote, remote_embedder
from heedful.memory.embeddings.server import PROVIDER_ID, provider_of
from heedful.memory.embeddings.units import MOST_CHARACTERS
from heedful.memory.embeddings.vector_numpy import np
from heedful.memory.messages import sources_store
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedding_transport import Canned
from tests.fakes.model_server import ModelServer, Reply
from tests.fakes.secrets import FakeSecrets
from tests.memory.incoming import MONDAY, A, do, letter, take


@given(st.text(max_size=2000))
@settings(max_examples=60)
def test_parts_are_short_and_lose_no_word(text: str) -> None:
    found = parts(text, "en")
    assert all(len(part) <= MOST_CHARACTERS for part in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_what_is_longer_than_the_models_window_is_parted_between_its_sentences() -> None:
    said = [f"The {number}th boat of the harbour leaves on a Friday." for number in range(40)]
    found = parts(" ".join(said), "en")
    assert all(MOST_CHARACTERS / 2 < len(part) <= MOST_CHARACTERS for part in found[:-1])
    assert all(part.endswith("Friday.") for part in found)
    assert " ".join(found) == " ".join(said)


def test_a_sentence_that_is_longer_than_the_models_window_is_parted_between_its_words() -> None:
    said = "Boats " + "leave the harbour and " * 80 + "return."
    found = parts(said, "en")
    assert all(len(part) <= MOST_CHARACTERS for part in found)
    assert " ".join(found).split() == said.split()


@given(st.text(max_size=300), st.text(max_size=2000))
@settings(max_examples=60)
def test_a_window_keeps_the_turn_whole_and_is_short(text: str, before: str) -> None:
    made = window("Ana", text, "Rui", before)
    assert len(made) <= MOST_CHARACTERS
    assert made.endswith(" ".join(f"Ana: {' '.join(text.split())}".split()))


def test_a_window_shows_both_ends_of_a_long_turn_before() -> None:
    made = window("Ana", "Yes, on Friday.", "Rui", f"Shall we meet {'and ' * 300} or rather not?")
    assert made.startswith("Rui: Shall we meet")
    assert "rather not? Ana: Yes, on Friday." in made


@pytest.mark.parametrize("text", ["", "   ", "…", "?!", "\n\t"])
def test_what_says_nothing_is_not_embedded(text: str) -> None:
    assert embeddable(text) == ""


def test_half_a_character_and_a_flood_without_spaces_are_made_fit() -> None:
    assert embeddable("a\ud800b") == "a\ufffdb"
    assert len(embeddable("x" * 200_000)) == MOST_CHARACTERS


async def test_the_model_in_the_package_knows_the_same_in_other_words_and_languages() -> None:
    model = EmbeddedModel()
    assert model.id == NAME
    cat, gato, bank, nothing = await model.embed(
        ["The cat sleeps in the garden.", "O gato dorme no jardim.", "The bank raised its rates.", " "]
    )
    assert nothing is None
    assert cat is not None
    assert gato is not None
    assert bank is not None
    assert float(np.linalg.norm(cat)) == pytest.approx(1, abs=1e-3)
    assert float(cat @ gato) > 0.6 > 0.3 > float(cat @ bank)


async def test_the_settings_choose_the_embedder() -> None:
    assert isinstance(embedder_for(EmbeddingSettings()), EmbeddedModel)
    assert embedder_for(EmbeddingSettings(kind="none")) is None
    assert embedder_for(EmbeddingSettings(kind="openai_compatible")) is None


async def test_another_choice_in_the_settings_counts_from_the_next_question(store: Store) -> None:
    clock = FakeClock(MONDAY)
    async with ModelServer(replies=[answer([3, 4], [0, 2])]) as server:
        served = EmbeddingSettings(kind="openai_compatible", base_url=server.base_url, model="m")
        await Egress(store, clock).allow(PROVIDER_ID, server.base_url)
        chosen = EmbeddingSettings(kind="none")
        meaning = Meaning(lambda: chosen, lambda wanted: remote_of(wanted, store, clock))
        assert await meaning.sense("the boat") is None
        chosen = served
        by_server = await meaning.sense("the boat")
        assert by_server is not None
        assert by_server.model == remote_of(served, store, clock).id
        chosen = EmbeddingSettings()
        built_in = await meaning.sense("the boat")
        assert built_in is not None
        assert built_in.model == NAME
        assert built_in.index is not by_server.index


def test_other_weights_under_the_same_name_are_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    assert EmbeddedModel().id == NAME
    monkeypatch.setattr(embedded, "CHECKED_WEIGHTS", "0" * 64)
    assert EmbeddedModel().id.startswith(f"{NAME}+")


def remote_of(chosen: EmbeddingSettings, store: Store, clock: FakeClock) -> Remote:
    secrets, numbers = FakeSecrets(), count(1)
    inference = Inference(
        store, secrets, clock=clock, settings=Settings, environment={}, new_id=lambda: f"{next(numbers)}"
    )
    return remote_embedder(chosen, inference, secrets, clock=clock, new_id=lambda: f"e{next(numbers)}")


def answer(*vectors: list[float]) -> Reply:
    data = [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return Reply(200, json.dumps({"data": data[::-1]}))


async def test_a_server_is_asked_only_with_consent(store: Store) -> None:
    clock = FakeClock(MONDAY)
    async with ModelServer(replies=[answer([3, 4], [0, 2])]) as server:
        chosen = EmbeddingSettings(kind="openai_compatible", base_url=server.base_url, model="m")
        remote = remote_of(chosen, store, clock)
        with pytest.raises(NoConsentError):
            await remote.embed(["a"])
        assert not server.requests
        await Egress(store, clock).allow(PROVIDER_ID, server.base_url)
        first, second, nothing = await remote.embed(["a", "b", ""])
    assert first is not None
    assert second is not None
    assert nothing is None
    assert first.tolist() == pytest.approx([0.6, 0.8])
    assert second.tolist() == [0, 1]
    (row,) = await Ledger(store, clock, BudgetSettings).entries(MONDAY - timedelta(days=1))
    assert (row.purpose, row.provider, row.model, row.outcome) == ("recall", PROVIDER_ID, "m", "answered")
    assert row.usage.input > 0
    assert server.requests[0].body == {"model": "m", "input": ["a", "b"], "encoding_format": "float"}


@pytest.mark.parametrize(
    "body", ["{}", "[]", "null", '{"data": [{"index": 0, "embedding": [0, 0]}]}', '{"data": []}',
             '{"data": [{"index": 0, "embedding": ["x"]}]}', '{"data": [{"index": 0, "embedding": 1}]}',
             '{"data": [{"index": 1e999, "embedding": [1]}]}',
             f'{{"data": [{{"index": 0, "embedding": [1{400 * "0"}]}}]}}'],
)  # fmt: skip
async def test_an_answer_that_is_none_is_told_and_nothing_kept(store: Store, body: str) -> None:
    clock = FakeClock(MONDAY)
    async with ModelServer(replies=[Reply(200, body)]) as server:
        chosen = EmbeddingSettings(kind="openai_compatible", base_url=server.base_url, model="m")
        await Egress(store, clock).allow(PROVIDER_ID, server.base_url)
        with pytest.raises(PassingError):
            await remote_of(chosen, store, clock).embed(["a"])


async def test_a_server_that_refuses_raises_one_of_ours(store: Store) -> None:
    clock = FakeClock(MONDAY)
    async with ModelServer(replies=[Reply(401, '{"error": "no"}')]) as server:
        chosen = EmbeddingSettings(kind="openai_compatible", base_url=server.base_url, model="m")
        await Egress(store, clock).allow(PROVIDER_ID, server.base_url)
        with pytest.raises(HeedfulError):
            await remote_of(chosen, store, clock).embed(["a"])


async def test_a_source_that_stays_here_is_never_sent_elsewhere(store: Store) -> None:
    clock = FakeClock(MONDAY)
    await take(store, A, letter(1))
    await do(store, lambda connection: sources_store.set_egress(connection, A, "local-only"))
    chosen = EmbeddingSettings(kind="openai_compatible", base_url="https://vectors.example/v1", model="m")
    await Egress(store, clock).allow(PROVIDER_ID, "https://vectors.example/v1")
    remote = remote_of(chosen, store, clock)
    assert await remote.kept_back() == {A}
    with pytest.raises(KeptBackError):
        await remote.embed(["a"], source_ids=[A])


def on_an_allowance(store: Store, clock: FakeClock, daily_tokens: int) -> Inference:
    numbers = count(1)
    few = Settings(budget=BudgetSettings(daily_tokens=daily_tokens))
    return Inference(
        store,
        FakeSecrets(),
        clock=clock,
        settings=lambda: few,
        environment={},
        new_id=lambda: f"{next(numbers)}",
    )


def canned(inference: Inference, clock: FakeClock, base_url: str) -> Remote:
    """A server at an address that answers without being there."""
    numbers = count(1)

    async def no_key() -> str | None:
        return None

    chosen = EmbeddingSettings(kind="openai_compatible", base_url=base_url, model="m")
    return Remote(
        provider_of(chosen), no_key, transport=Canned(), inference=inference, clock=clock,
        new_id=lambda: f"e{next(numbers)}",
    )  # fmt: skip


async def test_vectors_made_on_this_computer_take_nothing_of_the_days_allowance(store: Store) -> None:
    clock = FakeClock(MONDAY)
    inference = on_an_allowance(store, clock, 200)
    await inference.egress.allow(PROVIDER_ID, "http://127.0.0.1:8080/v1")
    await canned(inference, clock, "http://127.0.0.1:8080").embed(
        [f"{number} " + "word " * 60 for number in range(20)], source_ids=[A]
    )
    rows = await inference.ledger.entries(MONDAY - timedelta(days=1))
    assert sum(row.usage.input for row in rows) > 200
    assert {row.cost_microdollars for row in rows} == {0}
    assert await inference.ledger.share_spent_today() == 0


async def test_passages_for_a_server_elsewhere_leave_half_of_the_allowance_and_a_question_may_use_it(
    store: Store,
) -> None:
    clock = FakeClock(MONDAY)
    inference = on_an_allowance(store, clock, 200)
    await take(store, A, letter(1))
    await inference.egress.allow(PROVIDER_ID, "https://vectors.example/v1")
    remote = canned(inference, clock, "https://vectors.example/v1")
    await remote.embed(["word " * 80], source_ids=[A])
    assert await inference.ledger.share_spent_today() >= 0.5
    with pytest.raises(BudgetSpentError, match="Half of today's allowance"):
        await remote.embed(["more"], source_ids=[A])
    (asked,) = await remote.embed(["a question"])
    assert asked is not None
