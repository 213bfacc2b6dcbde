"""Logs for whoever helps a person: ids, counts and durations; never content, addresses or secrets."""

import logging
import logging.handlers
from pathlib import Path

from heedful.core.paths import make_private

SIZE_BYTES = 1_000_000
KEPT_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to(folder: Path, level: int = logging.INFO) -> logging.Handler | None:
    """Writes this run's log below `folder`, rotating; None where it can't be written, which stops nothing."""
    try:
        make_private(folder)
        handler = logging.handlers.RotatingFileHandler(
            folder / "heedful.log", maxBytes=SIZE_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=True
        )
    except OSError:
        return None
    handler.setFormatter(logging.Formatter(_FORMAT))
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
