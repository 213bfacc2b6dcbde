"""Why a search found a passage, in a person's words."""

from datetime import date, timedelta

from heedful.memory import Hit
from heedful.memory.search.hits import OfDays
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


def why_found(hit: Hit, mode: Mode) -> WhyFound:
    """The whole account, for the letter."""
    if mode == "exact":
        said = "Every word is in it, as it is written or inflected." if hit.fts_rank is not None else ""
        days = (
            ""
            if hit.of_days is None
            else f"It {'is ' * (hit.of_days.how == 'from')}{days_in_words(hit.of_days)}."
        )
        return WhyFound(" ".join(part for part in (said, days) if part), ())
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
        return "" if hit.of_days is None else days_in_words(hit.of_days)
    return ", ".join(words for words, _ in _reasons(hit)[:SHORT])


def days_in_words(days: OfDays) -> str:
    """«from 5 March 2024», «names March 2024»: how a passage belongs to days that were asked for."""
    first, last = days.first, days.last
    is_month = first.day == 1 and (last + timedelta(days=1)).day == 1 and last - first < timedelta(days=31)
    if days.is_one_day:
        said = _day(first)
    elif is_month:
        said = f"{first:%B %Y}"
    else:
        said = f"{_day(first)} to {_day(last)}"
    return f"{days.how} {said}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _reasons(hit: Hit) -> list[tuple[str, float]]:
    known = [
        (_SPEAKS_FOR[name], value) for name, value in hit.boosts.items() if name in _SPEAKS_FOR and value > 0
    ]
    return sorted(known, key=lambda reason: -reason[1])


def _by(hit: Hit) -> str:
    if hit.degraded or hit.cosine is None:
        return "by its words"
    return "by its meaning" if hit.fts_rank is None else "by its words and its meaning"
