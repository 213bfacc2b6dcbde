"""How much of the memory can be found by meaning by now."""

from heedful.memory.jobs.embed import stage_of
from heedful.memory.messages.cursors_store import cursor
from heedful.storage import Connection


def embedded_share(connection: Connection, model: str) -> float:
    """The share of passages, 0 to 1, that this model has gone through; 1 where there is nothing to go through."""
    newest = int(connection.value("SELECT max(seq) FROM chunks") or 0)
    return min(1.0, cursor(connection, stage_of(model)) / newest) if newest else 1.0
