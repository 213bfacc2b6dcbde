"""The Memory tab: looks words up, walks through sources, people and days, and opens messages to be read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import assert_never

from heedful.core.bus import Bus, Unsubscribe
from heedful.core.clock import Clock, local_day, start_of_day
from heedful.core.errors import HeedfulError
from heedful.core.events import MemoryGrew, SourcesChanged
from heedful.core.ids import ChunkId, SourceId
from heedful.core.supervise import Supervisor
from heedful.memory import Filters, Hit
from heedful.memory.browsing import Leaf, Range
from heedful.memory.entities import Entity
from heedful.memory.graph import Relation
from heedful.memory.graph_predicates import Predicate
from heedful.memory.sources_store import SourceRow
from heedful.presenters import times
from heedful.presenters.days import Group, by_day
from heedful.presenters.memory_letters import MORE_PASSAGES, PASSAGES_AROUND, letter_view
from heedful.presenters.memory_reader import Letter, Outline
from heedful.presenters.memory_views import (
    DayScope,
    EntityScope,
    HomeView,
    MemoryView,
    Mode,
    Page,
    PlaceView,
    RelationView,
    ResultRow,
    ResultsView,
    Scope,
    SourceScope,
)
from heedful.presenters.memory_year import cells, day_places, year_days
from heedful.presenters.numbers import count, thousands
from heedful.presenters.observed import Observed
from heedful.presenters.ports import Forget, MemoryPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.toasts import Toasts, quoted
from heedful.presenters.trouble import trouble

DEBOUNCE_S = 0.12
OUTLINE_REST_S = 1.0
PAGE = 60
WITHOUT_MEANING = "Found by shared words alone: matching by meaning needs an embedding model."


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the list on show is to answer."""

    text: str
    mode: Mode
    scope: Scope | None


class MemoryPresenter:
    """Answers the newest question only; an older one that is still on its way is dropped when it arrives."""

    def __init__(
        self,
        memory: MemoryPort,
        forget: Forget,
        toasts: Toasts,
        *,
        bus: Bus,
        clock: Clock,
        supervisor: Supervisor,
    ) -> None:
        self.view: Observed[MemoryView] = Observed(MemoryView("home", HomeView("loading")))
        self._memory = memory
        self._forget = forget
        self._toasts = toasts
        self._clock = clock
        self._asked = _Asked("", "exact", None)
        self._names: dict[SourceId, str] = {}
        self._leaves: list[Leaf] = []
        self._letter: Letter | None = None
        self._reach = (PASSAGES_AROUND, PASSAGES_AROUND)
        self._is_wanted = False
        self._outlines = Refresher("memory outline", self._outline, supervisor)
        self._answers = Refresher("memory look-up", self._answer, supervisor)
        self._undo: list[Unsubscribe] = [
            bus.subscribe(MemoryGrew, lambda _: self._news()),
            bus.subscribe(SourcesChanged, lambda _: self._news()),
        ]

    def refresh(self) -> None:
        """Loads the navigator in the background, and from now on again when news arrives."""
        self._is_wanted = True
        self._outlines.request()

    async def load(self) -> None:
        """Loads the navigator now; a failure is shown, not raised."""
        today = local_day(self._clock.now(), self._clock.zone)
        days = year_days(today)
        try:
            outline = await self._memory.outline(days, self._clock.zone)
        except HeedfulError as exc:
            self._replace(home=HomeView("trouble", trouble=trouble(exc)))
            return
        self._names = {row.id: row.name for row in outline.sources}
        self._replace(home=self._home(outline))

    def ask(self, text: str) -> None:
        """Looks words up, within the scope in sight; no words lead back to it."""
        scope = self._asked.scope
        if isinstance(scope, EntityScope) and text.strip():
            scope = None
        self._ask(_Asked(text.strip(), self._asked.mode, scope))

    def choose(self, mode: Mode) -> None:
        """Looks the words in sight up exactly or by meaning."""
        self._ask(replace(self._asked, mode=mode))

    def open_scope(self, scope: Scope) -> None:
        """Shows what a source, a day, a person or a thing holds, the newest first."""
        self._ask(_Asked("", self._asked.mode, scope))

    async def open_letter(self, chunk_id: ChunkId) -> None:
        """Opens a message at a passage.

        Raises:
            HeedfulError: It can't be read.
        """
        found = await self._memory.letter(chunk_id)
        if found is None:
            self._answers.request()
            return
        self._letter, self._reach = found, (PASSAGES_AROUND, PASSAGES_AROUND)
        self._show_letter()

    async def forget(self) -> None:
        """Forgets the open message for good, and goes back to a list without it.

        Raises:
            HeedfulError: It was not forgotten.
        """
        letter = self._letter
        if letter is None:
            return
        await self._forget([letter.message.id])
        gone = {chunk.id for chunk in letter.message.chunks}
        results = self.view.value.results
        groups = tuple(
            Group(group.name, tuple(row for row in group.members if row.chunk_id not in gone))
            for group in results.groups
        )
        if self._letter is letter:
            self._letter = None
        page = "letter" if self._letter is not None else self._list_page()
        shown = None if self._letter is None else self.view.value.letter
        self._replace(page=page, letter=shown, results=replace(results, groups=groups))
        self._answers.request()
        self._toasts.say(
            f"{quoted(letter.message.subject or 'The message')} is forgotten. "
            "Backups made before hold it until they are replaced."
        )

    def unfold(self, *, earlier: bool) -> None:
        """Shows more of the open message, before or after what is in sight."""
        before, after = self._reach
        self._reach = (before + MORE_PASSAGES, after) if earlier else (before, after + MORE_PASSAGES)
        self._show_letter()

    async def show_more(self) -> None:
        """Appends the next page of a list in the order of time."""
        asked, results = self._asked, self.view.value.results
        if not results.has_more or asked.text or asked.scope is None:
            return
        leaves = await self._memory.browse(self._range(asked.scope), limit=PAGE, after=self._leaves[-1].place)
        if asked == self._asked and results is self.view.value.results:
            self._leaves += leaves
            self._replace(
                results=replace(results, groups=self._grouped(self._leaves), has_more=len(leaves) == PAGE)
            )

    def back(self) -> None:
        """From a letter to its list, from a list to the navigator."""
        if self.view.value.page == "letter":
            self._letter = None
            self._replace(page=self._list_page(), letter=None)
        else:
            self._ask(_Asked("", self._asked.mode, None))

    def close(self) -> None:
        """Hears no more news."""
        self._outlines.close()
        self._answers.close()
        for unsubscribe in self._undo:
            unsubscribe()

    def _news(self) -> None:
        if self._is_wanted:
            self._outlines.request()

    async def _outline(self) -> None:
        await self.load()
        # While a mailbox is read news comes many times a second, and the navigator need not follow that fast.
        await self._clock.sleep(OUTLINE_REST_S)

    def _ask(self, asked: _Asked) -> None:
        was, self._asked = self._asked, asked
        self._letter = None
        page = self._list_page()
        results = self.view.value.results
        if was.scope != asked.scope or self.view.value.page == "home":
            results = ResultsView("searching", scope=asked.scope)
        self._replace(page=page, text=asked.text, mode=asked.mode, letter=None, results=results)
        if page == "results":
            self._answers.request()

    def _list_page(self) -> Page:
        return "results" if self._asked.text or self._asked.scope is not None else "home"

    async def _answer(self) -> None:
        asked = self._asked
        if asked.text:
            await self._clock.sleep(DEBOUNCE_S)
        if asked != self._asked:
            return
        began = self._clock.monotonic()
        try:
            results = await (self._found(asked, began) if asked.text else self._walked(asked))
        except HeedfulError as exc:
            results = ResultsView("trouble", scope=asked.scope, trouble=trouble(exc))
        if asked == self._asked:
            self._replace(results=results)

    async def _found(self, asked: _Asked, began: float) -> ResultsView:
        look_up = self._memory.search if asked.mode == "exact" else self._memory.recall
        hits = await look_up(asked.text, filters=self._filters(asked.scope))
        named = tuple(_named(one) for one in await self._memory.named(asked.text))
        took = times.duration_words(round((self._clock.monotonic() - began) * 1000))
        degraded = asked.mode == "meaning" and any(hit.degraded for hit in hits)
        if not hits:
            advice = _NOTHING[asked.mode]
            return ResultsView("nothing", "Nothing found", advice=advice, scope=asked.scope, named=named)
        rows = tuple(self._row(hit) for hit in hits)
        return ResultsView(
            "found",
            count(len(hits), "passage"),
            took,
            advice=WITHOUT_MEANING if degraded else "",
            groups=(Group("", rows),),
            scope=asked.scope,
            named=named,
        )

    async def _walked(self, asked: _Asked) -> ResultsView:
        scope = asked.scope
        if scope is None:
            return ResultsView("searching")
        relations: tuple[RelationView, ...] = ()
        if isinstance(scope, EntityScope):
            known = await self._memory.around(scope.id)
            relations = () if known is None else tuple(_relation(known[0], one) for one in known[1])
        leaves = await self._memory.browse(self._range(scope), limit=PAGE)
        number = await self._memory.count(self._range(scope))
        if asked != self._asked:
            return ResultsView("searching")
        self._leaves = list(leaves)
        return ResultsView(
            "found" if leaves else "nothing",
            scope.name,
            count(number, "passage"),
            groups=self._grouped(leaves),
            scope=scope,
            relations=relations,
            has_more=len(leaves) == PAGE,
        )

    def _filters(self, scope: Scope | None) -> Filters:
        match scope:
            case None | EntityScope():
                return Filters()
            case SourceScope():
                return Filters(source_id=scope.id)
            case DayScope():
                zone = self._clock.zone
                end = start_of_day(scope.last + timedelta(days=1), zone) - timedelta(milliseconds=1)
                return Filters(since=start_of_day(scope.first, zone), until=end)
            case _:
                assert_never(scope)

    def _range(self, scope: Scope) -> Range:
        narrowed = self._filters(scope)
        sources = frozenset(self._names) if narrowed.source_id is None else frozenset((narrowed.source_id,))
        entity = scope.id if isinstance(scope, EntityScope) else None
        return Range(sources, entity, narrowed.since, narrowed.until)

    def _show_letter(self) -> None:
        if self._letter is not None:
            shown = letter_view(self._letter, self._asked.text, reach=self._reach, zone=self._clock.zone)
            self._replace(page="letter", letter=shown)

    def _replace(self, **changes: object) -> None:
        self.view.replace(replace(self.view.value, **changes))  # type: ignore[arg-type] # names of its fields

    def _home(self, outline: Outline) -> HomeView:
        today = local_day(self._clock.now(), self._clock.zone)
        messages = sum(row.messages for row in outline.sources)
        return HomeView(
            "ready" if messages else "empty",
            sources=tuple(self._source(row) for row in outline.sources),
            people=tuple(_named(one) for one in outline.people),
            things=tuple(_named(one) for one in outline.things),
            days=day_places(today, outline.days),
            cells=cells(year_days(today), outline.days),
            total=count(messages, "message"),
        )

    def _source(self, row: SourceRow) -> PlaceView:
        if row.state == "error":
            state = "needs you"
        elif row.state == "paused":
            state = "paused"
        elif row.last_sync_at is None:
            state = "not read yet"
        else:
            state = f"read {times.ago_words(row.last_sync_at, self._clock.now())}"
        return PlaceView(SourceScope(row.id, row.name), row.name, f"{thousands(row.messages)} · {state}")

    def _grouped(self, leaves: Sequence[Leaf]) -> tuple[Group[ResultRow], ...]:
        groups = by_day(
            tuple(leaves), lambda leaf: leaf.sent_at, now=self._clock.now(), zone=self._clock.zone
        )
        return tuple(Group(group.name, tuple(self._row(leaf) for leaf in group.members)) for group in groups)

    def _row(self, found: Hit | Leaf) -> ResultRow:
        now, zone = self._clock.now(), self._clock.zone
        place = self._names.get(found.source_id, "")
        is_today = local_day(found.sent_at, zone) == local_day(now, zone)
        when = times.clock_time if is_today else lambda moment, zone: times.day_words(moment, now, zone)
        by = found.author if found.subject else ""
        return ResultRow(
            found.chunk_id,
            found.subject or found.author or place,
            " · ".join(part for part in (by, place) if part),
            found.excerpt,
            when(found.sent_at, zone),
        )


_NOTHING: dict[Mode, str] = {
    "exact": "Every word must be there as it is written. Fewer words, or «By meaning», find more.",
    "meaning": "Nothing remembered shares its words or comes near. Other words may.",
}


def _named(one: Entity) -> PlaceView:
    return PlaceView(EntityScope(one.id, one.name), one.name, count(one.chunks, "passage"))


def _relation(centre: Entity, one: Relation) -> RelationView:
    if one.predicate is Predicate.COMMUNICATES_WITH:
        words = f"writes to {one.other_name}" if one.is_outgoing else f"{one.other_name} writes"
    elif one.is_outgoing:
        words = f"{one.predicate.value} {one.other_name}"
    else:
        words = f"{one.other_name} {one.predicate.value} {centre.name}"
    return RelationView(one.other_id, one.other_name, words, count(one.evidence_count, "passage"), one.weight)
