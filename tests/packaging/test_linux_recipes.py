import configparser
import tomllib
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"


def entry() -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment, method-assign] # the documented way to keep the case of keys
    parser.read(LINUX / "heedful.desktop", "utf-8")
    return dict(parser["Desktop Entry"])


def metainfo() -> ElementTree.Element:
    return ElementTree.parse(LINUX / "heedful.metainfo.xml").getroot()


def test_the_desktop_entry_starts_a_command_that_the_project_installs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert entry()["Exec"] in project["scripts"]
    assert metainfo().findtext("provides/binary") in project["scripts"]


def test_desktop_entry_metainfo_and_icon_go_by_one_name() -> None:
    name = metainfo().findtext("id")

    assert entry()["Icon"] == name
    assert metainfo().findtext("launchable") == f"{name}.desktop"


def test_desktop_entry_metainfo_and_installer_describe_the_app_in_the_same_words() -> None:
    app = tomllib.loads((ROOT / "briefcase.toml").read_text("utf-8"))["tool"]["briefcase"]["app"]["heedful"]

    assert entry()["Comment"] == metainfo().findtext("summary") == app["description"]
    assert entry()["Name"] == metainfo().findtext("name") == app["formal_name"]
