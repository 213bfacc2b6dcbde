"""Draws the app's icon file for each platform from the one picture in resources/icons."""

import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PNG_SIZES = (16, 32, 64, 128, 256, 512)
ICO_SIZES = (16, 24, 32, 48, 64, 256)
ICNS_SIZES = {
    b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic13": 256, b"ic08": 256, b"ic14": 512, b"ic09": 512, b"ic10": 1024,
}  # fmt: skip
"""The picture types of an Apple icon file that hold PNG, and their side in pixels; some are a size at double density.

Source: the list of types in `man iconutil` and IconFamily's headers.
"""


def draw_icons(picture: Path, stem: Path) -> None:
    """Writes STEM-16.png … STEM-512.png, STEM.ico and STEM.icns, the names that briefcase looks for."""
    drawn = {size: draw(picture, size) for size in {*PNG_SIZES, *ICO_SIZES, *ICNS_SIZES.values()}}
    stem.parent.mkdir(parents=True, exist_ok=True)
    for size in PNG_SIZES:
        stem.with_name(f"{stem.name}-{size}.png").write_bytes(drawn[size])
    stem.with_suffix(".ico").write_bytes(ico({size: drawn[size] for size in ICO_SIZES}))
    stem.with_suffix(".icns").write_bytes(icns({kind: drawn[size] for kind, size in ICNS_SIZES.items()}))


def draw(picture: Path, size: int) -> bytes:
    """An SVG as a square PNG of `size` pixels a side."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(picture)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload] # PySide's stub wants bytes, its code takes the str
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """A Windows icon of PNGs by side in pixels. Source: Windows' ICONDIR and ICONDIRENTRY; a side of 256 is 0."""
    entries, body = b"", b""
    start = 6 + 16 * len(pictures)
    for size, png in pictures.items():
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(png), start + len(body))
        body += png
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + body


def icns(pictures: dict[bytes, bytes]) -> bytes:
    """An Apple icon of PNGs by their four-letter type; each length counts its own eight bytes of head."""
    body = b"".join(kind + struct.pack(">I", len(png) + 8) + png for kind, png in pictures.items())
    return b"icns" + struct.pack(">I", len(body) + 8) + body
