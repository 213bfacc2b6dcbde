"""How long what a source brings in is kept; everything for ever unless the person says otherwise.

What is past its time is forgotten like anything else, and does not come back while its source still holds it.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from heedful.core.clock import Clock, to_millis
from heedful.core.events import ActionablesChanged, Event
from heedful.core.ids import SourceId
from heedful.memory.forget.asked import clear_questions, texts_of_messages
from heedful.memory.forget.forgetting import Forgotten, forget_messages
from heedful.memory.messages import sources_store
from heedful.storage import Connection, Store

AT_ONCE = 200


def keep_for(connection: Connection, source_id: SourceId, days: int | None) -> None:
    """Decides how many days a source's messages are kept after they were sent; None keeps them for ever.

    Raises:
        RejectedError: There is no such source.
    """
    sources_store.source(connection, source_id)
    if days is None:
        connection.execute("DELETE FROM retentions WHERE source_id = ?", (source_id,))
        return
    connection.execute(
        "INSERT INTO retentions (source_id, days) VALUES (?, ?) "
        "ON CONFLICT (source_id) DO UPDATE SET days = excluded.days",
        (source_id, days),
    )


def kept_days(connection: Connection) -> dict[SourceId, int]:
    """How many days messages are kept, for the sources that don't keep them for ever."""
    rows = connection.rows("SELECT source_id, days FROM retentions")
    return {SourceId(str(source_id)): int(days or 0) for source_id, days in rows}


async def forget_expired(store: Store, clock: Clock) -> Forgotten:
    """Forgets what is past its time, a few hundred messages a transaction; an event counts from its last occurrence.

    A message that another source holds too stays until that one's time is over.
    """
    total = Forgotten()
    now = clock.now()

    def work(connection: Connection) -> tuple[Forgotten, list[Event]]:
        done = forget_messages(connection, _expired(connection, now=now), now=now)
        return done.counts, [ActionablesChanged(done.items)] if done.items else []

    def texts(connection: Connection) -> Iterator[str]:
        return texts_of_messages(connection, _expired(connection, now=now))

    is_more = True
    while is_more:
        await clear_questions(store, clock, texts)
        some = await store.write(work)
        total += some
        is_more = some.messages > 0
    return total


def _expired(connection: Connection, *, now: datetime) -> list[int]:
    found: list[int] = []
    for source_id, days in kept_days(connection).items():
        before = to_millis(now - timedelta(days=days))
        rows = connection.rows(
            "SELECT m.seq FROM messages m WHERE m.source_id = :source AND m.sent_at < :before "
            "AND NOT EXISTS (SELECT 1 FROM occurrences o WHERE o.message_seq = m.seq AND o.ends_at >= :before) "
            "AND NOT EXISTS (SELECT 1 FROM origins o WHERE o.message_seq = m.seq AND o.source_id <> :source "
            "AND NOT EXISTS (SELECT 1 FROM retentions r WHERE r.source_id = o.source_id AND "
            "m.sent_at < :now - r.days * 86400000)) ORDER BY m.sent_at LIMIT :limit",
            {"source": source_id, "before": before, "now": to_millis(now), "limit": AT_ONCE},
        )
        found += [int(seq or 0) for (seq,) in rows]
    return found
