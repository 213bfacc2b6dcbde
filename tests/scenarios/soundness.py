"""What holds in every memory, whatever came and went in whatever order."""

import re

from heedful.memory import search
from heedful.storage import Connection
from tests.memory.grove import shape

WORD = re.compile(r"zq[b-z]+x")
"""The words that tell one message, in one wording, from every other."""

_NEVER = {
    "a passage without its place in the index": "SELECT seq FROM chunks EXCEPT SELECT rowid FROM chunk_index",
    "a place in the index without a passage": "SELECT rowid FROM chunk_index EXCEPT SELECT seq FROM chunks",
    "a summary that is not indexed": "SELECT seq FROM nodes WHERE text <> '' EXCEPT SELECT rowid FROM node_index",
    "an indexed summary that is gone": "SELECT rowid FROM node_index EXCEPT SELECT seq FROM nodes WHERE text <> ''",
    "a vector without its code": "SELECT id, chunk_seq FROM vectors EXCEPT SELECT id, chunk_seq FROM vector_codes",
    "a code without its vector": "SELECT id, chunk_seq FROM vector_codes EXCEPT SELECT id, chunk_seq FROM vectors",
    "a window on what is gone": "SELECT id FROM vectors WHERE before_seq NOT IN (SELECT seq FROM chunks)",
    "a message that no source holds": (
        "SELECT seq FROM messages EXCEPT SELECT message_seq FROM origins EXCEPT SELECT message_seq FROM departures"
    ),
    "a thread counted wrong": (
        "SELECT t.id FROM threads t LEFT JOIN messages m ON m.thread_id = t.id GROUP BY t.id "
        "HAVING t.messages <> count(m.seq) OR t.messages = 0"
    ),
    "somebody who wrote and received nothing": (
        "SELECT id FROM participants EXCEPT SELECT author_id FROM messages EXCEPT SELECT participant_id FROM recipients"
    ),
    "an entity counted wrong": (
        "SELECT e.id FROM entities e LEFT JOIN mentions x ON x.entity_seq = e.seq GROUP BY e.seq "
        "HAVING e.chunks <> count(DISTINCT x.chunk_seq)"
    ),
    "a mention dated otherwise than its message": (
        "SELECT x.entity_seq FROM mentions x JOIN chunks c ON c.seq = x.chunk_seq "
        "JOIN messages m ON m.seq = c.message_seq WHERE x.said_at <> m.sent_at"
    ),
    "a relation counted wrong": (
        "SELECT r.seq FROM relations r LEFT JOIN relation_evidence e ON e.relation_seq = r.seq GROUP BY r.seq "
        "HAVING r.evidence_count <> count(e.chunk_seq) OR r.evidence_count = 0"
    ),
    "a node that ends before a passage in it": (
        "SELECT n.id FROM nodes n JOIN node_chunks k ON k.node_id = n.id JOIN chunks c ON c.id = k.chunk_id "
        "JOIN messages m ON m.seq = c.message_seq WHERE n.scope <> 'day' "
        "AND (m.sent_at < n.begins_at OR m.sent_at > n.ends_at)"
    ),
    "a key that leads nowhere": "PRAGMA foreign_key_check",
}

_ONCE_SETTLED = {
    "work that is left": "SELECT kind FROM jobs WHERE state IN ('running', 'failed')",
    "a text that does not know what is below": "SELECT id FROM nodes WHERE stale > 0 AND scope <> 'day'",
    "a passage that nobody judged": "SELECT id FROM chunks EXCEPT SELECT chunk_id FROM admissions",
    "a day that is over and does not tell a passage": (
        "SELECT c.id FROM chunks c JOIN admissions d ON d.chunk_id = c.id AND d.admitted "
        "JOIN messages m ON m.seq = c.message_seq WHERE m.sent_at < :today AND NOT EXISTS (SELECT 1 FROM node_chunks k "
        "JOIN nodes n ON n.id = k.node_id WHERE k.chunk_id = c.id AND n.scope = 'day' AND n.text <> '' "
        "AND m.sent_at BETWEEN n.begins_at AND n.ends_at)"
    ),
}


def unsound(connection: Connection) -> list[str]:
    """What is wrong at this moment, though work may wait."""
    return [f"{what}: {found}" for what, sql in _NEVER.items() if (found := connection.rows(sql))]


def unsettled(connection: Connection, *, today: int) -> list[str]:
    """What is wrong once no work waits; `today` began at that millisecond."""
    found = [
        f"{what}: {rows}"
        for what, sql in _ONCE_SETTLED.items()
        if (rows := connection.rows(sql, {"today": today} if ":today" in sql else ()))
    ]
    return [*found, *shape(connection).faults]


def told(connection: Connection, *, but: frozenset[str] = frozenset()) -> set[str]:
    """The words that stand in any table but these."""
    names = [str(name) for (name,) in connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    kept = (name for name in names if name not in but and not name.startswith(("chunk_index", "node_index")))
    rows = (repr(row) for name in kept for row in connection.rows(f'SELECT * FROM "{name}"'))
    return {word for row in rows for word in WORD.findall(row)}


def found_by(connection: Connection, word: str) -> list[str]:
    """The messages that a word finds, by the ids their source gave them."""
    return [hit.external_id for hit in search(connection, word)]
