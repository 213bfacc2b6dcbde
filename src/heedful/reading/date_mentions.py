"""Turns what the date rules understood into mentions: which words, which moments, whether a deadline."""

import re
from datetime import datetime, time, timedelta

from heedful.reading.calendar_days import DAY
from heedful.reading.date_clocks import at_clock
from heedful.reading.date_days import WEEKDAY, WEEKEND
from heedful.reading.date_kinds import DateKind, DateMention
from heedful.reading.date_lexicon import tokenise
from heedful.reading.date_rules import understand
from heedful.reading.date_tokens import Moments, Token
from heedful.reading.languages import language

_MEANT = "TDSIOP"
_SKIPPED = "ed@c,:i"
_GAP_CHARS = 40
_WITHIN = "within"
_REACH = 4
_SENTENCE_END = re.compile(r"[.!?;\n]")


def mentions(text: str, *, at: datetime, lang: str) -> tuple[DateMention, ...]:
    """The mentions of a text in order, as `find_dates` promises them."""
    local = at.replace(tzinfo=None, microsecond=0)
    tokens = understand(tokenise(text, at=at, code=language(lang).code), at=local)
    tokens = _joined_over_places(tokens, text)
    return tuple(
        _mention(tokens, number, text=text, at=at)
        for number, token in enumerate(tokens)
        if token.kind in _MEANT and not _is_greeting(tokens, number)
    )


def _mention(tokens: list[Token], number: int, *, text: str, at: datetime) -> DateMention:
    token = tokens[number]
    kind, begin, finish = _when(token, at)
    deadline = _deadline_word(tokens, number)
    first = min(deadline.start, token.start) if deadline else token.start
    zone = at.tzinfo
    return DateMention(
        token.start,
        token.end,
        text[token.start : token.end],
        kind,
        begin.replace(tzinfo=zone) if begin else None,
        finish.replace(tzinfo=zone) if finish else None,
        deadline is not None or token.value == _WITHIN,
        first,
        is_weekly=token.value in (WEEKDAY, WEEKEND),
    )


def _when(token: Token, at: datetime) -> tuple[DateKind, datetime | None, datetime | None]:
    local = at.replace(tzinfo=None, microsecond=0)
    if token.day is not None:
        one_day = token.day.finish - token.day.begin == DAY
        begin, finish = (datetime.combine(day, time()) for day in (token.day.begin, token.day.finish))
        return "date" if one_day else "range", begin, finish
    if token.moments is not None:
        point = token.moments.begin == token.moments.finish
        return "datetime" if point else "range", token.moments.begin, token.moments.finish
    if token.clock is not None:
        moment = at_clock(local.date(), token.clock)
        moment = moment if moment >= local else moment + DAY
        return "time", moment, moment
    if token.kind == "P":
        begin_hour, end_hour = map(int, token.value.split("-"))
        midnight = datetime.combine(local.date(), time())
        return "range", midnight + timedelta(hours=begin_hour), midnight + timedelta(hours=end_hour)
    return "duration" if token.kind == "I" else "set", None, None


def _is_greeting(tokens: list[Token], number: int) -> bool:
    """«Good morning»: a part of the day is one only where a preposition or an article leads to it."""
    return tokens[number].kind == "P" and (number == 0 or tokens[number - 1].kind not in "iedX@cLbFfv")


def _deadline_word(tokens: list[Token], number: int) -> Token | None:
    """The word before a date, or behind it, that makes it a deadline."""
    if number + 1 < len(tokens) and tokens[number + 1].kind == "Y":
        return tokens[number + 1]
    before = number - 1
    while before >= max(0, number - _REACH) and tokens[before].kind in _SKIPPED:
        before -= 1
    return tokens[before] if before >= 0 and tokens[before].kind in "LbY" else None


def _joined_over_places(tokens: list[Token], text: str) -> list[Token]:
    """«Friday in the office at 5»: a day and a time that only a few words keep apart are one moment."""
    done: list[Token] = []
    for token in tokens:
        back = _day_before(done, token, text) if token.kind == "T" else 0
        if back and (day := done[-back].day) is not None and token.clock is not None:
            moment = at_clock(day.begin, token.clock)
            start = done[-back].start
            del done[-back:]
            token = Token("S", start, token.end, moments=Moments(moment, moment))
        done.append(token)
    return done


def _day_before(done: list[Token], clock: Token, text: str) -> int:
    """How many tokens back the day of a time stands, in the same sentence; 0 when none is near."""
    for back in range(1, min(len(done), _REACH + 2) + 1):
        token = done[-back]
        if clock.start - token.end > _GAP_CHARS or token.kind in "TSP":
            return 0
        if token.kind == "D":
            between = text[token.end : clock.start]
            one_day = token.day is not None and token.day.finish - token.day.begin == DAY
            return back if one_day and not _SENTENCE_END.search(between) else 0
    return 0
