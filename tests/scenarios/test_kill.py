"""`kill -9` at a hundred random moments of an import: nothing acknowledged is lost, nothing is doubled.

What counts as acknowledged is what a person saw: the progress lines of the command. The moments are drawn from a
fixed seed; half of the kills fall on a count of progress lines, half on a delay, so that they also hit the start, the
middle of a batch and the close. Half of the homes are encrypted.
"""

import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.paths import Home, home_at
from heedful.memory import search
from heedful.storage import Connection, Key, Store, choose_passphrase, choose_unencrypted

KILLS = 100
MESSAGES = 620
SEED = 20261201
PASSPHRASE = "correct horse battery staple"
LONGEST_RUN_S = 1.6

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="a kill that nobody can catch is a POSIX signal"),
]

_PROGRESS = re.compile(rb"box\.mbox: ([\d,]+) of ([\d,]+)")


def mailbox(folder: Path, count: int) -> Path:
    """Mails of many threads and lengths, each with a word of its own."""
    draw = random.Random(SEED)
    begin = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)
    file = folder / "box.mbox"
    with file.open("wb") as out:
        for number in range(count):
            at = begin + timedelta(minutes=number)
            body = "\n".join(f"Line {line} of letter {number}." for line in range(draw.randint(1, 60)))
            out.write(
                f"From sender@ciclone.example {at:%a %b %d %H:%M:%S %Y}\n"
                f"From: Sender {number % 7} <s{number % 7}@ciclone.example>\n"
                f"To: Rui Prado <rui@prado.example>\nDate: {at:%a, %d %b %Y %H:%M:%S +0000}\n"
                f"Message-ID: <{number}@ciclone.example>\nSubject: Topic {number % 40}\n\n"
                f"The word of this one is wort{number}ende.\n{body}\n\n".encode()
            )
    return file


@dataclass(frozen=True, slots=True)
class Place:
    """A home whose key was made before, so that a run spends its time importing."""

    home: Home
    key: Key
    environment: dict[str, str]


def place(folder: Path, *, encrypted: bool) -> Place:
    home = home_at(folder)
    key = choose_passphrase(home, PASSPHRASE) if encrypted else choose_unencrypted(home)
    environment = dict(os.environ) | {"PYTHONUNBUFFERED": "1"}
    if encrypted:
        environment["HEEDFUL_PASSPHRASE"] = PASSPHRASE
    return Place(home, key, environment)


def start(at: Place, box: Path) -> "subprocess.Popen[bytes]":
    folder = at.home.data.parent
    command = [
        sys.executable,
        "-m",
        "heedful",
        "--home",
        str(folder),
        "import",
        str(box),
        "--as",
        "Mail",
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=at.environment)


def killed(at: Place, box: Path, draw: random.Random) -> int:
    """Runs an import and kills it at a random moment; returns how many messages it had acknowledged by then."""
    lines = draw.randint(0, 4) if draw.random() < 0.5 else None
    until = time.monotonic() + (LONGEST_RUN_S if lines is not None else draw.uniform(0.05, LONGEST_RUN_S))
    with start(at, box) as process:
        assert process.stderr is not None
        said, done = b"", 0
        while process.poll() is None and time.monotonic() < until:
            ready, _, _ = select.select([process.stderr], [], [], max(0.0, until - time.monotonic()))
            if ready:
                said += os.read(process.stderr.fileno(), 65536)
                done = max([done, *(number(found[1]) for found in _PROGRESS.finditer(said))])
                if lines is not None and len(_PROGRESS.findall(said)) >= lines:
                    break
        process.send_signal(signal.SIGKILL)
        said += process.stderr.read()
    return max([done, *(number(found[1]) for found in _PROGRESS.finditer(said))])


def number(digits: bytes) -> int:
    return int(digits.replace(b",", b""))


def kept(at: Place) -> set[str]:
    """The ids of the mails in the store, after it proved to be whole."""
    store = Store.open(at.home, at.key, Bus())
    try:
        assert store.read_now(lambda c: c.value("PRAGMA integrity_check")) == "ok"
        assert store.read_now(lambda c: c.rows("PRAGMA foreign_key_check")) == []
        return store.read_now(whole_messages)
    finally:
        store.close()


def whole_messages(connection: Connection) -> set[str]:
    identities = [str(identity) for (identity,) in connection.rows("SELECT identity FROM messages")]
    assert len(identities) == len(set(identities)), "a message is there twice"
    for table in ("origins", "recipients"):
        assert connection.value(f"SELECT count(*) FROM {table}") == len(identities)
    assert connection.value("SELECT sum(messages) FROM threads") in (len(identities), None)
    chunks = connection.value("SELECT count(*) FROM chunks")
    assert connection.value("SELECT count(*) FROM chunk_index") == chunks
    assert connection.value("SELECT count(DISTINCT message_seq) FROM chunks") == len(identities)
    return set(identities)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mailbox(tmp_path_factory.mktemp("mail"), MESSAGES)


@pytest.mark.parametrize("encrypted", [True, False], ids=["encrypted", "plain"])
def test_a_killed_import_loses_nothing_acknowledged_and_doubles_nothing(
    box: Path, tmp_path: Path, *, encrypted: bool
) -> None:
    draw = random.Random(f"{SEED} {encrypted}")
    cut_short = finished = homes = heard = 0
    at, before = place(tmp_path / "0", encrypted=encrypted), set[str]()
    for _ in range(KILLS // 2):
        acknowledged = killed(at, box, draw)
        now = kept(at)
        assert len(now) >= acknowledged, "an acknowledged message is not there"
        heard += acknowledged > 0
        assert before <= now, "what was there before the kill is gone"
        before = now
        cut_short += 0 < len(now) < MESSAGES
        if len(now) == MESSAGES:
            finished += 1
            homes += 1
            at, before = place(tmp_path / str(homes), encrypted=encrypted), set()
    with start(at, box) as process:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert len(kept(at)) == MESSAGES
    store = Store.open(at.home, at.key, Bus())
    for wanted in (0, MESSAGES // 2, MESSAGES - 1):
        hits = store.read_now(lambda c, word=f"wort{wanted}ende": search(c, word))  # type: ignore[misc] # bound now
        assert len(hits) == 1
    store.close()
    assert heard >= 5, "no progress was heard before the kills"
    assert cut_short >= 5, "the moments missed the import: move LONGEST_RUN_S"
    assert finished >= 1
