"""The small things a person would miss first: dates, times, amounts, addresses of pages and people, names."""

import re

URL = re.compile(
    r"""\b(?:https?://|ftp://|www\.)[^\s<>"'\])}]+[^\s<>"'\])}.,;:!?]|mailto:[^\s<>"']+""", re.IGNORECASE
)
ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|fev|abr|mai|ago|set|out|dez|mär|okt)[a-zç]*\.?"
)
DATE = re.compile(
    rf"\b(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd"
    rf"|th|º|\.)? (?:de |of )?{_MONTH}(?: (?:de )?\d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{1,2}}[:h]\d\d(?::\d\d)?(?: ?[ap]m)?"
    rf"|\d{{1,2}} ?[ap]m"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|deadline"
    r"|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo|amanhã|hoje|montag|dienstag"
    r"|mittwoch|donnerstag|freitag|morgen)\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(
    r"(?:[$€£¥₹]|\b(?:R\$|USD|EUR|GBP|BRL|CHF|JPY|CAD|AUD)) ?\d[\d.,]*|\b\d[\d.,]{0,30} ?(?:€|£|%|USD|EUR|GBP"
    r"|BRL|CHF|dollars?|euros?|reais|GB|MB|kg|km)\b"
    r"|\b\d[\d.,]{0,30} ?[%€£]",
    re.IGNORECASE,
)
PHONE = re.compile(r"(?<![\w.])\+?\(?\d[\d ().-]{7,}\d\b")
NAME = re.compile(r"\b[A-ZÀ-Þ][a-zß-ÿ]+(?:[ -][A-ZÀ-Þ][a-zß-ÿ]+){1,4}\b")
_NOT_NAMES = frozenset(
    [
        "about",
        "account",
        "add",
        "address",
        "advertise",
        "advertising",
        "all",
        "and",
        "browser",
        "change",
        "click",
        "contact",
        "copyright",
        "download",
        "email",
        "for",
        "forward",
        "free",
        "from",
        "get",
        "help",
        "here",
        "home",
        "how",
        "if",
        "in",
        "inc",
        "join",
        "link",
        "list",
        "mail",
        "map",
        "member",
        "message",
        "more",
        "my",
        "new",
        "news",
        "newsletter",
        "no",
        "of",
        "online",
        "or",
        "our",
        "please",
        "policy",
        "preferences",
        "print",
        "privacy",
        "read",
        "remove",
        "reply",
        "reserved",
        "rights",
        "search",
        "see",
        "send",
        "service",
        "services",
        "set",
        "sign",
        "site",
        "street",
        "subscribe",
        "subscription",
        "support",
        "terms",
        "the",
        "this",
        "to",
        "trademarks",
        "unsubscribe",
        "update",
        "use",
        "view",
        "visit",
        "web",
        "you",
        "your",
    ]
)
_PATTERNS = (URL, ADDRESS, DATE, AMOUNT, PHONE)


def has_fact(line: str) -> bool:
    """Whether the line holds a date, an amount, an address or a phone number."""
    return any(pattern.search(line) is not None for pattern in _PATTERNS)


def told_facts(line: str) -> list[str]:
    """The facts of a line as they are written: addresses, dates and times, amounts, phone numbers, names."""
    return [fact for pattern in _PATTERNS for fact in pattern.findall(line)] + names_in(line)


def names_in(text: str) -> list[str]:
    """Runs of capitalised words that may be a person, a place or a firm; those made of page furniture are not."""
    return [name for name in NAME.findall(text) if not set(re.split("[ -]", name.lower())) & _NOT_NAMES]
