"""How many tokens a text will be, before anybody has counted: an estimate, and a ceiling to reserve by.

Exact counting needs each model's own vocabulary. The rates below were fitted by least squares to the counts of
two byte-level vocabularies (49 k and 152 k entries) on mail, chats and code in English, Portuguese and German;
`docs/decisions` says how far off they are. What a provider counts replaces the estimate once it is known.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping

from heedful.inference.exchange import ChatMessage

MESSAGE_OVERHEAD = 6

_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_MARK = re.compile(r"[^\w\s]|_")
_BREAK = re.compile(r"\n+")
_WORD_TOKENS, _LETTERS_FREE, _LETTER_TOKENS = 1.0, 4, 0.16
_WIDE_LETTER_TOKENS = 0.9
_CEILING = 1.35


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is."""
    words = _WORD.findall(text)
    count = sum(_word_tokens(word) for word in words)
    count += len(_DIGIT.findall(text)) + 0.8 * len(_MARK.findall(text)) + 0.8 * len(_BREAK.findall(text))
    return math.ceil(count)


def ceiling_tokens(text: str) -> int:
    """At least as many tokens as a text is; never more than its bytes, since no token is empty."""
    return min(len(text.encode("utf-8", "replace")), math.ceil(estimate_tokens(text) * _CEILING) + 4)


def estimate_of(messages: Iterable[ChatMessage]) -> int:
    """About how many tokens a whole request is."""
    return sum(estimate_tokens(message.content) + MESSAGE_OVERHEAD for message in messages)


def ceiling_of(messages: Iterable[ChatMessage], schema: Mapping[str, object] | None = None) -> int:
    """At least as many tokens as a whole request is; some providers count the schema as input too."""
    said = sum(ceiling_tokens(message.content) + MESSAGE_OVERHEAD for message in messages)
    return said + (ceiling_tokens(json.dumps(schema)) if schema else 0)


def _word_tokens(word: str) -> float:
    if not word.isascii():
        wide = sum(1 for letter in word if ord(letter) >= 0x250)
        if wide:
            return wide * _WIDE_LETTER_TOKENS + (len(word) - wide) * 0.5
        return _WORD_TOKENS + 0.3 * len(word)
    return _WORD_TOKENS + max(0, len(word) - _LETTERS_FREE) * _LETTER_TOKENS
