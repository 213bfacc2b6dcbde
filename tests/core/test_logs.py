"""A log that helps and never holds what a person wrote."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heedful.app import build
from heedful.core.errors import HeedfulError
from heedful.core.logs import KEPT_FILES, SIZE_BYTES, log_to, stop_logging
from heedful.core.paths import Home
from heedful.core.supervise import one_of_many
from heedful.storage import Key
from tests.fakes.clock import FakeClock
from tests.fakes.secrets import FakeSecrets

CANARY = "kanarienvogel"
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)

MAIL = f"""From ana@{CANARY}.example Tue Dec  1 08:00:00 2026
From: Ana {CANARY} <ana@{CANARY}.example>
To: Rui <rui-{CANARY}@prado.example>
Date: Tue, 1 Dec 2026 08:00:00 +0000
Message-ID: <1-{CANARY}@x.example>
Subject: {CANARY} slides

Could you please send me the {CANARY} slides by tomorrow? password: {CANARY}1

From broken
"""


@pytest.fixture
def everything_logged(tmp_path: Path) -> Iterator[Path]:
    handler = log_to(tmp_path / "logs", logging.DEBUG)
    yield tmp_path / "logs" / "heedful.log"
    stop_logging(handler)


async def test_no_word_of_a_message_is_logged_through_a_whole_import_and_look(
    everything_logged: Path, home: Home, key: Key, tmp_path: Path, expected_logs: list[str]
) -> None:
    mailbox = tmp_path / "inbox.mbox"
    write(mailbox, MAIL)
    app = await build(home, environment={}, clock=FakeClock(NOW), secrets=FakeSecrets(), key=key)
    source_id = await app.library.add(mailbox)
    await app.library.sync(source_id)
    await app.loop.tick("manual")
    items = await app.decisions.items()
    assert items
    await app.interruptions.consider()
    await app.decisions.snooze(items[0].id, NOW + timedelta(hours=1))
    write(mailbox, f"{CANARY}: not a mailbox any more")
    with pytest.raises(HeedfulError):
        await app.library.sync(source_id)
    await app.stop()
    logging.getLogger("heedful.test").info("the last line")
    text = read(everything_logged)
    assert "the last line" in text
    assert CANARY not in text.casefold()
    assert expected_logs == []


def test_a_bug_is_logged_by_its_place_and_its_type_without_the_words_it_was_met_in(
    everything_logged: Path, expected_logs: list[str]
) -> None:
    words = {"a letter": 1}
    assert one_of_many("reading a letter", lambda: words[CANARY], otherwise=2) == 2
    text = read(everything_logged)
    assert "KeyError" in text
    assert "test_logs.py" in text
    assert CANARY not in text
    assert len(expected_logs) == 1


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def test_a_log_rotates_and_is_private(tmp_path: Path) -> None:
    handler = log_to(tmp_path / "logs")
    for _ in range(30):
        logging.getLogger("heedful.test").info("x" * (SIZE_BYTES // 5))
    stop_logging(handler)
    files = list((tmp_path / "logs").iterdir())
    assert len(files) == 1 + KEPT_FILES
    assert all(file.stat().st_size <= SIZE_BYTES for file in files)


def test_a_folder_that_can_not_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file where the folder should be", encoding="utf-8")
    handler = log_to(tmp_path / "logs")
    assert handler is None
    stop_logging(handler)


def test_stopping_leaves_logging_as_it_was(tmp_path: Path) -> None:
    root = logging.getLogger("heedful")
    before = list(root.handlers)
    stop_logging(log_to(tmp_path / "logs"))
    assert root.handlers == before
    assert root.propagate
