"""`heedful juice`: compresses what comes in on standard input and says what it removed."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.cli.command import Command, MisusedError, Terminal

if TYPE_CHECKING:  # rules are read only when the command runs
    from heedful.tokenjuice import Explanation


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--command", dest="printed_by", metavar="C", help="the command line that printed the text"
    )
    parser.add_argument("--exit-code", type=int, metavar="N", help="how that command ended")
    parser.add_argument(
        "--rules", type=Path, metavar="DIR", help="a folder of rules that win over all others"
    )
    parser.add_argument("--pin", action="append", default=[], metavar="QUOTE", help="words that must survive")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="the most tokens the result may have")
    parser.add_argument(
        "--explain", action="store_true", help="say which rule matched and what each step cut"
    )
    parser.add_argument("--original", metavar="ID", help="give back an original, byte for byte")
    trust = parser.add_mutually_exclusive_group()
    trust.add_argument("--trust", action="store_true", help="from now on use the rules of the current folder")
    trust.add_argument(
        "--distrust", action="store_true", help="from now on leave the rules of the current folder alone"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.tokenjuice import Juicer, MemoryOriginals, Request
    from heedful.tokenjuice.standard_book import standard_rule_book, trusted_folders

    if asked.budget is not None and asked.budget < 1:
        raise MisusedError("--budget takes a number from 1")
    if asked.rules is not None and not asked.rules.is_dir():
        raise MisusedError(f"There is no folder {asked.rules}", "", "--rules takes a folder of rule files.")
    if asked.original is not None:
        return asyncio.run(_give_original(asked.original, terminal))
    if asked.trust:
        trusted_folders(terminal.home).trust(Path.cwd())
        terminal.say("The rules of this folder are used from now on.")
        terminal.give({"trusted": str(Path.cwd())})
        return 0
    if asked.distrust:
        trusted_folders(terminal.home).distrust(Path.cwd())
        terminal.say("The rules of this folder are no longer used.")
        terminal.give({"distrusted": str(Path.cwd())})
        return 0
    book = standard_rule_book(
        terminal.home, person=Path.home(), project=Path.cwd(), last=[asked.rules] if asked.rules else []
    )
    text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    request = Request(
        text,
        command=asked.printed_by,
        exit_code=asked.exit_code,
        pinned=tuple(asked.pin),
        budget_tokens=asked.budget,
    )
    tray = MemoryOriginals(limit_bytes=max(1, 4 * len(text)))
    explanation = Juicer(book, tray).explain(request)
    if explanation.squeezed.retrieve_id and not asyncio.run(_kept(text, terminal)):
        explanation = Juicer(book).explain(request)
    for problem in book.problems():
        terminal.progress(f"{problem.path}: {problem.sentence}")
    _tell(explanation, terminal, reasons=asked.explain)
    return 0


async def _kept(text: str, terminal: Terminal) -> bool:
    """Whether the original is in the store now; without a store the result must not promise it."""
    from heedful.core.errors import HeedfulError
    from heedful.tokenjuice.originals import original_bytes
    from heedful.tokenjuice.originals_store import StoredOriginals

    try:
        async with terminal.app() as app:
            originals = StoredOriginals(app.store, app.clock)
            originals.put(original_bytes(text))
            await originals.save()
    except HeedfulError as exc:
        terminal.progress(f"The original is not kept: {exc.sentence()}")
        return False
    return True


async def _give_original(original_id: str, terminal: Terminal) -> int:
    from heedful.core.errors import RejectedError
    from heedful.tokenjuice.originals_store import StoredOriginals

    async with terminal.app(read_only=True) as app:
        data = StoredOriginals(app.store, app.clock).get(original_id)
    if data is None:
        raise RejectedError(
            f"There is no original {original_id}", "It was never kept, or it was forgotten to make room."
        )
    if terminal.as_json:
        terminal.give({"id": original_id, "text": data.decode("utf-8", "replace")})
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    return 0


def _tell(explanation: "Explanation", terminal: Terminal, *, reasons: bool) -> None:
    squeezed = explanation.squeezed
    text = squeezed.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not terminal.as_json:
        terminal.put(text)
    told: dict[str, object] = {
        "text": text,
        "rule": squeezed.rule,
        "family": squeezed.family,
        "layer": squeezed.layer.value,
        "steps": [_step(explanation, n, samples=reasons) for n in range(len(squeezed.steps))],
        "facts": dict(squeezed.facts),
        "facts_line": squeezed.facts_line(),
        "input_tokens": squeezed.input_tokens,
        "output_tokens": squeezed.output_tokens,
        "input_lines": squeezed.input_lines,
        "output_lines": squeezed.output_lines,
        "retrieve_id": squeezed.retrieve_id,
    }
    if reasons:
        told["path"] = explanation.path
        told["looks_like"] = [kind.value for kind in explanation.kinds]
        told["score"] = explanation.matched.score
        told["runners_up"] = [
            {"rule": found.rule.id, "score": found.score} for found in explanation.runners_up
        ]
        for line in _reasons(explanation):
            terminal.progress(line)
    terminal.give(told)


def _step(explanation: "Explanation", position: int, *, samples: bool) -> dict[str, object]:
    step = explanation.squeezed.steps[position]
    told: dict[str, object] = {
        "name": step.name,
        "removed": step.removed,
        "written": step.written,
        "chars": step.chars,
    }
    return {**told, "sample": list(step.sample)} if samples else told


def _reasons(explanation: "Explanation") -> list[str]:
    squeezed = explanation.squeezed
    lines = [
        f"rule {squeezed.rule} ({squeezed.layer.value}, {explanation.path}), score {explanation.matched.score:g}",
        *(f"  also {found.rule.id}, score {found.score:g}" for found in explanation.runners_up),
    ]
    for step in squeezed.steps:
        lines.append(
            f"{step.name}: {step.removed} lines less, {step.written} written, {step.chars} characters less"
        )
        lines += [f"  - {line[:120]}" for line in step.sample]
    lines.append(
        f"{squeezed.input_tokens} → {squeezed.output_tokens} tokens, {squeezed.saved_share():.0%} saved"
    )
    return lines


COMMAND = Command("juice", "compress a text and say what was removed", _add_arguments, _run)
