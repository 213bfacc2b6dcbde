"""The pool for blocking calls: a few threads that nobody waits for at the end.

`ThreadPoolExecutor` joins its threads when the interpreter ends, so one call that hangs (a keyring that waits for
a prompt) would keep a program that was told to quit. What must not be cut off, the store's writing, has a lane
of its own.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Workers:
    """An executor for asyncio; threads start when there is work, `number` at most."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._waiting: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._threads = 0
        self._unfinished = 0
        self._closed = False

    def submit(self, work: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:  # noqa: ANN401 (the work's own)
        """Runs work in a thread.

        Raises:
            RuntimeError: The pool was shut down.
        """
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = work(*arguments, **named)
            except BaseException as exc:  # noqa: BLE001 (carried to whoever waits for the result)
                future.set_exception(exc)
            else:
                future.set_result(result)

        with self._guard:
            if self._closed:
                raise RuntimeError("no work is taken after the shutdown")
            self._waiting.put(run)
            self._unfinished += 1
            if self._threads < min(self._unfinished, self._number):
                self._threads += 1
                threading.Thread(target=self._work, name=f"work-{self._threads}", daemon=True).start()
        return future

    def shutdown(self, *, wait: bool = False) -> None:  # noqa: ARG002 (an executor's signature; nobody is waited for)
        """Takes no more work; threads end after what they do now."""
        with self._guard:
            self._closed = True
            for _ in range(self._threads):
                self._waiting.put(None)

    def _work(self) -> None:
        while (run := self._waiting.get()) is not None:
            run()
            with self._guard:
                self._unfinished -= 1
