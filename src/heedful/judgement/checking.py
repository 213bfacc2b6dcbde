"""Checks what a model answered: nothing it says becomes an item unless the memory bears it out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from types import MappingProxyType

from heedful.actionables import Draft
from heedful.core.ids import ChunkId
from heedful.memory.stored import ThreadView

_NO_LABELS: Mapping[str, ChunkId] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an item of a model was not taken; `title` is as the model gave it, empty when it gave none."""

    reason: str
    title: str


def check_item(
    raw: object,
    threads: ThreadView | Sequence[ThreadView],
    *,
    now: datetime,
    zone: tzinfo,
    own: frozenset[str],
    found_by: str,
    prompt: str,
    labels: Mapping[str, ChunkId] = _NO_LABELS,
) -> Draft | Refusal:
    """One decoded JSON value of a model's answer as a draft, or why not. Never raises on any value.

    `labels` are the short names under which the prompt showed its chunks; a chunk's own id is understood too.
    """
    return Refusal("It names no evidence.", "")
