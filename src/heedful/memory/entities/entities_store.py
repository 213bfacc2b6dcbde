"""The rows of entities, their aliases, where they are mentioned, and what they are related to."""

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.memory.entities.canonical_names import name_words
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.names import folded_words
from heedful.memory.entities.reading import AliasKind, Being, Held, Reading, Seen
from heedful.memory.messages.stored import StoredMessage
from heedful.reading import without_diacritics
from heedful.storage import Connection

AT_ONCE = 400


class EntityWriter:
    """Writes what messages told, within one transaction; remembers what it met so that it asks the store once.

    `made_by` is the prompt and provider of a model that named it, empty where patterns did.
    """

    def __init__(self, connection: Connection, now: datetime, made_by: str = "") -> None:
        self._connection = connection
        self._now = to_millis(now)
        self._made_by = made_by
        self._entities: dict[str, int] = {}
        self._own: dict[str, int] = {}
        self._aliases: dict[tuple[int, str, str], int] = {}
        self._relations: dict[tuple[int, str, int], int] = {}
        self.touched: set[int] = set()
        """Entities that are new or got another alias or evidence: whose people may have to be joined anew."""

    def write(self, readings: Iterable[Reading]) -> None:
        """Adds everything; what is there already stays as it is."""
        for reading in readings:
            places = _Places(self._connection, reading.message)
            at = to_millis(reading.message.sent_at)
            self._mention(reading.seen, places, at)
            for held in reading.held:
                self._relate(held, places, at)

    def _mention(self, seen: Sequence[Seen], places: "_Places", at: int) -> None:
        rows = []
        for one in seen:
            entity = self._entity(one.being)
            alias = self._own[one.being.id] if one.alias is None else self._alias(entity, *one.alias)
            rows.append(
                (
                    entity,
                    places.at(one.start),
                    one.role,
                    one.start,
                    one.end,
                    alias,
                    one.score,
                    at,
                    self._made_by,
                )
            )
        self._connection.execute_many(
            "INSERT OR IGNORE INTO mentions (entity_seq, chunk_seq, role, start, finish, alias_seq, score, said_at, "
            "made_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )

    def _entity(self, being: Being) -> int:
        if (known := self._entities.get(being.id)) is not None:
            return known
        found = self._connection.value("SELECT seq FROM entities WHERE id = ?", (being.id,))
        if found is None:
            self._connection.execute(
                "INSERT INTO entities (id, kind, name, made_at) VALUES (?, ?, ?, ?)",
                (being.id, being.kind.value, being.name, self._now),
            )
            seq = self._connection.last_row_id()
            self._connection.execute("UPDATE entities SET canonical = seq WHERE seq = ?", (seq,))
            if being.kind is EntityKind.PERSON:
                self.touched.add(seq)
        else:
            seq = int(found)
        self._entities[being.id] = seq
        self._own[being.id] = self._alias(seq, being.alias_kind, being.alias, is_own=True)
        return seq

    def _alias(self, entity: int, kind: AliasKind, alias: str, *, is_own: bool = False) -> int:
        key = (entity, kind, alias)
        if (known := self._aliases.get(key)) is not None:
            return known
        found = self._connection.value(
            "SELECT seq FROM aliases WHERE entity_seq = ? AND kind = ? AND alias = ?", key
        )
        if found is None:
            self._connection.execute(
                "INSERT INTO aliases (entity_seq, kind, alias, folded, is_own) VALUES (?, ?, ?, ?, ?)",
                (*key, folded_alias(kind, alias), int(is_own)),
            )
            found = self._connection.last_row_id()
            if kind in ("name", "phone", "signed address") and not is_own:
                self.touched.add(entity)
        self._aliases[key] = int(found)
        return int(found)

    def _relate(self, held: Held, places: "_Places", at: int) -> None:
        subject, obj = self._entity(held.subject), self._entity(held.object)
        key = (subject, held.predicate.value, obj)
        if subject == obj:
            return
        seq = self._relations.get(key)
        if seq is None:
            seq = self._relations[key] = self._relation(key, at)
        confidence = min(max(held.confidence, 0.01), 0.99)
        self._connection.execute(
            "INSERT OR IGNORE INTO relation_evidence (relation_seq, said_at, chunk_seq, start, finish, doubt) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (seq, at, places.at(held.start), held.start, held.end, math.log(1 - confidence)),
        )

    def _relation(self, key: tuple[int, str, int], at: int) -> int:
        found = self._connection.value(
            "SELECT seq FROM relations WHERE subject_seq = ? AND predicate = ? AND object_seq = ?", key
        )
        if found is not None:
            return int(found)
        self._connection.execute(
            "INSERT INTO relations (subject_seq, predicate, object_seq, first_at, last_at) VALUES (?, ?, ?, ?, ?)",
            (*key, at, at),
        )
        if key[1] == "answers for":
            self.touched.add(key[0])
        return self._connection.last_row_id()


class _Places:
    """Which chunk of a message a character lies in."""

    def __init__(self, connection: Connection, message: StoredMessage) -> None:
        self._rows = [
            (int(start or 0), int(seq or 0))
            for start, seq in connection.rows(
                "SELECT start, seq FROM chunks WHERE message_seq = ? ORDER BY start", (message.seq,)
            )
        ]

    def at(self, character: int) -> int:
        found = self._rows[0][1]
        for start, seq in self._rows:
            if start > character:
                break
            found = seq
        return found


def folded_alias(kind: str, alias: str) -> str:
    """An alias as it is looked up: a name's words without their diacritics, anything else casefolded."""
    if kind != "name":
        return alias.casefold()
    words = name_words(alias) or tuple(word for _, _, word in folded_words(alias))
    return " ".join(words) or without_diacritics(alias)


def digest(key: str) -> int:
    """A number for a key that can't be read back, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest(), "big")


def known_names(
    connection: Connection, phrases: Iterable[str]
) -> dict[tuple[str, ...], tuple[EntityKind, str]]:
    """Which of these folded phrases name a person by their full name, or a thing met before."""
    found: dict[tuple[str, ...], tuple[EntityKind, str]] = {}
    wanted = list(phrases)
    for begin in range(0, len(wanted), AT_ONCE):
        part = wanted[begin : begin + AT_ONCE]
        rows = connection.rows(
            "SELECT a.folded, e.kind, a.alias FROM json_each(?) w CROSS JOIN aliases a ON a.folded = w.value "
            "AND a.kind = 'name' JOIN entities e ON e.seq = a.entity_seq "
            "WHERE e.kind IN ('person', 'organisation', 'project', 'product') ORDER BY a.uses",
            (json.dumps(part),),
        )
        for folded, kind, alias in rows:
            words = tuple(str(folded).split())
            if kind != "person" or len(words) > 1:
                found[words] = (EntityKind(str(kind)), str(alias))
    return found
