"""What conversations are called, told to whoever may see some sources only."""

import json
from collections.abc import Iterable

from heedful.core.ids import SourceId, ThreadId
from heedful.storage import Connection


def titles(
    connection: Connection, thread_ids: Iterable[ThreadId], *, among: frozenset[SourceId] | None
) -> dict[ThreadId, str]:
    """The titles of these conversations; none of one in which a source speaks that is not `among` those, None for all.

    The title may be that source's word.
    """
    rows = connection.rows(
        "SELECT t.id, t.title FROM threads t WHERE t.id IN (SELECT value FROM json_each(:threads)) "
        "AND (:among IS NULL OR NOT EXISTS (SELECT 1 FROM messages h WHERE h.thread_id = t.id "
        "AND h.source_id NOT IN (SELECT value FROM json_each(:among))))",
        {
            "threads": json.dumps(sorted(thread_ids)),
            "among": None if among is None else json.dumps(sorted(among)),
        },
    )
    return {ThreadId(str(thread_id)): str(title) for thread_id, title in rows}
