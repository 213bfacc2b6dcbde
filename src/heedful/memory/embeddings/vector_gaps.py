"""Passages that the stage of vectors has passed and that have none of the model in use.

They were kept back from a model elsewhere and may be shown to it now, or their vector was removed because it had
taken in a message that was edited or is gone.
"""

from collections.abc import Iterable
from datetime import datetime

from heedful.core.ids import SourceId
from heedful.memory.embeddings.vector_store import Pending, model_id, pending
from heedful.memory.messages.cursors_store import advance, cursor
from heedful.memory.queue.asking import ALL, enqueue
from heedful.storage import Connection

RE_EMBED = "re-embed"


def drop_windows_on(connection: Connection, seqs: str, *, now: datetime) -> int:
    """Removes the vectors of passages that took these messages (places of arrival, as JSON) in as what came before.

    Those of the messages themselves go with their passages. Returns how many went; they are made anew.
    """
    gone = connection.execute(
        "DELETE FROM vectors WHERE before_seq IN (SELECT c.seq FROM chunks c "
        "JOIN json_each(?) j ON j.value = c.message_seq)",
        (seqs,),
    )
    if gone:
        ask_to_fill(connection, now=now)
    return gone


def ask_to_fill(connection: Connection, *, now: datetime) -> None:
    """Asks for the vectors that are missing; a search for gaps under way begins anew."""
    connection.execute("DELETE FROM stage_cursors WHERE stage GLOB ?", (f"{RE_EMBED} *",))
    advance(connection, RE_EMBED, asked(connection) + 1)
    enqueue(connection, RE_EMBED, ALL, now=now)


def asked(connection: Connection) -> int:
    """How often gaps were asked to be closed: a search for them that began before the last time must not go on."""
    return cursor(connection, RE_EMBED)


def read_gaps(
    connection: Connection,
    model: str,
    *,
    after: int,
    upto: int,
    limit: int,
    kept_back: Iterable[SourceId],
) -> tuple[list[Pending], int | None]:
    """The next passages without a vector of the model, behind `after` and not behind `upto`, and how far they reach.

    The place is None when there are none.
    """
    away = sorted(kept_back)
    first = connection.value(
        "SELECT c.seq FROM chunks c JOIN messages m ON m.seq = c.message_seq WHERE c.seq > ? AND c.seq <= ? "
        "AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_seq = c.seq AND v.model_id = ?) "
        f"AND m.source_id NOT IN ({', '.join('?' * len(away))}) ORDER BY c.seq LIMIT 1",
        [after, upto, model_id(connection, model) or 0, *away],
    )
    if first is None:
        return [], None
    found, reached = pending(connection, int(first) - 1, limit=limit, kept_back=away)
    has = {
        int(seq or 0)
        for (seq,) in connection.rows(
            "SELECT chunk_seq FROM vectors WHERE model_id = ? AND chunk_seq BETWEEN ? AND ?",
            (model_id(connection, model) or 0, int(first), reached or upto),
        )
    }
    return [one for one in found if one.chunk_seq not in has and one.chunk_seq <= upto], reached
