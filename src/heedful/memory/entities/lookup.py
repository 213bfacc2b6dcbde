"""Whom or what a word stands for, where a command takes one: an id, a mail address, a name as it is written."""

from heedful.core.errors import RejectedError
from heedful.memory.entities.entities_store import folded_alias
from heedful.storage import Connection


def entity_meant(connection: Connection, word: str) -> str:
    """The id of the one person or thing that a word stands for.

    Raises:
        RejectedError: Nobody is called so, or several are.
    """
    found = [
        str(entity_id)
        for (entity_id,) in connection.rows(
            "SELECT id FROM entities WHERE id = :word UNION SELECT min(e.id) FROM aliases a "
            "JOIN entities e ON e.seq = a.entity_seq WHERE a.folded IN (:written, :name) AND e.chunks > 0 "
            "GROUP BY e.canonical LIMIT 2",
            {"word": word, "written": word.casefold(), "name": folded_alias("name", word)},
        )
    ]
    if len(found) == 1:
        return found[0]
    hint = "Take an id from `heedful tree entities`."
    if found:
        raise RejectedError(f"More than one is called {word}", "", hint)
    raise RejectedError(f"Nobody and nothing remembered is called {word}", "", hint)
