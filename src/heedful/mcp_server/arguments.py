"""What the tools take, strictly: a value of another type, out of its range or of an unknown name is refused."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from heedful.memory.entities.kinds import EntityKind

MOST_HITS = 50
MOST_TOKENS = 8000
QUERY_LENGTH = 2000
ID_LENGTH = 200
LAST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999 in UTC, which is as far as a moment goes."""

TOLD_AT_ONCE = 3
PLACE_LENGTH = 60

_Query = Annotated[str, Field(min_length=1, max_length=QUERY_LENGTH)]
_Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]
_Count = Annotated[int, Field(ge=1, le=MOST_HITS, description="how many at most")]
_Millis = Annotated[int, Field(ge=0, le=LAST_MS)]


class Arguments(BaseModel):
    """What every tool's arguments have in common."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(Arguments):
    """No arguments."""


class Query(Arguments):
    """Words to look for."""

    query: Annotated[_Query, Field(description="the words or the question")]
    k: _Count = 10


class Budgeted(Arguments):
    """A question, and how long the answer's context may be."""

    query: Annotated[_Query, Field(description="the question")]
    budget_tokens: Annotated[int, Field(ge=100, le=MOST_TOKENS, description="tokens at most")] = 1000


class ReadChunk(Arguments):
    """One passage or summary."""

    chunk_id: Annotated[_Id, Field(description="an id that another tool returned")]


class ReadOriginal(Arguments):
    """One text that compression cut down."""

    retrieve_id: Annotated[_Id, Field(description="the id that the line about the cut names")]


class Browse(Arguments):
    """A part of the memory, page by page."""

    source: Annotated[_Id | None, Field(description="only this source, by its id")] = None
    entity: Annotated[_Id | None, Field(description="only what mentions this entity, by its id")] = None
    since_ms: Annotated[
        _Millis | None, Field(description="sent then or later, milliseconds since 1970 in UTC")
    ] = None
    until_ms: Annotated[
        _Millis | None, Field(description="sent then or earlier, milliseconds since 1970 in UTC")
    ] = None
    k: _Count = 20
    offset: Annotated[
        int, Field(ge=0, le=100_000, description="how many to pass over; for the next page, `next_offset`")
    ] = 0

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> "Browse":
        if self.since_ms is not None and self.until_ms is not None and self.since_ms > self.until_ms:
            raise ValueError("since_ms is after until_ms")
        return self


class TopEntities(Arguments):
    """Who and what is mentioned most."""

    kind: Annotated[EntityKind | None, Field(strict=False, description="only entities of this kind")] = None
    k: _Count = 20


def told(error: ValidationError, *, of: type[Arguments] | None = None) -> str:
    """What is wrong with the arguments, in one line that repeats no value that was given.

    Where `of` says which they should have been, no name of another is repeated either.
    """
    parts = []
    for one in error.errors(include_url=False, include_input=False, include_context=False)[:TOLD_AT_ONCE]:
        is_foreign = of is not None and one["loc"][:1] and one["loc"][0] not in of.model_fields
        place = "another" if is_foreign else ".".join(str(step) for step in one["loc"])[:PLACE_LENGTH]
        said = one["msg"].removeprefix("Value error, ")
        parts.append(f"{place}: {said}" if place else said)
    return "; ".join(parts)
