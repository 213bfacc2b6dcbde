"""Settings → Matching by meaning: the model in the package, a larger one, a server of the person's, or none.

A server is used, or even tried, only after the person agreed to it at that address and saw which sources would go
there. Its key goes to the keyring under the server's name, is never shown again, and never goes to another.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from heedful.core.bus import Bus, Unsubscribe
from heedful.core.errors import UserCanFixError
from heedful.core.events import SettingsChanged
from heedful.core.secrets import Secrets
from heedful.core.settings import EmbeddingSettings
from heedful.core.supervise import Supervisor
from heedful.inference import LocalServer, Provider, Trial
from heedful.memory import SourceRow
from heedful.memory.embeddings.installed import require_installed
from heedful.memory.embeddings.server import provider_of
from heedful.presenters.numbers import thousands
from heedful.presenters.observed import Observed
from heedful.presenters.ports import EgressPort, LibraryPort, SettingsPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.server_steps import ConsentRequest, ServerForm, ServerState, ServerSteps, Then
from heedful.presenters.toasts import Toasts

Kind = Literal["embedded", "e5", "openai_compatible", "none"]

KIND_HINTS: dict[Kind, str] = {
    "embedded": "Finds what means the same in sixteen languages. Needs no network and no account.",
    "e5": "Better where you ask in another European language than was written. Passages take many times as long.",
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
    """The whole part: the fields, what is in force, and how far the way to a server is walked."""

    form: MatchingForm
    in_force: str
    hint: str
    server: ServerState = field(default_factory=ServerState)


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
        self._servers = servers
        self._library = library
        self._toasts = toasts
        form = form_of(settings.settings.embeddings)
        in_force = in_force_words(settings.settings.embeddings)
        self.view: Observed[MatchingView] = Observed(MatchingView(form, in_force, KIND_HINTS[form.kind]))
        self.steps = ServerSteps(self._server_form(), secrets, egress, toasts)
        self._refresher = Refresher("matching by meaning", self.load, supervisor)
        self._undo: Unsubscribe = bus.subscribe(SettingsChanged, lambda _: self._take_settings())

    def refresh(self) -> None:
        """Looks for a kept key and a given consent, in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Looks now."""
        await self.steps.look()

    async def choose(self, kind: Kind) -> None:
        """Shows another kind's fields; nothing is in force yet."""
        current = self._settings.settings.embeddings
        form = form_of(current) if kind == current.kind else replace(self.view.value.form, kind=kind, key="")
        self._show_form(form)
        if kind == "openai_compatible" and not form.base_url:
            await self._offer_a_local_server()
        await self.steps.look()

    def edit(self, form: MatchingForm) -> None:
        """Takes what was typed."""
        self._show_form(form)
        self.refresh()

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
            self.steps.show(
                models=tuple(name for name in server.models if _embeds(name)),
                result=(f"{server.label} runs on this computer and has an embedding model.",),
            )

    def _server_form(self) -> ServerForm:
        return ServerForm(
            is_server=lambda: self.view.value.form.kind == "openai_compatible",
            typed=self._typed,
            described=self._described,
            key=lambda: self.view.value.form.key,
            forget_typed_key=lambda: self._show_form(replace(self.view.value.form, key="")),
            question=self._question,
            try_out=lambda: self._servers.try_out(chosen(self.view.value.form)),
            put_in_force=self._put_in_force,
            state=lambda: self.view.value.server,
            show=lambda state: self._change(server=state),
        )

    async def _question(self, provider: Provider, then: Then) -> ConsentRequest:
        sources = await self._library.sources()
        return embedding_consent(provider, sources, self._settings.settings.budget.daily_tokens, then)

    async def _put_in_force(self) -> None:
        old, form = self._settings.settings, self.view.value.form
        require_installed(chosen(form))
        await self._settings.save_settings(replace(old, embeddings=chosen(form)))
        self._take_settings()
        told = "Only words are searched from now on"
        if form.kind != "none":
            told = "Passages are prepared anew in the background; Activity shows how far it is"
        self._toasts.say(told)

    def _typed(self, then: Then) -> Provider:
        provider = provider_of(chosen(self.view.value.form))
        if then == "use" and not provider.model:
            raise UserCanFixError("Name the model first", hint="A test lists the server's.")
        return provider

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
        self._change(form=form, hint=KIND_HINTS[form.kind])
        self.steps.show(is_changed=is_changed, consent=None, result=())

    def _change(self, **changes: object) -> None:
        self.view.replace(replace(self.view.value, **changes))  # type: ignore[arg-type] # names of its fields


def embedding_consent(
    provider: Provider, sources: Sequence[SourceRow], daily_tokens: int, then: Then
) -> ConsentRequest:
    """What is asked before the first passage goes to an embedding server; names the sources that would go."""
    if provider.stays_here:
        where = [f"{provider.label} is this computer: nothing leaves it."]
        going, kept = [source.name for source in sources], []
    else:
        where = [
            f"Every passage goes to {provider.endpoint.host}, over the network, and so do your searches."
        ]
        going = [source.name for source in sources if source.egress == "allowed"]
        kept = [source.name for source in sources if source.egress != "allowed"]
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
        case "e5":
            return "the larger model on this computer"
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
