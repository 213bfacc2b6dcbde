"""Finds what the one-file-one-thing rooms offer: sources, providers, memory jobs, commands, tools, tabs.

A room that grows by adding a file asks for every module of its package that offers a given name. Two modules
that offer the same key are a programming error and stop the start, before anything was read or shown.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import TypeVar

T = TypeVar("T")


class DuplicateNameError(Exception):
    """Two files of one room claim the same name."""


def modules_of(package: ModuleType) -> Iterable[ModuleType]:
    """The package's public modules in alphabetical order; names that start with an underscore are private."""
    return (importlib.import_module(f"{package.__name__}.{name}") for name in _names_in(package))


def discover(package: ModuleType, attribute: str, kind: type[T], *, key: Callable[[T], str]) -> dict[str, T]:
    """Everything of type `kind` that the package's modules offer under `attribute`, by `key`, in file order.

    Raises:
        DuplicateNameError: Two modules offer the same key.
        TypeError: A module offers something that is not a `kind`.
    """
    found: dict[str, T] = {}
    for module in modules_of(package):
        offered = _offer(module, attribute, kind)
        if offered is None:
            continue
        name = key(offered)
        if name in found:
            raise DuplicateNameError(f"{module.__name__} offers {name!r}, which another file offers already")
        found[name] = offered
    return found


def find(package: ModuleType, name: str, attribute: str, kind: type[T]) -> T | None:
    """What the package's module of this name offers, with no other module loaded; None where there is none, or nothing.

    Raises:
        TypeError: It offers something that is not a `kind`.
    """
    if name not in _names_in(package):
        return None
    return _offer(importlib.import_module(f"{package.__name__}.{name}"), attribute, kind)


def _names_in(package: ModuleType) -> list[str]:
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return [name for name in names if not name.startswith("_")]


def _offer(module: ModuleType, attribute: str, kind: type[T]) -> T | None:
    offered = getattr(module, attribute, None)
    if offered is not None and not isinstance(offered, kind):
        raise TypeError(f"{module.__name__}.{attribute} is not a {kind.__name__}")
    return offered
