"""The two pipes to the other program, as the streams that the SDK serves.

The SDK's own transport drops a line it can't read and knows no batches; here each gets the answer that JSON-RPC
asks for, and when the other side closes its pipe, what was asked before that is still answered.
"""

import asyncio
import contextlib
import json
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Self

from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.types import INTERNAL_ERROR, INVALID_REQUEST, JSONRPCError, JSONRPCRequest, JSONRPCResponse

from heedful.mcp_server.envelopes import Id, Message, Refusal, Unheard, given, read_line

log = logging.getLogger(__name__)

LINE_BYTES = 4 * 1024 * 1024
READ_BYTES = 64 * 1024
MOST_OPEN = 128
QUEUE_BOUND = 16
LAST_ANSWERS_WITHIN_S = 10.0

SDK_BUG_CODE = 0
"""Source: mcp 2.3, `JSONRPCDispatcher._handle_request`: the code, with the exception's text, for any other error."""

BUG = "Heedful failed at this; its log says where"


Missed = Callable[[object], Awaitable[None]]


@dataclass(slots=True)
class _Batch:
    """The answers of a batch until the last one is there."""

    waiting: int = 0
    answers: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Question:
    """A request until it is settled; `call` is what it gives to a tool, until it has reached it."""

    batch: _Batch | None
    call: object | None


class Wire:
    """Messages in from one file descriptor, answers out to another; belongs to one event loop.

    Iterating yields what the other program sends, until it closed its pipe and its last answer is out.
    """

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._in: asyncio.Queue[SessionMessage | None] = asyncio.Queue(QUEUE_BOUND)
        self._open: dict[Id, _Question] = {}
        self._missed: Missed | None = None
        self._room = asyncio.Semaphore(MOST_OPEN)
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        self._settling = 0
        self._writing = asyncio.Lock()
        self._going_out: asyncio.Future[None] | None = None
        self._is_over = False
        self._has_ended = False

    def start(self, missed: Missed | None = None) -> None:
        """Begins to read, on a thread of its own that ends with the pipe or the process.

        `missed` is told what was given in each call that came to no tool (`reached`), before that call is answered.
        """
        self._missed = missed
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), name="mcp-input", daemon=True).start()

    def reached(self, request_id: Id | None) -> None:
        """Takes in that a call came to its tool."""
        question = None if request_id is None else self._open.get(request_id)
        if question is not None:
            question.call = None

    async def take(self, raw: bytes) -> None:
        """Takes one line in; waits while the other program has too many questions open."""
        line = read_line(raw)
        batch = _Batch(waiting=len(line.messages)) if line.is_batch else None
        for message in line.messages:
            await self._take(message, batch)

    async def end(self) -> None:
        """Takes in that nothing more comes; what is being answered has a moment left."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_ANSWERS_WITHIN_S):
                await self._all_answered.wait()
        await self._in.put(None)

    async def _take(self, message: Message, batch: _Batch | None) -> None:
        if isinstance(message, Refusal):
            await self._tell_missed(message.call)
            await self._refuse(message, batch)
        elif isinstance(message, Unheard):
            await self._tell_missed(message.call)
            await self._answered(batch, None)
        elif not isinstance(message, JSONRPCRequest):
            await self._answered(batch, None)
            await self._in.put(SessionMessage(message))
        elif message.id in self._open:
            call = given(message.method, message.params)
            await self._take(Refusal(None, INVALID_REQUEST, "This id is in use", call), batch)
        else:
            await self._ask(message, batch)

    async def _ask(self, message: JSONRPCRequest, batch: _Batch | None) -> None:
        await self._room.acquire()
        self._open[message.id] = _Question(batch, given(message.method, message.params))
        self._all_answered.clear()
        unanswered = partial(self._settle, message.id, None)
        await self._in.put(SessionMessage(message, ServerMessageMetadata(on_request_unanswered=unanswered)))

    async def _tell_missed(self, call: object | None) -> None:
        if call is not None and self._missed is not None:
            await self._missed(call)

    async def _refuse(self, refusal: Refusal, batch: _Batch | None) -> None:
        error = {"code": refusal.code, "message": refusal.message}
        await self._answered(batch, _text({"jsonrpc": "2.0", "id": refusal.id, "error": error}))

    async def _settle(self, request_id: Id | None, answer: str | None) -> None:
        """Ends a request with its answer, or with none."""
        if request_id not in self._open:
            return
        question = self._open.pop(request_id)
        self._settling += 1
        try:
            await self._tell_missed(question.call)
            await self._answered(question.batch, answer)
        finally:
            self._settling -= 1
            self._room.release()
            if not self._open and not self._settling:
                self._all_answered.set()

    async def _answered(self, batch: _Batch | None, answer: str | None) -> None:
        if batch is None:
            if answer is not None:
                await self._write(answer)
            return
        batch.waiting -= 1
        if answer is not None:
            batch.answers.append(answer)
        if batch.waiting == 0 and batch.answers:
            await self._write("[" + ",".join(batch.answers) + "]")

    async def _write(self, text: str) -> None:
        """Sends a line; one that is still going out goes first, though whoever sent it was called off."""
        async with self._writing:
            try:
                if self._going_out is not None:
                    await asyncio.shield(self._going_out)
                if self._is_over:
                    return
                self._going_out = _beside(partial(_write_all, self._sink, text.encode() + b"\n"))
                await asyncio.shield(self._going_out)
            except OSError as exc:
                self._leave(exc)

    def _leave(self, why: OSError) -> None:
        """Ends the serving of a program that no longer listens."""
        if self._is_over:
            return
        log.info("the other program no longer listens: %s", type(why).__name__)
        self._is_over = True
        self._all_answered.set()
        with contextlib.suppress(asyncio.QueueFull):  # whoever empties a full one sees that it is over
            self._in.put_nowait(None)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(
            CancelledError, RuntimeError
        ):  # the loop ended first, and with it the need to read
            for raw in _lines(self._source):
                work = self._take_too_long() if raw is None else self.take(raw)
                asyncio.run_coroutine_threadsafe(work, loop).result()
                if self._is_over:
                    break
            asyncio.run_coroutine_threadsafe(self.end(), loop).result()

    async def _take_too_long(self) -> None:
        await self._refuse(Refusal(None, INVALID_REQUEST, f"A line holds at most {LINE_BYTES} bytes"), None)

    # What the SDK's `ReadStream` asks for.

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except EOFError as exc:
            raise StopAsyncIteration from exc

    async def receive(self) -> SessionMessage:
        message = None if self._has_ended else await self._in.get()
        if message is None or self._is_over:
            self._has_ended = True  # the SDK asks again after the end of a pipe in which nothing was said
            raise EOFError
        return message

    async def aclose(self) -> None:
        """Closing the streams is the process's end, not ours: the descriptors belong to whoever opened them."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # What its `WriteStream` asks for.

    async def send(self, item: SessionMessage, /) -> None:
        """Sends an answer; one that tells of a bug is sent without the bug's own words, which may hold content."""
        message = item.message
        if isinstance(message, JSONRPCError) and message.error.code == SDK_BUG_CODE:
            told = {"code": INTERNAL_ERROR, "message": BUG}
            await self._settle(message.id, _text({"jsonrpc": "2.0", "id": message.id, "error": told}))
        elif isinstance(message, JSONRPCResponse | JSONRPCError):
            text = _text(message.model_dump(mode="json", by_alias=True, exclude_unset=True))
            await self._settle(message.id, text)
        else:
            await self._write(_text(message.model_dump(mode="json", by_alias=True, exclude_unset=True)))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _lines(source: int) -> Iterator[bytes | None]:
    """Line after line of a descriptor; None stands for one that was too long and was skipped."""
    rest, skips = b"", False
    while more := os.read(source, READ_BYTES):
        *whole, rest = (rest + more).split(b"\n")
        for line in whole:
            if not skips:
                yield line if len(line) <= LINE_BYTES else None
            skips = False
        if len(rest) > LINE_BYTES:
            if not skips:
                yield None
            rest, skips = b"", True
    if rest and not skips:
        yield rest


def _beside(work: Callable[[], None]) -> asyncio.Future[None]:
    """Runs it on a thread that the process does not wait for: a pipe that nobody empties takes no more."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def run() -> None:
        told = partial(done.set_result, None)
        try:
            work()
        except OSError as exc:
            told = partial(done.set_exception, exc)
        with contextlib.suppress(RuntimeError):  # the loop ended first, and with it the need to know
            loop.call_soon_threadsafe(told)

    threading.Thread(target=run, name="mcp-output", daemon=True).start()
    return done


def _write_all(sink: int, raw: bytes) -> None:
    while raw:
        raw = raw[os.write(sink, raw) :]
