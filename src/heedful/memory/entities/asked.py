"""Whom and what a question was about: a name in its words that one of its hits bears counts as asked for (`hotness`).

Only the app may write to the store, so other processes note it in the file beside the store (`reads`); the app brings
it over from time to time, each note once, whenever either of the two dies.
"""

import asyncio
import json
import logging
import re
from collections.abc import Iterable, Sequence

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.core.events import Event
from heedful.core.paths import Home
from heedful.memory.entities.hotness import forget_old_questions, note_asked
from heedful.memory.entities.kinds import NAMED
from heedful.memory.messages import cursors_store
from heedful.memory.reads import AskedFor, Reads, place_of
from heedful.reading import content_tokens, guess, without_diacritics
from heedful.storage import Connection, Key, Store

log = logging.getLogger(__name__)

_JOINT = re.compile(r"['’.\-]")

STAGE = "asked"
FIRST_HITS = 10
AT_ONCE = 5000


def asked_about(connection: Connection, question: str, hits: Sequence[str]) -> tuple[str, ...]:
    """The entities that a question names and that its first hits (ids of chunks) mention, by their ids, each once.

    A word of the question must be a word of the name as it is written there, or the whole of an address or handle.
    """
    words = _words(question)
    if not words or not hits:
        return ()
    found: dict[int, str] = {}
    for group, entity_id, folded in connection.rows(
        "SELECT e.canonical, e.id, a.folded FROM json_each(:hits) h JOIN chunks c ON c.id = h.value "
        "JOIN mentions x ON x.chunk_seq = c.seq JOIN entities e ON e.seq = x.entity_seq "
        "JOIN aliases a ON a.seq = x.alias_seq WHERE e.kind IN (SELECT value FROM json_each(:kinds)) ORDER BY h.key",
        {"hits": json.dumps(list(hits[:FIRST_HITS])), "kinds": json.dumps(sorted(NAMED))},
    ):
        if not words.isdisjoint(str(folded).split()):
            found.setdefault(int(group or 0), str(entity_id))
    return tuple(found.values())


def _words(question: str) -> set[str]:
    """Its telling words as names are folded; what is joined by an apostrophe, hyphen or dot also part by part."""
    whole = {without_diacritics(word) for word in content_tokens(question, guess(question))}
    return whole | {part for word in whole for part in _JOINT.split(word) if len(part) > 1}


class Questions:
    """Counts what was asked for, beside or in the process that holds the store; for the event loop."""

    def __init__(self, store: Store, home: Home, key: Key, clock: Clock) -> None:
        self._store, self._home, self._key, self._clock = store, home, key, clock

    async def note(self, question: str, hits: Sequence[str]) -> None:
        """Notes what a question and its hits were about, where that can be written; finding goes before counting."""
        found = await self._store.read(lambda connection: asked_about(connection, question, hits))
        if found:
            await asyncio.to_thread(self._note, found)

    async def count(self) -> int:
        """Brings what was noted into the store; returns how many notes it was.

        Raises:
            HeedfulError: The notes can't be read, or the store not be written.
        """
        counted = 0
        while notes := await asyncio.to_thread(self._noted):
            counted += await self._count(notes)
            await asyncio.to_thread(self._drop, notes[-1].id)
        return counted

    def _note(self, entity_ids: Iterable[str]) -> None:
        try:
            with Reads.open(self._home, self._key, now=self._clock.now()) as reads:
                reads.note_asked(entity_ids, now=self._clock.now())
        except HeedfulError as exc:
            log.info("what was asked for could not be noted: %s", type(exc).__name__)

    def _noted(self) -> list[AskedFor]:
        if not place_of(self._home).exists():
            return []
        with Reads.open(self._home, self._key, now=self._clock.now()) as reads:
            return reads.asked(limit=AT_ONCE)

    def _drop(self, upto: int) -> None:
        with Reads.open(self._home, self._key, now=self._clock.now()) as reads:
            reads.drop_asked(upto)

    async def _count(self, notes: Sequence[AskedFor]) -> int:
        now = self._clock.now()

        def work(connection: Connection) -> tuple[int, list[Event]]:
            reached = cursors_store.cursor(connection, STAGE)
            fresh = [note for note in notes if note.id > reached]
            for note in fresh:
                note_asked(connection, _known(connection, note.entity_id), now=note.at)
            cursors_store.advance(connection, STAGE, max(reached, notes[-1].id))
            forget_old_questions(connection, now=now)
            return len(fresh), []

        return await self._store.write(work)


def _known(connection: Connection, entity_id: str) -> list[str]:
    """The entity, unless it was forgotten since."""
    return [entity_id] if connection.value("SELECT 1 FROM entities WHERE id = ?", (entity_id,)) else []
