"""What can be said of a sentence before weighing it: which cues it holds, and how it is built.

The features are named alike in every language, so that weights learnt in one serve all.
"""

import re

from heedful.judgement.cues import Hit, Token

_URL = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
TOPICS = ("security", "system", "payment", "renewal", "delivery")
_PAIRED = (
    "question", "you", "imperative", "please", "deadline", "meeting_word", "marketing", "condition_start", "closing",
    "let_know", "i_need", "need_you", "commit", "propose", "availability", "past", "subject_start", "thanks", "note",
    "can_you", "negated", "me_us", "first_person", "long", "wh_start", "aux_start", "hearsay", "automatic",
    "arranging", "modal", "we_start", "eager", "suits", "posting", "others",
)  # fmt: skip


def features_of(
    text: str,
    tokens: tuple[Token, ...],
    hits: tuple[Hit, ...],
    starts: frozenset[int],
    *,
    undercutting: frozenset[str],
) -> frozenset[str]:
    """The names of everything that holds for a sentence, pairs of the telling ones joined by `+`.

    `undercutting` are the words after which a wording means less.
    """
    opening = _opening(tokens, starts)
    found = {
        hit.name
        for hit in hits
        if hit.name != "verb" and not _is_undercut(hit, tokens, opening, undercutting)
    }
    if "second_person" in found:
        found.add("you")
    found |= _topics(found)
    found |= _shape(text, tokens)
    found |= _imperatives(tokens, hits, starts, opening=opening)
    paired = [name for name in _PAIRED if name in found]
    found.update(f"{one}+{other}" for place, one in enumerate(paired) for other in paired[place + 1 :])
    return frozenset(found)


def _is_undercut(hit: Hit, tokens: tuple[Token, ...], opening: int, undercutting: frozenset[str]) -> bool:
    """Whether a wording means less where it stands: a question word inside, «if you have to», «you email me»."""
    if hit.name == "asked":
        return hit.first != opening
    if hit.first == 0 or hit.name not in {"need_you", "let_know"}:
        return False
    return tokens[hit.first - 1].norm in undercutting


def _topics(found: set[str]) -> set[str]:
    """The subjects that a sentence surely is about: one sure wording, or a thing and a state it is in."""
    return {
        topic
        for topic in TOPICS
        if f"{topic}_settled" not in found
        and (f"{topic}_sure" in found or {f"{topic}_thing", f"{topic}_state"} <= found)
    }


def _shape(text: str, tokens: tuple[Token, ...]) -> set[str]:
    found = set()
    bare = text.rstrip(" \t\r\n\"'”’)")
    if bare.endswith("?"):
        found.add("question")
    elif "?" in text:
        found.add("question_inside")
    if bare.endswith("!"):
        found.add("exclaimed")
    if bare.endswith(":"):
        found.add("colon")
    words = sum(1 for token in tokens if not token.is_mark)
    found.add("one_word" if words <= 2 else "short" if words <= 6 else "middling" if words <= 25 else "long")
    if _URL.search(text):
        found.add("address")
    if any(token.norm[:1].isdigit() for token in tokens):
        found.add("number")
    if len(tokens) > 2 and tokens[1].norm in {",", "-", "–", "—"} and text[tokens[0].start].isupper():
        found.add("called")
    return found


def _imperatives(
    tokens: tuple[Token, ...], hits: tuple[Hit, ...], starts: frozenset[int], *, opening: int
) -> set[str]:
    """Where a verb stands as a command: first, after «please», or at the start of a later clause."""
    verbs = {hit.first: hit.last for hit in hits if hit.name == "verb"}
    after_please = {hit.last for hit in hits if hit.name == "please"}
    found: set[str] = set()
    for first in verbs if len(tokens) > 2 else ():
        if first in after_please:
            found |= {"imperative", "please_do"}
        elif first == opening:
            found |= {"imperative", "imperative_first"}
        elif first in starts:
            found.add("imperative_later")
    return found


def _opening(tokens: tuple[Token, ...], starts: frozenset[int]) -> int:
    """The first word that is no mark, joining word or name called."""
    opening = 0
    while opening < len(tokens) and (tokens[opening].is_mark or (opening + 1 in starts and opening < 4)):
        opening += 1
    return opening
