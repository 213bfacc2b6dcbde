import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
from frozen_main import BACKENDS
from keyring.backend import KeyringBackend
from packaging.requirements import Requirement
from PySide6.QtGui import QImage
from staging import StagingError, merged, stage

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packaging") / "staged"
    stage(ROOT, folder)
    return folder


@pytest.fixture
def descriptions(tmp_path: Path) -> Path:
    """A project of nothing but its descriptions, to spoil."""
    for name in ("pyproject.toml", "briefcase.toml", "packaging/linux/heedful.metainfo.xml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_staged_project_is_ours_with_briefcases_table(staged: Path) -> None:
    ours, theirs = (
        tomllib.loads((ROOT / name).read_text("utf-8")) for name in ("pyproject.toml", "briefcase.toml")
    )

    together = tomllib.loads((staged / "pyproject.toml").read_text("utf-8"))

    assert together["tool"].pop("briefcase") == theirs["tool"]["briefcase"]
    assert together == ours


@pytest.mark.parametrize(("python", "takes_6_12"), [("3.11", False), ("3.12", True), ("3.14", True)])
def test_a_frozen_app_gets_a_qt_that_its_python_can_bear(
    staged: Path, python: str, *, takes_6_12: bool
) -> None:
    project = tomllib.loads((staged / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [Requirement(line) for line in project["dependencies"] if line.startswith("PySide6")]

    [qt] = [one for one in asked if one.marker is None or one.marker.evaluate({"python_version": python})]

    assert qt.specifier.contains("6.12.0") is takes_6_12


def test_the_staged_package_carries_what_ships_with_it(staged: Path) -> None:
    for kind in ("prompts", "resources"):
        names = sorted(file.relative_to(ROOT / kind) for file in (ROOT / kind).rglob("*") if file.is_file())
        assert names
        for name in names:
            assert (staged / "src/heedful/shipped" / kind / name).read_bytes() == (
                ROOT / kind / name
            ).read_bytes()


def start(staged: Path, cwd: Path, environment: dict[str, str]) -> list[str]:
    """What the staged app leaves behind: its exit code, the keyring it named, and where it came from."""
    script = (
        "import os, runpy, sys\n"
        "sys.argv = ['heedful', '--version']\n"
        "try:\n    runpy.run_module('heedful', run_name='__main__', alter_sys=True)\n"
        "except SystemExit as exc:\n    print(exc.code)\n"
        "print(os.environ['PYTHON_KEYRING_BACKEND'])\n"
        "print(sys.modules['heedful'].__file__)\n"
    )
    kept = {name: value for name, value in os.environ.items() if name != "PYTHON_KEYRING_BACKEND"}
    path = os.pathsep.join((str(staged / "src"), sysconfig.get_path("purelib")))
    told = subprocess.run(
        [sys.executable, "-S", "-c", script],
        cwd=cwd, env={**kept, "PYTHONPATH": path, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.stderr == ""
    return told.stdout.splitlines()[-3:]


def test_the_staged_app_starts_and_names_its_platforms_keyring(staged: Path, tmp_path: Path) -> None:
    home = str(staged / "src" / "heedful" / "__init__.py")

    assert start(staged, tmp_path, {}) == ["0", BACKENDS[sys.platform], home]


def test_a_keyring_that_the_person_named_is_kept(staged: Path, tmp_path: Path) -> None:
    own = "keyring.backends.kwallet.DBusKeyring"

    assert start(staged, tmp_path, {"PYTHON_KEYRING_BACKEND": own})[1] == own


@pytest.mark.parametrize("backend", BACKENDS.values())
def test_each_named_keyring_is_one_of_the_library(backend: str) -> None:
    module, _, name = backend.rpartition(".")

    assert issubclass(getattr(importlib.import_module(module), name), KeyringBackend)


def test_the_icons_have_the_sizes_in_their_names(staged: Path) -> None:
    icons = staged / "icons"

    for size in (16, 32, 64, 128, 256, 512):
        picture = QImage(str(icons / f"heedful-{size}.png"))
        assert (picture.width(), picture.height()) == (size, size)
        assert picture.pixelColor(size // 2, size // 2).name() == "#2f6ef4"
        assert picture.pixelColor(0, 0).alpha() == 0


def test_the_apple_and_windows_icons_account_for_every_byte(staged: Path) -> None:
    apple = (staged / "icons" / "heedful.icns").read_bytes()
    windows = (staged / "icons" / "heedful.ico").read_bytes()

    at, kinds = 8, []
    while at < len(apple):
        kinds.append(apple[at : at + 4])
        assert apple[at + 8 : at + 12] == b"\x89PNG"
        at += int.from_bytes(apple[at + 4 : at + 8], "big")
    assert (apple[:4], int.from_bytes(apple[4:8], "big"), at) == (b"icns", len(apple), len(apple))
    assert b"ic10" in kinds

    end = 0
    for entry in range(int.from_bytes(windows[4:6], "little")):
        record = windows[6 + 16 * entry : 22 + 16 * entry]
        size, start = int.from_bytes(record[8:12], "little"), int.from_bytes(record[12:16], "little")
        assert windows[start : start + 4] == b"\x89PNG"
        end = start + size
    assert end == len(windows)


def test_contradicting_descriptions_are_not_staged(descriptions: Path) -> None:
    told = (descriptions / "briefcase.toml").read_text("utf-8")
    (descriptions / "briefcase.toml").write_text(
        told.replace("[tool.briefcase]", '[tool.briefcase]\nversion = "9"', 1)
    )

    with pytest.raises(StagingError, match="says version 9"):
        merged(descriptions)


def test_briefcases_table_may_stand_in_one_file_only(descriptions: Path) -> None:
    told = (descriptions / "pyproject.toml").read_text("utf-8")
    (descriptions / "pyproject.toml").write_text(
        told + '\n[tool.briefcase]\nbundle = "org.heedful"\n', "utf-8"
    )

    with pytest.raises(StagingError, match="that belongs in briefcase"):
        merged(descriptions)


def test_briefcase_toml_holds_nothing_else(descriptions: Path) -> None:
    told = (descriptions / "briefcase.toml").read_text("utf-8")
    (descriptions / "briefcase.toml").write_text(told + "\n[tool.ruff]\nline-length = 1\n", "utf-8")

    with pytest.raises(StagingError, match="and nothing else"):
        merged(descriptions)
