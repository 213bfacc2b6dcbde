import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"), "build_wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def build(folder: Path, how: str) -> Path:
    script = f"import sys, hatchling.build as b; print(b.{how}(sys.argv[1]))"
    told = subprocess.run(
        [sys.executable, "-c", script, str(folder)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return folder / told.stdout.strip().splitlines()[-1]


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files_below(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(folder).as_posix()


def test_the_wheel_carries_the_package_with_its_data(wheel: Path) -> None:
    ours = {f"heedful/{name}" for name in files_below(ROOT / "src" / "heedful")}

    assert ours <= names(wheel)
    for folder in (
        "reading/languages/",
        "storage/migrations/",
        "tokenjuice/builtin/",
        "judgement/",
        "py.typed",
    ):
        assert any(name.startswith(f"heedful/{folder}") and not name.endswith(".py") for name in names(wheel))


@pytest.mark.parametrize("kind", ["prompts", "resources"])
def test_the_wheel_carries_what_lies_outside_the_package(wheel: Path, kind: str) -> None:
    assert {f"heedful/shipped/{kind}/{name}" for name in files_below(ROOT / kind)} <= names(wheel)


def test_the_wheel_carries_no_tests_and_no_recipes(wheel: Path) -> None:
    roots = {name.split("/")[0] for name in names(wheel)}

    assert {root.split("-")[0] for root in roots} == {"heedful"}


def test_an_installed_desktop_finds_the_entry_its_icon_and_its_description(wheel: Path) -> None:
    shared = {name.split("/data/", 1)[1] for name in names(wheel) if ".data/data/" in name}

    assert shared == {
        "share/applications/org.heedful.heedful.desktop",
        "share/icons/hicolor/scalable/apps/org.heedful.heedful.svg",
        "share/metainfo/org.heedful.heedful.metainfo.xml",
    }


def test_an_installed_heedful_finds_prompts_and_resources_without_a_checkout(
    installed: Path, tmp_path: Path
) -> None:
    wanted = [(kind, name) for kind in ("prompts", "resources") for name in files_below(ROOT / kind)]
    script = (
        "import json, sys, heedful\n"
        "from heedful.core.paths import shipped\n"
        "found = [str(shipped(kind, name)) for kind, name in json.loads(sys.argv[1])]\n"
        "print(json.dumps([heedful.__file__, *found]))\n"
    )

    told = json.loads(run_installed(installed, tmp_path, "-c", script, json.dumps(wanted)))

    assert told == [
        str(installed / "heedful" / "__init__.py"),
        *(str(installed / "heedful" / "shipped" / kind / name) for kind, name in wanted),
    ]


def test_an_installed_heedful_answers_on_the_command_line(installed: Path, tmp_path: Path) -> None:
    assert run_installed(installed, tmp_path, "-m", "heedful", "--version").startswith("heedful ")


def run_installed(installed: Path, cwd: Path, *arguments: str) -> str:
    """What the unpacked wheel prints; `-S` keeps the editable install's path file, and so the checkout, out."""
    path = os.pathsep.join((str(installed), sysconfig.get_path("purelib")))
    told = subprocess.run(
        [sys.executable, "-S", *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.stderr == ""
    return told.stdout


def test_an_editable_install_keeps_no_copy_of_what_it_reads_in_the_checkout(tmp_path: Path) -> None:
    carried = {name for name in names(build(tmp_path, "build_editable")) if not name.startswith("heedful-")}

    assert carried == {"_heedful.pth"}
