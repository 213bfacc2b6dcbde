"""Whom a message speaks to, and whether that is the person."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from heedful.memory import StoredMessage, ThreadView
from heedful.reading import display_name, first_name, language, normalise_address, without_diacritics
from heedful.sources import Person

Reach = Literal["direct", "copy", "list", "group"]

_MENTION = re.compile(r"@([\w.]+)")
_CALLED = re.compile(r"^\s*(?:@?)([^\W\d_][\w'’-]*)(?:\s+[A-ZÀ-Þ][\w'’-]*)?\s*[,:–—-]\s")
_GREETED_CHARS = 60


@dataclass(frozen=True, slots=True)
class Parties:
    """Who is who in a thread: first names without diacritics, casefolded."""

    mine: frozenset[str]
    others: frozenset[str]
    other_count: int

    def is_me(self, word: str) -> bool:
        """Whether a name is the person's."""
        return _bare(word) in self.mine

    def is_other(self, word: str) -> bool:
        """Whether a name is that of another party of the thread."""
        return _bare(word) in self.others and _bare(word) not in self.mine


def is_mine(message: StoredMessage, own: frozenset[str]) -> bool:
    """Whether the person wrote a message."""
    if message.from_me is not None:
        return message.from_me
    return message.traits.sent_folder or _is_own(message.author, own)


def name_of(person: Person) -> str:
    """What to call somebody in a title: their name as written, else their address made readable."""
    return display_name(person.name, person.address)


def parties(thread: ThreadView, own: frozenset[str]) -> Parties:
    """The first names in play; the person's come from their addresses, their own messages and `own`."""
    mine = {_bare(first_name(entry)) for entry in own if "@" not in entry}
    others: set[str] = set()
    authors: set[str] = set()
    for message in thread.messages:
        for person in (message.author, *message.to, *message.cc):
            me = is_mine(message, own) if person is message.author else _is_own(person, own)
            (mine if me else others).update(_names(person))
        if not is_mine(message, own):
            authors.add(message.author.address or message.author.name)
    return Parties(frozenset(mine - {""}), frozenset(others - {""}), len(authors))


def reach(message: StoredMessage, own: frozenset[str]) -> Reach:
    """How a message came to the person."""
    if message.traits.list_id:
        return "list"
    to = {normalise_address(person.address) for person in message.to if person.address}
    cc = {normalise_address(person.address) for person in message.cc if person.address}
    addresses = frozenset(entry for entry in own if "@" in entry)
    if to & addresses or not addresses or not (to or cc):
        return "direct"
    return "copy" if cc & addresses else "group"


def greeted(text: str, lang: str) -> tuple[str, ...]:
    """The names greeted in a text's first line, as written; empty when it greets nobody by name."""
    line = text.lstrip().split("\n", 1)[0][:_GREETED_CHARS]
    found = _greeting(lang).match(line)
    if found is None:
        return ()
    return tuple(re.findall(r"[^\W\d_][\w'’-]*", found["names"]))


def ungreeted(sentence: str, lang: str) -> str:
    """A sentence without the greeting at its front."""
    found = _opening(lang).match(sentence)
    return sentence[found.end() :] if found else sentence


def called(sentence: str) -> str:
    """The name at the front of a sentence that calls somebody («Bruno, could you …», «@bruno»), empty for none."""
    mention = _MENTION.match(sentence.lstrip())
    if mention:
        return mention[1]
    found = _CALLED.match(sentence)
    return found[1] if found and found[1][0].isupper() else ""


def mentions(text: str) -> tuple[str, ...]:
    """The handles named with `@` in a chat."""
    return tuple(_MENTION.findall(text))


@lru_cache(maxsize=16)
def _greeting(lang: str) -> re.Pattern[str]:
    ordered = _greetings(lang)
    name = r"[A-ZÀ-Þ][\w'’.-]*"
    joint = r"(?:\s*(?:,|&|/|and|e|y|und)\s*|\s+)"
    return re.compile(
        rf"^\s*(?i:{ordered})[\s,]+(?P<names>{name}(?:{joint}{name}){{0,3}})\s*[,!.:;–—-]?\s*(?:$|(?<=[,!.:;–—-]\s))"
    )


@lru_cache(maxsize=16)
def _opening(lang: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{_greetings(lang)})\b[^,!.?–—-]{{0,25}}[,!.–—-]\s*(?=\S)", re.IGNORECASE)


def _greetings(lang: str) -> str:
    """The greetings of a language and of English, which everybody mixes in, as an alternation."""
    greetings = {*language(lang).lines("mail", "greetings"), *language("en").lines("mail", "greetings")}
    return "|".join(re.escape(entry) for entry in sorted(greetings, key=len, reverse=True))


def _is_own(person: Person, own: frozenset[str]) -> bool:
    if person.address:
        return normalise_address(person.address) in own
    return bool(person.name) and person.name.casefold() in own


def _names(person: Person) -> set[str]:
    name = display_name(person.name, person.address)
    return {_bare(part) for part in (first_name(name), *name.split()) if len(part) > 1}


def _bare(name: str) -> str:
    return without_diacritics(name.strip(".,@'’"))
