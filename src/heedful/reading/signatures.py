"""Finds where a person signed off and where the boilerplate under a message begins."""

import re

from heedful.reading.mail_cues import mail_cues

_MARK = re.compile(r"(?:--|—|–)[ \t\u00a0]*$")
_RULE = re.compile(r"[ \t]*[-_=*~—–]{3,}[ \t]*$")
_SIGNED_NAME = re.compile(
    r"[ \t]*(?:[-–—~/]{1,2})[ \t]?[A-ZÀ-Þ][\w.'’-]*(?:[ \t][A-ZÀ-Þ][\w.'’-]*){0,2}[ \t]*$"
)
_LINK = re.compile(r"https?://\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.]+")
_CAPITAL = re.compile(r"[A-ZÀ-ÞĀ-Ž\d]")
_MARKED_LINES = 12
_UNMARKED_LINES = 14
_LINE_CHARS = 90
_TELLING_CHARS = (
    1000  # a footer shows itself at its beginning; patterns stay quick on a paragraph of any length
)


def signature_start(
    lines: list[str], *, is_below: bool = False, wrote: bool = False
) -> tuple[int, int] | None:
    """Lines [first, end) of the signature in a run of new lines; None without one.

    A run that would be nothing but signature has none, for «Thanks, Ana» may be all that someone wrote: unless it
    `is_below` a quotation and marked, or stands there signed off and its author `wrote` something above.
    """
    alone = {_marked: is_below, _signed_off: is_below and wrote}
    for find in (_marked, _signed_off, _contact_block, _lone_name):
        first = find(lines)
        if first is not None and (alone.get(find, False) or any(line.strip() for line in lines[:first])):
            return first, _end(lines, first)
    return None


def footer_start(lines: list[str]) -> int | None:
    """The line at which the disclaimers and list footers of a run begin; None without them.

    Read from the end upwards, paragraph by paragraph: what stands above running text is never a footer, so a
    mail about unsubscribing stays whole.
    """
    paragraphs = _paragraphs(lines)
    start: int | None = None
    for index in range(len(paragraphs) - 1, -1, -1):
        first, end = paragraphs[index]
        text = " ".join(" ".join(lines[first:end]).split())[:_TELLING_CHARS]
        if _is_boilerplate(text, low=3 * first >= 2 * len(lines), ruled=_ruled(lines, first)):
            start = first
        elif not _is_filler(text):
            break
    if start is None or not any(line.strip() and not _RULE.match(line) for line in lines[:start]):
        return None
    while start > 0 and (not lines[start - 1].strip() or _RULE.match(lines[start - 1])):
        start -= 1
    return start


def _is_boilerplate(text: str, *, low: bool, ruled: bool) -> bool:
    cues = mail_cues()
    lowered = text.lower()
    if not any(phrase in lowered for phrase in cues.boilerplate):
        return False
    if cues.disclaimer.search(text):
        return True
    hits = {found.group().lower() for found in cues.footer.finditer(text)}
    if not hits or text.endswith("?"):
        return False
    if len(hits) > 1 or ruled:
        return True
    return low and bool(_LINK.search(text)) and len(text) <= 3 * _LINE_CHARS


def _is_filler(text: str) -> bool:
    """Links, rules and scraps that stand between footers."""
    rest = _LINK.sub("", text)
    return len(re.findall(r"\w{2,}", rest)) <= 3 and not rest.rstrip().endswith("?")


def _ruled(lines: list[str], first: int) -> bool:
    if _RULE.match(lines[first]):
        return True
    above = first - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above >= 0 and _RULE.match(lines[above]) is not None


def _paragraphs(lines: list[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    first: int | None = None
    for number, line in enumerate([*lines, ""]):
        starts = bool(line.strip()) and (first is None or _RULE.match(line) is not None)
        if first is not None and (starts or not line.strip()):
            found.append((first, number))
            first = None
        if starts:
            first = number
    return found


def _end(lines: list[str], first: int) -> int:
    """Where the signature ends: at a postscript, else with the run."""
    for number in range(first + 1, len(lines)):
        if mail_cues().postscript.match(lines[number]):
            return number
    return len(lines)


def _marked(lines: list[str]) -> int | None:
    """Under `-- `, the mark that mail programs write; the mark without its space must stand near the end."""
    below = sum(1 for line in lines if line.strip())
    for number, line in enumerate(lines):
        below -= bool(line.strip())
        if _MARK.match(line) and (line.rstrip("\r\n") == "-- " or below <= _MARKED_LINES):
            return number
    return None


def _signed_off(lines: list[str]) -> int | None:
    """From «Best regards» or «Sent from my …» on, when only what belongs to a signature follows."""
    first, seen = None, 0
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].strip()
        if not line or _RULE.match(line):
            continue
        seen += 1
        if seen > _UNMARKED_LINES:
            break
        if is_closing(line) or mail_cues().mobile.match(line):
            first = number
        elif mail_cues().postscript.match(line):
            first, seen = None, 0
        elif not _belongs(line):
            break
    return first


def is_closing(line: str) -> bool:
    """Whether a line is a sign-off and nothing more than a name behind it."""
    bare = line.strip().strip("*_ \t").replace("’", "'")
    found = mail_cues().closing.match(bare)
    if found is None or len(bare) > 60 or bare.endswith("?"):
        return False
    rest = [word for word in re.findall(r"[^\W\d_][\w'-]*", bare[found.end() :])]
    if not rest:
        return True
    tail = " ".join(rest)
    return bool(mail_cues().closing.fullmatch(tail)) or (len(rest) <= 4 and all(map(_CAPITAL.match, rest)))


def _belongs(line: str) -> bool:
    """Whether a line could stand in a signature: a name, a title, an address, a phone number, an image."""
    if len(line) > _LINE_CHARS or line.endswith(("?", "!")):
        return False
    if mail_cues().contact.search(line):
        return len(line.split()) <= 12
    words = re.findall(r"[^\W_][\w'’.-]*", line)
    if not words or line.startswith(("[", "<", "(cid:")):
        return True
    if len(words) > 9 or (line.endswith(".") and len(words) > 4):
        return False
    if len(words) <= 2 and not line.endswith((".", ":", ",")):
        return True
    capitals = sum(1 for word in words if _CAPITAL.match(word))
    return capitals / len(words) >= 0.6 or any(word.casefold() in mail_cues().titles for word in words)


def _contact_block(lines: list[str]) -> int | None:
    """A last paragraph of two lines or more, all fit for a signature and one a phone number or a job title."""
    paragraphs = _paragraphs(lines)
    if len(paragraphs) < 2:
        return None
    first, end = paragraphs[-1]
    block = [line.strip() for line in lines[first:end]]
    if len(block) < 2 or not all(map(_belongs, block)):
        return None
    named = (
        all(map(_CAPITAL.match, re.findall(r"[^\W\d_][\w'’-]*", block[0])[:3])) and len(block[0].split()) <= 5
    )
    telling = any(mail_cues().contact.search(line) or _has_title(line) for line in block[1:])
    return first if named and telling else None


def _has_title(line: str) -> bool:
    return any(word.casefold() in mail_cues().titles for word in re.findall(r"\w[\w-]*", line))


def _lone_name(lines: list[str]) -> int | None:
    """A last line such as «– Ana»."""
    for number in range(len(lines) - 1, -1, -1):
        if lines[number].strip():
            return number if _SIGNED_NAME.match(lines[number]) else None
    return None
