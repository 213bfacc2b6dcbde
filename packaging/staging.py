"""Lays out the project as briefcase wants it: one pyproject.toml, the package with its shipped files, icons."""

import shutil
import tomllib
from pathlib import Path

from agreement import disagreements

SHIPPED = ("prompts", "resources")
DOCUMENTS = ("README.md", "LICENSE", "CHANGELOG.md")


class StagingError(Exception):
    """The project can't be staged as it is; the message is a sentence for whoever packages it."""


def merged(root: Path) -> str:
    """pyproject.toml followed by briefcase.toml, as one valid TOML text.

    Raises:
        StagingError: The two contradict each other.
    """
    ours, theirs = (root / name for name in ("pyproject.toml", "briefcase.toml"))
    pyproject, briefcase = tomllib.loads(ours.read_text("utf-8")), tomllib.loads(theirs.read_text("utf-8"))
    if list(briefcase) != ["tool"] or list(briefcase["tool"]) != ["briefcase"]:
        raise StagingError("briefcase.toml may hold [tool.briefcase] and nothing else.")
    if "briefcase" in pyproject.get("tool", {}):
        raise StagingError("pyproject.toml holds [tool.briefcase] already; that belongs in briefcase.toml.")
    metainfo = (root / "packaging" / "linux" / "heedful.metainfo.xml").read_text("utf-8")
    if found := disagreements(pyproject, briefcase, metainfo):
        raise StagingError(" ".join(found))
    return f"{ours.read_text('utf-8').rstrip()}\n\n{theirs.read_text('utf-8')}"


def stage(root: Path, into: Path) -> None:
    """Replaces `into` with a project that briefcase can freeze.

    Raises:
        StagingError: The descriptions contradict each other, or there is no Qt to draw the icons.
    """
    project = merged(root)
    try:
        from icons import draw_icons
    except ImportError as exc:
        raise StagingError("Qt draws the icons: run this with the Python of .venv.") from exc
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    (into / "pyproject.toml").write_text(project, "utf-8")
    for name in DOCUMENTS:
        if (root / name).exists():
            shutil.copy(root / name, into / name)
    package = into / "src" / "heedful"
    shutil.copytree(root / "src" / "heedful", package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in SHIPPED:
        shutil.copytree(root / name, package / "shipped" / name)
    shutil.copy(root / "packaging" / "frozen_main.py", package / "__main__.py")
    draw_icons(root / "resources" / "icons" / "heedful.svg", into / "icons" / "heedful")
