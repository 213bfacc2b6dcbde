"""What the person has chosen, in one TOML file that they may also edit by hand.

Comments and unknown spacing survive a save (tomlkit); an unknown key, a bad value or a broken file is told in
one sentence with its place, and nothing is overwritten then.
"""

import tomllib
from collections.abc import Mapping
from datetime import time
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from heedful.core.errors import UserCanFixError
from heedful.core.paths import make_private

MIN_INTERVAL_MINUTES = 5


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LoopSettings(_Section):
    """How often Heedful looks. An interval below five minutes counts as five."""

    interval_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = 5
    first_look_after_s: Annotated[int, Field(ge=0, le=3600)] = 60

    @property
    def effective_interval_s(self) -> float:
        return max(self.interval_minutes, MIN_INTERVAL_MINUTES) * 60.0


class ProviderSettings(_Section):
    """Which inference endpoint is in use: `builtin` needs none. Keys are in the keyring, never here.

    Prices are in US dollars a million tokens; None means unknown, and then only tokens are budgeted.
    """

    preset: str = "builtin"
    base_url: str = ""
    model: str = ""
    threads_per_call: Annotated[int, Field(ge=0, le=50)] = 0
    input_price: Annotated[float, Field(ge=0)] | None = None
    output_price: Annotated[float, Field(ge=0)] | None = None


class BudgetSettings(_Section):
    """What model calls may use in one local day; cost in US dollars."""

    daily_tokens: Annotated[int, Field(ge=0)] = 200_000
    daily_cost: Annotated[float, Field(ge=0)] = 0.50


class NotificationSettings(_Section):
    """When a critical item may interrupt. Quiet hours may pass midnight; equal ends mean none."""

    enabled: bool = True
    daily_limit: Annotated[int, Field(ge=0, le=20)] = 3
    quiet_from: time = time(22, 0)
    quiet_until: time = time(8, 0)


class WindowSettings(_Section):
    """How the window looks."""

    theme: Literal["system", "light", "dark"] = "system"


class Settings(_Section):
    """All of it; every field has a default that works with no account and no model."""

    loop: LoopSettings = LoopSettings()
    provider: ProviderSettings = ProviderSettings()
    budget: BudgetSettings = BudgetSettings()
    notifications: NotificationSettings = NotificationSettings()
    window: WindowSettings = WindowSettings()

    @model_validator(mode="after")
    def _endpoint_is_named(self) -> Self:
        if self.provider.preset == "custom" and not self.provider.base_url:
            raise ValueError("provider.base_url is needed with the preset 'custom'")
        return self


def load_settings(file: Path) -> Settings:
    """The person's settings; the defaults where there is no file yet.

    Raises:
        UserCanFixError: The file can't be read or says something Heedful doesn't know.
    """
    try:
        raw = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as exc:
        raise UserCanFixError(
            f"The settings file can't be read ({file})",
            "",
            "Check its permissions, or remove it to start afresh.",
        ) from exc
    try:
        return Settings.model_validate(tomllib.loads(raw))
    except tomllib.TOMLDecodeError as exc:
        raise UserCanFixError(
            f"The settings file is not valid TOML ({file}: {exc})",
            "",
            "Correct that line, or remove the file.",
        ) from exc
    except ValidationError as exc:
        raise UserCanFixError(
            f"The settings file says something unknown ({file}: {_first_fault(exc)})",
            "",
            "Correct or remove that entry.",
        ) from exc


def save_settings(file: Path, settings: Settings) -> None:
    """Writes what differs from the file, keeping its comments; atomic: the old file or the new one, never half.

    Raises:
        UserCanFixError: The file can't be written, or what is there can't be read.
    """
    import tomlkit  # only saving needs it

    load_settings(file)
    try:
        document = tomlkit.parse(file.read_text(encoding="utf-8")) if file.exists() else tomlkit.document()
        for section, values in settings.model_dump(exclude_defaults=False).items():
            _update(document, section, values, getattr(Settings(), section).model_dump())
        make_private(file.parent)
        fresh = file.with_suffix(".toml.new")
        fresh.write_text(tomlkit.dumps(document), encoding="utf-8")
        fresh.replace(file)
    except OSError as exc:
        raise UserCanFixError(
            f"The settings can't be saved ({file})",
            "They are as they were.",
            "Check the folder's permissions.",
        ) from exc


def effective_model(settings: ProviderSettings, environment: Mapping[str, str], default: str) -> str:
    """The model to ask for: the person's setting, else OPENHUMAN_CONSCIOUS_MODEL, else the preset's default."""
    return settings.model or environment.get("OPENHUMAN_CONSCIOUS_MODEL", "") or default


def _update(document: object, section: str, values: dict[str, object], defaults: dict[str, object]) -> None:
    import tomlkit
    from tomlkit.container import Container

    if not isinstance(document, Container):
        raise TypeError("a settings file is a TOML table")
    table = document.get(section)
    for name, value in values.items():
        known = table is not None and name in table
        if value is None and table is not None and known:
            del table[name]
        elif value is not None and (known or value != defaults[name]):
            if table is None:
                table = document[section] = tomlkit.table()
            table[name] = value


def _first_fault(exc: ValidationError) -> str:
    fault = exc.errors()[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])
