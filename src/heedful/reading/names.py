"""Names of people and addresses in one comparable form."""

import re

_TITLES = frozenset([
    "dr", "mr", "mrs", "ms", "mx", "prof", "sir", "herr", "frau", "sr", "sra", "srta", "dra", "dona", "ing", "dipl-ing",
])  # fmt: skip
# How people call themselves: as a mailbox or a name («me <me@ana.example>») it names nobody.
_SELF = frozenset(["me", "myself", "i", "yo", "mí", "eu", "mim", "ich", "mich", "mir"])
_SPACES_OR_QUOTES = " \t\r\n'\"<>()[],;"


def normalise_address(addr: str) -> str:
    """A mail address for comparing: no `mailto:`, brackets or space, casefolded."""
    bare = addr.strip()
    if "<" in bare and ">" in bare:
        bare = bare[bare.rindex("<") + 1 :].split(">", 1)[0]
    bare = bare.strip(_SPACES_OR_QUOTES).casefold()
    return bare.removeprefix("mailto:").strip()


def display_name(name: str | None, address: str | None) -> str:
    """What to call a participant: the name when there is a real one, else the address made readable.

    The whole address where its mailbox is a word for oneself: «Reply to Me» would speak of somebody else.
    """
    shown = " ".join((name or "").strip().strip("'\"").split())
    if shown and "@" not in shown and not (address and shown.casefold() in _SELF):
        return _first_then_last(shown)
    whole = normalise_address(address or shown)
    mailbox = whole.split("@", 1)[0].split("+", 1)[0]
    if mailbox in _SELF:
        return whole
    parts = [part for part in re.split(r"[._\-]+", mailbox) if part]
    return " ".join(part if any(map(str.isdigit, part)) else part.capitalize() for part in parts)


def first_name(name: str) -> str:
    """The name a friend would use: no title, the part after the comma in «Last, First»; empty for no name."""
    for part in _first_then_last(" ".join(name.strip(_SPACES_OR_QUOTES).split())).split():
        if part.casefold().rstrip(".") not in _TITLES:
            return part.strip(",")
    return ""


def _first_then_last(name: str) -> str:
    last, comma, first = name.partition(",")
    if comma and first.strip() and len(last.split()) <= 3 and "," not in first:
        return f"{first.strip()} {last.strip()}"
    return name
