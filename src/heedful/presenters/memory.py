"""The Memory tab: looks words up, walks through sources, people and days, and opens messages to be read."""

import asyncio
import re
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from heedful.core.bus import Bus, Unsubscribe
from heedful.core.clock import Clock, local_day
from heedful.core.errors import HeedfulError
from heedful.core.events import MemoryGrew, SourcesChanged
from heedful.core.ids import ChunkId, SourceId
from heedful.core.supervise import Supervisor
from heedful.memory import Filters, Hit, SourceRow
from heedful.memory.entities.graph import Relation
from heedful.memory.entities.registry import Entity
from heedful.memory.search.browsing import Leaf
from heedful.presenters import times
from heedful.presenters.beside import beside
from heedful.presenters.days import Group, joined
from heedful.presenters.memory_forgetting import Forgetting, ToForget
from heedful.presenters.memory_joining import Joining
from heedful.presenters.memory_letters import MORE_PASSAGES, PASSAGES_AROUND, letter_view
from heedful.presenters.memory_people import People
from heedful.presenters.memory_places import entity_place, home_view, messages_in
from heedful.presenters.memory_profiles import profile, relation_view, source_profile
from heedful.presenters.memory_reader import MOST_HITS, Letter
from heedful.presenters.memory_rows import RowWords
from heedful.presenters.memory_scopes import filters_of, range_of
from heedful.presenters.memory_views import (
    DayScope,
    EntityScope,
    HomeView,
    MemoryView,
    Mode,
    Page,
    ProfileView,
    ResultRow,
    ResultsView,
    Scope,
    SourceScope,
)
from heedful.presenters.memory_why import why_found
from heedful.presenters.memory_year import Years, year_days
from heedful.presenters.numbers import count
from heedful.presenters.observed import Observed
from heedful.presenters.ports import Forget, MemoryPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.source_words import missing_words, stop_words, unread_words
from heedful.presenters.toasts import Toasts
from heedful.presenters.trouble import trouble

DEBOUNCE_S = 0.12
OUTLINE_REST_S = 1.0
LONGEST_REST_S = 20.0
REST_TIMES = 9.0
"""After news the navigator rests this many times as long as it took to load: a tenth of a processor at most."""
PAGE = 60
WITHOUT_MEANING = "By words alone: no model for meaning is in reach."
MEANING_OFF = "By words alone: matching by meaning is switched off in Settings."
BEGINNINGS = "Nothing has the last word as a whole; these have words that begin with it."
ALMOST_ALL = 0.995
TAKES_PLACE = "Takes place"

_UNFINISHED = re.compile(r"(?:^|\s)\w{3,}$")


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
        self.years = Years(memory, clock)
        self.people = People(memory.identities, toasts, changed=self._people_changed)
        self.joining = Joining(memory.identities, toasts, changed=self._people_changed, supervisor=supervisor)
        self.forgetting = Forgetting(
            memory, forget, toasts, gone=self._gone, clock=clock, supervisor=supervisor
        )
        self._memory = memory
        self._supervisor = supervisor
        self._clock = clock
        self._asked = _Asked("", "exact", None)
        self._sources: dict[SourceId, SourceRow] = {}
        self._hits: dict[ChunkId, Hit] = {}
        self._last_leaf: Leaf | None = None
        self._letter: Letter | None = None
        self._reach = (PASSAGES_AROUND, PASSAGES_AROUND)
        self._is_wanted = False
        self._outlines = Refresher("memory outline", self._outline, supervisor)
        self._own_changes = Refresher("memory outline at once", self.load, supervisor)
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
            await self.years.take(
                outline.days, outline.years, total=messages_in(outline), taken=outline.taken
            )
        except HeedfulError as exc:
            self._replace(home=HomeView("trouble", trouble=trouble(exc)))
            return
        await asyncio.sleep(0)
        self._sources = {row.id: row for row in outline.sources}
        self.people.take(outline.questions)
        self._replace(home=home_view(outline, now=self._clock.now(), zone=self._clock.zone))

    def ask(self, text: str) -> None:
        """Looks words up, within the scope in sight; no words lead back to it."""
        self._ask(_Asked(text.strip(), self._asked.mode, self._asked.scope))

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
        if self._asked.text:
            self._note(self._memory.note_question(self._asked.text, chunk_id))

    async def ask_to_forget_letter(self, *, whole_thread: bool) -> None:
        """Asks whether the open message, or the conversation it belongs to, is to be forgotten.

        Raises:
            HeedfulError: It can't be counted what would go.
        """
        if self._letter is not None:
            message = self._letter.message
            name = message.subject or "This message"
            if whole_thread:
                await self.forgetting.ask(ToForget("thread", message.thread_id, name))
            else:
                await self.forgetting.ask(ToForget("message", message.id, name))

    async def ask_to_forget_row(self, row: ResultRow, *, whole_thread: bool) -> None:
        """Asks whether a listed message, or the conversation it belongs to, is to be forgotten.

        Raises:
            HeedfulError: It can't be counted what would go.
        """
        if whole_thread:
            await self.forgetting.ask(ToForget("thread", row.thread_id, row.title))
        else:
            await self.forgetting.ask(ToForget("message", row.message_id, row.title))

    async def ask_to_forget_scope(self, scope: SourceScope | EntityScope) -> None:
        """Asks whether a source, or a person, is to be forgotten.

        Raises:
            HeedfulError: It can't be counted what would go.
        """
        kind: Literal["source", "person"] = "source" if isinstance(scope, SourceScope) else "person"
        await self.forgetting.ask(ToForget(kind, scope.id, scope.name))

    def unfold(self, *, earlier: bool) -> None:
        """Shows more of the open message, before or after what is in sight."""
        before, after = self._reach
        self._reach = (before + MORE_PASSAGES, after) if earlier else (before, after + MORE_PASSAGES)
        self._show_letter()

    async def show_more(self) -> None:
        """Appends the next page of a list in the order of time."""
        asked, results, last = self._asked, self.view.value.results, self._last_leaf
        if not results.has_more or asked.text or asked.scope is None or last is None:
            return
        leaves = await self._memory.browse(
            range_of(asked.scope, self._sources, self._clock.zone), limit=PAGE, after=last.place
        )
        words = await self._words(leaves)
        if asked == self._asked and results is self.view.value.results:
            self._last_leaf = leaves[-1] if leaves else last
            groups = joined(results.groups, words.by_day(leaves))
            self._replace(results=replace(results, groups=groups, has_more=len(leaves) == PAGE))

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
        self._own_changes.close()
        self._answers.close()
        self.joining.close()
        for unsubscribe in self._undo:
            unsubscribe()

    def _people_changed(self) -> None:
        self._own_changes.request()
        if self.view.value.page != "home":
            self._answers.request()

    def _gone(self, what: ToForget) -> None:
        """Leads away from what was forgotten, to where it was listed."""
        letter, scope = self._letter, self._asked.scope
        if letter is not None and (what.kind != "message" or what.id == letter.message.id):
            self._letter = None
            self._replace(page=self._list_page(), letter=None)
        if isinstance(scope, SourceScope | EntityScope) and scope.id == what.id:
            self._ask(_Asked("", self._asked.mode, None))
        self._own_changes.request()
        if self._list_page() == "results":
            self._drop_rows(what)
            self._answers.request()

    def _drop_rows(self, what: ToForget) -> None:
        """Lets no row stand of what is gone, while the list is asked for anew."""
        results = self.view.value.results
        groups = tuple(
            Group(g.name, tuple(row for row in g.members if what.id not in (row.message_id, row.thread_id)))
            for g in results.groups
        )
        self._replace(results=replace(results, groups=tuple(group for group in groups if group.members)))

    def _note(self, noting: Coroutine[Any, Any, None]) -> None:
        """Counts what was asked for in the background: what is looked at need not wait for it."""
        try:
            self._supervisor.start("memory questions", noting)
        except RuntimeError:  # no task starts while everything stops
            noting.close()

    def _news(self) -> None:
        if self._is_wanted:
            self._outlines.request()

    async def _outline(self) -> None:
        began = self._clock.monotonic()
        await self.load()
        # While a mailbox is read news comes many times a second, and the navigator need not follow that fast.
        took = self._clock.monotonic() - began
        await self._clock.sleep(min(max(OUTLINE_REST_S, took * REST_TIMES), LONGEST_REST_S))

    def _ask(self, asked: _Asked) -> None:
        was, self._asked = self._asked, asked
        self._letter = None
        if asked.scope != was.scope:
            self.joining.leave()
        if isinstance(asked.scope, EntityScope) and asked.scope != was.scope:
            self._note(self._memory.note_asked([asked.scope.id]))
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
        await asyncio.sleep(0)  # what is found was told in this turn, and is drawn in the next
        if asked == self._asked:
            self._replace(results=results)

    async def _found(self, asked: _Asked, began: float) -> ResultsView:
        fitting, advice = await self._look_up(asked)
        known = {hit.chunk_id: hit for hit in (*await self._entries(asked), *fitting)}
        hits = tuple(known.values())
        named = tuple(entity_place(one) for one in await self._memory.named(asked.text))
        took = times.duration_words(round((self._clock.monotonic() - began) * 1000))
        rows = await (await self._words(hits)).by_fit(hits, asked.text, asked.mode)
        if asked != self._asked:
            return self.view.value.results
        self._hits = known
        if not hits:
            within = "" if asked.scope is None else f"Only “{asked.scope.name}” was looked through."
            advice = " ".join(part for part in (within, _NOTHING[asked.mode], advice) if part)
            return ResultsView("nothing", "Nothing found", advice=advice, scope=asked.scope, named=named)
        return ResultsView(
            "found",
            f"The best {MOST_HITS} passages" if len(fitting) == MOST_HITS else count(len(hits), "passage"),
            took,
            advice=advice,
            groups=(Group("", rows),),
            scope=asked.scope,
            named=named,
        )

    async def _look_up(self, asked: _Asked) -> tuple[tuple[Hit, ...], str]:
        """The hits, and what is to be said of them; a last word that is still being typed counts as a beginning."""
        filters = filters_of(asked.scope, self._clock.zone)
        if asked.mode == "meaning":
            near = await self._memory.recall(asked.text, filters=filters)
            return near, await self._reach_words(near)
        hits = await self._memory.search(asked.text, filters=filters)
        if hits or not _UNFINISHED.search(asked.text) or asked != self._asked:
            return hits, ""
        begun = await self._memory.search(f"{asked.text}*", filters=filters)
        return begun, BEGINNINGS if begun else ""

    async def _entries(self, asked: _Asked) -> tuple[Hit, ...]:
        """What takes place on the days looked through and has the words; it may have come in long before."""
        if not isinstance(asked.scope, DayScope):
            return ()
        among = range_of(asked.scope, self._sources, self._clock.zone)
        leaves = [leaf for leaf, _ in await self._memory.agenda(among, limit=PAGE)]
        if not leaves:
            return ()
        filters = Filters(among=frozenset(leaf.source_id for leaf in leaves))
        taken = {leaf.message_id for leaf in leaves}
        hits = await self._memory.search(asked.text, filters=filters)
        return tuple(hit for hit in hits if hit.message_id in taken)

    async def _reach_words(self, hits: Sequence[Hit]) -> str:
        """What is to be said of how far meaning reaches; nothing where it reaches all."""
        share = await self._memory.embedded_share()
        if share is None:
            return MEANING_OFF
        if share < ALMOST_ALL:
            return (
                f"Meaning is known of {share:.0%} of the memory so far; the rest is found by its words alone."
            )
        return WITHOUT_MEANING if any(hit.degraded for hit in hits) else ""

    async def _walked(self, asked: _Asked) -> ResultsView:
        scope = asked.scope
        if scope is None:
            return ResultsView("searching")
        known = await self._memory.around(scope.id) if isinstance(scope, EntityScope) else None
        among = range_of(scope, self._sources, self._clock.zone)
        entries = await self._memory.agenda(among, limit=PAGE) if isinstance(scope, DayScope) else ()
        leaves = await self._memory.browse(among, limit=PAGE)
        number = await self._memory.count(among)
        words = await self._words(leaves)
        if asked != self._asked:
            return ResultsView("searching")
        self._hits = {}
        self._last_leaf = leaves[-1] if leaves else None
        if known is not None:  # whoever was parted from another or made one with them has another name now
            scope = replace(scope, name=known[0].name)
        return ResultsView(
            "found" if leaves or entries else "nothing",
            scope.name,
            _held(number, len(entries)),
            groups=_with_entries(words.in_turn(entries), words.by_day(leaves)),
            scope=scope,
            relations=() if known is None else tuple(relation_view(known[0], one) for one in known[1]),
            profile=self._profile(scope, known),
            advice=self._stopped(scope),
            has_more=len(leaves) == PAGE,
        )

    def _profile(self, scope: Scope, known: tuple[Entity, Sequence[Relation]] | None) -> ProfileView | None:
        if known is not None:
            return profile(known[0])
        row = self._sources.get(scope.id) if isinstance(scope, SourceScope) else None
        return None if row is None else source_profile(row, self._clock.now())

    def _stopped(self, scope: Scope) -> str:
        """Why a source was not read to its end, and what is missing in it."""
        row = self._sources.get(scope.id) if isinstance(scope, SourceScope) else None
        if row is None:
            return ""
        now = self._clock.now()
        told = (row.error or stop_words(row, now), unread_words(row), missing_words(row))
        return " ".join(part for part in told if part)

    def _show_letter(self) -> None:
        if self._letter is not None:
            hit = self._hits.get(self._letter.chunk.id) if self._asked.text else None
            found = None if hit is None else why_found(hit, self._asked.mode)
            shown = letter_view(
                self._letter, self._asked.text, reach=self._reach, zone=self._clock.zone, found=found
            )
            self._replace(page="letter", letter=shown)

    async def _words(self, found: Sequence[Hit | Leaf]) -> RowWords:
        slots = await self._memory.slots([one.message_id for one in found])
        return RowWords(self._sources, self._clock.now(), self._clock.zone, slots)

    def _replace(self, **changes: object) -> None:
        self.view.replace(replace(self.view.value, **changes))  # type: ignore[arg-type] # names of its fields


def _held(passages: int, entries: int) -> str:
    """How much a place holds: what came in, and what takes place there."""
    return beside(
        count(passages, "passage") if passages or not entries else "",
        count(entries, "event") if entries else "",
    )


def _with_entries(
    entries: tuple[ResultRow, ...], groups: tuple[Group[ResultRow], ...]
) -> tuple[Group[ResultRow], ...]:
    """What takes place, before what came in; what does both stands once."""
    if not entries:
        return groups
    taken = {row.message_id for row in entries}
    rest = (Group(g.name, tuple(row for row in g.members if row.message_id not in taken)) for g in groups)
    return (Group(TAKES_PLACE, entries), *(group for group in rest if group.members))


_NOTHING: dict[Mode, str] = {
    "exact": "Every word must be there as it is written. Fewer words, or “By meaning”, find more.",
    "meaning": "Nothing remembered shares its words or comes near. Other words may.",
}
