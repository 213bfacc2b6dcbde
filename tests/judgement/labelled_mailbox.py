"""Reads the labelled mailbox and measures a finder on it; run as a script, it prints the figures and the mistakes."""

import json
import sys
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from heedful.actionables import Draft
from heedful.judgement import BuiltinFinder, Verdict
from heedful.memory.messages.stored import StoredMessage
from heedful.sources import Person, Traits
from tests.judgement.views import OWN, message, thread

FOLDER = Path(__file__).parents[1] / "fixtures" / "labelled_mailbox"
PARTS = ("open", "held_out", "fresh", "second")
ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A message with its label, what the finder said, and the titles of its open items."""

    message: StoredMessage
    label: str
    part: str
    verdict: Verdict
    drafts: tuple[Draft, ...]

    @property
    def is_shown(self) -> bool:
        return self.verdict.verdict == "item"

    @property
    def is_right(self) -> bool:
        return self.is_shown == (self.label == "item")


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision and recall of what is shown."""

    precision: float
    recall: float
    count: int


def judge_all() -> tuple[Judgement, ...]:
    """Every message of the mailbox, judged in its thread, all of it new."""
    labels = {row["id"]: row for row in _rows("labels.jsonl")}
    judged: list[Judgement] = []
    for _, rows in groupby(_rows("mailbox.jsonl"), key=lambda row: row["thread"]):
        messages = tuple(_message(row, seq) for seq, row in enumerate(rows, 1))
        found = BuiltinFinder().find(thread(*messages, source_name="Mail"), now=NOW, zone=ZONE, own=OWN)
        for one, verdict in zip(messages, found.verdicts, strict=True):
            drafts = tuple(draft for draft in found.drafts if draft.evidence[0].message_id == one.id)
            judged.append(Judgement(one, labels[one.id]["label"], labels[one.id]["part"], verdict, drafts))
    return tuple(judged)


def figures(judged: tuple[Judgement, ...], part: str | None = None) -> Figures:
    """Of one part of the mailbox, or of all of it."""
    chosen = [one for one in judged if part is None or one.part == part]
    shown = sum(one.is_shown for one in chosen)
    right = sum(one.is_shown and one.label == "item" for one in chosen)
    wanted = sum(one.label == "item" for one in chosen)
    return Figures(right / max(1, shown), right / max(1, wanted), len(chosen))


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def _message(row: dict[str, Any], seq: int) -> StoredMessage:
    return message(
        row["text"],
        seq=seq,
        id=row["id"],
        thread=row["thread"],
        author=_person(row["author"]),
        to=tuple(map(_person, row["to"])),
        cc=tuple(map(_person, row.get("cc", ()))),
        sent_at=datetime.fromisoformat(row["sent_at"]),
        subject=row["subject"],
        channel=row["channel"],
        from_me=row["from_me"],
        lang=row["lang"],
        traits=Traits(
            list_id=row.get("list_id", ""),
            bulk=row.get("bulk", False),
            automatic=row.get("automatic", False),
            attachments=tuple(row.get("attachments", ())),
        ),
    )


def _person(row: dict[str, str]) -> Person:
    return Person(row["name"], row["address"])


def _report(parts: tuple[str, ...]) -> None:
    judged = judge_all()
    for part in parts:
        sys.stdout.write(f"{part}: {figures(judged, part)}\n")
    for one in judged:
        if one.part in parts and (not one.is_right or one.is_shown):
            mark = "ok  " if one.is_right else "FALSE" if one.is_shown else "MISSED"
            said = " | ".join(f"{draft.title} [{draft.priority} {draft.due_text}]" for draft in one.drafts)
            text = "" if one.is_right else " ".join(one.message.text.split())[:110]
            sys.stdout.write(f"{mark} {one.message.id} {said or one.verdict.reasons} {text}\n")


if __name__ == "__main__":
    _report(tuple(sys.argv[1:]) or PARTS)
