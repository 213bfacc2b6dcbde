"""A big memory to look through: mail, a chat and a team's channel over the year that ends now."""

import json
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from tests.benchmarks.corpus import lines_of

_FIRST = (
    "Ana", "Bruno", "Carla", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Lars", "Marta",
    "Nuno", "Olga", "Pedro", "Rosa", "Sven", "Tilda", "Uwe", "Vera", "Wim", "Yara", "Zeno",
)  # fmt: skip
_LAST = (
    "Lopes", "Brandt", "Reis", "Meyer", "Silva", "Kaya", "Novak", "Costa", "Weber", "Rossi", "Lind", "Prata",
    "Fischer", "Moreau", "Santos", "Vogel",
)  # fmt: skip
_PLACES = ("Hostwerk GmbH", "Nordlicht AG", "Ciclone Lda", "Porto", "Hamburg", "Madrid", "Lisbon", "Berlin")
_THINGS = (
    "the Aurora project",
    "Projekt Leuchtturm",
    "Projeto Ciclone",
    "version 2.4",
    "invoice 20931",
    "EUR 84.20",
)
_SOURCES = (("Mail", "email", 6), ("Team", "slack", 3), ("Family", "whatsapp", 1))
CHRONICLE_PASSAGES = 400
"""One letter is as long as a book."""


def write_letters(
    folder: Path, count: int, data: Path | None, *, now: datetime, with_book: bool = True
) -> list[Path]:
    """Writes `count` messages of a few hundred people in three files of the generic import format."""
    rng = random.Random(5)
    people = _people(rng)
    said = islice(_over_again(data), count)
    whose = [name for name, _, share in _SOURCES for _ in range(share)]
    rows: dict[str, list[dict[str, object]]] = {name: [] for name, _, _ in _SOURCES}
    for number, (_, text) in enumerate(said):
        name = rng.choice(whose)
        sent_at = now - timedelta(days=365 * (1 - (number + 1) / count), seconds=5)
        rows[name].append(_row(number, text, name, people, sent_at, rng))
    if with_book:
        rows["Mail"][-1]["subject"] = "The chronicle of the house"
        chapters = (_chapter(number, people, rng) for number in range(CHRONICLE_PASSAGES))
        rows["Mail"][-1]["text"] = "\n\n".join(chapters)
    return [_written(folder / f"{name}.messages.jsonl", rows[name]) for name, _, _ in _SOURCES]


def _over_again(data: Path | None) -> Iterator[tuple[str, str]]:
    while True:
        yield from lines_of(data)


def _people(rng: random.Random) -> list[tuple[str, str]]:
    """Names with addresses; a tenth has a second address, so that there is something to ask about."""
    found = []
    for first in _FIRST:
        for last in _LAST:
            found.append((f"{first} {last}", f"{first}.{last}@ciclone.example".lower()))
            if rng.random() < 0.1:
                found.append((first, f"{first}.{last}@post.example".lower()))
    return found


def _row(
    number: int, text: str, source: str, people: list[tuple[str, str]], sent_at: datetime, rng: random.Random
) -> dict[str, object]:
    author = people[min(int(rng.expovariate(6) * len(people)), len(people) - 1)]
    extra = f" {rng.choice(people)[0]} writes from {rng.choice(_PLACES)} about {rng.choice(_THINGS)}."
    is_mail = source == "Mail"
    thread = number // (4 if is_mail else 300)
    return {
        "id": str(number),
        "thread": f"{source} {thread}",
        "thread_title": " ".join(text.split()[:6]),
        "author": {"name": author[0], "address": author[1] if is_mail else None},
        "to": [{"name": name, "address": address if is_mail else None} for name, address in rng.sample(people, 2)],
        "sent_at": sent_at.isoformat(),
        "subject": " ".join(text.split()[:6]) if is_mail else None,
        "text": text + (extra if rng.random() < 0.3 else ""),
        "reply_to": None,
        "from_me": False,
        "channel": next(channel for name, channel, _ in _SOURCES if name == source),
    }  # fmt: skip


def _chapter(number: int, people: list[tuple[str, str]], rng: random.Random) -> str:
    names = [name for name, _ in rng.sample(people, 3)]
    return f"Chapter {number}. " + " ".join(
        f"In the chronicle {rng.choice(names)} met {rng.choice(names)} in {rng.choice(_PLACES)} and spoke of "
        f"{rng.choice(_THINGS)}, as was agreed on day {at}."
        for at in range(6)
    )


def _written(file: Path, rows: list[dict[str, object]]) -> Path:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return file
