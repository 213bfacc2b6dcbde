"""How well the built-in finder judges: the labelled mailbox of the repository, and public sets where they are given."""

import argparse
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from heedful.judgement import detect
from heedful.reading import find_dates
from tests.benchmarks.report import Figure
from tests.judgement.labelled_mailbox import figures, judge_all

ACTS = {"co", "cc", "cs"}
TALKED_OF = {"request", "commitment", "proposal", "meeting", "deadline", "payment", "security"}
LANGUAGES = {"English": "en", "Spanish": "es", "German": "de", "Portuguese": "pt"}


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section; a set that is not at hand has none."""
    found = _mailbox()
    data: Path | None = asked.data
    if data is not None:
        found += _bc3(data / "bc3" / "sentences.jsonl")
        found += _parakweet(data / "parakweet_intent" / "sentences.jsonl")
        found += _mrda(data / "mrda")
        found += _dates(data / "datetime_specs" / "cases.jsonl")
    return found


def _mailbox() -> list[Figure]:
    judged = judge_all()
    whole = figures(judged)
    return [
        Figure("labelled mailbox, precision", whole.precision, "", 0.90, "least", f"{whole.count} messages"),
        Figure("labelled mailbox, recall", whole.recall, "", 0.80, "least"),
    ]


def _bc3(file: Path) -> list[Figure]:
    pairs = []
    for row in _rows(file):
        votes = row["votes"].get("req", 0)
        if not row["quoted"] and votes != 1:
            seen = detect(row["text"], lang="en")
            pairs.append((any(one.kind in ("request", "question") for one in seen), votes >= 2))
    precision, recall, f1 = _prf(pairs)
    note = f"P {precision:.3f}, R {recall:.3f}; a one-line pattern has .622"
    return [Figure("BC3 requests (two of three votes), F1", f1, "", 0.622, "least", note)] if pairs else []


def _parakweet(file: Path) -> list[Figure]:
    pairs = [(bool(detect(row["text"], lang="en")), row["label"] == "Yes") for row in _rows(file)]
    precision, recall, f1 = _prf(pairs)
    note = f"P {precision:.3f}, R {recall:.3f}; weights were trained on it"
    return [Figure("Parakweet intent, F1", f1, "", note=note)] if pairs else []


def _mrda(folder: Path) -> list[Figure]:
    quiet: list[bool] = []
    spoken: list[bool] = []
    for file in sorted(folder.glob("*.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            parts = line.split("|")
            if len(parts) >= 5:
                seen = any(one.kind in TALKED_OF for one in detect(parts[1], lang="en"))
                (quiet if parts[4] not in ACTS else spoken).append(seen)
    if not quiet:
        return []
    alarms = 100 * sum(quiet) / len(quiet)
    heard = 100 * sum(spoken) / max(1, len(spoken))
    note = f"{len(quiet):,} utterances; {heard:.0f} % of the commands and promises heard"
    return [Figure("MRDA, false alarms among other talk", alarms, "%", note=note)]


def _dates(file: Path) -> list[Figure]:
    """As the public scorer counts: any of the expected readings is right; cases without a reference are left out."""
    right: dict[str, list[bool]] = {}
    for row in _rows(file):
        wanted = [_readings(result) for result in row["results"]]
        if row["lang"] in LANGUAGES and row["reference"] and any(wanted):
            lang = LANGUAGES[row["lang"]]
            at = datetime.fromisoformat(row["reference"] + "+00:00")
            got = {
                (one.begin.isoformat() if one.begin else "")[:19]
                for one in find_dates(row["input"], at=at, lang=lang)
            }
            right.setdefault(lang, []).append(all(_is_read(one, got) for one in wanted if one))
    return [
        Figure(f"dates read right, {lang}", sum(found) / len(found), "", note=f"{len(found)} cases")
        for lang, found in sorted(right.items())
    ]


def _readings(result: dict[str, Any]) -> set[str]:
    kinds = {"date", "datetime", "time"}
    return {
        value["value"].replace(" ", "T")
        for value in result.get("values") or []
        if value.get("type") in kinds and value.get("value") not in (None, "", "not resolved")
    }


def _is_read(wanted: set[str], got: set[str]) -> bool:
    return any(
        one.startswith(want) or (len(want) == 8 and one[11:19] == want) for one in got for want in wanted
    )


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _prf(pairs: Iterable[tuple[bool, bool]]) -> tuple[float, float, float]:
    counted = list(pairs)
    right = sum(said and true for said, true in counted)
    precision = right / max(1, sum(said for said, _ in counted))
    recall = right / max(1, sum(true for _, true in counted))
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)
