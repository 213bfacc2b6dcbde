"""Before there is an open store: choosing how it is locked, unlocking it, and starting afresh when its key is lost.

Nothing is decided for the person: no silent fall-back to an unencrypted store, and a store that can't be opened
is put aside under a new name, never deleted.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError, UserCanFixError
from heedful.core.paths import Home
from heedful.core.secrets import NoKeyringError, Secrets
from heedful.presenters.observed import Observed
from heedful.presenters.trouble import Trouble, trouble
from heedful.storage import Key, KeyKind, choose_passphrase, choose_unencrypted, unlock
from heedful.storage.keys import LockedError, NoKeyChosenError, kind_of

MIN_PASSPHRASE = 8


class Step(StrEnum):
    """What the person sees instead of the tabs."""

    OPENING = "opening"
    CHOOSE = "choose"
    UNLOCK = "unlock"
    LOST = "lost"
    TROUBLE = "trouble"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class WelcomeView:
    """`reason` is why the step is there; `problem` what was wrong with the last answer, or nothing."""

    step: Step
    reason: Trouble | None = None
    problem: str = ""
    is_busy: bool = False


class WelcomePresenter:
    """Opens the store, asking as much as it must. `enter` builds and starts the rest once there is a key."""

    def __init__(
        self,
        home: Home,
        secrets: Secrets,
        enter: Callable[[Key | None], Awaitable[None]],
        *,
        clock: Clock,
    ) -> None:
        self.view: Observed[WelcomeView] = Observed(WelcomeView(Step.OPENING))
        self._home = home
        self._secrets = secrets
        self._enter = enter
        self._clock = clock

    async def open(self) -> None:
        """Tries to open the store with what is at hand."""
        await self._try(None)

    async def open_again(self, work: Callable[[], object], key: Key | None) -> HeedfulError | None:
        """Does what needs the store closed, and opens it with the key it had; returns why the work failed, or None.

        The store is opened whatever became of the work.
        """
        self.view.replace(WelcomeView(Step.OPENING))
        failure = None
        try:
            await asyncio.to_thread(work)
        except HeedfulError as exc:
            failure = exc
        await self._try(key)
        return failure

    async def choose_passphrase(self, passphrase: str, repeated: str) -> None:
        """Makes a new store's key from a passphrase, and opens it."""
        if len(passphrase) < MIN_PASSPHRASE:
            self._say(f"Take at least {MIN_PASSPHRASE} characters.")
        elif passphrase != repeated:
            self._say("The two are not the same.")
        else:
            await self._with_key(lambda: choose_passphrase(self._home, passphrase))

    async def accept_unencrypted(self) -> None:
        """Takes the person's word that the new store need not be encrypted, and opens it."""
        await self._with_key(lambda: choose_unencrypted(self._home))

    async def unlock(self, passphrase: str) -> None:
        """Opens the store with its passphrase."""
        await self._with_key(lambda: unlock(self._home, self._secrets, passphrase))

    async def start_afresh(self) -> None:
        """Puts the store that can't be opened aside, and begins a new one."""
        await asyncio.to_thread(put_aside, self._home, f"{self._clock.now():%Y%m%d-%H%M%S}")
        await self._try(None)

    async def _with_key(self, make: Callable[[], Key]) -> None:
        self.view.replace(WelcomeView(self.view.value.step, self.view.value.reason, is_busy=True))
        try:
            key = await asyncio.to_thread(make)
        except HeedfulError as exc:
            self._say(exc.sentence())
            return
        await self._try(key)

    async def _try(self, key: Key | None) -> None:
        try:
            await self._enter(key)
        except NoKeyChosenError as exc:
            self.view.replace(WelcomeView(Step.CHOOSE, trouble(exc)))
        except NoKeyringError as exc:
            self.view.replace(WelcomeView(Step.TROUBLE, trouble(exc)))
        except LockedError as exc:
            step = (
                Step.UNLOCK
                if await asyncio.to_thread(kind_of, self._home) is KeyKind.PASSPHRASE
                else Step.LOST
            )
            self.view.replace(WelcomeView(step, trouble(exc)))
        except HeedfulError as exc:
            self.view.replace(WelcomeView(Step.TROUBLE, trouble(exc)))
        else:
            self.view.replace(WelcomeView(Step.OPEN))

    def _say(self, problem: str) -> None:
        self.view.replace(WelcomeView(self.view.value.step, self.view.value.reason, problem))


def put_aside(home: Home, stamp: str) -> None:
    """Renames the store and its key slot, so that a fresh one can be made; deletes nothing.

    Raises:
        UserCanFixError: They can't be renamed.
    """
    try:
        for file in (home.database, home.key_slot, *home.data.glob(f"{home.database.name}-*")):
            if file.exists():
                file.rename(file.with_name(f"{file.name}.{stamp}"))
    except OSError as exc:
        raise UserCanFixError(
            "The old store can't be put aside",
            f"{home.data} can't be changed.",
            "Correct the folder's permissions and try again.",
        ) from exc
