"""What the Memory tab asks of the store: each question is one snapshot on a reader, beside the window's thread."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from heedful.core.clock import Clock
from heedful.core.ids import ChunkId
from heedful.memory import Filters, Hit, Meaning, memory_store, recall, search, sources_store
from heedful.memory.admission import Admission
from heedful.memory.admission_store import admission
from heedful.memory.browsing import Leaf, Place, Range, browse, count
from heedful.memory.day_counts import day_counts
from heedful.memory.entities import Entity, Mention, entities_in, find_entities, top_entities
from heedful.memory.entities import entity as entity_of
from heedful.memory.entity_kinds import NAMED, EntityKind
from heedful.memory.graph import Relation, around
from heedful.memory.sources_store import SourceRow
from heedful.memory.stored import Chunk, StoredMessage
from heedful.storage import Connection, Store

MOST_HITS = 100
MOST_CHUNKS = 40
MOST_NAMED = 6
MOST_RELATIONS = 14
MOST_SUGGESTED = 2
THINGS = (EntityKind.PROJECT, EntityKind.ORGANISATION, EntityKind.PRODUCT, EntityKind.TOPIC)


@dataclass(frozen=True, slots=True)
class Outline:
    """What there is to walk through; `days` counts messages and leaves empty days out."""

    sources: tuple[SourceRow, ...]
    people: tuple[Entity, ...]
    things: tuple[Entity, ...]
    days: dict[date, int]


@dataclass(frozen=True, slots=True)
class Letter:
    """A message opened at one of its passages; mentions lie in its own text, admission judges that passage."""

    message: StoredMessage
    chunk: Chunk
    source_name: str
    mentions: tuple[Mention, ...]
    admission: Admission | None


class MemoryReader:
    """The real one, on a store; `meaning` turns a question into what is looked for by meaning."""

    def __init__(self, store: Store, meaning: Meaning, clock: Clock) -> None:
        self._store = store
        self._meaning = meaning
        self._clock = clock

    async def outline(self, days: Sequence[date], zone: tzinfo) -> Outline:
        """Sources, the people and things that matter most, and how much each of the days holds."""

        def work(connection: Connection) -> Outline:
            things = [one for kind in THINGS for one in top_entities(connection, kind, limit=MOST_NAMED)]
            things.sort(key=lambda one: (-one.hotness, -one.chunks, one.name))
            return Outline(
                sources_store.sources(connection),
                tuple(top_entities(connection, EntityKind.PERSON, limit=MOST_NAMED)),
                tuple(things[:MOST_NAMED]),
                day_counts(connection, days, zone),
            )

        return await self._store.read(work)

    async def search(self, text: str, *, filters: Filters) -> tuple[Hit, ...]:
        """Passages with every word."""
        return tuple(await self._store.read(lambda c: search(c, text, limit=MOST_HITS, filters=filters)))

    async def recall(self, text: str, *, filters: Filters) -> tuple[Hit, ...]:
        """Passages that come nearest in meaning; each says when it was found by words alone."""
        sense = await self._meaning.sense(text)
        now = self._clock.now()
        return tuple(
            await self._store.read(
                lambda c: recall(c, text, limit=MOST_HITS, filters=filters, sense=sense, now=now)
            )
        )

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

        def work(connection: Connection) -> Letter | None:
            found = memory_store.chunk(connection, chunk_id)
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
            )

        return await self._store.read(work)

    async def around(self, entity_id: str) -> tuple[Entity, tuple[Relation, ...]] | None:
        """A person or thing with what it is related to, the heaviest first; None when it is gone."""

        def work(connection: Connection) -> tuple[Entity, tuple[Relation, ...]] | None:
            found = entity_of(connection, entity_id)
            return None if found is None else (found, tuple(around(connection, entity_id, MOST_RELATIONS)))

        return await self._store.read(work)
