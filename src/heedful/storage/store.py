"""The store as the rest sees it: writes in one lane, reads beside it, news after the commit.

A write is a function from a connection in a transaction to `(result, events)`. The writer thread runs one after
the other, commits, and only then publishes the events, on the caller's event loop. Whoever got an answer has
it on disk.
"""

import asyncio
import contextlib
import logging
import queue
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from heedful.core.bus import Bus
from heedful.core.errors import DamageError, PassingError, RejectedError, UserCanFixError
from heedful.core.events import Event, StoreStateChanged
from heedful.core.paths import Home, make_private
from heedful.storage.connection import Connection, closed
from heedful.storage.keys import Key
from heedful.storage.lock import WriterLock
from heedful.storage.migrating import migrate, migrations, schema_version

log = logging.getLogger(__name__)

T = TypeVar("T")

QUEUE_BOUND = 256
READERS = 2
STOP_WITHIN_S = 2.0
WRITE_WITHIN_S = 60.0

WriteWork = Callable[[Connection], tuple[T, Sequence[Event]]]
ReadWork = Callable[[Connection], T]


class Write(Protocol):
    """Commits one step of a longer work, as a store or a job does."""

    def __call__(self, work: WriteWork[T], /) -> Awaitable[T]: ...


@dataclass(frozen=True, slots=True)
class _Job(Generic[T]):
    work: WriteWork[T]
    done: "Future[tuple[T, Sequence[Event]]]"
    in_transaction: bool = True


class Store:
    """An open store. Opened once by the composition root; closed in order at the end.

    `write`, `read` and `read_long` are for the event loop, `read_now` for threads and commands without one.
    """

    def __init__(self, file: Path, key: Key, bus: Bus, lock: WriterLock | None) -> None:
        """Takes an opened, migrated file; use `Store.open`."""
        self._file = file
        self._key = key
        self._bus = bus
        self._lock = lock
        self._jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._room = asyncio.Semaphore(QUEUE_BOUND)
        self._readers = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="store-reader")
        self._long_reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-long-reader")
        self._local = threading.local()
        self._open_readers: list[Connection] = []
        self._guard = threading.Lock()
        self._writer: threading.Thread | None = None
        self._closed = False
        self._damaged = False
        if lock is not None:
            self._writer = threading.Thread(target=self._write_lane, name="store-writer", daemon=True)
            self._writer.start()

    @classmethod
    def open(cls, home: Home, key: Key, bus: Bus, *, read_only: bool = False) -> "Store":
        """Opens the home's store, created and migrated as needed.

        `read_only` refuses writes and keeps no lock; it takes it for a moment where the store must first be made or
        brought up to date.

        Raises:
            StoreInUseError: Another process writes to it (when `read_only`, only if it must be brought up to date).
            NewerSchemaError: A newer Heedful wrote it.
            UserCanFixError, DamageError: As `storage.connection` says.
        """
        if read_only:
            return cls._open_read_only(home, key, bus)
        make_private_folder(home.data)
        lock = WriterLock(home.lock)
        lock.acquire()
        try:
            connection = Connection(home.database, key.hex)
            try:
                migrate(connection, home.database)
            finally:
                connection.close()
        except BaseException:
            lock.release()
            raise
        return cls(home.database, key, bus, lock)

    @classmethod
    def _open_read_only(cls, home: Home, key: Key, bus: Bus) -> "Store":
        if not home.database.exists() or _is_behind(home, key):
            cls.open(home, key, bus).close()
        return cls(home.database, key, bus, None)

    async def write(self, work: WriteWork[T]) -> T:
        """Runs `work` in a transaction of its own; returns after COMMIT, with the events published.

        Cancelling stops the waiting, not a write that was taken in.

        Raises:
            PassingError: The store is closed or read-only, or too many writes wait.
            HeedfulError: Nothing of `work` was kept.
        """
        return await self._run(work, in_transaction=True)

    async def fold_log(self) -> bool:
        """Empties the write-ahead log, which keeps what was taken out of the store; False while somebody reads from it.

        Raises:
            PassingError: The store is closed or read-only, or too many writes wait.
        """
        return await self._run(lambda connection: (connection.fold_log(), ()), in_transaction=False)

    async def _run(self, work: WriteWork[T], *, in_transaction: bool) -> T:
        try:
            async with asyncio.timeout(WRITE_WITHIN_S):
                await self._room.acquire()
        except TimeoutError as exc:
            raise PassingError(
                "The store is busy", "Too many changes wait to be saved.", "Try again."
            ) from exc
        try:
            done = asyncio.wrap_future(self._submit(_Job(work, Future(), in_transaction)))
        except BaseException:
            self._room.release()
            raise
        done.add_done_callback(self._written)
        result, _ = await asyncio.shield(done)
        return result

    async def read(self, work: ReadWork[T]) -> T:
        """Runs `work` on a reader, beside the writer, and sees what was committed when it began.

        Raises:
            PassingError: The store is closed.
        """
        return await self._handed(self._readers, partial(self.read_now, work))

    async def read_long(self, work: ReadWork[T]) -> T:
        """As `read`, for what takes seconds or more: one after the other, beside the readers that answer people.

        Raises:
            PassingError: The store is closed.
        """
        return await self._handed(self._long_reader, partial(self._read_apart, work))

    def read_now(self, work: ReadWork[T]) -> T:
        """As `read`, on this thread."""
        connection = self._reader()
        with connection.snapshot():
            return work(connection)

    async def _handed(self, lane: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        with self._guard:
            if self._closed:
                raise closed()
            answer = lane.submit(work)
        return await asyncio.wrap_future(answer)

    def _read_apart(self, work: ReadWork[T]) -> T:
        """As `read_now`, on a connection that is gone afterwards, with all that it kept in memory."""
        connection = self._opened()
        try:
            with connection.snapshot():
                return work(connection)
        finally:
            connection.close()

    def beside(self, name: str) -> Connection | None:
        """Opens a file beside the store that has the store's key, for whoever asks to close; None where there is none.

        Raises:
            HeedfulError: As `storage.connection` says.
        """
        file = self._file.with_name(name)
        return Connection(file, self._key.hex) if file.exists() else None

    @property
    def size_bytes(self) -> int:
        """The store's size on disk, its write-ahead log included."""
        parts = (self._file, self._file.with_name(self._file.name + "-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())

    def close(self) -> None:
        """Drains the writer, cuts readers off, closes everything; a second call does nothing.

        A write that takes longer than `STOP_WITHIN_S` keeps the lock until it or the process ends.
        """
        with self._guard:
            if self._closed:
                return
            self._closed = True
            self._jobs.put(None)
        is_drained = self._drain()
        for lane in (self._readers, self._long_reader):
            lane.shutdown(wait=True, cancel_futures=True)
        for connection in self._open_readers:
            connection.close()
        self._open_readers.clear()
        if self._lock is not None and is_drained:
            self._lock.release()

    def _drain(self) -> bool:
        if self._writer is None:
            return True
        self._writer.join(timeout=STOP_WITHIN_S)
        if self._writer.is_alive():
            log.warning("a write did not end within %.1f s", STOP_WITHIN_S)
        return not self._writer.is_alive()

    def _submit(self, job: _Job[T]) -> "Future[tuple[T, Sequence[Event]]]":
        with self._guard:
            if self._closed or self._writer is None:
                raise closed()
            self._jobs.put(job)
        return job.done

    def _written(self, done: "asyncio.Future[tuple[Any, Sequence[Event]]]") -> None:
        """Publishes a write's news, and whether the store takes writes, on the event loop's thread."""
        self._room.release()
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self._say(damaged=False)
            self._bus.publish(done.result()[1])
        elif isinstance(error, DamageError):
            self._say(damaged=True)

    def _say(self, *, damaged: bool) -> None:
        if damaged != self._damaged:
            self._damaged = damaged
            self._bus.publish([StoreStateChanged("damaged" if damaged else "open")])

    def _write_lane(self) -> None:
        connection: Connection | None = None
        while (job := self._jobs.get()) is not None:
            if not job.done.set_running_or_notify_cancel():
                continue
            try:
                if connection is None:
                    connection = Connection(self._file, self._key.hex)
                with connection.transaction() if job.in_transaction else contextlib.nullcontext():
                    outcome = job.work(connection)
            except Exception as exc:  # noqa: BLE001 (the lane must outlive any write; the caller gets the error)
                level = logging.INFO if isinstance(exc, RejectedError) else logging.WARNING
                log.log(level, "a write failed: %s", type(exc).__name__)
                if isinstance(exc, DamageError) and connection is not None:
                    connection.close()
                    connection = None
                job.done.set_exception(exc)
            else:
                job.done.set_result(outcome)
        if connection is not None:
            connection.close()

    def _reader(self) -> Connection:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is not None and not self._closed:
            return connection
        with self._guard:
            if self._closed:
                raise closed()
            connection = self._opened()
            self._local.connection = connection
            self._open_readers.append(connection)
        return connection

    def _opened(self) -> Connection:
        connection = Connection(self._file, self._key.hex, read_only=True)
        connection.stop_when(lambda: self._closed)
        return connection


def _is_behind(home: Home, key: Key) -> bool:
    connection = Connection(home.database, key.hex, read_only=True)
    try:
        return schema_version(connection) != len(migrations())
    finally:
        connection.close()


def make_private_folder(folder: Path) -> None:
    """Creates the data folder.

    Raises:
        UserCanFixError: It can't be created or written.
    """
    try:
        make_private(folder)
    except OSError as exc:
        raise UserCanFixError(
            "The store's folder can't be created",
            f"{folder} can't be written.",
            "Correct its permissions, or choose another folder with --home.",
        ) from exc
