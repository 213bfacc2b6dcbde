"""As many messages as wanted, from public chats and long dialogues that are told again with other words.

A copy would share every word with its original, and an index of copies is no index of so much talk. So from the
second time on one word in six is another one, drawn as often as the corpus has it; numbers and names are new.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path

from tests.benchmarks.corpus import lines_of
from tests.benchmarks.retrieval_sets import corpora

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
EVERY = timedelta(seconds=60)
CHATS_TO_ONE_LONG = 66
GENERATED_AT_ONCE = 50_000
IN_ONE_THREAD = 500

SHARES = (("big", 90), ("middle", 9), ("small", 1))
"""Files, each of which is a source, and how many threads of a hundred they hold."""

_TOKEN = re.compile(r"[A-Za-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Told:
    """One message: who said it, and what."""

    author: str
    text: str


def write_sources(folder: Path, told: Sequence[Told]) -> list[Path]:
    """Writes the messages, which are in order of time, into one file a source; returns the files."""
    paths = {name: folder / f"{name}.messages.jsonl" for name, _ in SHARES}
    files = {name: path.open("w", encoding="utf-8") for name, path in paths.items()}
    for number, one in enumerate(told):
        files[_share(number // IN_ONE_THREAD)].write(_row(number, one))
    for file in files.values():
        file.close()
    return list(paths.values())


def replicated(data: Path | None) -> Iterator[Told]:
    """Chats with long messages between them, endlessly; what is told again is told with other words."""
    originals = _originals(data)
    vocabulary = [word for one in originals[::7] for word in _TOKEN.findall(one.text) if word.isalpha()]
    yield from originals
    for again in count(1):
        rng = random.Random(again)
        for one in originals:
            yield Told(f"{one.author}{again}", _retold(one.text, vocabulary, rng))


def _originals(data: Path | None) -> list[Told]:
    chats = (Told(author, text) for author, text in lines_of(data))
    if data is None or not (data / "beam_100k").exists():
        return list(islice(chats, GENERATED_AT_ONCE))
    long = [Told(one.author, one.text) for corpus in corpora("beam", data) for one in corpus.messages]
    found: list[Told] = []
    for number, one in enumerate(chats):
        found.append(one)
        if number % CHATS_TO_ONE_LONG == 0 and number // CHATS_TO_ONE_LONG < len(long):
            found.append(long[number // CHATS_TO_ONE_LONG])
    return found


def _retold(text: str, vocabulary: Sequence[str], rng: random.Random) -> str:
    def other(found: re.Match[str]) -> str:
        if found[0].isdigit():
            return str(rng.randrange(10 ** len(found[0])))
        return rng.choice(vocabulary) if rng.random() < 1 / 6 else found[0]

    return _TOKEN.sub(other, text)


def _share(thread: int) -> str:
    place = thread * 37 % 100
    for name, share in SHARES:
        place -= share
        if place < 0:
            return name
    raise AssertionError("the shares make a hundred")


def _row(number: int, one: Told) -> str:
    row: dict[str, object] = {
        "id": str(number),
        "thread": f"part {number // IN_ONE_THREAD}",
        "thread_title": f"channel, part {number // IN_ONE_THREAD}",
        "author": {"name": one.author, "address": None},
        "to": [],
        "sent_at": (BEGIN + number * EVERY).isoformat(),
        "subject": None,
        "text": one.text,
        "reply_to": None,
        "from_me": False,
        "channel": "chat",
    }
    return json.dumps(row) + "\n"
