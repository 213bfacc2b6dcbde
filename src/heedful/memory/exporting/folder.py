"""The folder an export goes to: never one that holds somebody else's files, and no file of a person's own is touched.

A list of what was written lies in the folder; the next export into it replaces just those files.
"""

import json
import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from heedful.core.errors import UserCanFixError
from heedful.core.paths import make_private
from heedful.memory.exporting.unwritable import unwritable

LIST = "heedful-export.json"
NAME_BYTES = 120
"""Room for what file systems allow, 255, with endings and numbers."""

_NOT_IN_NAMES = re.compile(
    r'[<>:"/\\|?*#^\[\]%`$\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]+'
)
"""What a file system or a link reads as more than a name, and signs that are not seen but turn a name around."""

_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class ExportFolder:
    """Writes the files of one export and remembers which."""

    def __init__(self, folder: Path) -> None:
        """Takes a folder that is missing, empty, or holds an earlier export.

        Raises:
            UserCanFixError: It holds anything else, or can't be written.
        """
        self._folder = folder.expanduser().absolute()
        self._before = self._earlier()
        self._written: dict[str, None] = {}
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}
        try:
            make_private(self._folder)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        self._keep_list()

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._folder

    def name(self, room: str, wanted: str, *, ending: str = ".md") -> str:
        """A free name below `room` that every file system and every wiki link takes, without its ending."""
        name = plain = file_name(wanted)
        first = (
            f"{room}/{plain}{ending}".casefold()
        )  # on a Mac and on Windows one name with another of its case
        number = self._numbers.get(first, 1)  # thousands of receipts bear one title
        while f"{room}/{name}{ending}".casefold() in self._taken:
            number += 1
            name = f"{plain} ({number})"
        self._numbers[first] = number
        self._taken.add(f"{room}/{name}{ending}".casefold())
        return f"{room}/{name}" if room else name

    def write(self, name: str, lines: Iterable[str]) -> None:
        """Writes one file, in the folder under `name` with its ending; whole, or as it was before.

        Raises:
            UserCanFixError: It can't be written.
        """
        file = self._folder / name
        partial = file.with_name(file.name + ".new")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with partial.open("w", encoding="utf-8", errors="replace", newline="\n") as out:
                out.writelines(lines)
            partial.replace(file)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        self._written[name] = None

    def finish(self) -> int:
        """Removes what an earlier export wrote and this one did not; returns how many files there are."""
        try:
            for name in self._before.keys() - self._written.keys():
                (self._folder / name).unlink(missing_ok=True)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        self._before = {}
        self._keep_list()
        return len(self._written)

    def _earlier(self) -> dict[str, None]:
        try:
            if not self._folder.exists() or not any(self._folder.iterdir()):
                return {}
            listed = json.loads((self._folder / LIST).read_text(encoding="utf-8"))
            return {name: None for name in listed["files"] if _is_inside(name)}
        except FileNotFoundError as exc:
            raise self._foreign() from exc
        except (ValueError, KeyError, TypeError) as exc:
            raise self._foreign() from exc
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def _keep_list(self) -> None:
        listed = {"format": 1, "files": sorted({**self._before, **self._written})}
        try:
            partial = self._folder / f"{LIST}.new"
            with partial.open("w", encoding="utf-8") as out:
                json.dump(listed, out, ensure_ascii=False, indent=0)
                out.flush()
                os.fsync(out.fileno())
            partial.replace(self._folder / LIST)
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def _foreign(self) -> UserCanFixError:
        return UserCanFixError(
            "That folder holds other files",
            f"{self._folder} is not empty and is no earlier export of Heedful's; nothing was written.",
            "Name an empty folder, or one that is not there yet.",
        )

    def _unwritable(self, exc: OSError) -> UserCanFixError:
        return unwritable(
            exc, self._folder, title="The export can't be written", meanwhile="What you remember is safe."
        )


def read_in_again(folder: Path) -> list[Path]:
    """The files and folders of an export that hold what it was made of; empty where the folder is no export."""
    if not (folder / LIST).is_file():
        return []
    return [*sorted(folder.glob("messages/*.messages.jsonl")), *sorted(folder.glob("calendars/*"))]


def file_name(wanted: str) -> str:
    """A name without anything that a file system or a wiki link would read as more than a name.

    Letters with marks are one sign each: a Mac takes both spellings for one name.
    """
    wanted = unicodedata.normalize("NFC", wanted)
    plain = " ".join(_NOT_IN_NAMES.sub(" ", wanted).split())
    plain = plain.encode("utf-8", "ignore")[:NAME_BYTES].decode("utf-8", "ignore").strip(". ")
    if not plain:
        return "Untitled"
    device = _DEVICES.fullmatch(plain)
    return plain if device is None else f"{device[1]} -{device[2] or ''}"


def _is_inside(name: object) -> bool:
    return isinstance(name, str) and not Path(name).is_absolute() and ".." not in Path(name).parts
