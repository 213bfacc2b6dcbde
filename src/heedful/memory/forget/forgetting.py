"""Takes something out of the memory with everything that was made of it, in one transaction.

Messages go with their threads' heads, passages, index, vectors, mentions and relations; summaries above them are
written anew from what is left; items, judgements and texts sent to a model go by `traces`. The full-text index
only marks what was taken out until its parts are merged: `merge_index` does that in small steps.

What a source holds is not touched, but what was forgotten does not come back from it: a digest of each message is
kept beside the source, and goes with it.
"""

import json
from dataclasses import dataclass, fields, replace
from datetime import datetime

from heedful.core.ids import ActionableId, ChunkId, SourceId
from heedful.memory.embeddings.vector_gaps import drop_windows_on
from heedful.memory.forget.targets import Person, Target, messages_of, person
from heedful.memory.forget.traces import Traces, forget_traces
from heedful.memory.messages import sources_store
from heedful.memory.messages.forgotten_store import keep_out
from heedful.memory.messages.participants_store import forget_unmet, people_of
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.queue.queue_store import reclaim_of_others
from heedful.memory.tree.resealing import branches_of, reseal
from heedful.storage import Connection

SWEEP = "forget"
"""The kind of job that clears the index of what was only marked."""

PAGES_AT_ONCE = 400
NOBODY = ""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much went; `nodes` are summaries removed or written anew, `texts` requests and answers in the ledger."""

    messages: int = 0
    chunks: int = 0
    nodes: int = 0
    entities: int = 0
    relations: int = 0
    items: int = 0
    texts: int = 0
    originals: int = 0

    def __add__(self, other: "Forgotten") -> "Forgotten":
        return Forgotten(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What one forgetting came to, and which items it removed or changed."""

    counts: Forgotten
    items: tuple[ActionableId, ...]


def forget(connection: Connection, target: Target, *, now: datetime, holder: str = NOBODY) -> Forgetting:
    """Forgets a target inside the caller's transaction; what is freed in the file is overwritten.

    A job's `holder` keeps its lease.

    Raises:
        RejectedError: The target is not there.
    """
    known = person(connection, target.id) if target.kind == "person" else None
    before = _sizes(connection)
    done = forget_messages(connection, messages_of(connection, target), now=now, holder=holder)
    if known is not None:
        _forget_person(connection, known)
    if target.kind == "source":
        sources_store.remove(connection, SourceId(target.id))
        _forget_unmet_addresses(connection)
    return Forgetting(_gone_since(connection, before, done.counts), done.items)


def forget_messages(
    connection: Connection, seqs: list[int], *, now: datetime, holder: str = NOBODY
) -> Forgetting:
    """Forgets messages by their places of arrival; `forget` says how. A job's `holder` keeps its lease."""
    keep_out(connection, json.dumps(seqs))
    return remove_messages(connection, seqs, now=now, holder=holder)


def remove_messages(
    connection: Connection,
    seqs: list[int],
    *,
    now: datetime,
    keeps_decided: bool = False,
    holder: str = NOBODY,
) -> Forgetting:
    """Removes messages with everything made of them; they come in again where a source yields them.

    With `keeps_decided` the items the person decided on keep their state and history, without their words. Every
    running job but that of `holder` begins anew.
    """
    connection.execute("PRAGMA secure_delete = ON")
    before = _sizes(connection)
    traces, nodes = _remove(connection, json.dumps(seqs), now=now, keeps_decided=keeps_decided)
    if seqs:
        # What running jobs have read may hold what is gone, so they may not write it.
        reclaim_of_others(connection, holder, now=now)
        enqueue(connection, SWEEP, "index", now=now)
    counts = Forgotten(
        nodes=nodes, items=traces.removed_items, texts=traces.texts, originals=traces.originals
    )
    return Forgetting(_gone_since(connection, before, counts), traces.items)


def merge_index(connection: Connection, *, is_first: bool) -> bool:
    """One step of clearing the full-text indexes of words that were only marked as gone; True when there is more.

    The first step puts every part of them up for merging.
    """
    connection.execute("PRAGMA secure_delete = ON")
    return any([_merge(connection, index, is_first=is_first) for index in ("chunk_index", "node_index")])


def _merge(connection: Connection, index: str, *, is_first: bool) -> bool:
    """Source: SQLite FTS5, §6.8 «The 'merge' Command»: a step that changes fewer than two rows had nothing to do."""
    before = int(connection.value("SELECT total_changes()") or 0)
    connection.execute(
        f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)",
        (-PAGES_AT_ONCE if is_first else PAGES_AT_ONCE,),
    )
    return int(connection.value("SELECT total_changes()") or 0) - before >= 2


def _remove(connection: Connection, wanted: str, *, now: datetime, keeps_decided: bool) -> tuple[Traces, int]:
    traces = forget_traces(connection, wanted, keeps_decided=keeps_decided)
    chunks = [
        ChunkId(str(chunk_id))
        for (chunk_id,) in connection.rows(
            "SELECT c.id FROM chunks c JOIN json_each(?) j ON j.value = c.message_seq", (wanted,)
        )
    ]
    branches = branches_of(connection, chunks)
    drop_windows_on(connection, wanted, now=now)
    _forget_told(connection, chunks)
    _remove_rows(connection, wanted)
    touched = reseal(connection, branches, now=now)
    if branches:
        enqueue(connection, "summarise", ALL, now=now)
        enqueue(connection, "digest", ALL, now=now)
    return traces, touched


def _forget_told(connection: Connection, chunks: list[ChunkId]) -> None:
    from heedful.memory.entities.registry import forget_chunks

    forget_chunks(connection, chunks)


def _remove_rows(connection: Connection, seqs: str) -> None:
    threads = connection.rows(
        "SELECT DISTINCT t.id, t.title FROM threads t JOIN messages m ON m.thread_id = t.id "
        "JOIN json_each(?) j ON j.value = m.seq",
        (seqs,),
    )
    people = people_of(connection, seqs)
    titled = _titles_of(connection, seqs)
    connection.execute("DELETE FROM messages WHERE seq IN (SELECT value FROM json_each(?))", (seqs,))
    for thread_id, title in threads:
        _mend_thread(connection, str(thread_id), is_titled_by_gone=str(title).casefold() in titled)
    forget_unmet(connection, people)


def _titles_of(connection: Connection, seqs: str) -> frozenset[str]:
    """What the titles of threads may have been taken from: the messages' subjects, with their marks and without."""
    from heedful.sources.subjects import bare_subject

    rows = connection.rows(
        "SELECT DISTINCT m.subject FROM messages m JOIN json_each(?) j ON j.value = m.seq WHERE m.subject <> ''",
        (seqs,),
    )
    subjects = [str(subject) for (subject,) in rows]
    return frozenset(title.casefold() for subject in subjects for title in (subject, bare_subject(subject)))


def _mend_thread(connection: Connection, thread_id: str, *, is_titled_by_gone: bool) -> None:
    """Lets a thread's head tell of what is left in it, or removes it with its last message."""
    from heedful.sources.subjects import bare_subject

    left, first, last = connection.row(
        "SELECT count(*), min(sent_at), max(sent_at) FROM messages WHERE thread_id = ?", (thread_id,)
    ) or (0, None, None)
    if not left:
        connection.execute("DELETE FROM threads WHERE id = ?", (thread_id,))
        return
    connection.execute(
        "UPDATE threads SET messages = ?, first_at = ?, last_at = ? WHERE id = ?",
        (left, first, last, thread_id),
    )
    if is_titled_by_gone:
        subject = connection.value(
            "SELECT subject FROM messages WHERE thread_id = ? ORDER BY sent_at, seq LIMIT 1", (thread_id,)
        )
        connection.execute(
            "UPDATE threads SET title = ? WHERE id = ?", (bare_subject(str(subject or "")), thread_id)
        )


def _forget_person(connection: Connection, known: Person) -> None:
    """Removes a person from what others wrote to several, and from the registry."""
    from heedful.memory.entities.registry import forget_identities

    people = json.dumps(known.participants)
    connection.execute(
        "DELETE FROM recipients WHERE participant_id IN (SELECT value FROM json_each(?))", (people,)
    )
    forget_unmet(connection, people)
    forget_identities(connection, known.entities)


def _forget_unmet_addresses(connection: Connection) -> None:
    connection.execute(
        "DELETE FROM own_addresses WHERE origin = 'inferred' "
        "AND NOT EXISTS (SELECT 1 FROM participants p WHERE p.address = own_addresses.address)"
    )


_Sizes = tuple[int, int, int, int]


def _gone_since(connection: Connection, before: _Sizes, counts: Forgotten) -> Forgotten:
    after = _sizes(connection)
    messages, chunks, entities, relations = (old - new for old, new in zip(before, after, strict=True))
    return replace(counts, messages=messages, chunks=chunks, entities=entities, relations=relations)


def _sizes(connection: Connection) -> _Sizes:
    row = connection.row(
        "SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM chunks), (SELECT count(*) FROM entities), "
        "(SELECT count(*) FROM relations)"
    ) or (0, 0, 0, 0)
    return int(row[0] or 0), int(row[1] or 0), int(row[2] or 0), int(row[3] or 0)
