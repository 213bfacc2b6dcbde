"""The icon files that packages and notifications use are the ones that the tray draws.

`HEEDFUL_ICONS=resources/icons` writes them anew.
"""

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from heedful.core.paths import shipped
from heedful.desktop.tray_icons import tray_pixmap
from heedful.presenters.moods import Mood
from tests.desktop.pictures import raw

FILES = {"heedful-32.png": 32, "heedful-128.png": 128, "heedful-256.png": 256, "heedful-512.png": 512}


@pytest.mark.parametrize("name", FILES)
def test_a_shipped_icon_is_drawn_as_the_tray_draws_it(qapp: QApplication, name: str) -> None:
    drawn = tray_pixmap(Mood.QUIET, FILES[name], template=False).toImage()
    folder = os.environ.get("HEEDFUL_ICONS")
    if folder:
        drawn.save(str(Path(folder) / name))
    kept = QImage(str(shipped("resources", f"icons/{name}")))
    assert kept.size() == drawn.size()
    assert difference(kept, drawn) < 0.01


def difference(one: QImage, other: QImage) -> float:
    """The mean distance of the pixels' channels, 0 to 1."""
    left, right = raw(one), raw(other)
    return sum(abs(a - b) for a, b in zip(left, right, strict=True)) / (255 * len(left))
