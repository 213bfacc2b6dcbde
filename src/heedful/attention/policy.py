"""Whether an item may interrupt the person now. Pure: facts in, a decision with its reason out.

A notification is for what is critical, new and unfulfilled; at most so many a day; once per item in a day; never
in quiet hours. Everything held back is in the window all the same, with the reason.
"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from heedful.actionables import Actionable, Priority, State
from heedful.core.settings import NotificationSettings

AGAIN_AFTER = timedelta(hours=24)

_WAITING = frozenset({State.ACTIVE, State.AWAITING})


@dataclass(frozen=True, slots=True)
class Interruption:
    """Whether to show a notification, and why or why not, in words for the person."""

    show: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown before: how many notifications today, and when this item's last one was."""

    today: int
    last_of_item: datetime | None


def decide(
    item: Actionable, *, now: datetime, local: datetime, shown: Shown, settings: NotificationSettings
) -> Interruption:
    """The decision about one item; `local` is `now` in the person's zone."""
    if item.draft.priority is not Priority.CRITICAL:
        return Interruption(False, "It is not critical.")
    if item.state not in _WAITING:
        return Interruption(False, f"It is {item.state.value} already.")
    if item.draft.direction == "theirs":
        return Interruption(False, "Somebody else has to act.")
    if not settings.enabled:
        return Interruption(False, "Notifications are switched off.")
    if is_quiet(local.time(), settings.quiet_from, settings.quiet_until):
        return Interruption(False, f"These are quiet hours, until {settings.quiet_until:%H:%M}.")
    if shown.last_of_item is not None and now - shown.last_of_item < AGAIN_AFTER:
        return Interruption(False, "You were told within the last 24 hours.")
    if shown.today >= settings.daily_limit:
        return Interruption(False, f"{settings.daily_limit} notifications were shown today already.")
    return Interruption(True, "It is critical and new.")


def is_quiet(moment: time, begin: time, end: time) -> bool:
    """Whether a local time lies in [begin, end), which may pass midnight; equal ends mean never."""
    if begin <= end:
        return begin <= moment < end
    return moment >= begin or moment < end
