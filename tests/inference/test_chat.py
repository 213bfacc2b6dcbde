import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest

from heedful.core.errors import HeedfulError, PassingError, RejectedError, UserCanFixError
from heedful.inference import RefusedError, TooLongError, Usage
from heedful.inference.breaker import Breaker
from heedful.inference.chat import Limits, Trail
from heedful.inference.failures import UnreachableError, UnsupportedError
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import (
    CUT_BODY,
    EMPTY_CHOICES,
    HANGS,
    ModelServer,
    Reply,
    chat,
    error,
    items,
    web_page,
)
from tests.inference.desk import REQUEST, client_of, provider_at

HELLO = chat("Hello back")
SLOW = error(429, "Rate limit reached", code="rate_limit_exceeded")


async def test_an_answer_brings_its_text_and_what_the_provider_counted(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [chat("Hello back", model="small-model-2026", tokens=(900, 640, 12))]
    answer = await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert answer.text == "Hello back"
    assert answer.usage == Usage(900, 640, 12)
    assert (answer.model, answer.finish, answer.attempts, answer.estimated) == (
        "small-model-2026",
        "stop",
        1,
        False,
    )
    assert "Hello back" in answer.raw


async def test_the_request_carries_the_key_and_nothing_that_was_not_asked_for(
    server: ModelServer, clock: FakeClock
) -> None:
    await client_of(provider_at(server.base_url), clock, key="sk-test").complete(REQUEST)
    [received] = server.requests
    assert (received.method, received.path) == ("POST", "/v1/chat/completions")
    assert received.headers["authorization"] == "Bearer sk-test"
    assert received.body == {
        "model": "small-model",
        "messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": "Hello"}],
        "max_tokens": 50,
        "temperature": 0.0,
        "stream": False,
    }


async def test_without_a_key_no_authorization_is_sent(server: ModelServer, clock: FakeClock) -> None:
    await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert "authorization" not in server.requests[0].headers


async def test_what_a_server_did_not_count_is_estimated_and_marked(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [chat("Hello back", tokens=None)]
    answer = await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert answer.estimated
    assert answer.usage.input > 0
    assert answer.usage.output > 0


async def test_content_in_parts_is_one_text(server: ModelServer, clock: FakeClock) -> None:
    body = {
        "choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]
    }
    server.replies = [Reply(body=json.dumps(body))]
    assert (await client_of(provider_at(server.base_url), clock).complete(REQUEST)).text == "ab"


@pytest.mark.parametrize(
    "fault",
    [
        SLOW,
        error(503, "overloaded"),
        error(500, "internal error"),
        error(502, "bad gateway"),
        web_page(502),
        web_page(524),
        error(529, "overloaded"),
        error(408, "timeout"),
        Reply(503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}'),
        CUT_BODY,
        EMPTY_CHOICES,
        chat(""),
        chat(None),
        Reply(body='{"choices": [{"mess'),
        Reply(body="[]"),
        Reply(body='{"error":{"message":"Provider returned error","code":502}}'),
        Reply(body='{"choices":[{"error":{"code":429,"message":"slow down"},"finish_reason":"error"}]}'),
    ],
)
async def test_what_passes_is_tried_again_and_then_answered(
    server: ModelServer, clock: FakeClock, fault: Reply
) -> None:
    server.replies = [fault, fault, HELLO]
    answer = await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert (answer.text, answer.attempts) == ("Hello back", 3)
    assert clock.slept == [1.0, 2.0]


async def test_after_three_attempts_a_passing_failure_is_left_to_the_caller(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [error(503, "overloaded")] * 9
    with pytest.raises(PassingError, match="not available right now"):
        await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert len(server.requests) == 3


async def test_the_wait_that_a_server_asks_for_is_kept(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [
        error(429, "slow down", headers=(("retry-after", "7"),)),
        error(503, "busy", headers=(("retry-after-ms", "1500"),)),
        HELLO,
    ]
    await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert clock.slept == [7.0, 1.5]


async def test_a_wait_may_be_asked_for_as_a_date(server: ModelServer, clock: FakeClock) -> None:
    until = format_datetime(clock.now() + timedelta(seconds=9), usegmt=True)
    server.replies = [error(503, "busy", headers=(("retry-after", until),)), HELLO]
    await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert clock.slept == [9.0]


async def test_a_long_wait_is_not_sat_out_but_passed_on(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [error(429, "slow down", headers=(("retry-after", "600"),))]
    with pytest.raises(PassingError) as caught:
        await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert caught.value.retry_after_s == 600
    assert clock.slept == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("nonsense", ["soon", "-3", "", "1e9", "99999999999999"])
async def test_a_wait_that_makes_no_sense_is_ignored(
    server: ModelServer, clock: FakeClock, nonsense: str
) -> None:
    server.replies = [error(503, "busy", headers=(("retry-after", nonsense),)), HELLO]
    await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert clock.slept == [1.0]


@pytest.mark.parametrize(
    ("fault", "kind", "says"),
    [
        (error(401, "Incorrect API key provided: sk-abc", code="invalid_api_key"), UserCanFixError, "key"),
        (error(403, "Country not supported"), UserCanFixError, "key"),
        (Reply(401, '{"error":{"code":401,"message":"Invalid API Key"}}'), UserCanFixError, "key"),
        (error(402, "Insufficient credits"), UserCanFixError, "no credit"),
        (
            error(429, "You exceeded your current quota", code="insufficient_quota"),
            UserCanFixError,
            "no credit",
        ),
        (
            error(404, "The model `x` does not exist", code="model_not_found"),
            UserCanFixError,
            "does not know the model",
        ),
        (
            Reply(404, '{"error":"model \\"x\\" not found, try pulling it first"}'),
            UserCanFixError,
            "does not know the model",
        ),
        (error(400, "x is not a valid model ID"), UserCanFixError, "does not know the model"),
        (Reply(404, '{"detail":"Not Found"}'), UserCanFixError, "not the address"),
        (web_page(404), UserCanFixError, "not the address"),
        (Reply(301, "", (("location", "https://elsewhere.example/"),)), UserCanFixError, "not the address"),
        (error(405, "Method not allowed"), UserCanFixError, "not the address"),
        (error(413, "Payload too large"), TooLongError, "that much text"),
        (web_page(413), TooLongError, "that much text"),
        (
            error(
                400, "This model's maximum context length is 128000 tokens.", code="context_length_exceeded"
            ),
            TooLongError,
            "that much text",
        ),
        (
            error(400, "the request exceeds the available context size", type="exceed_context_size_error"),
            TooLongError,
            "that much text",
        ),
        (
            error(429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000"),
            TooLongError,
            "that much text",
        ),
        (
            error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
            UnsupportedError,
            "does not take",
        ),
        (
            error(400, "'temperature' does not support 0.0 with this model."),
            UnsupportedError,
            "does not take",
        ),
        (error(400, "response_format.type must be text"), UnsupportedError, "does not take"),
        (
            error(403, "Your input was flagged", metadata={"reasons": ["moderation"]}),
            RefusedError,
            "declined",
        ),
        (error(400, "filtered", code="content_filter"), RefusedError, "declined"),
        (error(400, "messages: roles must alternate"), RejectedError, "refused the request"),
        (chat(None, refusal="I can't help with that."), RefusedError, "declined"),
        (chat("", finish="content_filter"), RefusedError, "declined"),
        (Reply(body='{"error":{"message":"No auth credentials found","code":401}}'), UserCanFixError, "key"),
    ],
)
async def test_what_does_not_pass_is_told_by_its_remedy_and_not_tried_again(
    server: ModelServer, clock: FakeClock, fault: Reply, kind: type[HeedfulError], says: str
) -> None:
    server.replies = [fault]
    with pytest.raises(kind, match=says) as caught:
        await client_of(provider_at(server.base_url), clock).complete(REQUEST)
    assert len(server.requests) == 1
    assert "sk-abc" not in caught.value.sentence()


async def test_a_web_page_where_an_answer_should_be_names_its_likely_causes(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [web_page()] * 3
    with pytest.raises(PassingError, match="web page"):
        await client_of(provider_at(server.base_url), clock).complete(REQUEST)


async def test_a_server_that_is_not_there_is_unreachable_and_was_sent_nothing(clock: FakeClock) -> None:
    async with ModelServer() as gone:
        base_url = gone.base_url
    trail = Trail()
    with pytest.raises(UnreachableError, match="does not answer on this computer"):
        await client_of(provider_at(base_url), clock).complete(REQUEST, trail)
    assert (trail.attempts, trail.unanswered) == (3, 0)


async def test_a_call_ends_within_its_time(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [HANGS]
    client = client_of(provider_at(server.base_url), clock, limits=Limits(total_s=0.05, attempts=1))
    with pytest.raises(PassingError, match="did not answer within"):
        await client.complete(REQUEST)
    await asyncio.wait_for(server.hung_up.wait(), 2)


async def test_a_time_out_is_tried_again_where_the_model_is_elsewhere(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [HANGS, HELLO]
    elsewhere = replace(provider_at(server.base_url), model="large-cloud")
    client = client_of(elsewhere, clock, limits=Limits(attempt_s=0.05))
    assert (await client.complete(REQUEST)).attempts == 2


async def test_cancelling_closes_the_request_at_once(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [HANGS]
    async with asyncio.TaskGroup() as group:
        call = group.create_task(client_of(provider_at(server.base_url), clock).complete(REQUEST))
        await server.arrived.wait()
        call.cancel()
    assert call.cancelled()
    await asyncio.wait_for(server.hung_up.wait(), 2)


async def test_a_wrong_key_is_asked_about_once_until_a_reset(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [error(401, "Incorrect API key"), HELLO]
    breaker = Breaker()
    client = client_of(provider_at(server.base_url), clock, breaker=breaker)
    for _ in range(5):
        with pytest.raises(UserCanFixError, match="key"):
            await client.complete(REQUEST)
    assert len(server.requests) == 1
    breaker.reset()
    assert (await client.complete(REQUEST)).text == "Hello back"


async def test_another_model_is_not_barred_by_the_refusal_of_one(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [error(404, "The model does not exist", code="model_not_found"), HELLO]
    breaker, first = Breaker(), provider_at(server.base_url)
    with pytest.raises(UserCanFixError):
        await client_of(first, clock, breaker=breaker).complete(REQUEST)
    other = client_of(replace(first, model="other"), clock, breaker=breaker)
    assert (await other.complete(REQUEST)).text == "Hello back"


@pytest.mark.parametrize("key", ["sk-\u2013dash", "sk-a\nHost: evil.example", "two words"])
async def test_a_key_with_stray_characters_is_refused_before_anything_is_sent(
    server: ModelServer, clock: FakeClock, key: str
) -> None:
    with pytest.raises(UserCanFixError, match="characters no key has"):
        await client_of(provider_at(server.base_url), clock, key=key).complete(REQUEST)
    assert server.requests == []


async def test_a_proxy_in_the_environment_never_sees_what_goes_to_this_computer(
    server: ModelServer, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ModelServer() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        await client_of(provider_at(server.base_url), clock).complete(REQUEST)
        assert proxy.requests == []
    assert len(server.requests) == 1


async def test_an_endless_answer_is_dropped(server: ModelServer, clock: FakeClock) -> None:
    server.replies = [Reply(body=" " * 2_000_001)]
    with pytest.raises(RejectedError, match="far too much"):
        await client_of(provider_at(server.base_url), clock).complete(REQUEST)


async def test_an_attempt_that_nobody_answered_is_counted_as_such(
    server: ModelServer, clock: FakeClock
) -> None:
    server.replies = [CUT_BODY, error(503, "busy"), items()]
    trail = Trail()
    await client_of(provider_at(server.base_url), clock).complete(REQUEST, trail)
    assert (trail.attempts, trail.unanswered) == (3, 1)
    assert trail.usage == Usage(120, 0, 30)
