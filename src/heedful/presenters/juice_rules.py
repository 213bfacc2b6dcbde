"""The person's own rules: which replace another, which could not be used, and one that is being written."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from heedful.presenters.juice_account import LAYER_WORDS
from heedful.tokenjuice import Layer, Located, Rule, RuleBook, RuleError
from heedful.tokenjuice.own_rules import own_file, starting_point, write_rule


@dataclass(frozen=True, slots=True)
class RuleNote:
    """One line about a rule: what, and where it lies; `tone` is failed for a problem."""

    title: str
    detail: str
    tone: Literal["own", "failed"]


@dataclass(frozen=True, slots=True)
class RuleDraft:
    """A rule as JSON, not yet saved. `file` is where it goes; `replaces` that a file is there already.

    `trouble` says why it could not be saved.
    """

    text: str
    file: Path
    replaces: bool = False
    trouble: str = ""

    @property
    def where(self) -> str:
        """What saving does, said before it is done."""
        if self.replaces:
            return f"Saving replaces a rule of yours in {self.file}."
        return f"Saving writes {self.file}."


def rule_notes(book: RuleBook) -> tuple[RuleNote, ...]:
    """Problems first, then the rules that are not built in, those that replace another with the word for it."""
    located = book.rules().values()
    problems = [RuleNote(Path(problem.path).name, problem.sentence, "failed") for problem in book.problems()]
    own = [_own_note(found) for found in located if found.layer is not Layer.BUILTIN]
    return (*problems, *own)


def draft_of(rule: Rule, folder: Path) -> RuleDraft:
    """A draft that begins as the rule is."""
    text = json.dumps(starting_point(rule), indent=2, ensure_ascii=False)
    file = own_file(rule.id, folder)
    return RuleDraft(text, file, file.exists())


def save_draft(draft: RuleDraft, folder: Path) -> RuleDraft | Path:
    """The file, once the rule is written; else the draft with what the person has to know before it can be.

    A file that `draft` does not announce is never written over: the answer announces it instead.

    Raises:
        UserCanFixError: The folder can't be written to.
    """
    try:
        document = _document(draft.text)
        file = own_file(str(document.get("id", "")), folder)
        if file.exists() and (file != draft.file or not draft.replaces):
            return replace(draft, file=file, replaces=True, trouble="")
        return write_rule(document, folder)
    except RuleError as exc:
        return replace(draft, trouble=exc.sentence())


def _document(text: str) -> Mapping[str, object]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise RuleError(f"This is not JSON: {exc}") from exc
    if not isinstance(document, dict):
        raise RuleError("A rule is one JSON object")
    return document


def _own_note(located: Located) -> RuleNote:
    where = f"{LAYER_WORDS[located.layer]}, {located.path}"
    if not located.shadows:
        return RuleNote(located.rule.id, where, "own")
    replaced = " and the one ".join(LAYER_WORDS[layer] for layer in located.shadows)
    return RuleNote(located.rule.id, f"{where}; replaces the one {replaced}", "own")
