"""What the tools give back, as the schemas promise it: the rows of `memory.tree_rows`, and what holds them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from heedful.memory.entities.kinds import EntityKind


class Result(BaseModel):
    """What every result has in common."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Original(Result):
    """A text as it was before compression: `text` where it is UTF-8, else `base64`."""

    id: str
    text: str | None
    base64: str | None


class Days(Result):
    """How a hit belongs to days that were asked for, both ends included: written on one of them, or naming them."""

    how: Literal["from", "names"]
    first: str
    last: str


class Why(Result):
    """Why a hit is where it is; null where that way of looking was not taken."""

    fts_rank: int | None
    cosine: float | None
    boosts: dict[str, float]
    days: Days | None


class HitResult(Result):
    """A passage or summary that was found; a higher score is better.

    For a program that may see a part of the memory the score is one over the hit's place, and `why` leaves out what the
    rest has a part in.
    """

    id: str
    kind: Literal["chunk", "node"]
    score: float
    why: Why
    source_id: str
    thread_id: str
    message_id: str
    external_id: str
    author: str
    sent_at: str
    subject: str
    excerpt: str
    degraded: bool


class Found(Result):
    """What was found, the best first; `degraded` says that matching by meaning was missing."""

    hits: list[HitResult]
    degraded: bool


class Assembled(Result):
    """A context between its two marks, ready for a prompt; `ids` are the passages and summaries in it, in their order.

    Where nothing was found, `text` is empty.
    """

    text: str
    tokens: int
    ids: list[str]
    degraded: bool


class Passage(Result):
    """A passage whole, with its message, or a summary of what lies below it in the tree.

    `thread_title` is what the conversation is called, a chat say. The neighbours are passages of the same message.
    `above_id` is the summary that a passage or summary went into, `below_ids` what a summary is made of; `made_by` says
    who wrote it and is empty for a passage. A summary has the time of the newest message below it, and leaves empty
    what it does not have.
    """

    id: str
    kind: Literal["chunk", "node"]
    source_id: str
    source_name: str
    thread_id: str
    thread_title: str
    message_id: str
    external_id: str
    author: str
    to: list[str]
    sent_at: str
    subject: str
    text: str
    previous_id: str | None
    next_id: str | None
    above_id: str | None
    below_ids: list[str]
    made_by: str


class Row(Result):
    """A passage as a list shows it."""

    id: str
    source_id: str
    thread_id: str
    message_id: str
    external_id: str
    author: str
    sent_at: str
    sent_at_ms: int
    subject: str
    excerpt: str


class Page(Result):
    """The newest first; `next_offset` is null on the last page, `total` counts all pages as of the first."""

    chunks: list[Row]
    total: int
    next_offset: int | None


class EntityResult(Result):
    """A person or thing; `count` is how many passages mention it."""

    id: str
    kind: EntityKind
    name: str
    count: int
    last_at: str


class Entities(Result):
    """The most mentioned first."""

    entities: list[EntityResult]


class Stopped(Result):
    """Why the last reading of a source ended early: after so many of about `total`, where that is known."""

    reason: str
    done: int
    total: int | None


class SourceResult(Result):
    """A source and what it holds; `pending` messages still wait for the memory's own work.

    `last_new` is when something last came in, whatever its own date; `last_sync` when it was last read to its end.
    """

    id: str
    kind: str
    name: str
    state: Literal["active", "paused", "error"]
    egress: Literal["allowed", "local-only"]
    messages: int
    chunks: int
    pending: int
    rejected: int
    oldest: str | None
    most_recent: str | None
    most_recent_ms: int | None
    last_new: str | None
    last_sync: str | None
    stopped: Stopped | None


class Sources(Result):
    """The source with the newest message first."""

    sources: list[SourceResult]
