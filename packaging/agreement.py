"""Says where two files that both describe Heedful contradict each other, before anything is built of them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

Table = Mapping[str, Any]


def disagreements(pyproject: Table, briefcase: Table, metainfo: str) -> list[str]:
    """One sentence for each contradiction between pyproject.toml and what is packaged with it; empty if none.

    Only what briefcase.toml says again can contradict: it may stay silent about version and requirements.
    """
    project = pyproject["project"]
    settings = briefcase["tool"]["briefcase"]
    return [
        *_names(project, settings),
        *_versions(project, settings),
        *_requirements(project, settings),
        *_metainfo(project, settings, metainfo),
    ]


def _names(project: Table, settings: Table) -> Iterator[str]:
    apps = list(settings["app"])
    if apps != [project["name"]]:
        yield f"briefcase.toml describes {apps}, pyproject.toml the project {project['name']!r}."


def _versions(project: Table, settings: Table) -> Iterator[str]:
    for place, stated in _stated(settings, "version"):
        if stated != project["version"]:
            yield f"{place} says version {stated}, pyproject.toml {project['version']}."


def _requirements(project: Table, settings: Table) -> Iterator[str]:
    """A package that both name has to be asked for in the same words, bounds and markers included."""
    known = [_squeezed(requirement) for requirement in project["dependencies"]]
    names = {_distribution(requirement) for requirement in known}
    for place, stated in _stated(settings, "requires"):
        for requirement in stated:
            if _distribution(requirement) in names and _squeezed(requirement) not in known:
                yield f"{place} asks for {requirement!r}, pyproject.toml for that package in other words."


def _metainfo(project: Table, settings: Table, metainfo: str) -> Iterator[str]:
    component = ElementTree.fromstring(metainfo)
    wanted = f"{settings['bundle']}.{project['name']}"
    if (stated := component.findtext("id")) != wanted:
        yield f"The metainfo is about {stated}, briefcase.toml about {wanted}."
    newest = component.find("releases/release")
    if newest is None or newest.get("version") != project["version"]:
        yield f"The metainfo's newest release is not pyproject.toml's {project['version']}."


def _stated(table: Table, key: str, place: str = "briefcase.toml") -> Iterator[tuple[str, Any]]:
    """Every value of a key at any depth (all apps, one app, a platform, a format), with where it stands."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _stated(
                value, key, f"{place}: {name}" if place == "briefcase.toml" else f"{place}.{name}"
            )
        elif name == key:
            yield place, value


def _distribution(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement.strip())
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""


def _squeezed(requirement: str) -> str:
    return requirement.replace('"', "'").replace(" ", "")
