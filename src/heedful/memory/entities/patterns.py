"""Entities that their shape gives away: addresses, handles, links, phone and other numbers, sums, dates."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from functools import lru_cache

from heedful.memory.entities.kinds import EntityKind, Sighting
from heedful.memory.entities.words import entity_words
from heedful.reading import find_amounts, find_dates, normalise_address

_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}")
_URL = re.compile(r"(?:https?://|(?<![\w@.])www\.)[^\s<>\"'“”„»«\])}|]+", re.IGNORECASE)
_HANDLE = re.compile(r"(?<![\w@./])@([^\W\d_](?:[\w.-]{0,38}\w)?)(?![@\w])")
_HASHTAG = re.compile(r"(?<![\w&/#])#([^\W\d_][\w-]{1,60})")
_COLOUR = re.compile(r"(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_PHONE = re.compile(r"(?<![\w.,/:#-])(?:\+|00)?\(?\d[\d()./ \u00a0-]{5,20}\d(?![\w/:-]|[.,]\d)")
_DATE_LIKE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}.*|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}(?:\D.*)?")
_TICKET = re.compile(r"(?<![\w/-])([A-Z][A-Z0-9]{1,9}-\d{1,7})(?![\w-])")
_HASH_NUMBER = re.compile(r"(?<![\w&#/])#(\d{2,10})(?!\w)")
_STANDARDS = frozenset(["UTF", "ISO", "SHA", "RFC", "COVID", "AES", "HTTP", "TLS", "USB", "MP"])
_TO_EVERYBODY = frozenset(
    ["here", "all", "channel", "everyone", "todos", "alle", "todas", "media", "import", "param"]
)
_TRAILING = ".,;:!?…"
_DIGITS_OF_A_PHONE = range(7, 16)


def shapes_in(text: str, *, at: datetime, lang: str) -> list[Sighting]:
    """What a text's shapes give away, in order; where two overlap the earlier kind of the list below stays."""
    found: list[Sighting] = []
    if "@" in text:
        found += _addresses(text)
    if "http" in text or "www." in text or "HTTP" in text:
        found += _urls(text)
    if "@" in text:
        found += _handles(text)
    if "#" in text:
        found += _hashtags(text)
    if any(map(str.isdigit, text)):
        found += _numbers(text)
        found += _amounts(text)
        dates = list(_dates(text, at, lang))
        found += [phone for phone in _phones(text) if not any(_overlap(phone, date) for date in dates)]
        found += dates
    else:
        found += _dates(text, at, lang)
    return without_overlap(found)


def without_overlap(found: list[Sighting]) -> list[Sighting]:
    """The sightings in the text's order, each that overlaps one listed before it left out."""
    kept: list[Sighting] = []
    for sighting in found:
        place = bisect_left(kept, sighting.start, key=lambda other: other.end - 1)
        if place == len(kept) or sighting.end <= kept[place].start:
            kept.insert(place, sighting)
    return kept


def _overlap(one: Sighting, other: Sighting) -> bool:
    return one.start < other.end and other.start < one.end


def _addresses(text: str) -> Iterator[Sighting]:
    for match in _ADDRESS.finditer(text):
        written = match.group().strip(".")
        start = text.index(written, match.start())
        address = normalise_address(written)
        yield Sighting(EntityKind.PERSON, start, start + len(written), address, address, address=address)


def _urls(text: str) -> Iterator[Sighting]:
    for match in _URL.finditer(text):
        url = match.group().rstrip(_TRAILING)
        _, mark, rest = url.partition("://")
        host, slash, path = (rest if mark else url).partition("/")
        key = host.casefold().removeprefix("www.") + (slash + path).rstrip("/")
        yield Sighting(EntityKind.URL, match.start(), match.start() + len(url), key, key)


def _handles(text: str) -> Iterator[Sighting]:
    for match in _HANDLE.finditer(text):
        handle = match[1].casefold()
        if handle not in _TO_EVERYBODY:
            yield Sighting(
                EntityKind.PERSON, match.start(), match.end(), f"@{handle}", match.group(), handle=handle
            )


def _hashtags(text: str) -> Iterator[Sighting]:
    for match in _HASHTAG.finditer(text):
        if not _COLOUR.fullmatch(match[1]):
            yield Sighting(EntityKind.HASHTAG, match.start(), match.end(), match[1].casefold(), match.group())


def _phones(text: str) -> Iterator[Sighting]:
    for match in _PHONE.finditer(text):
        written = match.group()
        number = phone_number(written)
        has_sign = written.startswith(("+", "00", "(", "0")) or len(re.findall(r"[ ./-]", written)) in (2, 3)
        if not _DATE_LIKE.fullmatch(written) and len(number.strip("+")) in _DIGITS_OF_A_PHONE and has_sign:
            yield Sighting(EntityKind.PHONE, match.start(), match.end(), number, written)


def phone_number(written: str) -> str:
    """A phone number as digits, with a plus where the country is told."""
    digits = re.sub(r"\D", "", written.replace("(0)", ""))
    if written.strip().startswith("+"):
        return "+" + digits
    return "+" + digits[2:] if digits.startswith("00") else digits


def _amounts(text: str) -> Iterator[Sighting]:
    for amount in find_amounts(text):
        value = format(amount.value.normalize(), "f")
        yield Sighting(EntityKind.AMOUNT, amount.start, amount.end, f"{amount.currency} {value}", amount.text)


def _dates(text: str, at: datetime, lang: str) -> Iterator[Sighting]:
    for date in find_dates(text, at=at, lang=lang):
        if date.begin is None or date.kind == "time" or date.begin == at:  # «now» is no day of its own
            continue
        day = _days(date.begin, date.finish)
        moment = date.begin.strftime("%Y-%m-%d %H:%M") if date.kind == "datetime" else day
        yield Sighting(EntityKind.DATE, date.start, date.end, moment, moment)


def _days(begin: datetime, finish: datetime | None) -> str:
    """A day, or the first and last of several: a month is another thing than its first day."""
    first, last = begin.date(), (finish or begin).date()
    if finish is not None and finish > begin and finish.time() == time():
        last -= timedelta(days=1)
    return first.isoformat() if first >= last else f"{first.isoformat()}/{last.isoformat()}"


def _numbers(text: str) -> Iterator[Sighting]:
    for match in _labelled().finditer(text):
        label = entity_words().number_labels[match["label"].casefold()]
        number = match["number"].rstrip("./-_")
        if any(map(str.isdigit, number)) and not _DATE_LIKE.fullmatch(number):
            yield _number(match.start("number"), number, label)
    for match in _TICKET.finditer(text):
        if match[1].partition("-")[0] not in _STANDARDS:
            yield _number(match.start(1), match[1], "")
    for match in _HASH_NUMBER.finditer(text):
        yield Sighting(EntityKind.NUMBER, match.start(), match.end(), match[1], match.group())


def _number(start: int, number: str, label: str) -> Sighting:
    """A short bare number is only told from others by what it numbers."""
    folded = number.casefold()
    telling = len(folded) > 4 or any(map(str.isalpha, folded))
    return Sighting(
        EntityKind.NUMBER,
        start,
        start + len(number),
        folded if telling or not label else f"{label} {folded}",
        number if telling or not label else f"{label} {number}",
    )


@lru_cache(maxsize=1)
def _labelled() -> re.Pattern[str]:
    labels = "|".join(sorted(entity_words().number_labels, key=lambda word: (-len(word), word)))
    return re.compile(
        rf"(?<!\w)(?P<label>{labels})(?:nummer|snummer)?[ \t]*(?:fiscal[ \t]*)?"
        r"(?:(?:no|nr|num|n[oº°]|nº|number|nummer|número|id|code)(?![^\W\d_])\.?[ \t]*)?"
        r"(?:[:#]|is|ist|lautet|é|es)?[ \t]*(?:o[ \t]|el[ \t])?#?(?P<number>[A-Za-z]{0,5}[-/_]?\d[\w./-]{1,28})",
        re.IGNORECASE,
    )
