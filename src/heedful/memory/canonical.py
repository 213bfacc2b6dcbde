"""Who is whom: the person's word on identities, kept for good, and the questions worth asking them.

An identity is never destroyed by a merge: people are worked out from opinions on pairs, so that each can be taken
back. What the person says binds; the evidence only proposes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError
from heedful.core.events import Event
from heedful.memory import canonical_store
from heedful.storage import Connection, Row, Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """«Are these two one person?»; ids and names of both, how sure, and why, the strongest reason first."""

    first_id: str
    first_name: str
    second_id: str
    second_name: str
    score: float
    reasons: tuple[str, ...]


def suggestions(connection: Connection, *, limit: int = 20) -> list[Suggestion]:
    """Pairs worth asking about, the likeliest first; none that the person answered, none that are one already."""
    rows = connection.rows(
        "WITH two (low, high) AS MATERIALIZED (SELECT min(x.canonical, y.canonical), max(x.canonical, y.canonical) "
        "FROM merge_opinions r JOIN entities x ON x.seq = r.first_seq JOIN entities y ON y.seq = r.second_seq "
        "WHERE r.verdict IN ('refused', 'parted')) "
        "SELECT a.id, a.name, b.id, b.name, o.score, o.reasons FROM merge_opinions o "
        "JOIN entities a ON a.seq = o.first_seq JOIN entities b ON b.seq = o.second_seq "
        "WHERE o.verdict IN ('suggested', 'merged') AND NOT o.by_person AND a.canonical <> b.canonical "
        "AND a.chunks > 0 AND b.chunks > 0 "
        "AND (min(a.canonical, b.canonical), max(a.canonical, b.canonical)) NOT IN (SELECT low, high FROM two) "
        "GROUP BY min(a.canonical, b.canonical), max(a.canonical, b.canonical) "
        "HAVING o.score = max(o.score) ORDER BY o.score DESC, a.chunks + b.chunks DESC LIMIT ?",
        (limit,),
    )
    return [
        Suggestion(
            str(a), str(a_name), str(b), str(b_name), float(score or 0), tuple(json.loads(str(reasons)))
        )
        for a, a_name, b, b_name, score, reasons in rows
    ]


@dataclass(frozen=True, slots=True)
class Word:
    """What the person said of pairs of identities, with what they had said before; `Registry.take_back` undoes it."""

    pairs: tuple[tuple[int, int], ...]
    before: tuple[Row, ...]


class Registry:
    """The person's word on who is whom; each call returns after it is on disk, with what takes it back."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def merge(self, first_id: str, second_id: str) -> Word:
        """Makes two one, with all that is one with either; an earlier refusal between them no longer counts.

        Raises:
            RejectedError: There is no such entity, or they are of different kinds.
        """

        def work(connection: Connection) -> Word:
            first, second = _seq(connection, first_id), _seq(connection, second_id)
            if _kind(connection, first) != _kind(connection, second):
                raise RejectedError("These two can't be one", "They are things of different kinds.", "")
            refused = _refused(connection, _group(connection, first), _group(connection, second))
            said = _noted(connection, {*refused, _pair(first, second)})
            canonical_store.unsay(connection, refused)
            canonical_store.say(
                connection, [(first, second)], "merged", reason="you said so", now=self._clock.now()
            )
            return said

        return await self._change(work)

    async def refuse(self, first_id: str, second_id: str) -> Word:
        """Says that two are not one; they are never proposed again, and never become one through others.

        Raises:
            RejectedError: There is no such entity, or both ids are of one identity.
        """

        def work(connection: Connection) -> Word:
            pair = _pair(_seq(connection, first_id), _seq(connection, second_id))
            if pair[0] == pair[1]:
                raise RejectedError("One identity can't be two", "", "")
            said = _noted(connection, {pair})
            canonical_store.say(
                connection, [pair], "refused", reason="you said they are two", now=self._clock.now()
            )
            return said

        return await self._change(work)

    async def part(self, entity_id: str) -> Word:
        """Takes one identity out of the person it was counted to; does nothing for one that stands alone.

        Raises:
            RejectedError: There is no such entity.
        """

        def work(connection: Connection) -> Word:
            entity = _seq(connection, entity_id)
            pairs = {_pair(entity, other) for other in _group(connection, entity) - {entity}}
            said = _noted(connection, pairs)
            if pairs:
                canonical_store.say(
                    connection, sorted(pairs), "parted", reason="you took them apart", now=self._clock.now()
                )
            return said

        return await self._change(work)

    async def take_back(self, word: Word) -> None:
        """Undoes what was said last of these pairs; the evidence then counts as if it had not been said."""

        def work(connection: Connection) -> None:
            canonical_store.unsay(connection, word.pairs)
            canonical_store.restore(connection, word.before)
            touched = {seq for pair in word.pairs for seq in pair}
            canonical_store.settle(connection, _there(connection, touched), now=self._clock.now())

        await self._change(work)

    async def _change(self, work: Callable[[Connection], T]) -> T:
        def written(connection: Connection) -> tuple[T, list[Event]]:
            return work(connection), []

        return await self._store.write(written)


def _seq(connection: Connection, entity_id: str) -> int:
    found = connection.value("SELECT seq FROM entities WHERE id = ?", (entity_id,))
    if found is None:
        raise RejectedError("There is nobody of that id", "", "Look them up with `heedful tree entities`.")
    return int(found)


def _kind(connection: Connection, entity: int) -> str:
    return str(connection.value("SELECT kind FROM entities WHERE seq = ?", (entity,)))


def _group(connection: Connection, entity: int) -> set[int]:
    rows = connection.rows(
        "SELECT seq FROM entities WHERE canonical = (SELECT canonical FROM entities WHERE seq = ?)", (entity,)
    )
    return {int(seq or 0) for (seq,) in rows}


def _pair(first: int, second: int) -> tuple[int, int]:
    return min(first, second), max(first, second)


def _refused(connection: Connection, mine: set[int], theirs: set[int]) -> list[tuple[int, int]]:
    """The pairs between two people that the person said were not one."""
    pairs = json.dumps(sorted(_pair(a, b) for a in mine for b in theirs))
    return [
        (int(first or 0), int(second or 0))
        for first, second in connection.rows(
            "SELECT o.first_seq, o.second_seq FROM json_each(?) j JOIN merge_opinions o "
            "ON o.first_seq = j.value ->> 0 AND o.second_seq = j.value ->> 1 WHERE o.verdict IN ('refused', 'parted')",
            (pairs,),
        )
    ]


def _noted(connection: Connection, pairs: set[tuple[int, int]]) -> Word:
    """What the person is about to overrule of their own words."""
    chosen = sorted(pairs)
    return Word(tuple(chosen), tuple(canonical_store.said_of(connection, chosen)))


def _there(connection: Connection, entities: set[int]) -> set[int]:
    rows = connection.rows(
        "SELECT seq FROM entities WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(entities)),),
    )
    return {int(seq or 0) for (seq,) in rows}
