"""The machine-readable formats, as people script against them: fields are added, never changed in meaning."""

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # whoever has such a thing has loaded its room; telling it needs no more
    from heedful.actionables import Actionable, Evidence
    from heedful.conscious import Explanation, TickRow
    from heedful.inference import LedgerEntry
    from heedful.judgement import Sighting
    from heedful.memory import SourceRow
    from heedful.reading import DateMention

Json = dict[str, object]


def moment(value: datetime | None) -> str | None:
    """ISO 8601 with its offset, to the second; None stays None."""
    return None if value is None else value.isoformat(timespec="seconds")


def actionable(item: "Actionable") -> Json:
    """An item: first the fields that every reader of the format knows, then those that came later."""
    draft = item.draft
    return {
        "id": item.id,
        "title": draft.title,
        "description": draft.description,
        "source": draft.source.value,
        "priority": draft.priority.value,
        "actionable": draft.actionable,
        "requires_confirmation": draft.requires_confirmation,
        "has_complex_action": draft.has_complex_action,
        "source_label": draft.source_label,
        "state": item.state.value,
        "due": moment(draft.due),
        "due_text": draft.due_text,
        "direction": draft.direction,
        "people": list(draft.people),
        "evidence": [evidence(e) for e in draft.evidence],
        "done_by": None if draft.done_by is None else evidence(draft.done_by),
        "proposed_action": None,
        "created_at": moment(item.created_at),
        "updated_at": moment(item.updated_at),
        "last_seen_at": moment(item.last_seen_at),
        "snoozed_until": moment(item.snoozed_until),
        "expires_at": moment(draft.expires_at),
        "found_by": draft.found_by,
        "prompt": draft.prompt,
        "confidence": round(draft.confidence, 3),
        "reasons": list(draft.reasons),
    }


def evidence(e: "Evidence") -> Json:
    """A quotation with its place."""
    return {
        "chunk_id": e.chunk_id,
        "message_id": e.message_id,
        "source_id": e.source_id,
        "thread_id": e.thread_id,
        "quote": e.quote,
        "start": e.start,
        "end": e.end,
        "said_at": moment(e.said_at),
    }


def tick(row: "TickRow") -> Json:
    """A look; `rejected` and `notes` are sentences."""
    return {
        "run_id": row.run_id,
        "outcome": row.outcome,
        "cause": row.cause,
        "started_at": moment(row.started_at),
        "provider": row.provider,
        "model": row.model,
        "namespaces": list(row.namespaces),
        "messages": row.messages,
        "actionable_count": row.actionable_count,
        "new": row.new,
        "updated": row.updated,
        "rejected": list(row.rejected),
        "notes": list(row.notes),
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "model_calls": row.model_calls,
        "duration_ms": row.duration_ms,
        "error": row.error,
        "error_type": row.error_type,
    }


def source(row: "SourceRow") -> Json:
    """A source."""
    return {
        "id": row.id,
        "kind": row.kind,
        "name": row.name,
        "state": row.state,
        "last_sync": moment(row.last_sync_at),
        "messages": row.messages,
        "rejected": row.rejected,
        "error": row.error,
        "egress": row.egress,
        "path": str(row.path),
        "watched": row.watched,
        "last_new": moment(row.last_new_at),
        "pending": row.pending,
        "missing": row.missing,
        "unread_folders": list(row.unread),
        "stopped": None
        if row.stop is None
        else {"reason": row.stop.reason, "done": row.stop.done, "total": row.stop.total},
        "keep_days": row.keep_days,
    }


def ledger_entry(entry: "LedgerEntry") -> Json:
    """A model call, with what was sent and what came back while those are kept."""
    return {
        "id": entry.id,
        "run_id": entry.run_id,
        "at": moment(entry.at),
        "purpose": entry.purpose,
        "provider": entry.provider,
        "host": entry.host,
        "model": entry.model,
        "prompt": entry.prompt,
        "source_ids": list(entry.source_ids),
        "input_tokens": entry.usage.input,
        "cached_tokens": entry.usage.cached,
        "output_tokens": entry.usage.output,
        "cost_dollars": None if entry.cost_microdollars is None else entry.cost_microdollars / 1e6,
        "duration_ms": entry.duration_ms,
        "attempts": entry.attempts,
        "outcome": entry.outcome.value,
        "error": entry.error,
        "request": entry.request,
        "response": entry.response,
    }


def explanation(why: "Explanation") -> Json:
    """Why an item is there, or why a message stayed silent."""
    return {"id": why.id, "verdict": why.verdict, "subject": why.subject, "reasons": list(why.reasons)}


def sighting(seen: "Sighting") -> Json:
    """What the built-in finder saw in a sentence."""
    return {
        "quote": seen.quote,
        "start": seen.start,
        "end": seen.end,
        "kind": seen.kind,
        "score": round(seen.score, 3),
    }


def date_mention(mention: "DateMention") -> Json:
    """What was understood as a date or time."""
    return {
        "text": mention.text,
        "start": mention.start,
        "end": mention.end,
        "from": moment(mention.begin),
        "to": moment(mention.finish),
        "kind": mention.kind,
    }
