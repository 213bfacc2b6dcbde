"""The server and the desk that most tests of this room begin with."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.fakes.clock import FakeClock
from tests.fakes.model_server import ModelServer
from tests.inference.desk import MORNING, Desk, open_desk


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as running:
        yield running


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(MORNING)


@pytest.fixture
def desk(tmp_path: Path, clock: FakeClock) -> Iterator[Desk]:
    with open_desk(tmp_path, clock) as opened:
        yield opened
