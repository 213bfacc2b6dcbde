"""What a person may ask to be forgotten: a source, a thread, a message or a person, and the messages each one means."""

import json
from dataclasses import dataclass
from typing import Literal

from heedful.core.errors import RejectedError
from heedful.reading import normalise_address
from heedful.storage import Connection

TargetKind = Literal["source", "thread", "message", "person"]

_ROOMS: tuple[tuple[TargetKind, str], ...] = (
    ("source", "SELECT id FROM sources WHERE id = ?"),
    ("thread", "SELECT id FROM threads WHERE id = ?"),
    ("message", "SELECT id FROM messages WHERE id = ?"),
    (
        "message",
        "SELECT m.id FROM chunks c JOIN messages m ON m.seq = c.message_seq WHERE c.id = ?",
    ),
    ("person", "SELECT id FROM entities WHERE id = ?"),
)


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to forget; a person's `id` is an entity's or a mail address."""

    kind: TargetKind
    id: str


@dataclass(frozen=True, slots=True)
class Person:
    """Everything under which one person is known: rows of `entities` and of `participants`."""

    entities: tuple[int, ...]
    participants: tuple[int, ...]


def find(connection: Connection, word: str) -> Target:
    """What an id or a mail address stands for; a passage's id stands for its message.

    Raises:
        RejectedError: Nothing remembered has that id or address, or it is the person's own.
    """
    for kind, sql in _ROOMS:
        found = connection.value(sql, (word,))
        if found is not None:
            target = Target(kind, str(found))
            break
    else:
        if "@" not in word:
            raise _unknown()
        target = Target("person", normalise_address(word))
    if target.kind == "person":
        _refuse_oneself(connection, person(connection, target.id))
    return target


def is_there(connection: Connection, target: Target) -> bool:
    """Whether a target that was found is still there."""
    try:
        find(connection, target.id)
    except RejectedError:
        return False
    return True


def person(connection: Connection, known_as: str) -> Person:
    """A person by an entity's id or a mail address, under all names that were found to be theirs."""
    entities = _seqs(
        connection,
        "SELECT DISTINCT e.seq FROM entities s JOIN entities e ON e.seq = s.seq "
        "OR (e.canonical = s.canonical AND s.canonical <> 0) "
        "WHERE s.id = :id OR s.seq IN (SELECT a.entity_seq FROM aliases a WHERE a.kind = 'address' AND a.folded = :id)",
        {"id": known_as},
    )
    participants = _seqs(
        connection,
        "SELECT p.id FROM participants p WHERE p.address = :id OR (p.address <> '' AND p.address IN "
        "(SELECT lower(a.alias) FROM aliases a JOIN json_each(:entities) j ON j.value = a.entity_seq "
        "WHERE a.kind <> 'name' AND a.is_own)) OR (p.address = '' AND p.name IN "
        "(SELECT a.alias FROM aliases a JOIN json_each(:entities) j ON j.value = a.entity_seq "
        "WHERE a.kind = 'name' AND a.is_own)) OR (p.address <> '' AND p.address IN "
        "(SELECT substr(a.alias, instr(a.alias, ':') + 1) FROM aliases a JOIN json_each(:entities) j "
        "ON j.value = a.entity_seq WHERE a.kind = 'handle' AND a.is_own AND EXISTS (SELECT 1 FROM messages m "
        "WHERE m.author_id = p.id AND m.channel = substr(a.alias, 1, instr(a.alias, ':') - 1))))",
        {"id": known_as, "entities": json.dumps(entities)},
    )
    if not entities and not participants:
        raise _unknown()
    return Person(tuple(entities), tuple(participants))


def messages_of(connection: Connection, target: Target) -> list[int]:
    """The messages that go with a target, as places of arrival.

    A source's are those that no other source holds, with those that it gave up and that wait to leave. A person's are
    what they wrote, and every thread in which nobody but they and the owner spoke or was spoken to; what others wrote
    to others about them stays. What they wrote comes last, for by it those threads are known.
    """
    match target.kind:
        case "source":
            return _seqs(
                connection,
                "SELECT o.message_seq FROM origins o WHERE o.source_id = :id AND NOT EXISTS (SELECT 1 FROM origins x "
                "WHERE x.message_seq = o.message_seq AND x.source_id <> :id) UNION SELECT m.seq FROM departures d "
                "JOIN messages m ON m.seq = d.message_seq WHERE m.source_id = :id "
                "AND NOT EXISTS (SELECT 1 FROM origins x WHERE x.message_seq = m.seq)",
                {"id": target.id},
            )
        case "thread":
            return _seqs(connection, "SELECT seq FROM messages WHERE thread_id = :id", {"id": target.id})
        case "message":
            return _seqs(connection, "SELECT seq FROM messages WHERE id = :id", {"id": target.id})
        case "person":
            known = person(connection, target.id)
            return _seqs(connection, _BETWEEN_TWO, {"people": json.dumps(known.participants)})


_BETWEEN_TWO = """
WITH them (id) AS (SELECT value FROM json_each(:people)),
us (id) AS (
  SELECT id FROM them UNION
  SELECT p.id FROM participants p JOIN own_addresses o ON o.address = p.address AND o.origin <> 'refused' UNION
  SELECT m.author_id FROM messages m WHERE m.from_me = 1 AND m.author_id IS NOT NULL
),
met (id) AS (
  SELECT m.thread_id FROM messages m WHERE m.author_id IN (SELECT id FROM them) UNION
  SELECT m.thread_id FROM recipients r JOIN messages m ON m.seq = r.message_seq
  WHERE r.participant_id IN (SELECT id FROM them)
),
private (id) AS (
  SELECT t.id FROM met t WHERE NOT EXISTS (
    SELECT 1 FROM messages m WHERE m.thread_id = t.id AND (
      m.author_id NOT IN (SELECT id FROM us) OR EXISTS (
        SELECT 1 FROM recipients r WHERE r.message_seq = m.seq AND r.participant_id NOT IN (SELECT id FROM us)
      )
    )
  )
)
SELECT m.seq FROM messages m WHERE m.seq IN (
  SELECT a.seq FROM messages a WHERE a.author_id IN (SELECT id FROM them) UNION
  SELECT b.seq FROM messages b WHERE b.thread_id IN (SELECT id FROM private)
) ORDER BY m.author_id IN (SELECT id FROM them), m.seq
"""


def _refuse_oneself(connection: Connection, known: Person) -> None:
    own = connection.value(
        "SELECT 1 FROM participants p JOIN json_each(?) j ON j.value = p.id "
        "JOIN own_addresses o ON o.address = p.address AND o.origin <> 'refused'",
        (json.dumps(known.participants),),
    )
    if own is not None:
        raise RejectedError(
            "That is you",
            "Forgetting yourself would take out everything you wrote.",
            "To start afresh, use `heedful wipe`; if it is not your address, correct that under Sources.",
        )


def _seqs(connection: Connection, sql: str, bindings: dict[str, str]) -> list[int]:
    return [int(seq or 0) for (seq,) in connection.rows(sql, bindings)]


def _unknown() -> RejectedError:
    return RejectedError(
        "Nothing remembered has that id",
        "It is no source, thread, message, passage or person.",
        "Ids stand in `heedful search --json` and `heedful sources`; a person may be named by a mail address.",
    )
