"""Exact quotes: from a place in a message to the evidence of an item."""

from heedful.actionables import Evidence
from heedful.memory import Chunk, StoredMessage
from heedful.reading import Span, ZoneKind


def evidence_at(message: StoredMessage, span: Span) -> Evidence | None:
    """What stands at a place of a message, cut at the end of the chunk it begins in; None outside every chunk."""
    chunk = next((chunk for chunk in message.chunks if chunk.start <= span.start < chunk.end), None)
    if chunk is None:
        return None
    return _evidence(message, chunk, span.start, min(span.end, chunk.end))


def _evidence(message: StoredMessage, chunk: Chunk, start: int, end: int) -> Evidence | None:
    written = message.text[start:end]
    end = start + len(written.rstrip())
    if not message.text[start:end].strip():
        return None
    return Evidence(
        chunk_id=chunk.id,
        message_id=message.id,
        source_id=message.source_id,
        thread_id=message.thread_id,
        quote=message.text[start:end],
        start=start,
        end=end,
        said_at=message.sent_at,
    )


def new_spans(message: StoredMessage) -> tuple[Span, ...]:
    """The parts of a message that its author wrote in it; the whole text when nobody told its zones."""
    if not message.zones:
        return (Span(0, len(message.text)),) if message.text else ()
    return tuple(Span(zone.start, zone.end) for zone in message.zones if zone.kind is ZoneKind.NEW)


def is_new_text(message: StoredMessage, span: Span) -> bool:
    """Whether a place lies wholly in what the author wrote."""
    return any(part.start <= span.start and span.end <= part.end for part in new_spans(message))


def new_text(message: StoredMessage) -> str:
    """What the author wrote, without quotes, signature and footers."""
    return "".join(part.of(message.text) for part in new_spans(message)).strip()
