"""Settings → Care of the memory: what takes how much, whether it is sound, backups, an export, forgetting it all."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Literal, Protocol

from heedful.actionables import State
from heedful.core.clock import Clock
from heedful.core.errors import DamageError, HeedfulError
from heedful.core.supervise import Supervisor
from heedful.memory.archivist.care import Backup
from heedful.memory.archivist.report import StoreReport
from heedful.memory.exporting.vault import Exported, Json
from heedful.presenters import machine, times
from heedful.presenters.numbers import count
from heedful.presenters.observed import Observed
from heedful.presenters.ports import DecisionsPort, LibraryPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.toasts import Toasts

WIPE_WORD = "wipe"

Opened = Literal["obsidian", "folder", "nothing"]


class CarePort(Protocol):
    """The store, as far as a person looks after it. Each method raises a HeedfulError when it could not be done."""

    @property
    def backup_folder(self) -> Path: ...
    async def size_bytes(self) -> int: ...
    async def report(self) -> StoreReport: ...
    async def backups(self) -> tuple[Backup, ...]: ...
    async def check(self) -> None: ...
    async def checked_at(self) -> datetime | None: ...
    async def back_up(self) -> None: ...
    async def export(
        self, folder: Path, *, items: Sequence[Json], sources: Sequence[Json]
    ) -> tuple[Path, Exported]: ...
    def restoring(self, backup: Path, /) -> Callable[[], object]: ...
    def wiping(self) -> Callable[[], object]: ...


class OpenerPort(Protocol):
    """Opens what lies on the disk in the programs that the person has."""

    async def vault(self, folder: Path, /) -> Opened: ...
    async def folder(self, folder: Path, /) -> bool: ...


WithHouseClosed = Callable[[Callable[[], object], str], Awaitable[None]]
"""Closes the store, does the work, opens the store again, and then says the words, or why the work could not be done.

Whoever called it is closed with the rest: it must do nothing afterwards.
"""


@dataclass(frozen=True, slots=True)
class RoomView:
    """What one kind of content takes: «messages», «84.1 MB», its share of the largest."""

    name: str
    size: str
    share: float

    @property
    def sentence(self) -> str:
        """Both, for a screen reader."""
        return f"{self.name}, {self.size}"


@dataclass(frozen=True, slots=True)
class BackupView:
    """One backup: «today 09:10», «212.0 MB»; `is_asked` while the person is asked whether to put it back."""

    file: Path
    when: str
    size: str
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class CareView:
    """The whole page. `summary` is the line that Settings shows; `soundness` what the last check found.

    `export_told` is what the last export wrote and where; `vault` its folder, None before the first.
    """

    summary: str = ""
    rooms: tuple[RoomView, ...] = ()
    soundness: str = ""
    is_sound: bool = True
    backups: tuple[BackupView, ...] = ()
    backup_folder: Path = Path()
    is_checking: bool = False
    is_backing_up: bool = False
    is_exporting: bool = False
    export_told: str = ""
    vault: Path | None = None


class CarePresenter:
    """Looks after the store at the person's word."""

    def __init__(
        self,
        care: CarePort,
        opener: OpenerPort,
        decisions: DecisionsPort,
        library: LibraryPort,
        toasts: Toasts,
        *,
        with_house_closed: WithHouseClosed,
        clock: Clock,
        supervisor: Supervisor,
    ) -> None:
        self.view: Observed[CareView] = Observed(CareView(backup_folder=care.backup_folder))
        self._care = care
        self._opener = opener
        self._decisions = decisions
        self._library = library
        self._toasts = toasts
        self._with_house_closed = with_house_closed
        self._clock = clock
        self._damage = ""
        self._asked: Path | None = None
        self._summing = Refresher("care summary", self.sum_up, supervisor)
        self._measuring = Refresher("care of the memory", self.load, supervisor)

    def refresh(self) -> None:
        """Loads the line for Settings in the background; it costs next to nothing."""
        self._summing.request()

    def refresh_page(self) -> None:
        """Loads the page in the background; measuring reads the whole store once."""
        self._measuring.request()

    async def sum_up(self) -> None:
        """Loads the line and the backups now."""
        size, found = await self._care.size_bytes(), await self._care.backups()
        now, zone = self._clock.now(), self._clock.zone
        last = times.ago_words(found[0].made_at, now) if found else ""
        self._change(
            summary=f"{size_words(size)} on this disk · "
            + (f"backed up {last}" if last else "not backed up yet"),
            backups=tuple(
                BackupView(
                    backup.file,
                    _when(backup.made_at, now, zone),
                    size_words(backup.size_bytes),
                    is_asked=backup.file == self._asked,
                )
                for backup in found
            ),
        )
        self._tell_soundness(found, await self._care.checked_at())

    async def load(self) -> None:
        """Loads the page now; a failure is told."""
        await self.sum_up()
        try:
            report = await self._care.report()
        except HeedfulError as exc:
            self._toasts.fail(exc)
            return
        self._change(rooms=room_views(report))

    async def check(self) -> None:
        """Reads the whole store, and says whether it is sound."""
        self._change(is_checking=True)
        try:
            await self._prove(self._care.check)
        finally:
            self._change(is_checking=False)

    async def back_up(self) -> None:
        """Makes a backup now."""
        self._change(is_backing_up=True)
        try:
            if await self._prove(self._care.back_up):
                self._toasts.say("A backup was made")
        finally:
            self._change(is_backing_up=False)

    def ask_to_restore(self, file: Path | None) -> None:
        """Asks whether to put a backup back; None asks no more."""
        self._asked = file
        self._change(
            backups=tuple(replace(one, is_asked=one.file == file) for one in self.view.value.backups)
        )

    async def restore(self, file: Path) -> None:
        """Puts a backup in the store's place: the house closes for it and opens again."""
        when = next((one.when for one in self.view.value.backups if one.file == file), "")
        await self._with_house_closed(
            self._care.restoring(file), f"The memory is as it was {when}. What was there before is kept aside"
        )

    async def export(self, folder: Path) -> None:
        """Writes everything remembered into a folder, as a vault of notes and files to read in again."""
        self._change(is_exporting=True)
        try:
            items = [machine.actionable(item) for item in await self._decisions.items(states=tuple(State))]
            sources = [machine.source(row) for row in await self._library.sources()]
            vault, done = await self._care.export(folder, items=items, sources=sources)
        finally:
            self._change(is_exporting=False)
        told = (
            f"{count(done.messages, 'message')}, {count(done.events, 'event')} and {count(len(items), 'item')} "
            f"lie in {vault}. They are not encrypted."
        )
        self._change(export_told=told, vault=vault)

    async def open_vault(self) -> None:
        """Opens the export in Obsidian, or its folder where there is no Obsidian."""
        vault = self.view.value.vault
        if vault is None:
            return
        match await self._opener.vault(vault):
            case "obsidian":
                self._toasts.say(
                    "Opening in Obsidian; a new folder is added there with “Open folder as vault”"
                )
            case "folder":
                self._toasts.say("Obsidian is not installed here, so the folder is open instead")
            case "nothing":
                self._toasts.fail_with(f"Nothing here opens folders. It lies in {vault}")

    async def show_folder(self, folder: Path) -> None:
        """Shows a folder in the file manager."""
        if not await self._opener.folder(folder):
            self._toasts.fail_with(f"Nothing here opens folders. It lies in {folder}")

    async def wipe(self, typed: str) -> None:
        """Removes everything remembered, once the person typed the word for it; the house closes and opens empty."""
        if may_wipe(typed):
            await self._with_house_closed(
                self._care.wiping(), "Everything remembered is gone. Settings are kept"
            )

    def close(self) -> None:
        """Loads no more."""
        self._summing.close()
        self._measuring.close()

    async def _prove(self, work: Callable[[], Awaitable[None]]) -> bool:
        """Does what reads the whole store; False when that found damage, which is shown."""
        try:
            await work()
        except DamageError as exc:
            self._damage = exc.sentence()
        else:
            self._damage = ""
        await self.sum_up()
        return not self._damage

    def _tell_soundness(self, found: tuple[Backup, ...], checked_at: datetime | None) -> None:
        now, zone = self._clock.now(), self._clock.zone
        if self._damage:
            told = self._damage
        elif checked_at is not None and all(checked_at >= backup.made_at for backup in found):
            told = f"Found sound {_when(checked_at, now, zone)}: every page was read."
        elif found:
            told = f"Found sound before the last backup, {_when(found[0].made_at, now, zone)}."
        else:
            told = "Not checked yet; it is before each backup."
        self._change(soundness=told, is_sound=not self._damage)

    def _change(self, **changes: object) -> None:
        self.view.replace(replace(self.view.value, **changes))  # type: ignore[arg-type] # names of its fields


def _when(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """«today 09:10», «12 Nov 22:00»."""
    return f"{times.day_words(moment, now, zone)} {times.clock_time(moment, zone)}"


def may_wipe(typed: str) -> bool:
    """Whether the typed word is the one that wipes."""
    return typed.strip().casefold() == WIPE_WORD


def room_views(report: StoreReport) -> tuple[RoomView, ...]:
    """What takes how much, the largest first, with what is free at the end."""
    rooms = sorted(report.rooms.items(), key=lambda room: -room[1])
    if report.free_bytes:
        rooms.append(("free, used before the file grows", report.free_bytes))
    largest = max((size for _, size in rooms), default=0) or 1
    return tuple(
        RoomView(f"{name[0].upper()}{name[1:]}", size_words(size), size / largest) for name, size in rooms
    )


def size_words(size_bytes: int) -> str:
    """«84.1 MB», «96 kB»."""
    if size_bytes >= 1e9:
        return f"{size_bytes / 1e9:.1f} GB"
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1e3:.0f} kB"
