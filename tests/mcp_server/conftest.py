from collections.abc import AsyncIterator

import pytest

from heedful.core.paths import Home
from heedful.storage import Key
from tests.fakes.clock import FakeClock
from tests.mcp_server.asking import Program


@pytest.fixture
async def program(home: Home, key: Key, clock: FakeClock) -> AsyncIterator[Program]:
    """A program that asks at a desk on the test's home."""
    asking = Program(home, key, clock)
    yield asking
    await asking.desk.close()
