"""One line of the wire as JSON-RPC messages, or as the refusal it deserves. Pure.

Source: JSON-RPC 2.0 §4–6 and the Model Context Protocol, «Base protocol»: an id is a string or an integer, a
notification gets no reply, and what can't be understood is answered under the id null. Batches belong to one old
revision of the protocol; they cost little and are understood in all of them. What comes as a call of a tool and is
none says so, since each call leaves a row.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mcp.types import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, JSONRPCNotification, JSONRPCRequest

CALL = "tools/call"
MOST_IN_A_BATCH = 100
MOST_NESTED = 100
"""Far from the depth at which Python can no longer write out what it could read."""

Id = int | str


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error to answer with; `id` is None where the message's own could not be read.

    `call` is what the message gave to a tool that it called, of whatever type; None where it called none.
    """

    id: Id | None
    code: int
    message: str
    call: object | None = None


@dataclass(frozen=True, slots=True)
class Unheard:
    """A call of a tool that asks for no answer, and so gets none."""

    call: object


Message = JSONRPCRequest | JSONRPCNotification | Refusal | Unheard


@dataclass(frozen=True, slots=True)
class Line:
    """What a line holds, in its order; the answers to a batch go out together."""

    messages: tuple[Message, ...]
    is_batch: bool = False


def read_line(raw: bytes) -> Line:
    """The messages of a line, without those that ask for nothing: blank lines, and answers to no question of ours."""
    if not raw.strip():
        return Line(())
    try:
        value = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
        _refuse_halves(raw, value)
    except (ValueError, RecursionError):
        return Line((Refusal(None, PARSE_ERROR, "This line is not JSON in UTF-8"),))
    if _is_too_deep(raw, value):
        return Line((Refusal(None, INVALID_REQUEST, f"A line is nested at most {MOST_NESTED} deep"),))
    if not isinstance(value, list):
        return Line(_messages(value))
    if not value:
        return Line((Refusal(None, INVALID_REQUEST, "A batch holds at least one message"),))
    if len(value) > MOST_IN_A_BATCH:
        return Line((Refusal(None, INVALID_REQUEST, f"A batch holds at most {MOST_IN_A_BATCH} messages"),))
    return Line(tuple(message for one in value for message in _messages(one)), is_batch=True)


def given(method: object, params: object) -> object | None:
    """What a message gives to a tool that it calls; None where it calls none."""
    if method != CALL:
        return None
    return {} if params is None else params


def _messages(value: object) -> tuple[Message, ...]:
    if not isinstance(value, dict):
        return (Refusal(None, INVALID_REQUEST, "A message is an object"),)
    if "method" not in value and ("result" in value or "error" in value):
        return ()
    call = given(value.get("method"), value.get("params"))
    if "id" not in value:
        return _notification(value, call)
    own = value["id"]
    if isinstance(own, bool) or not isinstance(own, int | str):
        return (Refusal(None, INVALID_REQUEST, "An id is a string or an integer", call),)
    return (_request(own, value, call),)


def _request(own: Id, value: dict[str, Any], call: object | None) -> Message:
    if value.get("jsonrpc") != "2.0":
        return Refusal(own, INVALID_REQUEST, 'A message says "jsonrpc": "2.0"', call)
    if not isinstance(value.get("method"), str):
        return Refusal(own, INVALID_REQUEST, "A method is a string")
    params = value.get("params")
    if params is None:
        return JSONRPCRequest(jsonrpc="2.0", id=own, method=value["method"])
    if not isinstance(params, dict):
        return Refusal(own, INVALID_PARAMS, "Parameters are given by name", call)
    return JSONRPCRequest(jsonrpc="2.0", id=own, method=value["method"], params=params)


def _notification(value: dict[str, Any], call: object | None) -> tuple[Message, ...]:
    method, params = value.get("method"), value.get("params")
    if value.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return (Refusal(None, INVALID_REQUEST, "This is neither a request nor a notification", call),)
    if call is not None:
        return (Unheard(call),)
    if params is None:
        return (JSONRPCNotification(jsonrpc="2.0", method=method),)
    if not isinstance(params, dict):
        return ()
    return (JSONRPCNotification(jsonrpc="2.0", method=method, params=params),)


def _is_too_deep(raw: bytes, value: object) -> bool:
    if raw.count(b"[") + raw.count(b"{") <= MOST_NESTED:
        return False
    level = [value]
    for _ in range(MOST_NESTED):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return any(isinstance(one, dict | list) for one in level)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON")


def _refuse_halves(raw: bytes, value: object) -> None:
    """Refuses half a surrogate pair, which JSON can spell but no answer could repeat."""
    if b"\\u" in raw:
        json.dumps(value, ensure_ascii=False).encode()
