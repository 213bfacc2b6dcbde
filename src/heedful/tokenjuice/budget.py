"""A cap that cannot cut the trailer: later stages of a prompt may ask for less than a rule left."""

from collections.abc import Sequence

from heedful.tokenjuice.estimate import tokens_in
from heedful.tokenjuice.rule import Window
from heedful.tokenjuice.selection import Allowance, choose
from heedful.tokenjuice.signal import pinned_lines

_TRIES = 4


def cap(text: str, *, budget_tokens: int, pinned: Sequence[str] = ()) -> tuple[str, int, int]:
    """The text within the budget, the number of lines removed and of lines written.

    Lines are chosen as anywhere else, so pins and errors go last; a single line too long for the budget keeps
    its beginning and its end.
    """
    tokens = tokens_in(text)
    if tokens <= budget_tokens:
        return text, 0, 0
    lines = text.split("\n")
    if len(lines) > 1:
        chosen = _fewer_lines(lines, budget_tokens / tokens, budget_tokens, pinned)
        if chosen is not None:
            return "\n".join(chosen), len(lines) - len(chosen), 0
    if any(quote in text for quote in pinned):
        return text, 0, 0
    return _ends(text, budget_tokens), 0, 0


def _fewer_lines(
    lines: list[str], share: float, budget_tokens: int, pinned: Sequence[str]
) -> list[str] | None:
    here = pinned_lines(lines, pinned)
    best = None
    for attempt in range(_TRIES):
        allowance = Allowance(share * 0.8**attempt, Window(1, 1), least_chars=0)
        choice = choose(lines, allowance, pinned=here)
        if len(choice.kept) < len(lines):
            best = [lines[n] for n in choice.kept]
            if tokens_in("\n".join(best)) <= budget_tokens:
                break
    return best


def _ends(text: str, budget_tokens: int) -> str:
    share = budget_tokens / tokens_in(text)
    for _ in range(_TRIES):
        size = max(2, int(len(text) * share))
        head = size * 7 // 10
        shorter = f"{text[:head]} … {text[len(text) - (size - head) :]}"
        if tokens_in(shorter) <= budget_tokens:
            return shorter
        share *= 0.85
    return shorter
