"""Applies one rule to one text: the shape reader it names, or the line steps in their fixed order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from heedful.tokenjuice import line_steps
from heedful.tokenjuice.ledger import WRITTEN, Draft, Ledger
from heedful.tokenjuice.rule import Dedup, Rule, SectionKind, Shape, Window
from heedful.tokenjuice.sections import summarise
from heedful.tokenjuice.selection import Allowance
from heedful.tokenjuice.shapes import Reading, Reshape
from heedful.tokenjuice.signal import Severity, pinned_lines, severity_of
from heedful.tokenjuice.templates import mine

SHARE = 0.17
_LOG_ENDS = Window(3, 3)
_READERS = {
    Shape.HTML: "html_shape:reshape_html",
    Shape.MAIL: "mail_shape:reshape_mail",
    Shape.CHAT: "chat_shape:reshape_chat",
    Shape.INVITATION: "calendar_shape:reshape_invitation",
    Shape.JSON: "json_shape:reshape_json",
    Shape.JSON_LINES: "json_shape:reshape_json_lines",
    Shape.CSV: "table_shape:reshape_csv",
    Shape.MARKDOWN: "markdown_shape:reshape_markdown",
    Shape.DIFF: "diff_shape:reshape_diff",
    Shape.GIT_STATUS: "status_shape:reshape_git_status",
}


@dataclass(frozen=True, slots=True)
class Reduced:
    """The text after a rule, the facts its counters found, and the account."""

    text: str
    facts: tuple[tuple[str, int], ...]
    ledger: Ledger


def reduce_text(
    text: str, rule: Rule, *, shape: Shape, exit_code: int | None, pinned: Sequence[str]
) -> Reduced:
    """The text as the rule leaves it; `shape` is the rule's own, or JSON where the text turned out to be that."""
    ledger = Ledger()
    if shape is Shape.VERBATIM:
        return Reduced(text, (), ledger)
    whole = Draft.of(text)
    if shape is Shape.LINES:
        return _by_lines(whole, rule, exit_code=exit_code, pins=pinned, ledger=ledger)
    facts = line_steps.count_facts(whole.lines, rule.counters)
    cleaned = (
        ledger.enter("control sequences", whole, line_steps.strip_ansi(whole)) if rule.strip_ansi else whole
    )
    reshaped = _reader(shape)(Reading(cleaned.text(), pinned, SHARE, ledger))
    if rule.shape is Shape.LINES and not ledger.steps:
        return _by_lines(whole, rule, exit_code=exit_code, pins=pinned, ledger=ledger)
    return Reduced(reshaped, facts, ledger)


def _reader(shape: Shape) -> Reshape:
    module, name = _READERS[shape].split(":")
    found: Reshape = getattr(import_module(f"{__package__}.{module}"), name)
    return found


def _by_lines(
    whole: Draft, rule: Rule, *, exit_code: int | None, pins: Sequence[str], ledger: Ledger
) -> Reduced:
    pinned = pinned_lines(whole.lines, pins)
    draft = whole

    def step(name: str, apply: Callable[[Draft], Draft]) -> None:
        nonlocal draft
        draft = ledger.enter(name, draft, apply(draft))

    if rule.pretty_json:
        step("json lines", line_steps.pretty_json)
    if rule.strip_ansi:
        step("control sequences", line_steps.strip_ansi)
    if rule.match.asks_for_command() or exit_code is not None:
        step("overwritten", line_steps.last_states)
    step("trailing blanks", line_steps.trim_trailing)
    answer = None if exit_code or pinned else _answer(draft, rule)
    if answer is not None:
        facts = line_steps.count_facts(draft.lines, rule.counters)
        step("answer", lambda _: Draft([answer], [WRITTEN]))
        return Reduced(draft.text(), facts, ledger)
    unfiltered = draft
    step("drop", lambda d: line_steps.drop(d, rule.skip, pinned=pinned))
    step("keep", lambda d: line_steps.keep(d, rule.keep, pinned=pinned))
    if rule.trim_edges:
        step("empty edges", line_steps.trim_edges)
    if rule.fold_whitespace:
        step("white space", line_steps.fold_whitespace)
    counted = unfiltered if rule.counts_before_keep else draft
    allowance = _allowance(rule, exit_code)
    templates = (
        mine(draft.lines) if allowance is not None and len(draft.lines) > line_steps.MANY_LINES else None
    )
    facts = line_steps.count_facts(
        counted.lines, rule.counters, templates=templates if counted is draft else None
    )
    if rule.on_empty and not draft.text().strip():
        step("empty", lambda _: Draft([rule.on_empty], [WRITTEN]))
        return Reduced(draft.text(), facts, ledger)
    if rule.dedup is Dedup.ADJACENT:
        step("repeats", lambda d: line_steps.dedupe_adjacent(d, pinned=pinned))
    if rule.sections is not None and rule.sections.by is not SectionKind.TEMPLATE:
        sections = rule.sections
        step("sections", lambda d: summarise(d, sections, pinned=pinned))
    if allowance is not None:
        mined = templates if templates is not None and draft is counted else None
        step("represented", lambda d: line_steps.represent(d, allowance, pinned=pinned, templates=mined))
    step("truncate", lambda d: line_steps.cut_lines(d, rule.truncate, pinned=pinned))
    return Reduced(draft.text(), facts, ledger)


def _allowance(rule: Rule, exit_code: int | None) -> Allowance | None:
    window = rule.window_for(exit_code)
    by_template = rule.dedup is Dedup.TEMPLATES or (
        rule.sections is not None and rule.sections.by is SectionKind.TEMPLATE
    )
    if window is None and not by_template:
        return None
    return Allowance(SHARE, window or _LOG_ENDS)


def _answer(draft: Draft, rule: Rule) -> str | None:
    """The rule's short message, where the output says so and nothing in it speaks of an error."""
    for answer in rule.answers:
        if any(answer.pattern.found_in(line) for line in draft.lines):
            if any(severity_of(line) is Severity.ERROR for line in draft.lines):
                return None
            return answer.message
    return None
