"""What each stage of the memory did with one message: for whoever asks why something is, or is not, remembered.

Every stage has an answer, also where it did nothing yet or never will: then its `state` says so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis, to_millis
from heedful.core.errors import RejectedError
from heedful.core.ids import MessageId
from heedful.memory.messages import cursors_store, messages_store
from heedful.memory.messages.stored import Chunk, StoredMessage
from heedful.memory.tree import admission_store, tree_store
from heedful.storage import Connection

Fact = str | int | float | bool | None | list["Fact"] | dict[str, "Fact"]

SHOWN = 40
_PLANNED = "state = 'ready' AND available_at > ?1 AND attempts + deferrals = 0"


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage's answer: `done`, `waiting` (a job will get to it), `planned`, `nothing` (it found nothing), `failed`.

    `planned` is what only jobs for a moment ahead, by their nature, will get to.
    """

    name: str
    state: str
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Stages:
    """All stages, in the order in which a message meets them."""

    message_id: MessageId
    subject: str
    stages: tuple[Stage, ...]


def stages_of(connection: Connection, asked: str, *, now: datetime) -> Stages:
    """The stages of a message, by its id, one of its chunks', or the id its source gave it.

    Raises:
        RejectedError: There is no such message.
    """
    found = _find(connection, asked)
    if found is None:
        raise RejectedError("There is no such message", "", "Find one with `heedful search`.")
    answers: tuple[Callable[[Connection, StoredMessage, datetime], Stage], ...] = (
        _intake, _chunks, _entities, _vectors, _admission, _tree, _days, _jobs,
    )  # fmt: skip
    return Stages(found.id, found.subject, tuple(answer(connection, found, now) for answer in answers))


def _find(connection: Connection, asked: str) -> StoredMessage | None:
    seq = connection.value(
        "SELECT seq FROM messages WHERE id = ?1 UNION ALL SELECT message_seq FROM chunks WHERE id = ?1 "
        "UNION ALL SELECT message_seq FROM origins WHERE external_id = ?1 LIMIT 1",
        (asked,),
    )
    return None if seq is None else messages_store.messages(connection, [int(seq)])[0]


def _intake(connection: Connection, message: StoredMessage, _now: datetime) -> Stage:
    ingested = connection.value("SELECT ingested_at FROM messages WHERE seq = ?", (message.seq,))
    origins = connection.rows(
        "SELECT source_id, external_id FROM origins WHERE message_seq = ?", (message.seq,)
    )
    return Stage(
        "intake",
        "done",
        {
            "ingested_at": from_millis(int(ingested or 0)).isoformat(),
            "kind": message.kind,
            "channel": message.channel,
            "language": message.lang,
            "from_me": message.from_me,
            "zones": [f"{zone.kind.value} {zone.start}–{zone.end}" for zone in message.zones],
            "origins": [": ".join(map(str, origin)) for origin in origins],
        },
    )


def _chunks(connection: Connection, message: StoredMessage, _now: datetime) -> Stage:
    indexed = connection.value(
        "SELECT count(*) FROM chunks c JOIN chunk_index f ON f.rowid = c.seq WHERE c.message_seq = ?",
        (message.seq,),
    )
    facts: dict[str, Fact] = {
        "chunks": [f"{chunk.id} {chunk.start}–{chunk.end}" for chunk in message.chunks[:SHOWN]],
        "searchable": indexed == len(message.chunks),
    }
    return Stage("chunks", "done" if message.chunks else "nothing", facts)


def _entities(connection: Connection, message: StoredMessage, now: datetime) -> Stage:
    rows = connection.rows(
        "SELECT DISTINCT e.kind, e.name, x.role, x.made_by FROM mentions x JOIN chunks c ON c.seq = x.chunk_seq "
        "JOIN entities e ON e.seq = x.entity_seq WHERE c.message_seq = ? ORDER BY x.role, e.kind, e.name LIMIT ?",
        (message.seq, SHOWN),
    )
    state = "done" if rows else _unfinished(connection, "extract_entities", now=now)
    told: list[Fact] = [
        f"{kind} {name} {role}{f' by {by}' if by else ''}"
        for kind, name, role, by in (map(str, row) for row in rows)
    ]
    return Stage("entities", state, {"entities": told})


def _vectors(connection: Connection, message: StoredMessage, now: datetime) -> Stage:
    rows = connection.rows(
        "SELECT m.name, count(*) FROM vectors v JOIN chunks c ON c.seq = v.chunk_seq "
        "JOIN embedding_models m ON m.id = v.model_id WHERE c.message_seq = ? GROUP BY m.name",
        (message.seq,),
    )
    state = "done" if rows else _unfinished(connection, "embed", now=now)
    return Stage("vectors", state, {"models": {str(name): int(count or 0) for name, count in rows}})


def _admission(connection: Connection, message: StoredMessage, now: datetime) -> Stage:
    verdicts: dict[str, Fact] = {}
    for chunk in message.chunks[:SHOWN]:
        one = admission_store.admission(connection, chunk.id)
        if one is not None:
            verdicts[chunk.id] = {
                "kept": one.is_admitted,
                "total": one.total,
                "reason": one.reason,
                "signals": {name.value: value for name, value in one.signals.items()},
            }
    return Stage("admission", "done" if verdicts else _unfinished(connection, "seal", now=now), verdicts)


def _tree(connection: Connection, message: StoredMessage, now: datetime) -> Stage:
    above = _above(connection, message.chunks[:SHOWN], days=False)
    is_stale = any(str(one).endswith("stale") for one in above)
    state = "waiting" if is_stale else "done" if above else _unfinished(connection, "seal", now=now)
    return Stage("tree", state, {"nodes": above})


def _days(connection: Connection, message: StoredMessage, now: datetime) -> Stage:
    above = _above(connection, message.chunks[:SHOWN], days=True)
    return Stage("digest", "done" if above else _unfinished(connection, "digest", now=now), {"nodes": above})


def _above(connection: Connection, chunks: tuple[Chunk, ...], *, days: bool) -> list[Fact]:
    found: dict[str, Fact] = {}
    for chunk in chunks:
        for node in tree_store.nodes_above(connection, chunk.id):
            if (node.scope == "day") == days:
                made = f"{node.method} by {node.made_by}" if node.made_by else "not made yet"
                stale = ", stale" if node.stale else ""
                found[node.id] = f"{node.scope} {node.scope_id} level {node.level}: {node.id}, {made}{stale}"
    return list(found.values())


def _jobs(connection: Connection, message: StoredMessage, now: datetime) -> Stage:
    rows = connection.rows(
        "SELECT kind, dedupe_key, "
        f"CASE WHEN {_PLANNED} THEN 'planned' ELSE state END, attempts, deferrals, error FROM jobs "
        "WHERE state <> 'done' ORDER BY kind, dedupe_key LIMIT ?2",
        (to_millis(now), SHOWN),
    )
    told: list[Fact] = [_told_of_job(*map(str, row)) for row in rows]
    cursors = {
        str(stage): int(place or 0)
        for stage, place in connection.rows(
            "SELECT stage, place FROM stage_cursors WHERE stage <> ?", (cursors_store.FOUND_SOUND,)
        )
    }
    place = connection.value("SELECT max(seq) FROM chunks WHERE message_seq = ?", (message.seq,))
    facts: dict[str, Fact] = {
        "jobs": told,
        "cursors": dict(cursors),
        "changed": message.changed,
        "last_chunk": int(place or 0),
    }
    return Stage("jobs", _unfinished(connection, None, now=now), facts)


def _told_of_job(kind: str, key: str, state: str, attempts: str, deferrals: str, error: str) -> str:
    met = f", {attempts} broken, {deferrals} put off" if (attempts, deferrals) != ("0", "0") else ""
    return f"{kind} {key}: {state}{met}" + (f" ({error})" if error != "None" else "")


def _unfinished(connection: Connection, kind: str | None, *, now: datetime) -> str:
    """What is to be said of a stage without rows, by its jobs; of all jobs where no kind is named."""
    found = connection.row(
        "SELECT sum(state = 'failed'), "
        f"sum(state <> 'failed' AND NOT ({_PLANNED})), "
        "count(*) FROM jobs WHERE state <> 'done' AND (?2 IS NULL OR kind = ?2)",
        (to_millis(now), kind),
    )
    failed, waiting, unfinished = (int(number or 0) for number in found or (0, 0, 0))
    return "failed" if failed else "waiting" if waiting else "planned" if unfinished else "nothing"
