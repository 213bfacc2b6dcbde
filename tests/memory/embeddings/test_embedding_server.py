"""Trying an embedding server out: what it tells for each way in which a server answers, on loopback."""

import json
from datetime import timedelta
from itertools import count

import pytest

from heedful.core.errors import PassingError
from heedful.core.settings import BudgetSettings, EmbeddingSettings, Settings
from heedful.inference import Inference, Ledger, Trial
from heedful.inference.transport import HttpTransport
from heedful.memory.embeddings.openai_compatible import AT_ONCE, WITHIN_S, Remote, remote_embedder
from heedful.memory.embeddings.server import PROVIDER_ID, provider_of
from heedful.memory.embeddings.trying import OTHER, SAME, try_out
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedding_transport import Canned
from tests.fakes.model_server import CUT_BODY, HANGS, ModelServer, Received, Reply, error, web_page
from tests.fakes.secrets import FakeSecrets
from tests.memory.incoming import MONDAY, A

GOOD = ([0.9, 0.1], [0.8, 0.3], [0.0, 1.0])


def vectors(*numbers: list[float], **more: object) -> Reply:
    data = [{"index": place, "embedding": vector} for place, vector in enumerate(numbers)]
    return Reply(200, json.dumps({"data": data, **more}))


class Desk:
    """A store with a ledger, consent given or not, and a server to try."""

    def __init__(self, store: Store, server: ModelServer, *, model: str = "m") -> None:
        self.clock, self.secrets = FakeClock(MONDAY), FakeSecrets()
        self.chosen = EmbeddingSettings("openai_compatible", server.base_url, model)
        self.store = store
        self._numbers = count(1)
        self.inference = Inference(
            store, self.secrets, clock=self.clock, settings=Settings, environment={}, new_id=self.new_id
        )

    def new_id(self) -> str:
        return f"id-{next(self._numbers)}"

    def remote(self) -> Remote:
        return remote_embedder(
            self.chosen, self.inference, self.secrets, clock=self.clock, new_id=self.new_id
        )

    async def allow(self) -> None:
        await self.inference.egress.allow(PROVIDER_ID, self.chosen.base_url)

    async def trial(self, remote: Remote | None = None) -> Trial:
        provider = provider_of(self.chosen)
        return await try_out(provider, remote or self.remote(), self.inference, self.clock)


async def test_nothing_is_sent_without_consent(store: Store) -> None:
    async with ModelServer() as server:
        trial = await Desk(store, server).trial()
        assert not server.requests
    assert not trial.ok
    assert trial.sentences[0].startswith("You have not agreed to use 127.0.0.1 yet.")


async def test_a_good_server_is_told_with_the_size_of_its_vectors_and_kept_in_the_ledger(
    store: Store,
) -> None:
    reply = vectors(*GOOD, usage={"prompt_tokens": 31, "total_tokens": 31})
    async with ModelServer(replies=[reply], models=("m",)) as server:
        desk = Desk(store, server)
        await desk.allow()
        trial = await desk.trial()
        asked = server.requests[-1]
    assert trial == Trial(True, ("It answered in 0.0 s, with 2 numbers a passage.",), ("m",))
    assert asked.path == "/v1/embeddings"
    assert asked.body["input"] == [*SAME, OTHER]
    (row,) = await Ledger(store, desk.clock, BudgetSettings).entries(MONDAY)
    assert (row.purpose, row.source_ids, row.usage.input, row.estimated) == ("test", (), 31, False)


async def test_without_a_model_it_lists_what_the_server_has(store: Store) -> None:
    async with ModelServer(models=("nomic-embed-text", "all-minilm")) as server:
        desk = Desk(store, server, model="")
        await desk.allow()
        trial = await desk.trial()
    assert trial.models == ("nomic-embed-text", "all-minilm")
    assert trial.sentences == ("Choose one of its models: nomic-embed-text, all-minilm.",)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (error(401, "no such key"), "127.0.0.1 did not accept the key."),
        (Reply(404, '{"detail": "Not Found"}'), "127.0.0.1 makes no embeddings."),
        (error(501, "This server does not support embeddings."), "127.0.0.1 makes no embeddings."),
        (error(404, "model 'm' not found, try pulling it first"), "127.0.0.1 does not know the model “m”."),
        (error(429, "slow down"), "127.0.0.1 asks for a pause."),
        (Reply(503, "busy"), "127.0.0.1 is not available right now (503)."),
        (web_page(), "127.0.0.1 answered with a web page."),
        (Reply(200, "[]"), "The embedding server's answer can't be used. It holds no embeddings."),
        (vectors(GOOD[0]), "The embedding server's answer can't be used. Asked for 3 vectors, it gave 1."),
        (vectors([1.0], [1.0, 2.0], [1.0]), "The embedding server's answer can't be used. Its vectors are not all"),
        (vectors([], [], []), "The embedding server's answer can't be used. Its vectors are not all of one"),
        (
            vectors([float("nan"), 1.0], [1.0, 0.0], [0.0, 1.0]),
            "The embedding server's answer can't be used. It holds zeros, or what is no number.",
        ),
        (vectors([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), "The embedding server's answer can't be used. It holds zeros"),
        (vectors([1.0, 0.0], [0.0, 1.0], [1.0, 0.1]), "It answered, but two sentences of one meaning are no nearer"),
        (CUT_BODY, "The connection to 127.0.0.1 broke off."),
    ],
)  # fmt: skip
async def test_each_failure_has_a_sentence_of_its_own(store: Store, reply: Reply, says: str) -> None:
    async with ModelServer(replies=[reply], models=("m",)) as server:
        desk = Desk(store, server)
        await desk.allow()
        trial = await desk.trial()
    assert not trial.ok
    assert trial.sentences[0].startswith(says)


async def test_a_server_that_is_not_there_is_told(store: Store) -> None:
    async with ModelServer() as server:
        desk = Desk(store, server)
    await desk.allow()
    assert (await desk.trial()).sentences[0].startswith("127.0.0.1 does not answer on this computer.")


async def test_a_server_that_does_not_answer_in_time_is_told(store: Store) -> None:
    async with ModelServer(replies=[HANGS], models=("m",)) as server:
        desk = Desk(store, server)
        await desk.allow()

        async def no_key() -> str | None:
            return None

        slow = Remote(
            provider_of(desk.chosen), no_key, transport=HttpTransport(), inference=desk.inference, clock=desk.clock,
            new_id=desk.new_id, within_s={"test": 0.05},
        )  # fmt: skip
        trial = await desk.trial(slow)
    assert trial.sentences[0].startswith("127.0.0.1 did not answer within 0 s.")


async def test_the_key_goes_to_its_own_host_and_no_other(store: Store) -> None:
    async with ModelServer(replies=[vectors(*GOOD)], models=("m",)) as server:
        desk = Desk(store, server)
        desk.secrets.set("provider:embeddings@other.example", "of-another")
        desk.secrets.set("provider:embeddings@127.0.0.1", "of-this")
        await desk.allow()
        await desk.trial()
        assert {request.headers.get("authorization") for request in server.requests} == {"Bearer of-this"}


async def test_long_vectors_printed_wide_are_taken(store: Store) -> None:
    """As many numbers as the largest models have, a line each, as some servers print them."""

    def wide(received: Received) -> Reply:
        numbers = [[-0.0123456789 + place] * 4096 for place in range(len(received.body["input"]))]
        data = [{"index": place, "embedding": vector} for place, vector in enumerate(numbers)]
        return Reply(200, json.dumps({"data": data}, indent=4))

    async with ModelServer(otherwise=wide) as server:
        desk = Desk(store, server)
        await desk.allow()
        made = await desk.remote().embed([f"passage {number}" for number in range(AT_ONCE + 1)])
        assert len(server.requests) == 2
    assert all(vector is not None and len(vector) == 4096 for vector in made)


async def test_what_was_got_before_a_call_broke_off_is_not_asked_for_again(store: Store) -> None:
    def some(received: Received) -> Reply:
        return vectors(*([3.0, float(len(text))] for text in received.body["input"]))

    texts = [f"passage {'x' * number}" for number in range(1, AT_ONCE + 5)]
    async with ModelServer(otherwise=some) as server:
        desk = Desk(store, server)
        await desk.allow()
        remote = desk.remote()
        whole = await remote.embed(texts, source_ids=[A])
        server.requests.clear()
        server.replies += [some(Received("POST", "", {}, {"input": texts[:AT_ONCE]})), Reply(503, "busy")]
        with pytest.raises(PassingError):
            await remote.embed(texts, source_ids=[A])
        again = await remote.embed(texts, source_ids=[A])
        asked = [len(request.body["input"]) for request in server.requests]
    assert asked == [AT_ONCE, 4, 4]
    assert [vector is not None and vector.tolist() for vector in again] == [
        vector is not None and vector.tolist() for vector in whole
    ]


async def test_who_searches_waits_shorter_than_what_is_done_in_the_background() -> None:
    assert WITHIN_S["recall"] < WITHIN_S["test"] < WITHIN_S["embed"]


async def test_a_server_on_this_computer_is_known_to_work_for_us_while_it_does(store: Store) -> None:
    async with ModelServer() as server:
        desk = Desk(store, server)

        def answer(_: Received) -> Reply:
            desk.clock.advance(timedelta(seconds=3))
            return vectors([0.6, 0.8])

        server.otherwise = answer
        await desk.allow()
        await desk.remote().embed(["Good morning."], source_ids=(A,))
    assert desk.inference.precedence.busy_s == 3.0


@pytest.mark.parametrize(
    ("address", "kept"),
    [("http://127.0.0.1:9/v1", [None, "Who?"]), ("https://models.example/v1", ["Good morning.", "Who?"])],
)
async def test_the_ledger_keeps_the_passages_that_left_the_machine_and_no_others(
    store: Store, address: str, kept: list[str | None]
) -> None:
    async with ModelServer() as server:
        desk = Desk(store, server)
    provider = provider_of(EmbeddingSettings("openai_compatible", address, "m"))
    await desk.inference.egress.allow(PROVIDER_ID, provider.endpoint.base_url)

    async def no_key() -> None:
        return None

    remote = Remote(
        provider, no_key, transport=Canned(), inference=desk.inference, clock=desk.clock, new_id=desk.new_id
    )
    await remote.embed(["Good morning."], source_ids=(A,))
    desk.clock.advance(timedelta(seconds=1))
    await remote.embed(["Who?"])
    entries = await desk.inference.ledger.entries(MONDAY)
    assert [entry.request for entry in reversed(entries)] == kept
    assert all(entry.usage.input for entry in entries)
