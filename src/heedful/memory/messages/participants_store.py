"""Those who wrote or received messages, as the messages name them; nobody stays whom none names any more."""

import json

from heedful.storage import Connection


def people_of(connection: Connection, seqs: str) -> str:
    """The rows of those who wrote or received these messages (places of arrival, as JSON), as JSON."""
    rows = connection.rows(
        "SELECT m.author_id FROM messages m JOIN json_each(:seqs) j ON j.value = m.seq "
        "WHERE m.author_id IS NOT NULL UNION SELECT r.participant_id FROM recipients r "
        "JOIN json_each(:seqs) j ON j.value = r.message_seq",
        {"seqs": seqs},
    )
    return json.dumps([seq for (seq,) in rows])


def forget_unmet(connection: Connection, people: str) -> None:
    """Removes those of these rows (as JSON) that no message names."""
    connection.execute(
        "DELETE FROM participants WHERE id IN (SELECT value FROM json_each(?)) "
        "AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.author_id = participants.id) "
        "AND NOT EXISTS (SELECT 1 FROM recipients r WHERE r.participant_id = participants.id)",
        (people,),
    )
