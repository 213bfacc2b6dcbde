"""The opinions on pairs of identities, and the people they make; what a person said is never overwritten."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.memory.entities.canonical_clusters import Tie, Verdict, join
from heedful.memory.entities.canonical_evidence import (
    FIRST_NAME_ONLY,
    MERGE_AT,
    SUGGEST_AT,
    Identity,
    Opinion,
    are_different_names,
    is_by_login,
    keys_of,
    weigh,
)
from heedful.memory.entities.entities_store import digest
from heedful.memory.entities.graph_predicates import Predicate
from heedful.storage import Connection, Row, Value

MOST_SHARING = 60
"""A key that more identities share tells nothing, but for those that prove somebody."""

PUT_OFF = "(verdict = 'suggested' AND by_person)"
"""What tells a question that the person put off: its score and reasons are what was known then."""

_HELD = "first_seq, second_seq, score, reasons"
_PROVING = ("name ", "box ", "phone ", "handle ", "own")
_VERDICTS: dict[str, Verdict] = {v: v for v in ("suggested", "merged", "refused", "parted")}


def settle(connection: Connection, touched: Iterable[int], *, now: datetime) -> None:
    """Weighs these identities against all that share something with them, and joins people anew where that matters.

    Those without a full name come last, for only with all names known can they tell whom they may be.
    """
    desk = _Desk(connection, to_millis(now))
    asked = set(touched) | _own_unsettled(connection)
    named = {entity for entity in asked if desk.identity(entity).full_names}
    late = asked - named
    for entity in sorted(named):
        late.update(desk.weigh_one(entity))
    for entity in sorted(late - named):
        desk.weigh_one(entity)
    desk.put_off_again()
    done = named | late
    regroup(connection, done, desk.identities)


def _own_unsettled(connection: Connection) -> set[int]:
    """The person's own addresses, where they are not one person yet."""
    rows = connection.rows(
        "SELECT e.seq, e.canonical FROM own_addresses w JOIN aliases a ON a.folded = w.address AND a.kind = 'address' "
        "AND a.is_own JOIN entities e ON e.seq = a.entity_seq WHERE w.origin = 'stated' OR w.origin = 'inferred'"
    )
    return {int(seq or 0) for seq, _ in rows} if len({canonical for _, canonical in rows}) > 1 else set()


class _Desk:
    """One round of weighing; remembers the identities it loaded."""

    def __init__(self, connection: Connection, now: int) -> None:
        self._connection = connection
        self._now = now
        self.identities: dict[int, Identity] = {}
        self._rested: dict[tuple[Value, Value], Row] = {}

    def weigh_one(self, entity: int) -> list[int]:
        """Renews the opinions on one identity; returns those that may now fit more than one."""
        mine = self.identity(entity)
        keys = keys_of(mine)
        self._keep_keys(entity, keys)
        opinions = {
            other: opinion
            for other in self._candidates(entity, keys)
            if (opinion := weigh(mine, self.identity(other))).score >= SUGGEST_AT
        }
        by_first_name = [o for o, opinion in opinions.items() if opinion.reasons == (FIRST_NAME_ONLY,)]
        if not self._may_ask_by_first_name(entity, by_first_name):
            opinions = {other: opinion for other, opinion in opinions.items() if other not in by_first_name}
        if not mine.full_names:
            opinions = self._without_guesses(opinions)
        self._keep(entity, opinions)
        return [*self._guessed_by(mine, opinions), *(by_first_name if mine.full_names else ())]

    def _guessed_by(self, mine: Identity, opinions: dict[int, Opinion]) -> list[int]:
        return [
            other
            for other, opinion in opinions.items()
            if mine.full_names and is_by_login(opinion) and not self.identity(other).full_names
        ]

    def _may_ask_by_first_name(self, entity: int, others: list[int]) -> bool:
        """A first name in common is a question for somebody who writes under it, where one other has it."""
        if len(others) != 1 or self.identity(entity).full_names:
            return False
        return bool(
            self._connection.value(
                "SELECT 1 FROM mentions WHERE entity_seq = ? AND role IN ('author', 'to', 'cc') LIMIT 1",
                (entity,),
            )
        )

    def identity(self, entity: int) -> Identity:
        if entity not in self.identities:
            self.identities[entity] = load(self._connection, entity)
        return self.identities[entity]

    def _keep_keys(self, entity: int, keys: Iterable[str]) -> None:
        self._connection.execute_many(
            "INSERT OR IGNORE INTO identity_keys (key, entity_seq) VALUES (?, ?)",
            [(digest(key), entity) for key in keys],
        )

    def _candidates(self, entity: int, keys: Iterable[str]) -> list[int]:
        found: set[int] = set()
        for key in keys:
            limit = 500 if key.startswith(_PROVING) else MOST_SHARING
            sharing = self._connection.rows(
                "SELECT entity_seq FROM identity_keys WHERE key = ? LIMIT ?", (digest(key), limit + 1)
            )
            if len(sharing) <= limit:
                found.update(int(seq or 0) for (seq,) in sharing)
        return sorted(found - {entity})

    def _without_guesses(self, opinions: dict[int, Opinion]) -> dict[int, Opinion]:
        """An address that could be made of two people's names is made of neither's for sure."""
        guessed = [other for other, opinion in opinions.items() if is_by_login(opinion)]
        best = max((opinions[other].score for other in guessed), default=0.0)
        close = [other for other in guessed if opinions[other].score > best - 0.07]
        if not any(are_different_names(self.identity(a), self.identity(b)) for a in close for b in close):
            return opinions
        return {
            other: Opinion(min(opinion.score, 0.7), opinion.reasons) if other in close else opinion
            for other, opinion in opinions.items()
        }

    def _keep(self, entity: int, opinions: dict[int, Opinion]) -> None:
        for row in self._put_off(entity):
            self._rested.setdefault((row[0], row[1]), row)
        for end in ("first_seq", "second_seq"):
            self._connection.execute(
                f"DELETE FROM merge_opinions WHERE {end} = ? AND (NOT by_person OR {PUT_OFF})", (entity,)
            )
        self._connection.execute_many(
            "INSERT OR IGNORE INTO merge_opinions "
            "(first_seq, second_seq, score, reasons, verdict, by_person, decided_at) VALUES (?, ?, ?, ?, ?, 0, ?)",
            [
                (
                    *sorted((entity, other)),
                    opinion.score,
                    json.dumps(opinion.reasons),
                    verdict_of(opinion.score),
                    self._now,
                )
                for other, opinion in opinions.items()
            ],
        )

    def _put_off(self, entity: int) -> list[Row]:
        return self._connection.rows(
            f"SELECT {_HELD} FROM merge_opinions WHERE {PUT_OFF} AND first_seq = :e "
            f"UNION ALL SELECT {_HELD} FROM merge_opinions WHERE {PUT_OFF} AND second_seq = :e",
            {"e": entity},
        )

    def put_off_again(self) -> None:
        """Lets the questions rest that the person put off, where the evidence says no more than it did then."""
        self._connection.execute_many(
            "UPDATE merge_opinions SET verdict = 'suggested', by_person = 1 WHERE first_seq = ? AND second_seq = ? "
            "AND NOT by_person AND score <= ? AND NOT EXISTS ("
            "SELECT value FROM json_each(reasons) EXCEPT SELECT value FROM json_each(?))",
            list(self._rested.values()),
        )


def load(connection: Connection, entity: int) -> Identity:
    """One identity with everything that speaks of it."""
    told: dict[str, set[str]] = {}
    for kind, alias in connection.rows("SELECT kind, alias FROM aliases WHERE entity_seq = ?", (entity,)):
        told.setdefault(str(kind), set()).add(str(alias))
    address = next(iter(told.get("address", ())), "")
    answered = connection.rows(
        "SELECT object_seq FROM relations WHERE subject_seq = ? AND predicate = ?",
        (entity, Predicate.ANSWERS_FOR.value),
    )
    own = bool(address) and connection.value(
        "SELECT 1 FROM own_addresses WHERE address = ? AND origin IN ('stated', 'inferred')", (address,)
    )
    return Identity(
        id=str(entity),
        address=address,
        names=frozenset(told.get("name", ())),
        handles=frozenset(told.get("handle", ())),
        phones=frozenset(told.get("phone", ())),
        signed_addresses=frozenset(told.get("signed address", ())),
        answers_for=frozenset(str(other) for (other,) in answered),
        is_own=bool(own),
    )


def regroup(
    connection: Connection, entities: Iterable[int], identities: dict[int, Identity] | None = None
) -> None:
    """Works out anew who is one with whom, among these and all that ties reach from them."""
    members, ties = _reach(connection, entities)
    if not members:
        return
    groups = _joined(connection, members, ties, {} if identities is None else identities)
    connection.execute_many(
        "UPDATE entities SET canonical = ? WHERE seq = ? AND canonical <> ?",
        [(first, int(one), first) for one, group in groups.items() if (first := min(map(int, group)))],
    )


def around(connection: Connection, entities: Iterable[int]) -> set[int]:
    """These and whoever is one with them or was weighed against them: who may be joined otherwise without them."""
    rows = connection.rows(
        "WITH those (seq) AS (SELECT value FROM json_each(?)) "
        "SELECT e.seq FROM those JOIN entities s ON s.seq = those.seq JOIN entities e ON e.canonical = s.canonical "
        "UNION SELECT o.second_seq FROM those JOIN merge_opinions o ON o.first_seq = those.seq "
        "UNION SELECT o.first_seq FROM those JOIN merge_opinions o ON o.second_seq = those.seq",
        (json.dumps(list(entities)),),
    )
    return {int(seq or 0) for (seq,) in rows}


def _joined(
    connection: Connection, members: Iterable[int], ties: Iterable[Tie], known: dict[int, Identity]
) -> Mapping[str, frozenset[str]]:
    def may_join(mine: frozenset[str], theirs: frozenset[str]) -> bool:
        for seq in (*map(int, mine), *map(int, theirs)):
            if seq not in known:
                known[seq] = load(connection, seq)
        return not any(are_different_names(known[int(a)], known[int(b)]) for a in mine for b in theirs)

    return join(map(str, sorted(members)), ties, may_join=may_join)


def _reach(connection: Connection, entities: Iterable[int]) -> tuple[set[int], list[Tie]]:
    members: set[int] = set()
    ties: dict[tuple[str, str], Tie] = {}
    waiting = set(entities)
    while waiting:
        entity = waiting.pop()
        if entity in members or connection.value("SELECT 1 FROM entities WHERE seq = ?", (entity,)) is None:
            continue
        members.add(entity)
        grouped = connection.rows(
            "SELECT seq FROM entities WHERE canonical = (SELECT canonical FROM entities WHERE seq = ?)",
            (entity,),
        )
        waiting.update(int(seq or 0) for (seq,) in grouped)
        for tie in _ties_of(connection, entity):
            ties[tie.first, tie.second] = tie
            if tie.verdict == "merged":
                waiting.update((int(tie.first), int(tie.second)))
        waiting -= members
    return members, list(ties.values())


def _ties_of(connection: Connection, entity: int) -> list[Tie]:
    rows = connection.rows(
        "SELECT first_seq, second_seq, score, verdict, by_person FROM merge_opinions WHERE first_seq = :e "
        "UNION ALL SELECT first_seq, second_seq, score, verdict, by_person FROM merge_opinions WHERE second_seq = :e",
        {"e": entity},
    )
    return [_tie(row) for row in rows]


def _tie(row: Row) -> Tie:
    """A question put off changes nothing: it ties as much as the evidence on it does."""
    first, second, score, verdict, by_person = row
    if by_person and verdict == "suggested":
        return Tie(str(first), str(second), float(score or 0), verdict_of(float(score or 0)), by_person=False)
    return Tie(str(first), str(second), float(score or 0), _VERDICTS[str(verdict)], by_person=bool(by_person))


def verdict_of(score: float) -> Verdict:
    """What evidence of that weight comes to."""
    return "merged" if score >= MERGE_AT else "suggested"


def held_by_evidence(connection: Connection, entity: int) -> set[int]:
    """Who would be one with this identity, itself included, had the person made nobody one."""
    members, ties = _reach(connection, [entity])
    told = [tie for tie in ties if not (tie.by_person and tie.verdict == "merged")]
    return set(map(int, _joined(connection, members, told, {})[str(entity)]))
