"""Subjects without what mail programs put before them: replies and forwards of one thread share a title."""

import re

_PREFIX = re.compile(
    r"\s*(?:re|aw|antw|antwort|sv|vs|ref|res|r|fwd?|wg|enc|rv|tr|i|doorst|wtr|ynt|odp|回复|答复|转发)"
    r"\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s*[:：]\s*",
    re.IGNORECASE,
)
_FORWARD = re.compile(r"\s*(?:fwd?|wg|enc|doorst|转发)\s*[:：]", re.IGNORECASE)
_LIST_TAG = re.compile(r"\s*\[[^\[\]]{1,40}\]\s*(?=\S)")


def bare_subject(subject: str) -> str:
    """The subject without reply and forward marks."""
    bare = subject
    for _ in range(20):
        match = _PREFIX.match(bare) or (_LIST_TAG.match(bare) if _marked_behind_tag(bare) else None)
        if match is None:
            break
        bare = bare[match.end() :]
    return bare.strip()


def is_marked_reply(subject: str) -> bool:
    """True when a subject says that it answers something; a forward is none."""
    return (_PREFIX.match(subject) is not None or _marked_behind_tag(subject)) and not _FORWARD.match(subject)


def _marked_behind_tag(subject: str) -> bool:
    """True for «[list] Re: …», where the mark hides behind the name of a list."""
    tag = _LIST_TAG.match(subject)
    return tag is not None and _PREFIX.match(subject, tag.end()) is not None
