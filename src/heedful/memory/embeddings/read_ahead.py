"""Brings numpy's libraries from the disk into memory before they are loaded.

Loading a library keeps every other thread of the process from its turn until all that it touches has come from the
disk; reading a file does not. After a start of the machine a window stood still for some thirty milliseconds at the
first question by meaning; so it does not.
"""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

PIECE = 1 << 18
"""Bytes read at a time."""


def read_ahead(files: Iterable[Path]) -> int:
    """Reads the files and keeps nothing of them; gives the bytes read. One that can't be read is passed over."""
    total = 0
    for file in files:
        try:
            with file.open("rb", buffering=0) as content:
                while piece := content.read(PIECE):
                    total += len(piece)
        except OSError:
            continue
    return total


def numpy_libraries() -> Iterator[Path]:
    """The libraries that loading numpy loads; none where it is not installed as files."""
    spec = find_spec("numpy")
    if spec is None or spec.origin is None:
        return
    package = Path(spec.origin).parent
    for folder, pattern in (
        (package.with_name("numpy.libs"), "*"),
        (package / "_core", "_multiarray_umath*"),
        (package / ".dylibs", "*"),
    ):
        yield from sorted(folder.glob(pattern))
