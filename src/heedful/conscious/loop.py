"""The conscious loop: looks every few minutes, one look at a time, a newer request taking over.

A look has two stages. The built-in finder judges everything that changed and its findings are kept. Then, where
the person chose a model and there is something for it, the model is asked; if it fails, the look ends in an
error, the built-in's findings stay, and the same evidence is due again. Nothing new means a quiet look and no
model call. Every look leaves a row in Activity.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from heedful.conscious import activity_store
from heedful.conscious.activity_store import Cause, Outcome, TickRow
from heedful.conscious.findings import Stored
from heedful.conscious.look import BuiltinLook
from heedful.core.bus import Bus
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.core.events import (
    ConsciousLoopCompleted,
    ConsciousLoopFailed,
    ConsciousLoopStarted,
    Event,
    LoopPaused,
    LoopResumed,
    TickRecorded,
)
from heedful.core.ids import NewId, RunId
from heedful.core.supervise import Cadence, Supervisor
from heedful.judgement import RUN_LIMIT
from heedful.memory.messages import sources_store
from heedful.storage import Connection, Store

log = logging.getLogger(__name__)

PAUSE = "conscious"
KEEP_TICKS = timedelta(days=30)
TAKE_OVER_WITHIN_S = 5.0
_TIMER = "conscious timer"
_TICK = "conscious tick"


@dataclass(slots=True)
class ModelReport:
    """What the model stage adds to a look's row, filled as it goes so that a cut-off look tells its calls too."""

    provider: str = ""
    model: str = ""
    messages: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    stored: Stored = field(default_factory=Stored)
    notes: list[str] = field(default_factory=list)


class ModelStage(Protocol):
    """Asks the chosen model about what changed since its own last success."""

    async def run(self, run_id: RunId, report: ModelReport, *, room: int) -> None:
        """Fills `report` as it goes; does nothing but a note where no model is chosen or ready.

        Raises:
            HeedfulError: The model could not be asked; what was not answered is due again.
        """
        ...


class ConsciousLoop:
    """Looks by the clock and on request."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        clock: Clock,
        supervisor: Supervisor,
        *,
        builtin: BuiltinLook,
        model: ModelStage,
        new_id: NewId,
        interval_s: Callable[[], float],
    ) -> None:
        self._store = store
        self._bus = bus
        self._clock = clock
        self._supervisor = supervisor
        self._builtin = builtin
        self._model = model
        self._new_id = new_id
        self._interval_s = interval_s
        self._running: RunId | None = None
        self._task: asyncio.Task[None] | None = None
        self._overtaken: list[TickRow] = []
        self._rows: dict[RunId, TickRow] = {}
        self._next: datetime | None = None

    @property
    def running(self) -> RunId | None:
        """The look that runs now."""
        return self._running

    @property
    def next_look_at(self) -> datetime | None:
        """When the clock will look next; None while no timer runs."""
        return self._next

    async def start(self, *, first_after_s: float) -> None:
        """Starts the timer, after closing the rows of looks that a dead process left open."""
        await self._store.write(lambda c: (activity_store.close_interrupted(c), []))
        self._next = self._clock.now() + timedelta(seconds=first_after_s)
        cadence = Cadence(interval_s=self._interval_s, first_after_s=first_after_s)
        self._supervisor.every(_TIMER, self._by_the_clock, cadence)

    async def tell_locked(self, since: datetime) -> None:
        """Leaves a row for a time in which the store was locked and no look could be taken."""
        now = self._clock.now()
        told = f"The store was locked until {now.astimezone(self._clock.zone):%H:%M}; nothing was looked at."
        lasted_ms = round((now - since).total_seconds() * 1000)
        row = TickRow(RunId(self._new_id()), "timer", "skipped", since, duration_ms=lasted_ms, notes=(told,))
        await self._record([row])

    def request(self, cause: Cause) -> RunId:
        """Begins a look and returns its id at once; a running one is cancelled and its model request closed."""
        run_id = RunId(self._new_id())
        older = self._task
        waiting = TickRow(run_id, cause, "superseded", self._clock.now())
        self._overtaken.append(waiting)
        self._task = self._supervisor.start(_TICK, self._take_over(waiting, older))
        return run_id

    async def tick(self, cause: Cause) -> TickRow:
        """A look to its end.

        Returns:
            Its row, whatever its outcome; `superseded` when a newer request took over.
        """
        run_id = self.request(cause)
        task = self._task
        if task is not None:
            await asyncio.wait([task])
        row = self._rows.pop(run_id, None)
        return row if row is not None else TickRow(run_id, cause, "superseded", self._clock.now())

    async def paused(self) -> tuple[bool, datetime | None]:
        """Whether the timer is paused, and until when (None: until resumed)."""
        is_paused, until = await self._store.read(lambda c: activity_store.pause_until(c, PAUSE))
        if is_paused and until is not None and until <= self._clock.now():
            return False, None
        return is_paused, until

    async def pause(self, until: datetime | None) -> None:
        """Lets the timer pass without looking until a moment, or until `resume`; looks on request still run."""

        def work(connection: Connection) -> tuple[None, list[Event]]:
            activity_store.set_pause(connection, PAUSE, until)
            return None, [LoopPaused(until)]

        await self._store.write(work)

    async def resume(self) -> None:
        """Ends a pause."""

        def work(connection: Connection) -> tuple[None, list[Event]]:
            activity_store.clear_pause(connection, PAUSE)
            return None, [LoopResumed()]

        await self._store.write(work)

    async def _by_the_clock(self) -> None:
        is_paused, _ = await self.paused()
        if not is_paused:
            await self.tick("timer")
            await self._forget_old_rows()
        self._next = self._clock.now() + timedelta(seconds=self._interval_s())

    async def _forget_old_rows(self) -> None:
        before = self._clock.now() - KEEP_TICKS
        await self._store.write(lambda c: (activity_store.forget_ticks(c, before), []))

    async def _take_over(self, waiting: TickRow, older: asyncio.Task[None] | None) -> None:
        if older is not None and not older.done():
            older.cancel()
            await asyncio.wait([older], timeout=TAKE_OVER_WITHIN_S)
        overtaken = [row for row in self._overtaken if row is not waiting]
        self._overtaken = [row for row in self._overtaken if row not in overtaken]
        if overtaken:
            await self._record(overtaken)
        self._overtaken.remove(waiting)
        await self._run(replace(waiting, outcome="running", started_at=self._clock.now()))

    async def _run(self, tick: TickRow) -> None:
        began = self._clock.monotonic()
        self._running = tick.run_id
        report = ModelReport()
        ended: TickRow | None = None
        outcome: Outcome = "error"
        try:
            tick = replace(tick, namespaces=await self._store.read(sources_store.looked_at))
            await self._record([tick], [ConsciousLoopStarted(tick.run_id, tick.started_at, tick.namespaces)])
            tick = await self._look(tick, report)
            ended = replace(tick, duration_ms=self._since(began))
            count = ended.actionable_count
            await self._record([ended], [ConsciousLoopCompleted(ended.run_id, count, ended.duration_ms)])
        except HeedfulError as exc:
            error_type = type(exc).__name__
            log.warning("look %s failed: %s", tick.run_id, error_type)
            failed = replace(_with(tick, report), error_type=error_type, error=exc.sentence())
            ended = replace(failed, outcome="error", duration_ms=self._since(began))
            await self._record([ended], [ConsciousLoopFailed(ended.run_id, exc.sentence(), error_type)])
        except asyncio.CancelledError:
            outcome = "superseded"
            raise
        finally:
            self._running = None
            if ended is None:
                ended = replace(_with(tick, report), outcome=outcome, duration_ms=self._since(began))
                await asyncio.shield(self._record([ended]))
            self._rows[ended.run_id] = ended

    async def _look(self, tick: TickRow, report: ModelReport) -> TickRow:
        found = await self._builtin.run(tick.run_id)
        tick = replace(
            tick,
            provider="builtin",
            messages=found.messages,
            new=len(found.stored.new),
            updated=len(found.stored.updated),
            rejected=found.stored.rejected,
            actionable_count=len(found.stored.changed) + len(found.stored.seen),
        )
        await self._model.run(tick.run_id, report, room=RUN_LIMIT - len(found.stored.new))
        tick = _with(tick, report)
        came = found.messages or found.stored.changed or report.calls or report.stored.changed
        if not came:
            since = await self._store.read(activity_store.last_success)
            return replace(tick, outcome="quiet", notes=(self._nothing_new(since), *tick.notes))
        return replace(
            tick, outcome="completed", notes=(*_told(found.messages, is_silent=found.is_silent), *tick.notes)
        )

    def _nothing_new(self, since: datetime | None) -> str:
        if since is None:
            return "There is nothing to look at yet."
        return f"Nothing new since {since.astimezone(self._clock.zone):%H:%M}."

    def _since(self, began: float) -> int:
        return round((self._clock.monotonic() - began) * 1000)

    async def _record(self, rows: list[TickRow], events: list[Event] | None = None) -> None:
        def work(connection: Connection) -> tuple[None, list[Event]]:
            for row in rows:
                activity_store.write_tick(connection, row)
            return None, [*(TickRecorded(row.run_id) for row in rows), *(events or [])]

        await self._store.write(work)


def _with(tick: TickRow, report: ModelReport) -> TickRow:
    """The row with what the model stage did so far."""
    if report.calls or report.messages:
        tick = replace(tick, provider=report.provider, model=report.model)
    return replace(
        tick,
        new=tick.new + len(report.stored.new),
        updated=tick.updated + len(report.stored.updated),
        actionable_count=tick.actionable_count + len(report.stored.changed) + len(report.stored.seen),
        rejected=tick.rejected + report.stored.rejected,
        notes=tick.notes + tuple(report.notes),
        input_tokens=report.input_tokens,
        output_tokens=report.output_tokens,
        model_calls=report.calls,
    )


def _told(messages: int, *, is_silent: bool) -> tuple[str, ...]:
    if not messages:
        return ()
    word = "message" if messages == 1 else "messages"
    if is_silent:
        return (f"{messages} new {word}, nothing for you.",)
    return (f"{messages} new {word}.",)
