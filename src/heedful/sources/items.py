"""What a source brings in, as plain values: a message, an event, a note, or the reason why one was rejected."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heedful.reading.zones import Zone

IncomingKind = Literal["message", "event", "note"]

Channel = Literal["email", "calendar", "telegram", "slack", "whatsapp", "note", "chat", "system"]

Extent = Literal["everything", "newest", "newest of a thread"]
"""What a source still holds of what it once held: everything that was not deleted; or, as an export does that is made
anew now and then, everything since its oldest message, or since the oldest of each thread that is in it."""

EventStatus = Literal["confirmed", "tentative", "cancelled"]


@dataclass(frozen=True, slots=True)
class Person:
    """A correspondent as the source names them; either part may be empty, `address` is lower-case."""

    name: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Traits:
    """What the envelope says about a message, for judging whether a person asks something.

    `list_id` names a mailing list; `bulk` is true for newsletters and mass mail (List-Unsubscribe, Precedence:
    bulk, campaign headers); `automatic` for machine-made mail (Auto-Submitted, no-reply senders, bounces);
    `delivered_to` is the address it was delivered to; `sent_folder` is true when it lay in a folder of sent mail;
    `invitation` is an iTIP method such as REQUEST or CANCEL that came with it; `attachments` are file names.
    """

    list_id: str = ""
    bulk: bool = False
    automatic: bool = False
    delivered_to: str = ""
    sent_folder: bool = False
    invitation: str = ""
    attachments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time an event takes place. `key` names it within its series (its original start, or empty).

    `starts_at` and `ends_at` are aware; an all-day one runs from local midnight to local midnight, exclusive.
    `moved_from` is the start it had before it was moved, None when it was not.
    """

    key: str
    starts_at: datetime
    ends_at: datetime
    all_day: bool
    status: EventStatus
    moved_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message, an event series or a note.

    `external_id` is unique within its source and stays the same when the thing is edited (a mail's is its
    Message-ID); `identity` is the same wherever the thing is met, so that overlapping imports meet. `reply_to` is
    the external id of what it answers. `thread_key` groups within the source. `text` is the whole body as plain
    text; `zones` cover it. `sent_at` is aware and keeps its sender's offset. `from_me` is None when the source
    can't know.
    For an event series `text` is a readable rendering, `occurrences` are those within the horizon, and `raw` is
    the series as its file gave it.
    """

    kind: IncomingKind
    channel: Channel
    external_id: str
    identity: str
    thread_key: str
    thread_title: str
    author: Person
    sent_at: datetime
    subject: str
    text: str
    zones: tuple[Zone, ...]
    lang: str = "en"
    to: tuple[Person, ...] = ()
    cc: tuple[Person, ...] = ()
    reply_to: str | None = None
    from_me: bool | None = None
    traits: Traits = Traits()
    occurrences: tuple[Occurrence, ...] = ()
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """A part of a source is read from its beginning: what could not be read there before may be readable now.

    `part` is a `Rejected.place`, or what places begin with up to a comma; empty for the whole source. `is_rewritten`
    when more was read of it before: what has gone from it since, only a comparison of everything can tell.
    """

    part: str
    is_rewritten: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """One unusable message: where it stands in its file, and why, in words for the person.

    `is_refused` when the system refuses a whole file or folder: what was read from it before may well still be in it.
    """

    place: str
    reason: str
    is_refused: bool = False


FOLDER_END = "/"
"""What the place of a `Rejected` that is a whole folder ends with, where a file or a message never ends so."""


def folder_place(name: str) -> str:
    """How a `Rejected` names a folder as a whole."""
    return name + FOLDER_END
