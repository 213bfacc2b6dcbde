"""The services that presenters stand on, in memory: they keep what they are told, and fail when a test says so."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from heedful.actionables import Actionable, State
from heedful.conscious.activity import DaySummary, Explanation
from heedful.conscious.activity_store import Cause, TickRow
from heedful.core.bus import Bus
from heedful.core.errors import HeedfulError, RejectedError
from heedful.core.events import ActionablesChanged, SettingsChanged, SourcesChanged
from heedful.core.ids import ActionableId, RunId, SourceId
from heedful.core.settings import ProviderSettings, Settings
from heedful.inference import LocalServer, Provider, Trial
from heedful.memory.background_work import WorkNow
from heedful.memory.intake.door import Intake
from heedful.memory.messages.own_addresses_store import OwnAddress
from heedful.memory.messages.sources_store import Egress, SourceRow
from heedful.memory.sync.library import SyncReport
from heedful.memory.sync.one_reading import Progress
from heedful.memory.work.host_load import AT_FULL_PACE
from heedful.sources import Rejected
from heedful.tokenjuice.originals_store import DaySaved
from tests.fakes.clock import FakeClock

OPEN = (State.ACTIVE, State.AWAITING)


@dataclass(slots=True)
class FakeDecisions:
    """Items by id. `failure` is raised by the next decision; `gate`, while unset, holds decisions back."""

    bus: Bus
    clock: FakeClock
    kept: dict[ActionableId, Actionable] = field(default_factory=dict)
    before: dict[ActionableId, Actionable] = field(default_factory=dict)
    failure: HeedfulError | None = None
    load_failure: HeedfulError | None = None
    gate: asyncio.Event | None = None
    loads: int = 0

    def put(self, *items: Actionable) -> None:
        """Takes items in without telling anybody."""
        self.kept.update({item.id: item for item in items})

    async def items(self, *, states: Iterable[State] | None = None) -> tuple[Actionable, ...]:
        self.loads += 1
        if self.load_failure is not None:
            raise self.load_failure
        wanted = OPEN if states is None else tuple(states)
        return tuple(item for item in self.kept.values() if item.state in wanted)

    async def item(self, item_id: ActionableId, /) -> Actionable:
        if item_id not in self.kept:
            raise RejectedError("There is no such item")
        return self.kept[item_id]

    async def approve(self, item_id: ActionableId, /) -> Actionable:
        return await self._decide(item_id, State.APPROVED)

    async def dismiss(self, item_id: ActionableId, /) -> Actionable:
        return await self._decide(item_id, State.DISMISSED)

    async def complete(self, item_id: ActionableId, /) -> Actionable:
        return await self._decide(item_id, State.COMPLETED)

    async def snooze(self, item_id: ActionableId, until: datetime, /) -> Actionable:
        return await self._decide(item_id, State.SNOOZED, until)

    async def undo(self, item_id: ActionableId, /) -> Actionable:
        if item_id not in self.before:
            raise RejectedError("There is nothing to take back")
        self.kept[item_id] = self.before.pop(item_id)
        self.bus.publish([ActionablesChanged((item_id,))])
        return self.kept[item_id]

    async def _decide(self, item_id: ActionableId, state: State, until: datetime | None = None) -> Actionable:
        if self.gate is not None:
            await self.gate.wait()
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        item = await self.item(item_id)
        if item.state not in OPEN:
            raise RejectedError("That item is decided already")
        self.before[item_id] = item
        self.kept[item_id] = replace(item, state=state, updated_at=self.clock.now(), snoozed_until=until)
        self.bus.publish([ActionablesChanged((item_id,))])
        return self.kept[item_id]


@dataclass(slots=True)
class FakeLibrary:
    """Sources by id; `gate`, while unset, holds a sync back, so that a test sees it on its way."""

    bus: Bus
    clock: FakeClock
    rows: dict[SourceId, SourceRow] = field(default_factory=dict)
    addresses: dict[str, OwnAddress] = field(default_factory=dict)
    rejected: dict[SourceId, tuple[Rejected, ...]] = field(default_factory=dict)
    failures: dict[str, HeedfulError] = field(default_factory=dict)
    gate: asyncio.Event | None = None
    synced: list[SourceId] = field(default_factory=list)
    compared: list[SourceId] = field(default_factory=list)

    async def sources(self) -> tuple[SourceRow, ...]:
        self._fail("sources")
        return tuple(self.rows.values())

    async def add(
        self, path: Path, *, kind: str | None = None, name: str | None = None, watched: bool = True
    ) -> SourceId:
        self._fail("add")
        self._fail(path.name)
        source_id = SourceId(name or path.name)
        self.rows.setdefault(
            source_id, source_row(name or path.name, path=path, kind=kind or "mbox", watched=watched)
        )
        self._tell(source_id)
        return source_id

    async def sync(
        self,
        source_id: SourceId,
        *,
        path: Path | None = None,
        progress: Progress | None = None,
    ) -> SyncReport:
        if self.gate is not None:
            await self.gate.wait()
        self._fail("sync")
        self.synced.append(source_id)
        self._change(source_id, last_sync_at=self.clock.now(), state="active", error=None)
        return SyncReport(source_id, Intake(), (), 0.1)

    async def pause(self, source_id: SourceId, /) -> None:
        self._fail("pause")
        self._change(source_id, state="paused")

    async def resume(self, source_id: SourceId, /) -> None:
        self._change(source_id, state="active")

    async def remove(self, source_id: SourceId, /) -> int:
        self._fail("remove")
        del self.rows[source_id]
        self._tell(source_id)
        return 0

    async def reconcile(self, source_id: SourceId, *, believes: bool = False) -> None:
        self._fail("reconcile")
        self.compared.append(source_id)
        missing = 0 if believes else self.rows[source_id].missing
        self._change(source_id, missing=missing, comparing_at=None)

    async def keep_for(self, source_id: SourceId, days: int | None, /) -> None:
        self._fail("keep_for")
        self._change(source_id, keep_days=days)

    async def set_egress(self, source_id: SourceId, egress: Egress, /) -> None:
        self._fail("set_egress")
        self._change(source_id, egress=egress)

    async def relocate(self, source_id: SourceId, path: Path, /) -> None:
        self._change(source_id, path=path)

    async def rejects(self, source_id: SourceId, *, limit: int = 100) -> tuple[Rejected, ...]:
        return self.rejected.get(source_id, ())[:limit]

    async def own_addresses(self) -> tuple[OwnAddress, ...]:
        return tuple(self.addresses.values())

    async def state_address(self, address: str, /) -> None:
        self._fail("state_address")
        self.addresses[address] = OwnAddress(address, "stated", 0)
        self._tell(SourceId(""))

    async def refuse_address(self, address: str, /) -> None:
        self.addresses[address] = OwnAddress(address, "refused", 0)
        self._tell(SourceId(""))

    def _fail(self, what: str) -> None:
        if what in self.failures:
            raise self.failures[what]

    def _change(self, source_id: SourceId, **changes: object) -> None:
        self.rows[source_id] = replace(self.rows[source_id], **changes)  # type: ignore[arg-type] # names of its fields
        self._tell(source_id)

    def _tell(self, source_id: SourceId) -> None:
        self.bus.publish([SourcesChanged(source_id)])


def source_row(name: str, **changes: object) -> SourceRow:
    """A mailbox that was read; `changes` are other values of its fields."""
    row = SourceRow(
        id=SourceId(name), kind="mbox", label="Mail folder", name=name, path=Path("/mail") / name, state="active",
        egress="allowed", watched=True, messages=0, rejected=0, last_sync_at=None, error=None,
    )  # fmt: skip
    return replace(row, **changes)  # type: ignore[arg-type] # names of its fields


@dataclass(slots=True)
class FakeActivity:
    """Ticks, newest first, and answers to «why?» by what is asked."""

    rows: list[TickRow] = field(default_factory=list)
    summary: DaySummary = field(default_factory=lambda: DaySummary(0, 0, 0, 0.0))
    answers: dict[str, Explanation] = field(default_factory=dict)
    failure: HeedfulError | None = None

    async def ticks(self, *, limit: int = 100, before: datetime | None = None) -> tuple[TickRow, ...]:
        if self.failure is not None:
            raise self.failure
        known = [row for row in self.rows if before is None or row.started_at < before]
        return tuple(known[:limit])

    async def today(self) -> DaySummary:
        return self.summary

    async def why(self, asked: str, /) -> Explanation:
        if asked not in self.answers:
            raise RejectedError("Nothing fits that", "", "Give words from the message.")
        return self.answers[asked]


@dataclass(slots=True)
class FakeLoop:
    """Counts requests and keeps the pause."""

    next_look_at: datetime | None = None
    running: RunId | None = None
    requests: list[Cause] = field(default_factory=list)
    is_paused: bool = False
    until: datetime | None = None

    def request(self, cause: Cause, /) -> RunId:
        self.requests.append(cause)
        return RunId(f"run-{len(self.requests)}")

    async def paused(self) -> tuple[bool, datetime | None]:
        return self.is_paused, self.until

    async def pause(self, until: datetime | None, /) -> None:
        self.is_paused, self.until = True, until

    async def resume(self) -> None:
        self.is_paused, self.until = False, None


@dataclass(slots=True)
class FakeSettings:
    """The choices in force; `failure` is raised by the next save."""

    bus: Bus
    settings: Settings = field(default_factory=Settings)
    failure: HeedfulError | None = None

    async def save_settings(self, settings: Settings, /) -> None:
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        self.settings = settings
        self.bus.publish([SettingsChanged()])


@dataclass(slots=True)
class FakeEgress:
    """Consents as pairs of provider and address."""

    allowed: set[tuple[str, str]] = field(default_factory=set)

    async def allow(self, provider_id: str, base_url: str, /) -> None:
        self.allowed.add((provider_id, base_url))

    async def revoke(self, provider_id: str, base_url: str, /) -> None:
        self.allowed.discard((provider_id, base_url))

    async def is_allowed(self, provider: Provider, /) -> bool:
        return (provider.id, provider.endpoint.base_url) in self.allowed


@dataclass(slots=True)
class FakeServers:
    """Servers that are found, and what a trial says; `tried` lists what was tried."""

    found: tuple[LocalServer, ...] = ()
    trial: Trial = field(default_factory=lambda: Trial(True, ("It answered in 0.4 s.",)))
    failure: HeedfulError | None = None
    tried: list[ProviderSettings] = field(default_factory=list)

    async def find(self) -> tuple[LocalServer, ...]:
        return self.found

    async def try_out(self, chosen: ProviderSettings, /) -> Trial:
        self.tried.append(chosen)
        if self.failure is not None:
            raise self.failure
        return self.trial


@dataclass(slots=True)
class FakeSecrets:
    """A keyring in memory; `failure` makes it one that can't be used.

    While it is `locked` reading and keeping ask for its password, which is counted; keeping opens it.
    """

    kept: dict[str, str] = field(default_factory=dict)
    failure: HeedfulError | None = None
    locked: bool = False
    dialogs: int = 0

    def is_locked(self) -> bool:
        return self.locked

    def get(self, name: str) -> str | None:
        self._fail()
        self.dialogs += self.locked
        return self.kept.get(name)

    def set(self, name: str, value: str) -> None:
        self._fail()
        self.dialogs += self.locked
        self.locked = False
        self.kept[name] = value

    def delete(self, name: str) -> None:
        self._fail()
        self.kept.pop(name, None)

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure


@dataclass(slots=True)
class FakeSavings:
    """Days on which something was compressed."""

    days: list[DaySaved] = field(default_factory=list)
    failure: HeedfulError | None = None

    async def savings(self, *, since: date) -> Sequence[DaySaved]:
        if self.failure is not None:
            raise self.failure
        return [day for day in self.days if day.day >= since]


@dataclass(slots=True)
class FakeWork:
    """The background work as a test says it is; `asked` lists what was pushed."""

    state: WorkNow = field(default_factory=lambda: WorkNow((), AT_FULL_PACE, None))
    failure: HeedfulError | None = None
    asked: list[str] = field(default_factory=list)

    async def now(self) -> WorkNow:
        if self.failure is not None:
            raise self.failure
        return self.state

    async def retry_failed(self) -> int:
        self.asked.append("retry failed")
        failed = sum(work.failed for work in self.state.kinds)
        self.state = replace(self.state, kinds=())
        return failed

    async def wake(self) -> int:
        self.asked.append("wake")
        return sum(work.put_off for work in self.state.kinds)
