"""Which rule speaks for a text: the most specific one that matches, the rest listed with their scores.

A rule scores by how much it asks for, not by how many alternatives it lists.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from heedful.tokenjuice.command import SHELL_TOOL_NAMES, Command
from heedful.tokenjuice.rule import Kind, Match, Rule

RUNNERS_UP_LIMIT = 5
FALLBACK_ID = "generic/fallback"


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known about where a text came from; `kinds` are what it looks like, likeliest first."""

    command: Command | None = None
    tool: str | None = None
    kinds: tuple[Kind, ...] = ()

    def tool_name(self) -> str:
        """The tool's name; every name in use for a shell counts as `exec`."""
        name = self.tool or ("exec" if self.command is not None else "")
        return "exec" if name.lower() in SHELL_TOOL_NAMES else name


@dataclass(frozen=True, slots=True)
class Scored:
    """A rule that matches, and how specifically."""

    rule: Rule
    score: float


def classify(rules: Iterable[Rule], origin: Origin) -> list[Scored]:
    """Every rule that matches, best first; the fallback, if there is one, is always last."""
    scored = [Scored(rule, _score(rule, origin.kinds)) for rule in rules if matches(rule.match, origin)]
    return sorted(scored, key=lambda item: (item.rule.id == FALLBACK_ID, -item.score, item.rule.id))


def matches(match: Match, origin: Origin) -> bool:
    """Whether everything the rule asks for is there."""
    command = origin.command
    if match.asks_for_command() and (command is None or not _command_matches(match, command)):
        return False
    if match.tool_names and origin.tool_name() not in _tools(match.tool_names):
        return False
    if not match.content:
        return True
    # Lines a program printed are never taken for writing: an unknown program's output is a case for the fallback.
    return any(kind in match.content and (kind is not Kind.PROSE or command is None) for kind in origin.kinds)


@lru_cache(maxsize=512)
def _tools(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset("exec" if name.lower() in SHELL_TOOL_NAMES else name for name in names)


def _command_matches(match: Match, command: Command) -> bool:
    if match.argv0 and not ({command.program(), command.argv[0] if command.argv else ""} & set(match.argv0)):
        return False
    if match.git_subcommands and command.git_subcommand() not in match.git_subcommands:
        return False
    if not all(set(group) <= set(command.argv) for group in match.argv_includes):
        return False
    if match.argv_includes_any and not any(
        set(group) <= set(command.argv) for group in match.argv_includes_any
    ):
        return False
    if command.calls > 1 and not match.argv0 and not match.argv_includes:
        return False
    return _text_matches(match, command)


def _text_matches(match: Match, command: Command) -> bool:
    spoken = " ".join(command.argv)
    if not all(_has_word(spoken, part) for part in match.command_includes):
        return False
    any_of = match.command_includes_any
    return not any_of or any(_has_word(spoken, part) for part in any_of)


@lru_cache(maxsize=1024)
def _word(part: str) -> re.Pattern[str]:
    bare = part.strip(" ;&|\n")
    return re.compile(rf"(?<![\w-]){re.escape(bare)}(?![\w-])")


def _has_word(text: str, part: str) -> bool:
    return _word(part).search(text) is not None


def _score(rule: Rule, kinds: Sequence[Kind]) -> float:
    match = rule.match
    looks = next((len(kinds) - n for n, kind in enumerate(kinds) if kind in match.content), 0)
    return (
        rule.priority * 1000
        + 100 * bool(match.argv0)
        + 60 * bool(match.git_subcommands)
        + 40 * len(match.argv_includes)
        + 35 * bool(match.argv_includes_any)
        + 25 * len(match.command_includes)
        + 20 * bool(match.command_includes_any)
        + 10 * bool(match.tool_names)
        + 0.5 * looks
    )


def shell_rules_reachable(rules: Sequence[Rule], tool_names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Ids of the rules that some tool name in use, or no tool at all, can reach; and of those none can."""
    named = {"exec" if name.lower() in SHELL_TOOL_NAMES else name for name in tool_names}
    reachable: list[str] = []
    unreachable: list[str] = []
    for rule in rules:
        asked = rule.match.tool_names
        open_to_all = not asked and (not rule.match.asks_for_command() or "exec" in named)
        (reachable if open_to_all or named & _tools(asked) else unreachable).append(rule.id)
    return reachable, unreachable
