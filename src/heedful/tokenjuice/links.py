"""Addresses of pages: which only report a click, and what is left of the others without their tags."""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_PARAMETERS = re.compile(
    r"^(?:utm_\w+|mc_[ce]id|fbclid|gclid|dclid|msclkid|yclid|igshid|_hsenc|_hsmi|__hs\w+|mkt_tok|trk\w*|vero_\w+|oly_\w+|rb_clickid|ref_src"
    r"|s_cid|elq\w*|sc_\w+|cmpid|spm|wickedid|_openstat|email_?id|campaign_?id|link_?id|si|share_id|ck_subscriber_id|ss_\w+)$",
    re.IGNORECASE,
)
_TRACKING_HOST = re.compile(
    r"^(?:click|clicks|track|tracking|trk|links?|email|e|go|open|t|r|ct|mailing|lnk|url\d*|u\d+)\d*\.[^/]+\.",
    re.IGNORECASE,
)
_TRACKING_PATH = re.compile(
    r"/(?:ls/click|track/click|wf/click|click|clk|trk|track|redirect|f/a|CL0|e/c|c)(?:/|\?|$)"
)
_OPAQUE_CHARS = 80
_LONGEST_KEPT = 500
"""An address that is longer is judged anew each time: nobody repeats it often, and some hold a whole document."""


def is_tracker(url: str) -> bool:
    """Whether the address is a long opaque one whose visible purpose is to count the click."""
    return _is_tracker(url) if len(url) <= _LONGEST_KEPT else _is_tracker.__wrapped__(url)


def clean_url(url: str) -> str:
    """The address without the parameters that only follow the reader around."""
    return _clean_url(url) if len(url) <= _LONGEST_KEPT else _clean_url.__wrapped__(url)


@lru_cache(maxsize=4096)
def _is_tracker(url: str) -> bool:
    if len(url) < _OPAQUE_CHARS or not url.lower().startswith("http"):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    tracking = _TRACKING_HOST.match(parts.netloc) or _TRACKING_PATH.search(
        parts.path + ("?" if parts.query else "")
    )
    rest = parts.path + parts.query
    return bool(tracking) and max(map(len, re.split(r"[/?&=._-]", rest)), default=0) > 20


@lru_cache(maxsize=4096)
def _clean_url(url: str) -> str:
    if "?" not in url and "#" not in url:
        return url
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return url
    kept = [(name, value) for name, value in pairs if not _PARAMETERS.match(name)]
    if len(kept) == len(pairs):
        return url
    return urlunsplit(parts._replace(query=urlencode(kept)))
