"""Messages in the generic import format, one a line, so that an export can be read in again."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from heedful.memory.messages.stored import StoredMessage
from heedful.sources import Person, Traits


def lines(messages: Iterator[tuple[StoredMessage, str]], titles: dict[str, str]) -> Iterator[str]:
    """A line for each message with its identity; `titles` are those of the threads."""
    seen: set[str] = set()
    for message, identity in messages:
        name = message.id if message.external_id in seen or not message.external_id else message.external_id
        seen.add(name)
        row = {"id": name, "identity": identity, **_row(message, titles.get(message.thread_id, ""))}
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _row(message: StoredMessage, title: str) -> dict[str, object]:
    return {
        "thread": message.thread_id,
        "thread_title": title,
        "author": _person(message.author),
        "to": [_person(person) for person in message.to],
        "cc": [_person(person) for person in message.cc],
        "sent_at": message.sent_at.isoformat(),
        "subject": message.subject,
        "text": message.text,
        "reply_to": message.reply_to,
        "from_me": message.from_me,
        "channel": message.channel,
        "traits": _traits(message.traits),
    }


def _traits(traits: Traits) -> dict[str, object]:
    return {name: value for name, value in asdict(traits).items() if value}


def _person(person: Person) -> dict[str, str]:
    return {"name": person.name, "address": person.address}
