"""The command line as a script meets it: one line in, an exit code, JSON and sentences out."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from heedful.cli import main
from heedful.core.paths import home_at
from heedful.storage import choose_unencrypted

NOW = datetime.now(UTC).replace(microsecond=0)  # noqa: TID251 (a command asks the machine's clock)


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 (JSON of whatever command)
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The rows of a batch."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(slots=True)
class Line:
    """Runs commands in a home of the test's own, unencrypted so that no passphrase costs time."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    home: Path = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.folder / "home"
        choose_unencrypted(home_at(self.home))

    def run(self, *arguments: str) -> Said:
        """Runs a command line; wrong usage comes back as its exit code too."""
        self.capsys.readouterr()
        try:
            code = main(["--home", str(self.home), *arguments])
        except SystemExit as exc:
            code = int(str(exc.code or 0))
        said = self.capsys.readouterr()
        return Said(code, said.out, said.err)

    def json(self, *arguments: str) -> Any:  # noqa: ANN401 (JSON of whatever command)
        """The JSON of a command that must do."""
        said = self.run(*arguments, "--json")
        assert said.code == 0, said.err
        return said.json

    def file(self, name: str, text: str) -> Path:
        """A file of the test's."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def mailbox(self, name: str = "inbox.mbox") -> Path:
        """Three mails of the last hours: a request, banter, and one that was cut off."""
        return self.file(
            name,
            letter(1, "Slides", "Could you please send me the slides for Thursday by tomorrow?", NOW)
            + letter(2, "Goal", "hahaha, what a goal last night", NOW - timedelta(hours=1))
            + f"From cut@ciclone.example {NOW:%a %b %d %H:%M:%S %Y}\nSubject: cut o",
        )


def letter(number: int, subject: str, text: str, at: datetime) -> str:
    """One mail in mbox form."""
    return (
        f"From ana@ciclone.example {at:%a %b %d %H:%M:%S %Y}\n"
        f"From: Ana Lopes <ana@ciclone.example>\nTo: Rui Prado <rui@prado.example>\n"
        f"Date: {at:%a, %d %b %Y %H:%M:%S +0000}\nMessage-ID: <{number}@ciclone.example>\n"
        f"Subject: {subject}\n\n{text}\n\n"
    )
