"""The stage that reads people and things out of what was taken in, in steps of some hundred chunks.

A step reads from where the last one ended, and writes what it found together with its own end: a chunk is read
exactly once, whatever happens between. `explain` shows what the stage makes of one message, and writes nothing.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from heedful.core.clock import to_millis
from heedful.core.ids import MessageId
from heedful.memory.entities import canonical_store
from heedful.memory.entities.canonical_names import name_key, name_words
from heedful.memory.entities.entities_store import EntityWriter, known_names
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.names import Known, folded_words
from heedful.memory.entities.reading import Around, Being, Reading, being_of, read_message
from heedful.memory.entities.words import entity_words
from heedful.memory.messages import cursors_store, messages_store
from heedful.memory.messages.stored import StoredMessage
from heedful.reading import is_stop_word
from heedful.sources import Person
from heedful.storage import Connection

STAGE = "entities"
STEP_CHUNKS = 250
A_REPLY_WITHIN = timedelta(minutes=30)
_SHORTEST_SINGLE = 5


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be read next: whole messages, what is known around them, and where the step ends."""

    messages: tuple[StoredMessage, ...]
    around: tuple[Around, ...]
    until: int


def next_step(connection: Connection) -> Step | None:
    """The next messages that the stage has not read; None when it has read all."""
    after = cursors_store.cursor(connection, STAGE)
    rows = connection.rows(
        "SELECT seq, message_seq FROM chunks WHERE seq > ? ORDER BY seq LIMIT ?", (after, STEP_CHUNKS)
    )
    if not rows:
        return None
    seqs = sorted({int(message or 0) for _, message in rows})
    last = int(rows[-1][1] or 0)
    until = connection.value("SELECT max(seq) FROM chunks WHERE message_seq = ?", (last,))
    messages = tuple(messages_store.messages(connection, seqs))
    return Step(messages, _around(connection, messages), max(int(until or 0), int(rows[-1][0] or 0)))


def read_step(step: Step) -> tuple[Reading, ...]:
    """Reads the messages of a step; pure, for a worker thread."""
    return tuple(
        read_message(message, around) for message, around in zip(step.messages, step.around, strict=True)
    )


def write_step(connection: Connection, step: Step, readings: Sequence[Reading], *, now: datetime) -> None:
    """Writes what a step found, joins the people it touched, and moves the stage on; in the caller's transaction.

    A message that was forgotten or edited since it was read is left out: an edit comes round again.
    """
    if cursors_store.cursor(connection, STAGE) >= step.until:
        return
    writer = EntityWriter(connection, now)
    writer.write(reading for reading in readings if is_still_so(connection, reading.message))
    canonical_store.settle(connection, writer.touched, now=now)
    cursors_store.advance(connection, STAGE, step.until)


def explain(connection: Connection, message_id: MessageId) -> Reading | None:
    """What the stage sees in one message; None when there is none of that id."""
    message = messages_store.message(connection, message_id)
    if message is None:
        return None
    return read_message(message, around_of(connection, message))


def around_of(connection: Connection, message: StoredMessage) -> Around:
    """What is known around one message."""
    return _around(connection, (message,))[0]


def is_still_so(connection: Connection, message: StoredMessage) -> bool:
    """Whether a message is there as it was read: not edited, forgotten or gone."""
    return bool(message.chunks) and message.changed == connection.value(
        "SELECT changed FROM messages WHERE seq = ?", (message.seq,)
    )


def _around(connection: Connection, messages: Sequence[StoredMessage]) -> tuple[Around, ...]:
    full = known_names(connection, _phrases(messages))
    answered = _answered_for(connection, messages)
    latest = _before(connection, messages)
    found = []
    for message in messages:
        before = latest.get(message.thread_id)
        participants = _participants(message, before)
        latest[message.thread_id] = message
        found.append(
            Around(
                known=Known(_full_names(participants) | full, _first_names(participants)),
                participants=participants,
                answers=_answers(message, before),
                answered_for=answered.get(message.seq),
            )
        )
    return tuple(found)


def _before(connection: Connection, messages: Sequence[StoredMessage]) -> dict[str, StoredMessage]:
    """For each of their threads the message before the first of these, so that steps of any size read the same."""
    first: dict[str, StoredMessage] = {}
    for message in messages:
        first.setdefault(message.thread_id, message)
    wanted = [(one.thread_id, to_millis(one.sent_at), one.seq) for one in first.values()]
    rows = connection.rows(
        "SELECT (SELECT m.seq FROM messages m WHERE m.thread_id = json_extract(w.value, '$[0]') "
        "AND (m.sent_at, m.seq) < (json_extract(w.value, '$[1]'), json_extract(w.value, '$[2]')) "
        "ORDER BY m.sent_at DESC, m.seq DESC LIMIT 1) FROM json_each(?) w",
        (json.dumps(wanted),),
    )
    seqs = [int(seq) for (seq,) in rows if seq is not None]
    return {one.thread_id: one for one in messages_store.messages(connection, seqs)}


def _phrases(messages: Sequence[StoredMessage]) -> set[str]:
    """Every run of one to three words that might be a name met before."""
    phrases: set[str] = set()
    plain = entity_words().not_names
    for message in messages:
        words = [word for _, _, word in folded_words(message.text[:20_000])]
        for place, word in enumerate(words):
            if len(word) >= _SHORTEST_SINGLE and word not in plain and not is_stop_word(word, message.lang):
                phrases.add(word)
            phrases.update(
                " ".join(words[place : place + size]) for size in (2, 3) if place + size <= len(words)
            )
    return phrases


def _participants(message: StoredMessage, before: StoredMessage | None) -> dict[str, Being]:
    """Those who take part in the talk, by the keys of their names."""
    people = [message.author, *message.to, *message.cc]
    if before is not None:
        people += [before.author, *before.to]
    found: dict[str, Being] = {}
    for person in people[:40]:
        being = being_of(person, message) if person.name else None
        if being is not None and being.kind is EntityKind.PERSON:
            found.setdefault(name_key(person.name) or person.name.casefold(), being)
    return found


def _full_names(participants: Mapping[str, Being]) -> dict[tuple[str, ...], tuple[EntityKind, str]]:
    """The whole names of those who take part, which their texts and signatures may write out."""
    found: dict[tuple[str, ...], tuple[EntityKind, str]] = {}
    for being in participants.values():
        first, *rest = [word for _, _, word in folded_words(being.name) if len(word) > 1] or [""]
        if len(rest) in {1, 2}:
            for called in (first, *entity_words().short_names.get(first, ())):
                found.setdefault((called, *rest), (EntityKind.PERSON, being.name))
    return found


def _first_names(participants: Mapping[str, Being]) -> dict[str, str]:
    """What only one of them is called: their first name as it is written, or else a short or whole form of it."""
    names: dict[str, str] = {}
    for forms in (_as_written, _called_as_well):
        called = Counter[str]()
        whose: dict[str, str] = {}
        for being in participants.values():
            for form in forms(being.name):
                called[form] += 1
                whose[form] = being.name
        names |= {form: name for form, name in whose.items() if called[form] == 1 and form not in names}
        names |= dict.fromkeys((form for form, count in called.items() if count > 1), "")
    return {form: name for form, name in names.items() if name}


def _as_written(name: str) -> tuple[str, ...]:
    """The first name; two letters are one where both are capitals, «TK»."""
    words = name_words(name)
    is_name = bool(words) and (len(words[0]) > 2 or name[:2].isupper())
    return words[:1] if is_name else ()


def _called_as_well(name: str) -> frozenset[str]:
    return entity_words().short_names.get("".join(name_words(name)[:1]), frozenset())


def _answers(message: StoredMessage, before: StoredMessage | None) -> Being | None:
    if before is None or message.to or message.sent_at - before.sent_at > A_REPLY_WITHIN:
        return None
    return being_of(before.author, before)


def _answered_for(connection: Connection, messages: Sequence[StoredMessage]) -> dict[int, Being]:
    """For each message that answers one written to a single address: whose that was."""
    found: dict[int, Being] = {}
    for message in messages:
        if message.reply_to is None or not message.author.address:
            continue
        rows = connection.rows(
            "SELECT p.name, p.address, r.role FROM origins o JOIN recipients r ON r.message_seq = o.message_seq "
            "JOIN participants p ON p.id = r.participant_id WHERE o.source_id = ? AND o.external_id = ? LIMIT 3",
            (message.source_id, message.reply_to),
        )
        if len(rows) == 1 and rows[0][1] and rows[0][1] != message.author.address:
            being = being_of(Person(str(rows[0][0]), str(rows[0][1])), message)
            if being is not None:
                found[message.seq] = being
    return found
