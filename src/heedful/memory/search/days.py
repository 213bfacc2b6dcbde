"""Finds what belongs to a day that a look-up names in full: passages written on it, and passages that name it.

A day is its sender's own. What lacks a year names no day here, and a year alone none either: as words both are found
all the same. Why this is no column of the index: decision 0013.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import zip_longest

from heedful.core.clock import to_millis
from heedful.memory.search.hits import OfDays
from heedful.memory.search.terms import Filters, narrowed
from heedful.reading import DateMention, available, find_dates, is_stop_word
from heedful.storage import Connection, Value

LONGEST = timedelta(days=62)
"""Months and shorter; of a longer time too much was written for the newest to be what was looked for."""

MOST_SPANS = 5
"""Of more the first ones count: a pasted page of dates asks for no day of them."""

FURTHEST_EAST, FURTHEST_WEST = timedelta(hours=14), timedelta(hours=12)
"""How far a sender's clock may be from UTC."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTH = re.compile(r"(?<![\w.-])((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\w-]|\.\d)")
_PHRASE = re.compile(r'"[^"]*"')
_WORD = re.compile(r"\S+")
_NOWS = (datetime(2001, 5, 17, tzinfo=UTC), datetime(2019, 11, 4, tzinfo=UTC))
"""Two moments far apart: what is the same day seen from both is told in full."""

_OWN_DAY = "m.sent_at + 60000 * coalesce(m.sent_offset_min, 0)"
FIRST_PASSAGE = "(SELECT k.seq FROM chunks k WHERE k.message_seq = m.seq ORDER BY k.start LIMIT 1)"
"""The passage that stands for a message `m`."""


@dataclass(frozen=True, slots=True)
class AskedDays:
    """What a look-up names: spans of days, and its other words, without those that only join them to a day."""

    spans: tuple[OfDays, ...]
    rest: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage that belongs to the days, and how; `score` is as the index scores, the lower the better."""

    chunk_seq: int
    score: float
    of: OfDays


def days_asked(text: str) -> AskedDays | None:
    """The days that a text names in full; None for none. What stands in quotes is a phrase and names no day."""
    if _YEAR.search(text) is None:
        return None
    plain = _PHRASE.sub(lambda phrase: " " * len(phrase.group()), text)
    named = list(_named(plain))
    if not named:
        return None
    rest, end = "", 0
    for start, finish, _ in named:
        rest += text[end:start] + " "
        end = finish
    rest += text[end:]
    return AskedDays(tuple(dict.fromkeys(days for _, _, days in named))[:MOST_SPANS], _telling(rest))


def belonging(
    connection: Connection, asked: AskedDays, query: str, *, limit: int, filters: Filters
) -> list[Placed]:
    """Passages of the days asked for, each once, those written on them and those naming them by turns.

    `query` is what else must be in them, as the index takes it; empty for nothing else.
    """
    found = dict[int, Placed]()
    columns = [
        look(connection, days, query, limit=limit, filters=filters)
        for days in asked.spans
        for look in (_written_on, _naming)
    ]
    for row in zip_longest(*columns):
        for one in row:
            if one is not None and found.setdefault(one.chunk_seq, one).of.how == "names":
                found[one.chunk_seq] = one
    return list(found.values())[:limit]


def _written_on(
    connection: Connection, days: OfDays, query: str, *, limit: int, filters: Filters
) -> list[Placed]:
    """Passages of messages of these days, the newest first; those that match a `query`, the best first."""
    begin, end = _midnight(days.first), _midnight(days.last + timedelta(days=1))
    bindings: dict[str, Value] = {
        "begin": to_millis(begin),
        "end": to_millis(end),
        "earliest": to_millis(begin - FURTHEST_EAST),
        "latest": to_millis(end + FURTHEST_WEST),
        "limit": limit,
    }
    if query:
        return _matching(connection, days, query, filters=filters, bindings=bindings)
    where, narrowing = narrowed(filters)
    rows = [
        row
        for (source,) in connection.rows("SELECT id FROM sources")
        for row in connection.rows(
            f"SELECT m.sent_at, {FIRST_PASSAGE} FROM messages m INDEXED BY messages_by_source "
            "WHERE m.source_id = :of AND m.sent_at >= :earliest AND m.sent_at < :latest "
            f"AND {_OWN_DAY} >= :begin AND {_OWN_DAY} < :end AND {where} "
            "ORDER BY m.sent_at DESC LIMIT :limit",
            {**bindings, **narrowing, "of": source},
        )
    ]
    rows.sort(key=lambda row: (-int(row[0] or 0), int(row[1] or 0)))
    return [Placed(int(seq or 0), 0.0, days) for _, seq in rows[:limit] if seq is not None]


def _matching(
    connection: Connection, days: OfDays, query: str, *, filters: Filters, bindings: dict[str, Value]
) -> list[Placed]:
    where, narrowing = narrowed(filters)
    rows = connection.rows(
        "SELECT chunk_index.rowid, bm25(chunk_index) AS score FROM chunk_index "
        "CROSS JOIN chunk_places p ON p.chunk_seq = chunk_index.rowid "
        "AND p.sent_at >= :earliest AND p.sent_at < :latest "
        f"CROSS JOIN messages m ON m.seq = p.message_seq AND {_OWN_DAY} >= :begin AND {_OWN_DAY} < :end "
        f"WHERE chunk_index MATCH :query AND {where} "
        "ORDER BY score, p.sent_at DESC LIMIT :limit",
        {**bindings, **narrowing, "query": query},
    )
    return [Placed(int(seq or 0), float(score or 0), days) for seq, score in rows]


def _naming(
    connection: Connection, days: OfDays, query: str, *, limit: int, filters: Filters
) -> list[Placed]:
    """Passages whose text names exactly these days, in whatever words and language, the newest first."""
    first = days.first.isoformat()
    where, narrowing = narrowed(filters)
    joined = (
        "JOIN chunk_index ON chunk_index.rowid = x.chunk_seq AND chunk_index MATCH :query " if query else ""
    )
    rows = connection.rows(
        "SELECT DISTINCT x.chunk_seq, x.said_at FROM aliases a "
        "JOIN entities e ON e.seq = a.entity_seq AND e.kind = 'date' "
        f"JOIN mentions x ON x.entity_seq = e.seq {joined}"
        "JOIN chunk_places p ON p.chunk_seq = x.chunk_seq JOIN messages m ON m.seq = p.message_seq "
        f"WHERE a.kind = 'value' AND a.folded >= :from AND a.folded <= :upto AND {where} "
        "ORDER BY x.said_at DESC, x.chunk_seq LIMIT :limit",
        {
            **narrowing,
            **({"query": query} if query else {}),
            "from": first if days.is_one_day else f"{first}/{days.last.isoformat()}",
            "upto": f"{first} ~" if days.is_one_day else f"{first}/{days.last.isoformat()}",
            "limit": limit,
        },
    )
    named = OfDays("names", days.first, days.last)
    return [Placed(int(seq or 0), 0.0, named) for seq, _ in rows]


def _named(text: str) -> Iterator[tuple[int, int, OfDays]]:
    """Where a text names days in full, in order and without overlap; of two readings the longer one."""
    found = [(*match.span(), _month(match)) for match in _MONTH.finditer(text)]
    for lang in available():
        there = {one.start: one.begin for one in find_dates(text, at=_NOWS[0], lang=lang)}
        for mention in find_dates(text, at=_NOWS[1], lang=lang):
            days = _days(mention)
            if days is not None and there.get(mention.start) == mention.begin:
                found.append((mention.start, mention.end, days))
    readings = dict[tuple[int, int], set[OfDays]]()
    for start, end, days in found:
        readings.setdefault((start, end), set()).add(days)
    last = 0
    for (start, end), said in sorted(readings.items(), key=lambda one: (one[0][0], -one[0][1])):
        if start >= last:
            last = end
            yield from ((start, end, days) for days in sorted(said, key=lambda days: days.first))


def _month(match: re.Match[str]) -> OfDays:
    first = date(int(match[1]), int(match[2]), 1)
    return OfDays("from", first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


def _days(mention: DateMention) -> OfDays | None:
    """The days of a mention; None where it names no days or too many."""
    begin, finish = mention.begin, mention.finish
    if (
        begin is None
        or finish is None
        or finish - begin > LONGEST
        or mention.kind not in {"date", "range", "datetime"}
    ):
        return None
    last = max(finish - timedelta(microseconds=1), begin)
    return OfDays("from", begin.date(), last.date())


def _telling(rest: str) -> str:
    """The words left, without the small ones: «from Ana on» is Ana. Phrases stay whole."""
    parts = []
    end = 0
    for phrase in [*_PHRASE.finditer(rest), None]:
        plain = rest[end : phrase.start() if phrase else len(rest)]
        parts += [word for word in _WORD.findall(plain) if not _is_small(word)]
        if phrase is not None:
            parts.append(phrase.group())
            end = phrase.end()
    return " ".join(parts)


def _is_small(word: str) -> bool:
    bare = word.strip(".,;:!?()")
    return not bare or any(is_stop_word(bare.casefold(), lang) for lang in available())


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
