import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agreement import disagreements
from dev import QT_PACKAGES

ROOT = Path(__file__).resolve().parents[2]
METAINFO = (ROOT / "packaging" / "linux" / "heedful.metainfo.xml").read_text("utf-8")


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text("utf-8"))


def test_briefcase_toml_and_pyproject_agree() -> None:
    assert disagreements(read("pyproject.toml"), read("briefcase.toml"), METAINFO) == []


def another_name(settings: dict[str, Any]) -> None:
    settings["app"]["careful"] = settings["app"].pop("heedful")


def another_version(settings: dict[str, Any]) -> None:
    settings["version"] = "9.9"


def another_version_for_one_platform(settings: dict[str, Any]) -> None:
    settings["app"]["heedful"]["windows"]["version"] = "9.9"


def qt_without_its_marker(settings: dict[str, Any]) -> None:
    settings["app"]["heedful"]["macOS"]["requires"].append("pyside6_essentials>=6.8")


def another_bundle(settings: dict[str, Any]) -> None:
    settings["bundle"] = "org.careful"


@pytest.mark.parametrize(
    ("tamper", "sentence"),
    [
        (another_name, "briefcase.toml describes ['careful'], pyproject.toml the project 'heedful'."),
        (another_version, "briefcase.toml says version 9.9, pyproject.toml 0.1.0."),
        (another_version_for_one_platform, "app.heedful.windows says version 9.9, pyproject.toml 0.1.0."),
        (
            qt_without_its_marker,
            "asks for 'pyside6_essentials>=6.8', pyproject.toml for that package in other words.",
        ),
        (
            another_bundle,
            "The metainfo is about org.heedful.heedful, briefcase.toml about org.careful.heedful.",
        ),
    ],
)
def test_each_contradiction_is_one_sentence(tamper: Callable[[dict[str, Any]], None], sentence: str) -> None:
    pyproject, briefcase = read("pyproject.toml"), read("briefcase.toml")
    pyproject["project"]["version"] = "0.1.0"
    metainfo = METAINFO.replace(
        f'version="{read("pyproject.toml")["project"]["version"]}"', 'version="0.1.0"'
    )
    tamper(briefcase["tool"]["briefcase"])

    found = disagreements(pyproject, briefcase, metainfo)

    assert len(found) == 1
    assert found[0].endswith(sentence)


def test_a_metainfo_without_this_release_is_a_contradiction() -> None:
    pyproject = read("pyproject.toml")
    pyproject["project"]["version"] = "77.0"

    assert disagreements(pyproject, read("briefcase.toml"), METAINFO) == [
        "The metainfo's newest release is not pyproject.toml's 77.0."
    ]


def test_a_requirement_said_again_in_the_same_words_is_no_contradiction() -> None:
    pyproject, briefcase = read("pyproject.toml"), read("briefcase.toml")
    qt = 'PySide6-Essentials >=6.8,<6.12; python_version<"3.12"'
    briefcase["tool"]["briefcase"]["app"]["heedful"]["linux"]["requires"] = [qt]

    assert disagreements(pyproject, briefcase, METAINFO) == []


def test_the_debian_package_brings_the_libraries_that_dev_py_brings() -> None:
    debian = read("briefcase.toml")["tool"]["briefcase"]["app"]["heedful"]["linux"]["system"]["debian"]

    assert set(QT_PACKAGES) == set(debian["system_runtime_requires"])


def test_the_package_says_the_version_of_its_project() -> None:
    import heedful

    assert heedful.__version__ == read("pyproject.toml")["project"]["version"]
