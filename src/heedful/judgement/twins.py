"""Items that are the same thing, met in two places or met again."""

from collections.abc import Iterable

from heedful.actionables import Draft


def merge(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """The drafts with twins made one, in the order of their first appearance; evidence and reasons are joined."""
    kept: dict[str, Draft] = {}
    for draft in drafts:
        kept.setdefault(draft.id, draft)
    return tuple(kept.values())


def twin_of(draft: Draft, live: Iterable[Draft]) -> Draft | None:
    """The item among `live` that is the same thing as `draft`; None when there is none."""
    return next((other for other in live if other.id == draft.id), None)
