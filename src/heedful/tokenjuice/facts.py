"""The small things a person would miss first: dates, times, amounts, addresses of pages and people, names."""

import re

URL = re.compile(
    r"""\b(?:https?://|www\.)[^\s<>"'\])}]+[^\s<>"'\])}.,;:!?]|mailto:[^\s<>"']+""", re.IGNORECASE
)
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|fev|abr|mai|ago|set|out|dez|mär|okt)[a-zç]*\.?"
)
DATE = re.compile(
    rf"\b(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th|º|\.)? (?:de |of )?{_MONTH}(?: (?:de )?\d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{1,2}}[:h]\d\d(?::\d\d)?(?: ?[ap]m)?|\d{{1,2}} ?[ap]m"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|deadline"
    r"|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo|amanhã|hoje|montag|dienstag|mittwoch|donnerstag|freitag|morgen)\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(
    r"(?:[$€£¥₹]|\b(?:R\$|USD|EUR|GBP|BRL|CHF|JPY|CAD|AUD)) ?\d[\d.,]*|\b\d[\d.,]* ?(?:€|£|%|USD|EUR|GBP|BRL|CHF|dollars?|euros?|reais|GB|MB|kg|km)\b"
    r"|\b\d[\d.,]* ?[%€£]",
    re.IGNORECASE,
)
PHONE = re.compile(r"(?<![\w.])\+?\(?\d[\d ().-]{7,}\d\b")
NAME = re.compile(r"\b[A-ZÀ-Þ][a-zß-ÿ]+(?:[ -][A-ZÀ-Þ][a-zß-ÿ]+)+\b")
_PATTERNS = (URL, ADDRESS, DATE, AMOUNT, PHONE)


def has_fact(line: str) -> bool:
    """Whether the line holds a date, an amount, an address or a phone number."""
    return any(pattern.search(line) is not None for pattern in _PATTERNS)


def facts_in(text: str) -> frozenset[str]:
    """Every such thing in the text, and the names of people and places, folded to compare."""
    found = {
        " ".join(fact.lower().split()) for pattern in (*_PATTERNS, NAME) for fact in pattern.findall(text)
    }
    return frozenset(fact.rstrip(".,;:/") for fact in found)
