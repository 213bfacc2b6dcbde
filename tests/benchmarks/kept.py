"""Folders for stores that take long to build: thrown away afterwards, or, under `--store`, kept for the next time.

A kept store is whole when its stamp says so, and fits while each migration it was built with is as it was; later ones
are applied when it is opened. Anything else is built anew. What is only seen while a store is built is told in the run
that builds it.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heedful.storage.migrating import migrations

STAMP = "whole"


@contextmanager
def place_for(name: str, kept_under: Path | None) -> Iterator[Path]:
    """A folder for the store of this name."""
    if kept_under is None:
        with tempfile.TemporaryDirectory() as passing:
            yield Path(passing)
        return
    folder = kept_under / name
    folder.mkdir(parents=True, exist_ok=True)
    yield folder


def is_whole(folder: Path) -> bool:
    """Whether the store in the folder was built to its end and fits; what does not is removed."""
    stamp = folder / STAMP
    if stamp.exists() and _migrations().startswith(stamp.read_text(encoding="utf-8")):
        return True
    shutil.rmtree(folder / "home", ignore_errors=True)
    return False


def mark_whole(folder: Path) -> None:
    """Says that the store in the folder is built."""
    (folder / STAMP).write_text(_migrations(), encoding="utf-8")


def _migrations() -> str:
    """A line for each, in order."""
    return "".join(hashlib.sha256(step.sql.encode()).hexdigest() + "\n" for step in migrations())
