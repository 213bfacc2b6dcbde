"""The tree: everything admitted hangs in it at once, it grows by rules, and a change touches one branch."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.bus import Bus
from heedful.core.clock import to_millis
from heedful.core.ids import ChunkId, NodeId, ThreadId, content_id
from heedful.core.paths import Home, home_at
from heedful.memory.messages import messages_store
from heedful.memory.queue.asking import enqueue
from heedful.memory.tree import growing, tree_store
from heedful.memory.tree.growing import FAN_OUT, Leaf, Planter
from heedful.memory.tree.resealing import branches_of, reseal
from heedful.sources import Incoming
from heedful.storage import Connection, Key, KeyKind, Store
from tests.conftest import NOW
from tests.fakes.clock import FakeClock
from tests.memory.grove import settle, shape
from tests.memory.incoming import A, B, add_sources, do, letter, rows, take

WORDS = "The roof of the garden house will be painted on the {} of June for {} euros by Ana Lopes."


def said(number: int, **changes: object) -> Incoming:
    return letter(number, WORDS.format(number % 28 + 1, 100 + number), **changes)


async def grown(store: Store, clock: FakeClock, count: int, **changes: object) -> None:
    """Takes so many letters in, each of its own thread unless told otherwise, and runs the stages."""
    await take(store, A, *(said(number, **changes) for number in range(count)), now=clock.now())
    await settle(store, clock)


async def one(store: Store, sql: str) -> object:
    return (await rows(store, sql))[0][0]


async def when_made(store: Store) -> dict[object, object]:
    found = await rows(store, "SELECT id, made_at FROM nodes WHERE scope <> 'day'")
    return {node: made_at for node, made_at in found}


async def test_a_single_message_hangs_below_the_root_and_is_summarised_at_once(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 1)
    found = await store.read(shape)
    assert (found.nodes, found.faults) == ({("source", 1): 1, ("root", 1): 1}, ())
    root = await store.read(lambda connection: tree_store.top(connection, "root", ""))
    assert root is not None
    assert "Ana Lopes" in root.text
    assert (root.method, root.made_by, root.stale) == ("extractive", "builtin@1", 0)


async def test_a_node_is_sealed_at_ten_items_and_the_next_opens_beside_it(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, FAN_OUT)
    assert await rows(store, "SELECT items, sealed FROM nodes WHERE scope = 'source'") == [(10, 0)]
    await take(store, A, said(11), now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT level, items, sealed FROM nodes WHERE scope = 'source' ORDER BY seq") == [
        (1, 10, 1), (2, 2, 0), (1, 1, 0),
    ]  # fmt: skip
    assert (await store.read(shape)).faults == ()


async def test_a_node_is_sealed_when_it_holds_as_many_tokens_as_a_summary_takes_in(
    store: Store, clock: FakeClock
) -> None:
    long = " ".join(WORDS.format(number, number) for number in range(17))
    await take(store, A, *(letter(number, long) for number in range(12)), now=clock.now())
    await settle(store, clock)
    sizes = await rows(store, "SELECT items FROM nodes WHERE scope = 'source' AND level = 1 ORDER BY seq")
    assert all(3000 / 400 <= int(size or 0) < 10 for (size,) in sizes[:-1])
    assert (await store.read(shape)).faults == ()


async def test_a_node_that_is_a_day_old_is_sealed_though_it_has_room(store: Store, clock: FakeClock) -> None:
    await grown(store, clock, 4)
    clock.advance(timedelta(hours=23))
    await settle(store, clock)
    assert await rows(store, "SELECT sealed FROM nodes WHERE scope = 'source'") == [(0,)]
    clock.advance(timedelta(hours=2))
    await settle(store, clock)
    assert await rows(store, "SELECT sealed FROM nodes WHERE scope = 'source'") == [(1,)]
    await take(store, A, said(50), now=clock.now())
    await settle(store, clock)
    assert await one(store, "SELECT count(*) FROM nodes WHERE scope = 'source' AND level = 1") == 2


async def test_what_comes_after_a_day_in_which_nothing_ran_goes_beside_the_old_node(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 4)
    clock.advance(timedelta(hours=25))
    await take(store, A, said(50), now=clock.now())
    await settle(store, clock)
    kept = await rows(
        store, "SELECT items, sealed FROM nodes WHERE scope = 'source' AND level = 1 ORDER BY seq"
    )
    assert kept == [(4, 1), (1, 0)]


async def test_new_texts_ask_for_their_vectors(store: Store, clock: FakeClock) -> None:
    await take(store, A, said(1), now=clock.now())
    await settle(store, clock, "seal", "summarise")
    assert await rows(store, "SELECT state FROM jobs WHERE kind = 'embed_nodes'") == [("ready",)]


async def test_texts_are_made_from_below_those_of_a_level_at_once(store: Store, clock: FakeClock) -> None:
    await take(store, A, *(said(number) for number in range(21)), now=clock.now())
    await settle(store, clock, "seal")
    stale = await store.read(lambda connection: tree_store.stale_nodes(connection, limit=50))
    assert [(node.scope, node.level, node.items) for node in stale] == [
        ("source", 1, 10), ("source", 1, 10), ("source", 1, 1)
    ]  # fmt: skip


async def test_two_passages_of_a_slow_thread_wait_for_more_however_old_they_are(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 2)
    clock.advance(timedelta(days=9))
    await settle(store, clock)
    await take(store, A, said(50), now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT items FROM nodes WHERE scope = 'source'") == [(3,)]


async def test_chats_and_grown_threads_have_trees_of_their_own(store: Store, clock: FakeClock) -> None:
    await take(
        store, A,
        *(said(number, channel="telegram", thread_key="chat") for number in range(2)),
        *(said(10 + number, thread_key="long") for number in range(5)),
        said(20, thread_key="short"),
        now=clock.now(),
    )  # fmt: skip
    await settle(store, clock)
    found = await store.read(shape)
    assert (found.nodes, found.faults) == ({("thread", 1): 2, ("source", 1): 1, ("root", 1): 1}, ())
    assert await rows(store, "SELECT items FROM nodes WHERE scope = 'source'") == [(3,)]


async def test_what_was_left_out_hangs_nowhere(store: Store, clock: FakeClock) -> None:
    await take(store, A, letter(1, "ok", from_me=False), now=clock.now())
    await settle(store, clock)
    assert (await store.read(shape)).nodes == {}


async def test_sources_hang_side_by_side_below_the_root(store: Store, clock: FakeClock) -> None:
    await grown(store, clock, 12)
    await take(store, B, said(99), now=clock.now())
    await settle(store, clock)
    root = await store.read(lambda connection: tree_store.top(connection, "root", ""))
    assert root is not None
    below = await store.read(lambda connection: tree_store.children(connection, root.id))
    assert [(node.scope_id, node.level) for node in below] == [("a", 2), ("b", 1)]


async def test_an_edited_message_keeps_its_place_and_makes_only_its_branch_stale(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 130)
    (home,) = (await rows(store, "SELECT k.node_id FROM node_chunks k JOIN chunks c ON c.id = k.chunk_id "
        "JOIN messages m ON m.seq = c.message_seq JOIN nodes n ON n.id = k.node_id AND n.scope <> 'day' "
        "WHERE m.external_id = 'x42'"))[0]  # fmt: skip
    await take(store, A, letter(42, "Now the roof will be green, says Ana Lopes."), now=clock.now())
    stale = await rows(store, "SELECT id FROM nodes WHERE stale > 0 AND scope <> 'day'")
    depth = 4
    assert len(stale) == depth
    assert (home,) in stale
    await settle(store, clock)
    node = await store.read(lambda connection: tree_store.node(connection, NodeId(str(home))))
    assert node is not None
    assert node.items == 10
    chunks = await store.read(lambda connection: tree_store.chunk_ids(connection, node.id))
    found = await store.read(
        lambda connection: [messages_store.chunk(connection, chunk_id) for chunk_id in chunks]
    )
    assert "Now the roof will be green, says Ana Lopes." in [m[0].text for m in found if m]
    assert (await store.read(shape)).faults == ()


async def test_an_edit_that_dates_a_message_anew_lets_its_branch_reach_there(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 30)
    later = clock.now() + timedelta(days=30)
    await take(store, A, letter(3, "The roof is green, says Ana Lopes.", sent_at=later), now=clock.now())
    (home,) = (await rows(store, "SELECT k.node_id FROM node_chunks k JOIN chunks c ON c.id = k.chunk_id "
        "JOIN messages m ON m.seq = c.message_seq JOIN nodes n ON n.id = k.node_id AND n.scope <> 'day' "
        "WHERE m.external_id = 'x3'"))[0]  # fmt: skip
    found = await store.read(lambda connection: tree_store.browse(connection, since=later))
    assert home in {one.id for one in found}
    assert (await store.read(shape)).faults == ()


async def test_an_edit_that_adds_passages_hangs_them_like_anything_new(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 3)
    long = " ".join(WORDS.format(number, number) for number in range(60))
    await take(store, A, letter(1, long), now=clock.now())
    await settle(store, clock)
    found = await store.read(shape)
    assert found.faults == ()
    assert await one(store, "SELECT count(DISTINCT chunk_id) FROM node_chunks") == await one(
        store, "SELECT count(*) FROM chunks"
    )


async def test_an_edit_to_what_tells_nothing_takes_the_message_out_of_the_tree(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 3)
    await take(store, A, letter(1, "ok", from_me=False), now=clock.now())
    await settle(store, clock)
    assert (await store.read(shape)).faults == ()
    assert await rows(
        store,
        "SELECT m.external_id FROM node_chunks k JOIN nodes n ON n.id = k.node_id AND n.scope <> 'day' "
        "JOIN chunks c ON c.id = k.chunk_id JOIN messages m ON m.seq = c.message_seq ORDER BY 1",
    ) == [("x0",), ("x2",)]


async def test_a_node_that_an_edit_leaves_empty_goes_with_those_above_it(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 1)
    await take(store, A, letter(0, "ok", from_me=False), now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT scope FROM nodes WHERE scope <> 'day'") == []


async def test_after_an_edit_nothing_hangs_in_the_place_of_what_was_left_out(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 3)

    def edit(connection: Connection) -> None:
        number = int(connection.value("SELECT seq FROM messages WHERE external_id = 'x1'") or 0)
        ((chunk_id, home),) = tree_store.homes(connection, number)
        tree_store.detach(connection, [chunk_id])
        growing.keep_place(connection, number, [(ChunkId("left out"), None), (ChunkId("kept"), home)])
        assert [place for _, place in tree_store.homes(connection, number)] == [None]

    await do(store, edit)


async def test_an_edit_that_changes_nothing_a_summary_says_stops_at_its_own_node(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 30)
    made = await when_made(store)
    clock.advance(timedelta(minutes=1))
    leaf = await one(store, "SELECT id FROM nodes WHERE level = 1 AND scope = 'source' ORDER BY seq LIMIT 1")
    await do(store, lambda connection: tree_store.mark(connection, NodeId(str(leaf))))
    now = clock.now()
    await do(store, lambda connection: enqueue(connection, "summarise", "all", now=now))
    await settle(store, clock)
    after = await when_made(store)
    assert {node for node in made if made[node] != after[node]} == {leaf}


async def test_a_text_made_from_what_changed_meanwhile_is_not_kept(store: Store, clock: FakeClock) -> None:
    await grown(store, clock, 2)
    leaf = NodeId(str(await one(store, "SELECT id FROM nodes WHERE scope = 'source'")))
    read = await store.read(lambda connection: tree_store.node(connection, leaf))
    assert read is not None
    await do(store, lambda connection: tree_store.mark(connection, leaf))
    old, now = tree_store.Written("Old news.", 3, "model", "custom/small-model", "p@1"), clock.now()

    def work(connection: Connection) -> None:
        assert not tree_store.write_text(connection, read, old, now=now)
        tree_store.note_try(connection, read, "p@1")

    await do(store, work)
    after = await store.read(lambda connection: tree_store.node(connection, leaf))
    assert after == replace(read, stale=read.stale + 1)


async def test_the_root_is_not_sealed_by_age(store: Store, clock: FakeClock) -> None:
    def work(connection: Connection) -> None:
        connection.execute(
            "INSERT INTO nodes (id, scope, scope_id, level, begins_at, ends_at, opened_at, items) "
            "VALUES ('r', 'root', '', 1, 0, 0, 0, 5), ('s', 'source', 'a', 1, 0, 0, 0, 5)"
        )
        assert growing.seal_aged(connection, now=clock.now()) == 1

    await do(store, work)
    assert await rows(store, "SELECT id FROM nodes WHERE sealed = 1") == [("s",)]


async def test_a_message_that_goes_leaves_the_summaries_and_empty_nodes_go_with_it(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 12)
    await take(store, A, gone=[f"x{number}" for number in range(10)], now=clock.now())
    await settle(store, clock)
    found = await store.read(shape)
    assert found.faults == ()
    assert found.nodes == {("source", 1): 1, ("source", 2): 1, ("root", 1): 1}
    all_texts = " ".join(str(text) for (text,) in await rows(store, "SELECT text FROM nodes"))
    assert "105 euros" not in all_texts
    assert "110 euros" in all_texts
    await take(store, A, gone=["x10", "x11"], now=clock.now())
    await settle(store, clock)
    assert (await store.read(shape)).nodes == {}


async def test_what_is_taken_out_can_leave_its_branch_at_once(store: Store, clock: FakeClock) -> None:
    await take(
        store, A, letter(500, "The canary of Ana Lopes costs 7777 euros in June 2026."), now=clock.now()
    )
    await grown(store, clock, 40)
    clock.advance(timedelta(days=2))
    now = clock.now()
    await do(store, lambda connection: enqueue(connection, "digest", "all", now=now))
    await settle(store, clock)
    canary = "SELECT count(*) FROM nodes WHERE text LIKE '%canary%'"
    assert int(str(await one(store, canary))) >= 2

    def forget(connection: Connection) -> None:
        chunk_id = ChunkId(
            str(connection.value("SELECT c.id FROM chunks c JOIN messages m ON m.seq = c.message_seq "
            "WHERE m.external_id = 'x500'"))
        )  # fmt: skip
        branch = branches_of(connection, [chunk_id])
        connection.execute("DELETE FROM messages WHERE external_id = 'x500'")
        assert reseal(connection, branch, now=now) == len(branch)

    await do(store, forget)
    assert await one(store, canary) == 0
    assert (await store.read(shape)).faults == ()


async def test_nodes_can_be_walked_from_a_chunk_up_and_from_the_root_down(
    store: Store, clock: FakeClock
) -> None:
    await grown(store, clock, 11)
    chunk_id = ChunkId(str(await one(store, "SELECT id FROM chunks ORDER BY seq LIMIT 1")))
    above = await store.read(lambda connection: tree_store.nodes_above(connection, chunk_id))
    assert [(node.scope, node.level) for node in above] == [
        ("source", 1),
        ("source", 2),
        ("root", 1),
        ("day", 0),
    ]
    browsed = await store.read(lambda connection: tree_store.browse(connection, scope="source", below="a"))
    assert {node.level for node in browsed} == {1, 2}
    later = clock.now() + timedelta(days=400)
    assert await store.read(lambda connection: tree_store.browse(connection, since=later)) == []


@settings(max_examples=12)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(1, 14)), min_size=1, max_size=12))
def test_however_messages_come_the_tree_keeps_its_rules(
    tmp_path_factory: pytest.TempPathFactory, batches: list[tuple[int, bool, int]]
) -> None:
    home = home_at(tmp_path_factory.mktemp("grove"))
    Store.open(home, Key(KeyKind.UNENCRYPTED, None), Bus()).close()
    connection = Connection(home.database, None)
    try:
        with connection.transaction():
            add_sources(connection, A, B)
            number = 0
            for thread, chat, count in batches:
                planter = Planter(connection, NOW + timedelta(hours=9 * number))
                for _ in range(count):
                    number += 1
                    planter.plant(_leaf(connection, number, thread, channel="chat" if chat else "email"))
                planter.flush()
        assert shape(connection).faults == ()
    finally:
        connection.close()


def _leaf(connection: Connection, number: int, thread: int, *, channel: str = "email") -> Leaf:
    """A chunk with its message, and the leaf to plant it by."""
    (leaf,) = _leaves(connection, [(number, thread, channel)])
    return leaf


def _leaves(connection: Connection, wanted: Sequence[tuple[int, int, str]]) -> list[Leaf]:
    """Chunks with their messages by (number, thread, channel), and the leaves to plant them by."""
    leaves = [
        Leaf(
            ChunkId(content_id("chunk", str(number))), (A, B)[thread % 2], ThreadId(f"thread {thread}"), channel, 1,
            to_millis(NOW) + number * 60_000, 3,
        )
        for number, thread, channel in wanted
    ]  # fmt: skip
    numbered = list(zip((number for number, _, _ in wanted), leaves, strict=True))
    connection.execute_many(
        "INSERT OR IGNORE INTO threads (id, source_id, channel, title, first_at, last_at) VALUES (?, ?, ?, '', 0, 0)",
        [(leaf.thread_id, leaf.source_id, leaf.channel) for leaf in leaves],
    )
    connection.execute_many(
        "INSERT INTO messages (seq, id, source_id, thread_id, kind, channel, external_id, identity, sent_at, subject, "
        "text, zones, lang, traits, content_hash, ingested_at, changed) VALUES (?1, 'm' || ?1, ?2, ?3, 'message', ?4, "
        "'x' || ?1, 'i' || ?1, ?5, '', 'The roof.', '[]', 'en', '{}', '', 0, ?1)",
        [(number, leaf.source_id, leaf.thread_id, leaf.channel, leaf.sent_at) for number, leaf in numbered],
    )
    connection.execute_many(
        "INSERT INTO chunks (id, message_seq, start, finish) VALUES (?, ?, 0, 9)",
        [(leaf.chunk_id, number) for number, leaf in numbered],
    )
    connection.execute_many(
        "INSERT INTO admissions (chunk_id, total, signals, admitted, reason, judged_at) VALUES (?, 1, '{}', 1, '', 0)",
        [(leaf.chunk_id,) for leaf in leaves],
    )
    return leaves


@pytest.mark.slow
def test_at_a_hundred_thousand_chunks_a_change_touches_one_branch(home: Home) -> None:
    Store.open(home, Key(KeyKind.UNENCRYPTED, None), Bus()).close()
    drawn = random.Random(0)
    connection = Connection(home.database, None)
    chats = [(number, number % 1000 * 2, "chat") for number in range(3, 100_001, 3)]
    letters = [(number, 200_000 + number // 2, "email") for number in range(1, 100_001) if number % 3]
    with connection.transaction():
        add_sources(connection, A, B)
        planter = Planter(connection, NOW)
        for leaf in _leaves(connection, chats + letters):
            planter.plant(leaf)
        planter.flush()
        connection.execute("UPDATE nodes SET stale = 0")
    with connection.transaction():
        for number in drawn.sample(range(1, 100_001), 40):
            depth = _depth(connection, number)
            before = tree_store.homes(connection, number)
            connection.execute("DELETE FROM chunks WHERE message_seq = ?", (number,))
            connection.execute(
                "INSERT INTO chunks (id, message_seq, start, finish) VALUES (?, ?, 0, 8)",
                (f"new {number}", number),
            )
            assert growing.keep_place(connection, number, before) == depth
            assert _stale(connection) == _above(connection, number)
            connection.execute("UPDATE nodes SET stale = 0 WHERE stale > 0")
        planter = Planter(connection, NOW)
        leaf = _leaf(connection, 100_001, 4, channel="chat")
        planter.plant(leaf)
        touched = planter.flush()
        assert touched <= _depth(connection, 100_001) + 1
        assert 4 <= _depth(connection, 100_001) <= 8
    connection.close()


def _depth(connection: Connection, number: int) -> int:
    return len(_above(connection, number))


def _above(connection: Connection, number: int) -> set[NodeId]:
    (chunk_id, _), *_ = tree_store.homes(connection, number)
    return {node.id for node in tree_store.nodes_above(connection, chunk_id)}


def _stale(connection: Connection) -> set[NodeId]:
    return {NodeId(str(node_id)) for (node_id,) in connection.rows("SELECT id FROM nodes WHERE stale > 0")}
