"""Small pictures, measured."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from heedful.desktop.theme import contrast

ALPHA = QImage.Format.Format_Alpha8
SIDE = 24


def raw(image: QImage, form: QImage.Format = QImage.Format.Format_ARGB32_Premultiplied) -> bytes:
    """The pixels, copied while their image is alive: its bits don't keep it so."""
    converted = image.convertToFormat(form)
    return bytes(converted.constBits())


def painted(draw: Callable[[QPainter, QRectF, QColor], None]) -> int:
    """How much ink a drawing leaves on a square of 24 pixels: the sum of its coverage, in hundredths of a pixel."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    draw(painter, QRectF(4, 4, 16, 16), QColor(Qt.GlobalColor.black))
    painter.end()
    return round(sum(raw(image, ALPHA)) / 2.55)


def strongest_contrast(picture: QPixmap, ground: str) -> float:
    """The contrast of the pixel that stands out most, drawn upon a ground."""
    image = QImage(picture.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(ground))
    painter = QPainter(image)
    painter.drawPixmap(0, 0, picture)
    painter.end()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    return max(contrast(colour, ground) for colour in colours)
