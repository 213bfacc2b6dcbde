"""What came of judging messages: drafts of items, and for each message why it gave one or stayed silent."""

from dataclasses import dataclass
from typing import Literal

from heedful.actionables import Draft
from heedful.core.ids import MessageId

VerdictKind = Literal["item", "done", "silent"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a message gave an item, gave one that is already done, or gave nothing; `reasons` are short sentences."""

    message_id: MessageId
    verdict: VerdictKind
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """The drafts of a thread's new messages, and one verdict for each new message, both in the thread's order."""

    drafts: tuple[Draft, ...]
    verdicts: tuple[Verdict, ...]
