"""Items that are the same thing, met in two places or met again."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from heedful.actionables import Draft
from heedful.core.ids import ActionableId, normalise_title
from heedful.reading import content_tokens, numbers_in, without_diacritics

_ALIKE = 88.0
_ALIKE_WITH_SUPPORT = 72.0
_RESOLVED = 60.0
_SAME_WORD = 75.0


@dataclass(frozen=True, slots=True)
class _Compared:
    """A draft with all that it is compared by, read from it once; `day` is that of its due date.

    `words` are those of its title that carry a subject, `names` the first names of its people, and two twins have at
    least one of their `ties` in common.
    """

    draft: Draft
    id: ActionableId
    day: date | None
    numbers: frozenset[str]
    words: tuple[str, ...]
    names: frozenset[str]
    messages: frozenset[str]
    ties: frozenset[tuple[str, str]]


def merge(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """The drafts with twins made one, in the order of their first appearance; evidence and reasons are joined.

    The more urgent priority, the earlier due and the surer wording win; what one of the two shows to be done is done.
    """
    kept: list[_Compared] = []
    tied: dict[tuple[str, str], set[int]] = {}
    for draft in drafts:
        one = _compared(draft)
        near = sorted({place for tie in one.ties for place in tied.get(tie, ())})
        place = next((place for place in near if _are_twins(one, kept[place])), len(kept))
        if place == len(kept):
            kept.append(one)
        else:
            kept[place] = _compared(_joined(kept[place].draft, draft))
        for tie in kept[place].ties:
            tied.setdefault(tie, set()).add(place)
    return tuple(one.draft for one in kept)


def twin_of(draft: Draft, live: Iterable[Draft]) -> Draft | None:
    """The item among `live` that is the same thing as `draft`; None when there is none.

    The same id is always a twin. So is a similar title with the same evidence message, or with the same people,
    numbers and date.
    """
    wanted = _compared(draft)
    near = [other for other in map(_compared, live) if wanted.ties & other.ties]
    same = next((other for other in near if other.id == wanted.id), None)
    found = same or next((other for other in near if _are_twins(wanted, other)), None)
    return found.draft if found else None


def _compared(draft: Draft) -> _Compared:
    names = frozenset(map(_first_bare, draft.people))
    messages = frozenset(evidence.message_id for evidence in draft.evidence)
    day = draft.due.date() if draft.due else None
    return _Compared(
        draft,
        id=draft.id,
        day=day,
        numbers=numbers_in(draft.title),
        words=_words(draft.title, names),
        names=names,
        messages=messages,
        ties=frozenset(
            [
                ("id", draft.id),
                *(("name", name) for name in names),
                *(("message", message_id) for message_id in messages),
                *([("day", day.isoformat())] if day else []),
            ]
        ),
    )


def _words(title: str, names: frozenset[str]) -> tuple[str, ...]:
    people = {part for name in names for part in name.split()}
    words = map(without_diacritics, content_tokens(normalise_title(title)))
    return tuple(word for word in words if word not in people)


def _first_bare(name: str) -> str:
    return " ".join(without_diacritics(part) for part in name.split()[:1])


def _are_twins(one: _Compared, other: _Compared) -> bool:
    if one.id == other.id:
        return True
    if one.draft.direction != other.draft.direction or _clash(one, other):
        return False
    if one.messages & other.messages:
        return _overlap(one.draft, other.draft) or _likeness(one, other) >= _RESOLVED
    if one.names & other.names:
        needed = _ALIKE_WITH_SUPPORT
    elif one.day and one.day == other.day and not (one.names and other.names):
        needed = _ALIKE
    else:
        return False
    return not _tell_apart(one, other) and _likeness(one, other) >= needed


def _clash(one: _Compared, other: _Compared) -> bool:
    """Whether the two name different numbers or days."""
    if one.day and other.day and one.day != other.day:
        return True
    return bool(one.numbers and other.numbers and not (one.numbers & other.numbers))


def _overlap(one: Draft, other: Draft) -> bool:
    """Whether the two quote the same place of a message."""
    return any(
        first.message_id == second.message_id and first.start < second.end and second.start < first.end
        for first in one.evidence
        for second in other.evidence
    )


def _tell_apart(one: _Compared, other: _Compared) -> bool:
    """Whether each names a thing that the other does not, as in the October and the September report.

    The first word of a title is how it asks, not what for, and is passed over.
    """
    from rapidfuzz import fuzz  # as in `_likeness`

    mine, theirs = one.words[1:], other.words[1:]

    def has_own(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
        return any(all(fuzz.ratio(word, another) < _SAME_WORD for another in others) for word in words)

    return has_own(mine, theirs) and has_own(theirs, mine)


def _likeness(one: _Compared, other: _Compared) -> float:
    """0–100, by the words that carry a subject in any order."""
    # Imported here: it costs 30 ms at start, and most starts merge nothing.
    from rapidfuzz import fuzz

    mine, theirs = " ".join(one.words), " ".join(other.words)
    return float(fuzz.token_set_ratio(mine, theirs) + fuzz.token_sort_ratio(mine, theirs)) / 2


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
