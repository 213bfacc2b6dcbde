"""Looking for the person's own addresses, which goes through every message, holds nobody else up."""

import asyncio
import threading

import pytest

from heedful.memory.messages import own_addresses_store
from heedful.memory.sync.own_addresses import infer
from heedful.sources.addresses import Tallies
from heedful.storage import Connection, Store
from tests.memory.incoming import A, letter, rows, take


async def test_short_reads_are_answered_however_many_readings_look_for_own_addresses(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await take(store, A, letter(1))
    begun, go_on, tallied = threading.Event(), threading.Event(), own_addresses_store.address_tallies

    def slow(connection: Connection) -> Tallies:
        begun.set()
        assert go_on.wait(10)
        return tallied(connection)

    monkeypatch.setattr(own_addresses_store, "address_tallies", slow)
    looking = asyncio.gather(*(infer(store) for _ in range(3)))
    try:
        assert await asyncio.to_thread(begun.wait, 5)
        async with asyncio.timeout(5):
            assert await rows(store, "SELECT count(*) FROM messages") == [(1,)]
        assert not looking.done()
    finally:
        go_on.set()
        await looking
