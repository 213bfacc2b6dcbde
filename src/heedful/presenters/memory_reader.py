"""What the Memory tab asks of the store: each question is one snapshot on a reader, beside the window's thread."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta, tzinfo

from heedful.core.clock import Clock
from heedful.core.events import Event
from heedful.core.ids import ChunkId, MessageId
from heedful.memory import Chunk, Filters, Hit, Meaning, SourceRow, StoredMessage, recall, search
from heedful.memory.embedded_share import embedded_share
from heedful.memory.entities.asked import asked_about
from heedful.memory.entities.canonical import Identities, suggestions
from heedful.memory.entities.graph import Relation, around
from heedful.memory.entities.hotness import note_asked
from heedful.memory.entities.kinds import NAMED, EntityKind
from heedful.memory.entities.registry import Entity, Mention, entities_in, find_entities, top_entities
from heedful.memory.entities.registry import entity as entity_of
from heedful.memory.forget.outlook import Outlook, outlook
from heedful.memory.messages import messages_store, sources_store
from heedful.memory.messages.day_counts import day_counts, years_before
from heedful.memory.search.agenda import Slot, agenda, days_taken, slots
from heedful.memory.search.browsing import Leaf, Place, Range, browse, count
from heedful.memory.tree.admission import Admission
from heedful.memory.tree.admission_store import admission
from heedful.storage import Connection, Store

MOST_HITS = 100
MOST_CHUNKS = 40
MOST_NAMED = 6
MOST_WALKED = 12
MOST_RELATIONS = 14
MOST_SUGGESTED = 2
MOST_QUESTIONS = 20
DAYS_AHEAD = 7
THINGS = (EntityKind.ORGANISATION, EntityKind.PROJECT, EntityKind.PRODUCT, EntityKind.PLACE, EntityKind.TOPIC)


@dataclass(frozen=True, slots=True)
class MaybeOne:
    """Two who may be one person, and why, the strongest reason first."""

    first: Entity
    second: Entity
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """What there is to walk through; `days` counts messages and leaves empty days out, as does `taken`.

    `taken` is what takes place on a day, by number, up to `DAYS_AHEAD` after the last one. `years` are those before
    the last day's that hold any message, the newest first. `things` come kind by kind, the hottest of each first.
    `questions` are pairs to ask the person about.
    """

    sources: tuple[SourceRow, ...]
    people: tuple[Entity, ...]
    things: tuple[Entity, ...]
    days: dict[date, int]
    years: tuple[int, ...] = ()
    questions: tuple[MaybeOne, ...] = ()
    taken: dict[date, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Letter:
    """A message opened at one of its passages; mentions lie in its own text, admission judges that passage.

    `slot` is the time to tell of a calendar entry, None of anything else.
    """

    message: StoredMessage
    chunk: Chunk
    source_name: str
    mentions: tuple[Mention, ...]
    admission: Admission | None
    slot: Slot | None


class MemoryReader:
    """The real one, on a store; `meaning` turns a question into what is looked for by meaning.

    `identities` keeps the person's word on who is whom.
    """

    def __init__(self, store: Store, meaning: Meaning, clock: Clock) -> None:
        self.identities = Identities(store, clock)
        self._store = store
        self._meaning = meaning
        self._clock = clock
        self._is_ready = False

    async def outline(self, days: Sequence[date], zone: tzinfo) -> Outline:
        """Sources, the people and things that matter most, and how much each of the days holds."""
        ahead = [days[-1] + timedelta(days=after) for after in range(1, DAYS_AHEAD + 1)]

        def work(connection: Connection) -> Outline:
            things = [one for kind in THINGS for one in top_entities(connection, kind, limit=MOST_WALKED)]
            return Outline(
                sources_store.sources(connection),
                tuple(top_entities(connection, EntityKind.PERSON, limit=MOST_WALKED)),
                tuple(things),
                day_counts(connection, days, zone),
                years_before(connection, date(days[-1].year, 1, 1), zone),
                tuple(_questions(connection)),
                days_taken(connection, [*days, *ahead], zone),
            )

        return await self._store.read(work)

    async def day_counts(self, days: Sequence[date], zone: tzinfo) -> dict[date, int]:
        """How much each of the days holds."""
        return await self._store.read(lambda c: day_counts(c, days, zone))

    async def days_taken(self, days: Sequence[date], zone: tzinfo) -> dict[date, frozenset[int]]:
        """The calendar entries that take place on each of the days, by number."""
        return await self._store.read(lambda c: days_taken(c, days, zone))

    async def agenda(self, among: Range, *, limit: int) -> tuple[tuple[Leaf, Slot], ...]:
        """The calendar entries that take place within a time, in order."""
        return tuple(await self._store.read(lambda c: agenda(c, among, limit=limit)))

    async def slots(self, messages: Sequence[MessageId]) -> dict[MessageId, Slot]:
        """Those of the messages that are calendar entries, each with the time to tell of it."""
        now = self._clock.now()
        return await self._store.read(lambda c: slots(c, messages, now=now)) if messages else {}

    async def search(self, text: str, *, filters: Filters) -> tuple[Hit, ...]:
        """Passages with every word."""
        return tuple(await self._store.read(lambda c: search(c, text, limit=MOST_HITS, filters=filters)))

    async def recall(self, text: str, *, filters: Filters) -> tuple[Hit, ...]:
        """Passages that come nearest in meaning; each says when it was found by words alone."""
        if not self._is_ready:
            await asyncio.to_thread(self._get_ready)
            self._is_ready = True
        sense = await self._meaning.sense(text)
        now = self._clock.now()
        return tuple(
            await self._store.read(
                lambda c: recall(c, text, limit=MOST_HITS, filters=filters, sense=sense, now=now)
            )
        )

    def _get_ready(self) -> None:
        """Loads what meaning computes with, and looks at the model: a tenth of a second that the window can't wait."""
        from heedful.memory.embeddings.read_ahead import numpy_libraries, read_ahead
        from heedful.memory.search.question import understand

        read_ahead(numpy_libraries())
        import heedful.memory.embeddings.vector_index  # noqa: F401 (loaded for whoever asks next)

        understand("where is what")
        embedder = self._meaning.embedder()
        if embedder is not None and embedder.id:
            return

    async def named(self, text: str) -> tuple[Entity, ...]:
        """People and things whose names begin with the text's words, the most mentioned first."""
        found = await self._store.read(lambda c: find_entities(c, text, limit=MOST_NAMED))
        return tuple(one for one in found if one.kind in NAMED)[:MOST_SUGGESTED]

    async def browse(self, among: Range, *, limit: int, after: Place | None = None) -> tuple[Leaf, ...]:
        """Passages in the order of time, the newest first."""
        return tuple(await self._store.read(lambda c: browse(c, among, limit=limit, after=after)))

    async def count(self, among: Range) -> int:
        """How many passages there are to browse."""
        return await self._store.read(lambda c: count(c, among))

    async def letter(self, chunk_id: ChunkId) -> Letter | None:
        """A message, opened at a passage; None when it is gone."""
        now = self._clock.now()

        def work(connection: Connection) -> Letter | None:
            found = messages_store.chunk(connection, chunk_id)
            if found is None:
                return None
            message, chunk = found
            return Letter(
                message,
                chunk,
                sources_store.source(connection, message.source_id).name,
                tuple(
                    {m: None for one in message.chunks[:MOST_CHUNKS] for m in entities_in(connection, one.id)}
                ),
                admission(connection, chunk_id),
                slots(connection, [message.id], now=now).get(message.id),
            )

        return await self._store.read(work)

    async def outlook(self, word: str) -> Outlook:
        """What forgetting what an id names would take with it.

        Raises:
            RejectedError: It names nothing, or the person themselves.
        """
        return await self._store.read(lambda c: outlook(c, word))

    async def embedded_share(self) -> float | None:
        """The share of passages that can be found by meaning by now; None where no model is chosen."""
        embedder = self._meaning.embedder()
        if embedder is None:
            return None
        model = await asyncio.to_thread(lambda: embedder.id)
        return await self._store.read(lambda c: embedded_share(c, model))

    async def note_asked(self, entity_ids: Sequence[str]) -> None:
        """Counts that the person asked for these people and things."""
        if not entity_ids:
            return
        now = self._clock.now()

        def work(connection: Connection) -> tuple[None, list[Event]]:
            note_asked(connection, entity_ids, now=now)
            return None, []

        await self._store.write(work)

    async def note_question(self, text: str, chunk_id: ChunkId) -> None:
        """Counts whom and what a question was about that led to a passage."""
        await self.note_asked(await self._store.read(lambda c: asked_about(c, text, [chunk_id])))

    async def around(self, entity_id: str) -> tuple[Entity, tuple[Relation, ...]] | None:
        """A person or thing with what it is related to, the heaviest first; None when it is gone."""

        def work(connection: Connection) -> tuple[Entity, tuple[Relation, ...]] | None:
            found = entity_of(connection, entity_id)
            return None if found is None else (found, tuple(around(connection, entity_id, MOST_RELATIONS)))

        return await self._store.read(work)


def _questions(connection: Connection) -> Iterator[MaybeOne]:
    for one in suggestions(connection, limit=MOST_QUESTIONS):
        first, second = entity_of(connection, one.first_id), entity_of(connection, one.second_id)
        if first is not None and second is not None:
            yield MaybeOne(first, second, one.reasons)
