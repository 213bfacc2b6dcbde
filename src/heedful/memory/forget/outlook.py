"""What forgetting something would take with it, counted before it is done; nothing is changed."""

import json
from dataclasses import dataclass

from heedful.memory.forget.targets import TargetKind, find, messages_of
from heedful.memory.forget.traces import items_to_go
from heedful.storage import Connection


@dataclass(frozen=True, slots=True)
class Outlook:
    """How much goes: messages, their passages, and items that stand on them."""

    kind: TargetKind
    messages: int
    chunks: int
    items: int


def outlook(connection: Connection, word: str) -> Outlook:
    """What goes with what an id or a mail address names.

    Raises:
        RejectedError: It names nothing, or the person themselves.
    """
    target = find(connection, word)
    seqs = json.dumps(messages_of(connection, target))
    messages, chunks = connection.row(
        "SELECT json_array_length(:seqs), "
        "(SELECT count(*) FROM json_each(:seqs) j CROSS JOIN chunks c ON c.message_seq = j.value)",
        {"seqs": seqs},
    ) or (0, 0)
    return Outlook(target.kind, int(messages or 0), int(chunks or 0), items_to_go(connection, seqs))
