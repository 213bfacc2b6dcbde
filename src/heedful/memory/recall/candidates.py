"""Passages that may answer a question, with everything their ranking looks at, read in few strokes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory.messages.stored import sent
from heedful.memory.search.terms import Filters, narrowed
from heedful.reading import parted
from heedful.storage import Connection, Value

AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage and the message it is from; `text` is the passage.

    `length` is the whole message's; signs of scripts that set no spaces count twice, for each is about a word.

    `previous` is the place of the message before it in its thread; None where it opened it.
    """

    seq: int
    chunk_id: ChunkId
    message_seq: int
    message_id: MessageId
    source_id: SourceId
    thread_id: ThreadId
    external_id: str
    author: str
    sent_at: datetime
    subject: str
    lang: str
    text: str
    length: int
    previous: int | None


def candidates(connection: Connection, seqs: Sequence[int], filters: Filters) -> list[Candidate]:
    """The passages of these places, which are `within` the filters, in the order given.

    Ids are compared whole here, which `within` tells apart by their first bytes.
    """
    where, bindings = narrowed(replace(filters, entity_id=None))
    found: dict[int, Candidate] = {}
    for begin in range(0, len(seqs), AT_ONCE):
        part = seqs[begin : begin + AT_ONCE]
        chosen = ", ".join(f":c{place}" for place in range(len(part)))
        named: dict[str, Value] = {**bindings, **{f"c{place}": seq for place, seq in enumerate(part)}}
        rows = connection.rows(
            "SELECT c.seq, c.id, c.start, c.finish, m.seq, m.id, m.source_id, m.thread_id, m.external_id, a.name, "
            "a.address, m.sent_at, m.sent_offset_min, m.subject, m.lang, (SELECT p.seq FROM messages p "
            "WHERE p.thread_id = m.thread_id AND (p.sent_at, p.seq) < (m.sent_at, m.seq) "
            "ORDER BY p.sent_at DESC, p.seq DESC LIMIT 1) FROM chunks c "
            "CROSS JOIN messages m ON m.seq = c.message_seq LEFT JOIN participants a ON a.id = m.author_id "
            f"WHERE c.seq IN ({chosen}) AND {where}",
            named,
        )
        texts = _texts(connection, list({int(row[4] or 0) for row in rows}))
        for row in rows:
            text = texts[int(row[4] or 0)]
            found[int(row[0] or 0)] = Candidate(
                seq=int(row[0] or 0),
                chunk_id=ChunkId(str(row[1])),
                message_seq=int(row[4] or 0),
                message_id=MessageId(str(row[5])),
                source_id=SourceId(str(row[6])),
                thread_id=ThreadId(str(row[7])),
                external_id=str(row[8]),
                author=str(row[9] or row[10] or ""),
                sent_at=sent(row[11], row[12]),
                subject=str(row[13]),
                lang=str(row[14]),
                text=text[int(row[2] or 0) : int(row[3] or 0)],
                length=len(parted(text)),
                previous=None if row[15] is None else int(row[15]),
            )
    return [found[seq] for seq in seqs if seq in found]


def _texts(connection: Connection, messages: Sequence[int]) -> dict[int, str]:
    """Each text once: a long message may have many passages among the candidates."""
    rows = connection.rows(
        f"SELECT seq, text FROM messages WHERE seq IN ({', '.join('?' * len(messages))})", list(messages)
    )
    return {int(seq or 0): str(text) for seq, text in rows}
