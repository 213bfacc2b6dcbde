"""Products by their model's number: «iPhone 15 Pro», «ThinkPad X1», «my XPS 13».

A number makes a product only of a name that is no plain word: one with a capital inside it, one before a code of
letters and digits, or one of capitals that an article or its owner leads to. «Room 12» and «Golf 8» say too little.
"""

import re
from collections.abc import Iterator

from heedful.memory.entities.kinds import EntityKind, Sighting
from heedful.memory.entities.words import entity_words
from heedful.reading import is_stop_word, without_diacritics

_MODEL = re.compile(
    r"(?<![\w.@/-])(?P<name>(?:[A-Z][\w-]*[ \u00a0])?(?:[a-z]{1,2})?[A-Z][\w-]*)[ \u00a0]"
    r"(?P<number>(?P<code>[A-Z]{0,3})\d{1,4}[A-Za-z]{0,2})"
    r"(?P<more>(?:[ \u00a0](?:Pro|Max|Plus|Mini|Ultra|Air|Lite|SE|XL|Ti)(?!\w))*)"
    r"(?![\w%€$£°:/+-]|[.,]\d|\.[ \u00a0]?[A-ZÄÖÜ][a-zäöü]+[ \u00a0]\d{4})"
)
_INNER = re.compile(r"[a-z][A-Z]")
_NEXT = re.compile(r"[ \u00a0]+([^\W\d_]+)")
_LED = re.compile(r"(?:^|[^\w])([^\W\d_]+)[ \u00a0]+$")
_ACRONYM = range(2, 5)
_LONGEST_LEAD = 20
SCORE = 0.7


def models_in(text: str, lang: str) -> Iterator[Sighting]:
    """The products of a text that their number gives away, in order."""
    for match in _MODEL.finditer(text):
        name, start = match["name"], match.start()
        first, space, last = name.rpartition(" ")
        if first and _is_plain(first, lang):
            start, name = start + len(first) + len(space), last
        if _is_plain(last, lang) or not _is_model(name, match, text, start, lang):
            continue
        if match["code"] or match["more"] or not _counts(text, match.end(), lang):
            whole = text[start : match.end()]
            key = " ".join(without_diacritics(whole).split())
            yield Sighting(EntityKind.PRODUCT, start, match.end(), key, whole, SCORE)


def _is_model(name: str, match: re.Match[str], text: str, start: int, lang: str) -> bool:
    if _INNER.search(name):
        return True
    if match["code"]:  # in German any noun may stand before one: «Papier A4»
        return len(name) > 2 and (lang != "de" or name.isupper())
    led = _LED.search(text[max(0, start - _LONGEST_LEAD) : start])
    is_led = led is not None and without_diacritics(led[1]) in entity_words().determiners
    return is_led and name.isupper() and len(name) in _ACRONYM


def _is_plain(word: str, lang: str) -> bool:
    """Whether a word names no product whatever stands behind it."""
    folded, known = without_diacritics(word), entity_words()
    return (
        folded in known.numbered | known.not_names | known.determiners | known.first_names | known.thing_words
        or folded in known.number_labels
        or is_stop_word(folded, lang)
    )


def _counts(text: str, end: int, lang: str) -> bool:
    """Whether the number counts what follows: «PayPal 3 payments». German writes what is counted with a capital."""
    following = _NEXT.match(text, end)
    if following is None:
        return False
    return following[1][0].islower() == (lang != "de") and not is_stop_word(following[1].casefold(), lang)
