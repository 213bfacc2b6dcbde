"""The command line: one file a command, found by its name, or by walking this folder.

A command's file imports nothing but its own shape at the top; what it needs it imports when it runs, so that
every command starts within a quarter of a second and only `run` ever loads Qt.
"""

from heedful.cli.command import Command, Terminal
from heedful.cli.entry import main

__all__ = ["Command", "Terminal", "main"]
