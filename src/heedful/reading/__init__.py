"""From text to structure: sentences, zones of a mail, dates, amounts, names, language, secrets.

Everything here is pure: text in, frozen values out; the only files read are the package's own language data.
Spans are character offsets [start, end) into the text that was given. Whoever needs a text understood imports
from here; what a language is lives in `languages/<code>.toml`.
"""

from heedful.reading.amounts import Amount, find_amounts, numbers_in, parse_number
from heedful.reading.date_kinds import DateKind, DateMention
from heedful.reading.dates import find_dates
from heedful.reading.folding import fold_space, locate
from heedful.reading.html_text import html_to_text, is_too_deep
from heedful.reading.languages import Language, available, guess, language, stop_words
from heedful.reading.names import display_name, first_name, normalise_address
from heedful.reading.redaction import Redacted, redact
from heedful.reading.sentences import Sentence, sentences
from heedful.reading.spans import Span
from heedful.reading.unspaced import parted
from heedful.reading.words import (
    content_tokens,
    is_stop_word,
    text_without_diacritics,
    tokens,
    without_diacritics,
)
from heedful.reading.zones import Zone, ZoneKind, zones

__all__ = [
    "Amount",
    "DateKind",
    "DateMention",
    "Language",
    "Redacted",
    "Sentence",
    "Span",
    "Zone",
    "ZoneKind",
    "available",
    "content_tokens",
    "display_name",
    "find_amounts",
    "find_dates",
    "first_name",
    "fold_space",
    "guess",
    "html_to_text",
    "is_stop_word",
    "is_too_deep",
    "language",
    "locate",
    "normalise_address",
    "numbers_in",
    "parse_number",
    "parted",
    "redact",
    "sentences",
    "stop_words",
    "text_without_diacritics",
    "tokens",
    "without_diacritics",
    "zones",
]
