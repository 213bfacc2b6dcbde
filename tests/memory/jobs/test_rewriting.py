"""How a model's time is shared out: every node has its text before, the useful ones go first, none holds up others."""

import asyncio
from datetime import datetime, timedelta

import pytest

from heedful.core.settings import Settings
from heedful.inference.chat import Limits
from heedful.memory.queue.asking import enqueue
from heedful.memory.queue.queue_store import LEASE
from heedful.memory.tree import tree_store
from heedful.memory.tree.by_model import Refused
from heedful.memory.tree.tree_store import Scope, Tries
from heedful.memory.work.worker import LONGEST_REST_OF_MODEL_S
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import HANGS, ModelServer, Received, Reply, error, items
from tests.inference.desk import Desk
from tests.memory.grove import settle
from tests.memory.incoming import A, do, letter, rows, take

TRIES = Tries("summarise@5", "custom/small-model")
DAY = timedelta(days=1)
FATES = "SELECT scope_id, method, prompt FROM nodes WHERE scope = 'thread' ORDER BY ends_at DESC"
JOB = "SELECT state, attempts, deferrals FROM jobs WHERE kind = 'rewrite'"


@pytest.fixture
async def desk(store: Store, clock: FakeClock, server: ModelServer) -> Desk:
    made = Desk(store, clock, Settings(), limits=Limits(attempts=1))
    made.choose(server.base_url)
    await made.agreed()
    return made


async def talks(store: Store, clock: FakeClock, count: int, *, said: str = "costs 900 euros") -> None:
    """So many chats whose summaries wait for a model, the first the newest; nothing above them does."""
    for number in range(count):
        await take(
            store, A, letter(number, f"The roof of house {number} {said}.", thread_key=f"t{number}",
                channel="telegram", sent_at=clock.now() - number * timedelta(hours=1)), now=clock.now()
        )  # fmt: skip
    await settle(store, clock)
    clock.advance(2 * DAY)
    now = clock.now()

    def work(connection: Connection) -> None:
        connection.execute(
            "UPDATE nodes SET prompt = ? WHERE scope <> 'thread'", (TRIES.refused("too long"),)
        )
        enqueue(connection, "rewrite", "all", now=now)

    await do(store, work)


def echo(asked: Received) -> Reply:
    """Says of one node what was said in it."""
    told = asked.body["messages"][1]["content"]
    return items(
        {"text": next(line for line in told.splitlines() if line.startswith("[1]")).split(": ", 1)[1]}
    )


async def test_every_summary_stands_before_a_model_is_asked(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await take(store, A, letter(1, thread_key="t", channel="telegram"), now=clock.now() - 2 * DAY)
    clock.advance(2 * DAY)
    seen: list[int] = []
    untold = "SELECT id FROM nodes WHERE text = '' OR (stale > 0 AND scope <> 'day')"

    def answer(asked: Received) -> Reply:
        seen.append(len(store.read_now(lambda connection: connection.rows(untold))))
        return echo(asked)

    server.otherwise = answer
    await settle(store, clock, inference=desk.inference)
    assert set(seen) == {0}


async def test_a_node_that_was_sealed_by_its_age_is_offered_to_the_model_by_itself(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = echo
    said = (letter(at, f"House {at}.", thread_key="t", channel="telegram") for at in range(3))
    await take(store, A, *said, now=clock.now())
    await settle(store, clock, inference=desk.inference)
    assert {method for _, method, _ in await rows(store, FATES)} == {"extractive"}
    clock.advance(timedelta(hours=24))
    await settle(store, clock, inference=desk.inference)
    assert {method for _, method, _ in await rows(store, FATES)} == {"model"}


async def test_what_a_model_wrote_is_told_in_the_summaries_above(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await talks(store, clock, 1)
    server.otherwise = lambda _: items({"text": "House 0 has a roof, which costs 900 euros."})
    await settle(store, clock, "rewrite", "summarise", inference=desk.inference)
    above = await rows(store, "SELECT scope, text, stale FROM nodes WHERE scope IN ('source', 'root')")
    assert {(scope, stale) for scope, _, stale in above} == {("source", 0), ("root", 0)}
    assert all("House 0 has a roof" in str(text) for _, text, _ in above)


async def test_five_heavy_nodes_in_a_row_do_not_stall_those_behind_them(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await talks(store, clock, 9)

    def answer(asked: Received) -> Reply:
        told = asked.body["messages"][1]["content"]
        is_heavy = any(f"house {n} " in told for n in range(5))
        return error(503, "still busy") if is_heavy else echo(asked)

    server.otherwise = answer
    for _ in range(40):
        await settle(store, clock, "rewrite", inference=desk.inference)
        clock.advance(timedelta(hours=2))
    fates = [(method, prompt) for _, method, prompt in await rows(store, FATES)]
    assert fates == [("extractive", TRIES.refused("no answer in time"))] * 5 + [("model", "summarise@5")] * 4
    assert await rows(store, "SELECT DISTINCT state FROM jobs WHERE kind = 'rewrite'") == [("done",)]


async def test_a_node_without_an_answer_goes_behind_all_others_and_is_given_half_the_second_time(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    words = ("roof", "wall", "door", "gate", "lamp", "shed", "tree", "pond")
    heavy = [
        letter(
            100 + at, " ".join(f"The {word} of house 9{n} costs {n} euros." for n in range(26)),
            thread_key="heavy", channel="telegram", sent_at=clock.now() + timedelta(minutes=at)
        ) for at, word in enumerate(words)
    ]  # fmt: skip
    await take(store, A, *heavy, now=clock.now())
    await talks(store, clock, 3)
    asked: list[tuple[bool, int]] = []

    def answer(received: Received) -> Reply:
        told = received.body["messages"][1]["content"]
        is_heavy = "house 9" in told
        asked.append((is_heavy, len(told)))
        return error(503, "still busy") if is_heavy else echo(received)

    server.otherwise = answer
    await settle(store, clock, "rewrite", inference=desk.inference)
    assert [is_heavy for is_heavy, _ in asked] == [True, False, False, False, True]
    lengths = [length for is_heavy, length in asked if is_heavy]
    assert lengths[1] < 0.6 * lengths[0]


async def test_two_nodes_in_a_row_without_an_answer_give_the_model_time(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await talks(store, clock, 4)
    server.otherwise = lambda _: error(503, "still busy")
    await settle(store, clock, "rewrite", inference=desk.inference)
    assert len(server.chats) == 2
    assert await rows(store, JOB) == [("ready", 0, 1)]


async def test_a_model_that_is_not_there_or_asks_for_a_pause_is_no_nodes_fault(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await talks(store, clock, 2)
    server.otherwise = lambda _: error(429, "slow down", headers=[("retry-after", "900")])
    await settle(store, clock, "rewrite", inference=desk.inference)
    async with ModelServer() as gone:
        desk.choose(gone.base_url)
        await desk.agreed()
    clock.advance(DAY)
    await settle(store, clock, "rewrite", inference=desk.inference)
    assert await rows(store, JOB) == [("ready", 0, 2)]
    assert {prompt for _, _, prompt in await rows(store, FATES)} == {""}


async def test_another_model_is_asked_about_what_the_first_had_nothing_to_say_to(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await talks(store, clock, 1)
    server.otherwise = lambda _: items({"text": "Siemens sells Pedro Alves a boat for 9999 dollars."})
    await settle(store, clock, "rewrite", inference=desk.inference)
    assert {(method, prompt) for _, method, prompt in await rows(store, FATES)} == {
        ("extractive", TRIES.refused(Refused.INVENTED))
    }
    desk.choose(server.base_url, model="large-model")
    server.otherwise = echo
    clock.advance(2 * DAY)
    now = clock.now()
    await take(
        store, A, letter(50, "Good morning to the roof of 12.", thread_key="new", channel="telegram"), now=now
    )
    await settle(store, clock, inference=desk.inference)
    assert ("model", "summarise@5") in {(method, prompt) for _, method, prompt in await rows(store, FATES)}


async def test_what_the_person_asks_the_model_goes_first_and_the_summary_comes_back(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await talks(store, clock, 1)
    server.replies = [HANGS, items()]
    working = asyncio.ensure_future(settle(store, clock, "rewrite", inference=desk.inference))
    await server.arrived.wait()
    await desk.ask(await desk.agreed())
    await working
    assert await rows(store, JOB) == [("ready", 0, 0)]
    assert {prompt for _, _, prompt in await rows(store, FATES)} == {""}
    clock.advance(timedelta(seconds=31))
    server.otherwise = echo
    await settle(store, clock, "rewrite", inference=desk.inference)
    assert {method for _, method, _ in await rows(store, FATES)} == {"model"}


def test_a_call_and_the_rest_after_it_are_less_than_a_lease() -> None:
    assert LONGEST_REST_OF_MODEL_S + Limits().total_s < LEASE.total_seconds()


def put(
    connection: Connection, name: str, scope: Scope, level: int, ends_at: datetime, prompt: str = ""
) -> None:
    at = round(ends_at.timestamp() * 1000)
    connection.execute(
        "INSERT INTO nodes (id, scope, scope_id, level, begins_at, ends_at, opened_at, items, sealed, stale, text, "
        "method, made_at, prompt) VALUES (?1, ?2, ?1, ?3, ?4, ?4, ?4, 3, 1, 0, 'x', 'extractive', ?4, ?5)",
        (name, scope, level, at, prompt),
    )


async def test_recent_and_wide_summaries_go_first(store: Store, clock: FakeClock) -> None:
    now = clock.now()

    def fill(connection: Connection) -> None:
        put(connection, "old thread", "thread", 1, now - 90 * DAY)
        put(connection, "thread", "thread", 1, now - 3 * DAY)
        put(connection, "day", "day", 0, now - 2 * DAY)
        put(connection, "wide", "thread", 3, now - 10 * DAY)
        put(connection, "old and wide", "root", 3, now - 120 * DAY)
        put(connection, "root", "root", 2, now - 3 * DAY)
        put(connection, "unanswered", "root", 2, now, TRIES.unanswered)
        put(connection, "refused", "root", 2, now, TRIES.refused("too long"))
        put(
            connection,
            "refused by another",
            "thread",
            1,
            now - 200 * DAY,
            Tries("summarise@5", "other").refused("too long"),
        )

    await do(store, fill)
    found = await store.read(
        lambda connection: tree_store.extractive_nodes(
            connection, TRIES, kept_back=frozenset(), before=now + DAY, limit=20
        )
    )
    assert [node.scope_id for node in found] == [
        "root", "wide", "day", "thread", "old and wide", "old thread", "refused by another", "unanswered"
    ]  # fmt: skip
