"""Numpy's libraries are read before they are loaded."""

from pathlib import Path

from heedful.memory.embeddings.read_ahead import PIECE, numpy_libraries, read_ahead


def test_what_loading_numpy_needs_is_found_without_loading_it() -> None:
    found = list(numpy_libraries())
    assert any(file.name.startswith("_multiarray_umath") for file in found)
    assert all(file.is_file() for file in found)


def test_files_are_read_to_their_end_and_one_that_is_gone_keeps_no_other(tmp_path: Path) -> None:
    first, gone, last = (tmp_path / name for name in ("first", "gone", "last"))
    first.write_bytes(b"x" * (PIECE + 1))
    last.write_bytes(b"y")
    assert read_ahead([first, gone, last]) == PIECE + 2
