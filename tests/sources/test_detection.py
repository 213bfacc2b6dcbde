"""Which kind a path is, by what is in it and not by its name."""

import json
from pathlib import Path

import pytest

from heedful.core.errors import RejectedError
from heedful.sources import SourceKind, detect_kind, source_kinds
from tests.sources.letters import SEPARATOR, letter

EVENT = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261203T150000Z\nEND:VEVENT\nEND:VCALENDAR\n"
CHAT = {"name": "Rowers", "type": "private_group", "id": 42, "messages": []}
LINE = {"id": "1", "sent_at": "2026-11-30T09:00:00+01:00", "text": "hi"}


def test_every_kind_is_found_in_its_own_file() -> None:
    kinds = source_kinds()

    assert set(kinds) == {"eml", "ics", "maildir", "markdown", "mbox", "messages_jsonl", "telegram"}
    assert all(isinstance(kind, SourceKind) for kind in kinds.values())


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("mail.txt", SEPARATOR + letter(), "mbox"),
        ("Inbox", SEPARATOR + letter(), "mbox"),
        ("one.eml", letter(), "eml"),
        ("one.eml", SEPARATOR + letter(), "eml"),
        ("noname", letter(), "eml"),
        ("calendar.txt", EVENT, "ics"),
        ("invite.ics", "BEGIN:VEVENT\nUID:1\nDTSTART:20261203T150000Z\nEND:VEVENT\n", "ics"),
        ("result.json", json.dumps(CHAT), "telegram"),
        ("chat.json", json.dumps(CHAT, indent=2), "telegram"),
        ("note.md", "# Hello\n", "markdown"),
        ("x.messages.jsonl", json.dumps(LINE) + "\n", "messages_jsonl"),
        ("x.txt", json.dumps(LINE) + "\n", "messages_jsonl"),
    ],
)
def test_a_file_is_known_by_its_content(name: str, content: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)

    assert detect_kind(tmp_path / name).kind == kind


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"cur/1.host:2,S": letter()}, "maildir"),
        ({".Sent/cur/1.host:2,S": letter(), "cur/x": letter()}, "maildir"),
        ({".INBOX/cur/1.host:2,S": letter(), "Work/cur/2.host:2,": letter(), "uidlist": "3 V1"}, "maildir"),
        ({"a.eml": letter(), "old/b.eml": letter(), "kept/cur/1.host:2,ST": letter()}, "eml"),
        ({"a.eml": letter(), **{f"kept/cur/{n}.host:2,S": letter() for n in range(9)}}, "maildir"),
        ({"a.eml": letter(), "b.eml": SEPARATOR + letter()}, "eml"),
        ({"Inbox": SEPARATOR + letter(), "Inbox.msf": "//", "Sent": SEPARATOR + letter()}, "mbox"),
        ({"a.md": "# x", "b.md": "y"}, "markdown"),
        ({".obsidian/app.json": "{}", "a.md": "# x", "pic.png": "x", "b.png": "y"}, "markdown"),
        ({"a.ics": EVENT}, "ics"),
        ({"result.json": json.dumps(CHAT), "photos/a.jpg": "x"}, "telegram"),
    ],
)
def test_a_folder_is_known_by_what_it_holds(files: dict[str, str], kind: str, tmp_path: Path) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)

    assert detect_kind(tmp_path).kind == kind


@pytest.mark.parametrize("content", ["plain words", '{"a": 1}', "\0\1\2", "[1, 2]"])
def test_what_nobody_knows_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "thing").write_text(content)

    with pytest.raises(RejectedError, match="can't tell"):
        detect_kind(tmp_path / "thing")


def test_what_holds_nothing_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.mbox").touch()
    (tmp_path / "folder").mkdir()
    for name in ("empty.mbox", "folder"):
        with pytest.raises(RejectedError, match=f"{name} is empty"):
            detect_kind(tmp_path / name)


def test_what_is_of_no_known_kind_is_refused_with_what_is_read_in_words_for_any_place(
    tmp_path: Path,
) -> None:
    picture = tmp_path / "cat.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(RejectedError) as refused:
        detect_kind(picture)
    told = refused.value.sentence()
    assert told.startswith("Heedful can't tell what cat.png is. It reads: ")
    assert "Mailbox file (mbox)" in told
    assert "--" not in told
