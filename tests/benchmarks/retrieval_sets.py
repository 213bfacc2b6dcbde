"""Reads public question sets into messages and questions whose answering messages are known.

locomo (for measuring only: its licence allows no more), beam, qmsum, qmsum-turns (the same meetings turn by turn,
for their speakers), faquad, and xquad-Q-D: questions in one language, texts in another.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
WINDOW = 10
SHORTEST_TURN = 25


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a set."""

    id: str
    thread: str
    author: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with the ids of the messages that answer it."""

    text: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One conversation, or one collection of texts, with its questions."""

    name: str
    messages: tuple[Said, ...]
    questions: tuple[Asked, ...]


def folder(name: str, data: Path) -> Path:
    """Where the files of a set lie."""
    return data / {"beam": "beam_100k", "faquad": "faquad_pt"}.get(name, name.split("-")[0])


def corpora(name: str, data: Path) -> Iterator[Corpus]:
    """The corpora of a set, one after the other; `data` holds one folder a set."""
    files = folder(name, data)
    if name == "locomo":
        yield from _locomo(files)
    elif name == "beam":
        yield from _beam(files)
    elif name == "qmsum":
        yield from _qmsum(files)
    elif name == "qmsum-turns":
        yield from _qmsum_turns(files)
    elif name == "faquad":
        yield _squad(files / "faquad.json", files / "faquad.json")
    else:
        _, asked, told = name.split("-")
        yield _squad(files / f"xquad.{told}.json", files / f"xquad.{asked}.json")


def _known(questions: list[Asked], messages: list[Said]) -> tuple[Asked, ...]:
    ids = {message.id for message in messages}
    kept = (Asked(one.text, one.gold & ids) for one in questions)
    return tuple(one for one in kept if one.gold)


def _json(file: Path) -> Any:  # noqa: ANN401 (whatever the file holds)
    return json.loads(file.read_text(encoding="utf-8"))


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _locomo(root: Path) -> Iterator[Corpus]:
    judged = _lines(root / "qrels.jsonl")
    for file in sorted(root.glob("conv-*.json")):
        content = _json(file)
        talk = content.get("conversation", content)
        messages = []
        for key in sorted((k for k in talk if re.fullmatch(r"session_\d+", k)), key=lambda k: int(k[8:])):
            began = datetime.strptime(talk[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            for place, turn in enumerate(talk[key]):
                caption = turn.get("blip_caption")
                text = turn.get("text", "") + (f" [image: {caption}]" if caption else "")
                at = began + timedelta(minutes=place)
                messages.append(Said(turn["dia_id"], f"session {key[8:]}", turn["speaker"], at, text))
        questions = [
            Asked(row["question"], frozenset(row["evidence"])) for row in judged if row["conv"] == file.stem
        ]
        yield Corpus(file.stem, tuple(messages), _known(questions, messages))


def _beam(root: Path) -> Iterator[Corpus]:
    judged = _lines(root / "qrels.jsonl")
    for folder in sorted((path for path in root.iterdir() if path.is_dir()), key=lambda path: int(path.name)):
        turns = list(_beam_turns(_json(min(folder.glob("chat*.json")))))
        messages = [
            Said(str(turn["id"]), "chat", turn["role"], BEGIN + timedelta(minutes=place), turn["content"])
            for place, turn in enumerate(turns)
        ]
        questions = [
            Asked(row["question"], frozenset(map(str, row["evidence"])))
            for row in judged
            if row["conv"] == folder.name
        ]
        yield Corpus(folder.name, tuple(messages), _known(questions, messages))


def _beam_turns(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, list):
        for part in node:
            yield from _beam_turns(part)
    elif isinstance(node, dict):
        if "content" in node and "id" in node:
            yield node
        else:
            for part in node.values():
                yield from _beam_turns(part)


def _qmsum(root: Path) -> Iterator[Corpus]:
    for file in sorted(root.glob("*.json")):
        content = _json(file)
        turns = content["meeting_transcripts"]
        messages = [
            Said(
                str(place // WINDOW), file.stem, "meeting", BEGIN + timedelta(minutes=place),
                "\n".join(f"{turn['speaker']}: {turn['content']}" for turn in turns[place : place + WINDOW]),
            )
            for place in range(0, len(turns), WINDOW)
        ]  # fmt: skip
        questions = [
            Asked(query["query"], frozenset(str(place // WINDOW) for place in _spans(query)))
            for query in content.get("specific_query_list", [])
        ]
        yield Corpus(file.stem, tuple(messages), _known(questions, messages))


def _qmsum_turns(root: Path) -> Iterator[Corpus]:
    for file in sorted(root.glob("*.json"))[::3]:
        content = _json(file)
        messages = [
            Said(
                str(place),
                f"part {place // 60}",
                turn["speaker"],
                BEGIN + timedelta(minutes=place),
                turn["content"],
            )
            for place, turn in enumerate(content["meeting_transcripts"])
            if len(turn["content"]) >= SHORTEST_TURN
        ]
        questions = [
            Asked(query["query"], frozenset(map(str, _spans(query))))
            for query in content.get("specific_query_list", [])
        ]
        yield Corpus(file.stem, tuple(messages), _known(questions, messages))


def _spans(query: dict[str, Any]) -> list[int]:
    return [
        place for first, last in query["relevant_text_span"] for place in range(int(first), int(last) + 1)
    ]


def _squad(texts: Path, questions: Path) -> Corpus:
    messages: list[Said] = []
    asked: list[Asked] = []
    for told, said in zip(_json(texts)["data"], _json(questions)["data"], strict=True):
        for paragraph, other in zip(told["paragraphs"], said["paragraphs"], strict=True):
            number = len(messages)
            at = BEGIN + timedelta(minutes=number)
            messages.append(Said(str(number), told.get("title", "t"), "note", at, paragraph["context"]))
            asked += [Asked(one["question"], frozenset({str(number)})) for one in other["qas"]]
    return Corpus("all", tuple(messages), tuple(asked))
