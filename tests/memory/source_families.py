"""Each kind of source as a person's program keeps it on disk: three texts, rewritten, deleted, moved."""

import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path

from tests.sources.letters import SEPARATOR, letter

KEYS = ("one", "two", "three")
Texts = Mapping[str, str]


class Family(ABC):
    """A source at `place` that holds texts by their keys."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / self.name
        self.turn = 0

    @property
    @abstractmethod
    def name(self) -> str:
        """The file's or folder's name."""

    @abstractmethod
    def write(self, texts: Texts) -> None:
        """Holds exactly these texts from now on."""

    @abstractmethod
    def shift(self, texts: Texts, key: str) -> None:
        """Moves one text to where such a program would move it, or the whole source where it can't."""


def mail(key: str, text: str) -> str:
    return letter(f"{text}\n", number=KEYS.index(key) + 1, subject=f"About {key}")


class Mbox(Family):
    name = "mail"

    def write(self, texts: Texts) -> None:
        self._write(texts, ())

    def shift(self, texts: Texts, key: str) -> None:
        self._write(texts, (key,))

    def _write(self, texts: Texts, archived: tuple[str, ...]) -> None:
        (self.place / "More.sbd").mkdir(parents=True, exist_ok=True)
        held = [key for key in texts if key not in archived]
        for box, wanted in (("Inbox", held), ("More.sbd/Archive", list(archived))):
            content = "".join(f"{SEPARATOR}{mail(key, texts[key])}\n" for key in wanted)
            (self.place / box).write_text(content, encoding="utf-8")


class Eml(Family):
    name = "letters"

    def write(self, texts: Texts) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        (self.place / "kept").mkdir(parents=True)
        for key, text in texts.items():
            (self.place / f"{key}.eml").write_text(mail(key, text), encoding="utf-8")

    def shift(self, texts: Texts, key: str) -> None:
        (self.place / f"{key}.eml").rename(self.place / "kept" / f"{key}.eml")


class Maildir(Family):
    name = "Maildir"

    def write(self, texts: Texts) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        for folder in ("cur", "new", "tmp", ".Archive/cur", ".Archive/new", ".Archive/tmp"):
            (self.place / folder).mkdir(parents=True)
        for key, text in texts.items():
            file = self.place / "cur" / f"{key}.{abs(hash(text)) % 997}:2,S"
            file.write_text(mail(key, text), encoding="utf-8")

    def shift(self, texts: Texts, key: str) -> None:
        (file,) = (self.place / "cur").glob(f"{key}.*")
        file.rename(self.place / ".Archive" / "cur" / file.name)


class Notes(Family):
    name = "notes"

    def write(self, texts: Texts) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        (self.place / "old").mkdir(parents=True)
        for key, text in texts.items():
            (self.place / f"{key}.md").write_text(f"# About {key}\n\n{text}\n", encoding="utf-8")

    def shift(self, texts: Texts, key: str) -> None:
        (self.place / f"{key}.md").rename(self.place / "old" / f"{key} again.md")


class Ics(Family):
    name = "calendars"

    def write(self, texts: Texts) -> None:
        self._write(texts, ())

    def shift(self, texts: Texts, key: str) -> None:
        self._write(texts, (key,))

    def _write(self, texts: Texts, private: tuple[str, ...]) -> None:
        (self.place / "more").mkdir(parents=True, exist_ok=True)
        held = [key for key in texts if key not in private]
        for file, wanted in (("work", held), ("more/private", list(private))):
            events = "".join(
                f"BEGIN:VEVENT\r\nUID:{key}@ciclone.example\r\nDTSTART:2026121{KEYS.index(key)}T100000Z\r\n"
                f"DTEND:2026121{KEYS.index(key)}T110000Z\r\nSUMMARY:About {key}\r\n"
                f"DESCRIPTION:{texts[key]}\r\nEND:VEVENT\r\n"
                for key in wanted
            )
            whole = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n"
            (self.place / f"{file}.ics").write_text(whole, encoding="utf-8", newline="")


class Telegram(Family):
    name = "result.json"

    def write(self, texts: Texts) -> None:
        messages = [
            {
                "id": KEYS.index(key) + 1,
                "type": "message",
                "date": f"2026-12-01T10:0{KEYS.index(key)}:00",
                "date_unixtime": str(1796115600 + KEYS.index(key)),
                "from": "Ana Prado",
                "from_id": "user7",
                "text": text,
            }
            for key, text in texts.items()
        ]
        chat = {"name": "Rowers", "type": "private_group", "id": 42, "messages": messages}
        self.place.write_text(json.dumps(chat), encoding="utf-8")

    def shift(self, texts: Texts, key: str) -> None:
        self.place = self.place.rename(self.place.with_name("result (2).json"))


class Jsonl(Family):
    name = "chat.messages.jsonl"

    def write(self, texts: Texts) -> None:
        self.place.write_text(
            "".join(
                json.dumps({"id": key, "sent_at": f"2026-12-01T10:0{KEYS.index(key)}:00+00:00", "text": text})
                + "\n"
                for key, text in texts.items()
            ),
            encoding="utf-8",
        )

    def shift(self, texts: Texts, key: str) -> None:
        self.place = self.place.rename(self.place.with_name("moved.messages.jsonl"))


FAMILIES: tuple[type[Family], ...] = (Mbox, Eml, Maildir, Notes, Ics, Telegram, Jsonl)
