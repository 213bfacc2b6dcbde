"""Which passages a model has yet to name the names in, and what it named: newest first, each once for a prompt.

Two cursors for each version of the prompt: one goes up with what comes in, the other down from where the first began,
so that what is new never waits for what is old.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from heedful.core.ids import SourceId
from heedful.memory.entities import canonical_store
from heedful.memory.entities.entities_store import EntityWriter
from heedful.memory.entities.extraction import STAGE, around_of, is_still_so
from heedful.memory.entities.kinds import Sighting
from heedful.memory.entities.names import has_unexplained
from heedful.memory.entities.reading import Around, named_besides, own_parts
from heedful.memory.messages import cursors_store, messages_store
from heedful.memory.messages.stored import Chunk, StoredMessage
from heedful.storage import Connection

ADMITTED_BY = "seal"
LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage to be asked about; `parts` are the characters of its message that its author wrote in it."""

    place: int
    message: StoredMessage
    around: Around
    parts: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        """The parts, a line each."""
        return "\n".join(self.message.text[start:end] for start, end in self.parts)

    def placed(self, sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
        """Sightings in `text` at their characters in the message; one that runs over two parts is left out."""
        found, offset = [], 0
        for start, end in self.parts:
            upto = offset + end - start
            found += [
                replace(one, start=one.start - offset + start, end=one.end - offset + start)
                for one in sightings
                if offset <= one.start and one.end <= upto
            ]
            offset = upto + 1
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Batch:
    """What to ask about next, in the order of `stage`, which ends at `end`; `top` is where the way up has come to."""

    stage: str
    passages: tuple[Passage, ...]
    end: int
    top: int


def next_batch(
    connection: Connection, prompt: str, *, kept_back: frozenset[SourceId], limit: int
) -> Batch | None:
    """Admitted passages with a name that patterns can't explain; None when all that can be asked about was."""
    up, down = f"names {prompt}", f"names {prompt} back"
    reached = min(cursors_store.cursor(connection, STAGE), cursors_store.cursor(connection, ADMITTED_BY))
    top = cursors_store.cursor(connection, up) or reached
    bottom = cursors_store.cursor(connection, down) or top + 1
    for stage, sql, bounds in (
        (up, "c.seq > ? AND c.seq <= ? ORDER BY c.seq", (top, reached)),
        (down, "c.seq < ? AND c.seq > ? ORDER BY c.seq DESC", (bottom, 0)),
    ):
        rows = connection.rows(
            "SELECT c.seq, c.message_seq, m.source_id, coalesce(d.admitted, 0) FROM chunks c "
            "JOIN messages m ON m.seq = c.message_seq LEFT JOIN admissions d ON d.chunk_id = c.id "
            f"WHERE {sql} LIMIT ?",
            (*bounds, LOOKED_AT),
        )
        if rows:
            asked = [
                (int(seq or 0), int(message or 0))
                for seq, message, source, admitted in rows
                if admitted and source not in kept_back
            ]
            passages, end = _worth_asking(connection, asked, limit=limit, last=int(rows[-1][0] or 0))
            return Batch(stage, passages, end, max(top, end) if stage == up else top)
    return None


def is_more_to_come(connection: Connection) -> bool:
    """Whether there are passages that the stages before have not read or judged yet."""
    newest = int(connection.value("SELECT max(seq) FROM chunks") or 0)
    return newest > min(
        cursors_store.cursor(connection, STAGE), cursors_store.cursor(connection, ADMITTED_BY)
    )


def write_named(
    connection: Connection,
    batch: Batch,
    passage: Passage,
    sightings: Sequence[Sighting],
    *,
    made_by: str,
    now: datetime,
) -> None:
    """Writes what a model named in a passage, and that it was asked; a message edited meanwhile comes round again."""
    if sightings and is_still_so(connection, passage.message):
        writer = EntityWriter(connection, now, made_by)
        writer.write([named_besides(passage.message, passage.around, sightings)])
        canonical_store.settle(connection, writer.touched, now=now)
    pass_over(connection, batch, passage.place)


def pass_over(connection: Connection, batch: Batch, place: int) -> None:
    """Notes that everything up to a place of the batch was asked, or was not worth it."""
    cursors_store.advance(connection, batch.stage, place)
    if batch.stage.endswith(" back"):
        cursors_store.advance(connection, batch.stage.removesuffix(" back"), batch.top)


def _worth_asking(
    connection: Connection, asked: Sequence[tuple[int, int]], *, limit: int, last: int
) -> tuple[tuple[Passage, ...], int]:
    """The first of the passages that a call may tell something of, and how far they were looked at."""
    found: list[Passage] = []
    messages = {
        one.seq: one for one in messages_store.messages(connection, sorted({seq for _, seq in asked}))
    }
    for place, seq in asked:
        if len(found) == limit:
            return tuple(found), found[-1].place
        message = messages.get(seq)
        chunk = None if message is None else _chunk(connection, message, place)
        if message is None or chunk is None:
            continue
        parts = own_parts(message, chunk.start, chunk.end)
        if not parts:
            continue
        seen = [
            (int(start or 0), int(finish or 0))
            for start, finish in connection.rows(
                "SELECT start, finish FROM mentions WHERE chunk_seq = ? AND finish > start", (place,)
            )
        ]
        if any(has_unexplained(message.text, *part, lang=message.lang, seen=seen) for part in parts):
            found.append(Passage(place, message, around_of(connection, message), parts))
    return tuple(found), last


def _chunk(connection: Connection, message: StoredMessage, place: int) -> Chunk | None:
    chunk_id = connection.value("SELECT id FROM chunks WHERE seq = ?", (place,))
    return next((chunk for chunk in message.chunks if chunk.id == chunk_id), None)
