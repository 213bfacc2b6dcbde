"""The Settings tab: which model reads along and on what terms, how often, when to be quiet, how it looks.

Plain choices are kept at once. A provider is different: it is used, or even tried, only after the person agreed
to it at that address, and its key goes to the keyring and is never shown again.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import time
from typing import Literal

from heedful.core.bus import Bus, Unsubscribe
from heedful.core.errors import HeedfulError, UserCanFixError
from heedful.core.events import SettingsChanged
from heedful.core.secrets import NoKeyringError, Secrets
from heedful.core.settings import ProviderSettings, Settings
from heedful.core.supervise import Supervisor
from heedful.inference import LocalServer, Preset, Provider, presets, provider_for
from heedful.inference.preset import FREE, candidate_for
from heedful.presenters.numbers import count
from heedful.presenters.observed import Observed
from heedful.presenters.ports import EgressPort, ModelServersPort, SettingsPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.server_access import ServerAccess
from heedful.presenters.toasts import Toasts

BUILTIN = "builtin"
INTERVALS_MINUTES = (5, 10, 15, 30, 60, 180, 360, 720, 1440)

MOST_THREADS = 50
DEAREST = 100_000.0

ThemeChoice = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """One entry of the provider list; `hint` is a few words after its name."""

    id: str
    label: str
    hint: str


@dataclass(frozen=True, slots=True)
class ProviderForm:
    """What is typed in the provider's fields; not yet in force. `key` is empty unless just typed.

    The prices, in US dollars a million tokens, and the threads a call are as typed; empty means as is known.
    """

    preset: str = BUILTIN
    base_url: str = ""
    model: str = ""
    key: str = ""
    input_price: str = ""
    output_price: str = ""
    threads_per_call: str = ""


@dataclass(frozen=True, slots=True)
class Hints:
    """What stands in empty fields, and whether the provider needs a key."""

    address: str = ""
    model: str = ""
    needs_key: bool = False
    input_price: str = ""
    output_price: str = ""
    threads_per_call: str = ""


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What the person is asked before anything is sent to a provider; `then` is what follows a yes."""

    headline: str
    sentences: tuple[str, ...]
    then: Literal["use", "test"]


@dataclass(frozen=True, slots=True)
class ProviderView:
    """The provider part: the list, the fields, what is in force, and what the last test said."""

    choices: tuple[ProviderChoice, ...]
    form: ProviderForm
    in_force: str
    hints: Hints = Hints()
    models: tuple[str, ...] = ()
    has_key: bool = False
    is_allowed: bool = False
    is_busy: bool = False
    is_changed: bool = False
    result: tuple[str, ...] = ()
    result_ok: bool = True
    consent: ConsentRequest | None = None


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The whole tab. `settings` holds the plain choices as they are in force."""

    settings: Settings
    provider: ProviderView


class SettingsPresenter:
    """Keeps choices, and walks the person through the use of a provider."""

    def __init__(
        self,
        settings: SettingsPort,
        secrets: Secrets,
        egress: EgressPort,
        servers: ModelServersPort,
        toasts: Toasts,
        *,
        environment: Mapping[str, str],
        bus: Bus,
        supervisor: Supervisor,
    ) -> None:
        self._settings = settings
        self._access = ServerAccess(secrets, egress, toasts)
        self._servers = servers
        self._toasts = toasts
        self._environment = environment
        self._saving = asyncio.Lock()
        self._found: tuple[LocalServer, ...] = ()
        self.view: Observed[SettingsView] = Observed(self._fresh_view())
        self._refresher = Refresher("settings", self.load, supervisor)
        self._undo: Unsubscribe = bus.subscribe(SettingsChanged, lambda _: self._take_settings())

    def refresh(self) -> None:
        """Looks for servers on this computer and for a kept key, in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Looks now."""
        self._found = await self._servers.find()
        self._change(choices=self._choices(), models=self._models(self.view.value.provider.form))
        await self._look_at_provider()

    async def choose(self, preset_id: str) -> None:
        """Shows another provider's fields, filled in as far as is known; nothing is in force yet."""
        found = next((server for server in self._found if server.preset_id == preset_id), None)
        current = self._settings.settings.provider
        if preset_id == current.preset:
            form = _form_of(current)
        else:
            model = found.models[0] if found is not None and found.models else ""
            form = ProviderForm(preset_id, found.base_url if found is not None else "", model)
        self._show_form(form, result=(), consent=None)
        await self._look_at_provider()

    def edit(self, form: ProviderForm) -> None:
        """Takes what was typed."""
        self._show_form(form, result=(), consent=None)

    async def test(self) -> None:
        """Tries the provider in the fields out, after consent, and shows what came of it in sentences."""
        await self._after_consent("test")

    async def use(self) -> None:
        """Puts the provider in the fields in force, after consent."""
        await self._after_consent("use")

    async def agree(self) -> None:
        """The person's yes to the consent that is asked for; what they wanted follows."""
        asked = self.view.value.provider.consent
        provider = self._typed(asked.then) if asked is not None else None
        if provider is None or asked is None:
            return
        await self._access.allow(provider)
        self._change(consent=None, is_allowed=True)
        await self._go_on(asked.then, provider)

    def decline(self) -> None:
        """The person's no; nothing was sent."""
        self._change(consent=None, result=("Nothing was sent.",), result_ok=True)

    async def withdraw_consent(self) -> None:
        """Takes the yes to the provider in the fields back: nothing is sent there from now on."""
        provider = self._described()
        if provider is not None:
            await self._access.withdraw(provider)
            self._change(is_allowed=False)

    async def forget_key(self) -> None:
        """Removes the provider's key from the keyring."""
        provider = self._described()
        if provider is None:
            return
        await self._access.forget_key(provider)
        self._change(has_key=False)

    async def set_interval(self, minutes: int) -> None:
        await self._keep("loop", interval_minutes=minutes)

    async def set_daily_tokens(self, tokens: int) -> None:
        await self._keep("budget", daily_tokens=tokens)

    async def set_daily_cost(self, dollars: float) -> None:
        await self._keep("budget", daily_cost=dollars)

    async def set_notifications(self, *, enabled: bool) -> None:
        await self._keep("notifications", enabled=enabled)

    async def set_notification_limit(self, limit: int) -> None:
        await self._keep("notifications", daily_limit=limit)

    async def set_quiet_hours(self, begin: time, end: time) -> None:
        await self._keep("notifications", quiet_from=begin, quiet_until=end)

    async def set_theme(self, choice: ThemeChoice) -> None:
        await self._keep("window", theme=choice)

    def close(self) -> None:
        """Hears no more news."""
        self._undo()
        self._refresher.close()

    async def _keep(self, section: str, **changes: object) -> None:
        async with self._saving:
            old = self._settings.settings
            changed = replace(getattr(old, section), **changes)
            try:
                await self._settings.save_settings(replace(old, **{section: changed}))
            except HeedfulError as exc:
                self._toasts.fail(exc)
        self._take_settings()

    async def _after_consent(self, then: Literal["use", "test"]) -> None:
        form = self.view.value.provider.form
        if form.preset == BUILTIN:
            await self._put_in_force(form)
            return
        provider = self._typed(then)
        if provider is None:
            return
        if await self._access.is_allowed(provider):
            await self._go_on(then, provider)
        else:
            self._change(consent=consent_request(provider, then), result=())

    async def _go_on(self, then: Literal["use", "test"], provider: Provider) -> None:
        form = self.view.value.provider.form
        if form.key and not await self._keep_key(provider, form.key):
            return
        if then == "test":
            await self._test(chosen(form))
        else:
            await self._put_in_force(form)

    async def _test(self, chosen: ProviderSettings) -> None:
        self._change(is_busy=True, result=())
        try:
            trial = await self._servers.try_out(chosen)
        except HeedfulError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
        else:
            models = trial.models or self.view.value.provider.models
            self._change(result=trial.sentences, result_ok=trial.ok, models=models)
        finally:
            self._change(is_busy=False)

    async def _keep_key(self, provider: Provider, key: str) -> bool:
        try:
            await self._access.keep_key(provider, key)
        except NoKeyringError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
            return False
        self._show_form(replace(self.view.value.provider.form, key=""))
        self._change(has_key=True)
        return True

    async def _put_in_force(self, form: ProviderForm) -> None:
        old = self._settings.settings
        try:
            provider = chosen(form)
            await self._settings.save_settings(replace(old, provider=provider))
        except HeedfulError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
            return
        self._take_settings()
        self._toasts.say(f"In use from the next look: {_in_force(provider)}")

    def _typed(self, then: Literal["use", "test"]) -> Provider | None:
        """The provider that the fields describe; None, with the reason shown, where they describe none.

        A test may do without a model: it finds out which there are.
        """
        describe = candidate_for if then == "test" else provider_for
        try:
            return describe(chosen(self.view.value.provider.form), self._environment)
        except UserCanFixError as exc:
            self._change(result=(exc.sentence(),), result_ok=False)
            return None

    async def _look_at_provider(self) -> None:
        preset = self.view.value.provider.form.preset
        if preset == BUILTIN:
            return
        provider = self._described()
        has_key = provider is not None and await self._access.has_key(provider)
        allowed = provider is not None and await self._access.is_allowed(provider)
        if self.view.value.provider.form.preset == preset:
            self._change(has_key=has_key, is_allowed=allowed)

    def _described(self) -> Provider | None:
        """The provider in the fields as far as it can be told, for questions about its address."""
        try:
            return candidate_for(chosen(self.view.value.provider.form), self._environment)
        except UserCanFixError:
            return None

    def _take_settings(self) -> None:
        settings = self._settings.settings
        self.view.replace(replace(self.view.value, settings=settings))
        provider = self.view.value.provider
        if provider.form.preset == settings.provider.preset:
            self._show_form(replace(_form_of(settings.provider), key=provider.form.key))
        self._change(in_force=_in_force(settings.provider))

    def _fresh_view(self) -> SettingsView:
        settings = self._settings.settings
        form = _form_of(settings.provider)
        view = ProviderView(self._choices(), form, _in_force(settings.provider))
        return SettingsView(settings, replace(view, hints=_hints(form), models=self._models(form)))

    def _show_form(self, form: ProviderForm, **changes: object) -> None:
        is_changed = replace(form, key="") != _form_of(self._settings.settings.provider) or bool(form.key)
        self._change(
            form=form, is_changed=is_changed, models=self._models(form), hints=_hints(form), **changes
        )

    def _change(self, **changes: object) -> None:
        view = self.view.value
        provider = replace(view.provider, **changes)  # type: ignore[arg-type] # each name is one of its fields
        self.view.replace(replace(view, provider=provider))

    def _choices(self) -> tuple[ProviderChoice, ...]:
        running = {server.preset_id: server for server in self._found}
        listed = [ProviderChoice(BUILTIN, "Built-in extractor", "Needs no network and no account.")]
        listed += [
            ProviderChoice(preset.id, preset.label, _hint_of(preset, running.get(preset.id)))
            for preset in sorted(
                presets().values(),
                key=lambda preset: (
                    preset.id not in running,
                    not preset.base_url,
                    preset.label.casefold(),
                ),
            )
        ]
        return tuple(listed)

    def _models(self, form: ProviderForm) -> tuple[str, ...]:
        found = next((server.models for server in self._found if server.preset_id == form.preset), ())
        preset = presets().get(form.preset)
        known = tuple(preset.prices) if preset is not None else ()
        return tuple(dict.fromkeys((*found, *known)))


def consent_request(provider: Provider, then: Literal["use", "test"]) -> ConsentRequest:
    """What is asked before the first byte goes to a provider."""
    if provider.stays_here:
        where = f"{provider.label} runs on this computer: nothing leaves it."
    else:
        where = f"Passages of new messages go to {provider.endpoint.host}, over the network, to find what needs you."
    sentences = [where]
    if not provider.stays_here:
        sentences.append(
            "Sources that stay on this computer are never sent. Keys and passwords are cut out first."
        )
    sentences.append("Each call is listed with what was sent and what it cost. You can go back at any time.")
    if provider.endpoint.caution:
        sentences.append(provider.endpoint.caution)
    return ConsentRequest(f"Let {provider.label} read along?", tuple(sentences), then)


def _form_of(provider: ProviderSettings) -> ProviderForm:
    return ProviderForm(
        provider.preset,
        provider.base_url,
        provider.model,
        input_price=_price_words(provider.input_price),
        output_price=_price_words(provider.output_price),
        threads_per_call=str(provider.threads_per_call or ""),
    )


def chosen(form: ProviderForm) -> ProviderSettings:
    """The settings that the fields ask for.

    Raises:
        UserCanFixError: A price or the number of threads is none, or one price of the two is missing.
    """
    prices = _price(form.input_price), _price(form.output_price)
    if (prices[0] is None) != (prices[1] is None):
        raise UserCanFixError(
            "One price of the two is missing",
            "A call costs by what goes in and what comes out.",
            "Give both, or none.",
        )
    return ProviderSettings(
        preset=form.preset,
        base_url=form.base_url.strip(),
        model=form.model.strip(),
        threads_per_call=_threads(form.threads_per_call),
        input_price=prices[0],
        output_price=prices[1],
    )


def _price(typed: str) -> float | None:
    words = typed.strip().removeprefix("$").strip().replace(",", ".")
    if not words:
        return None
    try:
        price = float(words)
    except ValueError:
        price = -1.0
    if not 0 <= price <= DEAREST:
        raise UserCanFixError(
            f"“{typed.strip()}” is no price", "It is in US dollars a million tokens.", "Such as 0.15."
        )
    return price


def _price_words(price: float | None) -> str:
    return "" if price is None else f"{price:g}"


def _threads(typed: str) -> int:
    words = typed.strip()
    if not words:
        return 0
    if not (words.isdecimal() and 1 <= int(words) <= MOST_THREADS):
        raise UserCanFixError(
            f"“{words}” is no number of threads",
            "",
            f"Give a whole number from 1 to {MOST_THREADS}, or nothing.",
        )
    return int(words)


def _in_force(provider: ProviderSettings) -> str:
    if provider.preset == BUILTIN:
        return "the built-in extractor"
    preset = presets().get(provider.preset)
    label = preset.label if preset is not None else provider.preset
    model = provider.model or (preset.default_model if preset is not None else "")
    return f"{label}, {model}" if model else label


def _hints(form: ProviderForm) -> Hints:
    preset = presets().get(form.preset)
    if preset is None:
        return Hints()
    known = FREE if preset.local else preset.prices.get(form.model.strip() or preset.default_model)
    return Hints(
        preset.base_url or "https://…/v1",
        preset.default_model or "the model's name",
        preset.needs_key,
        input_price="unknown" if known is None else f"{known.input:g}",
        output_price="unknown" if known is None else f"{known.output:g}",
        threads_per_call=str(preset.threads_per_call),
    )


def _hint_of(preset: Preset, server: LocalServer | None) -> str:
    if server is not None:
        return f"Runs on this computer now, with {count(len(server.models), 'model')}."
    if preset.local:
        return "On this computer; it was not found running."
    return (
        "Over the network, with a key." if preset.needs_key else "Any server that speaks the same protocol."
    )
