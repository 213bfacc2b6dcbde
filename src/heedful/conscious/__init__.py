"""The conscious loop: looks at what changed, finds what needs the person, keeps it, and leaves a row of it all.

From outside: `ConsciousLoop` runs looks, `Activity` answers what was done and why.
"""

from heedful.conscious.activity import Activity, DaySummary, Explanation
from heedful.conscious.activity_store import Cause, Outcome, TickRow
from heedful.conscious.look import BuiltinLook
from heedful.conscious.loop import ConsciousLoop, ModelReport, ModelStage

__all__ = [
    "Activity",
    "BuiltinLook",
    "Cause",
    "ConsciousLoop",
    "DaySummary",
    "Explanation",
    "ModelReport",
    "ModelStage",
    "Outcome",
    "TickRow",
]
