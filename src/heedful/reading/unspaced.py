"""Scripts that set no spaces between words: Chinese, Japanese, Korean within a word, Thai, Lao, Khmer, Burmese.

Parted sign by sign, a text and a word looked up in it meet as a phrase, wherever the word begins.
"""

import re
from functools import lru_cache

_SIGNS = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Source: Unicode 15, Blocks.txt, of the scripts named above."""


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """One such sign, and the places to part: milliseconds to compile, which a text in ASCII does without."""
    return re.compile(f"[{_SIGNS}]"), re.compile(rf"(?<=[{_SIGNS}])(?=\w)|(?<=\w)(?=[{_SIGNS}])")


def parted(text: str) -> str:
    """The text with a space between the signs of such scripts, and around them; any other text as it is."""
    if text.isascii():
        return text
    sign, between = _patterns()
    return between.sub(" ", text) if sign.search(text) else text
