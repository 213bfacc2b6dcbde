"""Compresses a text and says what it removed. How is in `squeezing`, which is loaded with the first text."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from heedful.tokenjuice.classification import RUNNERS_UP_LIMIT, Scored
from heedful.tokenjuice.exchange import Request, Squeezed
from heedful.tokenjuice.layers import Layer, RuleBook
from heedful.tokenjuice.originals import Originals
from heedful.tokenjuice.rule import Kind


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a text was compressed the way it was."""

    before: str
    squeezed: Squeezed
    kinds: tuple[Kind, ...]
    matched: Scored
    layer: Layer
    path: str
    runners_up: tuple[Scored, ...]


@dataclass(frozen=True, slots=True)
class Juicer:
    """Compresses texts by the rules in `book`; keeps each original it cuts in `originals`, when there is one."""

    book: RuleBook = field(default_factory=RuleBook)
    originals: Originals | None = None

    def compress(
        self,
        text: str,
        *,
        command: str | None = None,
        exit_code: int | None = None,
        tool: str | None = None,
        kind: Kind | None = None,
        pinned: Sequence[str] = (),
        budget_tokens: int | None = None,
    ) -> Squeezed:
        """The text, shorter, with a trailer that says what is missing; unchanged where nothing is gained.

        Args:
            text: What a program printed, or what a person received.
            command: The command line that printed it; None when it is not a program's output.
            exit_code: The program's exit code; anything but 0 and None is a failure.
            tool: The name of the tool that ran; any name in use for a shell will do.
            kind: What the text is, where the caller knows.
            pinned: Exact quotes that must survive, each with a line of context where lines are chosen.
            budget_tokens: The most tokens the result may have; only pins and errors go beyond it.
        """
        from heedful.tokenjuice.squeezing import squeeze

        request = Request(text, command, exit_code, tool, kind, pinned, budget_tokens)
        return squeeze(request, self.book, originals=self.originals)[0]

    def explain(self, request: Request) -> Explanation:
        """The same compression with the reasons: the rule, its rivals, and what each step cut."""
        from heedful.tokenjuice.squeezing import squeeze

        squeezed, origin, scored = squeeze(request, self.book, originals=self.originals)
        located = self.book.rules()[scored[0].rule.id]
        return Explanation(
            before=request.text,
            squeezed=squeezed,
            kinds=origin.kinds,
            matched=scored[0],
            layer=located.layer,
            path=located.path,
            runners_up=tuple(scored[1 : 1 + RUNNERS_UP_LIMIT]),
        )
