"""The composition root: the only place that knows every concrete class. No Qt.

`build` opens the store and puts the rooms together; `App.start` sets the loops going; `App.stop` ends them in
order: loops and sources first, then the writer, which drains.
"""

import asyncio
import logging
import os
import secrets as random_secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from heedful.actionables import Decisions
from heedful.attention import Interruptions, Notification, Notifier
from heedful.conscious import Activity, BuiltinLook, ConsciousLoop
from heedful.conscious.model_look import ModelLook
from heedful.core.bus import Bus
from heedful.core.clock import Clock, SystemClock
from heedful.core.events import ActionablesChanged, Event, SettingsChanged
from heedful.core.ids import ActionableId, NewId, SourceId, random_id
from heedful.core.paths import Home
from heedful.core.secrets import KeyringSecrets, Secrets
from heedful.core.settings import Settings, load_settings, save_settings
from heedful.core.supervise import Cadence, Supervisor
from heedful.inference import Inference, load_prompt
from heedful.judgement import BuiltinFinder
from heedful.memory import Library, SyncReport
from heedful.memory.calendar import unfold_further
from heedful.memory.host_load import HostGauge
from heedful.memory.jobs import Tools, job_kinds
from heedful.memory.watched import WatchedSources
from heedful.memory.worker import Worker
from heedful.storage import Connection, Key, Store, unlock

log = logging.getLogger(__name__)

PROMPT = "CONSCIOUS_LOOP.md"
READ_ALL_EVERY_S = 300.0
CLOCK_EVERY_S = 20.0
CALENDAR_EVERY_S = 6 * 3600.0
JOBS_EVERY_S = 10.0


class SilentNotifier:
    """Shows nothing: for runs without a desktop."""

    async def show(self, notification: Notification) -> None:
        log.info("no desktop to notify about item %s", notification.item_id)

    async def withdraw(self, item_id: ActionableId) -> None:
        """Nothing was shown."""


@dataclass(slots=True)
class App:
    """Everything, wired. Belongs to one event loop."""

    home: Home
    clock: Clock
    bus: Bus
    store: Store
    secrets: Secrets
    supervisor: Supervisor
    library: Library
    watched: WatchedSources
    worker: Worker
    decisions: Decisions
    activity: Activity
    inference: Inference
    loop: ConsciousLoop
    interruptions: Interruptions
    _settings: "_CurrentSettings"

    @property
    def settings(self) -> Settings:
        """What the person has chosen, as of now."""
        return self._settings.value

    async def save_settings(self, settings: Settings) -> None:
        """Keeps new settings; they hold from now on, and a provider that refused may be asked again.

        Raises:
            UserCanFixError: The file can't be written; the old ones hold.
        """
        await asyncio.to_thread(save_settings, self.home.settings, settings)
        self._settings.value = settings
        self.inference.reset()
        self.bus.publish([SettingsChanged()])

    async def start(self) -> None:
        """Starts the loop's timer, the sources' watch, the clock of snoozes, and notifications."""
        await self.inference.ledger.start()
        self.bus.subscribe(ActionablesChanged, self._on_items)
        await self.loop.start(first_after_s=self.settings.loop.first_look_after_s)
        every = self.supervisor.every
        every("sources", self.watched.read_all, Cadence(lambda: READ_ALL_EVERY_S, first_after_s=2.0))
        again = Cadence(lambda: 60.0)
        every("watch files", partial(self.watched.follow, "files"), again)
        every("watch folders", partial(self.watched.follow, "folders"), again)
        every("snoozes", self._let_time_pass, Cadence(lambda: CLOCK_EVERY_S))
        every("calendar", self._unfold_calendars, Cadence(lambda: CALENDAR_EVERY_S, first_after_s=60.0))
        every("memory jobs", self.worker.turn, Cadence(lambda: JOBS_EVERY_S, first_after_s=JOBS_EVERY_S))
        every("critical items", self._consider_waiting, Cadence(lambda: 300.0, first_after_s=5.0))

    async def stop(self) -> None:
        """Ends loops and sources, then drains and closes the store."""
        await self.supervisor.stop()
        await asyncio.to_thread(self.store.close)

    async def read_source(self, source_id: SourceId) -> SyncReport:
        """Reads a source at the person's word and, when it brought anything, looks at it at once.

        Raises:
            HeedfulError: It can't be read.
        """
        report = await self.library.sync(source_id)
        if report.intake.new or report.intake.edited:
            self.loop.request("manual")
        return report

    def _on_items(self, news: ActionablesChanged) -> None:
        ids = news.ids
        self.supervisor.start(f"interrupt about {ids[0]} and {len(ids) - 1} more", self._consider(ids))

    async def _consider(self, ids: tuple[ActionableId, ...]) -> None:
        await self.interruptions.consider(ids)

    async def _consider_waiting(self) -> None:
        await self.interruptions.consider()

    async def _let_time_pass(self) -> None:
        await self.decisions.let_time_pass()

    async def _unfold_calendars(self) -> None:
        now, zone = self.clock.now(), self.clock.zone

        def work(connection: Connection) -> tuple[int, list[Event]]:
            return unfold_further(connection, now=now, zone=zone), []

        while await self.store.write(work):
            await self.clock.sleep(0)


@dataclass(slots=True)
class _CurrentSettings:
    value: Settings


async def build(
    home: Home,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    secrets: Secrets | None = None,
    notifier: Notifier | None = None,
    key: Key | None = None,
    bus: Bus | None = None,
    new_id: NewId = random_id,
    read_only: bool = False,
) -> App:
    """Opens the home's store and puts the rooms together; nothing runs before `start`.

    The store's key is `key` where given, else what `storage.unlock` finds with HEEDFUL_PASSPHRASE. A `read_only`
    one may run beside another Heedful and refuses every change.

    Raises:
        LockedError, NoKeyChosenError: The key is not at hand, or was never chosen.
        StoreInUseError: Another Heedful holds the store.
        HeedfulError: The store or the settings can't be read.
    """
    surroundings = os.environ if environment is None else environment
    time = clock or SystemClock()
    board = bus or Bus()
    vault = secrets or KeyringSecrets(home.name)
    chosen = _CurrentSettings(await asyncio.to_thread(load_settings, home.settings))
    if key is None:
        key = await asyncio.to_thread(unlock, home, vault, surroundings.get("HEEDFUL_PASSPHRASE"))
    store = await asyncio.to_thread(Store.open, home, key, board, read_only=read_only)
    supervisor = Supervisor(time)
    inference = Inference(
        store, vault, clock=time, settings=lambda: chosen.value, environment=surroundings, new_id=new_id
    )
    decisions = Decisions(store, time)
    library = Library(store, board, time)
    loop = ConsciousLoop(
        store,
        board,
        time,
        supervisor,
        builtin=BuiltinLook(store, time, BuiltinFinder()),
        model=_model_stage(store, time, inference, home),
        new_id=new_id,
        interval_s=lambda: chosen.value.loop.effective_interval_s,
    )
    return App(
        home=home,
        clock=time,
        bus=board,
        store=store,
        secrets=vault,
        supervisor=supervisor,
        library=library,
        watched=WatchedSources(library, board),
        worker=Worker(
            Tools(store, time, new_id, inference, home.prompts),
            job_kinds,
            gauge=HostGauge(time, is_reading=lambda: library.is_reading),
        ),
        decisions=decisions,
        activity=Activity(store, time),
        inference=inference,
        loop=loop,
        interruptions=Interruptions(
            store, time, decisions, notifier or SilentNotifier(), lambda: chosen.value.notifications
        ),
        _settings=chosen,
    )


def lend_inference(app: App, lender: App) -> None:
    """Lets `app`'s looks ask the model through `lender`: its consent, its budget, its ledger."""
    app.inference = lender.inference
    app.loop.use_model(_model_stage(app.store, app.clock, lender.inference, lender.home))


def _model_stage(store: Store, clock: Clock, inference: Inference, home: Home) -> ModelLook:
    return ModelLook(
        store,
        clock,
        inference,
        prompt=lambda: load_prompt(PROMPT, home.prompts),
        new_nonce=lambda: random_secrets.token_hex(4),
    )
