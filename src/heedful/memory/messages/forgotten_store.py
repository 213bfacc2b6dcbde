"""Which messages the person had forgotten while a source still holds them, as digests that tell nothing of them.

A note is its name and nothing else to its source; moved to another, it is known by its text.
"""

import json

from heedful.core.ids import MessageId, SourceId, content_id
from heedful.storage import Connection


def keep_out(connection: Connection, seqs: str) -> None:
    """Notes for every source that holds one of these messages (places of arrival, as JSON) not to take it in again."""
    connection.execute(
        "INSERT OR IGNORE INTO forgotten_messages (source_id, message_id) SELECT o.source_id, m.id FROM origins o "
        "JOIN messages m ON m.seq = o.message_seq JOIN json_each(?) j ON j.value = m.seq",
        (seqs,),
    )
    held = connection.rows(
        "SELECT o.source_id, o.external_id, m.kind, m.text FROM origins o JOIN messages m ON m.seq = o.message_seq "
        "JOIN json_each(?) j ON j.value = o.message_seq",
        (seqs,),
    )
    connection.execute_many(
        "INSERT OR IGNORE INTO forgotten_messages (source_id, message_id) VALUES (?, ?)",
        [
            (source_id, digest)
            for source_id, external_id, kind, text in held
            for digest in _digests(str(external_id), kind=str(kind), text=str(text))
        ],
    )


def is_kept_out(
    connection: Connection,
    source_id: SourceId,
    message_id: MessageId,
    external_id: str,
    *,
    kind: str,
    text: str,
) -> bool:
    """Whether a message that a source yields is one the person had forgotten, or that one edited since."""
    found = connection.value(
        "SELECT 1 FROM forgotten_messages WHERE source_id = ? AND message_id IN (SELECT value FROM json_each(?))",
        (source_id, json.dumps([message_id, *_digests(external_id, kind=kind, text=text)])),
    )
    return found is not None


def _digests(external_id: str, *, kind: str, text: str) -> list[str]:
    by_text = [content_id("forgotten note", text)] if kind == "note" and text else []
    return [_digest(external_id), *by_text]


def _digest(external_id: str) -> str:
    return content_id("forgotten", external_id)
