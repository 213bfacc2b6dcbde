"""Reads the labelled relations and measures the phrases on them; as a script it prints the figures."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.memory.entities.test_graph import said

FOLDER = Path(__file__).parents[1] / "fixtures" / "labelled_relations"
LANGUAGES = ("en", "de", "pt", "es")
PARTS = ("open", "held_out", "fresh")
Relation = tuple[str | None, str, str]


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, what holds by its label, and what was read off it."""

    lang: str
    part: str
    text: str
    wanted: frozenset[Relation]
    found: frozenset[Relation]


def read_all() -> tuple[Told, ...]:
    """Every sentence, read."""
    return tuple(
        _told(PARTS[number % 2] if name == "relations" else "fresh", line)
        for name in ("relations", "fresh")
        for number, line in enumerate((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())
    )


def figures(told: Iterable[Told]) -> tuple[float, float]:
    """Precision and recall."""
    chosen = tuple(told)
    right = sum(len(one.wanted & one.found) for one in chosen)
    found = sum(len(one.found) for one in chosen)
    wanted = sum(len(one.wanted) for one in chosen)
    return right / max(1, found), right / max(1, wanted)


def _told(part: str, line: str) -> Told:
    lang, text, label = (piece.strip() for piece in line.split("|"))
    wanted: set[Relation] = set()
    if label:
        subject, predicate, thing = (piece.strip() for piece in label.split(";"))
        wanted.add((None if subject == "-" else subject, predicate, thing))
    return Told(lang, part, text, frozenset(wanted), frozenset(said(text, lang)))


def _report(*, show: bool) -> None:
    told = read_all()
    for part in PARTS:
        for lang in LANGUAGES:
            precision, recall = figures(one for one in told if (one.lang, one.part) == (lang, part))
            sys.stdout.write(f"{part} {lang}: P {precision:.2f}, R {recall:.2f}\n")
        precision, recall = figures(one for one in told if one.part == part)
        sys.stdout.write(f"{part}: P {precision:.2f}, R {recall:.2f}\n")
    for one in told if show else ():
        if one.found != one.wanted:
            sys.stdout.write(f"{one.lang} {one.text} {sorted(map(str, one.found))}\n")


if __name__ == "__main__":
    _report(show="--show" in sys.argv)
