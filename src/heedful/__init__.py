"""Heedful reads what already reaches a person, remembers it on their machine, and says what needs them.

ARCHITECTURE.md is the map; `heedful.app` is the composition root.
"""

__version__ = "0.1.0"
