"""Writes to a source's row, with news of it or without."""

from collections.abc import Callable

from heedful.core.events import SourcesChanged
from heedful.core.ids import SourceId
from heedful.memory.messages import sources_store
from heedful.storage import Connection, Store

Change = Callable[[Connection], object]


async def change_row(store: Store, source_id: SourceId, change: Change) -> None:
    """Changes what is kept of a source, and says so.

    Raises:
        RejectedError: There is no such source.
    """

    def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
        sources_store.state_of(connection, source_id)
        change(connection)
        return None, [SourcesChanged(source_id)]

    await store.write(work)


async def change_quietly(store: Store, change: Change) -> None:
    """Changes what nobody needs to hear of."""

    def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
        change(connection)
        return None, []

    await store.write(work)
