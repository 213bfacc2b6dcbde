"""What can't be written says which of the many reasons it is, and what helps."""

import errno
import os
from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.memory.exporting.unwritable import unwritable
from heedful.memory.exporting.vault import export
from heedful.storage import Store
from tests.fakes.clock import FakeClock


def told(number: int, folder: Path) -> str:
    found = unwritable(
        OSError(number, os.strerror(number)), folder, title="It can't be", meanwhile="All is safe."
    )
    return found.sentence()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "is on is full. All is safe. Free some space, or choose a folder on another disk."),
        (errno.EROFS, "takes no changes. All is safe. Choose a folder on another disk."),
        (errno.EACCES, "You may not write in"),
        (errno.ENAMETOOLONG, "File name too long. All is safe. Choose another folder."),
    ],
)
def test_each_reason_has_its_words(number: int, words: str, tmp_path: Path) -> None:
    assert words in told(number, tmp_path)


async def test_an_export_onto_a_file_says_that_it_is_one_and_leaves_it(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    for target in (file, file / "deeper"):
        with pytest.raises(UserCanFixError) as raised:
            await store.read(
                lambda c, folder=target: export(
                    c, folder, items=[], sources=[], now=clock.now(), zone=clock.zone
                )  # type: ignore[misc] # a folder each
            )
        assert f"{file} is a file, not a folder." in raised.value.sentence()
        assert "Name a folder" in raised.value.sentence()
    assert file.read_text() == "mine"
