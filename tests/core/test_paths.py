"""Two homes never meet, a home is private, and shipped files are found wherever the program was put."""

import os
import sys
from pathlib import Path

import pytest

from heedful.core import paths
from heedful.core.errors import DamageError
from heedful.core.paths import find_home, home_at, make_private, shipped


def test_everything_of_a_home_lies_below_its_folder(tmp_path: Path) -> None:
    home = home_at(tmp_path / "h")
    for place in (home.database, home.key_slot, home.lock, home.settings, home.prompts, home.logs):
        assert (tmp_path / "h") in place.parents


def test_two_homes_share_no_file_and_no_name(tmp_path: Path) -> None:
    one, two = home_at(tmp_path / "one"), home_at(tmp_path / "two")
    assert one.name != two.name
    assert not {one.database, one.settings, one.logs} & {two.database, two.settings, two.logs}


def test_the_same_folder_is_the_same_home_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home_at(Path("h")) == home_at(tmp_path / "h") == home_at(Path("~/h"))


def test_the_option_wins_over_the_environment_over_the_platform(tmp_path: Path) -> None:
    asked, told = tmp_path / "asked", tmp_path / "told"
    assert find_home(asked, {"HEEDFUL_HOME": str(told)}) == home_at(asked)
    assert find_home(None, {"HEEDFUL_HOME": str(told)}) == home_at(told)
    platform = find_home(None, {})
    assert platform.name == "heedful"
    assert tmp_path in platform.database.parents  # the tests' own HOME


@pytest.mark.skipif(os.name != "posix", reason="only there has a folder a mode")
def test_a_private_folder_is_the_persons_alone_also_when_it_was_open(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    make_private(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    make_private(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


def placed(root: Path, text: str) -> Path:
    file = root / "prompts" / "ONE.md"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_shipped_files_are_looked_for_in_the_package_the_bundle_and_the_checkout_in_that_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "repo" / "src" / "heedful" / "core" / "paths.py"
    monkeypatch.setattr(paths, "__file__", str(module))
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "bundle"), raising=False)
    checkout = placed(tmp_path / "repo", "checkout")
    assert shipped("prompts", "ONE.md") == checkout
    bundle = placed(tmp_path / "bundle" / "heedful" / "shipped", "bundle")
    assert shipped("prompts", "ONE.md") == bundle
    package = placed(tmp_path / "repo" / "src" / "heedful" / "shipped", "package")
    assert shipped("prompts", "ONE.md") == package


def test_a_file_that_did_not_come_along_is_damage_to_the_installation() -> None:
    with pytest.raises(DamageError, match="part of Heedful is missing") as caught:
        shipped("prompts", "NO_SUCH_PROMPT.md")
    assert "Install Heedful again" in caught.value.hint


def test_the_prompt_of_the_loop_is_shipped() -> None:
    assert shipped("prompts", "CONSCIOUS_LOOP.md").is_file()
