"""What of a source could not be read, by its place, until the place reads well."""

import json
from collections.abc import Sequence
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.ids import SourceId
from heedful.memory.messages.cleaning import storable
from heedful.reading import redact
from heedful.sources import Rejected
from heedful.sources.items import FOLDER_END
from heedful.storage import Connection

EVERYWHERE = ""
"""As the name of a part of a source: all of it."""
EVER = 0
"""As a moment since when, in milliseconds."""
FOLDERS = f"rejects r WHERE r.place LIKE '%{FOLDER_END}'"
"""After FROM: the rows that stand for a whole folder."""


def keep(connection: Connection, source_id: SourceId, rejected: Sequence[Rejected], *, now: datetime) -> None:
    """Keeps places with their newest reasons; what the system refuses counts as new each time."""
    at = to_millis(now)
    connection.execute_many(
        "INSERT INTO rejects (source_id, place, reason, seen_at, first_at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (source_id, place) DO UPDATE SET reason = excluded.reason, seen_at = excluded.seen_at, "
        "first_at = iif(?, excluded.first_at, first_at)",
        [(source_id, _clean(one.place), _clean(one.reason), at, at, one.is_refused) for one in rejected],
    )


def rejects(connection: Connection, source_id: SourceId, limit: int) -> tuple[Rejected, ...]:
    """What could not be read, in the order of its places."""
    return tuple(
        Rejected(str(place), str(reason))
        for place, reason in connection.rows(
            "SELECT place, reason FROM rejects WHERE source_id = ? ORDER BY place LIMIT ?", (source_id, limit)
        )
    )


def clear(connection: Connection, source_id: SourceId, parts: Sequence[str]) -> None:
    """Drops what was unreadable in parts that are read anew, before what still is is kept again.

    A part is a place or what places in it begin with, up to a comma; `EVERYWHERE` is the whole source.
    """
    if EVERYWHERE in parts:
        connection.execute("DELETE FROM rejects WHERE source_id = ?", (source_id,))
        return
    if not parts or connection.value("SELECT 1 FROM rejects WHERE source_id = ?", (source_id,)) is None:
        return
    connection.execute(
        "DELETE FROM rejects WHERE source_id = :source AND EXISTS (SELECT 1 FROM json_each(:parts) j "
        "WHERE place = j.value OR substr(place, 1, length(j.value) + 2) = j.value || ', ')",
        {"source": source_id, "parts": json.dumps([_clean(part) for part in parts])},
    )


def clear_unseen(connection: Connection, source_id: SourceId, since: int) -> None:
    """Drops what a reading of everything, begun at a moment in milliseconds, did not find unreadable again."""
    connection.execute("DELETE FROM rejects WHERE source_id = ? AND seen_at < ?", (source_id, since))


def is_any_new(connection: Connection, source_id: SourceId, since: int) -> bool:
    """Whether something could be read before a moment, in milliseconds, and can't be since."""
    found = connection.value(
        "SELECT 1 FROM rejects WHERE source_id = ? AND first_at >= ? LIMIT 1", (source_id, since)
    )
    return found is not None


def is_any_folder(connection: Connection, source_id: SourceId, since: int) -> bool:
    """Whether a whole folder could not be read since a moment, in milliseconds."""
    found = connection.value(
        f"SELECT 1 FROM {FOLDERS} AND r.source_id = ? AND r.seen_at >= ? LIMIT 1", (source_id, since)
    )
    return found is not None


def _clean(text: str) -> str:
    return redact(storable(text)).text
