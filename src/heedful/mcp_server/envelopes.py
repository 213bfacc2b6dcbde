"""One line of the wire as JSON-RPC messages, or as the refusal it deserves. Pure.

Source: JSON-RPC 2.0 §4–6 and the Model Context Protocol, «Base protocol»: an id is a string or an integer, a
notification gets no reply, and what can't be understood is answered under the id null. Batches belong to one old
revision of the protocol; they cost little and are understood in all of them.
"""

import json
from dataclasses import dataclass
from typing import Any

from mcp.types import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, JSONRPCNotification, JSONRPCRequest

MOST_IN_A_BATCH = 100

Id = int | str


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error to answer with; `id` is None where the message's own could not be read."""

    id: Id | None
    code: int
    message: str


Message = JSONRPCRequest | JSONRPCNotification | Refusal


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
        value = json.loads(raw, parse_constant=_refuse_constant)
        _refuse_halves(raw, value)
    except (ValueError, RecursionError):
        return Line((Refusal(None, PARSE_ERROR, "This line is not JSON"),))
    if not isinstance(value, list):
        return Line(_messages(value))
    if not value:
        return Line((Refusal(None, INVALID_REQUEST, "A batch holds at least one message"),))
    if len(value) > MOST_IN_A_BATCH:
        return Line((Refusal(None, INVALID_REQUEST, f"A batch holds at most {MOST_IN_A_BATCH} messages"),))
    return Line(tuple(message for one in value for message in _messages(one)), is_batch=True)


def _messages(value: object) -> tuple[Message, ...]:
    if not isinstance(value, dict):
        return (Refusal(None, INVALID_REQUEST, "A message is an object"),)
    if "method" not in value and ("result" in value or "error" in value):
        return ()
    if "id" not in value:
        return _notification(value)
    given = value["id"]
    if isinstance(given, bool) or not isinstance(given, int | str):
        return (Refusal(None, INVALID_REQUEST, "An id is a string or an integer"),)
    return (_request(given, value),)


def _request(given: Id, value: dict[str, Any]) -> Message:
    if value.get("jsonrpc") != "2.0":
        return Refusal(given, INVALID_REQUEST, 'A message says "jsonrpc": "2.0"')
    if not isinstance(value.get("method"), str):
        return Refusal(given, INVALID_REQUEST, "A method is a string")
    params = value.get("params")
    if params is None:
        return JSONRPCRequest(jsonrpc="2.0", id=given, method=value["method"])
    if not isinstance(params, dict):
        return Refusal(given, INVALID_PARAMS, "Parameters are given by name")
    return JSONRPCRequest(jsonrpc="2.0", id=given, method=value["method"], params=params)


def _notification(value: dict[str, Any]) -> tuple[Message, ...]:
    method, params = value.get("method"), value.get("params")
    if value.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return (Refusal(None, INVALID_REQUEST, "This is neither a request nor a notification"),)
    if params is None:
        return (JSONRPCNotification(jsonrpc="2.0", method=method),)
    if not isinstance(params, dict):
        return ()
    return (JSONRPCNotification(jsonrpc="2.0", method=method, params=params),)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON")


def _refuse_halves(raw: bytes, value: object) -> None:
    """Refuses half a surrogate pair, which JSON can spell but no answer could repeat."""
    if b"\\u" in raw:
        json.dumps(value, ensure_ascii=False).encode()
