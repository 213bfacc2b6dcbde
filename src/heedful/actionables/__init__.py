"""The item for the person: fields, life cycle, history, store."""

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

__all__ = [
    "TITLE_LENGTH",
    "Actionable",
    "Direction",
    "Draft",
    "Evidence",
    "ItemSource",
    "Priority",
    "State",
    "actionable_id",
]
