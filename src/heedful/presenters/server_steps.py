"""The way to a server that the person names: asked about first, then its key kept, then tried or put in force.

Nothing is sent, and no key is kept, before the yes. The form that names the server is another's: this only walks it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

from heedful.core.errors import HeedfulError
from heedful.core.secrets import NoKeyringError, Secrets
from heedful.inference import Provider, Trial
from heedful.presenters.ports import EgressPort
from heedful.presenters.server_access import ServerAccess
from heedful.presenters.toasts import Toasts

Then = Literal["use", "test"]

UNLOCKING = "Your system asks for the keyring's password. The key is kept once it is open."


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What the person is asked before anything is sent to a server; `then` is what follows a yes."""

    headline: str
    sentences: tuple[str, ...]
    then: Then


@dataclass(frozen=True, slots=True)
class ServerState:
    """How far the way is walked, and what came of the last step.

    While the keyring `is_locked` nobody knows whether it has a key: to ask would open its dialog, which takes what the
    person is typing.
    """

    models: tuple[str, ...] = ()
    has_key: bool = False
    is_locked: bool = False
    is_allowed: bool = False
    is_busy: bool = False
    is_changed: bool = False
    result: tuple[str, ...] = ()
    result_ok: bool = True
    consent: ConsentRequest | None = None


@dataclass(frozen=True, slots=True)
class ServerForm:
    """What a form answers, and is told.

    `typed` is the server that the fields describe, for what is to follow; it raises a UserCanFixError where they
    describe none, and is None where none is needed. `described` is the same for questions about its address, None
    where it can't be told. `is_server` is false for a choice that needs no server. `try_out` and `put_in_force` raise
    a HeedfulError.
    """

    is_server: Callable[[], bool]
    typed: Callable[[Then], Provider | None]
    described: Callable[[], Provider | None]
    key: Callable[[], str]
    forget_typed_key: Callable[[], None]
    question: Callable[[Provider, Then], Awaitable[ConsentRequest]]
    try_out: Callable[[], Awaitable[Trial]]
    put_in_force: Callable[[], Awaitable[None]]
    state: Callable[[], ServerState]
    show: Callable[[ServerState], None]


class ServerSteps:
    """Walks a form's way; whatever stops it is shown where the result stands."""

    def __init__(self, form: ServerForm, secrets: Secrets, egress: EgressPort, toasts: Toasts) -> None:
        self._form = form
        self._access = ServerAccess(secrets, egress, toasts)

    async def test(self) -> None:
        """Tries the server in the fields out, after consent, and shows what came of it in sentences."""
        await self._after_consent("test")

    async def use(self) -> None:
        """Puts the choice in force, after consent where it is a server."""
        if self._form.is_server():
            await self._after_consent("use")
        else:
            await self._put_in_force()

    async def agree(self) -> None:
        """The person's yes to the consent that is asked for; what they wanted follows."""
        asked = self._form.state().consent
        provider = self._typed(asked.then) if asked is not None else None
        if provider is None or asked is None:
            return
        await self._access.allow(provider)
        self.show(consent=None, is_allowed=True)
        await self._go_on(asked.then, provider)

    def decline(self) -> None:
        """The person's no; nothing was sent."""
        self.show(consent=None, result=("Nothing was sent.",), result_ok=True)

    async def withdraw_consent(self) -> None:
        """Takes the yes to the server in the fields back: nothing is sent there from now on."""
        provider = self._form.described()
        if provider is not None:
            await self._access.withdraw(provider)
            self.show(is_allowed=False)

    async def forget_key(self) -> None:
        """Removes the server's key from the keyring."""
        provider = self._form.described()
        if provider is not None:
            await self._access.forget_key(provider)
            self.show(has_key=False)

    async def look(self) -> None:
        """Looks whether a key is kept and a yes was given for the server in the fields."""
        provider = self._form.described()
        locked = provider is not None and await self._access.is_locked()
        has_key = provider is not None and not locked and await self._access.has_key(provider)
        allowed = provider is not None and await self._access.is_allowed(provider)
        if self._form.described() == provider:
            self.show(has_key=has_key, is_locked=locked, is_allowed=allowed)

    def show(self, **changes: object) -> None:
        """Changes some of the state."""
        self._form.show(replace(self._form.state(), **changes))  # type: ignore[arg-type] # names of its fields

    def _fail(self, exc: HeedfulError) -> None:
        self.show(result=(exc.sentence(),), result_ok=False)

    def _typed(self, then: Then) -> Provider | None:
        try:
            return self._form.typed(then)
        except HeedfulError as exc:
            self._fail(exc)
            return None

    async def _after_consent(self, then: Then) -> None:
        provider = self._typed(then)
        if provider is None:
            return
        if await self._access.is_allowed(provider):
            await self._go_on(then, provider)
        else:
            self.show(consent=await self._form.question(provider, then), result=())

    async def _go_on(self, then: Then, provider: Provider) -> None:
        key = self._form.key()
        if key and not await self._keep_key(provider, key):
            return
        if then == "use":
            await self._put_in_force()
        else:
            await self._test()

    async def _keep_key(self, provider: Provider, key: str) -> bool:
        if await self._access.is_locked():
            self.show(result=(UNLOCKING,), result_ok=True)
        try:
            await self._access.keep_key(provider, key)
        except NoKeyringError as exc:
            self._fail(exc)
            return False
        self._form.forget_typed_key()
        self.show(has_key=True, is_locked=False, result=())
        return True

    async def _test(self) -> None:
        self.show(is_busy=True, result=())
        try:
            trial = await self._form.try_out()
        except HeedfulError as exc:
            self._fail(exc)
        else:
            models = trial.models or self._form.state().models
            self.show(result=trial.sentences, result_ok=trial.ok, models=models)
        finally:
            self.show(is_busy=False)

    async def _put_in_force(self) -> None:
        try:
            await self._form.put_in_force()
        except HeedfulError as exc:
            self._fail(exc)
