"""Figures with their bounds, printed and kept in one page by section."""

import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

TITLES = {
    "speed": "Speed of store, search and looks",
    "scale": "Speed at a million messages",
    "desktop": "The desktop program",
    "quality": "Quality of judgement",
    "memory": "Quality of the memory",
    "programs": "Other programs",
    "juice": "Compression",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement: what, how much, of what unit, and the bound it is held against (None: told only)."""

    what: str
    value: float
    unit: str
    bound: float | None = None
    sense: Literal["most", "least"] = "most"
    note: str = ""

    @property
    def held(self) -> bool:
        """Whether the bound was kept; True where there is none."""
        if self.bound is None:
            return True
        return self.value <= self.bound if self.sense == "most" else self.value >= self.bound

    def row(self) -> str:
        """The figure as a row of a Markdown table."""
        bound = "–" if self.bound is None else f"{'≤' if self.sense == 'most' else '≥'} {self.bound:g}"
        held = "yes" if self.held else "**no**"
        return f"| {self.what} | {self.value:,.3g} {self.unit} | {bound} | {held} | {self.note} |"


def print_figures(name: str, figures: list[Figure], out: TextIO) -> None:
    """The section as it stands on the page."""
    out.write(f"{TITLES[name]}\n" + "\n".join(figure.row() for figure in figures) + "\n")


def write_section(page: Path, name: str, figures: list[Figure], command: str) -> None:
    """Puts a section into the page, in the place of the one that was there."""
    text = page.read_text(encoding="utf-8") if page.exists() else "# Benchmarks\n"
    machine = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    body = "\n".join(
        [
            f"## {TITLES[name]}",
            "",
            f"`{command.strip()}` on {machine}.",
            "",
            "| what | measured | bound | held | note |",
            "|---|---|---|---|---|",
            *(figure.row() for figure in figures),
            "",
        ]
    )
    section = re.compile(rf"## {re.escape(TITLES[name])}\n.*?(?=\n## |\Z)", re.DOTALL)
    found = section.search(text)
    text = section.sub(lambda _: body, text) if found else text.rstrip("\n") + "\n\n" + body
    page.parent.mkdir(exist_ok=True)
    page.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
