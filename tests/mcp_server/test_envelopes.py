"""A line of the wire: what is asked, and what each kind of nonsense deserves."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import JSONRPCNotification, JSONRPCRequest

from heedful.mcp_server.envelopes import MOST_IN_A_BATCH, MOST_NESTED, Refusal, Unheard, read_line

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
ALMOST = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | ANYTHING,
        "id": ANYTHING,
        "method": st.just("ping") | ANYTHING,
        "params": ANYTHING,
        "result": ANYTHING,
    },
)


def refusals(message: object) -> list[tuple[object, int]]:
    """The ids and codes with which a line, or a message as a line, is refused."""
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    return [(one.id, one.code) for one in read_line(line).messages if isinstance(one, Refusal)]


def test_a_request_and_a_notification_are_told_apart_by_their_id() -> None:
    (request,) = read_line(json.dumps(PING).encode()).messages
    assert isinstance(request, JSONRPCRequest)
    assert (request.id, request.method, request.params) == (7, "ping", None)
    (notification,) = read_line(b'{"jsonrpc":"2.0","method":"notifications/initialized"}').messages
    assert isinstance(notification, JSONRPCNotification)


@pytest.mark.parametrize("raw", [b"", b"   ", b"\r", b'{"jsonrpc":"2.0","id":1,"result":{}}'])
def test_what_asks_for_nothing_gets_nothing(raw: bytes) -> None:
    assert read_line(raw).messages == ()


@pytest.mark.parametrize(
    "raw",
    [
        b"hello",
        b'{"jsonrpc":"2.0"',
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}',
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
        b'{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"),
        b"[" * 100_000,
        b'{"id":' + b"9" * 5000 + b"}",
    ],
)
def test_a_line_that_is_not_json_is_a_parse_error(raw: bytes) -> None:
    assert refusals(raw) == [(None, -32700)]


@pytest.mark.parametrize("bad", [None, True, 1.5, [1], {"a": 1}])
def test_an_id_that_is_neither_text_nor_integer_is_refused_under_no_id(bad: object) -> None:
    assert refusals(PING | {"id": bad}) == [(None, -32600)]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (5, (None, -32600)),
        ("ping", (None, -32600)),
        ({}, (None, -32600)),
        ({"jsonrpc": "1.0", "id": 3, "method": "ping"}, (3, -32600)),
        ({"id": 3, "method": "ping"}, (3, -32600)),
        ({"jsonrpc": "2.0", "id": 3}, (3, -32600)),
        ({"jsonrpc": "2.0", "id": 3, "method": 4}, (3, -32600)),
        ({"jsonrpc": "2.0", "id": "x", "method": "ping", "params": [1]}, ("x", -32602)),
        ({"jsonrpc": "2.0", "method": 4}, (None, -32600)),
    ],
)
def test_what_is_no_message_is_refused_under_its_id_where_it_has_one(
    message: object, told: tuple[object, int]
) -> None:
    assert refusals(message) == [told]


def test_a_notification_with_parameters_by_place_is_dropped_for_it_may_not_be_answered() -> None:
    assert read_line(b'{"jsonrpc":"2.0","method":"x","params":[1]}').messages == ()


def test_a_batch_keeps_its_order_and_refuses_only_what_is_bad_in_it() -> None:
    line = read_line(json.dumps([PING, 5, PING | {"id": "b"}]).encode())
    assert line.is_batch
    assert [type(one).__name__ for one in line.messages] == ["JSONRPCRequest", "Refusal", "JSONRPCRequest"]


def test_a_batch_of_none_or_too_many_is_refused_as_a_whole() -> None:
    assert refusals([]) == [(None, -32600)]
    assert refusals([PING] * (MOST_IN_A_BATCH + 1)) == [(None, -32600)]
    assert not read_line(b"[]").is_batch


def nested(deep: int) -> bytes:
    """A request of so many levels."""
    inside = deep - 2
    return json.dumps(PING).encode()[:-1] + b',"params":{"x":' + b"[" * inside + b"]" * inside + b"}}"


def test_a_line_that_is_nested_beyond_all_need_is_refused_before_anything_has_to_write_it_out() -> None:
    assert refusals(nested(MOST_NESTED)) == []
    for deep in (MOST_NESTED + 1, 500):
        assert refusals(nested(deep)) == [(None, -32600)]
    assert refusals(json.dumps(PING | {"params": {"x": [[]] * 500}}).encode()) == []


CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "memory.search"}}


@pytest.mark.parametrize(
    ("message", "given"),
    [
        (CALL | {"params": ["memory.search"]}, ["memory.search"]),
        (CALL | {"jsonrpc": "1.0"}, CALL["params"]),
        (CALL | {"id": None}, CALL["params"]),
        (CALL | {"id": 7.0, "params": None}, {}),
        ({"method": "tools/call"}, {}),
    ],
)
def test_a_call_that_is_refused_says_what_it_gave(message: object, given: object) -> None:
    (refusal,) = read_line(json.dumps(message).encode()).messages
    assert isinstance(refusal, Refusal)
    assert refusal.call == given


def test_what_is_refused_and_called_no_tool_gave_none_anything() -> None:
    (refusal,) = read_line(json.dumps(PING | {"params": ["memory.search"]}).encode()).messages
    assert isinstance(refusal, Refusal)
    assert refusal.call is None


@pytest.mark.parametrize("params", [{"name": "memory.search"}, ["memory.search"]])
def test_a_call_that_asks_for_no_answer_is_told_apart(params: object) -> None:
    line = json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": params}).encode()
    assert read_line(line).messages == (Unheard(params),)


@given(ANYTHING | ALMOST | st.lists(ALMOST, max_size=3))
def test_any_json_is_understood_or_refused_with_a_code_of_the_protocol(value: object) -> None:
    for message in read_line(json.dumps(value).encode()).messages:
        if isinstance(message, Refusal):
            assert message.code in (-32600, -32602)


@given(st.binary(max_size=60))
def test_any_bytes_are_understood_or_refused(raw: bytes) -> None:
    assert all(code in (-32700, -32600, -32602) for _, code in refusals(raw))
