"""Bytes of unknown honesty as text: what a mail declares about its charset is a hint, never a promise."""

import codecs
from functools import lru_cache

_FALLBACK = "cp1252"

_MEANT = {
    # What senders declare, and what they use: the supersets that browsers read too.
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}

_ALIASES = {
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "unicode": "utf-8",
    "x-sjis": "cp932",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "windows-874": "cp874",
    "x-windows-949": "cp949",
    "x-gbk": "gb18030",
}

_NOT_MAIL = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})


def decode(raw: bytes, charset: str = "") -> str:
    """The text; never raises. A wrong or unknown charset falls back to UTF-8, then to Windows-1252.

    Null bytes become spaces.
    """
    name = _codec(charset)
    text = _strict(raw, name) if name else None
    if text is None:
        text = _strict(raw, "utf-8")
    if text is None:
        text = _mended(raw, name)
    return text.replace("\0", " ") if "\0" in text else text


def _strict(raw: bytes, name: str) -> str | None:
    try:
        return raw.decode(name)
    except (UnicodeError, LookupError, ValueError):
        return None


def _mended(raw: bytes, name: str) -> str:
    """With replacement characters where a few bytes are damaged, as Windows-1252 where many are."""
    if name and name != _FALLBACK:
        try:
            text = raw.decode(name, "replace")
        except (UnicodeError, LookupError, ValueError):
            text = ""
        if text and text.count("\ufffd") * 50 <= len(text):
            return text
    return raw.decode(_FALLBACK, "replace")


@lru_cache(maxsize=256)
def _codec(charset: str) -> str:
    """Python's name of the text codec that is meant; empty when there is none."""
    wanted = charset.strip().strip("\"'").lower()
    wanted = _ALIASES.get(wanted, wanted)
    if not wanted or not wanted.isascii() or "\0" in wanted:
        return ""
    try:
        name = codecs.lookup(wanted).name
        b"".decode(name)
    except (LookupError, UnicodeError, ValueError):
        return ""
    return "" if name in _NOT_MAIL else _MEANT.get(name, name)
