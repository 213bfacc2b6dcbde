"""The care of a store in memory: it keeps what it is asked for, and fails when a test says so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from heedful.core.errors import HeedfulError
from heedful.memory.archivist.care import Backup
from heedful.memory.archivist.report import StoreReport
from heedful.memory.exporting.vault import Exported, Json
from heedful.presenters.care import Opened
from tests.fakes import samples

FOLDER = Path("/data/backups")
NEWEST = Backup(FOLDER / "heedful-20261124T081000Z.db", samples.NOW - timedelta(hours=3), 212_000_000)
OLDER = Backup(FOLDER / "heedful-20261123T081000Z.db", samples.NOW - timedelta(hours=27), 209_400_000)
REPORT = StoreReport(
    41_208,
    {
        "messages": 84_100_000,
        "passages and their index": 61_000_000,
        "vectors": 42_900_000,
        "calls and originals": 2_400_000,
        "everything else": 96_000,
    },
    5_000_000,
)


@dataclass(slots=True)
class FakeCare:
    """A store of 200 MB; `failures` are by the name of what fails, `exports` the folders exported into."""

    found: list[Backup] = field(default_factory=lambda: [NEWEST, OLDER])
    failures: dict[str, HeedfulError] = field(default_factory=dict)
    exports: list[Path] = field(default_factory=list)
    checks: int = 0
    sound_at: datetime | None = None
    done: list[str] = field(default_factory=list)

    @property
    def backup_folder(self) -> Path:
        return FOLDER

    async def size_bytes(self) -> int:
        return 212_000_000

    async def report(self) -> StoreReport:
        self._fail("report")
        return REPORT

    async def backups(self) -> tuple[Backup, ...]:
        return tuple(self.found)

    async def check(self) -> None:
        self.checks += 1
        self._fail("check")
        self.sound_at = samples.NOW

    async def checked_at(self) -> datetime | None:
        return self.sound_at

    async def back_up(self) -> None:
        self._fail("back_up")
        self.found.insert(0, Backup(FOLDER / "heedful-new.db", samples.NOW, 212_500_000))

    async def export(
        self, folder: Path, *, items: Sequence[Json], sources: Sequence[Json]
    ) -> tuple[Path, Exported]:
        self._fail("export")
        self.exports.append(folder)
        return folder / "Heedful memory", Exported(41_208, 12, 900, 1_020)

    def restoring(self, backup: Path, /) -> Callable[[], object]:
        return lambda: self.done.append(f"restored {backup.name}")

    def wiping(self) -> Callable[[], object]:
        return lambda: self.done.append("wiped")

    def _fail(self, what: str) -> None:
        if what in self.failures:
            raise self.failures[what]


@dataclass(slots=True)
class FakeOpener:
    """What opening comes to; `opened` lists what was to be opened."""

    outcome: Opened = "obsidian"
    shows_folders: bool = True
    opened: list[Path] = field(default_factory=list)

    async def vault(self, folder: Path, /) -> Opened:
        self.opened.append(folder)
        return self.outcome

    async def folder(self, folder: Path, /) -> bool:
        self.opened.append(folder)
        return self.shows_folders


@dataclass(slots=True)
class FakeHouse:
    """Closes and opens at once, and keeps what was said afterwards."""

    said: list[str] = field(default_factory=list)

    async def with_house_closed(self, work: Callable[[], object], words: str) -> None:
        work()
        self.said.append(words)
