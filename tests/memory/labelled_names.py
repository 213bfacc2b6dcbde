"""`python -m tests.memory.labelled_names [--show]`: how many names of labelled messages are found, and how many truly.

The messages come one after the other through the door, and the stage that reads people and things reads them, so
that what was met before is known. What counts is a mark's kind and its exact place, but for dates, which may begin
with a small word; the heads of mails do not count.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.utils import parseaddr
from itertools import product
from pathlib import Path
from typing import Literal

from heedful.core.bus import Bus
from heedful.core.paths import home_at
from heedful.sources import Incoming, Person
from heedful.storage import Key, KeyKind, Store
from tests.memory.incoming import A, letter
from tests.memory.reading_along import mail, tell

FOLDER = Path(__file__).parents[1] / "fixtures" / "labelled_names"
LANGUAGES = ("en", "de", "pt", "es")

Part = Literal["open", "held out", "fresh"]
PARTS: tuple[Part, ...] = ("open", "held out", "fresh")

_MARK = re.compile(r"\[([^\]]+)\]\((\w+)\)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name's place in a text, and its kind."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Labelled:
    """One message with the names that are in it."""

    lang: str
    part: Part
    item: Incoming
    names: frozenset[Name]


@dataclass(frozen=True, slots=True)
class Score:
    """How many names were found truly, how many in all, and how many there are."""

    hits: int
    found: int
    there: int

    @property
    def precision(self) -> float:
        return self.hits / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.hits / self.there if self.there else 1.0


@dataclass(frozen=True, slots=True)
class Judged:
    """A message with what was found in it."""

    message: Labelled
    found: frozenset[Name]


def labelled() -> Iterator[Labelled]:
    """Every message of every language, in order."""
    number = 0
    for lang, ending in product(LANGUAGES, ("", ".fresh")):
        written = (FOLDER / f"{lang}{ending}.txt").read_text(encoding="utf-8")
        for place, block in enumerate(re.split(r"^---\n", written, flags=re.MULTILINE)):
            head, _, marked = block.strip("\n").partition("\n")
            part: Part = "fresh" if ending else "held out" if place % 2 else "open"
            number += 1
            yield _message(number, lang, part, head, marked)


def _message(number: int, lang: str, part: Part, head: str, marked: str) -> Labelled:
    channel, _, people = head.partition(" | ")
    author, reader = (
        Person(*parseaddr(one)) if "<" in one else Person(one.strip(), "") for one in people.split(" > ")
    )
    text, names = _unmarked(marked)
    make = mail if channel == "email" else letter
    item = make(
        number, text, author=author, to=(reader,) if channel == "email" else (), channel=channel, lang=lang
    )
    return Labelled(lang, part, replace(item, thread_key=f"{lang} {channel}"), names)


def _unmarked(marked: str) -> tuple[str, frozenset[Name]]:
    text, names, last = "", set(), 0
    for mark in _MARK.finditer(marked):
        text += marked[last : mark.start()]
        names.add(Name(mark[2], len(text), len(text) + len(mark[1])))
        text += mark[1]
        last = mark.end()
    return text + marked[last:], frozenset(names)


async def judged() -> list[Judged]:
    """Every message with what the stage finds in it."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(home_at(Path(folder)), Key(KeyKind.UNENCRYPTED, None), Bus())
        try:
            return [Judged(one, await _found(store, one)) for one in labelled()]
        finally:
            store.close()


async def _found(store: Store, one: Labelled) -> frozenset[Name]:
    await tell(store, A, one.item)
    rows = await store.read(
        lambda connection: connection.rows(
            "SELECT DISTINCT e.kind, x.start, x.finish FROM mentions x JOIN chunks c ON c.seq = x.chunk_seq "
            "JOIN messages m ON m.seq = c.message_seq JOIN entities e ON e.seq = x.entity_seq "
            "JOIN aliases a ON a.seq = x.alias_seq WHERE m.external_id = ? AND x.finish > x.start "
            "AND e.kind <> 'topic' AND a.kind NOT IN ('phone', 'signed address')",
            (one.item.external_id,),
        )
    )
    found = (Name(str(kind), int(start or 0), int(end or 0)) for kind, start, end in rows)
    return frozenset(_as_marked(name, one.names) if name.kind == "date" else name for name in found)


def _as_marked(date: Name, marked: frozenset[Name]) -> Name:
    """The mark that a date means."""
    return next(
        (one for one in marked if one.kind == "date" and date.start <= one.start < one.end <= date.end), date
    )


def scores(found: list[Judged], part: Part) -> dict[str, Score]:
    """Each kind's score on a part, and `all`."""
    hits, seen, there = Counter[str](), Counter[str](), Counter[str]()
    for one in found:
        if one.message.part == part:
            hits.update(name.kind for name in one.found & one.message.names)
            seen.update(name.kind for name in one.found)
            there.update(name.kind for name in one.message.names)
    kinds = sorted(seen | there)
    whole = Score(hits.total(), seen.total(), there.total())
    return {kind: Score(hits[kind], seen[kind], there[kind]) for kind in kinds} | {"all": whole}


def main() -> None:
    """Prints the scores, and with `--show` every mistake of the open part (`--all`: of both)."""
    parser = argparse.ArgumentParser(prog="python -m tests.memory.labelled_names", description=__doc__)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    found = asyncio.run(judged())
    for part in PARTS:
        for kind, score in scores(found, part).items():
            told = f"{score.precision:.2f} {score.recall:.2f}  {score.hits} of {score.found} found, {score.there} there"
            sys.stdout.write(f"{part:9} {kind:13} {told}\n")
    for one in found:
        if asked.show and (asked.all or one.message.part == "open"):
            for sign, names in (("-", one.message.names - one.found), ("+", one.found - one.message.names)):
                for name in sorted(names, key=lambda each: each.start):
                    said = one.message.item.text[name.start : name.end]
                    sys.stdout.write(f"{one.message.lang} {sign} {name.kind}: {said!r}\n")


if __name__ == "__main__":
    main()
