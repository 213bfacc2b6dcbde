"""Memory that only the start needed is given back, and nothing else is."""

import subprocess
import sys

import pytest

from heedful.desktop.footprint import code_of_files

MAPS = """\
00400000-00500000 r--p 00000000 08:01 1 /usr/bin/python3.11
00500000-00700000 r-xp 00100000 08:01 1 /usr/bin/python3.11
00700000-00800000 rw-p 00300000 08:01 1 /usr/bin/python3.11
00800000-00900000 rw-p 00000000 00:00 0 [heap]
7f0000000000-7f0000100000 rw-p 00000000 00:00 0
7f0000100000-7f0000200000 r-xp 00000000 08:01 2 /opt/with a space/libQt6Core.so.6
7ffc00000000-7ffc00100000 r-xp 00000000 00:00 0 [vdso]
"""


def test_only_unwritten_mappings_of_files_are_given_back() -> None:
    assert list(code_of_files(MAPS.splitlines())) == [
        (0x400000, 0x100000),
        (0x500000, 0x200000),
        (0x7F0000100000, 0x100000),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be asked this way")
def test_a_program_goes_on_unharmed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.split() == ["15"]


_PROGRAM = """
import json, sqlite3
from heedful.desktop.footprint import give_back
give_back()
database = sqlite3.connect(":memory:")
print(json.loads(str(database.execute("select 7 + 8").fetchone()[0])))
"""
