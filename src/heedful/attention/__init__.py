"""Whether and how to interrupt: the policy, the port to notifications, the record of what was held back.

From outside: `Interruptions` decides and shows; a desktop offers a `Notifier`.
"""

from heedful.attention.attention_store import InterruptionRow
from heedful.attention.interruptions import Interruptions, notification_of
from heedful.attention.notifier import Button, Notification, Notifier
from heedful.attention.policy import Interruption, Shown, decide, is_quiet

__all__ = [
    "Button",
    "Interruption",
    "InterruptionRow",
    "Interruptions",
    "Notification",
    "Notifier",
    "Shown",
    "decide",
    "is_quiet",
    "notification_of",
]
