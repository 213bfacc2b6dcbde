"""One look with the built-in finder: what changed, judged off the event loop, kept in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import partial

from heedful.actionables import Actionable, Draft, State, actionables_store
from heedful.conscious import activity_store, recall
from heedful.conscious.findings import Stored, store_drafts
from heedful.core.clock import Clock, to_millis
from heedful.core.events import ActionablesChanged
from heedful.core.ids import RunId, ThreadId
from heedful.core.supervise import one_of_many
from heedful.judgement import RUN_LIMIT, BuiltinFinder, Verdict, fulfilled_by, unread
from heedful.memory import ThreadView
from heedful.memory.messages import own_addresses_store
from heedful.storage import Connection, Store

IN_SIGHT = timedelta(hours=24)
"""How far ahead an event that nobody touched comes into sight."""

_OPEN = (State.ACTIVE, State.AWAITING, State.SNOOZED)


@dataclass(frozen=True, slots=True)
class Found:
    """What the built-in finder made of everything that changed or comes into sight; `messages` counts what changed."""

    messages: int
    verdicts: tuple[Verdict, ...]
    stored: Stored

    @property
    def is_silent(self) -> bool:
        """Whether no message gave anything."""
        return all(verdict.verdict == "silent" for verdict in self.verdicts)


class BuiltinLook:
    """Judges what changed since its last success. Cut off anywhere, it starts again from there."""

    def __init__(self, store: Store, clock: Clock, finder: BuiltinFinder) -> None:
        self._store = store
        self._clock = clock
        self._finder = finder

    async def run(self, run_id: RunId) -> Found:
        """Looks at everything new; a store with nothing new costs one read.

        Raises:
            HeedfulError: The store failed; the same messages are due again.
        """
        drafts: list[Draft] = []
        verdicts: list[Verdict] = []
        messages = 0
        now = self._clock.now()
        start = await self._store.read(lambda c: _begin(c, self._finder.name, now))
        place = start
        while True:
            portion, live = await self._store.read(partial(_portion, since=place))
            found, judged = await asyncio.to_thread(self._judge, portion.threads, start.own, live)
            drafts += found
            verdicts += judged
            messages += portion.messages
            place = replace(place, changed=portion.upto, coming=())
            if not portion.more:
                break
        if place.changed == start.changed and not start.coming:
            return Found(0, (), Stored())
        stored = await self._keep(run_id, drafts, verdicts, place)
        return Found(messages, tuple(verdicts), stored)

    def _judge(
        self, threads: Sequence[ThreadView], own: frozenset[str], live: Sequence[Actionable]
    ) -> tuple[list[Draft], list[Verdict]]:
        now, zone = self._clock.now(), self._clock.zone
        drafts: list[Draft] = []
        verdicts: list[Verdict] = []
        for thread in threads:
            judge = partial(self._judge_one, thread, own, live, now, zone)
            judged = one_of_many("judging a thread", judge, otherwise=None)
            found, said = judged if judged is not None else ((), unread(thread))
            drafts += found
            verdicts += said
        return drafts, verdicts

    def _judge_one(
        self,
        thread: ThreadView,
        own: frozenset[str],
        live: Sequence[Actionable],
        now: datetime,
        zone: tzinfo,
    ) -> tuple[Sequence[Draft], Sequence[Verdict]]:
        judged = self._finder.find(thread, now=now, zone=zone, own=own)
        return (*judged.drafts, *finished(live, thread, own)), judged.verdicts

    async def _keep(
        self, run_id: RunId, drafts: Sequence[Draft], verdicts: Sequence[Verdict], place: "_Place"
    ) -> Stored:
        now = self._clock.now()

        def work(connection: Connection) -> tuple[Stored, list[ActionablesChanged]]:
            stored = store_drafts(connection, drafts, now=now, room=RUN_LIMIT)
            activity_store.write_verdicts(connection, run_id, verdicts, now)
            activity_store.advance(connection, self._finder.name, place.changed)
            activity_store.advance(connection, _calendar_of(self._finder.name), place.until)
            return stored, [ActionablesChanged(stored.changed)] if stored.changed else []

        return await self._store.write(work)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a look stands: after which change, which events come into sight, up to when (in milliseconds)."""

    changed: int
    coming: tuple[tuple[ThreadId, int], ...]
    until: int
    own: frozenset[str]


def _begin(connection: Connection, finder: str, now: datetime) -> _Place:
    seen_until = activity_store.cursor(connection, _calendar_of(finder))
    until = to_millis(now + IN_SIGHT)
    changed = activity_store.cursor(connection, finder)
    return _Place(
        changed=changed,
        coming=recall.coming_events(
            connection, upto=changed, after=max(seen_until, to_millis(now)), until=until
        ),
        until=until,
        own=own_addresses_store.known_own(connection),
    )


def _portion(connection: Connection, *, since: _Place) -> tuple[recall.Portion, tuple[Actionable, ...]]:
    portion = recall.changed_threads(connection, since.changed, also=since.coming)
    threads = {thread.id for thread in portion.threads}
    live = actionables_store.items(connection, _OPEN) if threads else ()
    return portion, tuple(item for item in live if threads & {e.thread_id for e in item.draft.evidence})


def _calendar_of(finder: str) -> str:
    return f"{finder} calendar"


def with_fulfilment(draft: Draft, thread: ThreadView, own: frozenset[str]) -> Draft:
    """The draft with the evidence that it is done already, where the thread holds it."""
    if draft.done_by is not None:
        return draft
    return replace(draft, done_by=fulfilled_by(draft, thread, own=own))


def finished(live: Sequence[Actionable], thread: ThreadView, own: frozenset[str]) -> list[Draft]:
    """Live items of a thread that what is new in it shows to be done, each with that evidence."""
    done = []
    for item in live:
        if all(evidence.thread_id == thread.id for evidence in item.draft.evidence):
            draft = with_fulfilment(item.draft, thread, own)
            if draft.done_by is not None:
                done.append(draft)
    return done
