"""The composition root: the only place that knows every concrete class. No Qt.

`build` opens the store; each room is put together when it is first asked for, so that a command that lists items
loads neither the loop nor anything that reaches a model. `App.start` sets the loops going; `App.stop` ends them in
order: loops and sources first, then the writer, which drains.
"""

import asyncio
import logging
import os
import secrets as random_secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.actionables import Decisions
from heedful.core.bus import Bus
from heedful.core.clock import Clock, SystemClock
from heedful.core.events import ActionablesChanged, Event, SettingsChanged
from heedful.core.ids import ActionableId, NewId, random_id
from heedful.core.paths import Home
from heedful.core.secrets import KeyringSecrets, Secrets
from heedful.core.settings import EmbeddingSettings, Settings, load_settings, save_settings
from heedful.core.supervise import Cadence, Supervisor
from heedful.storage import Connection, Key, Store, unlock

if TYPE_CHECKING:  # a room's classes are loaded with the room
    from heedful.attention import Interruptions, Notification, Notifier
    from heedful.conscious import Activity, ConsciousLoop
    from heedful.inference import Inference
    from heedful.memory import Library, Meaning
    from heedful.memory.archivist.care import Care
    from heedful.memory.archivist.housekeeping import Archivist
    from heedful.memory.background_work import BackgroundWork
    from heedful.memory.embeddings.openai_compatible import Remote
    from heedful.memory.entities.asked import Questions
    from heedful.memory.sync.watched import WatchedSources
    from heedful.memory.work.host_load import HostGauge
    from heedful.memory.work.worker import Worker
    from heedful.tokenjuice import Juicer
    from heedful.tokenjuice.originals_store import StoredOriginals

log = logging.getLogger(__name__)

PROMPT = "CONSCIOUS_LOOP.md"
READ_ALL_EVERY_S = 300.0
CLOCK_EVERY_S = 20.0
CALENDAR_EVERY_S = 6 * 3600.0
JOBS_EVERY_S = 10.0
TIDY_EVERY_S = 1800.0
ORIGINALS_EVERY_S = 60.0
QUESTIONS_EVERY_S = 300.0


class SilentNotifier:
    """Shows nothing: for runs without a desktop."""

    async def show(self, notification: "Notification") -> None:
        log.info("no desktop to notify about item %s", notification.item_id)

    async def withdraw(self, item_id: ActionableId) -> None:
        """Nothing was shown."""


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a run stands in and may be given by a test."""

    home: Home
    environment: Mapping[str, str]
    clock: Clock
    bus: Bus
    secrets: Secrets
    notifier: "Notifier | None"
    new_id: NewId
    inference: "Inference | None"


class App:
    """Everything, wired. Belongs to one event loop; made by `build`."""

    def __init__(self, around: _Surroundings, store: Store, key: Key, settings: Settings) -> None:
        self._around = around
        self._key = key
        self._settings = settings
        self._embedded_by = settings.embeddings
        self.home = around.home
        self.clock = around.clock
        self.bus = around.bus
        self.secrets = around.secrets
        self.store = store
        self.supervisor = Supervisor(around.clock)
        self.decisions = Decisions(store, around.clock)

    @property
    def settings(self) -> Settings:
        """What the person has chosen, as of now."""
        return self._settings

    @cached_property
    def library(self) -> "Library":
        """The person's sources."""
        from heedful.memory import Library

        return Library(self.store, self.bus, self.clock)

    @cached_property
    def activity(self) -> "Activity":
        """The record of every look."""
        from heedful.conscious import Activity

        return Activity(self.store, self.clock)

    @cached_property
    def inference(self) -> "Inference":
        """The one way to a model; lent by another App where `build` was given one."""
        from heedful.inference import Inference

        return self._around.inference or Inference(
            self.store,
            self.secrets,
            clock=self.clock,
            settings=lambda: self._settings,
            environment=self._around.environment,
            new_id=self._around.new_id,
        )

    @cached_property
    def originals(self) -> "StoredOriginals":
        """What compression cut down, to be had back byte for byte."""
        from heedful.tokenjuice.originals_store import StoredOriginals

        return StoredOriginals(self.store, self.clock)

    @cached_property
    def juicer(self) -> "Juicer":
        """Compresses what goes to a model, by the rules of the person and of the program."""
        from heedful.tokenjuice import Juicer
        from heedful.tokenjuice.standard_book import standard_rule_book

        return Juicer(standard_rule_book(self.home, person=Path.home()), self.originals)

    @cached_property
    def loop(self) -> "ConsciousLoop":
        """The conscious loop."""
        from heedful.conscious import BuiltinLook, ConsciousLoop
        from heedful.conscious.model_look import ModelLook
        from heedful.inference import load_prompt
        from heedful.judgement import BuiltinFinder

        model = ModelLook(
            self.store,
            self.clock,
            self.inference,
            prompt=lambda: load_prompt(PROMPT, self.home.prompts),
            new_nonce=lambda: random_secrets.token_hex(4),
            juicer=self.juicer,
        )
        return ConsciousLoop(
            self.store,
            self.bus,
            self.clock,
            self.supervisor,
            builtin=BuiltinLook(self.store, self.clock, BuiltinFinder()),
            model=model,
            new_id=self._around.new_id,
            interval_s=lambda: self._settings.loop.effective_interval_s,
        )

    @cached_property
    def interruptions(self) -> "Interruptions":
        """Decides whether to notify, and keeps the decision."""
        from heedful.attention import Interruptions

        notifier = self._around.notifier or SilentNotifier()
        return Interruptions(
            self.store, self.clock, self.decisions, notifier, lambda: self._settings.notifications
        )

    @cached_property
    def watched(self) -> "WatchedSources":
        """Reads sources again when they change."""
        from heedful.memory.sync.watched import WatchedSources

        return WatchedSources(self.library, self.bus)

    @cached_property
    def meaning(self) -> "Meaning":
        """Matching by meaning, as the settings want it."""
        from heedful.memory import Meaning

        return Meaning(lambda: self._settings.embeddings, self._remote_embedder)

    def _remote_embedder(self, settings: EmbeddingSettings) -> "Remote":
        from heedful.memory.embeddings.openai_compatible import remote_embedder

        return remote_embedder(
            settings, self.inference, self.secrets, clock=self.clock, new_id=self._around.new_id
        )

    @cached_property
    def questions(self) -> "Questions":
        """Counts whom and what questions are about."""
        from heedful.memory.entities.asked import Questions

        return Questions(self.store, self.home, self._key, self.clock)

    @cached_property
    def gauge(self) -> "HostGauge":
        """How hard background work may go."""
        from heedful.memory.work.host_load import HostGauge

        return HostGauge(
            self.clock,
            is_reading=lambda: self.library.is_reading,
            model_s=lambda: self.inference.precedence.busy_s,
        )

    @cached_property
    def worker(self) -> "Worker":
        """Works the queue of memory jobs off."""
        from heedful.memory.work.kind import Tools
        from heedful.memory.work.known_kinds import job_kinds
        from heedful.memory.work.worker import Worker

        tools = Tools(
            self.store,
            self.clock,
            self._around.new_id,
            self.inference,
            prompts=self.home.prompts,
            meaning=self.meaning,
            juicer=self.juicer,
        )
        return Worker(tools, job_kinds, gauge=self.gauge)

    @cached_property
    def background_work(self) -> "BackgroundWork":
        """What the worker has to do, for whoever looks at it."""
        from heedful.memory.background_work import BackgroundWork

        return BackgroundWork(self.store, self.clock, self.meaning, self.gauge)

    @cached_property
    def archivist(self) -> "Archivist":
        """Keeps the store in order and backed up."""
        from heedful.memory.archivist.housekeeping import Archivist

        return Archivist(self.store, self.home, self._key, self.clock, gauge=self.gauge)

    @cached_property
    def care(self) -> "Care":
        """The store's size, soundness and backups, for whoever looks after it."""
        from heedful.memory.archivist.care import Care

        return Care(self.store, self.home, self._key, self.clock, self.archivist)

    async def save_settings(self, settings: Settings) -> None:
        """Keeps new settings; they hold from now on, and a provider that refused may be asked again.

        Raises:
            UserCanFixError: The file can't be written; the old ones hold.
        """
        await asyncio.to_thread(save_settings, self.home.settings, settings)
        self._settings = settings
        self.inference.reset()
        self.bus.publish([SettingsChanged()])

    async def start(self) -> None:
        """Starts the loop's timer, the sources' watch, the clock of snoozes, the jobs, and notifications."""
        await self.inference.ledger.start()
        self.bus.subscribe(ActionablesChanged, self._on_items)
        self.bus.subscribe(SettingsChanged, self._on_settings)
        await self.loop.start(first_after_s=self.settings.loop.first_look_after_s)
        every, again = self.supervisor.every, Cadence(lambda: 60.0)
        every("sources", self.watched.read_all, Cadence(lambda: READ_ALL_EVERY_S, first_after_s=2.0))
        every("watch files", partial(self.watched.follow, "files"), again)
        every("watch folders", partial(self.watched.follow, "folders"), again)
        every("snoozes", self._let_time_pass, Cadence(lambda: CLOCK_EVERY_S))
        every("calendar", self._unfold_calendars, Cadence(lambda: CALENDAR_EVERY_S, first_after_s=60.0))
        every("critical items", self._consider_waiting, Cadence(lambda: 300.0, first_after_s=5.0))
        every("originals", self._save_originals, Cadence(lambda: ORIGINALS_EVERY_S, first_after_s=90.0))
        every("questions", self._count_questions, Cadence(lambda: QUESTIONS_EVERY_S, first_after_s=120.0))
        jobs = Cadence(lambda: JOBS_EVERY_S, first_after_s=JOBS_EVERY_S)
        every("memory jobs", self.worker.turn, jobs)
        every("memory jobs by a model", self.worker.turn_with_model, jobs)
        every("archivist", self.archivist.turn, Cadence(lambda: TIDY_EVERY_S, first_after_s=600.0))

    async def stop(self) -> None:
        """Ends loops and sources, then drains and closes the store."""
        await self.supervisor.stop()
        await asyncio.to_thread(self.store.close)

    def _on_items(self, news: ActionablesChanged) -> None:
        # Under a name of its own: news about the same items must not cancel what was decided and is not shown yet.
        self.supervisor.start(f"interrupt {self._around.new_id()}", self._consider(news.ids))

    def _on_settings(self, _news: SettingsChanged) -> None:
        self.supervisor.start("settings for the memory", self._tell_memory())

    async def _tell_memory(self) -> None:
        """What memory work was put off for may be there now."""
        from heedful.memory.work.growth import note_settings

        now = self.clock.now()
        wanted = self._settings.embeddings
        is_other, self._embedded_by = wanted != self._embedded_by, wanted
        await self.store.write(
            lambda connection: (note_settings(connection, now=now, embeds_otherwise=is_other), ())
        )

    async def _consider(self, ids: tuple[ActionableId, ...]) -> None:
        await self.interruptions.consider(ids)

    async def _consider_waiting(self) -> None:
        await self.interruptions.consider()

    async def _let_time_pass(self) -> None:
        await self.decisions.let_time_pass()

    async def _save_originals(self) -> None:
        await self.originals.save()

    async def _count_questions(self) -> None:
        await self.questions.count()

    async def _unfold_calendars(self) -> None:
        from heedful.memory.sync.calendar import unfold_further

        now, zone = self.clock.now(), self.clock.zone

        def work(connection: Connection) -> tuple[int, list[Event]]:
            return unfold_further(connection, now=now, zone=zone), []

        while await self.store.write(work):
            await self.clock.sleep(0)


async def build(
    home: Home,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    secrets: Secrets | None = None,
    notifier: "Notifier | None" = None,
    key: Key | None = None,
    bus: Bus | None = None,
    new_id: NewId = random_id,
    inference: "Inference | None" = None,
    read_only: bool = False,
) -> App:
    """Opens the home's store; nothing runs before `start`.

    The store's key is `key` where given, else what `storage.unlock` finds with HEEDFUL_PASSPHRASE. A `read_only`
    App may run beside another Heedful and refuses every change. `inference` lends it another's way to a model:
    its consent, its budget, its ledger.

    Raises:
        LockedError, NoKeyChosenError: The key is not at hand, or was never chosen.
        StoreInUseError: Another Heedful holds the store.
        HeedfulError: The store or the settings can't be read.
    """
    surroundings = os.environ if environment is None else environment
    around = _Surroundings(
        home=home,
        environment=surroundings,
        clock=clock or SystemClock(),
        bus=bus or Bus(),
        secrets=secrets or KeyringSecrets(home.name),
        notifier=notifier,
        new_id=new_id,
        inference=inference,
    )
    settings = await asyncio.to_thread(load_settings, home.settings)
    if key is None:
        key = await asyncio.to_thread(unlock, home, around.secrets, surroundings.get("HEEDFUL_PASSPHRASE"))
    store = await asyncio.to_thread(Store.open, home, key, around.bus, read_only=read_only)
    return App(around, store, key, settings)
