"""One look with the chosen model: what changed since its own last success, asked thread by thread or as a batch.

Each answered call is kept at once with the place it reaches, so a look that is cut off or overtaken loses only
the call it was in. What was not answered is due again.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from heedful.actionables import Draft
from heedful.conscious import activity_store, recall
from heedful.conscious.context import context_of, tokens_each
from heedful.conscious.findings import Stored, store_drafts
from heedful.conscious.look import with_fulfilment
from heedful.conscious.loop import ModelReport
from heedful.core.clock import Clock, local_day
from heedful.core.errors import RejectedError
from heedful.core.events import ActionablesChanged, Event
from heedful.core.ids import NewId, RunId, SourceId
from heedful.core.supervise import one_of_many
from heedful.inference import Inference, NotReady, Prompt, Provider, TooLongError, WhyNot
from heedful.judgement import Refusal, check_item, worth_asking
from heedful.memory import StoredMessage, ThreadView
from heedful.memory.messages import own_addresses_store, sources_store
from heedful.storage import Connection, Store
from heedful.tokenjuice import Juicer, Squeezed
from heedful.tokenjuice.originals_store import add_savings

THREADS_PER_SOURCE = 10
"""So many changed threads of a source go into one call."""

LOOK_BACK = timedelta(days=14)
"""Older mail of a first import is the built-in finder's alone: a model's tokens go to what may still be open."""

UNCHECKED = Refusal("Heedful could not check it: a fault of its own, which its log names.", "")


class UnpreparedError(RejectedError):
    """A bug came between these threads and a model's context; asking again would meet it again."""


@dataclass(frozen=True, slots=True)
class _Due:
    """A changed thread of one source, and the first change in it that nobody asked about yet."""

    thread: ThreadView
    first_change: int


@dataclass(frozen=True, slots=True)
class _Source:
    """What is due of one source; `upto` is reached once nothing of it is left, `waiting` counts what must wait."""

    id: SourceId
    due: tuple[_Due, ...]
    upto: int
    waiting: int


class ModelLook:
    """Asks the provider that the settings name, through every gate of the inference room."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        inference: Inference,
        *,
        prompt: Callable[[], Prompt],
        new_nonce: NewId,
        juicer: Juicer,
    ) -> None:
        self._store = store
        self._clock = clock
        self._inference = inference
        self._prompt = prompt
        self._new_nonce = new_nonce
        self._juicer = juicer

    async def run(self, run_id: RunId, report: ModelReport, *, room: int) -> None:
        provider = await self._inference.ready()
        if isinstance(provider, NotReady):
            if provider.why is not WhyNot.BUILTIN:
                report.notes.append(provider.sentence)
            return
        report.provider, report.model = provider.id, provider.model
        own = await self._store.read(own_addresses_store.known_own)
        kept_back = await self._inference.egress.kept_back(provider)
        sources = [source for source in await self._due(kept_back, own) if source.due or source.upto]
        report.messages = sum(_new_messages(due.thread) for source in sources for due in source.due)
        look = _Look(
            owner=self, run_id=run_id, provider=provider, report=report, own=own, room=room,
            each=tokens_each(report.messages), prompt=self._prompt(),
        )  # fmt: skip
        if look.prompt.note:
            report.notes.append(look.prompt.note)
        for source in sources:
            if source.waiting:
                report.notes.append(f"{source.waiting} more changed threads wait for the next look.")
            await look.through(source)
        look.complain_if_nothing_was_answered()
        for source in sources:
            await self.keep(look, [], source.id, source.upto)

    async def _due(self, kept_back: frozenset[SourceId], own: frozenset[str]) -> list[_Source]:
        since = self._clock.now() - LOOK_BACK

        def read(connection: Connection) -> list[_Source]:
            return [
                _due_of(connection, source_id, since=since, own=own, kept_back=kept_back)
                for source_id in sources_store.looked_at(connection)
                if source_id not in kept_back
            ]

        return await self._store.read(read)

    async def ask(self, look: "_Look", threads: Sequence[ThreadView]) -> list[Draft]:
        """The checked drafts of one call about these threads."""
        now, zone = self._clock.now(), self._clock.zone
        prepare = partial(
            context_of,
            threads,
            now=now,
            zone=zone,
            nonce=self._new_nonce(),
            each=look.each,
            juicer=self._juicer,
        )
        context = await asyncio.to_thread(
            one_of_many, "preparing threads for a model", prepare, otherwise=None
        )
        if context is None:
            raise UnpreparedError("A thread could not be prepared for a model", "Its log names why.")
        await self._note_savings(context.squeezed)
        answer = await self._inference.ask(
            "conscious",
            context.text,
            run_id=look.run_id,
            prompt=look.prompt,
            source_ids=context.source_ids,
            provider=look.provider,
        )
        look.report.calls += 1
        look.report.input_tokens += answer.answer.usage.input
        look.report.output_tokens += answer.answer.usage.output
        look.report.notes += answer.notes
        drafts = []
        for item in answer.items:
            check = partial(
                check_item, item, threads, now=now, zone=zone, own=look.own, found_by=look.provider.name,
                prompt=look.prompt.name, labels=context.labels,
            )  # fmt: skip
            checked = one_of_many("checking a model's item", check, otherwise=UNCHECKED)
            if isinstance(checked, Refusal):
                refused = f"“{checked.title}”: {checked.reason}" if checked.title else checked.reason
                look.report.stored += Stored(rejected=(refused,))
            else:
                drafts.append(_fulfilled(checked, threads, look.own))
        return drafts

    async def _note_savings(self, squeezed: Sequence[Squeezed]) -> None:
        day = local_day(self._clock.now(), self._clock.zone)

        def work(connection: Connection) -> tuple[None, list[Event]]:
            for one in squeezed:
                add_savings(connection, one, day=day)
            return None, []

        await self._store.write(work)

    async def keep(self, look: "_Look", drafts: Sequence[Draft], source_id: SourceId, upto: int) -> None:
        """Stores drafts together with how far the source has been asked about."""
        now = self._clock.now()
        room = look.room - len(look.report.stored.new)

        def work(connection: Connection) -> tuple[Stored, list[ActionablesChanged]]:
            stored = store_drafts(connection, drafts, now=now, room=room)
            activity_store.advance(connection, _cursor_of(source_id), upto)
            return stored, [ActionablesChanged(stored.changed)] if stored.changed else []

        look.report.stored += await self._store.write(work)


@dataclass(slots=True, kw_only=True)
class _Look:
    """One run through the sources: what it asks with, and whether anything was answered.

    `own` are the person's addresses, `room` is for so many new items, `each` the tokens that a message may have.
    """

    owner: ModelLook
    run_id: RunId
    provider: Provider
    report: ModelReport
    own: frozenset[str]
    room: int
    each: int
    prompt: Prompt
    answered: int = field(default=0, init=False)
    unanswered: RejectedError | None = field(default=None, init=False)

    async def through(self, source: _Source) -> None:
        """Asks about everything due of one source, keeping after each call how far it has got."""
        size = self.provider.threads_per_call or THREADS_PER_SOURCE
        left = list(source.due)
        while left:
            group, left = left[:size], left[size:]
            drafts = await self._answers([due.thread for due in group])
            reached = min((due.first_change for due in left), default=source.upto + 1) - 1
            if self.answered:
                await self.owner.keep(self, drafts, source.id, reached)

    async def _answers(self, threads: list[ThreadView]) -> list[Draft]:
        """The drafts about these threads; a batch that can't be answered is halved, down to single threads."""
        try:
            drafts = await self.owner.ask(self, threads)
        except RejectedError as exc:
            if len(threads) > 1:
                half = len(threads) // 2
                return await self._answers(threads[:half]) + await self._answers(threads[half:])
            self.unanswered = exc
            self.report.notes.append(f"{_why_unanswered(exc)}; the built-in finder's judgement stands.")
            return []
        self.answered += 1
        return drafts

    def complain_if_nothing_was_answered(self) -> None:
        """Ends the look in an error where the provider gave not one usable answer.

        Raises:
            RejectedError: The last one.
        """
        if self.unanswered is not None and not self.answered:
            raise self.unanswered


def _why_unanswered(error: RejectedError) -> str:
    if isinstance(error, UnpreparedError):
        return "One thread could not be prepared for the model"
    about = "too long for the model" if isinstance(error, TooLongError) else "no usable answer"
    return f"One thread got {about}"


def _due_of(
    connection: Connection,
    source_id: SourceId,
    *,
    since: datetime,
    own: frozenset[str],
    kept_back: frozenset[SourceId],
) -> _Source:
    """What is due of a source. A thread may hold messages of a source that is kept back: nothing tells of them."""
    begin = activity_store.cursor(connection, _cursor_of(source_id))
    portion = recall.changed_threads(connection, begin, source_id=source_id)
    new = [message.seq for thread in portion.threads for message in thread.messages if message.is_new]
    silent = activity_store.silent_seqs(connection, new)
    name = sources_store.source(connection, source_id).name
    due = []
    for whole in portion.threads:
        thread = _without(kept_back, whole, source_id, name)
        asked = tuple(replace(m, is_new=_is_asked(m, thread, since, own, silent)) for m in thread.messages)
        changes = [m.changed for m in asked if m.is_new]
        if changes:
            due.append(_Due(replace(thread, messages=asked), min(changes)))
    due.sort(key=lambda one: one.first_change)
    now, later = due[:THREADS_PER_SOURCE], due[THREADS_PER_SOURCE:]
    upto = min((one.first_change for one in later), default=portion.upto + 1) - 1
    return _Source(source_id, tuple(now), upto if upto > begin else 0, len(later))


def _without(
    kept_back: frozenset[SourceId], thread: ThreadView, source_id: SourceId, name: str
) -> ThreadView:
    """The thread as the source that is asked about has it: no message, name or title of a kept-back one's."""
    messages = tuple(m for m in thread.messages if m.source_id not in kept_back)
    if thread.source_id not in kept_back and len(messages) == len(thread.messages):
        return thread
    title = next((m.subject for m in messages if m.subject), "")
    return replace(thread, source_id=source_id, source_name=name, title=title, messages=messages)


def _is_asked(
    message: StoredMessage, thread: ThreadView, since: datetime, own: frozenset[str], silent: frozenset[int]
) -> bool:
    if not message.is_new or message.sent_at < since:
        return False
    return worth_asking(message, thread, own=own, found_silent=message.seq in silent)


def _new_messages(thread: ThreadView) -> int:
    return sum(message.is_new for message in thread.messages)


def _fulfilled(draft: Draft, threads: Sequence[ThreadView], own: frozenset[str]) -> Draft:
    ids = {evidence.thread_id for evidence in draft.evidence}
    for thread in threads:
        if thread.id in ids:
            draft = with_fulfilment(draft, thread, own)
    return draft


def _cursor_of(source_id: SourceId) -> str:
    return f"model {source_id}"
