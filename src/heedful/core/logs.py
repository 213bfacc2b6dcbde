"""Logs for whoever helps a person: ids, counts and durations; never content, addresses or secrets."""

import logging
import logging.handlers
import traceback
from pathlib import Path
from types import TracebackType

from heedful.core.paths import make_private

SIZE_BYTES = 1_000_000
KEPT_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _WithoutWords(logging.Formatter):
    """Tells where a bug was and of which type, not in what words: those may quote what it was met in."""

    def formatException(  # noqa: N802 (named by logging)
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        kind, _, where = ei
        lines = ["Traceback (most recent call last):\n", *traceback.format_tb(where)]
        return "".join(lines) + (kind.__qualname__ if kind else "")


def log_to(folder: Path, level: int = logging.INFO) -> logging.Handler | None:
    """Writes this run's log below `folder`, rotating; None where it can't be written, which stops nothing."""
    try:
        make_private(folder)
        handler = logging.handlers.RotatingFileHandler(
            folder / "heedful.log", maxBytes=SIZE_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=True
        )
    except OSError:
        return None
    handler.setFormatter(_WithoutWords(_FORMAT))
    root = logging.getLogger("heedful")
    root.setLevel(level)
    root.addHandler(handler)
    root.propagate = False
    return handler


def stop_logging(handler: logging.Handler | None) -> None:
    """Closes what `log_to` opened."""
    if handler is None:
        return
    root = logging.getLogger("heedful")
    root.removeHandler(handler)
    root.propagate = True
    handler.close()
