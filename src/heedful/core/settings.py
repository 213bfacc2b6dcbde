"""What the person has chosen, in one TOML file that they may also edit by hand.

Comments and unknown spacing survive a save (tomlkit); an unknown key, a bad value or a broken file is told in
one sentence with its place, and nothing is overwritten then.
"""

import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from datetime import time
from pathlib import Path
from typing import Any, Literal, get_args

from heedful.core.errors import UserCanFixError
from heedful.core.paths import make_private

MIN_INTERVAL_MINUTES = 5

_LIMITS = "limits"
_CLIENTS = "clients"
_LARGEST = 2.0**53


def _number(default: Any, *, least: float, most: float | None = None) -> Any:  # noqa: ANN401 (a field of any number)
    return field(default=default, metadata={_LIMITS: (least, most)})


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """How often Heedful looks. An interval below five minutes counts as five."""

    interval_minutes: int = _number(5, least=1, most=24 * 60)
    first_look_after_s: int = _number(60, least=0, most=3600)

    @property
    def effective_interval_s(self) -> float:
        return max(self.interval_minutes, MIN_INTERVAL_MINUTES) * 60.0


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Which inference endpoint is in use: `builtin` needs none. Keys are in the keyring, never here.

    Prices are in US dollars a million tokens; None means unknown, and then only tokens are budgeted.
    """

    preset: str = "builtin"
    base_url: str = ""
    model: str = ""
    threads_per_call: int = _number(0, least=0, most=50)
    input_price: float | None = _number(None, least=0)
    output_price: float | None = _number(None, least=0)


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """What model calls may use in one local day; cost in US dollars."""

    daily_tokens: int = _number(200_000, least=0)
    daily_cost: float = _number(0.50, least=0)


@dataclass(frozen=True, slots=True)
class NotificationSettings:
    """When a critical item may interrupt. Quiet hours may pass midnight; equal ends mean none."""

    enabled: bool = True
    daily_limit: int = _number(3, least=0, most=20)
    quiet_from: time = time(22, 0)
    quiet_until: time = time(8, 0)


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """How the window looks."""

    theme: Literal["system", "light", "dark"] = "system"


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """What finds passages by meaning: the model inside, a larger one, a server's (its key is in the keyring), none."""

    kind: Literal["embedded", "e5", "openai_compatible", "none"] = "embedded"
    base_url: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """What one other program may read of the memory over MCP; the person writes it as `[clients.NAME]` by hand.

    `sources` holds ids or names of sources; None means all. `stays_local` is the person's word that the program
    passes nothing on, which opens the sources that must not leave this machine to it too.
    """

    sources: tuple[str, ...] | None = None
    stays_local: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All of it; every field has a default that works with no account and no model."""

    loop: LoopSettings = LoopSettings()
    provider: ProviderSettings = ProviderSettings()
    budget: BudgetSettings = BudgetSettings()
    notifications: NotificationSettings = NotificationSettings()
    window: WindowSettings = WindowSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    clients: Mapping[str, ClientSettings] = field(default_factory=dict)


def load_settings(file: Path) -> Settings:
    """The person's settings; the defaults where there is no file yet.

    Raises:
        UserCanFixError: The file can't be read or says something Heedful doesn't know.
    """
    import tomllib  # only who has a file needs it

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
        return _settings_of(tomllib.loads(raw))
    except tomllib.TOMLDecodeError as exc:
        raise UserCanFixError(
            f"The settings file is not valid TOML ({file}: {exc})",
            "",
            "Correct that line, or remove the file.",
        ) from exc
    except _UnfitError as exc:
        raise UserCanFixError(
            f"The settings file says something unknown ({file}: {exc})",
            "",
            "Correct or remove that entry.",
        ) from exc


def save_settings(file: Path, settings: Settings) -> None:
    """Writes what differs from the file, keeping its comments and its clients; atomic: the old file or the new one.

    Raises:
        UserCanFixError: A value is out of its limits, the file can't be written, or what is there can't be read.
    """
    import tomlkit  # only saving needs it

    load_settings(file)
    sections = {section.name: getattr(settings, section.name) for section in _sections()}
    try:
        _settings_of({name: _values(section) for name, section in sections.items()})
        document = tomlkit.parse(file.read_text(encoding="utf-8")) if file.exists() else tomlkit.document()
        for name, section in sections.items():
            _update(document, name, section)
        _replace_file(file, tomlkit.dumps(document))
    except _UnfitError as exc:
        raise UserCanFixError(f"That can't be a setting ({exc})", "The settings are as they were.") from exc
    except OSError as exc:
        raise UserCanFixError(
            f"The settings can't be saved ({file})",
            "They are as they were.",
            "Check the folder's permissions.",
        ) from exc


def effective_model(settings: ProviderSettings, environment: Mapping[str, str], default: str) -> str:
    """The model to ask for: the person's setting, else OPENHUMAN_CONSCIOUS_MODEL, else the preset's default."""
    return settings.model or environment.get("OPENHUMAN_CONSCIOUS_MODEL", "") or default


class _UnfitError(Exception):
    """A value that no setting may have; says which and why."""


def _sections() -> "list[Field[Any]]":
    return [section for section in fields(Settings) if section.name != _CLIENTS]


def _settings_of(document: Mapping[str, object]) -> Settings:
    known = {section.name: section.default for section in _sections()}
    chosen: dict[str, Any] = {}
    for name, values in document.items():
        if name not in known and name != _CLIENTS:
            raise _UnfitError(f"{name}: there is no such section")
        if not isinstance(values, Mapping):
            raise _UnfitError(f"{name}: this is a section, written [{name}]")
        is_clients = name == _CLIENTS
        chosen[name] = _clients_of(values) if is_clients else _section_of(name, known[name], values)
    settings = Settings(**chosen)
    if settings.provider.preset == "custom" and not settings.provider.base_url:
        raise _UnfitError("provider.base_url: it is needed with the preset 'custom'")
    return settings


def _clients_of(tables: Mapping[str, object]) -> Mapping[str, ClientSettings]:
    return {name: _client_of(name, values) for name, values in tables.items()}


def _client_of(name: str, values: object) -> ClientSettings:
    place = f"{_CLIENTS}.{name}"
    if not isinstance(values, Mapping):
        raise _UnfitError(f"{place}: this is a section, written [{place}]")
    flags = {key: value for key, value in values.items() if key != "sources"}
    client: ClientSettings = _section_of(place, ClientSettings(), flags)
    sources = values.get("sources")
    if sources is None:
        return client
    if not isinstance(sources, list) or not all(isinstance(source, str) for source in sources):
        raise _UnfitError(f"{place}.sources: a list of texts is needed")
    return replace(client, sources=tuple(sources))


def _section_of(name: str, defaults: Any, values: Mapping[str, object]) -> Any:  # noqa: ANN401 (any section)
    known = {entry.name: entry for entry in fields(defaults)}
    chosen = {}
    for key, value in values.items():
        if key not in known:
            raise _UnfitError(f"{name}.{key}: there is no such setting")
        chosen[key] = _fitting(f"{name}.{key}", known[key], value)
    return replace(defaults, **chosen)


def _fitting(place: str, entry: "Field[Any]", value: object) -> object:
    kinds = get_args(entry.type) or (entry.type,)
    is_whole_for_real = float in kinds and type(value) is int
    if value not in kinds and type(value) not in kinds and not is_whole_for_real:
        raise _UnfitError(f"{place}: {_told(kinds)} is needed")
    least, most = entry.metadata.get(_LIMITS, (None, None))
    if isinstance(value, int | float) and least is not None and not least <= value <= (most or _LARGEST):
        raise _UnfitError(f"{place}: a number from {least} to {most or int(_LARGEST)} is needed")
    return float(value) if is_whole_for_real and isinstance(value, int) else value


def _told(kinds: tuple[object, ...]) -> str:
    words = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", time: "a time"}
    named = [words.get(kind, repr(kind)) if isinstance(kind, type) else repr(kind) for kind in kinds]
    return " or ".join(name for kind, name in zip(kinds, named, strict=True) if kind is not type(None))


def _values(section: Any) -> dict[str, object]:  # noqa: ANN401 (any section)
    values = {entry.name: getattr(section, entry.name) for entry in fields(section)}
    return {name: value for name, value in values.items() if value is not None}


def _update(document: Any, name: str, section: Any) -> None:  # noqa: ANN401 (tomlkit's tables are untyped; any section)
    import tomlkit

    table = document.get(name)
    for entry in fields(section):
        value = getattr(section, entry.name)
        written = None if table is None else table.get(entry.name)
        if value is None and written is not None:
            del table[entry.name]
        elif value is not None and value != (entry.default if written is None else written):
            if table is None:
                table = document[name] = tomlkit.table()
            table[entry.name] = value


def _replace_file(file: Path, text: str) -> None:
    make_private(file.parent)
    fresh = file.with_name(file.name + ".new")
    with fresh.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
