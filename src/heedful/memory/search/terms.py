"""What `search` and `recall` share: what narrows them, and a person's words as the index takes them."""

import json
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.ids import SourceId, ThreadId
from heedful.memory.messages.cleaning import storable
from heedful.reading import parted
from heedful.storage import Value


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrows a look-up: to a source, to those `among`, to a thread, to messages sent in [since, until]; None does not.

    `entity_id` keeps to messages that a person or thing wrote, received, or is named in, under whatever name.
    """

    source_id: SourceId | None = None
    among: frozenset[SourceId] | None = None
    since: datetime | None = None
    until: datetime | None = None
    entity_id: str | None = None
    thread_id: ThreadId | None = None


UNFILTERED = Filters()


# Whoever stands in a message's head is noted at its first passage alone, so the whole message counts.
_MENTIONED = (
    "IN (SELECT k.message_seq FROM entities s JOIN entities e ON e.canonical = s.canonical "
    "JOIN mentions x ON x.entity_seq = e.seq JOIN chunk_places k ON k.chunk_seq = x.chunk_seq WHERE s.id = :entity)"
)


def quoted(words: str) -> str:
    """Words as one phrase of the index, whatever signs are in them; `indexed` is how the index holds a text."""
    return '"' + indexed(words).replace('"', '""') + '"'


def spelled(words: str) -> str:
    """Words as a phrase of the index in either German spelling: «weiss» is «weiß» too, and the other way round."""
    small = words.lower()
    ways = dict.fromkeys((words, small.replace("ß", "ss"), small.replace("ss", "ß")))
    return " OR ".join(map(quoted, ways)) if "ss" in small or "ß" in small else quoted(words)


def indexed(text: str) -> str:
    """A text as it goes into the index: what no spaces part is parted, so that each word in it is found."""
    return parted(storable(text))


def narrowed(filters: Filters) -> tuple[str, dict[str, Value]]:
    """A condition over `messages m` and its bindings; TRUE where nothing narrows."""
    clauses, bindings = [], dict[str, Value]()
    if filters.source_id is not None:
        clauses.append("m.source_id = :source")
        bindings["source"] = filters.source_id
    if filters.among is not None:
        clauses.append("m.source_id IN (SELECT value FROM json_each(:among))")
        bindings["among"] = json.dumps(sorted(filters.among))
    if filters.since is not None:
        clauses.append("m.sent_at >= :since")
        bindings["since"] = to_millis(filters.since)
    if filters.until is not None:
        clauses.append("m.sent_at <= :until")
        bindings["until"] = to_millis(filters.until)
    if filters.entity_id is not None:
        clauses.append(f"m.seq {_MENTIONED}")
        bindings["entity"] = filters.entity_id
    if filters.thread_id is not None:
        clauses.append("m.thread_id = :thread")
        bindings["thread"] = filters.thread_id
    return " AND ".join(clauses) or "TRUE", bindings


def placed(filters: Filters) -> str:
    """What `narrowed` asks of a message, as conditions on its chunks in `chunk_places p`, by the same bindings.

    Ids are compared by their first bytes, so what comes through is narrowed once more where it is read. Empty where
    nothing narrows.
    """
    clauses = {
        f"p.source = {_short(':source', 8)}": filters.source_id is not None,
        f"p.source IN (SELECT {_short('value', 8)} FROM json_each(:among))": filters.among is not None,
        f"p.thread = {_short(':thread', 12)}": filters.thread_id is not None,
        "p.sent_at >= :since": filters.since is not None,
        "p.sent_at <= :until": filters.until is not None,
        f"p.message_seq {_MENTIONED}": filters.entity_id is not None,
    }
    return " AND ".join(clause for clause, narrows in clauses.items() if narrows)


def _short(name: str, digits: int) -> str:
    """The first bytes of an id as the triggers of `chunk_places` keep them."""
    return f"coalesce(unhex(substr({name}, 1, {digits})), CAST({name} AS BLOB))"
