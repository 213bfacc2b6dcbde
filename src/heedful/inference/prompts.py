"""Prompts are files, found at run time: the person's own copy wins, the shipped one is the fallback.

A prompt file begins with front matter between two lines of `---` (id, version, inputs, output); the rest is
the text. `output` names the file of a JSON schema beside it, or is empty. A text with inputs is a jinja2
template in which an unknown name is an error; a text without any is used byte for byte.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heedful.core.errors import DamageError, RejectedError
from heedful.core.paths import shipped

log = logging.getLogger(__name__)

_FENCE = "---"
_KNOWN = frozenset({"id", "version", "inputs", "output"})


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt, ready to be filled. `note` says why the person's own copy was passed over, if it was."""

    id: str
    version: int
    inputs: tuple[str, ...]
    template: str
    schema: Mapping[str, object] = field(default_factory=dict)
    note: str = ""

    @property
    def name(self) -> str:
        """As items and ledger rows carry it: `conscious_loop@1`."""
        return f"{self.id}@{self.version}"

    def text(self, **values: str) -> str:
        """The prompt with its inputs filled in.

        Raises:
            RejectedError: The template can't be filled with these values.
        """
        if not self.inputs:
            return self.template
        from jinja2 import StrictUndefined, TemplateError  # costs 40 ms, and most prompts have no inputs
        from jinja2.sandbox import SandboxedEnvironment

        environment = SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
        try:
            return environment.from_string(self.template).render(**values)
        except TemplateError as exc:
            raise RejectedError(
                f"The prompt {self.name} can't be filled in", type(exc).__name__, "Correct its template."
            ) from exc


def load_prompt(file_name: str, own_folder: Path) -> Prompt:
    """The prompt of that file name: the person's copy in `own_folder`, else the shipped one.

    A copy that can't be used is passed over, and the prompt's `note` says so.

    Raises:
        DamageError: The shipped prompt is missing.
    """
    own = own_folder / file_name
    note = ""
    if own.is_file():
        try:
            return read_prompt(own)
        except (RejectedError, OSError, UnicodeDecodeError) as exc:
            log.info("the person's prompt %s is unusable: %s", file_name, type(exc).__name__)
            why = exc.sentence() if isinstance(exc, RejectedError) else "It can't be read."
            note = f"Your own {file_name} was passed over, and the one that came with Heedful is used: {why}"
    return read_prompt(shipped("prompts", file_name), note=note)


def read_prompt(file: Path, *, note: str = "") -> Prompt:
    """One prompt file.

    Raises:
        RejectedError: Its front matter is missing, incomplete or unknown, or its schema is unusable.
        OSError, UnicodeDecodeError: It can't be read.
    """
    head, text = _parted(file.read_text(encoding="utf-8").replace("\r\n", "\n"), file.name)
    if not head.get("version", "").isdecimal() or not head.get("id") or set(head) - _KNOWN:
        raise _unusable(
            file.name, "Its front matter needs an id and a whole version, and knows nothing else."
        )
    if not text.strip():
        raise _unusable(file.name, "It has no text.")
    inputs = tuple(name.strip() for name in head.get("inputs", "").split(",") if name.strip())
    schema = _schema(head.get("output", ""), file.parent)
    return Prompt(head["id"], int(head["version"]), inputs, text, schema, note)


def _parted(raw: str, name: str) -> tuple[dict[str, str], str]:
    lines = raw.removeprefix("\ufeff").split("\n")
    if lines[0].strip() != _FENCE or _FENCE not in (line.strip() for line in lines[1:]):
        raise _unusable(name, "It does not begin with front matter between two lines of ---.")
    end = next(at for at, line in enumerate(lines[1:], 1) if line.strip() == _FENCE)
    head: dict[str, str] = {}
    for line in lines[1:end]:
        if line.strip() and not line.lstrip().startswith("#"):
            key, colon, value = line.partition(":")
            if not colon:
                raise _unusable(name, "A line of its front matter has no colon.")
            head[key.strip()] = value.strip()
    return head, "\n".join(lines[end + 1 :]).lstrip("\n")


def _schema(name: str, folder: Path) -> Mapping[str, object]:
    """The schema beside the prompt, else the shipped one of that name."""
    if not name:
        return {}
    beside = folder / Path(name).name
    try:
        file = beside if beside.is_file() else shipped("prompts", Path(name).name)
        schema = json.loads(file.read_text(encoding="utf-8"))
    except DamageError as exc:
        raise _unusable(name, "Its output schema is not there.") from exc
    except ValueError as exc:
        raise _unusable(name, "Its output schema is not JSON.") from exc
    if not isinstance(schema, dict):
        raise _unusable(name, "Its output schema is not an object.")
    return schema


def _unusable(name: str, why: str) -> RejectedError:
    return RejectedError(f"The prompt {name} can't be used", why, "Correct or remove that file.")
