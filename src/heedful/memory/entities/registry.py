"""People and things in memory, for whoever shows or searches them: each once, however many names it goes by.

An id of any identity of a person stands for the whole person. Give these functions a reader's connection.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis, to_millis
from heedful.core.ids import ChunkId
from heedful.memory.entities import canonical_store
from heedful.memory.entities.canonical_names import name_words
from heedful.memory.entities.hotness import heats
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.reading import Role
from heedful.memory.messages import messages_store
from heedful.memory.messages.stored import StoredMessage
from heedful.storage import Connection, Row

MOST_CHUNKS_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Alias:
    """One way an entity is written, with how often, and the identity it belongs to."""

    kind: str
    text: str
    uses: int
    identity_id: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A person or thing; `identities` are the ids that count as it, `chunks` how many passages mention it.

    `hotness` is filled by `top_entities` only.
    """

    id: str
    kind: EntityKind
    name: str
    identities: tuple[str, ...]
    aliases: tuple[Alias, ...]
    chunks: int
    last_at: datetime | None
    hotness: float = 0.0


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a passage speaks of an entity: characters [start, end) of its message's text, 0 and 0 in the head."""

    entity_id: str
    kind: EntityKind
    name: str
    role: Role
    start: int
    end: int
    score: float


_ROLES: dict[str, Role] = {
    "author": "author",
    "to": "to",
    "cc": "cc",
    "text": "text",
    "signature": "signature",
}


def top_entities(
    connection: Connection, kind: EntityKind | None = None, *, limit: int = 20, now: datetime | None = None
) -> list[Entity]:
    """The hottest entities first, then those most often mentioned; `now` None: as of the newest mention.

    One of whose identities some are of another kind, a person who also writes as a list, is there by its own kind.
    """
    newest = connection.value("SELECT max(said_at) FROM mentions")
    if newest is None:
        return []
    moment = from_millis(int(newest)) if now is None else now
    hot = heats(connection, now=moment, kind=None if kind is None else kind.value, most=3 * limit)
    ranked = sorted(hot, key=lambda group: (-hot[group].total, group))[:limit]
    if len(ranked) < limit:
        ranked += _most_mentioned(connection, kind, limit, known=set(ranked))[: limit - len(ranked)]
    return [
        _with_heat(found, hot[group].total if group in hot else 0.0)
        for group in ranked
        if (found := _entity(connection, group)) is not None
        and found.chunks > 0
        and (kind is None or found.kind is kind)
    ]


def _most_mentioned(
    connection: Connection, kind: EntityKind | None, limit: int, known: set[int]
) -> list[int]:
    rows = connection.rows(
        "SELECT e.canonical FROM entity_counts n JOIN entities e ON e.seq = n.entity_seq "
        "WHERE :kind IS NULL OR e.kind = :kind "
        "GROUP BY e.canonical ORDER BY sum(n.chunks) DESC, e.canonical LIMIT :limit",
        {"kind": None if kind is None else kind.value, "limit": limit + len(known)},
    )
    return [int(group or 0) for (group,) in rows if int(group or 0) not in known]


def entity(connection: Connection, entity_id: str) -> Entity | None:
    """The person or thing that an id stands for; None when there is none."""
    group = connection.value("SELECT canonical FROM entities WHERE id = ?", (entity_id,))
    return None if group is None else _entity(connection, int(group))


def find_entities(
    connection: Connection, text: str, *, kind: EntityKind | None = None, limit: int = 10
) -> list[Entity]:
    """Those whose names, addresses or handles begin with the words of `text`, the most mentioned first."""
    written = text.strip().casefold()
    if not written:
        return []
    folded = " ".join(name_words(text)) or written
    rows = connection.rows(
        "SELECT e.canonical FROM aliases a JOIN entities e ON e.seq = a.entity_seq "
        "WHERE (a.folded BETWEEN :folded AND :folded || :last OR a.folded BETWEEN :written AND :written || :last) "
        "AND e.chunks > 0 AND (:kind IS NULL OR e.kind = :kind) "
        "GROUP BY e.canonical ORDER BY sum(e.chunks) DESC LIMIT :limit",
        {
            "folded": folded,
            "written": written,
            "last": "\U0010ffff",
            "kind": None if kind is None else kind.value,
            "limit": limit,
        },
    )
    return [found for (group,) in rows if (found := _entity(connection, int(group or 0))) is not None]


def entities_in(connection: Connection, chunk_id: ChunkId) -> list[Mention]:
    """Whom and what a passage mentions, those in its message's head first, then in the text's order."""
    rows = connection.rows(
        "SELECT e.canonical, m.role, m.start, m.finish, m.score FROM chunks c JOIN mentions m ON m.chunk_seq = c.seq "
        "JOIN entities e ON e.seq = m.entity_seq WHERE c.id = ? "
        "ORDER BY m.role IN ('text', 'signature'), m.start, m.finish DESC, m.role = 'author' DESC",
        (chunk_id,),
    )
    shown = {group: _entity(connection, int(group or 0)) for group, *_ in rows}
    found: dict[tuple[str, str, int], Mention] = {}
    for group, role, start, finish, score in rows:
        whole = shown[group]
        if whole is not None:
            mention = Mention(
                whole.id,
                whole.kind,
                whole.name,
                _ROLES[str(role)],
                int(start or 0),
                int(finish or 0),
                float(score or 0),
            )
            found.setdefault((whole.id, mention.role, mention.start), mention)
    return list(found.values())


def messages_of(
    connection: Connection,
    entity_id: str,
    *,
    roles: Iterable[Role] = (),
    before: datetime | None = None,
    limit: int = 50,
) -> list[StoredMessage]:
    """The messages that mention an entity, the newest first, each once; `roles` empty means in any way."""
    wanted = list(roles)
    marks = ", ".join("?" * len(wanted))
    rows = connection.rows(
        "SELECT c.message_seq, max(m.said_at) FROM entities s JOIN entities e ON e.canonical = s.canonical "
        "JOIN mentions m ON m.entity_seq = e.seq JOIN chunks c ON c.seq = m.chunk_seq WHERE s.id = ? "
        + (f"AND m.role IN ({marks}) " if wanted else "")
        + "AND m.said_at < ? GROUP BY c.message_seq ORDER BY 2 DESC, 1 DESC LIMIT ?",
        (entity_id, *wanted, _FAR_AHEAD if before is None else to_millis(before), limit),
    )
    seqs = [int(seq or 0) for seq, _ in rows]
    by_seq = {message.seq: message for message in messages_store.messages(connection, seqs)}
    return [by_seq[seq] for seq in seqs if seq in by_seq]


_FAR_AHEAD = 1 << 62


def forget_chunks(connection: Connection, chunk_ids: Sequence[ChunkId]) -> int:
    """Takes back all that these passages told of people and things; returns how many entities went with them.

    What only they mentioned is gone, though the person had said something of it.
    """
    gone = 0
    for begin in range(0, len(chunk_ids), MOST_CHUNKS_AT_ONCE):
        part = list(chunk_ids[begin : begin + MOST_CHUNKS_AT_ONCE])
        marks = ", ".join("?" * len(part))
        touched = connection.rows(
            "SELECT DISTINCT m.entity_seq FROM chunks c JOIN mentions m ON m.chunk_seq = c.seq "
            f"WHERE c.id IN ({marks})",
            part,
        )
        around = canonical_store.around(connection, (int(seq or 0) for (seq,) in touched))
        for table in ("mentions", "relation_evidence"):
            connection.execute(
                f"DELETE FROM {table} WHERE chunk_seq IN (SELECT seq FROM chunks WHERE id IN ({marks}))", part
            )
        connection.execute_many("DELETE FROM entities WHERE seq = ? AND chunks <= 0", touched)
        gone += len(touched) - len(_there(connection, (int(seq or 0) for (seq,) in touched)))
        canonical_store.regroup(connection, around)
    return gone


def forget_identities(connection: Connection, seqs: Sequence[int]) -> None:
    """Removes identities with all that was held of them; who is one with whom without them is worked out anew."""
    around = canonical_store.around(connection, seqs)
    connection.execute(
        "DELETE FROM entities WHERE seq IN (SELECT value FROM json_each(?))", (json.dumps(list(seqs)),)
    )
    canonical_store.regroup(connection, around)


def company_in(connection: Connection, message_seq: int) -> frozenset[int]:
    """The identities that a message mentions, with all who may be joined otherwise without one of them."""
    rows = connection.rows(
        "SELECT DISTINCT x.entity_seq FROM chunks c JOIN mentions x ON x.chunk_seq = c.seq WHERE c.message_seq = ?",
        (message_seq,),
    )
    return frozenset(canonical_store.around(connection, (int(seq or 0) for (seq,) in rows)))


def regroup_without_gone(connection: Connection, company: frozenset[int]) -> None:
    """Works out anew who is one with whom among these, where one of them is gone since."""
    left = _there(connection, company)
    if len(left) < len(company):
        canonical_store.regroup(connection, left)


def _there(connection: Connection, seqs: Iterable[int]) -> set[int]:
    rows = connection.rows(
        "SELECT seq FROM entities WHERE seq IN (SELECT value FROM json_each(?))", (json.dumps(list(seqs)),)
    )
    return {int(seq or 0) for (seq,) in rows}


def _entity(connection: Connection, group: int) -> Entity | None:
    members = connection.rows(
        "SELECT seq, id, kind, name, chunks FROM entities WHERE canonical = ? ORDER BY chunks <= 0, seq",
        (group,),
    )
    if not members:
        return None
    aliases = connection.rows(
        "SELECT a.kind, a.alias, a.uses, e.id FROM entities e JOIN aliases a ON a.entity_seq = e.seq "
        "WHERE e.canonical = ? ORDER BY a.uses DESC, a.seq",
        (group,),
    )
    last = connection.value(
        "SELECT max(m.said_at) FROM entities e JOIN mentions m ON m.entity_seq = e.seq WHERE e.canonical = ?",
        (group,),
    )
    first = members[0]
    return Entity(
        id=str(first[1]),
        kind=EntityKind(str(first[2])),
        name=_shown_name(aliases) or str(first[3]),
        identities=tuple(str(member[1]) for member in members),
        aliases=tuple(Alias(str(k), str(text), int(uses or 0), str(of)) for k, text, uses, of in aliases),
        chunks=sum(int(member[4] or 0) for member in members),
        last_at=None if last is None else from_millis(int(last)),
    )


def _shown_name(aliases: Sequence[Row]) -> str:
    """The full name most often written, else the name most often written."""
    names = [str(alias) for kind, alias, _, _ in aliases if kind == "name"]
    full = [name for name in names if len(name_words(name)) > 1]
    return next(iter([*full, *names]), "")


def _with_heat(found: Entity, heat: float) -> Entity:
    return Entity(
        found.id,
        found.kind,
        found.name,
        found.identities,
        found.aliases,
        found.chunks,
        found.last_at,
        round(heat, 3),
    )
