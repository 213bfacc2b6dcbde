"""Forgetting at the person's word: says what would go, asks, does it, and says what went."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError
from heedful.core.supervise import Supervisor
from heedful.memory.forget.forgetting import Forgotten
from heedful.memory.forget.outlook import Outlook
from heedful.presenters import times
from heedful.presenters.memory_views import ForgetView
from heedful.presenters.numbers import count
from heedful.presenters.observed import Observed
from heedful.presenters.ports import Forget, MemoryPort
from heedful.presenters.toasts import Toasts, quoted

_OUT = "It is taken out of everything that was made of it."
BACKUPS = "Backups made before hold it until they are replaced; the next one does not. This can't be undone."


@dataclass(frozen=True, slots=True)
class ToForget:
    """What the person points at; `id` is what the memory knows it by, `name` what they call it."""

    kind: Literal["message", "thread", "person", "source"]
    id: str
    name: str


class Forgetting:
    """At most one at a time; `gone` is called with what was forgotten, after it is on disk."""

    def __init__(
        self,
        memory: MemoryPort,
        forget: Forget,
        toasts: Toasts,
        *,
        gone: Callable[[ToForget], None],
        clock: Clock,
        supervisor: Supervisor,
    ) -> None:
        self.view: Observed[ForgetView | None] = Observed(None)
        self._memory = memory
        self._forget = forget
        self._toasts = toasts
        self._gone = gone
        self._clock = clock
        self._supervisor = supervisor
        self._what: ToForget | None = None

    async def ask(self, what: ToForget) -> None:
        """Counts what would go, and asks; a newer question replaces an older one, but not one being done.

        Raises:
            HeedfulError: It can't be counted.
        """
        if self._is_busy():
            return
        self._what = what
        self.view.replace(ForgetView("counting", _headline(what)))
        try:
            outlook = await self._memory.outlook(what.id)
        except RejectedError as exc:
            if self._what is what:
                said = " ".join(part for part in (exc.message, exc.hint) if part)
                self.view.replace(ForgetView("refused", f"{exc.title}.", said))
            return
        except BaseException:
            self.keep()
            raise
        if self._what is what:
            self.view.replace(_question(what, outlook))

    def keep(self) -> None:
        """Forgets nothing."""
        if not self._is_busy():
            self._what = None
            self.view.replace(None)

    async def really(self) -> None:
        """Forgets what was asked about, for good.

        Raises:
            HeedfulError: Nothing was forgotten.
        """
        what, asked = self._what, self.view.value
        if what is None or asked is None or asked.stage != "asking":
            return
        self.view.replace(ForgetView("forgetting", _doing(what), _OUT))
        self._supervisor.start("forgetting, how long", self._tell_how_long())
        try:
            forgotten = await self._forget([what.id])
        finally:
            self._supervisor.cancel("forgetting, how long")
            self._what = None
            self.view.replace(None)
        self._gone(what)
        self._toasts.say(_result(what, forgotten))

    async def _tell_how_long(self) -> None:
        """Says each second for how long it goes on: a mailbox of years takes a minute."""
        began = self._clock.monotonic()
        await self._clock.sleep(1)
        while (view := self.view.value) is not None and view.stage == "forgetting":
            took = times.duration_words(round((self._clock.monotonic() - began) * 1000))
            self.view.replace(replace(view, stays=f"{took} so far. Everything else goes on meanwhile."))
            await self._clock.sleep(1)

    def _is_busy(self) -> bool:
        return self.view.value is not None and self.view.value.stage == "forgetting"


def _headline(what: ToForget) -> str:
    match what.kind:
        case "message":
            return f"Forget {quoted(what.name)}?"
        case "thread":
            return f"Forget the whole conversation {quoted(what.name)}?"
        case "person":
            return f"Forget {what.name}?"
        case "source":
            return f"Forget everything from {quoted(what.name)}?"


def _doing(what: ToForget) -> str:
    return f"Forgetting {what.name if what.kind == 'person' else quoted(what.name)}"


_STAYS = {
    "message": "",
    "thread": "",
    "person": "What they wrote goes, and conversations with nobody but you. What others wrote about them stays.",
    "source": "It is read no more; its files stay where they are. What another source holds too stays.",
}


def _question(what: ToForget, outlook: Outlook) -> ForgetView:
    goes = f"{count(outlook.messages, 'message')} in {count(outlook.chunks, 'passage')}"
    if outlook.items:
        stand, those = "stands" if outlook.items == 1 else "stand", "it" if outlook.messages == 1 else "them"
        goes += f", and {count(outlook.items, 'item')} that {stand} on {those}"
    if not outlook.messages:
        goes = "No message goes with it, only what is known of it"
    stays = " ".join(part for part in (_STAYS[what.kind], BACKUPS) if part)
    button = f"Forget {count(outlook.messages, 'message') if outlook.messages else 'all the same'}"
    return ForgetView("asking", _headline(what), f"{goes}.", stays, button)


def _result(what: ToForget, forgotten: Forgotten) -> str:
    name = what.name if what.kind == "person" else quoted(what.name)
    went = [count(forgotten.messages, "message"), count(forgotten.chunks, "passage")]
    if forgotten.items:
        went.append(count(forgotten.items, "item"))
    return f"{name} is forgotten: {', '.join(went)}. Older backups hold it until they are replaced."
