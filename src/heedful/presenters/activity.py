"""The Activity tab: every look with its outcome, time, tokens and reason, and an answer to «why was I not told?»."""

import re
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from itertools import groupby
from typing import Literal

from heedful.conscious import DaySummary, Explanation, Outcome, TickRow
from heedful.core.bus import Bus, Unsubscribe
from heedful.core.clock import Clock, local_day
from heedful.core.errors import HeedfulError, RejectedError
from heedful.core.events import TickRecorded
from heedful.core.supervise import Supervisor
from heedful.presenters import times
from heedful.presenters.numbers import count, dollars, thousands
from heedful.presenters.observed import Observed
from heedful.presenters.ports import ActivityPort, LoopPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.trouble import Trouble, trouble

PAGE = 60
_COUNTED = re.compile(r"[\d,]+ new messages?\b")
"""How a note begins that only counts what the title counts already."""

LookShape = Literal["quiet", "done", "running", "failed", "skipped"]

_SHAPES: dict[Outcome, LookShape] = {
    "running": "running",
    "completed": "done",
    "quiet": "quiet",
    "skipped": "skipped",
    "superseded": "skipped",
    "error": "failed",
    "interrupted": "failed",
}


@dataclass(frozen=True, slots=True)
class LookView:
    """One look: «10:25», what came of it, how or why in one line, how long. `more` unfolds: one sentence a line."""

    id: str
    time: str
    shape: LookShape
    title: str
    detail: str
    duration: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LookDay:
    """The looks of one local day; `note` sums up today's."""

    title: str
    note: str
    looks: tuple[LookView, ...]


@dataclass(frozen=True, slots=True)
class WhyView:
    """The answer to «why?»: what it is about and the reasons, or why there is no answer."""

    asked: str
    headline: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActivityView:
    """The whole tab."""

    stage: Literal["loading", "trouble", "empty", "looks"]
    days: tuple[LookDay, ...] = ()
    why: WhyView | None = None
    trouble: Trouble | None = None


class ActivityPresenter:
    """Shows the newest looks first, more on request."""

    def __init__(
        self, activity: ActivityPort, loop: LoopPort, *, bus: Bus, clock: Clock, supervisor: Supervisor
    ) -> None:
        self.view: Observed[ActivityView] = Observed(ActivityView("loading"))
        self._activity = activity
        self._loop = loop
        self._clock = clock
        self._limit = PAGE
        self._shown = 0
        self._why: WhyView | None = None
        self._refresher = Refresher("activity", self.load, supervisor)
        self._undo: Unsubscribe = bus.subscribe(TickRecorded, lambda _: self._refresher.request())

    def refresh(self) -> None:
        """Loads in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Loads now; a failure is shown, not raised."""
        try:
            ticks = await self._activity.ticks(limit=self._limit)
            summary = await self._activity.today()
        except HeedfulError as exc:
            self.view.replace(ActivityView("trouble", trouble=trouble(exc)))
            return
        self._shown = len(ticks)
        if not ticks:
            self.view.replace(ActivityView("empty", why=self._why))
            return
        days = look_days(ticks, summary, now=self._clock.now(), zone=self._clock.zone)
        self.view.replace(ActivityView("looks", days, self._why))

    def look_now(self) -> None:
        """Asks for a look; returns at once."""
        self._loop.request("manual")

    async def show_more(self) -> None:
        """Loads another page of older looks, while there may be any."""
        if self._shown < self._limit:
            return
        self._limit += PAGE
        await self.load()

    async def ask_why(self, words: str) -> None:
        """Looks up why an item exists or a message stayed silent; empty words clear the answer."""
        asked = words.strip()
        self._why = await self._explained(asked) if asked else None
        await self.load()

    def close(self) -> None:
        """Hears no more news."""
        self._undo()
        self._refresher.close()

    async def _explained(self, asked: str) -> WhyView:
        try:
            return why_view(asked, await self._activity.why(asked))
        except RejectedError as exc:
            return WhyView(asked, exc.title, ("Try other words of the message, or its sender.",))


def why_view(asked: str, explanation: Explanation) -> WhyView:
    """An explanation in words."""
    verdicts = {
        "item": "became an item",
        "done": "is done already",
        "silent": "stayed silent",
        "not judged yet": "was not judged yet",
    }
    return WhyView(asked, f"“{explanation.subject}” {verdicts[explanation.verdict]}", explanation.reasons)


def look_days(
    ticks: tuple[TickRow, ...], summary: DaySummary, *, now: datetime, zone: tzinfo
) -> tuple[LookDay, ...]:
    """Looks, newest first, by the person's days; today carries the day's sum."""
    today = local_day(now, zone)
    days = []
    for day, looks in groupby(ticks, key=lambda tick: local_day(tick.started_at, zone)):
        note = _summed(summary) if day == today else ""
        days.append(LookDay(_day_title(day, now, zone), note, tuple(look_view(tick, zone) for tick in looks)))
    return tuple(days)


def look_view(tick: TickRow, zone: tzinfo) -> LookView:
    """One look in words."""
    return LookView(
        id=tick.run_id,
        time=times.clock_time(tick.started_at, zone),
        shape=_SHAPES[tick.outcome],
        title=_title(tick),
        detail=_detail(tick),
        duration="…" if tick.outcome == "running" else times.duration_words(tick.duration_ms),
        more=(
            *(tick.notes if len(tick.notes) > 1 else ()),
            *(f"Not taken: {reason}" for reason in tick.rejected),
        ),
    )


def _title(tick: TickRow) -> str:
    match tick.outcome:
        case "completed":
            return _came_of_it(tick)
        case "quiet":
            return "Quiet"
        case "running":
            return "Looking"
        case "superseded":
            return "A newer look took over"
        case "skipped":
            return "Skipped"
        case "interrupted":
            return "Cut off when Heedful ended"
        case "error":
            return (tick.error or "The look failed").split(". ", 1)[0].rstrip(".")


def _came_of_it(tick: TickRow) -> str:
    parts = [count(tick.messages, "new message")] if tick.messages else []
    if tick.new:
        parts.append(count(tick.new, "item"))
    if tick.updated:
        parts.append(f"{thousands(tick.updated)} updated")
    if not tick.new and not tick.updated:
        parts.append("nothing for you")
    words = ", ".join(parts)
    return words[0].upper() + words[1:]


def _detail(tick: TickRow) -> str:
    if tick.outcome == "error":
        rest = (tick.error or "").split(". ", 1)
        return rest[1] if len(rest) > 1 else "The same evidence is due again at the next look."
    told = [note.rstrip(".") for note in tick.notes if not _COUNTED.match(note)]
    return " · ".join(part for part in (*told[:1], _model(tick)) if part)


def _model(tick: TickRow) -> str:
    if tick.model_calls:
        tokens = count(tick.input_tokens + tick.output_tokens, "token")
        return f"{tick.model or tick.provider}, {count(tick.model_calls, 'call')}, {tokens}"
    if tick.outcome == "quiet":
        return "no model call"
    return "built-in finder" if tick.provider == "builtin" else ""


def _summed(summary: DaySummary) -> str:
    return " · ".join(
        (
            count(summary.looks, "look"),
            count(summary.model_calls, "model call"),
            count(summary.tokens, "token"),
            dollars(summary.cost_dollars),
        )
    )


def _day_title(day: date, now: datetime, zone: tzinfo) -> str:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone)
    words = times.day_words(noon, now, zone)
    return words[0].upper() + words[1:]
