"""Settings → TokenJuice: what would become of a text, by which rule and why; rules of one's own; what was saved.

What is pasted here is looked at and forgotten: no original is kept, and it counts for no day's savings.
"""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.core.supervise import Supervisor
from heedful.presenters.juice_account import Account, account_of
from heedful.presenters.juice_rules import RuleDraft, RuleNote, draft_of, rule_notes, save_draft
from heedful.presenters.juice_savings import Savings, first_day, savings_of
from heedful.presenters.observed import Observed
from heedful.presenters.ports import SavingsPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.toasts import Toasts
from heedful.tokenjuice import Juicer, Request, RuleBook

LONGEST_TEXT = 2_000_000


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text, and what the person knows of the command that printed it; both fields may be empty."""

    text: str
    command: str = ""
    exit_code: str = ""


@dataclass(frozen=True, slots=True)
class JuiceView:
    """The whole page. `account` is None until a text was explained, `draft` while no rule is being written.

    `trouble` says why a text could not be explained; `own_folder` is where rules of the person's own go.
    """

    own_folder: Path
    account: Account | None = None
    draft: RuleDraft | None = None
    notes: tuple[RuleNote, ...] = ()
    savings: Savings = field(default_factory=Savings)
    trouble: str = ""
    is_busy: bool = False


class JuicePresenter:
    """Explains pasted texts, and lets the person overrule what it explains."""

    def __init__(
        self,
        book: RuleBook,
        savings: SavingsPort,
        toasts: Toasts,
        *,
        own_folder: Path,
        clock: Clock,
        supervisor: Supervisor,
    ) -> None:
        self._book = book
        self._savings = savings
        self._toasts = toasts
        self._clock = clock
        self._pasted = Pasted("")
        self.view: Observed[JuiceView] = Observed(JuiceView(own_folder))
        self._refresher = Refresher("tokenjuice", self.load, supervisor)

    def refresh(self) -> None:
        """Loads rules and savings in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Loads rules and savings now."""
        notes = await asyncio.to_thread(rule_notes, self._book)
        now, zone = self._clock.now(), self._clock.zone
        try:
            days = await self._savings.savings(since=first_day(now, zone))
        except HeedfulError as exc:
            self._toasts.fail(exc)
            days = ()
        self._change(notes=notes, savings=savings_of(days, now, zone))

    async def explain(self, pasted: Pasted) -> None:
        """Shows what becomes of the text."""
        self._pasted = pasted
        trouble = _trouble(pasted)
        if trouble:
            self._change(account=None, draft=None, trouble=trouble)
            return
        self._change(is_busy=True, draft=None, trouble="")
        request = Request(
            pasted.text,
            command=pasted.command.strip() or None,
            exit_code=int(pasted.exit_code) if pasted.exit_code.strip() else None,
        )
        try:
            account = await asyncio.to_thread(lambda: account_of(Juicer(self._book).explain(request)))
            self._change(account=account)
        finally:
            self._change(is_busy=False)

    def edit_as_own(self) -> None:
        """Opens the rule that matched as a draft of the person's own."""
        account = self.view.value.account
        located = self._book.rules().get(account.rule) if account is not None else None
        if located is not None:
            self._change(draft=draft_of(located.rule, self.view.value.own_folder))

    def cancel_edit(self) -> None:
        """Lets the draft go."""
        self._change(draft=None)

    async def save(self, text: str) -> None:
        """Writes the draft, tells where it lies, and explains the pasted text again by it.

        Where a file would be replaced that the person was not told of, it is told and nothing is written.
        """
        draft = self.view.value.draft
        if draft is None:
            return
        typed = replace(draft, text=text)
        try:
            written = await asyncio.to_thread(save_draft, typed, self.view.value.own_folder)
        except HeedfulError as exc:
            written = replace(typed, trouble=exc.sentence())
        if isinstance(written, RuleDraft):
            self._change(draft=written)
            return
        self._change(draft=None)
        await self.load()
        await self.explain(self._pasted)
        self._say_saved(written)

    def close(self) -> None:
        """Loads no more."""
        self._refresher.close()

    def _say_saved(self, file: Path) -> None:
        in_force = {located.path for located in self._book.rules().values()}
        if str(file) in in_force:
            self._toasts.say(f"Saved as {file}")
        else:
            self._toasts.fail_with(f"Saved as {file}, but another rule of that name wins over it")

    def _change(self, **changes: object) -> None:
        self.view.replace(replace(self.view.value, **changes))  # type: ignore[arg-type] # names of its fields


def _trouble(pasted: Pasted) -> str:
    if not pasted.text.strip():
        return "Paste a text first."
    if len(pasted.text) > LONGEST_TEXT:
        return "That is more than two million characters. Paste a part of it."
    try:
        int(pasted.exit_code.strip() or 0)
    except ValueError:
        return "An exit code is a whole number."
    return ""
