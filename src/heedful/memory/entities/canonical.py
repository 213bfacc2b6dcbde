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
from heedful.memory.entities import canonical_said, canonical_store
from heedful.memory.entities.canonical_people import Candidate, candidates
from heedful.storage import Connection, Row, Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """«Are these two one person?»; ids of both, how sure, and why, the strongest reason first."""

    first_id: str
    second_id: str
    score: float
    reasons: tuple[str, ...]


def suggestions(connection: Connection, *, limit: int = 20) -> list[Suggestion]:
    """Pairs worth asking about, the likeliest first; none that the person answered, none that are one already.

    One that they put off is left out until there is more to go by.
    """
    rows = connection.rows(
        "WITH two (low, high) AS MATERIALIZED (SELECT min(x.canonical, y.canonical), max(x.canonical, y.canonical) "
        "FROM merge_opinions r JOIN entities x ON x.seq = r.first_seq JOIN entities y ON y.seq = r.second_seq "
        "WHERE r.verdict IN ('refused', 'parted')), "
        "rested (low, high, score, reasons) AS MATERIALIZED ("
        "SELECT min(x.canonical, y.canonical), max(x.canonical, y.canonical), p.score, p.reasons "
        "FROM merge_opinions p JOIN entities x ON x.seq = p.first_seq JOIN entities y ON y.seq = p.second_seq "
        f"WHERE {canonical_store.PUT_OFF}) "
        "SELECT a.id, b.id, o.score, o.reasons FROM merge_opinions o "
        "JOIN entities a ON a.seq = o.first_seq JOIN entities b ON b.seq = o.second_seq "
        "WHERE o.verdict IN ('suggested', 'merged') AND NOT o.by_person AND a.canonical <> b.canonical "
        "AND a.chunks > 0 AND b.chunks > 0 "
        "AND (min(a.canonical, b.canonical), max(a.canonical, b.canonical)) NOT IN (SELECT low, high FROM two) "
        "AND NOT EXISTS (SELECT 1 FROM rested WHERE low = min(a.canonical, b.canonical) "
        "AND high = max(a.canonical, b.canonical) AND rested.score >= o.score AND NOT EXISTS ("
        "SELECT value FROM json_each(o.reasons) EXCEPT SELECT value FROM json_each(rested.reasons))) "
        "GROUP BY min(a.canonical, b.canonical), max(a.canonical, b.canonical) "
        "HAVING o.score = max(o.score) ORDER BY o.score DESC, a.chunks + b.chunks DESC LIMIT ?",
        (limit,),
    )
    return [
        Suggestion(str(first), str(second), float(score or 0), tuple(json.loads(str(reasons))))
        for first, second, score, reasons in rows
    ]


@dataclass(frozen=True, slots=True)
class Word:
    """What the person said of pairs of identities, with what they had said before; `Identities.take_back` undoes it."""

    pairs: tuple[tuple[int, int], ...]
    before: tuple[Row, ...]


class Identities:
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
            canonical_said.unsay(connection, refused)
            canonical_said.say(
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
            canonical_said.say(
                connection, [pair], "refused", reason="you said they are two", now=self._clock.now()
            )
            return said

        return await self._change(work)

    async def part(self, entity_id: str) -> Word:
        """Takes one identity out of the person it was counted to; does nothing for one that stands alone.

        Where the person's own word holds it there, it goes with all that evidence makes one with it: everybody is
        who they were before that word. Where evidence alone does, it goes by itself.

        Raises:
            RejectedError: There is no such entity.
        """

        def work(connection: Connection) -> Word:
            entity = _seq(connection, entity_id)
            whole, own = _group(connection, entity), canonical_store.held_by_evidence(connection, entity)
            pairs = _merged_by_person(connection, own, whole - own) or {
                _pair(entity, other) for other in whole - {entity}
            }
            said = _noted(connection, pairs)
            if pairs:
                canonical_said.say(
                    connection, sorted(pairs), "parted", reason="you took them apart", now=self._clock.now()
                )
            return said

        return await self._change(work)

    async def put_off(self, first_id: str, second_id: str) -> Word:
        """Leaves it open whether two are one; they are asked about again when more speaks for it than now.

        Raises:
            RejectedError: There is no such entity.
        """

        def work(connection: Connection) -> Word:
            mine, theirs = (_group(connection, _seq(connection, one)) for one in (first_id, second_id))
            pairs = {_pair(a, b) for a in mine for b in theirs if a != b}
            said = _noted(connection, pairs)
            canonical_said.put_off(connection, said.pairs, now=self._clock.now())
            return said

        return await self._change(work)

    async def candidates(self, entity_id: str, text: str) -> tuple[Candidate, ...]:
        """Who may be one with a person, by words of their name or address; without words, by the evidence."""
        return tuple(await self._store.read(lambda connection: candidates(connection, entity_id, text)))

    async def take_back(self, word: Word) -> None:
        """Undoes what was said last of these pairs; the evidence then counts as if it had not been said."""

        def work(connection: Connection) -> None:
            canonical_said.unsay(connection, word.pairs)
            canonical_said.restore(connection, word.before)
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


def _merged_by_person(connection: Connection, mine: set[int], theirs: set[int]) -> set[tuple[int, int]]:
    """The pairs between two parts of a person that the person themselves made one."""
    return {
        (int(first or 0), int(second or 0))
        for first, second in connection.rows(
            "SELECT o.first_seq, o.second_seq FROM json_each(?) j JOIN merge_opinions o ON o.first_seq = j.value "
            "OR o.second_seq = j.value WHERE o.verdict = 'merged' AND o.by_person",
            (json.dumps(sorted(mine)),),
        )
        if {first, second} & theirs
    }


def _noted(connection: Connection, pairs: set[tuple[int, int]]) -> Word:
    """What the person is about to overrule of their own words."""
    chosen = sorted(pairs)
    return Word(tuple(chosen), tuple(canonical_said.said_of(connection, chosen)))


def _there(connection: Connection, entities: set[int]) -> set[int]:
    rows = connection.rows(
        "SELECT seq FROM entities WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(entities)),),
    )
    return {int(seq or 0) for (seq,) in rows}
