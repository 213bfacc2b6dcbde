"""Which items come first when there are too many for one run."""

from collections.abc import Iterable
from datetime import UTC, datetime

from heedful.actionables import Draft

RUN_LIMIT = 20
"""So many new items one look keeps, the most urgent first."""

_NEVER = datetime.max.replace(tzinfo=UTC)


def most_urgent(
    drafts: Iterable[Draft], limit: int = RUN_LIMIT
) -> tuple[tuple[Draft, ...], tuple[Draft, ...]]:
    """The drafts kept, the most urgent first, and those dropped.

    Open before done, then by priority, then the earlier due, then what is surer, then the newer evidence.
    """
    ranked = sorted(drafts, key=_urgency)
    return tuple(ranked[:limit]), tuple(ranked[limit:])


def _urgency(draft: Draft) -> tuple[bool, int, float, float, float, str]:
    said_at = max((evidence.said_at.timestamp() for evidence in draft.evidence), default=0.0)
    due = (draft.due or _NEVER).timestamp()
    return draft.done_by is not None, draft.priority.rank, due, -draft.confidence, -said_at, draft.id
