"""What a server was found able to do, so that the ladder json_schema → json_object → plain is climbed once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from heedful.core.clock import to_millis
from heedful.inference.exchange import LimitField
from heedful.inference.failures import UnsupportedPart
from heedful.inference.preset import Provider
from heedful.storage import Connection, Store

# Hosted structured output takes the shape of a value but not its limits, and insists on closed objects.
# Source: OpenAI, «Structured Outputs», supported schemas; Azure OpenAI lists the same limits as unsupported.
_LIMIT_KEYWORDS = frozenset({
    "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "multipleOf", "minItems", "maxItems",
    "uniqueItems",
})  # fmt: skip


class Rung(StrEnum):
    """How firmly a server can be held to a form."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Abilities:
    """How one model at one address wants to be asked. `proven` is false until an answer came that way."""

    rung: Rung = Rung.JSON_SCHEMA
    limit_field: LimitField = "max_tokens"
    takes_temperature: bool = True
    proven: bool = False

    def without(self, part: UnsupportedPart) -> "Abilities | None":
        """What is left when the server refuses that part; None when it can't do with less."""
        if part == "limit_field":
            return (
                replace(self, limit_field="max_completion_tokens")
                if self.limit_field == "max_tokens"
                else None
            )
        if part == "temperature":
            return replace(self, takes_temperature=False) if self.takes_temperature else None
        if self.rung is Rung.PLAIN:
            return None
        lower = Rung.JSON_OBJECT if self.rung is Rung.JSON_SCHEMA else Rung.PLAIN
        return replace(self, rung=lower, proven=False)


def response_format(
    rung: Rung, schema: Mapping[str, object], *, name: str, hosted: bool
) -> Mapping[str, object] | None:
    """The request's field for this rung; None on the lowest. An empty schema asks for any JSON object."""
    if rung is Rung.JSON_SCHEMA and not schema:
        rung = Rung.JSON_OBJECT
    match rung:
        case Rung.PLAIN:
            return None
        case Rung.JSON_OBJECT:
            return {"type": "json_object"}
        case Rung.JSON_SCHEMA:
            shape = without_limits(schema) if hosted else schema
            return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": shape}}


def without_limits(schema: Mapping[str, object]) -> dict[str, object]:
    """The schema's shape alone: no lengths, counts or ranges."""
    return {key: _deeper(value) for key, value in schema.items() if key not in _LIMIT_KEYWORDS}


def _deeper(value: object) -> object:
    if isinstance(value, dict):
        return without_limits(value)
    return [_deeper(part) for part in value] if isinstance(value, list) else value


class AbilitiesStore:
    """What was found out, by address and model."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def recall(self, provider: Provider) -> Abilities:
        """What is known; the most hopeful guess, unproven, where nothing is."""

        def read(connection: Connection) -> Abilities:
            row = connection.row(
                "SELECT rung, limit_field, takes_temperature FROM provider_abilities"
                " WHERE base_url = ? AND model = ?",
                (provider.endpoint.base_url, provider.model),
            )
            if row is None:
                return Abilities()
            limit: LimitField = "max_completion_tokens" if row[1] == "max_completion_tokens" else "max_tokens"
            return Abilities(Rung(str(row[0])), limit, takes_temperature=bool(row[2]), proven=True)

        return await self._store.read(read)

    async def remember(self, provider: Provider, abilities: Abilities, now: datetime) -> None:
        """Keeps what an answer has proved."""
        row = (
            provider.endpoint.base_url, provider.model, abilities.rung.value, abilities.limit_field,
            int(abilities.takes_temperature), to_millis(now),
        )  # fmt: skip

        def write(connection: Connection) -> tuple[None, tuple[()]]:
            connection.execute(
                "INSERT OR REPLACE INTO provider_abilities"
                " (base_url, model, rung, limit_field, takes_temperature, probed_at) VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )
            return None, ()

        await self._store.write(write)

    async def forget(self, provider: Provider) -> None:
        """Lets the next call find out anew."""

        def write(connection: Connection) -> tuple[None, tuple[()]]:
            connection.execute(
                "DELETE FROM provider_abilities WHERE base_url = ? AND model = ?",
                (provider.endpoint.base_url, provider.model),
            )
            return None, ()

        await self._store.write(write)
