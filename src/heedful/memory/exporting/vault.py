"""Writes everything remembered into a folder a person can keep: a vault of Markdown notes, and files to read in again.

`messages/*.messages.jsonl` holds every message and note in the generic import format, `calendars/*/*.ics` every event
as its calendar file gave it, `items.json` and `sources.json` what Heedful made and where it came from. The notes are
for reading; they are not read back.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path

from heedful.core.ids import SourceId, ThreadId
from heedful.memory.exporting import message_lines
from heedful.memory.exporting.folder import ExportFolder
from heedful.memory.exporting.notes import Who, author_of, item_row, link, list_note, thread_note
from heedful.memory.messages import messages_store, sources_store
from heedful.memory.messages.sources_store import SourceRow
from heedful.memory.messages.stored import StoredMessage
from heedful.memory.tree import tree_store
from heedful.storage import Connection

AT_ONCE = 500
"""Messages read at once, and the most of one note: a longer thread goes on in the next."""

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: messages and events in the files to read in again, notes and files in all."""

    messages: int
    events: int
    notes: int
    files: int


@dataclass(slots=True)
class _Vault:
    """An export on its way: the folder, who was met by address or name, and each thread's first note."""

    connection: Connection
    folder: ExportFolder
    zone: tzinfo
    people: dict[str, Who] = field(default_factory=dict)
    threads: dict[str, str] = field(default_factory=dict)
    messages: int = 0
    events: int = 0
    notes: int = 0

    def note(self, name: str, lines: Iterator[str]) -> None:
        self.folder.write(f"{name}.md", lines)
        self.notes += 1


def export(
    connection: Connection,
    folder: Path,
    *,
    items: Sequence[Json],
    sources: Sequence[Json],
    now: datetime,
    zone: tzinfo,
) -> Exported:
    """Writes the whole memory into a folder; `items` and `sources` as the command line tells them.

    Raises:
        UserCanFixError: The folder holds other files, or can't be written.
    """
    vault = _Vault(connection, ExportFolder(folder), zone)
    links = [_export_source(vault, row) for row in sources_store.sources(connection)]
    _export_people(vault)
    _export_days(vault)
    vault.folder.write("items.json", _json(items))
    vault.folder.write("sources.json", _json(sources))
    vault.note("Items", list_note({"tags": ["heedful/items"]}, "Items", "", _rows(items, vault.threads)))
    links += [link("Items", "Items")]
    vault.note("Heedful", list_note({"exported": now.isoformat()}, "Heedful", "", iter(links)))
    return Exported(vault.messages, vault.events, vault.notes, vault.folder.finish())


def _export_source(vault: _Vault, row: SourceRow) -> str:
    """A source's files and notes; returns a link to its own note."""
    name = vault.folder.name("Sources", row.name)
    room = name.partition("/")[2]
    threads = vault.connection.rows(
        "SELECT id, title FROM threads WHERE source_id = ? ORDER BY last_at DESC, id", (row.id,)
    )
    titles = {str(thread): str(title) for thread, title in threads}
    shown = [_export_thread(vault, ThreadId(thread), title, room, name) for thread, title in titles.items()]
    _export_messages(vault, row.id, room)
    _export_events(vault, row.id, room)
    summary = tree_store.top(vault.connection, "source", row.id)
    values = {"source": row.id, "kind": row.kind, "messages": row.messages, "tags": ["heedful/source"]}
    text = summary.text if summary is not None else ""
    vault.note(name, list_note(values, row.name, text, iter(shown)))
    return link(name, row.name)


def _export_thread(vault: _Vault, thread_id: ThreadId, title: str, room: str, source_note: str) -> str:
    """The notes of a thread, so many as it is long; returns a link to the first."""
    seqs = _seqs(vault.connection, "WHERE m.thread_id = ? ORDER BY m.sent_at, m.seq", thread_id)
    first = ""
    for begin in range(0, len(seqs), AT_ONCE):
        messages = sorted(
            messages_store.messages(vault.connection, seqs[begin : begin + AT_ONCE]),
            key=lambda m: (m.sent_at, m.seq),
        )
        name = vault.folder.name(f"Threads/{room}", title or messages[0].text[:60])
        first = first or name
        met = {author_of(message): _meet(vault, message, name, title) for message in messages}
        values = {
            "thread": thread_id,
            "source": link(source_note, room),
            "channel": messages[0].channel,
            "from": messages[0].sent_at.isoformat(),
            "to": messages[-1].sent_at.isoformat(),
            "people": sorted(set(met.values()) - {""}),
            "continues": link(first, title) if first != name else None,
            "tags": ["heedful/thread"],
        }
        vault.note(name, thread_note(values, title, messages, met, zone=vault.zone))
    vault.threads[thread_id] = first
    return link(first, title)


def _meet(vault: _Vault, message: StoredMessage, note: str, title: str) -> str:
    """Notes that somebody wrote here; returns a link to them, empty where nobody knows who it was."""
    author, key = message.author, author_of(message)
    if not key:
        return ""
    if key not in vault.people:
        shown = author.name or author.address
        vault.people[key] = Who(vault.folder.name("People", shown), shown)
    who = vault.people[key]
    who.messages += 1
    who.threads[note] = title
    if author.address:
        who.addresses[author.address] = None
    return link(who.note, who.name)


def _export_messages(vault: _Vault, source_id: SourceId, room: str) -> None:
    seqs = _seqs(vault.connection, "WHERE m.source_id = ? AND m.kind <> 'event' ORDER BY m.seq", source_id)
    if not seqs:
        return
    titles = {  # a thread may have begun in another source
        str(thread): str(title)
        for thread, title in vault.connection.rows(
            "SELECT DISTINCT t.id, t.title FROM messages m JOIN threads t ON t.id = m.thread_id WHERE m.source_id = ?",
            (source_id,),
        )
    }

    def read() -> Iterator[tuple[StoredMessage, str]]:
        for begin in range(0, len(seqs), AT_ONCE):
            some = seqs[begin : begin + AT_ONCE]
            identities = messages_store.identities(vault.connection, some)
            for message in messages_store.messages(vault.connection, some):
                yield message, identities[message.seq]

    name = vault.folder.name("messages", room, ending=".messages.jsonl")
    vault.folder.write(f"{name}.messages.jsonl", message_lines.lines(read(), titles))
    vault.messages += len(seqs)


def _export_events(vault: _Vault, source_id: SourceId, room: str) -> None:
    rows = vault.connection.rows(
        "SELECT m.id, s.raw FROM messages m JOIN calendar_series s ON s.message_seq = m.seq "
        "WHERE m.source_id = ? AND s.raw <> '' ORDER BY m.seq",
        (source_id,),
    )
    for message_id, raw in rows:
        name = vault.folder.name(f"calendars/{room}", str(message_id), ending=".ics")
        vault.folder.write(f"{name}.ics", [str(raw)])
    vault.events += len(rows)


def _export_people(vault: _Vault) -> None:
    for who in vault.people.values():
        values = {"addresses": list(who.addresses), "messages": who.messages, "tags": ["heedful/person"]}
        rows = (link(note, title) for note, title in who.threads.items())
        vault.note(who.note, list_note(values, who.name, "", rows))


def _export_days(vault: _Vault) -> None:
    rows = vault.connection.rows(
        "SELECT scope_id, text, method, made_by FROM nodes WHERE scope = 'day' AND text <> '' ORDER BY scope_id"
    )
    for day, text, method, made_by in rows:
        values = {"day": day, "method": method, "made_by": made_by, "tags": ["heedful/day"]}
        vault.note(vault.folder.name("Days", str(day)), list_note(values, str(day), str(text), ()))


def _rows(items: Sequence[Json], threads: Mapping[str, str]) -> Iterator[str]:
    return (item_row(item, threads) for item in items)


def _seqs(connection: Connection, narrowed: str, wanted: str) -> list[int]:
    return [
        int(seq or 0) for (seq,) in connection.rows(f"SELECT m.seq FROM messages m {narrowed}", (wanted,))
    ]


def _json(value: Sequence[Json]) -> list[str]:
    return [json.dumps(list(value), ensure_ascii=False, indent=1), "\n"]
