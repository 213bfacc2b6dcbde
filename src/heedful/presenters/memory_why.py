"""Why a search found a passage, in a person's words."""

from heedful.memory import Hit
from heedful.presenters.memory_views import Bar, Mode, WhyFound

MOST_BARS = 5
SHORT = 2

_SPEAKS_FOR = {
    "match": "rare words in common",
    "cover": "many of your words",
    "phrase": "your words side by side",
    "thread": "its conversation fits",
    "author": "by whom you named",
    "day": "from the days you named",
    "number": "has a number",
    "name": "names somebody",
    "part": "near in meaning",
    "mean": "the whole message is near",
    "after": "its answer is near",
    "foreign": "near in another language",
    "long": "a full message",
    "short": "brief",
    "asks": "asks the same",
    "verbatim": "your words, as you put them",
    "said": "said by whom you named",
    "around": "what stands beside it is near",
    "summary": "below a summary that fits",
}
_SPEAKS_AGAINST = {
    "other_author": "not by whom you named",
    "asks": "asks rather than answers",
    "long": "very long",
    "short": "very short",
    "foreign": "in another language",
}


def known_reasons() -> frozenset[str]:
    """The features that there are words for; one without is not told of."""
    return frozenset(_SPEAKS_FOR) | frozenset(_SPEAKS_AGAINST)


def why_found(hit: Hit, mode: Mode) -> WhyFound:
    """The whole account, for the letter."""
    if mode == "exact":
        return WhyFound("Every word is in it, as it is written or inflected.", ())
    reasons = _reasons(hit)
    most = max((value for _, value in reasons), default=1.0)
    bars = tuple(Bar(words, round(value / most, 3)) for words, value in reasons[:MOST_BARS])
    against = [words for name, words in _SPEAKS_AGAINST.items() if hit.boosts.get(name, 0.0) < 0]
    parts = [f"Found {_by(hit)}."]
    if against:
        parts.append(f"What speaks against it: {', '.join(against)}.")
    return WhyFound(" ".join(parts), bars)


def why_in_short(hit: Hit, mode: Mode) -> str:
    """The strongest reasons in a few words, for a row; empty where they are plain."""
    if mode == "exact":
        return ""
    return ", ".join(words for words, _ in _reasons(hit)[:SHORT])


def _reasons(hit: Hit) -> list[tuple[str, float]]:
    known = [
        (_SPEAKS_FOR[name], value) for name, value in hit.boosts.items() if name in _SPEAKS_FOR and value > 0
    ]
    return sorted(known, key=lambda reason: -reason[1])


def _by(hit: Hit) -> str:
    if hit.degraded or hit.cosine is None:
        return "by its words"
    return "by its meaning" if hit.fts_rank is None else "by its words and its meaning"
