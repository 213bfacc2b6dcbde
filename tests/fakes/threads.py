"""A pool of threads without threads."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class AtOnce(ThreadPoolExecutor):
    """Runs what is handed to it at once, so that a test need not wait for a thread to get its turn."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """The call's outcome, there already."""
        done = Future[R]()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as exc:  # noqa: BLE001 (whatever it raised is the call's outcome)
            done.set_exception(exc)
        return done
