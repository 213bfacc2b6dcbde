"""The one door into memory: redacts secrets, drops what is known, writes messages, threads, chunks and index.

Everything a source yields passes through `take_in`, in the transaction that also moves the source's cursor: a
batch is in the store with its cursor, or neither is. What meets a bug of Heedful's on its way is listed with what was
rejected, by the id it has in its source; else it would keep its source from ever being read further.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, assert_never

from heedful.core.clock import to_millis
from heedful.core.ids import MessageId, SourceId, content_id
from heedful.core.supervise import one_of_many
from heedful.memory.intake.departures import RECONCILE, give_up
from heedful.memory.intake.message_rows import add_origin, adopt, insert, rewrite
from heedful.memory.intake.met import Met
from heedful.memory.intake.written import clean, in_full
from heedful.memory.messages import messages_store, rejects_store
from heedful.memory.messages.cleaning import storable
from heedful.memory.messages.forgotten_store import is_kept_out
from heedful.memory.queue.asking import enqueue
from heedful.memory.work.growth import note_growth
from heedful.sources import Batch, Incoming, Rejected
from heedful.storage import Connection

UNKEPT = "Heedful could not keep it: a fault of its own, which its log names."

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
    for item in batch.items:
        outcome = _take_one(connection, source_id, item, reading, met, now=now)
        if isinstance(outcome, Rejected):
            left_out.append(outcome)
        else:
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


def _take_one(
    connection: Connection,
    source_id: SourceId,
    item: Incoming,
    reading: Reading,
    met: Met,
    *,
    now: datetime,
) -> Intake | Rejected:
    cleaned = one_of_many("cleaning a message", partial(clean, item), otherwise=None)
    if cleaned is None:
        return _unkept(item)
    item, content_hash = cleaned.item, cleaned.content_hash
    known = _known(connection, source_id, item, reading, now=now)
    if known is None:
        message_id = MessageId(content_id("message", item.identity))
        if is_kept_out(connection, source_id, message_id, item.external_id, kind=item.kind, text=item.text):
            return Intake(known=1)
    else:
        is_another_copy = met.add(known.seq)
        if known.content_hash == content_hash or known.source_id != source_id or is_another_copy:
            return Intake(known=1)
    written = one_of_many("taking a message in", partial(in_full, item), otherwise=None)
    if written is None:
        return _unkept(item)
    changed = messages_store.last_change(connection) + 1
    if known is not None:
        rewrite(connection, known.seq, written, content_hash, changed=changed, now=now)
        return Intake(edited=1, redacted=cleaned.redacted)
    is_elsewhere = reading == "elsewhere"
    met.add(
        insert(
            connection, source_id, written, content_hash, changed=changed, is_elsewhere=is_elsewhere, now=now
        )
    )
    return Intake(new=1, redacted=cleaned.redacted)


@dataclass(frozen=True, slots=True)
class _Known:
    """A message that was there before, as it was then; it follows the edits of its source alone."""

    seq: int
    content_hash: str
    source_id: str


def _known(
    connection: Connection, source_id: SourceId, item: Incoming, reading: Reading, *, now: datetime
) -> _Known | None:
    """The message that this is, noted as one that the source holds as well; None for one that is new."""
    held = connection.row(
        "SELECT m.seq, m.content_hash, m.source_id, o.elsewhere FROM origins o "
        "JOIN messages m ON m.seq = o.message_seq WHERE o.source_id = ? AND o.external_id = ?",
        (source_id, item.external_id),
    )
    found = held or connection.row(
        "SELECT seq, content_hash, source_id FROM messages WHERE identity = ?", (item.identity,)
    )
    if found is None:
        return None
    seq = int(found[0] or 0)
    if held is None or reading == "comparison" or (held[3] and reading == "usual"):
        is_elsewhere = reading == "elsewhere"
        add_origin(connection, source_id, item.external_id, seq, is_elsewhere=is_elsewhere, now=now)
    if held is None:
        adopt(connection, source_id, item.external_id, seq)
    return _Known(seq, content_hash=str(found[1]), source_id=str(found[2]))


def _unkept(item: Incoming) -> Rejected:
    return Rejected(storable(item.external_id), UNKEPT, is_refused=True)
