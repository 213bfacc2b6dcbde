"""Whom the person may mean when they say that somebody is one with another: looked up by any word they go by."""

import json
from dataclasses import dataclass

from heedful.memory.entities.canonical_names import name_words
from heedful.memory.entities.canonical_store import PUT_OFF
from heedful.memory.entities.registry import Entity, entity
from heedful.storage import Connection

_BREAKS = str.maketrans(".@-_", "    ")
_FOLDED = "' ' || replace(replace(replace(replace(a.folded, '.', ' '), '@', ' '), '-', ' '), '_', ' ')"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody else; `reasons` speak for one person, the strongest first.

    `kept_apart`: the person said that they are two.
    """

    entity: Entity
    reasons: tuple[str, ...] = ()
    kept_apart: bool = False


def candidates(connection: Connection, entity_id: str, text: str, *, limit: int = 6) -> list[Candidate]:
    """Others who may be one with a person: those whom the words name, the most mentioned first.

    No words: those for whom there is evidence, the likeliest first. Empty where the id names nobody.
    """
    found = connection.rows("SELECT canonical, kind FROM entities WHERE id = ?", (entity_id,))
    if not found:
        return []
    group, kind = int(found[0][0] or 0), str(found[0][1])
    others = (
        _named(connection, group, kind, text, limit) if text.strip() else _likely(connection, group, limit)
    )
    shown = ((other, entity(connection, _id(connection, other))) for other in others)
    return [_candidate(connection, group, other, one) for other, one in shown if one is not None]


def _named(connection: Connection, group: int, kind: str, text: str, limit: int) -> list[int]:
    """By the beginnings of all words, each wherever it stands in a name or an address."""
    words = " ".join(name_words(text)) or text.casefold()
    parts = words.translate(_BREAKS).split()
    if not parts:
        return []
    holds = " AND ".join(f"instr({_FOLDED}, ' ' || ?) > 0" for _ in parts)
    rows = connection.rows(
        "SELECT e.canonical FROM aliases a JOIN entities e ON e.seq = a.entity_seq "
        "WHERE e.kind = ? AND e.canonical <> ? AND e.chunks > 0 AND a.kind IN ('name', 'address', 'handle') "
        f"AND {holds} GROUP BY e.canonical ORDER BY max(e.chunks) DESC, e.canonical LIMIT ?",
        (kind, group, *parts, limit),
    )
    return [int(other or 0) for (other,) in rows]


def _likely(connection: Connection, group: int, limit: int) -> list[int]:
    rows = connection.rows(
        "SELECT other, max(score) FROM ("
        "SELECT b.canonical AS other, o.score AS score, b.chunks AS chunks, o.by_person AS by_person, "
        "o.verdict AS verdict FROM entities a JOIN merge_opinions o ON o.first_seq = a.seq "
        "JOIN entities b ON b.seq = o.second_seq WHERE a.canonical = :group "
        "UNION ALL SELECT b.canonical, o.score, b.chunks, o.by_person, o.verdict FROM entities a "
        "JOIN merge_opinions o ON o.second_seq = a.seq JOIN entities b ON b.seq = o.first_seq "
        "WHERE a.canonical = :group) "
        f"WHERE other <> :group AND chunks > 0 AND (NOT by_person OR {PUT_OFF}) "
        "GROUP BY other ORDER BY 2 DESC, other LIMIT :limit",
        {"group": group, "limit": limit},
    )
    return [int(other or 0) for other, _ in rows]


def _candidate(connection: Connection, group: int, other: int, one: Entity) -> Candidate:
    said = connection.rows(
        "SELECT o.verdict, o.reasons FROM entities a JOIN entities b ON b.canonical = :other "
        "JOIN merge_opinions o ON o.first_seq = min(a.seq, b.seq) AND o.second_seq = max(a.seq, b.seq) "
        "WHERE a.canonical = :group ORDER BY o.score DESC",
        {"group": group, "other": other},
    )
    told = [json.loads(str(reasons)) for verdict, reasons in said if verdict in ("suggested", "merged")]
    return Candidate(
        one,
        tuple(told[0]) if told else (),
        kept_apart=any(verdict in ("refused", "parted") for verdict, _ in said),
    )


def _id(connection: Connection, group: int) -> str:
    return str(
        connection.value("SELECT id FROM entities WHERE canonical = ? ORDER BY chunks <= 0, seq", (group,))
    )
