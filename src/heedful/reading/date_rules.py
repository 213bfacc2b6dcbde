"""How neighbouring tokens make a time, a length, a day, a moment or a range.

Rules come in stages. Within a stage the text is read once from left to right; at each place the longest rule that
makes sense wins and its tokens become one, which later stages build on: `T` time of day, `I` length, `D` day or
days, `S` moment or moments, `O` a repetition. The letters of all other tokens are in `date_lexicon`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from heedful.reading.calendar_days import DAY, monday_of
from heedful.reading.date_clocks import clock_time, past_hour
from heedful.reading.date_days import (
    WEEKDAY,
    WEEKDAY_OF_WEEK,
    dated,
    day_of_month,
    day_of_numbered_month,
    day_of_weekday,
    month_in_digits,
    month_only,
    relative_day,
    said_in_digits,
    said_twice,
    weekday_of_month,
)
from heedful.reading.date_holidays import holiday
from heedful.reading.date_lengths import from_day, in_length, length_of_time
from heedful.reading.date_match import Build, Found
from heedful.reading.date_periods import (
    after_weekend,
    before_weekend,
    edge_of_period,
    fixed_end,
    nth_day,
    period,
    stretch,
    weekday_by_number,
    weekend,
)
from heedful.reading.date_spans import (
    day_range,
    moment_range,
    now,
    repetition,
    time_range,
    with_part,
    with_time,
)
from heedful.reading.date_tokens import Day, Token

_LIST_GAP_CHARS = 6

_RULES: tuple[tuple[tuple[str, Build], ...], ...] = (
    (  # times of day and lengths
        (r"(?P<n>K)(?P<a>a)?o?z?", clock_time),
        (r"(?P<n>[nK])o?,?[icde@]{0,2}(?P<part>[aP])(?P<minutes>&h)?z?", clock_time),
        (r"(?P<n>[nq])o(?P<minutes>&?n(?!U|o|[-/]))?(?:[icde@]{0,2}(?P<part>[aP]))?", clock_time),
        (r"(?P<n>n)o?(?P<minutes>&[hk])(?!U)(?:[icde@]{0,2}(?P<part>[aP]))?", clock_time),
        (
            r"@e?(?P<n>n)(?!U|[/%]|[-.]n|c?M|&?nU)o?(?:(?P<minutes>&?[nhk])(?!U|[-/]|o))?(?:,?[icde@]{0,2}(?P<part>[aP]))?",
            clock_time,
        ),
        (r"@e?(?P<n>n)[.:-](?P<minutes>n)(?![%nU])(?:[icde@]{0,2}(?P<part>[aP]))?", clock_time),
        (r"(?P<n>n)(?P<minutes>n)(?P<a>a)", clock_time),
        (r"@e?(?P<n>n)(?P<unit>U)(?:&(?P<minutes>[nhk])(?!U))?(?:,?[icde@]{0,2}(?P<part>[aP]))?", clock_time),
        (r"(?P<n>n)(?P<unit>U)[icde@]{0,2}(?P<part>[aP])", clock_time),
        (r"@(?P<n>q)(?!U)(?P<minutes>&[nhk](?!U))?(?:[icde@]{0,2}(?P<part>[aP]))?", clock_time),
        (r"[icd@]{0,2}e?(?P<part>P),?@?e?(?P<n>[nK])o?(?P<a>a)?(?!U|[-/]|c?M)", clock_time),
        (
            r"@?(?P<minutes>[hkn])U?(?:(?P<back>[tg])|[pf])[@e]{0,2}(?P<hour>[nK])o?(?:[icde@]{0,2}(?P<part>[aP]))?(?!U|c?M)",
            past_hour,
        ),
        (
            r"@?e?(?P<hour>[nK])o?(?P<back>t)(?P<minutes>[hkn])(?:[icde@]{0,2}(?P<part>[aP]))?(?!U|c?M|[@e])",
            past_hour,
        ),
        (r"(?P<back>(?P<minutes>H))(?P<hour>[nK])o?(?:[icde@]{0,2}(?P<part>[aP]))?", past_hour),
        (r"(?P<length>h?[qn]?U(?<=[hqn]U)(?:[,&]{0,2}[qn]U)*(?:&?q?h)?|[qn]&q?hU|hqU)", length_of_time),
    ),
    (  # days
        (
            r"[de]{0,2}(?:X?(?P<weekday>W)[-,.(]{0,2}[ed]?e?)?(?P<lead>[jU])?(?P<day>[nr])[-/.]?[ce]{0,2}[-/.,]?(?P<month>M)(?:[-/.,]?[ci]?e?(?P<year>y))?",
            dated,
        ),
        (
            r"(?:W[-,.(]{0,2}[ed]?e?)?(?P<day>[nr])[-/.]?[ce]{0,2}[-/.]?(?P<month>M)[-/.](?P<year>n)(?![aoU:])",
            dated,
        ),
        (r"(?P<day>[nr])[ce]{0,2}(?P<month>M),?c?(?P<short>n)(?![aoU:])", dated),
        (
            r"(?:X?(?P<weekday>W)[-,.(]{0,2}[ed]?)?(?P<month>M)[-/.]?e?(?P<day>[nr])(?![:%aoKU])(?:[-/.,]?[ci]?(?P<year>y))?",
            dated,
        ),
        (r"(?P<month>M)[-/.](?P<year>y)[-/.](?P<day>n)", dated),
        (r"(?P<year>y)[-/.](?P<day>n)[-/.](?P<month>M)", dated),
        (r"(?P<day>n)[-/.](?P<year>y)[-/.](?P<month>M)", dated),
        (
            r"(?P<day>n)c(?P<month>n)c(?P<year>y)|[dj](?P<of>n)c(?P<month_of>n)(?![UMcaoP:.])",
            day_of_numbered_month,
        ),
        (r"(?P<year>y)[-/.](?P<month>M)[-/.](?P<day>n)", dated),
        (r"(?P<direction>X)(?P<month>M)", month_only),
        (r"(?P<month>M)[-/.,]?c?(?P<year>y)", month_only),
        (r"(?P<month>M)(?P<direction>X)?", month_only),
        (r"X?W[-,.(]{0,2}[ed]?e?(?P<date>D)\)?", said_in_digits),
        (r"(?P<date>D)[-,.(]{0,2}W\)?", said_in_digits),
        (r"[ed]{1,2}(?P<day>r)(?!U|W|X|c?M)(?:[ci]{0,2}(?P<month>X)U)?", day_of_month),
        (
            r"(?:[ed]{1,2}|(?<=[LedcF])|W[,.]?[ed]{0,2})(?P<day>r)/?(?P<month>[rn])(?![%aoU:])\.?(?P<year>y)?",
            month_in_digits,
        ),
        (
            r"[ed]{0,2}(?:j|(?P<unit>U))e?(?P<day>[nr])(?!U|o|a|[:h]|c?M)(?:[ci]{0,2}(?P<month>X)U)?",
            day_of_month,
        ),
        (
            r"(?P<weekday>W)[,.]?[ed]{0,2}(?P<unit>[jU])?e?(?P<day>r|n(?!U|a|o|P|[-:]|[ic]?e?P|h))",
            weekday_of_month,
        ),
        (r"e?X?(?P<direction>[Xp])e?(?P<weekday>W)", day_of_weekday),
        (r"(?P<weekday>W)[,.]?[cie]{0,2}(?P<direction>X)(?:U)?", day_of_weekday),
        (r"(?P<weekday>W)[,.]?[cied]{0,2}U(?P<direction>X)", day_of_weekday),
        (r"[ie]{0,2}(?P<direction>X)U[,c]?[ed]{0,2}(?P<weekday>W)", day_of_weekday),
        (r"[ie]{0,2}U(?P<direction>X)[,c]?[ed]{0,2}(?P<weekday>W)", day_of_weekday),
        (r"(?P<weekday>W)", day_of_weekday),
        (r"(?P<relative>R)", relative_day),
        (r"[ie]{0,2}(?P<direction>[Xp])(?P<count>[nq])?(?P<unit>U)", period),
        (r"[ie]{0,2}(?P<unit>U)(?P<direction>X)", period),
        (r"(?<=[Lb])[ed]?(?P<unit>U)(?!X|c?e?[DnrMyWJ])", before_weekend),
        (r"(?<=[fp])[ed]?(?P<unit>U)(?!X|c?e?[DnrMyWJ])", after_weekend),
        (r"[id@]e?(?P<unit>U)(?!X|c?e?[DnrMyWJ])", weekend),
        (r"[ie]{0,2}(?P<direction>[Xp])(?P<length>I)", stretch),
        (
            r"(?:(?P<end>E)|(?P<beginning>Z))[ce]{0,2}(?:(?P<direction>X)?(?P<unit>U)|(?P<date>D))",
            edge_of_period,
        ),
        (r"(?:(?P<end>E)|(?P<beginning>Z))[ce]{0,2}(?P<unit>U)(?P<direction>X)", edge_of_period),
        (
            r"e?(?P<nth>[rX])(?P<weekday>W)[cie]{1,2}(?:(?P<month>M)(?:,?c?(?P<year>y))?|(?P<direction>X)?(?P<unit>U))",
            weekday_by_number,
        ),
        (r"(?P<holiday>J)(?:[,c]?(?P<year>y))?", holiday),
        (r"(?P<direction>X)(?P<holiday>J)", holiday),
        (r"(?P<holiday>J)(?P<direction>X)", holiday),
        (r"(?P<holiday>J)[cdie]{0,2}(?:(?P<direction>X)(?P<unit>U))", holiday),
        (r"e?(?P<now>N)", now),
        (r"(?P<in>i)(?P<length>I)", in_length),
        (r"(?P<length>I)(?:l|f(?!e?[DSRWJNMXnry]))", in_length),
        (r"(?P<length>I)(?P<ago>g)(?!e?[DSWRJ])", in_length),
        (r"(?P<ago>g)(?P<length>I)", in_length),
        (r"v(?:[e]?[nq]?[UWPI]|M)|v?V|vI", repetition),
    ),
    (  # days that stand on other days
        (r"(?:(?P<end>E)|(?P<beginning>Z))[ce]{0,2}(?P<date>D)", edge_of_period),
        (r"(?P<end>Q)(?:[,cd]?e?(?P<date>D))?", fixed_end),
        (r"(?P<date>D),?[ied]{0,2}(?P<end>Q)", fixed_end),
        (r"(?P<date>D)[-,.(]{1,2}(?P<again>D)\)", said_twice),
        (r"e?(?P<length>I)(?:[lfF]|(?P<back>[bg]))[ce]{0,2}(?P<anchor>[DS])", from_day),
        (
            r"e?(?P<nth>[rX])(?P<unit>U)[cie]{0,2}(?:(?P<period>D)|(?P<direction>X)?(?P<outer>U))(?:[,.]?d?e?(?P<weekday>W))?",
            nth_day,
        ),
    ),
    (  # ranges of days and of times
        (r"(?P<from>[Fw])?c?(?P<day>[nr])\.?(?:[-t&]{1,2}|(?P<limit>L)|[-tL&]{2})e?(?P<last>D)", day_range),
        (r"(?P<from>[Fc])e?(?P<day>[nr])@(?P<last>D)", day_range),
        (r"[Fc]e?(?P<first>D)@(?P<last>D)", day_range),
        (r"[Fwc]?(?P<first>D)(?:[-tL]e?|(?<=w.)&|[tL]e?)(?P<last>D)", day_range),
        (r"(?P<first>D)[-t](?P<until>[nr])(?![aoU:])", day_range),
        (r"w(?P<first>D)&(?P<last>D)", day_range),
        (r"(?:(?P<date>D)[,]?)?[Fwc@]?e?(?P<first>[nT])(?:[-tL@]|(?<=t)@){1,2}e?(?P<last>T)", time_range),
        (r"(?:(?P<date>D)[,]?)?w(?P<first>[nT])&(?P<last>T)", time_range),
        (r"w(?P<first>[nT])&(?P<last>T),?d?(?P<date>D)", time_range),
        (r"[F@]?(?P<first>[nT])[-tL](?P<last>T),?d?(?P<date>D)", time_range),
    ),
    (  # a day with a time
        (r"(?P<date>D)[-,.(@]{0,2}[@dFi]{0,2}e?(?P<time>T)(?:[-tL]{1,2}e?(?P<until>T))?\)?", with_time),
        (r"[@]?e?(?P<time>T)[-,.(]{0,2}[dcie]{0,3}(?P<date>D)", with_time),
        (r"(?P<date>D),?[icde@]{0,2}(?P<part>P)", with_part),
        (r"(?P<date>D),?[icde@]{0,2}(?P<part>P),?@?e?(?P<time>T)", with_time),
        (r"(?P<date>D),?(?P<time>T)(?P<year>y)", with_time),
        (r"@?(?P<time>[Tn]),?(?P<date>D)[icde]{0,2}(?P<part>P)", with_time),
        (r"X(?P<part>P)", with_part),
        (r"[ied]{0,2}(?P<part>P)[,]?[cde]{0,2}(?P<date>D)", with_part),
        (r"(?P<first>S)[-tL]{1,2}e?(?P<last>[TS])", moment_range),
        (r"O[,@d]*T|TO", repetition),
    ),
)


@dataclass(frozen=True, slots=True)
class _Stage:
    """Rules of one stage, and a pattern that matches wherever any of them does."""

    anywhere: re.Pattern[str]
    rules: tuple[tuple[re.Pattern[str], Build], ...]


@lru_cache(maxsize=1)
def _stages() -> tuple[_Stage, ...]:
    return tuple(
        _Stage(
            re.compile("|".join(f"(?:{re.sub(r'[?]P<[a-z_]+>', '?:', pattern)})" for pattern, _ in stage)),
            tuple((re.compile(pattern), build) for pattern, build in stage),
        )
        for stage in _RULES
    )


def understand(tokens: list[Token], *, at: datetime) -> list[Token]:
    """The tokens with all that rules make of them, relative to a local moment without zone."""
    for stage in _stages():
        tokens = _in_one_week(_read(tokens, stage, at))
    return tokens


def _in_one_week(tokens: list[Token]) -> list[Token]:
    """«next week Monday or Tuesday»: a weekday that only a word keeps from one of a named week is of that week."""
    done: list[Token] = []
    last: Token | None = None
    for token in tokens:
        if token.kind == "D" and token.day:
            near = last is not None and token.start - last.end <= _LIST_GAP_CHARS
            if token.value == WEEKDAY and near and last and last.day:
                begin = monday_of(last.day.begin) + token.day.begin.weekday() * DAY
                token = replace(token, day=Day(begin, begin + DAY), value=WEEKDAY_OF_WEEK)
            last = token if token.value == WEEKDAY_OF_WEEK else None
        done.append(token)
    return done


def _read(tokens: list[Token], stage: _Stage, at: datetime) -> list[Token]:
    kinds = "".join([token.kind for token in tokens])
    done: list[Token] = []
    place = 0
    while (ahead := stage.anywhere.search(kinds, place)) is not None:
        done += tokens[place : ahead.start()]
        place = ahead.start()
        made = _longest(kinds, place, tokens=tokens, rules=stage.rules, at=at)
        done.append(made[0] if made else tokens[place])
        place = made[1] if made else place + 1
    return done + tokens[place:]


def _longest(
    kinds: str,
    place: int,
    *,
    tokens: Sequence[Token],
    rules: Sequence[tuple[re.Pattern[str], Build]],
    at: datetime,
) -> tuple[Token, int] | None:
    matches = [
        (match, build)
        for pattern, build in rules
        if (match := pattern.match(kinds, place)) and match.end() > place
    ]
    for match, build in sorted(matches, key=lambda entry: -entry[0].end()):
        try:
            made = build(Found(match, tokens, at))
        except (ValueError, OverflowError):
            continue
        if made is not None:
            return made, match.end()
    return None
