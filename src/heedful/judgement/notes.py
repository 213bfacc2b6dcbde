"""What in the person's own notes is still to do: open check-boxes with a date."""

import re

from heedful.actionables import Draft
from heedful.judgement.drafting import Found, Setting, draft_of
from heedful.judgement.due import due_of
from heedful.judgement.naming import shortened
from heedful.judgement.quoting import evidence_at
from heedful.memory import StoredMessage
from heedful.reading import Span

_TODO = re.compile(r"^[ \t]*(?:[-*+][ \t]+\[ \][ \t]+|TODO[:\s]\s*)(?P<what>\S[^\n]*)", re.MULTILINE)
_LIMIT = 10


def judge_note(message: StoredMessage, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    """The drafts of a note's dated, unticked lines, or why it gives none."""
    drafts = []
    for line in _TODO.finditer(message.text):
        span = Span(line.start("what"), line.end("what"))
        due = due_of(message, span, (), setting.zone)
        evidence = evidence_at(message, span)
        if due is None or due.is_long_past(setting.now) or evidence is None:
            continue
        found = Found(
            title=shortened(line["what"]),
            evidence=(evidence,),
            reasons=("you noted it as to do",),
            confidence=0.8,
            due=due,
        )
        drafts.append(draft_of(found, message, setting))
    return tuple(drafts[:_LIMIT]), "A note without an open task that has a date."
