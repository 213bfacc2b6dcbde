"""What an edited message leaves behind: items that quote it, and vectors that took its old words in.

A quotation follows its sentence to where it stands now. What was put in other words is quoted anew, as long as it
names the same numbers and days; a sentence that is gone, or says another day, is evidence of nothing any more. An item
without evidence goes, and the finders look at the message again.
"""

from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis
from heedful.core.ids import ActionableId
from heedful.memory.forget.traces import drop_unsupported
from heedful.reading import find_dates, numbers_in, sentences
from heedful.storage import Connection

ALIKE = 80.0
"""From what likeness on, of 100, a sentence is another wording of the one quoted."""


@dataclass(frozen=True, slots=True)
class _Place:
    quote: str
    start: int
    end: int


def follow_edit(connection: Connection, message_seq: int) -> None:
    """Lets items quote what an edited message says now; runs once its new passages are there."""
    message = connection.row("SELECT id, text, lang, sent_at FROM messages WHERE seq = ?", (message_seq,))
    if message is None:
        return
    rows = connection.rows(
        "SELECT actionable_id, place, quote, start FROM actionable_evidence WHERE message_id = ?",
        (message[0],),
    )
    text, lang, sent_at = str(message[1]), str(message[2]), from_millis(int(message[3] or 0))
    for item_id, place, quote, start in rows:
        found = _verbatim(text, str(quote), near=int(start or 0)) or _reworded(
            text, str(quote), lang=lang, at=sent_at
        )
        if found is not None:
            _requote(connection, str(item_id), int(place or 0), message_seq, found)
        else:
            connection.execute(
                "DELETE FROM actionable_evidence WHERE actionable_id = ? AND place = ?", (item_id, place)
            )
    drop_unsupported(connection, {ActionableId(str(item_id)) for item_id, *_ in rows})


def _requote(connection: Connection, item_id: str, place: int, message_seq: int, found: _Place) -> None:
    connection.execute(
        "UPDATE actionable_evidence SET quote = ?, start = ?, finish = ?, chunk_id = coalesce("
        "(SELECT c.id FROM chunks c WHERE c.message_seq = ? AND c.start <= ? ORDER BY c.start DESC LIMIT 1), chunk_id) "
        "WHERE actionable_id = ? AND place = ?",
        (found.quote, found.start, found.end, message_seq, found.start, item_id, place),
    )


def _verbatim(text: str, quote: str, *, near: int) -> _Place | None:
    """Where the quotation stands word for word, the place nearest to where it stood."""
    if not quote:
        return None
    places = []
    start = text.find(quote)
    while start >= 0:
        places.append(start)
        start = text.find(quote, start + 1)
    if not places:
        return None
    start = min(places, key=lambda place: abs(place - near))
    return _Place(quote, start, start + len(quote))


def _reworded(text: str, quote: str, *, lang: str, at: datetime) -> _Place | None:
    """The sentence that says the same in other words, with the same numbers and days."""
    from rapidfuzz import fuzz  # it costs 30 ms, and few messages are ever edited

    best = max(sentences(text, lang), key=lambda one: fuzz.ratio(one.text, quote), default=None)
    if best is None or fuzz.ratio(best.text, quote) < ALIKE:
        return None
    if numbers_in(best.text) != numbers_in(quote) or _days(best.text, lang, at) != _days(quote, lang, at):
        return None
    return _Place(best.text, best.start, best.end)


def _days(text: str, lang: str, at: datetime) -> frozenset[tuple[datetime | None, datetime | None]]:
    return frozenset((one.begin, one.finish) for one in find_dates(text, at=at, lang=lang))
