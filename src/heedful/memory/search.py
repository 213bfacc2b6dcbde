"""Finds passages again: `search` exactly, every word must be there; `recall` loosely, the best match first.

A person's words are never index syntax, but for two documented signs: "quoted words" are a phrase, and a star at
a word's end is any ending. Everything else is looked up as it stands.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from heedful.core.clock import from_millis, to_millis
from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory.cleaning import storable
from heedful.reading import content_tokens, guess, tokens
from heedful.storage import Connection, Row, Value

MOST_HITS = 100
EXCERPT_LENGTH = 240

# Weights of bm25 by column: text, subject, people. A word in a subject or a name says more than one in a body.
_WEIGHTS = "1.0, 2.0, 1.5"

_TERM = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrows a look-up: to one source, to those `among`, to messages sent in [since, until]; None does not narrow."""

    source_id: SourceId | None = None
    among: frozenset[SourceId] | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that matched.

    `score` is higher for better; `fts_rank` counts from 1; `degraded` says that matching by meaning was missing.
    """

    chunk_id: ChunkId
    score: float
    source_id: SourceId
    thread_id: ThreadId
    message_id: MessageId
    external_id: str
    author: str
    sent_at: datetime
    subject: str
    excerpt: str
    fts_rank: int
    degraded: bool = False


def search(connection: Connection, text: str, *, limit: int = 10, filters: Filters = Filters()) -> list[Hit]:
    """Passages that hold every word and phrase of `text`, the best first; none for a text without words."""
    return _find(connection, _exact(text), limit=limit, filters=filters, words=tokens(text), degraded=False)


def recall(connection: Connection, text: str, *, limit: int = 10, filters: Filters = Filters()) -> list[Hit]:
    """Passages that share telling words with `text`, the best first."""
    words = content_tokens(text, guess(text)) or tokens(text)
    query = " OR ".join(_quoted(word) for word in dict.fromkeys(words))
    return _find(connection, query, limit=limit, filters=filters, words=words, degraded=True)


def _exact(text: str) -> str:
    parts = []
    for phrase, word in _TERM.findall(text):
        if phrase.strip():
            parts.append(_quoted(phrase))
        elif word.endswith("*") and tokens(word):
            parts.append(_quoted(word.rstrip("*")) + "*")
        elif tokens(word):
            parts.append(_quoted(word))
    return " AND ".join(parts)


def _quoted(words: str) -> str:
    return '"' + storable(words).replace('"', '""') + '"'


def _find(
    connection: Connection, query: str, *, limit: int, filters: Filters, words: Sequence[str], degraded: bool
) -> list[Hit]:
    if not query:
        return []
    narrowed, bindings = _narrowed(filters)
    bindings |= {"query": query, "limit": min(limit, MOST_HITS)}
    rows = connection.rows(
        f"SELECT c.id, f.score, m.source_id, m.thread_id, m.id, m.external_id, a.name, a.address, m.sent_at, "
        "m.sent_offset_min, m.subject, substr(m.text, c.start + 1, c.finish - c.start) "
        f"FROM (SELECT rowid, bm25(chunk_index, {_WEIGHTS}) AS score FROM chunk_index "
        f"WHERE chunk_index MATCH :query {'' if narrowed else 'ORDER BY score LIMIT :limit'}) f "
        "JOIN chunks c ON c.seq = f.rowid JOIN messages m ON m.seq = c.message_seq "
        f"LEFT JOIN participants a ON a.id = m.author_id {narrowed} ORDER BY f.score, c.seq LIMIT :limit",
        bindings,
    )
    return [_hit(row, rank, words, degraded=degraded) for rank, row in enumerate(rows, start=1)]


def _narrowed(filters: Filters) -> tuple[str, dict[str, Value]]:
    clauses, bindings = [], dict[str, Value]()
    if filters.source_id is not None:
        clauses.append("m.source_id = :source")
        bindings["source"] = filters.source_id
    if filters.among is not None:
        clauses.append("m.source_id IN (SELECT value FROM json_each(:among))")
        bindings["among"] = json.dumps(sorted(filters.among))
    if filters.since is not None:
        clauses.append("m.sent_at >= :since")
        bindings["since"] = to_millis(filters.since)
    if filters.until is not None:
        clauses.append("m.sent_at <= :until")
        bindings["until"] = to_millis(filters.until)
    return ("WHERE " + " AND ".join(clauses) if clauses else ""), bindings


def _hit(row: Row, rank: int, words: Sequence[str], *, degraded: bool) -> Hit:
    zone = timezone(timedelta(minutes=int(row[9] or 0)))
    return Hit(
        chunk_id=ChunkId(str(row[0])),
        score=round(-float(row[1] or 0.0), 4),
        source_id=SourceId(str(row[2])),
        thread_id=ThreadId(str(row[3])),
        message_id=MessageId(str(row[4])),
        external_id=str(row[5]),
        author=str(row[6] or row[7] or ""),
        sent_at=from_millis(int(row[8] or 0)).astimezone(zone),
        subject=str(row[10]),
        excerpt=excerpt(str(row[11]), words),
        fts_rank=rank,
        degraded=degraded,
    )


def excerpt(text: str, words: Sequence[str], length: int = EXCERPT_LENGTH) -> str:
    """About `length` characters of a text around the first of the words, cut at white space, with … where cut."""
    folded = " ".join(text.split())
    if len(folded) <= length:
        return folded
    low = folded.lower()
    places = [place for word in words if (place := low.find(word.lower())) >= 0]
    begin = max(0, min(places, default=0) - length // 3)
    if begin:
        begin = folded.find(" ", begin) + 1
    end = min(len(folded), begin + length)
    if end < len(folded):
        end = max(begin + 1, folded.rfind(" ", begin, end))
    return ("… " if begin else "") + folded[begin:end].strip() + (" …" if end < len(folded) else "")
