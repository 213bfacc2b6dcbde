"""Brings a store to the newest schema: one transaction a step, a backup before the first, never backwards."""

import contextlib
import logging
import re
from dataclasses import dataclass
from pathlib import Path

from heedful.core.errors import PassingError, UserCanFixError
from heedful.storage.connection import Connection

log = logging.getLogger(__name__)

_FOLDER = Path(__file__).parent / "migrations"
_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


class NewerSchemaError(UserCanFixError):
    """The store was written by a newer Heedful."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; `number` counts from 1 without gaps."""

    number: int
    sql: str


def migrations() -> tuple[Migration, ...]:
    """All steps in order.

    Raises:
        ValueError: A number is missing or used twice, or a name is malformed: a programming error.
    """
    steps: list[Migration] = []
    for file in sorted(_FOLDER.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".sql"):
            continue
        match = _NAME.fullmatch(file.name)
        if match is None or int(match[1]) != len(steps) + 1:
            raise ValueError(f"{file.name} is not the next migration")
        steps.append(Migration(int(match[1]), file.read_text(encoding="utf-8")))
    return tuple(steps)


def schema_version(connection: Connection) -> int:
    """The number of the last step that was applied; 0 for an empty file."""
    return int(str(connection.value("PRAGMA user_version") or 0))


def migrate(connection: Connection, file: Path, steps: tuple[Migration, ...] | None = None) -> Path | None:
    """Applies what is missing; returns the backup made before, or None when none was needed.

    Raises:
        NewerSchemaError: The store is ahead of this program; nothing was changed.
        PassingError: Another program reads the store, so that no whole backup can be made; nothing was changed.
        UserCanFixError: There is no room for the backup; nothing was changed.
    """
    known = migrations() if steps is None else steps
    version = schema_version(connection)
    if version > len(known):
        raise NewerSchemaError(
            "This store was written by a newer Heedful",
            f"It has schema {version}; this program knows {len(known)}.",
            "Update Heedful; nothing was changed.",
        )
    missing = known[version:]
    if not missing:
        return None
    backup = _back_up(connection, file, version) if version else None
    for step in missing:
        with connection.transaction():
            connection.script(step.sql)
            connection.execute(f"PRAGMA user_version = {step.number}")
        log.info("schema is now %d", step.number)
    return backup


def _back_up(connection: Connection, file: Path, version: int) -> Path:
    import shutil  # brings three compressors in, for what happens once a release

    if connection.value("PRAGMA wal_checkpoint(TRUNCATE)"):
        raise PassingError(
            "The store can't be updated while another program reads it",
            "It was left as it is.",
            "Close other Heedful windows and commands, then start it again.",
        )
    backup = file.with_name(f"{file.stem}.schema-{version:04d}.backup.db")
    partial = backup.with_name(backup.name + ".new")
    try:
        shutil.copy2(file, partial)
        partial.replace(backup)
    except OSError as exc:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise UserCanFixError(
            "There is no room for a backup before the store is updated",
            f"{backup} can't be written; the store was left as it is.",
            "Free some space and start Heedful again.",
        ) from exc
    return backup
