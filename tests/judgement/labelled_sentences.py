"""Reads the labelled promises and requests and measures the finder on them; as a script it prints the figures."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from heedful.judgement import BuiltinFinder
from tests.judgement.views import ANA, OWN, ROBIN, message, thread

FOLDER = Path(__file__).parents[1] / "fixtures" / "labelled_sentences"
KINDS = ("promises", "requests")
PARTS = ("open", "held_out", "fresh")
LANGUAGES = ("de", "pt", "es", "en")
ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)
_ANSWERING = ("Answer", "Reply", "Responder a Ana Costa:", "Ana Costa antworten:")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with its label, and the title of the item that the finder makes of it; empty for none.

    `told` is what else the item says: until when, who is to do it, and how urgent it is.
    """

    lang: str
    part: str
    text: str
    is_wanted: bool
    wanted_title: str
    title: str
    told: tuple[str, ...]
    is_request: bool

    @property
    def is_found(self) -> bool:
        """Whether it gives an item; of a request one that says what to do, not only to answer."""
        return bool(self.title) and not (self.is_request and self.title.startswith(_ANSWERING))


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision and recall, and the share of the titles that are just as wanted."""

    precision: float
    recall: float
    titles: float


def judge(kind: str) -> tuple[Said, ...]:
    """Every sentence of a kind, judged by itself: the person's own promises, or what somebody writes to them."""
    return tuple(_judged(kind, part, line) for part, line in _lines(kind))


def figures(said: Iterable[Said]) -> Figures:
    """Of any sentences."""
    chosen = tuple(said)
    found = [one for one in chosen if one.is_found]
    wanted = [one for one in chosen if one.is_wanted]
    right = sum(one.is_wanted for one in found)
    titled = [one.title == one.wanted_title for one in chosen if one.wanted_title]
    return Figures(right / max(1, len(found)), right / max(1, len(wanted)), sum(titled) / max(1, len(titled)))


def _lines(kind: str) -> Iterable[tuple[str, str]]:
    for number, line in enumerate((FOLDER / f"{kind}.txt").read_text(encoding="utf-8").splitlines()):
        yield PARTS[number // 2 % 2], line
    for line in (FOLDER / f"{kind}.fresh.txt").read_text(encoding="utf-8").splitlines():
        yield "fresh", line


def _judged(kind: str, part: str, line: str) -> Said:
    lang, label, rest = line.split(" ", 2)
    text, _, wanted = rest.partition(" => ")
    mine: dict[str, Any] = {"from_me": True, "author": ROBIN, "to": (ANA,)} if kind == "promises" else {}
    one = message(text, lang=lang, sent_at=NOW.replace(hour=8), **mine)
    drafts = BuiltinFinder().find(thread(one), now=NOW, zone=ZONE, own=OWN).drafts
    title = drafts[0].title if drafts else ""
    told = tuple(f"{draft.due} {draft.direction} {draft.priority}" for draft in drafts)
    is_wanted = label == "+" and not wanted.startswith(_ANSWERING)
    return Said(lang, part, text, is_wanted, wanted, title, told, kind == "requests")


def _report(*, show: bool) -> None:
    for kind in KINDS:
        said = judge(kind)
        for lang in LANGUAGES:
            for part in PARTS:
                chosen = [one for one in said if (one.lang, one.part) == (lang, part)]
                if chosen:
                    sys.stdout.write(f"{kind} {lang} {part}: {len(chosen)}, {figures(chosen)}\n")
        for one in said if show else ():
            if one.is_found != one.is_wanted or (one.wanted_title and one.title != one.wanted_title):
                sys.stdout.write(f"{one.lang} {one.text} → {one.title or '—'} {one.wanted_title}\n")


if __name__ == "__main__":
    _report(show="--show" in sys.argv)
