"""A big store to measure on: the public chat logs where they are at hand, generated talk elsewhere."""

import json
import random
import re
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

_SAID = re.compile(r"\[?\d\d:\d\d\]?\s*<([^>]+)>\s*(.+)")
_WORDS = [
    *(
        "kernel",
        "driver",
        "boot",
        "partition",
        "mount",
        "network",
        "wireless",
        "package",
        "update",
        "install",
    ),
    *(
        "remove",
        "error",
        "log",
        "screen",
        "sound",
        "card",
        "printer",
        "disk",
        "key",
        "password",
        "server",
        "client",
    ),
    *(
        "terminal",
        "command",
        "script",
        "file",
        "folder",
        "user",
        "group",
        "permission",
        "source",
        "version",
        "release",
    ),
    *(
        "upgrade",
        "freeze",
        "crash",
        "window",
        "panel",
        "theme",
        "font",
        "keyboard",
        "mouse",
        "battery",
        "memory",
    ),
    *(
        "swap",
        "process",
        "thread",
        "queue",
        "socket",
        "port",
        "address",
        "route",
        "firewall",
        "proxy",
        "mirror",
    ),
]


def lines_of(data: Path | None) -> Iterator[tuple[str, str]]:
    """Author and text, line by line, of real chat logs, or endlessly of generated talk."""
    archive = None if data is None else data / "irc_ubuntu" / "train_raw_and_annotations.tar.xz"
    if archive is None or not archive.exists():
        rng = random.Random(7)
        while True:
            yield f"user{rng.randrange(400)}", " ".join(rng.choices(_WORDS, k=rng.randint(3, 18)))
    with tarfile.open(archive) as packed:
        for member in packed:
            if member.name.endswith(".raw.txt") and (file := packed.extractfile(member)) is not None:
                for line in file.read().decode("utf-8", "replace").splitlines():
                    if found := _SAID.search(line):
                        yield found[1], found[2]


def write_messages(file: Path, count: int, data: Path | None) -> list[str]:
    """Writes `count` messages in the generic import format; returns their texts."""
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    texts: list[str] = []
    with file.open("w", encoding="utf-8") as out:
        for number, (author, text) in enumerate(_take(count, data)):
            texts.append(text)
            row: dict[str, object] = {
                "id": str(number),
                "thread": f"day {number // 500}",
                "thread_title": f"channel, part {number // 500}",
                "author": {"name": author, "address": None},
                "to": [],
                "sent_at": (begin + timedelta(seconds=number)).isoformat(),
                "subject": None,
                "text": text,
                "reply_to": None,
                "from_me": False,
                "channel": "chat",
            }
            out.write(json.dumps(row) + "\n")
    return texts


def _take(count: int, data: Path | None) -> Iterator[tuple[str, str]]:
    """The first `count` lines, begun again from the top where there are fewer."""
    taken = 0
    while taken < count:
        for line in lines_of(data):
            yield line
            taken += 1
            if taken == count:
                return
