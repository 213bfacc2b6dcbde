"""Messages as a program writes them by hand, and `heedful mcp` as a process that it speaks to."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WITHIN_S = 60
LINE_LIMIT = 8 * 1024 * 1024


def command(home: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "heedful", "--home", str(home), "mcp", *more]


def request(number: object, method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def hello(number: object, version: str) -> dict[str, object]:
    about = {"name": "By Hand", "version": "1"}
    return request(number, "initialize", protocolVersion=version, capabilities={}, clientInfo=about)


def call(number: object, tool: str, **arguments: object) -> dict[str, object]:
    return request(number, "tools/call", name=tool, arguments=arguments)


@dataclass(slots=True)
class Spoken:
    """A running process; answers are kept by their id, whatever their order."""

    process: Process
    answers: dict[object, Any] = field(default_factory=dict)
    number: int = 0

    async def says(self, *messages: object) -> None:
        """Sends lines."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(json.dumps(one).encode() + b"\n" for one in messages))
        await self.process.stdin.drain()

    async def hears(self, number: object) -> Any:  # noqa: ANN401 (any JSON)
        """The answer to a request; every line on the way must be one of the protocol's."""
        assert self.process.stdout is not None
        async with asyncio.timeout(WITHIN_S):
            while number not in self.answers:
                said = json.loads(await self.process.stdout.readline())
                for one in said if isinstance(said, list) else [said]:
                    assert one["jsonrpc"] == "2.0"
                    assert one["id"] not in self.answers
                    self.answers[one["id"]] = one
        return self.answers[number]

    async def asks(self, tool: str, **arguments: object) -> Any:  # noqa: ANN401 (any JSON)
        """The result of a call: its structure, or the sentence of an error."""
        self.number += 1
        await self.says(call(self.number, tool, **arguments))
        result = (await self.hears(self.number))["result"]
        return result["content"][0]["text"] if result.get("isError") else result["structuredContent"]

    async def ends(self) -> str:
        """Closes the pipe, and waits; what was said beside."""
        assert self.process.stdin is not None
        assert self.process.stderr is not None
        self.process.stdin.close()
        async with asyncio.timeout(WITHIN_S):
            beside = await self.process.stderr.read()
            assert await self.process.wait() == 0
        return beside.decode()


@asynccontextmanager
async def speaking(arguments: Sequence[str], environment: Mapping[str, str]) -> AsyncIterator[Spoken]:
    """A process that shook hands; it is gone at the end."""
    process = await asyncio.create_subprocess_exec(
        *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LINE_LIMIT, env={**os.environ, **environment}
    )
    spoken = Spoken(process)
    try:
        await spoken.says(
            hello("hello", "2025-11-25"), {"jsonrpc": "2.0", "method": "notifications/initialized"}
        )
        await spoken.hears("hello")
        yield spoken
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
