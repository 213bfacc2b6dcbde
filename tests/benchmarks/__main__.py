"""`python3 dev.py bench`: runs the measurements that were asked for and brings docs/benchmarks.md up to date.

(nothing)        speed and memory of store, search, recall by words and meaning, and looks, at 100,000 chunks
--scale N        the same at N messages, such as 1000000: most of an hour, 3 GB of disk
--desktop        start to tray, idle memory and processor time, a window of 10,000 items
--quality        the built-in finder on the labelled mailbox; with --data also the public sets: recall beside plain
                 FTS5, who is taken for whom, requests, dates
--programs       other programs: the start of `heedful mcp` and each tool at 100,000 chunks
--juice          compression, with the peer where it is installed
--store DIR      keeps the stores of all but --quality and --juice in DIR, and measures those that are there without
                 building them again
--data DIR       public data sets, one folder each; without it, generated text stands in
--no-write       print only
"""

import argparse
import importlib
import sys
from pathlib import Path

from tests.benchmarks.report import Figure, print_figures, write_section

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"
SECTIONS = {
    "desktop": ("desktop",),
    "quality": ("quality", "memory"),
    "programs": ("programs",),
    "juice": ("juice",),
    "scale": ("scale",),
}
"""What each option measures; without one it is `speed`."""


def main(arguments: list[str]) -> int:
    """Runs what was asked for; 1 when a figure missed its bound."""
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("--desktop", action="store_true")
    parser.add_argument("--quality", action="store_true")
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--juice", action="store_true")
    parser.add_argument("--scale", type=int, metavar="N")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--idle-minutes", type=float, default=10.0)
    parser.add_argument("--no-write", action="store_true")
    asked = parser.parse_args(arguments)
    sections = [name for option, names in SECTIONS.items() if getattr(asked, option) for name in names] or [
        "speed"
    ]
    missed = 0
    for name in sections:
        measure = importlib.import_module(f"tests.benchmarks.{name}").measure
        figures: list[Figure] = measure(asked)
        print_figures(name, figures, sys.stdout)
        missed += sum(not figure.held for figure in figures)
        if not asked.no_write:
            folders = (str(asked.data), str(asked.store))
            said = ["DIR" if word in folders else word for word in arguments]
            write_section(PAGE, name, figures, "python3 dev.py bench " + " ".join(said))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
