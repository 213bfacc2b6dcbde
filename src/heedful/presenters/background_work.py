"""The background work in words: what waits, runs, is put off and why, has failed; and the pace with its reason."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.core.supervise import Supervisor
from heedful.memory.background_work import Share, WorkNow
from heedful.memory.queue.queue_store import KindWork
from heedful.memory.work.host_load import Pace, Verdict
from heedful.presenters import times
from heedful.presenters.numbers import count, thousands
from heedful.presenters.observed import Observed
from heedful.presenters.ports import WorkPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.toasts import Toasts
from heedful.presenters.trouble import Trouble, trouble

KIND_WORDS = {
    "digest": "Writing the digests of days",
    "embed": "Preparing to match by meaning",
    "embed_nodes": "Preparing summaries to match by meaning",
    "extract_entities": "Noting people and things",
    "forget": "Clearing the index of what was forgotten",
    "re-embed": "Filling gaps in matching by meaning",
    "name_entities": "Finding names by your model, if you chose one",
    "reconcile": "Comparing sources with their places",
    "rewrite": "Writing summaries by your model, if you chose one",
    "seal": "Arranging passages in the tree",
    "summarise": "Writing summaries",
}

WorkShape = Literal["running", "waiting", "put off", "planned", "failed"]


@dataclass(frozen=True, slots=True)
class KindView:
    """One kind of work: «Writing summaries», «put off until 10:40», and why; the reason may be empty."""

    kind: str
    name: str
    shape: WorkShape
    state: str
    reason: str = ""

    @property
    def sentence(self) -> str:
        """All of it, for a screen reader."""
        return ", ".join(part for part in (self.name, self.state, self.reason) if part)


@dataclass(frozen=True, slots=True)
class WorkView:
    """The whole strip. `note` sums it up while it is closed; `pace` says how fast and why.

    `embedding` is how far the passages are prepared to match by meaning; empty once all are.
    """

    note: str = ""
    pace: str = ""
    kinds: tuple[KindView, ...] = ()
    can_retry: bool = False
    can_wake: bool = False
    embedding: str = ""
    trouble: Trouble | None = None


class BackgroundWorkPresenter:
    """Shows the queue as it is; looks again whenever it is asked to, for no news is told of single jobs."""

    def __init__(self, work: WorkPort, toasts: Toasts, *, clock: Clock, supervisor: Supervisor) -> None:
        self.view: Observed[WorkView] = Observed(WorkView())
        self._work = work
        self._toasts = toasts
        self._clock = clock
        self._refresher = Refresher("background work", self.load, supervisor)

    def refresh(self) -> None:
        """Loads in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Loads now; a failure is shown, not raised."""
        try:
            found = await self._work.now()
        except HeedfulError as exc:
            self.view.replace(WorkView("can't be read", trouble=trouble(exc)))
            return
        self.view.replace(work_view(found, now=self._clock.now(), zone=self._clock.zone))

    async def retry_failed(self) -> None:
        """Lets what failed be tried afresh."""
        tried = await self._work.retry_failed()
        self._toasts.say(f"{count(tried, 'job')} will be tried again")
        await self.load()

    async def wake(self) -> None:
        """Lets what was put off be tried now, and not when its wait is over."""
        await self._work.wake()
        self._toasts.say("What was put off is tried again now")
        await self.load()

    def close(self) -> None:
        """Loads no more."""
        self._refresher.close()


def work_view(found: WorkNow, *, now: datetime, zone: tzinfo) -> WorkView:
    """The queue in words, what needs the person first."""
    kinds = [_kind_view(work, found.embedded, now=now, zone=zone) for work in found.kinds]
    order = {"failed": 0, "put off": 1, "running": 2, "waiting": 3, "planned": 4}
    kinds.sort(key=lambda kind: (order[kind.shape], kind.name))
    return WorkView(
        note=_note(found),
        pace=pace_words(found.pace),
        kinds=tuple(kinds),
        can_retry=any(work.failed for work in found.kinds),
        can_wake=any(work.put_off for work in found.kinds),
        embedding=_embedding(found.embedded),
    )


def pace_words(verdict: Verdict) -> str:
    """«At full pace.», «Slow: on battery, at 60 %.»."""
    if verdict.pace is Pace.FULL:
        return "At full pace: the machine has time."
    word = "Paused" if verdict.pace is Pace.PAUSED else "Slow"
    return f"{word}: {verdict.reason[0].lower()}{verdict.reason[1:]}"


def kind_words(kind: str) -> str:
    """What a person calls a kind of job."""
    return KIND_WORDS.get(kind) or kind.replace("_", " ").capitalize()


def _note(found: WorkNow) -> str:
    failed = sum(work.failed for work in found.kinds)
    put_off = sum(work.put_off for work in found.kinds)
    active = sum(work.due + work.running for work in found.kinds)
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{put_off} put off"] if put_off else []
    if active:
        parts.append({Pace.FULL: "at work", Pace.SLOW: "slow", Pace.PAUSED: "paused"}[found.pace.pace])
    return " · ".join(parts) or "nothing to do"


def _kind_view(work: KindWork, embedded: Share | None, *, now: datetime, zone: tzinfo) -> KindView:
    shape, state = _state(work, now=now, zone=zone)
    told = [work.reason] if work.reason and (work.failed or work.put_off) else []
    if work.kind == "embed" and (progress := _embedding(embedded)):
        told.insert(0, progress)
    return KindView(work.kind, kind_words(work.kind), shape, state, " ".join(told))


def _embedding(embedded: Share | None) -> str:
    if embedded is None or embedded.done >= embedded.total:
        return ""
    return f"{thousands(embedded.done)} of {count(embedded.total, 'passage')} done."


def _state(work: KindWork, *, now: datetime, zone: tzinfo) -> tuple[WorkShape, str]:
    """The one thing that matters most of a kind's jobs."""
    when = "" if work.next_at is None else times.moment_words(work.next_at, now, zone)
    if work.failed:
        return "failed", f"{thousands(work.failed)} failed"
    if work.running:
        return "running", "running" if not work.due else f"running, {thousands(work.due)} to go"
    if work.due:
        return "waiting", "waits its turn" if work.due == 1 else f"{thousands(work.due)} wait their turn"
    if work.put_off:
        return "put off", f"put off until {when}"
    return "planned", f"planned for {when}"
