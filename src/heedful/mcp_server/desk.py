"""Where a call is answered: what the program may see, one look into the store, and a row in the record.

The store is opened at the first call and again whenever its file was replaced, so that a program that runs for days
never reads what was wiped, and answers once there is something to read. The row comes before the answer: what can't
be recorded is not handed out. A call that is called off goes on to its row, and looks nothing up that it has not begun.
"""

import asyncio
import contextlib
import json
import logging
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError, RejectedError, UserCanFixError
from heedful.core.ids import NewId
from heedful.core.paths import Home
from heedful.core.settings import load_settings
from heedful.mcp_server.arguments import Arguments, told
from heedful.mcp_server.clients import scope_of
from heedful.mcp_server.tool import Answer, Asked, Bookmarks, Tool
from heedful.memory import Meaning, Sense
from heedful.memory.messages.source_outlines import outlines
from heedful.memory.reads import ARGUMENTS_LENGTH, Read, Reads
from heedful.storage import Connection, Store

log = logging.getLogger(__name__)

TOOL_NAME_LENGTH = 80
UNKNOWN = "unknown"
MOST_FRAMES = 8

T = TypeVar("T")


class MisusedToolError(RejectedError):
    """There is no such tool, or it does not take such arguments: the call itself was wrong.

    The title may repeat a word of the call; the message, which the record keeps as its note, does not.
    """


@dataclass(frozen=True, slots=True)
class OpenMemory:
    """A store to read from, what turns a question into its meaning, and a record to write to."""

    store: Store
    meaning: Meaning
    reads: Reads

    def close(self) -> None:
        """Closes the store and the record."""
        self.store.close()
        self.reads.close()


@dataclass(slots=True)
class _Call:
    """A call that was understood, and what its row says of it before it is answered."""

    draft: Read
    tool: Tool[Any]
    arguments: Arguments
    is_off: bool = False


@dataclass(slots=True)
class Desk:
    """Answers calls; belongs to one event loop and to one program's connection."""

    home: Home
    clock: Clock
    open_memory: Callable[[], Awaitable[OpenMemory]]
    tools: Mapping[str, Tool[Any]]
    new_nonce: NewId
    _bookmarks: Bookmarks = field(default_factory=Bookmarks)
    _under_way: int = 0
    _all_have_rows: asyncio.Event = field(default_factory=asyncio.Event)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _memory: OpenMemory | None = None
    _file: tuple[int, int] | None = None

    async def call(self, client: str, name: str, given: Mapping[str, object]) -> Answer:
        """Answers one call of the program named `client`.

        Raises:
            MisusedToolError: The call can't be understood.
            HeedfulError: There is no answer; the record says why, where there is one to write to.
        """
        draft = Read(self.clock.now(), client, name, json.dumps(given)[:ARGUMENTS_LENGTH], "failed")
        try:
            tool, arguments = self._understood(name, given)
        except MisusedToolError as exc:
            misused = _misused(draft, given, is_known=name in self.tools)
            await self._to_its_row(self._note_misuse(misused, exc.message))
            raise
        call = _Call(draft, tool, arguments)
        try:
            return await self._to_its_row(self._answered(call))
        except asyncio.CancelledError:
            call.is_off = True
            raise

    async def note_no_call(self, client: str, given: object) -> None:
        """Records what was sent as a call and came to no tool: it names none, say, or its id is in use."""
        draft = Read(self.clock.now(), client, UNKNOWN, "", "failed")
        await self._note_misuse(_misused(draft, given, is_known=False), "It came to no tool")

    async def close(self) -> None:
        """Closes what was opened, once every call has its row."""
        if self._under_way:
            await self._all_have_rows.wait()
        async with self._opening:
            await self._close()

    async def _to_its_row(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, which goes on also where whoever waits for it is cancelled."""
        self._under_way += 1
        self._all_have_rows.clear()
        return await asyncio.shield(self._counted(work))

    async def _counted(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        if task is not None:
            task.add_done_callback(_seen)
        try:
            return await work
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._all_have_rows.set()

    def _understood(self, name: str, given: Mapping[str, object]) -> tuple[Tool[Any], Arguments]:
        tool = self.tools.get(name)
        if tool is None:
            raise MisusedToolError(f"There is no tool {name[:TOOL_NAME_LENGTH]}", "There is no such tool")
        try:
            arguments: Arguments = tool.takes.model_validate(given)
        except ValidationError as exc:
            raise MisusedToolError(told(exc), told(exc, of=tool.takes)) from exc
        return tool, arguments

    async def _answered(self, call: _Call) -> Answer:
        """Answers a call, and adds the row of how it went, which must succeed for the answer to go out."""
        with _bugs_logged(call.tool.name):
            memory = await self._opened()
            began = self.clock.monotonic()
            row, asked = call.draft, tuple[str, ...]()
            try:
                answer = await self._looked_up(memory, call)
                row, asked = replace(row, outcome="answered", handed=answer.handed), answer.asked
            except HeedfulError as exc:
                row = replace(row, outcome="refused", note=exc.title)
                raise
            except BaseException as exc:
                row = replace(row, note=type(exc).__name__)
                raise
            finally:
                took_ms = round((self.clock.monotonic() - began) * 1000)
                await self._keep(replace(row, duration_ms=took_ms), asked)
            return answer

    async def _looked_up(self, memory: OpenMemory, call: _Call) -> Answer:
        sense = (
            None if call.tool.meant is None else await memory.meaning.sense(call.tool.meant(call.arguments))
        )

        def work(connection: Connection) -> Answer:
            if call.is_off:
                raise RejectedError("The program called it off", "")
            return call.tool.answer(
                connection, self._asked(connection, call.draft.client, sense), call.arguments
            )

        return await memory.store.read(work)

    def _asked(self, connection: Connection, client: str, sense: Sense | None) -> Asked:
        clients = load_settings(self.home.settings).clients
        scope = scope_of(client, clients, outlines(connection))
        return Asked(scope, self._bookmarks, sense, self.clock.now(), self.new_nonce())

    async def _keep(self, row: Read, asked: Iterable[str] = ()) -> None:
        memory = await self._opened()  # the file may have been replaced meanwhile
        await asyncio.to_thread(memory.reads.add, row, asked=asked)

    async def _note_misuse(self, draft: Read, note: str) -> None:
        """Records a call that got nothing; where that can't be, nothing was lost."""
        with contextlib.suppress(HeedfulError):
            await self._keep(replace(draft, outcome="refused", note=note))

    async def _opened(self) -> OpenMemory:
        async with self._opening:
            file = await asyncio.to_thread(_identity, self.home.database)
            if self._memory is not None and file == self._file:
                return self._memory
            await self._close()
            if file is None:
                raise UserCanFixError(
                    "Heedful remembers nothing yet",
                    "",
                    "Start it once, or bring files in with `heedful import`.",
                )
            self._memory, self._file = await self.open_memory(), file
            return self._memory

    async def _close(self) -> None:
        if self._memory is not None:
            memory, self._memory = self._memory, None
            await asyncio.to_thread(memory.close)


def _seen(done: asyncio.Future[Any]) -> None:
    """Looks at how a task ended: of one that was called off nobody else does, and asyncio would complain."""
    if not done.cancelled():
        done.exception()


def _misused(draft: Read, given: object, *, is_known: bool) -> Read:
    """The row of a wrong call: all words of its own lie in its arguments, as text, where forgetting looks for them."""
    told = {"tool": draft.tool[:TOOL_NAME_LENGTH], "arguments": json.dumps(given, ensure_ascii=False)}
    cut = json.dumps(told)[:ARGUMENTS_LENGTH]
    return replace(draft, tool=draft.tool if is_known else UNKNOWN, arguments=cut)


def _identity(file: Path) -> tuple[int, int] | None:
    """What tells a file from another that took its name; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextlib.contextmanager
def _bugs_logged(tool: str) -> Iterator[None]:
    """Logs where a bug came from; what it says may hold content."""
    try:
        yield
    except (HeedfulError, asyncio.CancelledError):
        raise
    except BaseException as exc:
        log.error("%s failed: %s at %s", tool, type(exc).__name__, _where(exc))  # noqa: TRY400 (a traceback may show content)
        raise


def _where(exc: BaseException) -> str:
    """The files and lines that an exception came through, the last one last; never what it says."""
    frames = traceback.extract_tb(exc.__traceback__, limit=-MOST_FRAMES)
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
