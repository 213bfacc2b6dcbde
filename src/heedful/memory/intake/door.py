"""The one door into memory: redacts secrets, drops what is known, writes messages, threads, chunks and index.

Everything a source yields passes through `take_in`, in the transaction that also moves the source's cursor: a
batch is in the store with its cursor, or neither is. What meets a bug of Heedful's on its way is listed with what was
rejected, by the id it has in its source; else it would keep its source from ever being read further.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Literal, assert_never

from heedful.core.clock import to_millis
from heedful.core.ids import MessageId, SourceId, ThreadId, content_id
from heedful.core.supervise import one_of_many
from heedful.memory.embeddings.vector_gaps import drop_windows_on
from heedful.memory.intake.departures import RECONCILE, give_up
from heedful.memory.intake.edits import follow_edit
from heedful.memory.intake.met import Met
from heedful.memory.intake.written import Written, clean, in_full
from heedful.memory.messages import rejects_store
from heedful.memory.messages.cleaning import storable
from heedful.memory.messages.forgotten_store import is_kept_out
from heedful.memory.queue.asking import enqueue
from heedful.memory.tree.growing import keep_place
from heedful.memory.tree.tree_store import homes
from heedful.memory.work.growth import note_growth
from heedful.reading import normalise_address
from heedful.sources import Batch, Incoming, Occurrence, Person, Rejected
from heedful.storage import Connection

UNKEPT = "Heedful could not keep it: a fault of its own, which its log names."

HORIZON = timedelta(days=400)
"""How far ahead a source unfolds a calendar's series."""

DENSE = 100
"""A series with more occurrences within the horizon may have been cut short before it."""

MANY = 20
FEW = 5


def is_too_much(missing: int, held: int) -> bool:
    """Whether so much of what a source held is missing at once that it is rather out of reach than deleted."""
    return (missing >= MANY and missing * 2 > held) or (missing >= FEW and missing == held)


@dataclass(frozen=True, slots=True)
class Intake:
    """What one batch came to: counts of messages, and how many secrets were taken out."""

    new: int = 0
    known: int = 0
    edited: int = 0
    gone: int = 0
    redacted: int = 0

    def __add__(self, other: "Intake") -> "Intake":
        return Intake(
            self.new + other.new,
            self.known + other.known,
            self.edited + other.edited,
            self.gone + other.gone,
            self.redacted + other.redacted,
        )


Reading = Literal["usual", "elsewhere", "comparison"]
"""Which reading of a source a batch comes from.

The usual one goes on from the source's cursor and hears what is gone. One from `elsewhere`, a file given under the
source's name, leaves its cursor alone and tells nothing of what is gone; nor does a `comparison` of everything, which
keeps a cursor of its own and draws its conclusions at its end.
"""


def take_in(
    connection: Connection,
    source_id: SourceId,
    batch: Batch,
    *,
    now: datetime,
    reading: Reading = "usual",
    met: Met | None = None,
) -> Intake:
    """Stores a batch and the source's cursor; runs inside the caller's transaction.

    `met` is what earlier batches of the same reading brought.
    """
    met = met or Met()
    total, left_out = Intake(), list[Rejected]()
    changed = _last_change(connection)
    for item in batch.items:
        outcome = _take_one(connection, source_id, item, reading, met, changed=changed + 1, now=now)
        if isinstance(outcome, Rejected):
            left_out.append(outcome)
        else:
            changed += outcome.new + outcome.edited
            total += outcome
    if reading == "usual":
        if batch.is_rewritten:
            enqueue(connection, RECONCILE, source_id, {"source": source_id}, now=now)
        total += Intake(gone=_give_up(connection, source_id, batch.gone, now=now))
    if reading != "elsewhere":
        rejects_store.clear(connection, source_id, [storable(place) for place in batch.begun])
    rejects_store.keep(connection, source_id, [*batch.rejected, *left_out], now=now)
    _keep_cursor(connection, source_id, batch.cursor, reading)
    if total.new:
        connection.execute("UPDATE sources SET last_new_at = ? WHERE id = ?", (to_millis(now), source_id))
    if total.new or total.edited or total.gone:
        note_growth(connection, now=now)
    return total


def _give_up(connection: Connection, source_id: SourceId, gone: Sequence[str], *, now: datetime) -> int:
    """Gives up what a source no longer holds, unless it is so much that a drive is rather missing than its content."""
    if not gone:
        return 0
    held = int(connection.value("SELECT count(*) FROM origins WHERE source_id = ?", (source_id,)) or 0)
    if is_too_much(len(gone), held):
        connection.execute("UPDATE sources SET missing = ? WHERE id = ?", (len(gone), source_id))
        return 0
    return give_up(connection, source_id, [storable(external_id) for external_id in gone], now=now)


def _keep_cursor(connection: Connection, source_id: SourceId, cursor: str, reading: Reading) -> None:
    match reading:
        case "usual":
            connection.execute("UPDATE sources SET cursor = ? WHERE id = ?", (cursor, source_id))
        case "comparison":
            connection.execute("UPDATE sources SET comparing_cursor = ? WHERE id = ?", (cursor, source_id))
        case "elsewhere":
            pass
        case _:
            assert_never(reading)


def _last_change(connection: Connection) -> int:
    return int(connection.value("SELECT max(changed) FROM messages") or 0)


def _take_one(
    connection: Connection,
    source_id: SourceId,
    item: Incoming,
    reading: Reading,
    met: Met,
    *,
    changed: int,
    now: datetime,
) -> Intake | Rejected:
    cleaned = one_of_many("cleaning a message", partial(clean, item), otherwise=None)
    if cleaned is None:
        return _unkept(item)
    item, content_hash, redacted = cleaned.item, cleaned.content_hash, cleaned.redacted
    known = connection.row(
        "SELECT m.seq, m.id, m.content_hash, m.source_id, o.elsewhere FROM origins o "
        "JOIN messages m ON m.seq = o.message_seq WHERE o.source_id = ? AND o.external_id = ?",
        (source_id, item.external_id),
    )
    if known is None:
        known = connection.row(
            "SELECT seq, id, content_hash, source_id, 0 FROM messages WHERE identity = ?", (item.identity,)
        )
        if known is not None:
            _add_origin(connection, source_id, item.external_id, int(known[0] or 0), reading, now=now)
            _adopt(connection, source_id, item.external_id, int(known[0] or 0))
    elif reading == "comparison" or (known[4] and reading == "usual"):
        _add_origin(connection, source_id, item.external_id, int(known[0] or 0), reading, now=now)
    if known is None:
        message_id = MessageId(content_id("message", item.identity))
        if is_kept_out(connection, source_id, message_id, item.external_id):
            return Intake(known=1)
        new = _in_full(item)
        if new is None:
            return _unkept(item)
        met.add(_insert(connection, source_id, new, content_hash, reading, changed=changed, now=now))
        return Intake(new=1, redacted=redacted)
    is_another_copy = met.add(int(known[0] or 0))
    if known[2] == content_hash or known[3] != source_id or is_another_copy:
        return Intake(known=1)
    edit = _in_full(item)
    if edit is None:
        return _unkept(item)
    _rewrite(connection, int(known[0] or 0), edit, content_hash, changed=changed, now=now)
    return Intake(edited=1, redacted=redacted)


def _unkept(item: Incoming) -> Rejected:
    return Rejected(storable(item.external_id), UNKEPT, is_refused=True)


def _in_full(item: Incoming) -> Written | None:
    """As it is to be written, made before anything of it is; None where that meets a bug."""
    return one_of_many("taking a message in", partial(in_full, item), otherwise=None)


def _insert(
    connection: Connection,
    source_id: SourceId,
    new: Written,
    content_hash: str,
    reading: Reading,
    *,
    changed: int,
    now: datetime,
) -> int:
    item = new.item
    thread_id = _thread_of(source_id, item)
    _touch_thread(connection, source_id, thread_id, item)
    connection.execute(
        "INSERT INTO messages (id, source_id, thread_id, kind, channel, external_id, identity, author_id, from_me, "
        "sent_at, sent_offset_min, subject, text, zones, lang, traits, reply_to, content_hash, ingested_at, changed) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new.message_id, source_id, thread_id, item.kind, item.channel, item.external_id, item.identity,
            _participant(connection, item.author), None if item.from_me is None else int(item.from_me),
            new.sent_at, new.offset_min, item.subject, item.text, new.zones, item.lang, new.traits, item.reply_to,
            content_hash, to_millis(now), changed,
        ),
    )  # fmt: skip
    seq = connection.last_row_id()
    _add_origin(connection, source_id, item.external_id, seq, reading, now=now)
    _add_recipients(connection, seq, item)
    _index(connection, seq, new)
    _keep_occurrences(connection, seq, item, now)
    return seq


def _rewrite(
    connection: Connection,
    seq: int,
    edit: Written,
    content_hash: str,
    *,
    changed: int,
    now: datetime,
) -> None:
    item = edit.item
    connection.execute(
        "UPDATE messages SET author_id = ?, from_me = ?, subject = ?, text = ?, zones = ?, lang = ?, traits = ?, "
        "sent_at = ?, sent_offset_min = ?, reply_to = ?, content_hash = ?, changed = ? WHERE seq = ?",
        (
            _participant(connection, item.author), None if item.from_me is None else int(item.from_me), item.subject,
            item.text, edit.zones, item.lang, edit.traits, edit.sent_at, edit.offset_min, item.reply_to, content_hash,
            changed, seq,
        ),
    )  # fmt: skip
    _retitle_thread(connection, seq, item)
    connection.execute("DELETE FROM recipients WHERE message_seq = ?", (seq,))
    _add_recipients(connection, seq, item)
    places = homes(connection, seq)
    drop_windows_on(connection, json.dumps([seq]), now=now)
    connection.execute("DELETE FROM chunks WHERE message_seq = ?", (seq,))
    _index(connection, seq, edit)
    keep_place(connection, seq, places)
    follow_edit(connection, seq)
    _keep_occurrences(connection, seq, item, now)


def _add_recipients(connection: Connection, seq: int, item: Incoming) -> None:
    addressed = [("to", person) for person in item.to] + [("cc", person) for person in item.cc]
    connection.execute_many(
        "INSERT OR IGNORE INTO recipients (message_seq, participant_id, role, place) VALUES (?, ?, ?, ?)",
        [
            (seq, _participant(connection, person), role, place)
            for place, (role, person) in enumerate(addressed)
        ],
    )


def _thread_of(source_id: SourceId, item: Incoming) -> ThreadId:
    """One thread for what belongs together wherever it was met: an answer in a folder of sent mail finds its question.

    The generic format and notes name threads within their own source only.
    """
    is_named_everywhere = item.identity.startswith(("mid:", "mail:", "tg:", "ics:"))
    scope = item.channel if is_named_everywhere else source_id
    return ThreadId(content_id("thread", scope, item.thread_key))


def _touch_thread(connection: Connection, source_id: SourceId, thread_id: ThreadId, item: Incoming) -> None:
    at = to_millis(item.sent_at)
    connection.execute(
        "INSERT INTO threads (id, source_id, channel, title, first_at, last_at, messages) VALUES (?, ?, ?, ?, ?, ?, 1) "
        "ON CONFLICT (id) DO UPDATE SET messages = messages + 1, first_at = min(first_at, excluded.first_at), "
        "last_at = max(last_at, excluded.last_at), "
        "title = CASE WHEN title = '' THEN excluded.title ELSE title END",
        (thread_id, source_id, item.channel, item.thread_title or item.subject, at, at),
    )


def _retitle_thread(connection: Connection, seq: int, item: Incoming) -> None:
    """An edit may rename what it belongs to, and a calendar's entry is dated by its last change."""
    at = to_millis(item.sent_at)
    connection.execute(
        "UPDATE threads SET first_at = min(first_at, ?), last_at = max(last_at, ?), "
        "title = CASE WHEN ? = '' THEN title ELSE ? END WHERE id = (SELECT thread_id FROM messages WHERE seq = ?)",
        (at, at, item.thread_title, item.thread_title, seq),
    )


def _index(connection: Connection, seq: int, written: Written) -> None:
    for passage in written.passages:
        connection.execute(
            "INSERT INTO chunks (id, message_seq, start, finish) VALUES (?, ?, ?, ?)",
            (passage.id, seq, passage.start, passage.end),
        )
        connection.execute(
            "INSERT INTO chunk_index (rowid, text, subject, people, stems) VALUES (?, ?, ?, ?, ?)",
            (connection.last_row_id(), passage.words, written.subject, written.people, passage.stems),
        )


def _keep_occurrences(connection: Connection, seq: int, item: Incoming, now: datetime) -> None:
    if item.kind != "event":
        return
    before = {
        str(key): int(start or 0)
        for key, start in connection.rows(
            "SELECT occurrence, starts_at FROM occurrences WHERE message_seq = ?", (seq,)
        )
    }
    connection.execute("DELETE FROM occurrences WHERE message_seq = ?", (seq,))
    write_occurrences(connection, seq, item.occurrences, before)
    connection.execute(
        "INSERT INTO calendar_series (message_seq, raw, unfolded_until) VALUES (?, ?, ?) "
        "ON CONFLICT (message_seq) DO UPDATE SET raw = excluded.raw, unfolded_until = excluded.unfolded_until",
        (seq, item.raw, to_millis(reached(item.occurrences, now + HORIZON))),
    )


def reached(occurrences: Sequence[Occurrence], horizon: datetime) -> datetime:
    """Up to when a series is unfolded once these occurrences are known."""
    return occurrences[-1].starts_at if len(occurrences) >= DENSE else horizon


def write_occurrences(
    connection: Connection, seq: int, occurrences: Sequence[Occurrence], before: dict[str, int]
) -> None:
    """Writes when a series takes place; a start that differs from `before` (by key) is remembered as moved."""
    rows = []
    for o in occurrences:
        start = to_millis(o.starts_at)
        moved_from = to_millis(o.moved_from) if o.moved_from is not None else None
        if moved_from is None and before.get(o.key, start) != start:
            moved_from = before[o.key]
        rows.append((seq, o.key, start, to_millis(o.ends_at), int(o.all_day), o.status, moved_from))
    connection.execute_many(
        "INSERT OR REPLACE INTO occurrences "
        "(message_seq, occurrence, starts_at, ends_at, all_day, status, moved_from) VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def _participant(connection: Connection, person: Person) -> int:
    key = (normalise_address(person.address), person.name)
    found = connection.value("SELECT id FROM participants WHERE address = ? AND name = ?", key)
    if found is None:
        connection.execute("INSERT INTO participants (address, name) VALUES (?, ?)", key)
        return connection.last_row_id()
    return int(found)


def _add_origin(
    connection: Connection,
    source_id: SourceId,
    external_id: str,
    seq: int,
    reading: Reading,
    *,
    now: datetime,
) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO origins (source_id, external_id, message_seq, held_at, elsewhere) "
        "VALUES (?, ?, ?, ?, ?)",
        (source_id, external_id, seq, to_millis(now), int(reading == "elsewhere")),
    )


def _adopt(connection: Connection, source_id: SourceId, external_id: str, seq: int) -> None:
    """Makes a message that its last source gave up this one's."""
    if connection.execute("DELETE FROM departures WHERE message_seq = ?", (seq,)):
        connection.execute(
            "UPDATE messages SET source_id = ?, external_id = ? WHERE seq = ?", (source_id, external_id, seq)
        )
