"""Opens folders, and an export as a vault in Obsidian where there is one.

Whether a program takes `obsidian:` links is asked first: a desktop that starts a helper for every link says «opened»
although nothing opens.
"""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from heedful.presenters.care import Opened

SCHEME = "obsidian"
ASK_WITHIN_S = 3.0


class DesktopOpener:
    """Fills the presenter's port; `open_url` and `is_handled` are the desktop's own unless a test gives others."""

    def __init__(
        self,
        open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
        is_handled: Callable[[str], bool] | None = None,
    ) -> None:
        self._open_url = open_url
        self._is_handled = is_handled or is_handled_here

    async def vault(self, folder: Path, /) -> Opened:
        """Opens the folder in Obsidian, else the folder itself; says what became of it."""
        if await asyncio.to_thread(self._is_handled, SCHEME) and self._open_url(vault_link(folder)):
            return "obsidian"
        return "folder" if await self.folder(folder) else "nothing"

    async def folder(self, folder: Path, /) -> bool:
        """Shows the folder in the file manager; False where nothing does."""
        return self._open_url(QUrl.fromLocalFile(str(folder)))


def vault_link(folder: Path) -> QUrl:
    """The link that Obsidian opens a folder by.

    Source: Obsidian's help, «Obsidian URI», action `open` with the parameter `path`.
    """
    return QUrl(f"{SCHEME}://open?path={quote(str(folder.absolute()), safe='')}")


def is_handled_here(scheme: str) -> bool:
    """Whether some program of this desktop takes links of that scheme; blocks for a moment."""
    if sys.platform == "win32":
        import winreg

        try:
            winreg.CloseKey(winreg.OpenKey(winreg.HKEY_CLASSES_ROOT, scheme))
        except OSError:
            return False
        return True
    if sys.platform == "darwin":
        return True  # there opening a link that nobody takes fails, and says so
    asks = shutil.which("xdg-mime")
    if asks is None:
        return False
    try:
        said = subprocess.run(
            [asks, "query", "default", f"x-scheme-handler/{scheme}"],
            capture_output=True, text=True, timeout=ASK_WITHIN_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return bool(said.stdout.strip())
