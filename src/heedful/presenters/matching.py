"""Settings → Matching by meaning: the model in the package, a server of the person's, or none.

A server is used, or even tried, only after the person agreed to it at that address and saw which sources would go
there. Its key goes to the keyring under the server's name, is never shown again, and never goes to another.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from heedful.core.bus import Bus, Unsubscribe
from heedful.core.errors import HeedfulError, UserCanFixError
from heedful.core.events import SettingsChanged
from heedful.core.secrets import NoKeyringError, Secrets
from heedful.core.settings import EmbeddingSettings
from heedful.core.supervise import Supervisor
from heedful.inference import LocalServer, Provider, Trial
from heedful.memory import SourceRow
from heedful.memory.embeddings.server import provider_of
from heedful.presenters.numbers import thousands
from heedful.presenters.observed import Observed
from heedful.presenters.ports import EgressPort, LibraryPort, SettingsPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.server_access import ServerAccess
from heedful.presenters.settings import ConsentRequest
from heedful.presenters.toasts import Toasts

Kind = Literal["embedded", "openai_compatible", "none"]
Then = Literal["use", "test"]

KIND_HINTS: dict[Kind, str] = {
    "embedded": "Finds what means the same in sixteen languages. Needs no network and no account.",
    "openai_compatible": "A server that answers /v1/embeddings: one of your own, or one you have a key for.",
    "none": "Search goes by words only.",
}
NAMED_SOURCES = 6

_EMBEDDING_NAMES = re.compile(r"embed|minilm|(?:^|[/_-])(?:bge|e5|gte|paraphrase)[-_]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MatchingForm:
    """What is typed in the fields; not yet in force. `key` is empty unless just typed."""

    kind: Kind = "embedded"
    base_url: str = ""
    model: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class MatchingView:
    """The whole part: the fields, what is in force, and what the last test said."""

    form: MatchingForm
    in_force: str
    hint: str
    models: tuple[str, ...] = ()
    has_key: bool = False
    is_allowed: bool = False
    is_busy: bool = False
    is_changed: bool = False
    result: tuple[str, ...] = ()
    result_ok: bool = True
    consent: ConsentRequest | None = None


class EmbeddingServersPort(Protocol):
    """Reaches embedding servers at the person's word; sends nothing of theirs."""

    async def find(self) -> tuple[LocalServer, ...]: ...
    async def try_out(self, chosen: EmbeddingSettings, /) -> Trial: ...


class MatchingPresenter:
    """Walks the person through the use of an embedding server."""

    def __init__(
        self,
        settings: SettingsPort,
        secrets: Secrets,
        egress: EgressPort,
        servers: EmbeddingServersPort,
        library: LibraryPort,
        toasts: Toasts,
        *,
        bus: Bus,
        supervisor: Supervisor,
    ) -> None:
        self._settings = settings
        self._access = ServerAccess(secrets, egress, toasts)
        self._servers = servers
        self._library = library
        self._toasts = toasts
        form = form_of(settings.settings.embeddings)
        in_force = in_force_words(settings.settings.embeddings)
        self.view: Observed[MatchingView] = Observed(MatchingView(form, in_force, KIND_HINTS[form.kind]))
        self._refresher = Refresher("matching by meaning", self.load, supervisor)
        self._undo: Unsubscribe = bus.subscribe(SettingsChanged, lambda _: self._take_settings())

    def refresh(self) -> None:
        """Looks for a kept key and a given consent, in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Looks now."""
        await self._look_at_server()

    async def choose(self, kind: Kind) -> None:
        """Shows another kind's fields; nothing is in force yet."""
        current = self._settings.settings.embeddings
        form = form_of(current) if kind == current.kind else replace(self.view.value.form, kind=kind, key="")
        self._show_form(form)
        if kind == "openai_compatible" and not form.base_url:
            await self._offer_a_local_server()
        await self._look_at_server()

    def edit(self, form: MatchingForm) -> None:
        """Takes what was typed."""
        self._show_form(form)
        self.refresh()

    async def test(self) -> None:
        """Tries the server in the fields out, after consent, and shows what came of it in sentences."""
        await self._after_consent("test")

    async def use(self) -> None:
        """Puts the choice in force, after consent where it is a server."""
        if self.view.value.form.kind == "openai_compatible":
            await self._after_consent("use")
        else:
            await self._put_in_force(self.view.value.form)

    async def agree(self) -> None:
        """The person's yes to the consent that is asked for; what they wanted follows."""
        asked, provider = self.view.value.consent, self._typed()
        if asked is None or provider is None:
            return
        await self._access.allow(provider)
        self._change(consent=None, is_allowed=True)
        await self._go_on(asked.then, provider)

    def decline(self) -> None:
        """The person's no; nothing was sent."""
        self._change(consent=None, result=("Nothing was sent.",), result_ok=True)

    async def withdraw_consent(self) -> None:
        """Takes the yes to the server in the fields back: nothing is sent there from now on."""
        provider = self._described()
        if provider is not None:
            await self._access.withdraw(provider)
            self._change(is_allowed=False)

    async def forget_key(self) -> None:
        """Removes the server's key from the keyring."""
        provider = self._described()
        if provider is not None:
            await self._access.forget_key(provider)
            self._change(has_key=False)

    def close(self) -> None:
        """Hears no more news."""
        self._undo()
        self._refresher.close()

    async def _offer_a_local_server(self) -> None:
        """Fills the empty fields in with a server that runs on this computer, where one of its models embeds."""
        found = await self._servers.find()
        offered = [(server, model) for server in found for model in server.models if _embeds(model)]
        form = self.view.value.form
        if offered and form.kind == "openai_compatible" and not form.base_url:
            server, model = offered[0]
            self._show_form(replace(form, base_url=server.base_url, model=model))
            self._change(
                models=tuple(name for name in server.models if _embeds(name)),
                result=(f"{server.label} runs on this computer and has an embedding model.",),
            )

    async def _after_consent(self, then: Then) -> None:
        provider = self._typed()
        if provider is None:
            return
        if then == "use" and not provider.model:
            self._change(result=("Name the model first. A test lists the server's.",), result_ok=False)
        elif await self._access.is_allowed(provider):
            await self._go_on(then, provider)
        else:
            asked = embedding_consent(
                provider, await self._library.sources(), self._settings.settings.budget.daily_tokens, then
            )
            self._change(consent=asked, result=())

    async def _go_on(self, then: Then, provider: Provider) -> None:
        form = self.view.value.form
        if form.key and not await self._keep_key(provider, form.key):
            return
        if then == "use":
            await self._put_in_force(form)
        else:
            await self._test(chosen(form))

    async def _test(self, settings: EmbeddingSettings) -> None:
        self._change(is_busy=True, result=())
        try:
            trial = await self._servers.try_out(settings)
        except HeedfulError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
        else:
            models = trial.models or self.view.value.models
            self._change(result=trial.sentences, result_ok=trial.ok, models=models)
        finally:
            self._change(is_busy=False)

    async def _keep_key(self, provider: Provider, key: str) -> bool:
        try:
            await self._access.keep_key(provider, key)
        except NoKeyringError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
            return False
        self._show_form(replace(self.view.value.form, key=""))
        self._change(has_key=True)
        return True

    async def _put_in_force(self, form: MatchingForm) -> None:
        old = self._settings.settings
        try:
            await self._settings.save_settings(replace(old, embeddings=chosen(form)))
        except HeedfulError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
            return
        self._take_settings()
        told = "Only words are searched from now on"
        if form.kind != "none":
            told = "Passages are prepared anew in the background; Activity shows how far it is"
        self._toasts.say(told)

    async def _look_at_server(self) -> None:
        provider = self._described()
        if provider is None:
            self._change(has_key=False, is_allowed=False)
            return
        has_key, allowed = await self._access.has_key(provider), await self._access.is_allowed(provider)
        if self._described() == provider:
            self._change(has_key=has_key, is_allowed=allowed)

    def _typed(self) -> Provider | None:
        """The server that the fields describe; None, with the reason shown, where they describe none."""
        try:
            return provider_of(chosen(self.view.value.form))
        except UserCanFixError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
            return None

    def _described(self) -> Provider | None:
        form = self.view.value.form
        if form.kind != "openai_compatible" or not form.base_url.strip():
            return None
        try:
            return provider_of(chosen(form))
        except UserCanFixError:
            return None

    def _take_settings(self) -> None:
        current = self._settings.settings.embeddings
        form = self.view.value.form
        self._change(in_force=in_force_words(current))
        if form.kind == current.kind:
            self._show_form(replace(form_of(current), key=form.key))

    def _show_form(self, form: MatchingForm) -> None:
        current = self._settings.settings.embeddings
        is_changed = chosen(form) != current or bool(form.key)
        self._change(form=form, hint=KIND_HINTS[form.kind], is_changed=is_changed, consent=None, result=())

    def _change(self, **changes: object) -> None:
        self.view.replace(replace(self.view.value, **changes))  # type: ignore[arg-type] # names of its fields


def embedding_consent(
    provider: Provider, sources: Sequence[SourceRow], daily_tokens: int, then: Then
) -> ConsentRequest:
    """What is asked before the first passage goes to an embedding server; names the sources that would go."""
    if provider.stays_here:
        where = [f"{provider.label} is this computer: nothing leaves it."]
        going = [source.name for source in sources]
    else:
        where = [
            f"Every passage goes to {provider.endpoint.host}, over the network, and so do your searches."
        ]
        going = [source.name for source in sources if source.egress == "allowed"]
    kept = [source.name for source in sources if source.name not in going]
    sentences = [
        *where,
        f"These sources would go: {_named(going)}." if going else "No source would go.",
        *([f"These stay on this computer: {_named(kept)}."] if kept else []),
        *(["All passages are prepared anew, in the background."] if then == "use" else []),
        "Keys and passwords are cut out first.",
        *(
            []
            if provider.stays_here
            else [f"Passages take at most half of the day's allowance of {thousands(daily_tokens)} tokens."]
        ),
        "Each call is listed with what was sent. You can go back at any time.",
        *([provider.endpoint.caution] if provider.endpoint.caution else []),
    ]
    return ConsentRequest(f"Let {provider.label} prepare your passages?", tuple(sentences), then)


def in_force_words(settings: EmbeddingSettings) -> str:
    """What matches by meaning now."""
    match settings.kind:
        case "embedded":
            return "the model inside Heedful"
        case "openai_compatible":
            place = settings.base_url.removeprefix("https://").removeprefix("http://").partition("/")[0]
            return f"{settings.model} at {place}"
        case "none":
            return "nothing; search goes by words"


def form_of(settings: EmbeddingSettings) -> MatchingForm:
    """The fields as the settings have them."""
    return MatchingForm(settings.kind, settings.base_url, settings.model)


def chosen(form: MatchingForm) -> EmbeddingSettings:
    """The settings that the fields ask for; a server's address is kept while another kind is in use."""
    return EmbeddingSettings(form.kind, form.base_url.strip(), form.model.strip())


def _embeds(model: str) -> bool:
    """Whether a model makes embeddings, by the name that its makers gave it."""
    return _EMBEDDING_NAMES.search(model) is not None


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(names[:NAMED_SOURCES])
    return f"{shown} and {len(names) - NAMED_SOURCES} more" if len(names) > NAMED_SOURCES else shown
