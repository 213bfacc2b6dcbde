"""Gets a list of JSON objects out of a model, as firmly as its server allows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heedful.core.errors import RejectedError
from heedful.inference.abilities import Abilities, response_format
from heedful.inference.chat import ChatClient, Trail
from heedful.inference.exchange import ChatAnswer, ChatMessage, ChatRequest
from heedful.inference.failures import UnsupportedError
from heedful.inference.loose_json import Object, find_items


@dataclass(frozen=True, slots=True)
class StructuredAnswer:
    """JSON objects in the order the model gave them, unchecked beyond being objects.

    `notes` says in sentences what was left out. `abilities` is what this answer proved about the server.
    """

    items: tuple[Object, ...]
    notes: tuple[str, ...]
    answer: ChatAnswer
    abilities: Abilities


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: `name` labels the schema, [a-z0-9_]; an empty schema asks for JSON of any shape."""

    messages: tuple[ChatMessage, ...]
    schema: Mapping[str, object]
    name: str
    max_output_tokens: int


async def ask_items(
    client: ChatClient, question: Question, abilities: Abilities, trail: Trail | None = None
) -> StructuredAnswer:
    """Asks, stepping down the ladder where the server refuses a rung, and reads the items.

    Raises:
        UnreadableError: The answer holds no items in any form; its text is in `trail.raw`.
        HeedfulError: As `ChatClient.complete` says.
    """
    answer, proved = await _climb(client, question, abilities, trail or Trail())
    if answer.finish == "length" and not answer.text.strip():
        raise RejectedError(
            "The model used up its answer without answering",
            "It may think at length before it answers.",
            "Choose a model that does not, or a larger one.",
        )
    found = find_items(answer.text)
    cut = ("The answer reached its length limit.",) if answer.finish == "length" else ()
    return StructuredAnswer(found.items, (*found.notes, *cut), answer, replace(proved, proven=True))


async def _climb(
    client: ChatClient, question: Question, abilities: Abilities, trail: Trail
) -> tuple[ChatAnswer, Abilities]:
    while True:
        try:
            return await client.complete(_request(client, question, abilities), trail), abilities
        except UnsupportedError as exc:
            less = abilities.without(exc.part)
            if less is None:
                raise RejectedError(
                    f"{client.provider.label} refused the request",
                    "Its own words are in the ledger.",
                    "",
                ) from exc
            abilities = less


def _request(client: ChatClient, question: Question, abilities: Abilities) -> ChatRequest:
    form = response_format(
        abilities.rung, question.schema, name=question.name, hosted=not client.provider.stays_here
    )
    return ChatRequest(
        question.messages,
        question.max_output_tokens,
        temperature=0.0 if abilities.takes_temperature else None,
        response_format=form,
        limit_field=abilities.limit_field,
        probing=form is not None and not abilities.proven,
    )
