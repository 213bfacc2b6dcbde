"""Sums of money in a text, and the numbers that an item must have from its evidence."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_SIGNS = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "R$": "BRL", "US$": "USD",
    "A$": "AUD", "C$": "CAD", "CA$": "CAD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "MX$": "MXN",
}  # fmt: skip
_WORDS = {
    "euro": "EUR", "euros": "EUR", "eur": "EUR", "dollar": "USD", "dollars": "USD", "usd": "USD", "bucks": "USD",
    "dólar": "USD", "dólares": "USD", "pound": "GBP", "pounds": "GBP", "quid": "GBP", "gbp": "GBP", "libras": "GBP",
    "real": "BRL", "reais": "BRL", "brl": "BRL", "franken": "CHF", "francs": "CHF", "francos": "CHF", "chf": "CHF",
    "yen": "JPY", "jpy": "JPY", "inr": "INR", "rupees": "INR", "cad": "CAD", "aud": "AUD", "nzd": "NZD", "sek": "SEK",
    "nok": "NOK", "dkk": "DKK", "pln": "PLN", "czk": "CZK", "huf": "HUF", "mxn": "MXN", "cny": "CNY",
}  # fmt: skip
_SCALES = {"k": 1_000, "m": 1_000_000, "bn": 1_000_000_000}
_DIGITS = re.compile(r"\d+(?:[.,:'’/\-]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?")


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money; `currency` is an ISO 4217 code, a bare `$` is read as USD."""

    start: int
    end: int
    text: str
    value: Decimal
    currency: str


def find_amounts(text: str) -> tuple[Amount, ...]:
    """The sums of money in order, in the notations of English, German, Spanish and Portuguese."""
    return tuple(_amount(found) for found in _amount_pattern().finditer(text))


@lru_cache(maxsize=1)
def _amount_pattern() -> re.Pattern[str]:
    sign = _any(_SIGNS)
    code = _any(word for word in _WORDS if len(word) == 3)
    number = r"(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,]\d{1,2})?(?!\d)"
    before = rf"(?<![\w$])(?P<before>{sign}|(?:{code})(?=[ \u00a0]?\d))"
    return re.compile(
        rf"{before}[ \u00a0\u202f]?(?P<left>{number})(?P<scale>[ ]?(?:k|m|bn)\b)?"
        rf"|(?<![\w.,])(?P<right>{number})[ \u00a0\u202f]?(?P<after>{sign}|(?:{_any(_WORDS)})\b)",
        re.IGNORECASE,
    )


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


def _amount(found: re.Match[str]) -> Amount:
    sign = found["before"] or found["after"]
    value = parse_number(found["left"] or found["right"])
    if found["scale"]:
        value *= _SCALES[found["scale"].strip().lower()]
    currency = _SIGNS.get(sign.upper()) or _WORDS[sign.casefold()]
    return Amount(found.start(), found.end(), found.group(), value, currency)


def parse_number(text: str) -> Decimal:
    """A written number; the last separator is a decimal mark when one or two digits follow it."""
    bare = re.sub(r"['’\s]", "", text)
    whole, mark, part = _split_decimals(bare)
    digits = re.sub(r"[.,]", "", whole)
    return Decimal(f"{digits}.{part}" if mark else digits)


def _split_decimals(number: str) -> tuple[str, str, str]:
    found = re.fullmatch(r"(.*)([.,])(\d{1,2})", number)
    return (found[1], found[2], found[3]) if found else (number, "", "")


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text as plain digits, for checking that none was invented.

    Each is there as a whole, with its grouping and decimal marks normalised (`1.200,50` → `1200.5`), and in its
    parts of two digits and more (`2026-12-03` → `2026`, `12`, `03`, `3`). Single digits are left out.
    """
    numbers: set[str] = set()
    for found in _DIGITS.finditer(text):
        written = found.group()
        parts = re.split(r"\D", written)
        numbers.update(part for part in parts if len(part) > 1)
        numbers.update(part.lstrip("0") for part in parts if len(part) > 1 and part.strip("0"))
        if len(parts) > 1 and not re.search(r"[:/\-]", written):
            numbers.add(_plain(written))
    return frozenset(numbers)


def _plain(number: str) -> str:
    if not _GROUPED.fullmatch(number) and len(re.findall(r"[.,]", number)) > 1:
        return re.sub(r"\D", "", number)
    plain = format(parse_number(number), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
