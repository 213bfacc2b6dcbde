"""The notes of an exported vault: Markdown with front matter, linked to each other.

What others wrote stands quoted and defused: nothing in it becomes a link, a picture to fetch, a tag, HTML or a
plugin's code.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from heedful.memory.messages.stored import StoredMessage

FrontMatter = Mapping[str, object]

_NOT_IN_LINKS = re.compile(r"[\[\]|<>`$%\\]+")
_LIVE = re.compile(r"\\|<|\[|\]\]|`|\^(?=\w)|%%|\$|(?<!\S)#(?=[^\s#])")


@dataclass(slots=True)
class Who:
    """A person's note while threads are gone through: name and addresses as met, and the threads they wrote in."""

    note: str
    name: str
    addresses: dict[str, None] = field(default_factory=dict)
    messages: int = 0
    threads: dict[str, str] = field(default_factory=dict)


def head(values: FrontMatter) -> Iterator[str]:
    """Front matter; each value as JSON, which YAML reads alike."""
    yield "---\n"
    for name, value in values.items():
        if value not in (None, "", []):
            yield f"{name}: {json.dumps(value, ensure_ascii=False)}\n"
    yield "---\n"


def link(note: str, shown: str) -> str:
    """A wiki link that reads as `shown`."""
    plain = " ".join(_NOT_IN_LINKS.sub(" ", shown).split()) or note.rpartition("/")[2]
    return f"[[{note}|{plain}]]"


def quoted(text: str) -> Iterator[str]:
    """Somebody's words, line by line, so that they read as they were written and do nothing."""
    for line in text.splitlines() or [""]:
        yield f"> {_LIVE.sub(_defused, line)}\n"


def _defused(match: re.Match[str]) -> str:
    return "&lt;" if match[0] == "<" else "".join(f"\\{letter}" for letter in match[0])


def author_of(message: StoredMessage) -> str:
    """By what an author is known: an address, or a name where there is none; empty where nobody is named."""
    return message.author.address or message.author.name


def thread_note(
    values: FrontMatter,
    title: str,
    messages: Iterable[StoredMessage],
    people: Mapping[str, str],
    *,
    zone: tzinfo,
) -> Iterator[str]:
    """A part of a thread; `people` are links to its authors, by `author_of`."""
    yield from head(values)
    yield f"# {_line(title) or 'Untitled'}\n"
    for message in messages:
        by = people.get(author_of(message)) or "Somebody"
        yield f"\n## {by}, {_moment(message.sent_at, zone)}\n\n"
        if message.subject and message.subject != title:
            yield f"**{_line(message.subject)}**\n\n"
        yield from quoted(message.text)


def list_note(values: FrontMatter, title: str, text: str, rows: Iterable[str]) -> Iterator[str]:
    """A note of links below a text, which may be empty."""
    yield from head(values)
    yield f"# {_line(title) or 'Untitled'}\n\n"
    if text:
        yield from quoted(text)
        yield "\n"
    for row in rows:
        yield f"- {row}\n"


def item_row(item: Mapping[str, object], threads: Mapping[str, str]) -> str:
    """An item as a line, linked to the threads it came from."""
    mark = "x" if item.get("state") in ("completed", "approved") else " "
    evidence = item.get("evidence")
    found = evidence if isinstance(evidence, list) else []
    named = [str(one.get("thread_id")) for one in found if isinstance(one, dict)]
    links = [link(threads[thread], "source") for thread in dict.fromkeys(named) if thread in threads]
    due = f", due {item['due']}" if item.get("due") else ""
    state = f" ({item.get('state')}{due})"
    return f"[{mark}] {_line(str(item.get('title', '')))}{state} {' '.join(links)}".rstrip()


def _line(text: str) -> str:
    return " ".join(_LIVE.sub(_defused, text).split())


def _moment(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
