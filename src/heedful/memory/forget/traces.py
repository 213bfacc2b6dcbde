"""What messages left behind outside the memory's own tables: items, judgements, what was sent to a model.

The tables are other rooms'; they are named here together so that forgetting can be read, and tested, as one whole.
Where a row can't be traced back to single messages, everything that may hold their words goes.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from heedful.core.ids import ActionableId
from heedful.memory.messages import messages_store
from heedful.storage import Connection

_WORDS = re.compile(r"\w{4,}")

EMPTIED = "What this came from is gone"
"""The title of an item that was decided before the last message behind it went from its source."""

_ITEM_TEXTS = (
    "title, description, source_label, coalesce(due_text, ''), people, coalesce(proposed_action, ''), reasons"
)

_OF_THESE = (
    "SELECT m.id FROM messages m JOIN json_each(:seqs) j ON j.value = m.seq "
    "JOIN actionable_evidence x ON x.message_id = m.id"
)
_FOUND = "AND e.role = 'found'"
_TOUCHED = f"SELECT DISTINCT e.actionable_id FROM actionable_evidence e WHERE e.message_id IN ({_OF_THESE})"


@dataclass(frozen=True, slots=True)
class Traces:
    """What went beside the messages; `items` are those removed or changed, `texts` requests and answers of calls."""

    items: tuple[ActionableId, ...]
    removed_items: int
    texts: int
    originals: int


def forget_traces(connection: Connection, seqs: str, *, keeps_decided: bool = False) -> Traces:
    """Removes what was made of these messages (places of arrival, as JSON), while the messages are still there.

    With `keeps_decided` an item the person or time has ended stays, with its history and without its words.
    """
    removed, changed = _forget_items(connection, seqs, keeps_decided=keeps_decided)
    _forget_verdicts(connection, seqs)
    since = connection.value(
        "SELECT min(m.ingested_at) FROM messages m JOIN json_each(?) j ON j.value = m.seq", (seqs,)
    )
    if since is None:
        return Traces((*removed, *changed), len(removed), 0, 0)
    connection.execute(
        "UPDATE ticks SET rejected = '[]' WHERE rejected <> '[]' AND started_at + duration_ms >= ?", (since,)
    )
    texts = connection.execute(
        "UPDATE ledger SET request = NULL, response = NULL WHERE (request IS NOT NULL OR response IS NOT NULL) "
        "AND at + duration_ms >= :since AND (source_ids = '[]' OR EXISTS (SELECT 1 FROM json_each(ledger.source_ids) l "
        "WHERE l.value IN (SELECT o.source_id FROM origins o JOIN json_each(:seqs) j ON j.value = o.message_seq "
        "UNION SELECT m.source_id FROM messages m JOIN json_each(:seqs) j ON j.value = m.seq)))",
        {"since": since, "seqs": seqs},
    )
    originals = connection.execute("DELETE FROM originals WHERE kept_at >= ?", (since,))
    return Traces((*removed, *changed), len(removed), texts, originals)


def items_to_go(connection: Connection, seqs: str) -> int:
    """How many items would go with these messages; one that others support is read, and not counted where it stays."""
    touched = connection.value(f"SELECT count(*) FROM ({_TOUCHED})", {"seqs": seqs})
    supported = connection.rows(
        "SELECT DISTINCT e.actionable_id FROM actionable_evidence e JOIN messages m ON m.id = e.message_id "
        f"WHERE e.actionable_id IN ({_TOUCHED}) {_FOUND} AND m.seq NOT IN (SELECT value FROM json_each(:seqs))",
        {"seqs": seqs},
    )
    staying = [found for (found,) in supported if _stands_without(connection, ActionableId(str(found)), seqs)]
    return int(touched or 0) - len(staying)


def _forget_items(
    connection: Connection, seqs: str, *, keeps_decided: bool
) -> tuple[list[ActionableId], list[ActionableId]]:
    """Removes the items that stand on these messages; one that others support stays, without their evidence.

    It stays only where its own words are those of the others too; else it goes, and they are looked at again.
    """
    removed: list[ActionableId] = []
    changed: list[ActionableId] = []
    for (found,) in connection.rows(_TOUCHED, {"seqs": seqs}):
        item_id = ActionableId(str(found))
        if _stands_without(connection, item_id, seqs):
            connection.execute(
                f"DELETE FROM actionable_evidence WHERE actionable_id = :item AND message_id IN ({_OF_THESE})",
                {"item": item_id, "seqs": seqs},
            )
            changed.append(item_id)
        elif keeps_decided and _is_ended(connection, item_id):
            _empty_item(connection, item_id)
            changed.append(item_id)
        else:
            _remove_item(connection, item_id, seqs)
            removed.append(item_id)
    return removed, changed


def drop_unsupported(connection: Connection, item_ids: Iterable[ActionableId]) -> None:
    """Removes those of the items that no sentence supports any more; one that was ended stays without its words."""
    for item_id in item_ids:
        supported = connection.value(
            "SELECT 1 FROM actionable_evidence WHERE actionable_id = ? AND role = 'found'", (item_id,)
        )
        if supported is None and _is_ended(connection, item_id):
            _empty_item(connection, item_id)
        elif supported is None:
            _remove_item(connection, item_id, "[]")


def _is_ended(connection: Connection, item_id: ActionableId) -> bool:
    state = connection.value("SELECT state FROM actionables WHERE id = ?", (item_id,))
    return state not in {"active", "awaiting", "snoozed"}


def _empty_item(connection: Connection, item_id: ActionableId) -> None:
    """Leaves of an item what was decided and when; its id, a digest of its title, is how it is known again."""
    connection.execute(
        "UPDATE actionables SET title = ?, description = '', source_label = '', due_text = NULL, people = '[]', "
        "proposed_action = NULL, reasons = '[]' WHERE id = ?",
        (EMPTIED, item_id),
    )
    connection.execute("DELETE FROM actionable_evidence WHERE actionable_id = ?", (item_id,))
    connection.execute("DELETE FROM interruptions WHERE actionable_id = ?", (item_id,))


def _stands_without(connection: Connection, item_id: ActionableId, seqs: str) -> bool:
    left = _texts(
        connection, item_id, f"AND m.seq NOT IN (SELECT value FROM json_each(:seqs)) {_FOUND}", seqs
    )
    if not left:
        return False
    gone = _texts(connection, item_id, "AND m.seq IN (SELECT value FROM json_each(:seqs))", seqs)
    item = connection.row(f"SELECT {_ITEM_TEXTS} FROM actionables WHERE id = ?", (item_id,)) or ()
    return not owes(_strings(item), gone, left)


def _texts(connection: Connection, item_id: ActionableId, narrowed: str, seqs: str) -> list[str]:
    rows = connection.rows(
        "SELECT DISTINCT m.subject, m.text, a.name, a.address FROM actionable_evidence e "
        "JOIN messages m ON m.id = e.message_id LEFT JOIN participants a ON a.id = m.author_id "
        f"WHERE e.actionable_id = :item {narrowed}",
        {"item": item_id, "seqs": seqs},
    )
    return [text for row in rows for text in _strings(row)]


def _remove_item(connection: Connection, item_id: ActionableId, seqs: str) -> None:
    """Removes an item with its history; what else supported it counts as changed, so that it is judged again."""
    rows = connection.rows(
        "SELECT DISTINCT m.seq FROM actionable_evidence e JOIN messages m ON m.id = e.message_id "
        "WHERE e.actionable_id = ? AND m.seq NOT IN (SELECT value FROM json_each(?)) "
        "AND EXISTS (SELECT 1 FROM actionables i WHERE i.id = e.actionable_id "
        "AND i.state IN ('active', 'awaiting', 'snoozed'))",
        (item_id, seqs),
    )
    for (seq,) in rows:
        connection.execute(
            "UPDATE messages SET changed = ? WHERE seq = ?", (messages_store.last_change(connection) + 1, seq)
        )
    connection.execute("DELETE FROM interruptions WHERE actionable_id = ?", (item_id,))
    connection.execute("DELETE FROM actionables WHERE id = ?", (item_id,))


def _forget_verdicts(connection: Connection, seqs: str) -> None:
    """Removes judgements on the rest of the threads that speak in words only these messages had."""
    rows = connection.rows(
        "SELECT v.message_seq, v.reasons, m.subject, m.text FROM verdicts v JOIN messages m ON m.seq = v.message_seq "
        "WHERE m.thread_id IN (SELECT g.thread_id FROM messages g JOIN json_each(:seqs) j ON j.value = g.seq) "
        "AND m.seq NOT IN (SELECT value FROM json_each(:seqs))",
        {"seqs": seqs},
    )
    if not rows:
        return
    gone = connection.rows(
        "SELECT m.subject, m.text, a.name FROM messages m JOIN json_each(?) j ON j.value = m.seq "
        "LEFT JOIN participants a ON a.id = m.author_id",
        (seqs,),
    )
    texts = [text for row in gone for text in _strings(row)]
    for seq, reasons, subject, text in rows:
        if owes([str(reasons)], texts, [str(subject), str(text)]):
            connection.execute("DELETE FROM verdicts WHERE message_seq = ?", (seq,))


def owes(made: Iterable[str], gone: Iterable[str], left: Iterable[str]) -> bool:
    """Whether a text has words, of four letters or more, from what goes that are not in what is left too."""
    return not (_words(made) & _words(gone)) <= _words(left)


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORDS.findall(_plain(text).casefold()))


def _plain(text: str) -> str:
    """The text of a column that may hold JSON with escaped letters."""
    if not text.startswith("["):
        return text
    try:
        return " ".join(str(part) for part in json.loads(text))
    except ValueError:
        return text


def _strings(row: Iterable[object]) -> list[str]:
    return [value for value in row if isinstance(value, str)]
