"""What is asked for a text, and what comes back of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from heedful.tokenjuice.layers import Layer
from heedful.tokenjuice.ledger import Step
from heedful.tokenjuice.rule import Kind


@dataclass(frozen=True, slots=True)
class Request:
    """A text and what is known about it."""

    text: str
    command: str | None = None
    exit_code: int | None = None
    tool: str | None = None
    kind: Kind | None = None
    pinned: Sequence[str] = ()
    budget_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A compressed text with its account. `retrieve_id` is None when nothing was cut or nowhere keeps originals.

    Lines kept plus lines removed, less lines a step wrote, is `input_lines`; the trailer is not among the lines.
    """

    text: str
    rule: str
    family: str
    layer: Layer
    steps: tuple[Step, ...]
    facts: tuple[tuple[str, int], ...]
    input_tokens: int
    output_tokens: int
    input_lines: int
    output_lines: int
    exit_code: int | None = None
    retrieve_id: str | None = None

    def facts_line(self) -> str:
        """The facts in one line, the exit code of a failure first."""
        exit_part = [f"exit {self.exit_code}"] if self.exit_code else []
        return ", ".join(exit_part + [f"{count} {name}" for name, count in self.facts])

    def saved_share(self) -> float:
        """The share of the input's tokens that was saved, from 0 to 1."""
        return 1 - self.output_tokens / self.input_tokens if self.input_tokens else 0.0
