"""Which messages the person had forgotten while a source still holds them, as digests that tell nothing of them."""

from heedful.core.ids import MessageId, SourceId
from heedful.storage import Connection


def keep_out(connection: Connection, seqs: str) -> None:
    """Notes for every source that holds one of these messages (places of arrival, as JSON) not to take it in again."""
    connection.execute(
        "INSERT OR IGNORE INTO forgotten_messages (source_id, message_id) SELECT o.source_id, m.id FROM origins o "
        "JOIN messages m ON m.seq = o.message_seq JOIN json_each(?) j ON j.value = m.seq",
        (seqs,),
    )


def is_kept_out(connection: Connection, source_id: SourceId, message_id: MessageId) -> bool:
    """Whether a message that a source yields is one the person had forgotten."""
    found = connection.value(
        "SELECT 1 FROM forgotten_messages WHERE source_id = ? AND message_id = ?", (source_id, message_id)
    )
    return found is not None
