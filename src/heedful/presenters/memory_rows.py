"""Passages as rows of a list: who, where, when, and the words that were looked for in sight."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from heedful.core.clock import local_day
from heedful.core.ids import MessageId, SourceId
from heedful.memory import Hit, SourceRow
from heedful.memory.search.agenda import Slot
from heedful.memory.search.browsing import Leaf
from heedful.presenters import times
from heedful.presenters.beside import beside
from heedful.presenters.days import Group, by_day
from heedful.presenters.memory_letters import CANCELLED, led_in, looked_for
from heedful.presenters.memory_views import Mode, ResultRow
from heedful.presenters.memory_why import why_in_short

SLICE = 25


@dataclass(frozen=True, slots=True)
class RowWords:
    """Tells passages as they stand at one moment; those of `slots` are told by when they take place."""

    sources: Mapping[SourceId, SourceRow]
    now: datetime
    zone: tzinfo
    slots: Mapping[MessageId, Slot] = field(default_factory=dict)

    async def by_fit(self, hits: Sequence[Hit], text: str, mode: Mode) -> tuple[ResultRow, ...]:
        """What was found, in the order it came; told in slices, so that nothing else waits for all of it."""
        words = looked_for(text)
        rows: list[ResultRow] = []
        for first in range(0, len(hits), SLICE):
            rows += [
                replace(row, excerpt=led_in(row.excerpt, words))
                for row in (self._row(hit, why_in_short(hit, mode)) for hit in hits[first : first + SLICE])
            ]
            await asyncio.sleep(0)
        return tuple(rows)

    def by_day(self, leaves: Sequence[Leaf]) -> tuple[Group[ResultRow], ...]:
        """What was walked to, by days."""
        groups = by_day(leaves, lambda leaf: leaf.sent_at, now=self.now, zone=self.zone)
        return tuple(Group(group.name, tuple(self._row(leaf) for leaf in group.members)) for group in groups)

    def in_turn(self, entries: Sequence[tuple[Leaf, Slot]]) -> tuple[ResultRow, ...]:
        """What takes place, in that order."""
        return tuple(replace(self._row(leaf), when=self._slot(slot)) for leaf, slot in entries)

    def _row(self, found: Hit | Leaf, why: str = "") -> ResultRow:
        source = self.sources.get(found.source_id)
        place = "" if source is None else source.name
        by = found.author if found.subject else ""
        return ResultRow(
            found.chunk_id,
            found.message_id,
            found.thread_id,
            found.subject or found.author or place,
            beside(by, place),
            _beyond(found.subject, found.excerpt),
            self._when(found),
            why,
        )

    def _when(self, found: Hit | Leaf) -> str:
        slot, moment = self.slots.get(found.message_id), found.sent_at
        if slot is not None:
            return self._slot(slot)
        if local_day(moment, self.zone) == local_day(self.now, self.zone):
            return times.clock_time(moment, self.zone)
        return times.day_words(moment, self.now, self.zone)

    def _slot(self, slot: Slot) -> str:
        if slot.is_cancelled:
            return CANCELLED
        return times.slot_words(slot.starts_at, slot.ends_at, self.now, self.zone, all_day=slot.all_day)


def _beyond(subject: str, excerpt: str) -> str:
    """What an excerpt says beside its subject, with which the text of a calendar's entry or a note begins."""
    return excerpt.removeprefix(subject).lstrip() or excerpt
