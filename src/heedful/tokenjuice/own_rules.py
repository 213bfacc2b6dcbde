"""«Edit as my rule»: writes a rule into the person's folder, where it replaces the one of the same id."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from heedful.core.errors import UserCanFixError
from heedful.tokenjuice.rule import Match, Pattern, Rule, Window
from heedful.tokenjuice.rule_reading import check_patterns, read_rule


def starting_point(rule: Rule) -> dict[str, object]:
    """The rule as JSON to start from: what it recognises and its windows, patterns and counters."""
    document: dict[str, object] = {
        "id": rule.id,
        "family": rule.family,
        "description": rule.description,
        "match": _match(rule.match),
        "shape": rule.shape.value,
        "dedup": rule.dedup.value,
        "foldWhitespace": rule.fold_whitespace,
    }
    document |= _given(
        priority=rule.priority,
        onEmpty=rule.on_empty,
        matchOutput=[_pattern(answer.pattern) | {"message": answer.message} for answer in rule.answers],
        drop=[_pattern(pattern) for pattern in rule.skip],
        keep=[_pattern(pattern) for pattern in rule.keep],
        counters=[{"name": counter.name} | _pattern(counter.pattern) for counter in rule.counters],
        truncate=_given(lines=rule.truncate.lines, tokens=rule.truncate.tokens),
    )
    if rule.sections:
        document["summarise"] = _given(
            by=rule.sections.by.value, representatives=rule.sections.representatives
        )
    if rule.window:
        document |= _given(summarize=_given(**_window(rule.window)))
    if rule.failure_window:
        document["failure"] = {"preserveOnFailure": True} | _window(rule.failure_window)
    document["transforms"] = {
        "stripAnsi": rule.strip_ansi,
        "trimEmptyEdges": rule.trim_edges,
        "prettyPrintJson": rule.pretty_json,
    }
    if rule.counts_before_keep:
        document["counterSource"] = "preKeep"
    return document


def write_rule(document: Mapping[str, object], folder: Path) -> Path:
    """Checks the rule and writes it to the folder, replacing an earlier file of the same rule; gives the file.

    Raises:
        RuleError: It is not a rule, or one of its patterns could run for ever; nothing was written.
        UserCanFixError: The folder can't be written to.
    """
    rule = read_rule(dict(document), where="your rule")
    check_patterns(rule, where="your rule")
    path = own_file(rule.id, folder)
    partial = path.with_suffix(".json.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")
        partial.replace(path)
    except OSError as exc:
        hint = "Check that you may write there, or choose another folder."
        raise UserCanFixError(
            f"The rule could not be saved in {folder}", str(exc.strerror or ""), hint
        ) from exc
    return path


def own_file(rule_id: str, folder: Path) -> Path:
    """The file in the folder that `write_rule` writes the rule of this id to, whether it is there or not."""
    name = re.sub(r"[^\w.-]+", "-", rule_id).strip(".-") or "rule"
    return folder / f"{name}.json"


def _given(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value not in (None, "", [], {}, 0.0)}


def _match(match: Match) -> dict[str, object]:
    return _given(
        toolNames=list(match.tool_names),
        argv0=list(match.argv0),
        gitSubcommands=list(match.git_subcommands),
        argvIncludes=[list(group) for group in match.argv_includes],
        argvIncludesAny=[list(group) for group in match.argv_includes_any],
        commandIncludes=list(match.command_includes),
        commandIncludesAny=list(match.command_includes_any),
        content=[kind.value for kind in match.content],
    )


def _pattern(pattern: Pattern) -> dict[str, object]:
    return {"pattern": pattern.source, "flags": pattern.flags}


def _window(window: Window) -> dict[str, object]:
    return {"head": window.head, "tail": window.tail}
