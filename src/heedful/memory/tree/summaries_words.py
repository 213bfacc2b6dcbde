"""The words of `summaries_words.toml`, read once."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from heedful.reading import without_diacritics

_FILE = Path(__file__).with_name("summaries_words.toml")


@lru_cache(maxsize=1)
def summaries_words() -> Mapping[str, Any]:
    """Lists of words by language, and the tables that hold more of them."""
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def folded(listed: str) -> frozenset[str]:
    """The words of a list, bare of case and accents."""
    return frozenset(map(without_diacritics, listed.split()))
