"""The person's word on pairs of identities: noted, taken back, and the questions they put off."""

import json
from collections.abc import Sequence
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.memory.entities.canonical_clusters import Verdict
from heedful.memory.entities.canonical_store import regroup
from heedful.storage import Connection, Row, Value

Pair = tuple[int, int]

_OPINION = "first_seq, second_seq, score, reasons, verdict, by_person, decided_at"


def say(
    connection: Connection, pairs: Sequence[Pair], verdict: Verdict, *, reason: str, now: datetime
) -> None:
    """Notes the person's word on pairs, which overrules everything said of them before; people are joined anew."""
    rows: list[tuple[Value, ...]] = [
        (*sorted(pair), 1.0, json.dumps([reason]), verdict, to_millis(now)) for pair in pairs
    ]
    connection.execute_many(
        f"INSERT INTO merge_opinions ({_OPINION}) "
        "VALUES (?, ?, ?, ?, ?, 1, ?) ON CONFLICT (first_seq, second_seq) DO UPDATE SET score = excluded.score, "
        "reasons = excluded.reasons, verdict = excluded.verdict, by_person = 1, decided_at = excluded.decided_at",
        rows,
    )
    _mark(connection, pairs)
    regroup(connection, {seq for pair in pairs for seq in pair})


def put_off(connection: Connection, pairs: Sequence[Pair], *, now: datetime) -> None:
    """Leaves what the evidence says of pairs as it is, and unasked until it says more; nobody is joined or parted."""
    connection.execute_many(
        "UPDATE merge_opinions SET verdict = 'suggested', by_person = 1, decided_at = ? "
        "WHERE first_seq = ? AND second_seq = ? AND NOT by_person",
        [(to_millis(now), *pair) for pair in pairs],
    )
    _mark(connection, pairs)


def said_of(connection: Connection, pairs: Sequence[Pair]) -> list[Row]:
    """The person's own words on pairs, the smaller number first, as `restore` takes them."""
    return connection.rows(
        f"SELECT {_OPINION} FROM json_each(?) j JOIN merge_opinions ON first_seq = j.value ->> 0 "
        "AND second_seq = j.value ->> 1 WHERE by_person",
        (json.dumps(pairs),),
    )


def unsay(connection: Connection, pairs: Sequence[Pair]) -> None:
    """Removes the person's word on pairs."""
    connection.execute_many(
        "DELETE FROM merge_opinions WHERE first_seq = ? AND second_seq = ? AND by_person", pairs
    )
    connection.execute_many(
        "UPDATE entities SET person_said = EXISTS (SELECT 1 FROM merge_opinions o WHERE o.by_person "
        "AND (o.first_seq = entities.seq OR o.second_seq = entities.seq)) WHERE seq = ?",
        [(seq,) for pair in pairs for seq in pair],
    )


def restore(connection: Connection, words: Sequence[Row]) -> None:
    """Puts words of `said_of` back, those on identities that are still there."""
    connection.execute_many(
        f"INSERT OR REPLACE INTO merge_opinions ({_OPINION}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
        "WHERE (SELECT count(*) FROM entities WHERE seq IN (?1, ?2)) = 2",
        words,
    )
    connection.execute_many(
        "UPDATE entities SET person_said = 1 WHERE seq IN (?, ?)", [(row[0], row[1]) for row in words]
    )


def _mark(connection: Connection, pairs: Sequence[Pair]) -> None:
    connection.execute_many(
        "UPDATE entities SET person_said = 1 WHERE seq = ?", [(seq,) for pair in pairs for seq in pair]
    )
