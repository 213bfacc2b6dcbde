"""The Settings tab: which model reads along and on what terms, how often, when to be quiet, how it looks.

Plain choices are kept at once. A provider is different: it is used, or even tried, only after the person agreed
to it at that address, and its key goes to the keyring and is never shown again.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import time
from typing import Literal

from heedful.core.bus import Bus, Unsubscribe
from heedful.core.errors import HeedfulError, UserCanFixError
from heedful.core.events import SettingsChanged
from heedful.core.secrets import Secrets
from heedful.core.settings import Settings
from heedful.core.supervise import Supervisor
from heedful.inference import LocalServer, Provider, candidate_for, presets, provider_for
from heedful.presenters.observed import Observed
from heedful.presenters.ports import EgressPort, ModelServersPort, SettingsPort
from heedful.presenters.provider_form import BUILTIN, ProviderForm, chosen, form_of
from heedful.presenters.provider_words import Hints, consent_request, hints_for, in_force_words, preset_words
from heedful.presenters.refreshing import Refresher
from heedful.presenters.server_steps import ConsentRequest, ServerForm, ServerState, ServerSteps, Then
from heedful.presenters.toasts import Toasts

INTERVALS_MINUTES = (5, 10, 15, 30, 60, 180, 360, 720, 1440)

ThemeChoice = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """One entry of the provider list; `hint` is a few words after its name."""

    id: str
    label: str
    hint: str


@dataclass(frozen=True, slots=True)
class ProviderView:
    """The provider part: the list, the fields, what is in force, and how far the way to it is walked."""

    choices: tuple[ProviderChoice, ...]
    form: ProviderForm
    in_force: str
    hints: Hints = field(default_factory=Hints)
    server: ServerState = field(default_factory=ServerState)


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
        self._servers = servers
        self._toasts = toasts
        self._environment = environment
        self._saving = asyncio.Lock()
        self._found: tuple[LocalServer, ...] = ()
        self.view: Observed[SettingsView] = Observed(self._fresh_view())
        self.steps = ServerSteps(self._server_form(), secrets, egress, toasts)
        self._refresher = Refresher("settings", self.load, supervisor)
        self._undo: Unsubscribe = bus.subscribe(SettingsChanged, lambda _: self._take_settings())

    def refresh(self) -> None:
        """Looks for servers on this computer and for a kept key, in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Looks now."""
        self._found = await self._servers.find()
        self._change(choices=self._choices())
        self.steps.show(models=self._models(self.view.value.provider.form))
        await self.steps.look()

    async def choose(self, preset_id: str) -> None:
        """Shows another provider's fields, filled in as far as is known; nothing is in force yet."""
        found = next((server for server in self._found if server.preset_id == preset_id), None)
        current = self._settings.settings.provider
        if preset_id == current.preset:
            form = form_of(current)
        else:
            model = found.models[0] if found is not None and found.models else ""
            form = ProviderForm(preset_id, found.base_url if found is not None else "", model)
        self.edit(form)
        await self.steps.look()

    def edit(self, form: ProviderForm) -> None:
        """Takes what was typed."""
        self._show_form(form)
        self.steps.show(result=(), consent=None)

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

    def _server_form(self) -> ServerForm:
        return ServerForm(
            is_server=lambda: self.view.value.provider.form.preset != BUILTIN,
            typed=self._typed,
            described=self._described,
            key=lambda: self.view.value.provider.form.key,
            forget_typed_key=lambda: self._show_form(replace(self.view.value.provider.form, key="")),
            question=self._question,
            try_out=lambda: self._servers.try_out(chosen(self.view.value.provider.form)),
            put_in_force=self._put_in_force,
            state=lambda: self.view.value.provider.server,
            show=lambda state: self._change(server=state),
        )

    async def _question(self, provider: Provider, then: Then) -> ConsentRequest:
        return consent_request(provider, then)

    async def _put_in_force(self) -> None:
        provider = chosen(self.view.value.provider.form)
        await self._settings.save_settings(replace(self._settings.settings, provider=provider))
        self._take_settings()
        self._toasts.say(f"In use from the next look: {in_force_words(provider)}")

    def _typed(self, then: Then) -> Provider | None:
        """A test may do without a model: it finds out which there are."""
        describe = candidate_for if then == "test" else provider_for
        return describe(chosen(self.view.value.provider.form), self._environment)

    def _described(self) -> Provider | None:
        form = self.view.value.provider.form
        if form.preset == BUILTIN:
            return None
        try:
            return candidate_for(chosen(form), self._environment)
        except UserCanFixError:
            return None

    def _take_settings(self) -> None:
        settings = self._settings.settings
        self.view.replace(replace(self.view.value, settings=settings))
        provider = self.view.value.provider
        if provider.form.preset == settings.provider.preset:
            self._show_form(replace(form_of(settings.provider), key=provider.form.key))
        self._change(in_force=in_force_words(settings.provider))

    def _fresh_view(self) -> SettingsView:
        settings = self._settings.settings
        form = form_of(settings.provider)
        view = ProviderView(self._choices(), form, in_force_words(settings.provider))
        server = ServerState(models=self._models(form))
        return SettingsView(settings, replace(view, hints=hints_for(form), server=server))

    def _show_form(self, form: ProviderForm) -> None:
        is_changed = replace(form, key="") != form_of(self._settings.settings.provider) or bool(form.key)
        self._change(form=form, hints=hints_for(form))
        self.steps.show(is_changed=is_changed, models=self._models(form))

    def _change(self, **changes: object) -> None:
        view = self.view.value
        provider = replace(view.provider, **changes)  # type: ignore[arg-type] # each name is one of its fields
        self.view.replace(replace(view, provider=provider))

    def _choices(self) -> tuple[ProviderChoice, ...]:
        running = {server.preset_id: server for server in self._found}
        listed = [ProviderChoice(BUILTIN, "Built-in finder", "Needs no network and no account.")]
        listed += [
            ProviderChoice(preset.id, preset.label, preset_words(preset, running.get(preset.id)))
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
