"""Which folders may bring rules of their own: those the person said yes to, by their resolved path."""

import json
from pathlib import Path

from heedful.core.errors import UserCanFixError


class TrustedFolders:
    """The person's answers, in one file; an unreadable file trusts nothing."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __contains__(self, folder: Path) -> bool:
        return str(folder.resolve()) in self._read()

    def trust(self, folder: Path) -> None:
        """From now on the folder's rules count.

        Raises:
            UserCanFixError: The answer can't be saved.
        """
        self._write(self._read() | {str(folder.resolve())})

    def distrust(self, folder: Path) -> None:
        """From now on they do not.

        Raises:
            UserCanFixError: The answer can't be saved.
        """
        self._write(self._read() - {str(folder.resolve())})

    def _read(self) -> set[str]:
        try:
            raw = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return set()
        return {item for item in raw if isinstance(item, str)} if isinstance(raw, list) else set()

    def _write(self, folders: set[str]) -> None:
        partial = self._file.with_suffix(".part")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(sorted(folders), indent=2) + "\n", "utf-8")
            partial.replace(self._file)
        except OSError as exc:
            raise UserCanFixError(
                f"{self._file} could not be written",
                str(exc.strerror or ""),
                "Check that you may write there.",
            ) from exc
