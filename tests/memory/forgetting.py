"""A store with everything that can be made of letters, and a look at each byte it holds."""

import json
import zlib
from datetime import timedelta

from heedful.core.events import Event
from heedful.core.ids import ActionableId, MessageId
from heedful.memory.forget.forgetting import Forgetting, forget
from heedful.memory.forget.targets import find
from heedful.memory.messages import messages_store
from heedful.memory.messages.stored import StoredMessage
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.sources import Incoming
from heedful.storage import Connection, Store, Value
from tests.fakes.clock import FakeClock
from tests.memory.incoming import MONDAY, A, do, take
from tests.memory.workshop import tools_of


async def settle(store: Store, clock: FakeClock) -> None:
    """Does all the memory's work that waits: entities, tree, summaries, days, index."""
    settled = await Worker(tools_of(store, clock), job_kinds).settle()
    assert settled.failed == 0


async def forgotten(store: Store, clock: FakeClock, *words: str) -> list[Forgetting]:
    """Forgets what each word names, and clears the index."""

    def work(connection: Connection) -> tuple[list[Forgetting], list[Event]]:
        return [forget(connection, find(connection, word), now=clock.now()) for word in words], []

    done = await store.write(work)
    await settle(store, clock)
    return done


async def stored(store: Store, external_id: str) -> StoredMessage:
    def read(connection: Connection) -> StoredMessage:
        found = connection.value("SELECT id FROM messages WHERE external_id = ?", (external_id,))
        message = messages_store.message(connection, MessageId(str(found)))
        assert message is not None
        return message

    return await store.read(read)


async def everything(store: Store) -> str:
    """Every value of every table, the index's own and what is packed included."""

    def read(connection: Connection) -> str:
        names = connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        values = (
            _readable(value)
            for (name,) in names
            for row in connection.rows(f'SELECT * FROM "{name!s}"')
            for value in row
        )
        return "\n".join(values)

    return (await store.read(read)).casefold()


def _readable(value: Value) -> str:
    if not isinstance(value, bytes):
        return repr(value)
    try:
        return zlib.decompress(value).decode("utf-8", "replace")
    except zlib.error:
        return value.decode("latin-1")


async def lived_with(store: Store, clock: FakeClock, letter: Incoming, *, item: str) -> StoredMessage:
    """A letter of two days ago of which everything was made that can be: an item, too, and what a look leaves."""
    await take(store, A, letter)
    await settle(store, clock)
    clock.advance(timedelta(days=2))
    await settle(store, clock)
    message = await stored(store, letter.external_id)
    await do(store, lambda c: put_item(c, "i1", item, message))
    await do(store, lambda c: put_traces(c, message))
    return message


def put_item(
    connection: Connection, name: str, title: str, *evidence: StoredMessage, state: str = "active"
) -> ActionableId:
    """An item that stands on these messages, with a step of history and an interruption."""
    connection.execute(
        "INSERT INTO actionables (id, title, description, source, priority, actionable, requires_confirmation, "
        "has_complex_action, source_label, state, direction, people, created_at, updated_at, last_seen_at, found_by, "
        "prompt, confidence, reasons) VALUES (?, ?, '', 'email', 'normal', 1, 0, 0, 'Mail', ?, 'mine', '[]', 0, 0, 0, "
        "'builtin@1', '', 0.9, '[]')",
        (name, title, state),
    )
    for place, message in enumerate(evidence):
        connection.execute(
            "INSERT INTO actionable_evidence (actionable_id, place, role, chunk_id, message_id, source_id, thread_id, "
            "quote, start, finish, said_at) VALUES (?, ?, 'found', ?, ?, ?, ?, ?, 0, 1, 0)",
            (name, place, message.chunks[0].id, message.id, message.source_id, message.thread_id, message.text),
        )  # fmt: skip
    connection.execute(
        "INSERT INTO actionable_history (actionable_id, at, actor, verb, after_state) "
        "VALUES (?, 0, 'loop', 'found', ?)",
        (name, state),
    )
    connection.execute(
        "INSERT INTO interruptions (actionable_id, at, outcome, reason) VALUES (?, 0, 'held', 'quiet')",
        (name,),
    )
    return ActionableId(name)


def put_traces(connection: Connection, message: StoredMessage) -> None:
    """What looking at a message leaves: a judgement, a tick, a call with its texts, an original."""
    at = round(MONDAY.timestamp() * 1000) + 60_000
    connection.execute(
        "INSERT INTO verdicts (message_seq, run_id, verdict, reasons, judged_at) VALUES (?, 'r', 'item', ?, ?)",
        (message.seq, json.dumps([message.text]), at),
    )
    connection.execute(
        "INSERT INTO ticks (run_id, cause, outcome, started_at, rejected) VALUES ('r', 'timer', 'completed', ?, ?)",
        (at, json.dumps([message.text])),
    )
    connection.execute(
        "INSERT INTO ledger (id, run_id, at, purpose, provider, host, model, prompt, source_ids, input_tokens, "
        "cached_tokens, output_tokens, estimated, duration_ms, attempts, outcome, request, response) "
        "VALUES ('l', 'r', ?, 'look', 'p', 'h', 'm', 'q', ?, 9, 0, 9, 0, 1, 1, 'answered', ?, ?)",
        (at, json.dumps([message.source_id]), message.text, message.text),
    )
    packed = zlib.compress(message.text.encode())
    connection.execute(
        "INSERT INTO originals (id, kept_at, size_bytes, packed) VALUES ('o', ?, ?, ?)",
        (at, len(packed), packed),
    )
