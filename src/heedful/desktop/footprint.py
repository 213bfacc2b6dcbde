"""Gives back the memory that only the start needed, while nobody looks.

Loading Qt and Python maps some 60 MB of code from files, most of it used once. Linux can be told that it is not
needed now; what is needed after all comes back by itself, from the file. The program's own data is not touched.
"""

import ctypes
import sys
from collections.abc import Iterable
from pathlib import Path

# Source: madvise(2), MADV_PAGEOUT, Linux 5.4; older kernels refuse it, and then nothing happens.
_PAGEOUT = 21


def give_back() -> None:
    """Lets go of code pages that are clean copies of files; blocking, a few milliseconds, for a worker thread."""
    if sys.platform != "linux":
        return
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for begin, length in code_of_files(lines):
        advise(begin, length, _PAGEOUT)


def code_of_files(lines: Iterable[str]) -> Iterable[tuple[int, int]]:
    """The address and length of each mapping that is a file's and was never written to.

    Source: proc_pid_maps(5): «begin-end perms offset device inode path».
    """
    for line in lines:
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[5].startswith("/") and "w" not in fields[1]:
            begin, end = (int(part, 16) for part in fields[0].split("-"))
            yield begin, end - begin
