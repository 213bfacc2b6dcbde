"""What every test stands on: no home, no keyring, no stray log, thread or task; and the fakes to build with.

A test that expects Heedful to log a warning takes `expected_logs` and looks at it; any other warning fails it.
"""

import asyncio
import inspect
import logging
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from heedful.core.bus import Bus
from heedful.core.paths import Home, home_at
from heedful.storage import Key, KeyKind, Store
from tests.fakes.clock import FakeClock
from tests.fakes.secrets import FakeSecrets

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
OUR_THREADS = ("store-", "keyring")

# The same examples on every run, and no limit by the clock: a busy machine must not fail a property.
settings.register_profile("heedful", deadline=None, derandomize=True, max_examples=60)
# `--hypothesis-profile=search` looks for new ones.
settings.register_profile("search", deadline=None, max_examples=500, suppress_health_check=list(HealthCheck))
settings.load_profile("heedful")


class LogRecords(logging.Handler):
    """The warnings and errors that Heedful logged; `expected` says that the test looks at them itself."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self.expected = False

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def _logs_are_expected() -> Iterator[LogRecords]:
    records = LogRecords()
    root = logging.getLogger("heedful")
    root.addHandler(records)
    yield records
    root.removeHandler(records)
    if records.messages and not records.expected:
        pytest.fail("Heedful logged what the test did not expect:\n" + "\n".join(records.messages))


@pytest.fixture
def expected_logs(_logs_are_expected: LogRecords) -> list[str]:
    """Lets this test log warnings, and lists them as `LEVEL logger: message`."""
    _logs_are_expected.expected = True
    return _logs_are_expected.messages


@pytest.fixture(autouse=True)
def _no_thread_is_left(_logs_are_expected: LogRecords) -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [
        thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith(OUR_THREADS)
    ]
    if left:
        pytest.fail(f"threads are left over: {left}")


@pytest.fixture(autouse=True)
def _no_real_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything the platform calls the person's own is below the test's folder, and there is no keyring."""
    person = tmp_path / "person"
    monkeypatch.setenv("HOME", str(person))
    monkeypatch.setenv("USERPROFILE", str(person))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(person / name.lower()))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    for name in ("HEEDFUL_HOME", "HEEDFUL_PASSPHRASE", "OPENHUMAN_CONSCIOUS_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def _no_task_is_left() -> AsyncIterator[None]:
    yield
    left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    if left:
        pytest.fail(f"tasks are left over: {left}")


@pytest.fixture(autouse=True)
def _tasks_are_watched(request: pytest.FixtureRequest, _no_thread_is_left: None) -> None:
    """Set up before what the test asks for, so that it looks after all of that was taken down."""
    if inspect.iscoroutinefunction(getattr(request.node, "obj", None)):
        request.getfixturevalue("_no_task_is_left")


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at `NOW`."""
    return FakeClock(NOW)


@pytest.fixture
def bus() -> Bus:
    """An empty bulletin board."""
    return Bus()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home below the test's folder, with nothing in it."""
    return home_at(tmp_path / "home")


@pytest.fixture
def secrets() -> FakeSecrets:
    """A keyring in memory."""
    return FakeSecrets()


@pytest.fixture
def key() -> Key:
    """A key for an encrypted store."""
    return Key(KeyKind.KEYRING, "5a" * 32)


@pytest.fixture
def store(home: Home, key: Key, bus: Bus) -> Iterator[Store]:
    """An open, empty, encrypted store."""
    opened = Store.open(home, key, bus)
    yield opened
    opened.close()
