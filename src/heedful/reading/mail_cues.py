"""The phrases by which mail programs and people mark quotes, signatures and footers, of every language at once.

A thread mixes the languages of its writers' mail programs, so nothing here depends on the message's own language.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from heedful.reading.languages import available, language


@dataclass(frozen=True, slots=True, eq=False)
class MailCues:
    """Compiled from the `[mail]` tables; all patterns ignore case.

    `boilerplate` are the phrases of `disclaimer` and `footer` in lower case: looking for each as it stands in
    text whose white space is folded rules most paragraphs out at a tenth of the patterns' cost.
    """

    reply_start: re.Pattern[str]
    reply_end: re.Pattern[str]
    original: re.Pattern[str]
    forwarded: re.Pattern[str]
    block_start: re.Pattern[str]
    block_field: re.Pattern[str]
    mobile: re.Pattern[str]
    closing: re.Pattern[str]
    postscript: re.Pattern[str]
    contact: re.Pattern[str]
    titles: frozenset[str]
    disclaimer: re.Pattern[str]
    footer: re.Pattern[str]
    boilerplate: tuple[str, ...]


@lru_cache(maxsize=1)
def mail_cues() -> MailCues:
    """The cues of all data files, compiled once."""
    edge, field_end = r"[ \t*_]*", r"[ \t*_]*[:：]"
    labels = _any("phone_labels", whole_lines=False)
    fields = "|".join(_any(key) for key in ("from", "sent", "to", "subject"))
    return MailCues(
        reply_start=_pattern(
            rf"^[ \t]*(?:{_any('reply_openers', whole_lines=False)})\b|^[ \t]*\d{{1,4}}[-./]\d"
        ),
        reply_end=_pattern(rf"\b(?:{_any('reply_verbs')})\b[^\n]{{0,160}}[:：][ \t\u00a0]*$"),
        original=_pattern(rf"^[ \t]*[-_=*]{{2,}}[ \t]*(?:{_any('original')})[ \t]*[-_=*]{{2,}}[ \t]*$"),
        forwarded=_pattern(
            rf"^[ \t]*(?:[-_=*]{{2,}}[ \t]*(?:{_any('forwarded')})\b[^\n]{{0,120}}"
            rf"|(?:{_any('forwarded')})[ \t]*[:：])[ \t]*$"
        ),
        block_start=_pattern(rf"^{edge}(?:{_any('from')}){field_end}[ \t*_]*\S"),
        block_field=_pattern(rf"^{edge}(?:{fields}){field_end}"),
        mobile=_pattern(rf"^[ \t*_\[(]*(?:{_any('mobile')})"),
        closing=_pattern(rf"^(?:{_any('closings')})(?=$|[^\w'’-])"),
        postscript=_pattern(r"^[ \t]*(?:p\.?[ \t]?){1,2}s\b\.?"),
        contact=_pattern(
            r"(?:\+|\b00|\()?\d[\d()./ \u00a0-]{6,}\d|[\w.+-]+@[\w-]+\.\w|https?://|\bwww\.|[ \t][|•·][ \t]"
            rf"|^[ \t]*(?:{labels})\.?[ \t]*[:.]?[ \t]*[+(\d]"
        ),
        titles=frozenset().union(*(language(code).words("mail", "titles") for code in available())),
        disclaimer=_pattern(_any("disclaimers")),
        footer=_pattern(_any("footers")),
        boilerplate=tuple(
            sorted({entry.lower() for key in ("disclaimers", "footers") for entry in _entries(key)})
        ),
    )


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE | re.MULTILINE)


def _any(key: str, *, whole_lines: bool = True) -> str:
    """An alternation of a key's entries in all languages, longest first; white space in an entry is flexible."""
    entries = _entries(key, whole_lines=whole_lines)
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return "|".join(r"[ \t]+".join(map(re.escape, entry.split())) for entry in ordered)


def _entries(key: str, *, whole_lines: bool = True) -> set[str]:
    """A key's entries in all languages, their white space folded."""
    found: set[str] = set()
    for code in available():
        tongue = language(code)
        found.update(tongue.lines("mail", key) if whole_lines else tongue.words("mail", key))
    return {" ".join(entry.split()) for entry in found}
