"""The parser of the command line: what is wrong with a line is one sentence, not a page."""

import argparse
import re
from typing import NoReturn

from heedful.cli.command import MisusedError

_CHOICE = re.compile(r"invalid choice: '?(?P<given>.*?)'? \(choose from (?P<known>.*)\)", re.DOTALL)
_VALUE = re.compile(r"invalid (?P<kind>\w+) value: '(?P<given>.*)'", re.DOTALL)
_KINDS = {"int": "whole number", "float": "number", "Path": "path"}
_ARGUMENT = re.compile(r"argument (?P<name>[^:]+): (?P<said>.*)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """Argparse's, but an error is raised for whoever speaks to the person."""

    def error(self, message: str) -> NoReturn:
        raise MisusedError(
            f"`{self.prog}`{_words(message)}", "", f"`{self.prog} --help` tells what it takes."
        )


def _words(message: str) -> str:
    """What argparse says, after the command's name."""
    if found := re.fullmatch(r"the following arguments are required: (.*)", message):
        return f" needs {found[1].replace(', ', ' and ')}"
    if found := re.fullmatch(r"unrecognized arguments: (.*)", message, re.DOTALL):
        return f" does not know {found[1]}"
    if found := re.fullmatch(r"ambiguous option: (.*) could match (.*)", message):
        return f": {found[1]} may be {found[2].replace(', ', ' or ')}"
    if found := _ARGUMENT.fullmatch(message):
        return f": {_of_argument(found['name'], found['said'])}"
    return f": {message}"


def _of_argument(name: str, said: str) -> str:
    if found := _CHOICE.fullmatch(said):
        return f"{found['given']} is none of {found['known'].replace(chr(39), '')}"
    if found := _VALUE.fullmatch(said):
        return f"{name} {found['given']} is no {_KINDS.get(found['kind'], found['kind'])}"
    if said == "expected one argument":
        return f"{name} needs a value"
    return f"{name}: {said}"
