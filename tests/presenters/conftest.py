"""A clock, a bus and a supervisor for presenters; whatever a test starts is stopped after it."""

from collections.abc import AsyncIterator

import pytest

from heedful.core.bus import Bus
from heedful.core.supervise import Supervisor
from tests.fakes import samples
from tests.fakes.clock import FakeClock
from tests.presenters.memory_room import Room


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(samples.NOW, samples.ZONE)


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
async def supervisor(clock: FakeClock) -> AsyncIterator[Supervisor]:
    running = Supervisor(clock)
    yield running
    await running.stop()


@pytest.fixture
async def room(bus: Bus, clock: FakeClock, supervisor: Supervisor) -> Room:
    made = Room(bus, clock, supervisor)
    await made.presenter.load()
    return made
