"""Two pipes and what comes out of them, with nothing but a loop between."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.types import ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse

from heedful.mcp_server.wire import LINE_BYTES, Wire


@dataclass(slots=True)
class Other:
    """The other program's ends of the pipes."""

    wire: Wire
    to_wire: int
    from_wire: int
    rest: bytes = b""
    missed: list[object] = field(default_factory=list)

    async def misses(self, given: object) -> None:
        self.missed.append(given)

    async def says(self, *lines: str | bytes) -> None:
        for line in lines:
            raw = line.encode() if isinstance(line, str) else line
            await asyncio.to_thread(self._write, raw + b"\n")

    def _write(self, raw: bytes) -> None:
        while raw:
            raw = raw[os.write(self.to_wire, raw) :]

    async def hears(self) -> Any:  # noqa: ANN401 (any JSON)
        while b"\n" not in self.rest:
            async with asyncio.timeout(5):
                more = await asyncio.to_thread(os.read, self.from_wire, 65536)
            assert more
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def leaves(self) -> None:
        os.close(self.to_wire)
        self.to_wire = -1


@asynccontextmanager
async def connected() -> AsyncIterator[Other]:
    source, to_wire = os.pipe()
    from_wire, sink = os.pipe()
    wire = Wire(source, sink)
    other = Other(wire, to_wire, from_wire)
    wire.start(other.misses)
    try:
        yield other
    finally:
        if other.to_wire >= 0:
            other.leaves()
            async for _ in wire:
                pass
        for end in (source, sink, from_wire):
            os.close(end)


def ping(number: int) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"})


async def question(wire: Wire) -> JSONRPCRequest:
    async with asyncio.timeout(5):
        message = (await wire.receive()).message
    assert isinstance(message, JSONRPCRequest)
    return message


async def answer(wire: Wire, request: JSONRPCRequest) -> None:
    await wire.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=request.id, result={})))


async def test_a_question_comes_in_and_its_answer_goes_out() -> None:
    async with connected() as other:
        await other.says(ping(1))
        await answer(other.wire, await question(other.wire))
        assert await other.hears() == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_garbage_is_answered_and_the_next_question_too() -> None:
    async with connected() as other:
        await other.says("garbage", b"\xff\xff", "", ping(2))
        assert (await other.hears())["error"]["code"] == -32700
        assert (await other.hears())["error"]["code"] == -32700
        asked = await question(other.wire)
        assert asked.id == 2
        await answer(other.wire, asked)


async def test_a_batch_is_answered_together_and_once() -> None:
    async with connected() as other:
        await other.says(f'[{ping(1)},{{"jsonrpc":"2.0","method":"n"}},5,{ping(2)}]', ping(3))
        first = await question(other.wire)
        await other.wire.receive()
        second, third = await question(other.wire), await question(other.wire)
        await answer(other.wire, second)
        await answer(other.wire, third)
        assert (await other.hears())["id"] == 3
        await answer(other.wire, first)
        assert [one["id"] for one in await other.hears()] == [None, 2, 1]


async def test_a_batch_of_notifications_is_not_answered() -> None:
    async with connected() as other:
        await other.says('[{"jsonrpc":"2.0","method":"n"}]', ping(1))
        await other.wire.receive()
        await answer(other.wire, await question(other.wire))
        assert (await other.hears())["id"] == 1


async def test_an_id_that_is_in_use_is_refused_and_free_again_after_its_answer() -> None:
    async with connected() as other:
        await other.says(ping(1), ping(1))
        first = await question(other.wire)
        assert (await other.hears())["error"]["message"] == "This id is in use"
        await answer(other.wire, first)
        await other.hears()
        await other.says(ping(1))
        await answer(other.wire, await question(other.wire))
        assert (await other.hears())["id"] == 1


async def test_a_question_that_is_called_off_ends_its_batch_without_an_answer() -> None:
    async with connected() as other:
        await other.says(f"[{ping(1)},{ping(2)}]")
        called_off = (await other.wire.receive()).metadata
        await answer(other.wire, await question(other.wire))
        assert isinstance(called_off, ServerMessageMetadata)
        assert called_off.on_request_unanswered is not None
        await called_off.on_request_unanswered()
        assert [one["id"] for one in await other.hears()] == [2]


async def test_a_line_beyond_all_bounds_is_refused_and_the_next_one_read() -> None:
    async with connected() as other:
        await other.says(b"x" * (LINE_BYTES + 100_000), ping(1))
        assert (await other.hears())["error"]["code"] == -32600
        await answer(other.wire, await question(other.wire))
        assert (await other.hears())["id"] == 1


async def test_what_was_asked_before_the_pipe_closed_is_still_answered() -> None:
    async with connected() as other:
        await other.says(ping(1))
        asked = await question(other.wire)
        other.leaves()
        await answer(other.wire, asked)
        assert (await other.hears())["id"] == 1
        assert [message async for message in other.wire] == []


async def test_a_last_line_without_its_end_is_read_too() -> None:
    async with connected() as other:
        os.write(other.to_wire, ping(1).encode())
        other.leaves()
        await answer(other.wire, await question(other.wire))
        assert (await other.hears())["id"] == 1
        assert [message async for message in other.wire] == []


async def test_a_pipe_that_closed_stays_closed_however_often_it_is_asked() -> None:
    async with connected() as other:
        other.leaves()
        for _ in range(2):
            async with asyncio.timeout(5):
                assert [message async for message in other.wire] == []


async def test_a_program_that_no_longer_listens_ends_the_serving() -> None:
    source, to_wire = os.pipe()
    from_wire, sink = os.pipe()
    wire = Wire(source, sink)
    os.close(from_wire)
    await wire.take(ping(1).encode())
    await answer(wire, await question(wire))
    assert [message async for message in wire] == []
    for end in (source, to_wire, sink):
        os.close(end)


async def test_a_bugs_own_words_never_reach_the_wire() -> None:
    async with connected() as other:
        await other.says(ping(1))
        asked = await question(other.wire)
        bug = ErrorData(code=0, message="what the mail said")
        await other.wire.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=asked.id, error=bug)))
        told = await other.hears()
        assert told["error"]["code"] == -32603
        assert "mail" not in json.dumps(told)


def call(number: int | float, *, params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


async def test_a_call_that_comes_to_no_tool_is_told_before_it_is_answered() -> None:
    async with connected() as other:
        await other.says(call(1, params=["a"]))
        await other.hears()
        assert other.missed == [["a"]]
        await other.says(call(2, params={"name": "b"}), call(2, params={"name": "c"}))
        asked = await question(other.wire)
        await other.hears()
        assert other.missed == [["a"], {"name": "c"}]
        await answer(other.wire, asked)
        await other.hears()
        assert other.missed == [["a"], {"name": "c"}, {"name": "b"}]


async def test_a_call_that_came_to_its_tool_is_told_no_more() -> None:
    async with connected() as other:
        await other.says(call(1, params={"name": "a"}))
        asked = await question(other.wire)
        other.wire.reached(asked.id)
        await answer(other.wire, asked)
        await other.hears()
        assert other.missed == []


async def test_a_call_that_asks_for_no_answer_or_was_called_off_on_its_way_is_told_too() -> None:
    async with connected() as other:
        silent = json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "a"}})
        await other.says(silent, call(1, params={"name": "b"}))
        called_off = (await other.wire.receive()).metadata
        assert isinstance(called_off, ServerMessageMetadata)
        assert called_off.on_request_unanswered is not None
        await called_off.on_request_unanswered()
        assert other.missed == [{"name": "a"}, {"name": "b"}]
        await other.says(ping(2))
        await answer(other.wire, await question(other.wire))
        assert (await other.hears())["id"] == 2


async def test_a_line_that_is_going_out_ends_before_the_next_though_its_sender_was_called_off() -> None:
    async with connected() as other:
        await other.says(ping(1), ping(2))
        first, second = await question(other.wire), await question(other.wire)
        long = JSONRPCResponse(jsonrpc="2.0", id=first.id, result={"text": "x" * 500_000})
        sending = asyncio.ensure_future(other.wire.send(SessionMessage(long)))
        other.rest = await asyncio.to_thread(os.read, other.from_wire, 1)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        sending = asyncio.ensure_future(answer(other.wire, second))
        assert [(await other.hears())["id"] for _ in range(2)] == [1, 2]
        await sending


@pytest.mark.parametrize("text", ["\u2028 and \n and é", "😀"])
async def test_an_answer_is_one_line_whatever_it_holds(text: str) -> None:
    async with connected() as other:
        await other.says(ping(1))
        asked = await question(other.wire)
        result = JSONRPCResponse(jsonrpc="2.0", id=asked.id, result={"text": text})
        await other.wire.send(SessionMessage(result))
        assert (await other.hears())["result"] == {"text": text}
