"""Third-party text made visibly data: between two marks that carry a number nobody outside could know.

The fence keeps an honest model honest; it is no security boundary by itself. That boundary is capability: a run
that read such text has no action in reach.
"""

import re

# A mark of ours in any disguise of case, spacing or count, and the control tokens of chat templates, which some
# local servers obey wherever they stand in a message.
_MARK = re.compile(r"(?<!<)<{2,}+(?=\s*+(?:/\s*+)?(?:end\s+of\s+|begin\s+|end\s+)?data\b)", re.IGNORECASE)
_CONTROL = re.compile(r"<(?=\|[^|<>\n]{1,40}\|>)|<(?=/?s>)|\[(?=/?INST\])|<(?=/?(?:start|end)_of_turn>)")


def fence(text: str, nonce: str) -> str:
    """The text between an opening and a closing mark with `nonce`, which must be fresh for each call."""
    return f"<<<data {nonce}>>>\n{neutralised(text)}\n<<<end data {nonce}>>>"


def neutralised_json(text: str) -> str:
    """JSON of the same value in which no chat-template token stands as it is: its first sign is escaped."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def neutralised(text: str) -> str:
    """The text with look-alike marks and chat-template tokens broken by one space; nothing else is changed."""
    text = _MARK.sub(lambda found: " ".join(found[0]) + " ", text)
    return _CONTROL.sub(lambda found: found[0] + " ", text)
