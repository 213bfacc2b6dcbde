"""The one line at the end that says what was cut; it survives every later cap.

It shrinks with the room it has: a large text gets the whole account, a tiny one only the number of lines that
went. The output with its trailer is never longer than the input.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heedful.tokenjuice.estimate import tokens_in
from heedful.tokenjuice.ledger import Step

_TRAILER = re.compile(r"(?:^|\n)\[(?:juice [^\[\]\n]{1,400}|-\d+ lines?(?: tj:[0-9a-f]{16})?|-\d+)\]\Z")
_FACTS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Account:
    """What the trailer tells."""

    rule_id: str
    layer: str
    lines_before: int
    lines_after: int
    tokens_before: int
    tokens_after: int
    steps: tuple[Step, ...]
    facts: tuple[tuple[str, int], ...]
    retrieve_id: str | None


def trailers(account: Account) -> Iterator[str]:
    """The ways to say it, fullest first."""
    identity = f"juice {account.rule_id} {account.layer}"
    reference = f" tj:{account.retrieve_id}" if account.retrieve_id else ""
    lines = f"lines {account.lines_before}->{account.lines_after}"
    size = f"{lines}, tokens {account.tokens_before}->{account.tokens_after}"
    cuts = ", ".join(f"{step.name} -{step.removed}" for step in account.steps if step.removed)
    facts = ", ".join(f"{count} {name}" for name, count in account.facts[:_FACTS_SHOWN])
    lost = account.lines_before - account.lines_after
    if facts:
        yield f"[{identity}: {size}; {cuts}; {facts};{reference}]".replace(";]", "]")
    yield f"[{identity}: {size}; {cuts};{reference}]".replace("; ;", ";").replace(";]", "]")
    yield f"[{identity}: {size}{';' if reference else ''}{reference}]"
    if reference:
        yield f"[-{lost} lines{reference}]"
    yield f"[-{lost} line{'' if lost == 1 else 's'}]"
    yield f"[-{lost}]"


def fitted(body: str, ways: Iterable[str], *, limit: str, limit_tokens: int) -> str | None:
    """The body with the fullest trailer that leaves it no longer than `limit`; None when none fits.

    Longer means more characters, more bytes or more tokens.
    """
    gap = "\n" if body else ""
    chars = len(limit) - len(body)
    size = len(limit.encode("utf-8", "surrogatepass")) - len(body.encode("utf-8", "surrogatepass"))
    tokens = limit_tokens - tokens_in(body)
    for way in ways:
        end = gap + way
        if len(end) <= chars and len(end.encode()) <= size and tokens_in(end) <= tokens:
            return body + end
    return None


def split_trailer(text: str) -> tuple[str, str]:
    """The text and its trailer; the trailer is empty when there is none."""
    found = _TRAILER.search(text, max(0, len(text) - 500))
    if found is None:
        return text, ""
    return text[: found.start()], text[found.start() :].lstrip("\n")
