"""How far meaning reaches."""

from heedful.core.events import Event
from heedful.memory.embedded_share import embedded_share
from heedful.memory.jobs.embed import stage_of
from heedful.memory.messages.cursors_store import advance
from heedful.storage import Connection, Store
from tests.memory.incoming import A, letter, take


async def share(store: Store) -> float:
    return await store.read(lambda connection: embedded_share(connection, "model"))


async def test_it_grows_with_the_stage_and_shrinks_with_what_comes_in(store: Store) -> None:
    assert await share(store) == 1.0
    await take(store, A, *(letter(n) for n in range(4)))
    assert await share(store) == 0.0

    def work(connection: Connection) -> tuple[None, list[Event]]:
        advance(connection, stage_of("model"), 4)
        return None, []

    await store.write(work)
    assert await share(store) == 1.0
    await take(store, A, *(letter(n) for n in range(4, 8)))
    assert await share(store) == 0.5
