"""A room that grows by a file finds that file, and refuses two that claim one name."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from heedful.core.discovery import DuplicateNameError, discover, find, modules_of


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    package = tmp_path / "a_room"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.split(".")[0] == "a_room"]:
        monkeypatch.delitem(sys.modules, name)
    return importlib.import_module("a_room")


def put(room: ModuleType, name: str, text: str) -> None:
    (Path(str(room.__file__)).parent / f"{name}.py").write_text(text, encoding="utf-8")
    importlib.invalidate_caches()


def test_every_public_module_that_offers_the_name_is_found_in_alphabetical_order(room: ModuleType) -> None:
    put(room, "zebra", "THING = 'z'")
    put(room, "ant", "THING = 'a'")
    put(room, "silent", "OTHER = 1")
    put(room, "_private", "raise RuntimeError('never imported')")
    assert list(discover(room, "THING", str, key=str.upper).items()) == [("A", "a"), ("Z", "z")]
    assert [module.__name__ for module in modules_of(room)] == ["a_room.ant", "a_room.silent", "a_room.zebra"]


def test_two_files_that_claim_one_name_stop_the_start(room: ModuleType) -> None:
    put(room, "one", "THING = 'same'")
    put(room, "two", "THING = 'same'")
    with pytest.raises(DuplicateNameError, match=r"a_room\.two offers 'same'"):
        discover(room, "THING", str, key=str)


def test_something_of_another_shape_stops_the_start(room: ModuleType) -> None:
    put(room, "one", "THING = 5")
    with pytest.raises(TypeError, match=r"a_room\.one\.THING is not a str"):
        discover(room, "THING", str, key=str)


def test_one_file_is_asked_for_its_thing_with_no_other_loaded(room: ModuleType) -> None:
    put(room, "one", "THING = 'first'")
    put(room, "silent", "OTHER = 1")
    put(room, "odd", "THING = 5")
    put(room, "broken", "raise RuntimeError('never imported')")
    put(room, "_private", "THING = 'never given'")
    assert find(room, "one", "THING", str) == "first"
    assert [find(room, name, "THING", str) for name in ("silent", "_private", "nowhere", "", "../one")] == [
        None
    ] * 5
    with pytest.raises(TypeError, match=r"a_room\.odd\.THING is not a str"):
        find(room, "odd", "THING", str)


def test_an_empty_room_offers_nothing(room: ModuleType) -> None:
    assert discover(room, "THING", str, key=str) == {}
