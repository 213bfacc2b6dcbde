"""Finds passages exactly: every word must be there, as it stands or inflected in English.

A person's words are never index syntax, but for two documented signs: "quoted words" are a phrase, and a star at
a word's end is any ending. Everything else is looked up as it stands; an id of a message or a passage finds it. A day
or month in full («5 March 2024», «2024-03») is words like any other, and finds what was written on it as well.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory.messages.cleaning import storable
from heedful.memory.messages.stored import sent
from heedful.memory.search.days import Placed, belonging, days_asked
from heedful.memory.search.hits import MOST_HITS, Hit, OfDays, excerpt
from heedful.memory.search.terms import UNFILTERED, Filters, narrowed, placed, quoted, spelled
from heedful.reading import tokens
from heedful.storage import Connection, Row

# Weights of bm25 by column: text, subject, people. A word in a subject or a name says more than one in a body.
_WEIGHTS = "1.0, 2.0, 1.5, 0.0"
_COLUMNS = "{text subject people}"

_TERM = re.compile(r'"([^"]*)"|(\S+)')
_ID = re.compile(r"[0-9a-z_\-:.@<>+/=]{8,}", re.IGNORECASE)

_SELECT = (
    "SELECT c.id, f.score, m.source_id, m.thread_id, m.id, m.external_id, a.name, a.address, m.sent_at, "
    "m.sent_offset_min, m.subject, substr(m.text, c.start + 1, c.finish - c.start)"
)
_JOINED = (
    "CROSS JOIN chunks c ON c.seq = f.rowid CROSS JOIN messages m ON m.seq = c.message_seq "
    "LEFT JOIN participants a ON a.id = m.author_id "
)


def search(connection: Connection, text: str, *, limit: int = 10, filters: Filters = UNFILTERED) -> list[Hit]:
    """Passages that hold every word and phrase of `text`, the best first, the newer first of two that match alike.

    None for a text without words. What has exactly this id comes before all. Where days are named, what holds every
    word and what belongs to the days and holds the other words come by turns; each says which.
    """
    words = tokens(text)
    query = _exact(text)
    most = min(limit, MOST_HITS)
    rows = _by_id(connection, text.strip(), filters=filters)
    if query:
        rows += _by_words(connection, query, limit=limit, filters=filters)
    known = dict[str, Row]()
    for row in rows:
        known.setdefault(str(row[0]), row)
    ranks = {chunk: rank for rank, chunk in enumerate(known, start=1)}
    of_days = dict[str, OfDays]()
    asked = days_asked(text)
    if asked is not None:
        placed = belonging(connection, asked, _exact(asked.rest), limit=most, filters=filters)
        dated = _by_place(connection, placed)
        of_days = {str(row[0]): days for row, days in dated}
        known = {str(row[0]): row for row in _in_turn(list(known.values()), [row for row, _ in dated])}
    chosen = list(known.items())[:most]
    return [_hit(row, ranks.get(chunk), words, of_days.get(chunk)) for chunk, row in chosen]


def _in_turn(said: Sequence[Row], dated: Sequence[Row]) -> Iterator[Row]:
    """One that says the words and one of the days by turns: nothing compares how well the two fit."""
    for row, other in zip_longest(said, dated):
        yield from (one for one in (row, other) if one is not None)


def _by_place(connection: Connection, placed: Sequence[Placed]) -> list[tuple[Row, OfDays]]:
    """The rows of passages that belong to days, in the order given."""
    by_seq = {one.chunk_seq: one for one in placed}
    rows = connection.rows(
        f"{_SELECT}, c.seq FROM (SELECT value AS rowid, 0.0 AS score FROM json_each(:seqs)) f {_JOINED}",
        {"seqs": json.dumps(list(by_seq))},
    )
    found = {int(row[-1] or 0): row for row in rows}
    return [(found[seq], one.of) for seq, one in by_seq.items() if seq in found]


def _exact(text: str) -> str:
    parts = []
    for phrase, word in _TERM.findall(text):
        if phrase.strip() and tokens(phrase):
            parts.append(f"({spelled(phrase)})")
        elif word.endswith("*") and tokens(word):
            parts.append(quoted(word.rstrip("*")) + "*")
        elif tokens(word):
            parts.append(f"({spelled(word)})")
    return f"{_COLUMNS} : ({' AND '.join(parts)})" if parts else ""


def _by_words(connection: Connection, query: str, *, limit: int, filters: Filters) -> list[Row]:
    where, bindings = narrowed(filters)
    bindings |= {"query": query, "limit": min(limit, MOST_HITS)}
    # What came in later is mostly newer, and needs no look at the message.
    joined, newer = "", "chunk_index.rowid"
    if near := placed(filters):
        joined = f"CROSS JOIN chunk_places p ON p.chunk_seq = chunk_index.rowid AND {near}"
        newer = "p.sent_at"
    return connection.rows(
        f"{_SELECT} FROM (SELECT chunk_index.rowid, bm25(chunk_index, {_WEIGHTS}) AS score FROM chunk_index {joined} "
        f"WHERE chunk_index MATCH :query ORDER BY score, {newer} DESC LIMIT :limit) f "
        f"{_JOINED} WHERE {where} ORDER BY f.score, m.sent_at DESC, c.seq LIMIT :limit",
        bindings,
    )


def _by_id(connection: Connection, text: str, *, filters: Filters) -> list[Row]:
    """The passages of whatever has this id: a passage, a message, or a message by its source's own id."""
    if not _ID.fullmatch(text):
        return []
    where, bindings = narrowed(filters)
    bindings |= {"id": storable(text), "limit": MOST_HITS}
    return connection.rows(
        f"{_SELECT} FROM (SELECT seq AS rowid, 0.0 AS score FROM chunks WHERE id = :id UNION "
        "SELECT k.seq, 0.0 FROM chunks k JOIN messages n ON n.seq = k.message_seq WHERE n.id = :id UNION "
        "SELECT k.seq, 0.0 FROM chunks k JOIN origins o ON o.message_seq = k.message_seq "
        f"WHERE o.source_id IN (SELECT id FROM sources) AND o.external_id = :id) f {_JOINED} WHERE {where} "
        "ORDER BY c.seq LIMIT :limit",
        bindings,
    )


def _hit(row: Row, rank: int | None, words: Sequence[str], of_days: OfDays | None) -> Hit:
    return Hit(
        chunk_id=ChunkId(str(row[0])),
        score=_told(0.0 - float(row[1] or 0.0)),
        source_id=SourceId(str(row[2])),
        thread_id=ThreadId(str(row[3])),
        message_id=MessageId(str(row[4])),
        external_id=str(row[5]),
        author=str(row[6] or row[7] or ""),
        sent_at=sent(row[8], row[9]),
        subject=str(row[10]),
        excerpt=excerpt(str(row[11]), words),
        fts_rank=rank,
        of_days=of_days,
    )


def _told(score: float) -> float:
    """A score as it is told: four places, more where it is small, as that of a word in most passages is."""
    places = -math.floor(math.log10(abs(score))) if score else 0
    return round(score, 3 + max(1, places))
