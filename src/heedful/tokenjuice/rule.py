"""A rule: what it recognises and what it does to what it recognised. Its file is read in `rule_reading`."""

from dataclasses import dataclass, field
from enum import StrEnum

from heedful.core.errors import RejectedError
from heedful.tokenjuice.patterns import Bounded, bounded


class RuleError(RejectedError):
    """A rule file cannot be used; the sentence names the file and the place in it."""


class Kind(StrEnum):
    """What a text is by its looks, when no command says where it came from."""

    HTML = "html"
    MAIL = "mail"
    QUOTED = "quoted"
    CHAT = "chat"
    INVITATION = "invitation"
    JSON = "json"
    JSON_LINES = "json-lines"
    CSV = "csv"
    MARKDOWN = "markdown"
    DIFF = "diff"
    LOG = "log"
    TABLE = "table"
    PRINTED = "printed"
    PROSE = "prose"


class Dedup(StrEnum):
    """Which repetitions become one line with a count."""

    NONE = "none"
    ADJACENT = "adjacent"
    TEMPLATES = "templates"


class SectionKind(StrEnum):
    """What lines are grouped by when sections are summarised."""

    HEADING = "heading"
    TEMPLATE = "template"
    STACK = "stack"
    TEST = "test"
    DIRECTORY = "directory"


class Shape(StrEnum):
    """A reader that knows the structure of a text and rewrites it as a whole."""

    LINES = "lines"
    VERBATIM = "verbatim"
    HTML = "html"
    MAIL = "mail"
    CHAT = "chat"
    INVITATION = "invitation"
    JSON = "json"
    JSON_LINES = "json-lines"
    CSV = "csv"
    MARKDOWN = "markdown"
    DIFF = "diff"
    GIT_STATUS = "git-status"


@dataclass(frozen=True, slots=True)
class Match:
    """When a rule applies: every part that is given must hold."""

    tool_names: tuple[str, ...] = ()
    argv0: tuple[str, ...] = ()
    git_subcommands: tuple[str, ...] = ()
    argv_includes: tuple[tuple[str, ...], ...] = ()
    argv_includes_any: tuple[tuple[str, ...], ...] = ()
    command_includes: tuple[str, ...] = ()
    command_includes_any: tuple[str, ...] = ()
    content: tuple[Kind, ...] = ()

    def asks_for_command(self) -> bool:
        """Whether a command line is needed to satisfy it."""
        return bool(
            self.argv0
            or self.git_subcommands
            or self.argv_includes
            or self.argv_includes_any
            or self.command_includes
            or self.command_includes_any
        )


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as written; compiled, and checked, when first used."""

    source: str
    flags: str = ""

    def found_in(self, line: str) -> bool:
        """Whether it occurs in the part of the line that is looked at."""
        return self.compiled().found_in(line)

    def compiled(self) -> Bounded:
        """The checked pattern; the same object each time."""
        return bounded(self.source, self.flags)


@dataclass(frozen=True, slots=True)
class Answer:
    """A short message that stands for a whole output when `pattern` occurs in it and nothing went wrong."""

    pattern: Pattern
    message: str


@dataclass(frozen=True, slots=True)
class Counter:
    """A number worth stating: how many lines match."""

    name: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Window:
    """How many lines stay at the beginning and at the end."""

    head: int
    tail: int


@dataclass(frozen=True, slots=True)
class Sections:
    """Grouping of lines; each group keeps `representatives` and a count."""

    by: SectionKind
    representatives: int = 2


@dataclass(frozen=True, slots=True)
class Truncate:
    """Hard limits of one rule; None is no limit."""

    lines: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, whole. `id` is the overlay key: a later layer's rule of the same id replaces it entirely."""

    id: str
    family: str
    match: Match = field(default_factory=Match)
    description: str = ""
    priority: float = 0.0
    shape: Shape = Shape.LINES
    on_empty: str = ""
    answers: tuple[Answer, ...] = ()
    counts_before_keep: bool = False
    skip: tuple[Pattern, ...] = ()
    keep: tuple[Pattern, ...] = ()
    strip_ansi: bool = True
    pretty_json: bool = False
    trim_edges: bool = True
    fold_whitespace: bool = False
    dedup: Dedup = Dedup.ADJACENT
    sections: Sections | None = None
    truncate: Truncate = field(default_factory=Truncate)
    window: Window | None = None
    failure_window: Window | None = None
    counters: tuple[Counter, ...] = ()

    def window_for(self, exit_code: int | None) -> Window | None:
        """The lines to keep at both ends; a failure may have its own."""
        if exit_code and self.failure_window is not None:
            return self.failure_window
        return self.window
