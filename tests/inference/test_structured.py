import json
from dataclasses import replace

import pytest

from heedful.core.errors import PassingError, RejectedError
from heedful.inference import UnreadableError
from heedful.inference.abilities import Abilities, Rung, without_limits
from heedful.inference.chat import Trail
from heedful.inference.exchange import ChatMessage
from heedful.inference.structured import Question, StructuredAnswer, ask_items
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import ModelServer, Received, Reply, chat, error, items
from tests.inference.desk import SCHEMA, client_of, provider_at

ITEM = {"title": "Pay the rent"}
QUESTION = Question(
    (ChatMessage("system", "List."), ChatMessage("user", "Rent is due.")), SCHEMA, "looking", 200
)


async def _ask(server: ModelServer, clock: FakeClock, abilities: Abilities | None = None) -> StructuredAnswer:
    return await ask_items(client_of(provider_at(server.base_url), clock), QUESTION, abilities or Abilities())


async def test_a_server_is_first_held_to_the_schema(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [items(ITEM)]
    answer = await _ask(server, clock)
    assert answer.items == (ITEM,)
    form = server.chats[0].body["response_format"]
    assert form["json_schema"]["name"] == "looking"
    assert form["json_schema"]["schema"] == SCHEMA
    assert (answer.abilities.rung, answer.abilities.proven) == (Rung.JSON_SCHEMA, True)


@pytest.mark.parametrize(
    "refusing",
    [
        error(
            400,
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        ),
        error(422, "response_format: Input should be 'text' or 'json_object'"),
        Reply(400, '{"error":"json_schema is not supported"}'),
        error(500, "Failed to parse grammar"),
        Reply(500, '{"error":{"message":"\'json_schema\'","type":"internal_server_error"}}'),
        Reply(500, "Internal Server Error", (("content-type", "text/plain"),)),
        error(501, "not implemented"),
    ],
)
@pytest.mark.parametrize(
    ("rungs", "kept"),
    [(("json_object", "plain"), Rung.JSON_OBJECT), (("plain",), Rung.PLAIN)],
)
async def test_a_refused_rung_is_stepped_down_from(
    server: ModelServer, clock: FakeClock, refusing: Reply, rungs: tuple[str, ...], kept: Rung
) -> None:
    server.otherwise = lambda received: items(ITEM) if received.rung in rungs else refusing
    answer = await _ask(server, clock)
    assert answer.items == (ITEM,)
    assert answer.abilities == Abilities(kept, proven=True)


async def test_without_a_schema_any_json_object_is_asked_for(server: ModelServer, clock: FakeClock) -> None:
    question = Question(QUESTION.messages, {}, "looking", 200)
    await ask_items(client_of(provider_at(server.base_url), clock), question, Abilities())
    assert [received.rung for received in server.chats] == ["json_object"]


async def test_a_proven_rung_is_asked_for_at_once(server: ModelServer, clock: FakeClock) -> None:
    await _ask(server, clock, Abilities(Rung.JSON_OBJECT, proven=True))
    assert [received.rung for received in server.chats] == ["json_object"]


async def test_a_passing_error_of_a_proven_server_is_no_refusal_of_its_rung(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [error(500, "out of luck"), error(500, "out of luck"), items(ITEM)]
    answer = await _ask(server, clock, Abilities(proven=True))
    assert answer.abilities.rung is Rung.JSON_SCHEMA


async def test_one_internal_error_while_probing_does_not_cost_the_schema(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [error(500, "out of luck"), items(ITEM)]
    assert (await _ask(server, clock)).abilities.rung is Rung.JSON_SCHEMA


async def test_a_server_that_fails_on_every_rung_is_passing_trouble(
    server: ModelServer, clock: FakeClock
) -> None:
    server.otherwise = lambda _: error(500, "out of luck")
    with pytest.raises(PassingError):
        await _ask(server, clock)
    assert [received.rung for received in server.chats] == ["json_schema"] * 2 + ["json_object"] * 2 + [
        "plain"
    ] * 3


async def test_fields_that_a_reasoning_model_refuses_are_sent_otherwise(
    server: ModelServer, clock: FakeClock
) -> None:
    def answer(received: Received) -> Reply:
        if "max_tokens" in received.body:
            return error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in received.body:
            return error(400, "Unsupported value: 'temperature' does not support 0.0 with this model.")
        return items(ITEM)

    server.otherwise = answer
    found = await _ask(server, clock)
    assert found.abilities == Abilities(
        limit_field="max_completion_tokens", takes_temperature=False, proven=True
    )
    assert server.chats[-1].body["max_completion_tokens"] == 200


async def test_a_server_that_refuses_everything_ends_in_a_rejection(
    server: ModelServer, clock: FakeClock
) -> None:
    server.otherwise = lambda _: error(400, "response_format is not supported")
    with pytest.raises(RejectedError, match="refused the request"):
        await _ask(server, clock)
    assert len(server.chats) == 3


async def test_a_hosted_server_gets_the_shape_without_its_limits(
    server: ModelServer, clock: FakeClock
) -> None:
    elsewhere = replace(provider_at(server.base_url), model="large-cloud")
    await ask_items(client_of(elsewhere, clock), QUESTION, Abilities())
    sent = server.chats[0].body["response_format"]["json_schema"]["schema"]
    assert sent == {"type": "object", "properties": {"items": {"type": "array"}}}


def test_limits_are_left_out_at_every_depth_and_names_of_fields_are_kept() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]}},
    }
    assert without_limits(schema) == {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    }


async def test_an_answer_without_items_is_unreadable_and_kept_whole(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [chat("I could not find anything worth your time.")]
    trail = Trail()
    with pytest.raises(UnreadableError, match="not in the form"):
        await ask_items(client_of(provider_at(server.base_url), clock), QUESTION, Abilities(), trail)
    assert "worth your time" in trail.raw
    assert trail.usage.total == 150


async def test_an_answer_cut_at_its_length_keeps_whole_items_and_says_so(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [chat(json.dumps({"items": [ITEM, ITEM]})[:-10], finish="length")]
    answer = await _ask(server, clock)
    assert answer.items == (ITEM,)
    assert "The answer reached its length limit." in answer.notes


async def test_a_model_that_only_thought_is_told_apart(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [chat("", finish="length", reasoning_content="Let me think")]
    with pytest.raises(RejectedError, match="without answering"):
        await _ask(server, clock)
