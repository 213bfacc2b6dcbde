"""What became of one text, in words: its rule, the rule's rivals, each step's cut, and both texts beside each other."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from heedful.presenters.numbers import count, thousands
from heedful.tokenjuice import Explanation, Layer, Step

SIDE_LINES = 1500
SIDE_LINE_LENGTH = 400
SAMPLE_LENGTH = 160
LAYER_WORDS = {Layer.BUILTIN: "built in", Layer.USER: "yours", Layer.PROJECT: "this project's"}

Fate = Literal["kept", "gone", "written"]


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """A rule that matched too."""

    rule: str
    score: str


@dataclass(frozen=True, slots=True)
class StepView:
    """One step's cut; `sample` are the first lines that went."""

    name: str
    counts: str
    sample: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideLine:
    """A line and its fate: on the left kept or gone, on the right kept or written by a step."""

    text: str
    fate: Fate


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two texts; `rest` says how much of it is not shown, and is empty when all is."""

    title: str
    note: str
    lines: tuple[SideLine, ...]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """Why a text was compressed the way it was."""

    rule: str
    description: str
    origin: str
    looks: str
    score: str
    runners_up: tuple[RunnerUp, ...]
    steps: tuple[StepView, ...]
    outcome: str
    before: Side
    after: Side


def account_of(explanation: Explanation) -> Account:
    """The explanation in words."""
    squeezed = explanation.squeezed
    before, after = _sides(explanation)
    return Account(
        rule=squeezed.rule,
        description=explanation.matched.rule.description,
        origin=f"{LAYER_WORDS[explanation.layer]}, {explanation.path}",
        looks=", ".join(kind.value for kind in explanation.kinds),
        score=f"{explanation.matched.score:g}",
        runners_up=tuple(RunnerUp(found.rule.id, f"{found.score:g}") for found in explanation.runners_up),
        steps=tuple(_step(step) for step in squeezed.steps),
        outcome=_outcome(explanation),
        before=before,
        after=after,
    )


def _outcome(explanation: Explanation) -> str:
    squeezed = explanation.squeezed
    if not squeezed.steps:
        return "nothing to gain"
    return f"{squeezed.saved_share():.0%} saved"


def _step(step: Step) -> StepView:
    told = [
        f"{thousands(number)} {words}"
        for number, words in (
            (step.removed, "removed"),
            (step.written, "written"),
            (step.chars, "characters less"),
        )
        if number > 0
    ]
    return StepView(step.name, ", ".join(told), tuple(_short(line, SAMPLE_LENGTH) for line in step.sample))


def _sides(explanation: Explanation) -> tuple[Side, Side]:
    squeezed = explanation.squeezed
    before, after = explanation.before.split("\n"), squeezed.text.split("\n")
    left = _told_apart(before, after, other="gone")
    right = _told_apart(after, before, other="written")
    return (
        _side("Before", left, f"{count(squeezed.input_tokens, 'token')}, {count(len(before), 'line')}"),
        _side("After", right, f"{count(squeezed.output_tokens, 'token')}, {count(len(after), 'line')}"),
    )


def _told_apart(lines: Sequence[str], others: Sequence[str], *, other: Fate) -> list[SideLine]:
    """Each line as kept when the other text has it too, as often as it has it."""
    left = Counter(others)
    told: list[SideLine] = []
    for line in lines:
        is_kept = left[line] > 0
        left[line] -= is_kept
        told.append(SideLine(line, "kept" if is_kept else other))
    return told


def _side(title: str, lines: Sequence[SideLine], note: str) -> Side:
    shown = tuple(SideLine(_short(line.text, SIDE_LINE_LENGTH), line.fate) for line in lines[:SIDE_LINES])
    hidden = len(lines) - len(shown)
    return Side(title, note, shown, f"{count(hidden, 'more line')} not shown here" if hidden else "")


def _short(line: str, length: int) -> str:
    """The line without what a screen can't show, cut with an ellipsis."""
    plain = "".join(sign if sign.isprintable() or sign == "\t" else "�" for sign in line[: length + 1])
    return plain if len(plain) <= length else plain[: length - 1] + "…"
