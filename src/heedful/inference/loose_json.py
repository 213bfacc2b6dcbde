"""Finds the JSON objects in what a model wrote, however it wrapped, decorated or broke it.

Nothing is invented: an object counts only when it is whole. What could not be read is said in a note.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from heedful.core.errors import RejectedError

MAX_CHARACTERS = 200_000
MAX_STARTS = 500

_THOUGHT = re.compile(r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_END_OF_THOUGHT = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.IGNORECASE | re.DOTALL)
_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*<\|message\|>", re.IGNORECASE)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_START = re.compile(r"[{\[]")
_FIRST_ARRAY = re.compile(r'\s*\{\s*(?:"[^"]*"\s*:\s*(?:"[^"]*"|[\w.+-]+)\s*,\s*)*"[^"]*"\s*:\s*\[')
_OBJECT_AHEAD = re.compile(r"[\s,]*(?=\{)")
_NEXT_OBJECT = re.compile(r"\}\s*,\s*(?=\{)")

Object = dict[str, object]


class UnreadableError(RejectedError):
    """The answer holds no JSON that could be items."""


@dataclass(frozen=True, slots=True)
class Found:
    """The objects of an answer in their order, and what had to be left out, in sentences for Activity."""

    items: tuple[Object, ...]
    notes: tuple[str, ...] = ()


def find_items(text: str) -> Found:
    """The items in an answer: a root object holding a list, a bare list, one object, or objects in a row.

    Raises:
        UnreadableError: There is none of these, not even an empty list.
    """
    said = without_thoughts(text[:MAX_CHARACTERS])
    candidates = [found for found in map(_found, _values(_repaired(said))) if found is not None]
    if not candidates:
        raise UnreadableError(
            "The model's answer was not in the form asked for", "It is kept in the ledger.", ""
        )
    loose = [found for found in candidates if found.single]
    listed = [found for found in candidates if not found.single]
    if listed and (any(found.items for found in listed) or not loose):
        best = max(reversed(listed), key=lambda found: len(found.items))
        return Found(best.items, best.notes)
    return Found(tuple(item for found in loose for item in found.items))


def without_thoughts(text: str) -> str:
    """The answer proper, without what reasoning models think aloud before it."""
    if final := list(_CHANNEL.finditer(text)):
        text = text[final[-1].end() :]
    text = _THOUGHT.sub("", text)
    return _END_OF_THOUGHT.sub("", text).strip()


@dataclass(frozen=True, slots=True)
class _Candidate:
    items: tuple[Object, ...]
    notes: tuple[str, ...]
    single: bool


@dataclass(frozen=True, slots=True)
class _Cut:
    """The whole elements of an array that ends too early or has a broken element in it."""

    elements: tuple[object, ...]
    broken: int


def _repaired(text: str) -> str:
    """Without commas before a closing bracket, outside strings."""
    return _TRAILING_COMMA.sub(lambda found: found[1] or "", text)


def _values(text: str) -> Iterator[object]:
    """Every outermost JSON value that begins with a bracket; a `_Cut` for one that is not whole."""
    at = 0
    for _ in range(MAX_STARTS):
        start = _START.search(text, at)
        if start is None:
            return
        try:
            whole = _decoded(text, start.start())
            cut = _rescued(text, start.start()) if whole is None else None
        except RecursionError:  # brackets within brackets without end are no answer
            return
        if whole is not None:
            value, at = whole
            yield value
        elif cut is not None:
            yield cut
            return
        else:
            at = start.end()


def _decoded(text: str, at: int) -> tuple[object, int] | None:
    try:
        return _DECODER.raw_decode(text, at)
    except ValueError:
        return None


def _rescued(text: str, at: int) -> _Cut | None:
    """The whole objects of the array that begins here, or in the object that begins here; None without any."""
    inside = _FIRST_ARRAY.match(text, at)
    if text[at] == "{" and inside is None:
        return None
    position = inside.end() if inside else at + 1
    elements: list[object] = []
    broken = 0
    while (start := _OBJECT_AHEAD.match(text, position)) is not None:
        whole = _decoded(text, start.end())
        if whole is not None:
            element, position = whole
            elements.append(element)
            continue
        broken += 1
        later = _NEXT_OBJECT.search(text, start.end())
        if later is None:
            break
        position = later.end()
    return _Cut(tuple(elements), broken) if elements or broken else None


def _found(value: object) -> _Candidate | None:
    if isinstance(value, _Cut):
        if not value.elements:
            return None
        note = f"The answer was cut or broken; {_counted(len(value.elements))} could be kept."
        return _Candidate(_objects(value.elements), (note,), single=False)
    if isinstance(value, list):
        objects = _objects(value)
        if value and not objects:
            return None
        lost = len(value) - len(objects)
        notes = (f"{lost} of {len(value)} entries of the answer were not objects.",) if lost else ()
        return _Candidate(objects, notes, single=False)
    if isinstance(value, dict):
        return _from_object(value)
    return None


def _from_object(value: Object, depth: int = 3) -> _Candidate | None:
    if isinstance(items := value.get("items"), list):
        return _found(items)
    if "title" in value or not value:
        return _Candidate((value,) if value else (), (), single=bool(value))
    for inner in value.values():
        found = _found(inner) if isinstance(inner, list) else None
        if isinstance(inner, dict) and depth:
            found = _from_object(inner, depth - 1)
        if found is not None and not found.single:
            return found
    return _Candidate((value,), (), single=True)


def _objects(values: "list[object] | tuple[object, ...]") -> tuple[Object, ...]:
    return tuple(value for value in values if isinstance(value, dict))


def _counted(count: int) -> str:
    return "1 whole item" if count == 1 else f"{count} whole items"


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _no_number(_: str) -> None:
    """NaN and Infinity are no JSON; a field that holds one holds nothing."""


_DECODER = json.JSONDecoder(strict=False, parse_float=_finite, parse_constant=_no_number)
