"""Reads a shell command line far enough to know which program's output we hold."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

SHELL_TOOL_NAMES = frozenset(
    {
        "exec", "shell", "bash", "sh", "zsh", "terminal", "console", "command", "cmd", "run", "process", "powershell",
        "run_command", "run-command", "execute_command", "execute", "shell_command", "local_shell", "run_shell_command",
        "run_terminal_cmd", "run_in_terminal", "bash_tool", "container.exec", "system.run",
    }
)  # fmt: skip
_WORD = re.compile(r"""(?:[^\s"'\\;&|]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\\$)+""", re.DOTALL)
_SEPARATOR = re.compile(r"&&|\|\||[;&|\n]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_SILENT = frozenset(
    {"cd", "export", "set", "source", ".", "trap", "unset", "pushd", "popd", "true", ":", "umask", "mkdir"}
)
_FILTERS = frozenset(
    {"head", "tail", "grep", "egrep", "sort", "tee", "cat", "less", "more", "uniq", "sed", "awk", "tr", "cut"}
)
_WRAPPERS = frozenset({"sudo", "time", "nice", "nohup", "command", "stdbuf", "timeout", "exec", "doas"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_GIT_VALUE_OPTIONS = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})


@dataclass(frozen=True, slots=True)
class Command:
    """A command line as written, and the one program call whose output it prints; `argv` is empty for none."""

    line: str
    argv: tuple[str, ...]
    calls: int = 1

    def program(self) -> str:
        """The program's name without its folder."""
        return self.argv[0].rsplit("/", 1)[-1] if self.argv else ""

    def git_subcommand(self) -> str:
        """The subcommand behind git's own options; empty when the program is not git."""
        if self.program() != "git":
            return ""
        words = iter(self.argv[1:])
        for word in words:
            if word in _GIT_VALUE_OPTIONS:
                next(words, None)
            elif not word.startswith("-"):
                return word
        return ""


def read_command(line: str) -> Command:
    """The call that matters in `line`: shells are opened up, set-up commands and filters behind a pipe ignored.

    `calls` is 2 or more where several programs write to the same output.
    """
    pipelines = _pipelines(line)
    telling = [pipeline for pipeline in pipelines if pipeline[0][0] not in _SILENT]
    if not telling:
        return Command(line, tuple(pipelines[0][0]) if pipelines else ())
    argv = _speaker(telling[0])
    if len(telling) == 1 and argv[0].rsplit("/", 1)[-1] in _SHELLS:
        body = _shell_body(argv)
        if body:
            inner = read_command(body)
            return Command(line, inner.argv, inner.calls)
    return Command(line, tuple(argv), len(telling))


def _pipelines(line: str) -> list[list[list[str]]]:
    pipelines: list[list[list[str]]] = []
    stage: list[str] = []
    stages: list[list[str]] = []

    def close_stage() -> None:
        argv = _without_prefixes(stage)
        if argv:
            stages.append(argv)
        stage.clear()

    at = 0
    while at < len(line):
        separator, word = _SEPARATOR.match(line, at), _WORD.match(line, at)
        if separator and not (separator[0] == "&" and line[at - 1 : at] == ">"):
            close_stage()
            if separator[0] != "|" and stages:
                pipelines.append(stages)
                stages = []
            at = separator.end()
        elif word:
            stage.append(_unquoted(word[0]))
            at = word.end()
        else:
            at += 1
    close_stage()
    if stages:
        pipelines.append(stages)
    return pipelines


def _unquoted(word: str) -> str:
    return re.sub(
        r"""\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'""",
        lambda m: m[1] or m[2] or m[3] or "",
        word,
        flags=re.DOTALL,
    )


def _without_prefixes(words: Sequence[str]) -> list[str]:
    rest = list(words)
    while rest:
        if _ASSIGNMENT.match(rest[0]):
            rest.pop(0)
        elif rest[0] in _WRAPPERS and len(rest) > 1:
            wrapper = rest.pop(0)
            while len(rest) > 1 and (
                rest[0].startswith("-") or (wrapper == "timeout" and rest[0][:1].isdigit())
            ):
                rest.pop(0)
        else:
            break
    return rest


def _speaker(stages: Sequence[list[str]]) -> list[str]:
    """The stage whose lines come out at the end: filters only pass on what they were given."""
    speaking = [stage for stage in stages if stage[0] not in _FILTERS]
    return speaking[-1] if speaking else stages[0]


def _shell_body(argv: Sequence[str]) -> str:
    for option, body in itertools.pairwise(argv):
        if option.startswith("-") and option.endswith("c"):
            return body
    return ""
