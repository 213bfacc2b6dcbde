"""The rows of a message as it comes in: itself, its people, its thread, its chunks and their index."""

import json
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.ids import SourceId, ThreadId, content_id
from heedful.memory.embeddings.vector_gaps import drop_windows_on
from heedful.memory.intake.edits import follow_edit
from heedful.memory.intake.occurrences import keep_occurrences
from heedful.memory.intake.written import Written
from heedful.memory.messages.participants_store import forget_unmet, people_of
from heedful.memory.tree.growing import keep_days, keep_place
from heedful.memory.tree.tree_store import days_of, homes
from heedful.reading import normalise_address
from heedful.sources import Incoming, Person
from heedful.storage import Connection


def insert(
    connection: Connection,
    source_id: SourceId,
    new: Written,
    content_hash: str,
    *,
    changed: int,
    is_elsewhere: bool,
    now: datetime,
) -> int:
    """Writes a message that was not there, and what belongs to it; gives its number."""
    item = new.item
    thread_id = _thread_of(source_id, item)
    _touch_thread(connection, source_id, thread_id, item)
    connection.execute(
        "INSERT INTO messages (id, source_id, thread_id, kind, channel, external_id, identity, author_id, from_me, "
        "sent_at, sent_offset_min, subject, text, zones, lang, traits, reply_to, content_hash, ingested_at, changed) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new.message_id, source_id, thread_id, item.kind, item.channel, item.external_id, item.identity,
            _participant(connection, item.author), None if item.from_me is None else int(item.from_me),
            new.sent_at, new.offset_min, item.subject, item.text, new.zones, item.lang, new.traits, item.reply_to,
            content_hash, to_millis(now), changed,
        ),
    )  # fmt: skip
    seq = connection.last_row_id()
    add_origin(connection, source_id, item.external_id, seq, is_elsewhere=is_elsewhere, now=now)
    _add_recipients(connection, seq, item)
    _index(connection, seq, new)
    keep_occurrences(connection, seq, item, now=now)
    return seq


def rewrite(
    connection: Connection,
    seq: int,
    edit: Written,
    content_hash: str,
    *,
    changed: int,
    now: datetime,
) -> None:
    """Writes the message as it is now, and everything that was made of its old words anew."""
    # It brings in what compares names, and few messages are ever edited.
    from heedful.memory.entities.registry import company_in, regroup_without_gone

    item = edit.item
    people = people_of(connection, json.dumps([seq]))
    connection.execute(
        "UPDATE messages SET author_id = ?, from_me = ?, subject = ?, text = ?, zones = ?, lang = ?, traits = ?, "
        "sent_at = ?, sent_offset_min = ?, reply_to = ?, content_hash = ?, changed = ? WHERE seq = ?",
        (
            _participant(connection, item.author), None if item.from_me is None else int(item.from_me), item.subject,
            item.text, edit.zones, item.lang, edit.traits, edit.sent_at, edit.offset_min, item.reply_to, content_hash,
            changed, seq,
        ),
    )  # fmt: skip
    _retitle_thread(connection, seq, item)
    connection.execute("DELETE FROM recipients WHERE message_seq = ?", (seq,))
    _add_recipients(connection, seq, item)
    forget_unmet(connection, people)
    places, days = homes(connection, seq), days_of(connection, seq)
    company = company_in(connection, seq)
    drop_windows_on(connection, json.dumps([seq]), now=now)
    connection.execute("DELETE FROM chunks WHERE message_seq = ?", (seq,))
    regroup_without_gone(connection, company)
    _index(connection, seq, edit)
    keep_place(connection, seq, places)
    keep_days(connection, seq, days)
    follow_edit(connection, seq)
    keep_occurrences(connection, seq, item, now=now)


def add_origin(
    connection: Connection,
    source_id: SourceId,
    external_id: str,
    seq: int,
    *,
    is_elsewhere: bool,
    now: datetime,
) -> None:
    """Notes that a source holds the message, or that a file elsewhere did that was given under its name."""
    connection.execute(
        "INSERT OR REPLACE INTO origins (source_id, external_id, message_seq, held_at, elsewhere) "
        "VALUES (?, ?, ?, ?, ?)",
        (source_id, external_id, seq, to_millis(now), int(is_elsewhere)),
    )


def adopt(connection: Connection, source_id: SourceId, external_id: str, seq: int) -> None:
    """Makes a message that its last source gave up this one's."""
    if connection.execute("DELETE FROM departures WHERE message_seq = ?", (seq,)):
        connection.execute(
            "UPDATE messages SET source_id = ?, external_id = ? WHERE seq = ?", (source_id, external_id, seq)
        )


def _participant(connection: Connection, person: Person) -> int:
    key = (normalise_address(person.address), person.name)
    found = connection.value("SELECT id FROM participants WHERE address = ? AND name = ?", key)
    if found is None:
        connection.execute("INSERT INTO participants (address, name) VALUES (?, ?)", key)
        return connection.last_row_id()
    return int(found)


def _add_recipients(connection: Connection, seq: int, item: Incoming) -> None:
    addressed = [("to", person) for person in item.to] + [("cc", person) for person in item.cc]
    connection.execute_many(
        "INSERT OR IGNORE INTO recipients (message_seq, participant_id, role, place) VALUES (?, ?, ?, ?)",
        [
            (seq, _participant(connection, person), role, place)
            for place, (role, person) in enumerate(addressed)
        ],
    )


def _thread_of(source_id: SourceId, item: Incoming) -> ThreadId:
    """One thread for what belongs together wherever it was met: an answer in a folder of sent mail finds its question.

    The generic format and notes name threads within their own source only.
    """
    is_named_everywhere = item.identity.startswith(("mid:", "mail:", "tg:", "ics:"))
    scope = item.channel if is_named_everywhere else source_id
    return ThreadId(content_id("thread", scope, item.thread_key))


def _touch_thread(connection: Connection, source_id: SourceId, thread_id: ThreadId, item: Incoming) -> None:
    at = to_millis(item.sent_at)
    connection.execute(
        "INSERT INTO threads (id, source_id, channel, title, first_at, last_at, messages) VALUES (?, ?, ?, ?, ?, ?, 1) "
        "ON CONFLICT (id) DO UPDATE SET messages = messages + 1, first_at = min(first_at, excluded.first_at), "
        "last_at = max(last_at, excluded.last_at), "
        "title = CASE WHEN title = '' THEN excluded.title ELSE title END",
        (thread_id, source_id, item.channel, item.thread_title or item.subject, at, at),
    )


def _retitle_thread(connection: Connection, seq: int, item: Incoming) -> None:
    """An edit may rename what it belongs to, and a calendar's entry is dated by its last change."""
    at = to_millis(item.sent_at)
    connection.execute(
        "UPDATE threads SET first_at = min(first_at, ?), last_at = max(last_at, ?), "
        "title = CASE WHEN ? = '' THEN title ELSE ? END WHERE id = (SELECT thread_id FROM messages WHERE seq = ?)",
        (at, at, item.thread_title, item.thread_title, seq),
    )


def _index(connection: Connection, seq: int, written: Written) -> None:
    for chunk in written.chunks:
        connection.execute(
            "INSERT INTO chunks (id, message_seq, start, finish) VALUES (?, ?, ?, ?)",
            (chunk.id, seq, chunk.start, chunk.end),
        )
        connection.execute(
            "INSERT INTO chunk_index (rowid, text, subject, people, stems) VALUES (?, ?, ?, ?, ?)",
            (connection.last_row_id(), chunk.words, written.subject, written.people, chunk.stems),
        )
