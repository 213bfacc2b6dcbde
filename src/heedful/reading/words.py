"""Words of a text, for counting and comparing; not a linguistic analysis."""

import re
import unicodedata
from functools import lru_cache
from itertools import filterfalse

from heedful.reading.languages import stop_words

_TOKEN = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")


def tokens(text: str) -> tuple[str, ...]:
    """The words and numbers in order, casefolded, diacritics kept; inner apostrophes, hyphens, dots belong to them."""
    return tuple(_TOKEN.findall(text.casefold()))


def is_stop_word(word: str, lang: str = "en") -> bool:
    """Whether a word carries no subject of its own in a language."""
    return word.casefold().replace("’", "'") in stop_words(lang)


def content_tokens(text: str, lang: str = "en") -> tuple[str, ...]:
    """The tokens that carry a subject: no stop-words, no single letters."""
    stop = stop_words(lang)
    return tuple(
        token
        for token in tokens(text)
        if token.replace("’", "'") not in stop and (len(token) > 1 or token.isdigit())
    )


@lru_cache(maxsize=65536)
def without_diacritics(word: str) -> str:
    """A word as someone would type it on a bare keyboard: `reunião` → `reuniao`, `Straße` → `strasse`.

    Words are remembered; what is longer goes through `text_without_diacritics`.
    """
    return text_without_diacritics(word)


def text_without_diacritics(text: str) -> str:
    """A text in the form that `without_diacritics` gives each of its words."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", folded)))
