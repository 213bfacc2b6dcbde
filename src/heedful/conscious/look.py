"""One look with the built-in finder: what changed, judged off the event loop, kept in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heedful.actionables import Actionable, Draft, State, actionables_store
from heedful.conscious import activity_store, recall
from heedful.conscious.findings import Stored, store_drafts
from heedful.core.clock import Clock
from heedful.core.events import ActionablesChanged
from heedful.core.ids import RunId
from heedful.judgement import RUN_LIMIT, BuiltinFinder, Verdict, fulfilled_by
from heedful.memory import ThreadView
from heedful.storage import Connection, Store

_OPEN = (State.ACTIVE, State.AWAITING, State.SNOOZED)


@dataclass(frozen=True, slots=True)
class Found:
    """What the built-in finder made of everything that changed; `messages` counts what was new."""

    messages: int
    verdicts: tuple[Verdict, ...]
    stored: Stored

    @property
    def silent(self) -> int:
        """How many messages gave nothing."""
        return sum(verdict.verdict == "silent" for verdict in self.verdicts)


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
        since = upto = await self._store.read(lambda c: activity_store.cursor(c, self._finder.name))
        own = await self._store.read(recall.own_identities)
        drafts: list[Draft] = []
        verdicts: list[Verdict] = []
        messages = 0
        more = True
        while more:
            portion, live = await self._store.read(lambda c, since=upto: _portion(c, since))
            found, judged = await asyncio.to_thread(self._judge, portion.threads, own, live)
            drafts += found
            verdicts += judged
            messages += portion.messages
            upto, more = portion.upto, portion.more
        if upto == since:
            return Found(0, (), Stored())
        stored = await self._keep(run_id, drafts, verdicts, upto)
        return Found(messages, tuple(verdicts), stored)

    def _judge(
        self, threads: Sequence[ThreadView], own: frozenset[str], live: Sequence[Actionable]
    ) -> tuple[list[Draft], list[Verdict]]:
        now, zone = self._clock.now(), self._clock.zone
        drafts: list[Draft] = []
        verdicts: list[Verdict] = []
        for thread in threads:
            judged = self._finder.find(thread, now=now, zone=zone, own=own)
            drafts += (with_fulfilment(draft, thread, own) for draft in judged.drafts)
            verdicts += judged.verdicts
            drafts += finished(live, thread, own)
        return drafts, verdicts

    async def _keep(
        self, run_id: RunId, drafts: Sequence[Draft], verdicts: Sequence[Verdict], upto: int
    ) -> Stored:
        now = self._clock.now()

        def work(connection: Connection) -> tuple[Stored, list[ActionablesChanged]]:
            stored = store_drafts(connection, drafts, now=now, room=RUN_LIMIT)
            activity_store.write_verdicts(connection, run_id, verdicts, now)
            activity_store.advance(connection, self._finder.name, upto)
            return stored, [ActionablesChanged(stored.changed)] if stored.changed else []

        return await self._store.write(work)


def _portion(connection: Connection, since: int) -> tuple[recall.Portion, tuple[Actionable, ...]]:
    portion = recall.changed_threads(connection, since)
    threads = {thread.id for thread in portion.threads}
    live = actionables_store.items(connection, _OPEN)
    return portion, tuple(item for item in live if threads & {e.thread_id for e in item.draft.evidence})


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
