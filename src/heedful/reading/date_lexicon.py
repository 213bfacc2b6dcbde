"""Turns a text into the tokens that date rules read: one letter a token, its meaning from the language file.

Words that mean nothing for dates are `~`; a rule is then a regular expression over the letters, the same for every
language. The letters are listed in `KINDS`; beside them stand `n` number, `r` ordinal, `y` year, `D` date in
digits, `K` clock time, `S` moment in ISO form and punctuation as itself.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

from heedful.reading.calendar_days import DAY, nearest
from heedful.reading.date_tokens import Clock, Day, Moments, Token
from heedful.reading.languages import Language, language, stop_words
from heedful.reading.words import without_diacritics

KINDS: Mapping[str, str] = {
    "ignored": "~", "months": "M", "weekdays": "W", "units": "U", "relative": "R", "directions": "X", "am_pm": "a",
    "oclock": "o", "dayparts": "P", "tonight": "u", "half": "h", "half_before": "H", "quarter": "k", "past": "p",
    "to": "t", "in": "i", "ago": "g", "later": "l", "before": "b", "after": "f", "now": "N", "end": "E",
    "beginning": "Z", "from": "F", "between": "w", "and": "&", "every": "v", "of": "c", "day_number": "j", "at": "@",
    "on": "d", "the": "e", "holidays": "J", "sets": "V", "deadline": "L", "latest": "Y", "one": "q", "clocks": "K",
    "ends": "Q", "numbers": "n", "ordinals": "r", "zones": "z",
}  # fmt: skip
_LITERAL = re.compile(
    r"(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<mark>[^\w\s]|_)"
    r"|(?P<iso>(?<![\d-])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z\b|[+-]\d\d:?\d\d\b)?)"
    r"|(?P<ymd>(?<!\d)(?<!\d[/.-])(?:19|20)\d\d ?(?P<ymd_mark>[-/.]) ?\d{1,2} ?(?P=ymd_mark) ?\d{1,2}(?!\d))"
    r"|(?P<dmy>(?<![\d/.-])\d{1,2} ?(?P<dmy_mark>[-/.]) ?\d{1,2} ?(?P=dmy_mark) ?(?:\d{4}|\d\d)(?![\d/-]))"
    r"|(?P<dm>(?<![\d/.,$€£-])\d{1,2}/\d{1,2}(?![\d/%]))"
    r"|(?P<dotted>(?<![\d/.,-])\d{1,2}\.\d{1,2}\.(?!\d))"
    r"|(?P<clock>(?<![\d:.,])(?:[01]?\d|2[0-4])(?::[0-5]\d){1,2}(?!:?\d))"
    r"|(?P<hours>(?<![\d:.,])(?:[01]?\d|2[0-4])h(?:[0-5]\d)?(?!\w))"
    r"|(?P<dot>(?<![\d:.,])(?:[01]?\d|2[0-4])\.[0-5]\d(?= ?(?:[ap]\.? ?m\b|uhr\b|h\b|hs\b)))"
    r"|(?P<number>\d+)(?P<ordinal>(?:st|nd|rd|th|ter|ten|te)\b|\.?[º°ª])?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_ANCHORS = frozenset("MWRPuKNQVJUn")
_FALSE_DATES = frozenset(["24/7", "50/50", "1/2", "1/3", "2/3", "1/4", "3/4", "9/11", "1/1"])
_NEAR_LEFT = frozenset("nryDKWXRdijLvbftFe")
_NEAR_RIGHT = frozenset("nryDKXMRW@")
_BETWEEN = frozenset("ce,./-(")
_CURRENCIES = frozenset("$€£¥")
_YEARS = range(1900, 2101)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The date words of a language: for each first word its phrases, longest first, with their meanings."""

    phrases: Mapping[str, tuple[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], ...]]
    anchors: frozenset[str]
    ambiguous: frozenset[str]
    day_first: bool
    dot_dates: bool


@lru_cache(maxsize=16)
def lexicon(code: str) -> Lexicon:
    """The lexicon of a language, built once from its `[dates]` table."""
    tongue = language(code)
    meanings: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for key, letter in KINDS.items():
        for phrase, value in _entries(tongue, key):
            for form in (phrase, without_diacritics(phrase)):
                known = meanings.setdefault(_split(form), [])
                if (letter, value) not in known and letter not in {kind for kind, _ in known}:
                    known.append((letter, value))
    phrases: dict[str, list[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]] = {}
    for words in sorted(meanings, key=len, reverse=True):
        if words:
            phrases.setdefault(words[0], []).append((words, tuple(meanings[words])))
    table = tongue.table("dates")
    return Lexicon(
        {first: tuple(entries) for first, entries in phrases.items()},
        frozenset(first for first, entries in phrases.items() if _is_anchor(entries)),
        tongue.words("dates", "ambiguous"),
        bool(table.get("day_first", True)),
        bool(table.get("dot_dates", False)),
    )


def _is_anchor(entries: list[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]) -> bool:
    """Whether a date could stand where a word does; without such a word and without a digit there is none."""
    return any(
        kind in _ANCHORS and (kind, value) != ("n", "1")
        for _, meanings in entries
        for kind, value in meanings
    )


def _entries(tongue: Language, key: str) -> Iterator[tuple[str, str]]:
    """The phrases of a key with their values; lines are `phrase | phrase = value`, numbered lists count from 1."""
    for number, line in enumerate(tongue.lines("dates", key), start=1):
        names, equals, value = line.partition("=")
        for name in names.split("|"):
            yield name.strip().casefold(), value.strip() if equals else str(number)


def _split(phrase: str) -> tuple[str, ...]:
    return tuple(found.group() for found in _LITERAL.finditer(phrase))


def tokenise(text: str, *, at: datetime, code: str) -> list[Token]:
    """The tokens of a text in order; a run of words without meaning is one `~` token, placed at the first.

    Paragraphs end in a `~`, so that no date reaches over a blank line; one that can hold no date is nothing else.
    """
    words = lexicon(code)
    tokens: list[Token] = []
    start = 0
    for end in [*(blank.start() for blank in _BLANK_LINE.finditer(text)), len(text)]:
        paragraph = text[start:end]
        if _DIGIT.search(paragraph) or not words.anchors.isdisjoint(_WORD.findall(paragraph.casefold())):
            tokens += _read(text, start, end, words=words, at=at)
        tokens.append(Token("~", end, end))
        start = end
    plain = _without_lookalikes(_composed(tokens), text, words.ambiguous)
    return _without_counts(plain, text, stop_words(code))


def _read(text: str, start: int, end: int, *, words: Lexicon, at: datetime) -> list[Token]:
    raw = list(_LITERAL.finditer(text, start, end))
    small = [found.group().casefold().replace("’", "'") for found in raw]
    tokens: list[Token] = []
    index = 0
    while index < len(raw):
        if raw[index].lastgroup == "word" and small[index] not in words.phrases:
            if not tokens or tokens[-1].kind != "~":
                tokens.append(Token("~", *raw[index].span()))
            index += 1
            continue
        token, index = _next(raw, small, index, tokens=tokens, words=words, at=at)
        if token.kind == "u":
            tokens.append(replace(token, kind="R", number=0, value=""))
            token = replace(token, kind="P", start=token.end)
        tokens.append(token)
    return tokens


def _next(
    raw: list[re.Match[str]],
    small: list[str],
    index: int,
    *,
    tokens: list[Token],
    words: Lexicon,
    at: datetime,
) -> tuple[Token, int]:
    found = raw[index]
    for phrase, meanings in words.phrases.get(small[index], ()):
        end = index + len(phrase)
        if tuple(small[index:end]) == phrase and _touching(raw, index, end):
            kind, value = meanings[0]
            if len(meanings) > 1:
                following = _kinds_of(small[end], words) if end < len(small) else frozenset()
                kind, value = _meaning(meanings, tokens, following)
            if (
                kind in "MWUa"
                and end < len(raw)
                and small[end] == "."
                and raw[end].start() == raw[end - 1].end()
            ):
                end += end + 1 < len(raw) and (end - index == 1 and len(small[index]) <= 4)
            return _worded(kind, value, found.start(), raw[end - 1].end()), end
    if found["number"]:
        return _numbered(raw, small, index, words)
    return _literal(found, words=words, at=at), index + 1


def _touching(raw: list[re.Match[str]], first: int, end: int) -> bool:
    """Whether a phrase's words stand on neighbouring places: no more than a line's end between them."""
    return all(raw[number].start() - raw[number - 1].end() <= 3 for number in range(first + 1, end))


def _meaning(
    meanings: tuple[tuple[str, str], ...], before: list[Token], following: frozenset[str]
) -> tuple[str, str]:
    """Which of several meanings a word has here, by its neighbours; `following` is what the next word can be."""
    kinds = dict(meanings)
    previous = next((token.kind for token in reversed(before[-3:]) if token.kind not in _BETWEEN), "~")
    after_tens = (
        bool(before) and before[-1].kind == "n" and not before[-1].value and before[-1].number % 10 == 0
    )
    for kind, fits in (
        ("r", after_tens),
        ("g", True),
        ("k", previous not in "nqrX" and not following.isdisjoint("tpg")),
        ("U", previous in "nqhry"),
        ("M", previous in "nry" or "n" in following),
        ("p", previous in "nhkU" and "U" not in following),
    ):
        if fits and kind in kinds:
            return kind, kinds[kind]
    return next((kind, value) for kind, value in meanings if kind != "M" or len(kinds) == 1)


def _kinds_of(word: str, words: Lexicon) -> frozenset[str]:
    """What a single word can be."""
    if word.isdigit():
        return frozenset("n")
    entries = words.phrases.get(word, ())
    return frozenset(kind for phrase, meanings in entries if len(phrase) == 1 for kind, _ in meanings)


def _worded(kind: str, value: str, start: int, end: int) -> Token:
    if kind == "K":
        hour, minute = map(int, value.split(":"))
        return Token("K", start, end, value=value, clock=Clock(hour, minute, sure=True))
    number = int(value) if value.lstrip("+-").isdigit() else 0
    if kind == "W":
        number -= 1
    return Token(kind, start, end, number=number, value="" if kind in "nr" else value)


def _numbered(raw: list[re.Match[str]], small: list[str], index: int, words: Lexicon) -> tuple[Token, int]:
    found = raw[index]
    digits = found["number"]
    number = int(digits) if len(digits) <= 9 else 10**9
    if index and small[index - 1] in _CURRENCIES:
        return Token("~", found.start(), found.end()), index + 1
    if found["ordinal"]:
        return Token("r", found.start(), found.end(), number=number), index + 1
    dotted = words.dot_dates and len(digits) <= 2 and index + 2 < len(raw) and small[index + 1] == "."
    if dotted and raw[index + 1].start() == found.end():
        return Token("r", found.start(), raw[index + 1].end(), number=number, value="dot"), index + 2
    kind = "y" if len(digits) == 4 and number in _YEARS else "n"
    return Token(kind, found.start(), found.end(), number=number, value=digits), index + 1


def _literal(found: re.Match[str], *, words: Lexicon, at: datetime) -> Token:
    kind = found.lastgroup or "mark"
    start, end = found.span()
    written = found.group()
    try:
        if kind == "iso":
            return Token("S", start, end, moments=_moment(written, at))
        if kind in ("ymd", "dmy", "dm", "dotted"):
            day = _day(written, kind=kind, words=words, at=at.date())
            return Token("D", start, end, day=Day(day, day + DAY))
    except (ValueError, OverflowError):
        return Token("~", start, end)
    if kind in ("clock", "hours", "dot"):
        return Token("K", start, end, clock=_clock(written))
    if kind == "mark" and written in ",-–—/.():":
        return Token("-" if written in "–—" else written, start, end)
    return Token("~", start, end)


def _moment(written: str, at: datetime) -> Moments:
    moment = datetime.fromisoformat(written.upper())
    local = moment.astimezone(at.tzinfo).replace(tzinfo=None) if moment.tzinfo else moment
    return Moments(local, local)


def _clock(written: str) -> Clock:
    parts = [int(part) for part in re.findall(r"\d+", written)]
    sure = parts[0] > 12 or parts[0] == 0 or (written[0] == "0" and len(parts) > 1)
    if parts[0] > 24:
        return Clock(0, sure=True)
    hour, minute, second = (*parts, 0, 0)[:3]
    return Clock(hour, minute, second, sure=sure)


def _day(written: str, *, kind: str, words: Lexicon, at: date) -> date:
    """A date in digits.

    Raises:
        ValueError: The digits are no date.
    """
    if kind == "dotted" and not words.dot_dates:
        raise ValueError("a number with dots")
    if kind == "dm" and written in _FALSE_DATES:
        raise ValueError("a fraction")
    parts = [int(part) for part in re.findall(r"\d+", written)]
    if kind == "ymd":
        return date(*_in_order(parts[0], parts[1], parts[2]))
    day, month = (parts[0], parts[1]) if words.day_first or "." in written else (parts[1], parts[0])
    if month > 12:
        day, month = month, day
    if len(parts) == 3:
        return date(full_year(parts[2], at), month, day)
    return nearest(at, lambda year: date(year, month, day))


def _in_order(year: int, month: int, day: int) -> tuple[int, int, int]:
    return (year, day, month) if month > 12 else (year, month, day)


def full_year(number: int, at: date) -> int:
    """A year of two digits in full: up to twenty years ahead, else the past."""
    if number >= 100:
        return number
    century = at.year // 100 * 100
    return century + number if century + number <= at.year + 20 else century - 100 + number


def _composed(tokens: list[Token]) -> list[Token]:
    """Number words put together: «twenty-first», «trinta e um», «cuarenta y cinco»."""
    done: list[Token] = []
    for token in tokens:
        spoken = token.kind in "nr" and not token.value and 1 <= token.number <= 9
        tens = _tens_before(done) if spoken else 0
        if tens:
            ten = done[-tens]
            done[-tens:] = [replace(token, start=ten.start, number=ten.number + token.number, value="")]
        else:
            done.append(token)
    return done


def _tens_before(done: list[Token]) -> int:
    """How many tokens back a number word of tens stands that a following unit belongs to; 0 when none does."""
    for back in (1, 2):
        if len(done) < back:
            break
        ten = done[-back]
        if ten.kind == "n" and 20 <= ten.number <= 90 and ten.number % 10 == 0 and not ten.value:
            return back
        if ten.kind not in "-&":
            break
    return 0


def _without_lookalikes(tokens: list[Token], text: str, ambiguous: frozenset[str]) -> list[Token]:
    """Words such as «may» or «sat» count only beside something that is plainly a date."""

    def unclear(token: Token) -> bool:
        written = text[token.start : token.end].casefold().rstrip(".")
        return token.kind in "MWURPrnJ" and (written in ambiguous or without_diacritics(written) in ambiguous)

    kept: list[Token] = []
    for number, token in enumerate(tokens):
        if unclear(token) and _kind_before(kept) not in _NEAR_LEFT:
            after = next(
                (other for other in tokens[number + 1 : number + 4] if other.kind not in _BETWEEN), None
            )
            if after is None or after.kind not in _NEAR_RIGHT or unclear(after):
                kept.append(replace(token, kind="~"))
                continue
        kept.append(token)
    return kept


def _kind_before(kept: list[Token]) -> str:
    return next((token.kind for token in reversed(kept[-3:]) if token.kind not in _BETWEEN), "~")


def _without_counts(tokens: list[Token], text: str, stop: frozenset[str]) -> list[Token]:
    """A bare number before a noun counts things: «at 10 people», «the 2nd edition»."""
    kept = []
    for number, token in enumerate(tokens):
        following = tokens[number + 1] if number + 1 < len(tokens) else None
        if token.kind in "nr" and following is not None and following.kind == "~":
            word = text[following.start : following.end]
            if (
                word[:1].isalpha()
                and word.casefold() not in stop
                and number
                and tokens[number - 1].kind in "@edn"
            ):
                token = replace(token, kind="~")
        kept.append(token)
    return kept
