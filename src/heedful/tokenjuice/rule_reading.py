"""Reads a rule from JSON, strictly.

An unknown key, a wrong type or a runaway pattern is an error that names the place in the file, because a rule that is
silently half-read hides text from the person it was meant to help.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from heedful.tokenjuice.patterns import PatternError
from heedful.tokenjuice.rule import (
    Answer,
    Counter,
    Dedup,
    Kind,
    Match,
    Pattern,
    Rule,
    RuleError,
    SectionKind,
    Sections,
    Shape,
    Truncate,
    Window,
)

T = TypeVar("T")


def read_rule(raw: object, *, where: str) -> Rule:
    """The rule in `raw`, a parsed JSON object; `where` names the file in any error.

    Raises:
        RuleError: A key is unknown or missing, or a value is of the wrong type or out of range.
    """
    return _rule(_Reading(raw, where, ""))


def check_patterns(rule: Rule, *, where: str) -> None:
    """Compiles every pattern of the rule, which reading it leaves for later.

    Raises:
        RuleError: One of them is malformed or could run for ever.
    """
    named = [
        *((f"filters.skip[{n}]", pattern) for n, pattern in enumerate(rule.skip)),
        *((f"filters.keep[{n}]", pattern) for n, pattern in enumerate(rule.keep)),
        *((f"matchOutput[{n}]", answer.pattern) for n, answer in enumerate(rule.answers)),
        *((f"counters[{n}]", counter.pattern) for n, counter in enumerate(rule.counters)),
    ]
    for path, pattern in named:
        try:
            pattern.compiled()
        except PatternError as exc:
            raise RuleError(f"{where}: {path} of {rule.id}: {exc.title}", hint=exc.hint) from exc


class _Reading:
    """One JSON object being read; remembers which keys were asked for, so that the rest can be refused.

    Most keys of most rules are not given, and all packaged rules are read at each start: what is absent is cheap.
    """

    def __init__(self, raw: object, where: str, path: str) -> None:
        self.where, self.path = where, path
        if not isinstance(raw, dict):
            raise self.error("is not an object")
        self._raw = cast("dict[str, object]", raw)  # JSON objects have string keys
        self._unasked = set(self._raw)

    def error(self, what: str, key: str = "") -> RuleError:
        place = ".".join(part for part in (self.path, key) if part) or "the rule"
        return RuleError(f"{self.where}: {place} {what}")

    def take(self, key: str, kind: type[T], default: T) -> T:
        if key not in self._raw:
            return default
        self._unasked.discard(key)
        value = self._raw[key]
        if isinstance(value, str) and "\0" in value:
            raise self.error("contains a NUL character", key)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.error(f"must be {_KIND_NAMES[kind]}", key)
        return value

    def anything(self, key: str, default: object) -> object:
        self._unasked.discard(key)
        return self._raw.get(key, default)

    def text(self, key: str) -> str:
        value = self.take(key, str, "")
        if not value.strip():
            raise self.error("must be given and not empty", key)
        return value

    def number(self, key: str, default: int, *, least: int = 0) -> int:
        value = self.take(key, int, default)
        if value < least:
            raise self.error(f"must be at least {least}", key)
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        if key not in self._raw:
            return ()
        return tuple(self._string(item, f"{key}[{n}]") for n, item in enumerate(self.take(key, list, [])))

    def groups(self, key: str) -> tuple[tuple[str, ...], ...]:
        if key not in self._raw:
            return ()
        groups = []
        for n, group in enumerate(self.take(key, list, [])):
            if not isinstance(group, list) or not group:
                raise self.error("must be a list of strings that is not empty", f"{key}[{n}]")
            groups.append(tuple(self._string(item, f"{key}[{n}]") for item in group))
        return tuple(groups)

    def _string(self, item: object, key: str) -> str:
        if not isinstance(item, str) or not item or "\0" in item:
            raise self.error("must be text that is not empty", key)
        return item

    def inner(self, key: str) -> "_Reading | None":
        if key not in self._raw:
            return None
        self._unasked.discard(key)
        return _Reading(self._raw[key], self.where, f"{self.path}.{key}" if self.path else key)

    def each(self, key: str, read: Callable[["_Reading"], T]) -> tuple[T, ...]:
        if key not in self._raw:
            return ()
        return tuple(
            read(_Reading(item, self.where, f"{self.path}.{key}[{n}]".lstrip(".")))
            for n, item in enumerate(self.take(key, list, []))
        )

    def patterns(self, key: str) -> tuple[Pattern, ...]:
        """Patterns written as plain text or as `{"pattern", "flags"}`."""
        if key not in self._raw:
            return ()
        found = []
        for n, item in enumerate(self.take(key, list, [])):
            if isinstance(item, str):
                found.append(Pattern(self._string(item, f"{key}[{n}]")))
            else:
                found.append(_pattern(_Reading(item, self.where, f"{self.path}.{key}[{n}]".lstrip("."))))
        return tuple(found)

    def choice(self, key: str, kinds: Mapping[str, T], default: T) -> T:
        value = self.take(key, str, "")
        if not value:
            return default
        if value not in kinds:
            raise self.error(f"must be one of {', '.join(kinds)}", key)
        return kinds[value]

    def done(self) -> None:
        if self._unasked:
            raise self.error("is not a known key", min(self._unasked))


_KIND_NAMES: Mapping[type, str] = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    float: "a number",
}

_KINDS = {kind.value: kind for kind in Kind}
_SHAPES = {shape.value: shape for shape in Shape}
_DEDUPS = {dedup.value: dedup for dedup in Dedup}
_COUNTER_SOURCES = {"postKeep": False, "preKeep": True}


def _rule(reading: _Reading) -> Rule:
    rule_id, family = reading.text("id"), reading.text("family")
    match = reading.inner("match")
    if match is None:
        raise reading.error("must be given", "match")
    skip, keep = _filters(reading)
    dedup, fold, strip, trim, pretty = _transforms(reading)
    window, failure = _windows(reading)
    rule = Rule(
        id=rule_id,
        family=family,
        match=_match(match),
        description=reading.take("description", str, ""),
        priority=_priority(reading),
        shape=reading.choice("shape", _SHAPES, Shape.LINES),
        on_empty=reading.take("onEmpty", str, ""),
        answers=reading.each("matchOutput", _answer),
        counts_before_keep=reading.choice("counterSource", _COUNTER_SOURCES, default=False),
        skip=skip + reading.patterns("drop"),
        keep=keep + reading.patterns("keep"),
        strip_ansi=strip,
        pretty_json=pretty,
        trim_edges=trim,
        fold_whitespace=fold or reading.take("foldWhitespace", bool, default=False),
        dedup=reading.choice("dedup", _DEDUPS, dedup),
        sections=_sections(reading.inner("summarise")),
        truncate=_truncate(reading.inner("truncate")),
        window=window,
        failure_window=failure,
        counters=reading.each("counters", _counter),
    )
    reading.done()
    return rule


def _priority(reading: _Reading) -> float:
    value = reading.anything("priority", 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        raise reading.error("must be a finite number", "priority")
    return float(value)


def _match(reading: _Reading) -> Match:
    content = reading.strings("content")
    for name in content:
        if name not in _KINDS:
            raise reading.error(f"must name one of {', '.join(_KINDS)}", "content")
    match = Match(
        tool_names=reading.strings("toolNames"),
        argv0=reading.strings("argv0"),
        git_subcommands=reading.strings("gitSubcommands"),
        argv_includes=reading.groups("argvIncludes"),
        argv_includes_any=reading.groups("argvIncludesAny"),
        command_includes=reading.strings("commandIncludes"),
        command_includes_any=reading.strings("commandIncludesAny"),
        content=tuple(_KINDS[name] for name in content),
    )
    reading.done()
    return match


def _filters(reading: _Reading) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
    filters = reading.inner("filters")
    if filters is None:
        return (), ()
    skip, keep = filters.patterns("skipPatterns"), filters.patterns("keepPatterns")
    filters.done()
    return skip, keep


def _transforms(reading: _Reading) -> tuple[Dedup, bool, bool, bool, bool]:
    transforms = reading.inner("transforms")
    if transforms is None:
        return Dedup.ADJACENT, False, True, True, False
    adjacent = transforms.take("dedupeAdjacent", bool, default=True)
    fold = transforms.take("foldWhitespace", bool, default=False)
    strip = transforms.take("stripAnsi", bool, default=True)
    trim = transforms.take("trimEmptyEdges", bool, default=True)
    pretty = transforms.take("prettyPrintJson", bool, default=False)
    transforms.done()
    return (Dedup.ADJACENT if adjacent else Dedup.NONE), fold, strip, trim, pretty


def _windows(reading: _Reading) -> tuple[Window | None, Window | None]:
    window = reading.inner("summarize")
    failure = reading.inner("failure")
    usual = None if window is None else _window(window, head=6, tail=6)
    if failure is None:
        return usual, None
    preserve = failure.take("preserveOnFailure", bool, default=False)
    found = _window(failure, head=6, tail=12)
    return usual, found if preserve else None


def _window(reading: _Reading, *, head: int, tail: int) -> Window:
    window = Window(reading.number("head", head), reading.number("tail", tail))
    reading.done()
    return window


def _sections(reading: _Reading | None) -> Sections | None:
    if reading is None:
        return None
    by = reading.choice("by", {kind.value: kind for kind in SectionKind}, SectionKind.TEMPLATE)
    sections = Sections(by, reading.number("representatives", 2, least=1))
    reading.done()
    return sections


def _truncate(reading: _Reading | None) -> Truncate:
    if reading is None:
        return Truncate()
    lines, tokens = reading.number("lines", 0), reading.number("tokens", 0)
    reading.done()
    return Truncate(lines or None, tokens or None)


def _pattern(reading: _Reading) -> Pattern:
    pattern = Pattern(reading.text("pattern"), reading.take("flags", str, ""))
    reading.done()
    return pattern


def _answer(reading: _Reading) -> Answer:
    answer = Answer(Pattern(reading.text("pattern"), reading.take("flags", str, "")), reading.text("message"))
    reading.done()
    return answer


def _counter(reading: _Reading) -> Counter:
    counter = Counter(reading.text("name"), Pattern(reading.text("pattern"), reading.take("flags", str, "")))
    reading.done()
    return counter
