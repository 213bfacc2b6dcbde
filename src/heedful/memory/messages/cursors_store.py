"""How far each stage of the memory has come, as a place in an order that only grows (`chunks.seq`, `messages.changed`).

A stage moves its cursor in the transaction that writes what it made, so it does every place exactly once.
"""

from heedful.storage import Connection

FOUND_SOUND = "found sound"
"""Its place is a moment: when every page of the store was last read and sound."""


def cursor(connection: Connection, stage: str) -> int:
    """The last place the stage has done; 0 before the first."""
    return int(connection.value("SELECT place FROM stage_cursors WHERE stage = ?", (stage,)) or 0)


def advance(connection: Connection, stage: str, place: int) -> None:
    """Notes that the stage has done everything up to a place."""
    connection.execute(
        "INSERT INTO stage_cursors (stage, place) VALUES (?, ?) "
        "ON CONFLICT (stage) DO UPDATE SET place = excluded.place",
        (stage, place),
    )
