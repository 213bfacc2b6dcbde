"""Every error a person can meet, as a tree drawn by remedy.

    HeedfulError                  something went wrong; `title`, `message` and `hint` were written to be shown
    ├── UserCanFixError           only the person can help (a wrong key, a moved file): pause, say once
    ├── PassingError              the world is busy (no network, 503): back off and try again
    ├── RejectedError             this one thing is bad (a broken mail, a bad item): drop it, note it, go on
    ├── BudgetSpentError          an allowance is used up: wait until it renews
    └── DamageError               data may be harmed (a corrupt store, a full disk): stop writing, say so

Anything that is not a HeedfulError is a bug. Foreign errors are translated at the call that can raise them,
`from exc`; rooms add subclasses only where a caller must tell two remedies apart.
"""


class HeedfulError(Exception):
    """What happened (`title`), what it means (`message`), what to do (`hint`); none carries content or secrets."""

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.message = message
        self.hint = hint

    def sentence(self) -> str:
        """The whole error in one line, as the command line prints it."""
        return " ".join(
            part for part in (_stopped(self.title), _stopped(self.message), _stopped(self.hint)) if part
        )


class UserCanFixError(HeedfulError):
    """Only the person can remedy it: pause what needs it and say so once."""


class PassingError(HeedfulError):
    """It may pass by itself: back off and try again.

    `retry_after_s` is the wait the other side asked for, in seconds; None when it named none.
    """

    def __init__(
        self, title: str, message: str = "", hint: str = "", *, retry_after_s: float | None = None
    ) -> None:
        super().__init__(title, message, hint)
        self.retry_after_s = retry_after_s


class RejectedError(HeedfulError):
    """This one input is unusable: drop it, note the reason, keep the rest."""


class BudgetSpentError(HeedfulError):
    """An allowance is used up: wait until it renews."""


class DamageError(HeedfulError):
    """Data may be harmed: stop writing and say so."""


def _stopped(text: str) -> str:
    text = text.strip()
    if not text or text[-1] in ".!?…":
        return text
    return text + "."
