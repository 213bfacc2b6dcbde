"""The counts that triggers keep, against counting everything anew, after any sequence of changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heedful.storage import Connection
from heedful.storage.migrating import Migration, migrate, migrations

SOURCES = ("a", "b")
MESSAGES, CHUNKS_EACH, ENTITIES = 4, 2, 3

_message = st.integers(1, MESSAGES)
_chunk = st.integers(1, MESSAGES * CHUNKS_EACH)
_entity = st.integers(1, ENTITIES)
_role = st.sampled_from(["author", "text"])
CHANGES = st.lists(
    st.tuples(st.just("come"), _message, st.sampled_from(SOURCES))
    | st.tuples(st.just("mention"), _entity, _chunk, _role)
    | st.tuples(st.just("mention no more"), _entity, _chunk, _role)
    | st.tuples(st.just("judge"), _chunk, st.booleans())
    | st.tuples(st.just("take back"), _chunk)
    | st.tuples(st.just("cut"), _chunk)
    | st.tuples(st.just("go"), _message)
    | st.tuples(st.just("move"), _message, st.sampled_from(SOURCES))
    | st.tuples(st.just("remove a source"), st.sampled_from(SOURCES))
    | st.tuples(st.just("lose an entity"), _entity),
    max_size=25,
)
BY_SOURCE = (
    "SELECT m.source_id, count(DISTINCT m.seq), count(c.seq) FROM messages m "
    "LEFT JOIN chunks c ON c.message_seq = m.seq GROUP BY 1 ORDER BY 1"
)
BY_ENTITY = (
    "SELECT x.entity_seq, m.source_id, count(DISTINCT x.chunk_seq) FROM mentions x "
    "JOIN chunks c ON c.seq = x.chunk_seq JOIN messages m ON m.seq = c.message_seq "
    "WHERE c.id NOT IN (SELECT chunk_id FROM admissions WHERE NOT admitted) GROUP BY 1, 2 ORDER BY 1, 2"
)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    file = tmp_path_factory.mktemp("counts") / "store.db"
    opened = Connection(file, None)
    migrate(opened, file)
    yield opened
    opened.close()


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(CHANGES)
def test_whatever_comes_and_goes_the_counts_are_those_of_counting_anew(
    connection: Connection, changes: list[tuple[object, ...]]
) -> None:
    connection.script("SAVEPOINT clean")
    try:
        for change in changes:
            _do(connection, *change)
            _holds(connection)
    finally:
        connection.script("ROLLBACK TO clean; RELEASE clean")


def test_a_store_from_before_the_counts_is_counted_once(tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    old = Connection(file, None)
    migrate(old, file, _before_the_counts())
    for number in range(1, MESSAGES + 1):
        _do(old, "come", number, SOURCES[number % 2])
    for entity, chunk in ((1, 1), (1, 2), (2, 2), (2, 5), (3, 7)):
        _do(old, "mention", entity, chunk, "text")
    _do(old, "judge", 5, False)
    migrate(old, file)
    _holds(old)
    assert old.value("SELECT sum(messages) FROM source_counts") == MESSAGES
    old.close()


def _before_the_counts() -> tuple[Migration, ...]:
    steps = migrations()
    first = next(step.number for step in steps if "CREATE TABLE source_counts" in step.sql)
    return steps[: first - 1]


def _holds(connection: Connection) -> None:
    kept = "SELECT source_id, messages, chunks FROM source_counts WHERE messages > 0 ORDER BY 1"
    assert connection.rows(kept) == connection.rows(BY_SOURCE)
    kept = "SELECT entity_seq, source_id, chunks FROM entity_counts ORDER BY 1, 2"
    assert connection.rows(kept) == connection.rows(BY_ENTITY)


def _do(connection: Connection, what: object, *given: object) -> None:
    match what, *given:
        case "come", int(message), str(source):
            _come(connection, message, source)
        case "mention", int(entity), int(chunk), str(role):
            _mention(connection, entity, chunk, role)
        case "mention no more", int(entity), int(chunk), str(role):
            connection.execute(
                "DELETE FROM mentions WHERE entity_seq = ? AND chunk_seq = ? AND role = ?",
                (entity, chunk, role),
            )
        case "judge", int(chunk), bool(admitted):
            connection.execute(
                "INSERT OR REPLACE INTO admissions (chunk_id, total, signals, admitted, reason, judged_at) "
                "SELECT id, 0, '{}', ?, '', 0 FROM chunks WHERE seq = ?",
                (int(admitted), chunk),
            )
        case "take back", int(chunk):
            connection.execute("DELETE FROM admissions WHERE chunk_id = ?", (f"c{chunk}",))
        case "cut", int(chunk):
            connection.execute("DELETE FROM chunks WHERE seq = ?", (chunk,))
        case "go", int(message):
            connection.execute("DELETE FROM messages WHERE seq = ?", (message,))
        case "move", int(message), str(source):
            _source(connection, source)
            connection.execute("UPDATE messages SET source_id = ? WHERE seq = ?", (source, message))
        case "remove a source", str(source):
            connection.execute("DELETE FROM sources WHERE id = ?", (source,))
        case "lose an entity", int(entity):
            connection.execute("DELETE FROM entities WHERE seq = ?", (entity,))


def _source(connection: Connection, source: str) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO sources (id, kind, name, path, created_at) VALUES (?, 'mbox', '', '', 0)",
        (source,),
    )


def _come(connection: Connection, message: int, source: str) -> None:
    """A message with its chunks; does nothing where it is there."""
    if connection.value("SELECT 1 FROM messages WHERE seq = ?", (message,)):
        return
    _source(connection, source)
    connection.execute(
        "INSERT OR IGNORE INTO threads (id, source_id, channel, title, first_at, last_at) VALUES (?, ?, '', '', 0, 0)",
        (source, source),
    )
    connection.execute(
        "INSERT INTO messages (seq, id, source_id, thread_id, kind, channel, external_id, identity, sent_at, subject, "
        "text, zones, lang, traits, content_hash, ingested_at, changed) "
        "VALUES (:n, 'm' || :n, :source, :source, 'note', '', '', :n, 0, '', '', '', '', '{}', '', 0, :n)",
        {"n": message, "source": source},
    )
    first = (message - 1) * CHUNKS_EACH + 1
    connection.execute_many(
        "INSERT INTO chunks (seq, id, message_seq, start, finish) VALUES (?, ?, ?, ?, 0)",
        [(chunk, f"c{chunk}", message, chunk) for chunk in range(first, first + CHUNKS_EACH)],
    )


def _mention(connection: Connection, entity: int, chunk: int, role: str) -> None:
    if not connection.value("SELECT 1 FROM chunks WHERE seq = ?", (chunk,)):
        return
    connection.execute(
        "INSERT OR IGNORE INTO entities (seq, id, kind, name, canonical, made_at) VALUES (?, ?, 'person', '', ?, 0)",
        (entity, f"e{entity}", entity),
    )
    connection.execute(
        "INSERT OR IGNORE INTO mentions (entity_seq, chunk_seq, role, start, finish, alias_seq, score, said_at) "
        "VALUES (?, ?, ?, 0, 0, 0, 1, 0)",
        (entity, chunk, role),
    )
