"""Where things lie: the person's folders, and the files that ship with the program.

`--home DIR` (or HEEDFUL_HOME) puts everything that a run reads or writes below one folder, so that two homes
never meet: not in files, not in the keyring, not in the single-instance name.
"""

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heedful.core.errors import DamageError


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one installation of one person; `name` tells homes apart in keyring and sockets."""

    data: Path
    config: Path
    logs: Path
    name: str

    @property
    def database(self) -> Path:
        return self.data / "heedful.db"

    @property
    def key_slot(self) -> Path:
        return self.data / "heedful.key.json"

    @property
    def lock(self) -> Path:
        return self.data / "heedful.lock"

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @property
    def prompts(self) -> Path:
        """Where the person may put prompts of their own; they win over the shipped ones."""
        return self.config / "prompts"


def home_at(folder: Path) -> Home:
    """A home with everything below `folder`."""
    root = folder.expanduser().absolute()
    tag = hashlib.blake2b(str(root).encode(), digest_size=4).hexdigest()
    return Home(data=root / "data", config=root / "config", logs=root / "logs", name=f"heedful-{tag}")


def find_home(chosen: Path | None, environment: Mapping[str, str]) -> Home:
    """The home for a run: `--home`, else HEEDFUL_HOME, else the platform's own places."""
    if chosen is not None:
        return home_at(chosen)
    if environment.get("HEEDFUL_HOME"):
        return home_at(Path(environment["HEEDFUL_HOME"]))
    from platformdirs import PlatformDirs  # costs 25 ms, which a run with a home of its own need not pay

    places = PlatformDirs("heedful", appauthor=False)
    return Home(
        data=Path(places.user_data_dir),
        config=Path(places.user_config_dir),
        logs=Path(places.user_log_dir),
        name="heedful",
    )


def make_private(folder: Path) -> None:
    """Creates a folder that only this person may read, where the platform knows such a thing.

    Raises:
        OSError: It can't be created.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if os.name == "posix" and folder.stat().st_mode & 0o777 != 0o700:
        folder.chmod(0o700)


def shipped(kind: str, name: str) -> Path:
    """A file that came with the program: in the package, else in a bundle, else in the checkout.

    Raises:
        DamageError: The installation lacks it.
    """
    for root in _roots():
        candidate = root / kind / name
        if candidate.exists():
            return candidate
    raise DamageError(
        f"A part of Heedful is missing ({kind}/{name})",
        "The installation is incomplete.",
        "Install Heedful again; your data is not touched by that.",
    )


def _roots() -> tuple[Path, ...]:
    package = Path(__file__).resolve().parents[1]
    bundle = Path(getattr(sys, "_MEIPASS", package)) / "heedful"
    return (package / "shipped", bundle / "shipped", package.parents[1])
