"""The product's mind without a model: what in a text needs the person, and whether a model's answer holds.

`BuiltinFinder` judges a thread's new messages; `check_item` checks one item of a model against the memory it was
shown. Both give drafts with exact evidence. `fulfilled_by`, `merge`, `twin_of` and `most_urgent` work on drafts of
either. Everything is pure and deterministic: values in, values out; what a language sounds like is in the
`[cues]` tables of `reading/languages/`.
"""

from heedful.judgement.builtin import BuiltinFinder, unread
from heedful.judgement.checking import Refusal, check_item
from heedful.judgement.detect import Sighting, SightingKind, detect
from heedful.judgement.explanation import explain_item, explain_silence
from heedful.judgement.fulfilment import fulfilled_by
from heedful.judgement.ranking import RUN_LIMIT, most_urgent
from heedful.judgement.twins import merge, twin_of
from heedful.judgement.verdicts import Judged, Verdict, VerdictKind
from heedful.judgement.worth import worth_asking

__all__ = [
    "RUN_LIMIT",
    "BuiltinFinder",
    "Judged",
    "Refusal",
    "Sighting",
    "SightingKind",
    "Verdict",
    "VerdictKind",
    "check_item",
    "detect",
    "explain_item",
    "explain_silence",
    "fulfilled_by",
    "merge",
    "most_urgent",
    "twin_of",
    "unread",
    "worth_asking",
]
