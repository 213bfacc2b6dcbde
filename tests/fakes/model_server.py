"""A model server on loopback that says what it was told to, in the shapes of real servers, faults included.

Plain asyncio, no web framework: a fault is bytes on a wire, and here each byte is chosen. `replies` are used up
in order; when none is left, `otherwise` answers. Everything received is kept in `requests`.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. `cut_at` closes the connection after so many bytes of the body; `hangs` never answers."""

    status: int = 200
    body: str = ""
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    cut_at: int | None = None
    hangs: bool = False

    def bytes_on_the_wire(self) -> bytes:
        body = self.body.encode()
        lines = [f"HTTP/1.1 {self.status} Said"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        lines += [f"content-length: {len(body)}", "connection: close", "", ""]
        sent = body if self.cut_at is None else body[: self.cut_at]
        return "\r\n".join(lines).encode() + sent


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: Json

    @property
    def rung(self) -> str:
        """Which response format was asked for; `plain` where none was."""
        form = self.body.get("response_format")
        return form["type"] if isinstance(form, dict) else "plain"


Answering = Callable[[Received], Reply]


def _nothing_to_list(_: Received) -> Reply:
    return items()


@dataclass(slots=True)
class ModelServer:
    """`async with ModelServer() as server:` listens on a free loopback port until the block ends."""

    replies: list[Reply] = field(default_factory=list)
    otherwise: Answering = _nothing_to_list
    models: tuple[str, ...] = ("small-model",)
    requests: list[Received] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0
    _server: asyncio.Server | None = None
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def chats(self) -> list[Received]:
        """The chat requests among those received."""
        return [request for request in self.requests if request.path.endswith("/chat/completions")]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
            for writer in tuple(self._open):
                writer.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            received = await _read_request(reader)
            self.requests.append(received)
            self.arrived.set()
            reply = self._reply_to(received)
            if reply.hangs:
                await reader.read()
                self.hung_up.set()
            else:
                writer.write(reply.bytes_on_the_wire())
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            self._open.discard(writer)
            writer.close()

    def _reply_to(self, received: Received) -> Reply:
        if received.path.endswith("/models"):
            return model_list(self.models)
        return self.replies.pop(0) if self.replies else self.otherwise(received)


async def _read_request(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, path, headers, json.loads(raw) if raw else {})


def chat(
    text: str | None,
    *,
    finish: str = "stop",
    model: str = "small-model",
    tokens: tuple[int, int, int] | None = (120, 0, 30),
    **message: object,
) -> Reply:
    """A whole answer as OpenAI, vLLM and llama.cpp give it; `tokens` are input, cached and output."""
    body: Json = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "logprobs": None,
                "finish_reason": finish,
            }
        ],
    }
    if tokens is not None:
        body["usage"] = {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[2],
            "total_tokens": tokens[0] + tokens[2],
            "prompt_tokens_details": {"cached_tokens": tokens[1]},
        }
    return Reply(body=json.dumps(body))


def items(*found: Json, tokens: tuple[int, int, int] | None = (120, 0, 30)) -> Reply:
    """A whole answer whose text is `{"items": […]}`."""
    return chat(json.dumps({"items": list(found)}), tokens=tokens)


def error(status: int, message: str, *, headers: Sequence[tuple[str, str]] = (), **more: object) -> Reply:
    """A refusal in OpenAI's shape, which most servers borrow."""
    body = {
        "error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}
    }
    return Reply(status, json.dumps(body), (("content-type", "application/json"), *headers))


def web_page(status: int = 200) -> Reply:
    """What a captive portal or a proxy answers."""
    page = "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>Log in to go on.</body></html>"
    return Reply(status, page, (("content-type", "text/html; charset=utf-8"),))


def model_list(names: Sequence[str]) -> Reply:
    """The answer to GET /models."""
    data = [{"id": name, "object": "model", "created": 1_790_000_000, "owned_by": "x"} for name in names]
    return Reply(body=json.dumps({"object": "list", "data": data}))


HANGS = Reply(hangs=True)
CUT_BODY = Reply(body=json.dumps({"choices": [{"message": {"content": "x" * 400}}]}), cut_at=60)
EMPTY_CHOICES = Reply(body=json.dumps({"id": "x", "object": "chat.completion", "choices": [], "usage": None}))
