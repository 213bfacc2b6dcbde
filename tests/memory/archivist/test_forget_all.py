"""Wiping takes every file that holds content, the store first, and none besides."""

import pytest

from heedful.core.errors import UserCanFixError
from heedful.core.paths import Home
from heedful.memory.archivist.backup import folder_of
from heedful.memory.archivist.forget_all import wipe

WITH_CONTENT = (
    "heedful.db",
    "heedful.db-wal",
    "heedful.db-shm",
    "heedful.db.restored",
    "heedful.db.restored-journal",
    "heedful.schema-0004.backup.db",
    "heedful.schema-0004.backup.db-journal",
    "reads.db",
    "reads.db-wal",
    "notifications.json",
    "notifications.json.new",
    "backups/heedful-20261201T080000Z.db",
    "backups/heedful-20261201T080000Z.db.new",
    "backups/heedful-replaced-20261201T080000Z.db",
    "backups/heedful-replaced-20261201T080000Z.db-wal",
)
OTHERS = ("notes.txt", "backups/notes.txt")


def test_all_that_holds_content_goes_and_nothing_else(home: Home) -> None:
    folder_of(home).mkdir(parents=True)
    for name in (*WITH_CONTENT, *OTHERS):
        (home.data / name).write_text("content")
    home.key_slot.write_text("a slot")
    assert wipe(home) == len(WITH_CONTENT)
    left = {file for file in home.data.rglob("*") if file.is_file()} - {home.lock}
    assert left == {home.key_slot, *(home.data / name for name in OTHERS)}


def test_the_store_goes_before_what_can_not_be_removed(home: Home) -> None:
    stuck = folder_of(home) / "heedful-20261201T080000Z.db"
    stuck.mkdir(parents=True)
    home.database.write_text("content")
    with pytest.raises(UserCanFixError, match="Not everything could be removed"):
        wipe(home)
    assert not home.database.exists()


def test_where_nothing_was_ever_kept_nothing_is_made(home: Home) -> None:
    assert wipe(home) == 0
    assert not home.data.exists()
