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
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        if not found.name.startswith("_"):
            yield importlib.import_module(f"{package.__name__}.{found.name}")


def discover(package: ModuleType, attribute: str, kind: type[T], *, key: Callable[[T], str]) -> dict[str, T]:
    """Everything of type `kind` that the package's modules offer under `attribute`, by `key`, in file order.

    Raises:
        DuplicateNameError: Two modules offer the same key.
        TypeError: A module offers something that is not a `kind`.
    """
    found: dict[str, T] = {}
    for module in modules_of(package):
        offered = getattr(module, attribute, None)
        if offered is None:
            continue
        if not isinstance(offered, kind):
            raise TypeError(f"{module.__name__}.{attribute} is not a {kind.__name__}")
        name = key(offered)
        if name in found:
            raise DuplicateNameError(f"{module.__name__} offers {name!r}, which another file offers already")
        found[name] = offered
    return found
