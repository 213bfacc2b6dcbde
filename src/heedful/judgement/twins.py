"""Items that are the same thing, met in two places or met again."""

from collections.abc import Iterable
from dataclasses import replace

from heedful.actionables import Draft
from heedful.reading import content_tokens, normalise_title, numbers_in, without_diacritics

_ALIKE = 88.0
_ALIKE_WITH_SUPPORT = 72.0
_RESOLVED = 60.0
_SAME_WORD = 75.0


def merge(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """The drafts with twins made one, in the order of their first appearance; evidence and reasons are joined.

    The more urgent priority, the earlier due and the surer wording win; what one of the two shows to be done is done.
    """
    kept: list[Draft] = []
    for draft in drafts:
        place = next((place for place, other in enumerate(kept) if _are_twins(draft, other)), None)
        if place is None:
            kept.append(draft)
        else:
            kept[place] = _joined(kept[place], draft)
    return tuple(kept)


def twin_of(draft: Draft, live: Iterable[Draft]) -> Draft | None:
    """The item among `live` that is the same thing as `draft`; None when there is none.

    The same id is always a twin. So is a similar title with the same evidence message, or with the same people,
    numbers and date.
    """
    candidates = tuple(live)
    same = next((other for other in candidates if other.id == draft.id), None)
    return same or next((other for other in candidates if _are_twins(draft, other)), None)


def _are_twins(one: Draft, other: Draft) -> bool:
    if one.id == other.id:
        return True
    if one.direction != other.direction or _clash(one, other):
        return False
    shared = bool(_messages(one) & _messages(other))
    likeness = _likeness(one, other)
    if shared:
        overlap = any(
            first.message_id == second.message_id and first.start < second.end and second.start < first.end
            for first in one.evidence
            for second in other.evidence
        )
        return overlap or likeness >= _RESOLVED
    if _tell_apart(one, other):
        return False
    known = {_bare(name) for name in one.people} & {_bare(name) for name in other.people}
    same_day = one.due is not None and other.due is not None and one.due.date() == other.due.date()
    if known:
        return likeness >= _ALIKE_WITH_SUPPORT
    return same_day and likeness >= _ALIKE and not (one.people and other.people)


def _clash(one: Draft, other: Draft) -> bool:
    """Whether the two name different numbers or days."""
    if one.due is not None and other.due is not None and one.due.date() != other.due.date():
        return True
    mine, theirs = numbers_in(one.title), numbers_in(other.title)
    return bool(mine and theirs and not (mine & theirs))


def _tell_apart(one: Draft, other: Draft) -> bool:
    """Whether each names a thing that the other does not, as in the October and the September report.

    The first word of a title is how it asks, not what for, and is passed over.
    """
    from rapidfuzz import fuzz  # as in `_likeness`

    mine, theirs = _core(one).split()[1:], _core(other).split()[1:]

    def has_own(words: list[str], others: list[str]) -> bool:
        return any(all(fuzz.ratio(word, another) < _SAME_WORD for another in others) for word in words)

    return has_own(mine, theirs) and has_own(theirs, mine)


def _likeness(one: Draft, other: Draft) -> float:
    """0–100, by the words that carry a subject in any order."""
    # Imported here: it costs 30 ms at start, and most starts merge nothing.
    from rapidfuzz import fuzz

    return (
        float(
            fuzz.token_set_ratio(_core(one), _core(other)) + fuzz.token_sort_ratio(_core(one), _core(other))
        )
        / 2
    )


def _core(draft: Draft) -> str:
    people = {part for name in draft.people for part in _bare(name).split()}
    words = (without_diacritics(word) for word in content_tokens(normalise_title(draft.title)))
    return " ".join(word for word in words if word not in people)


def _bare(name: str) -> str:
    return " ".join(without_diacritics(part) for part in name.split()[:1])


def _messages(draft: Draft) -> frozenset[str]:
    return frozenset(evidence.message_id for evidence in draft.evidence)


def _joined(first: Draft, second: Draft) -> Draft:
    """The surer of two as a base, with what the other adds."""
    base, other = (first, second) if first.confidence >= second.confidence else (second, first)
    sooner = min(
        (draft for draft in (base, other) if draft.due), key=lambda draft: (draft.due, draft.id), default=base
    )
    return replace(
        base,
        evidence=tuple(dict.fromkeys((*base.evidence, *other.evidence))),
        reasons=tuple(dict.fromkeys((*base.reasons, *other.reasons))),
        people=tuple(dict.fromkeys((*base.people, *other.people))),
        priority=min(base.priority, other.priority, key=lambda one: one.rank),
        due=sooner.due,
        due_text=sooner.due_text,
        requires_confirmation=base.requires_confirmation or other.requires_confirmation,
        has_complex_action=base.has_complex_action or other.has_complex_action,
        done_by=base.done_by or other.done_by,
    )
