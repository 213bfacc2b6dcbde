"""The item for the person: fields, life cycle, history, store."""

from heedful.actionables.decisions import Decisions
from heedful.actionables.item import (
    TITLE_LENGTH,
    Actionable,
    Direction,
    Draft,
    Evidence,
    ItemSource,
    Priority,
    State,
    actionable_id,
)
from heedful.actionables.life import Change, Verb
from heedful.actionables.meeting import Meeting, meet

__all__ = [
    "TITLE_LENGTH",
    "Actionable",
    "Change",
    "Decisions",
    "Direction",
    "Draft",
    "Evidence",
    "ItemSource",
    "Meeting",
    "Priority",
    "State",
    "Verb",
    "actionable_id",
    "meet",
]
