"""The tray's picture in each mood, from 16 pixels up, legible on light and on dark panels."""

import sys

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from heedful.presenters.moods import Mood

SIZES = (16, 20, 22, 24, 32, 44, 48, 64)

RING = QColor("#2F6EF4")
HALO = QColor(255, 255, 255, 235)
_BADGES = {Mood.NEEDS_YOU: QColor("#F0A000"), Mood.PROBLEM: QColor("#E5484D")}
_QUIET_RING = QColor("#7D8289")


def tray_icon(mood: Mood) -> QIcon:
    """The icon in every size; on macOS a template that the menu bar colours."""
    icon = QIcon()
    template = sys.platform == "darwin"
    for size in SIZES:
        icon.addPixmap(tray_pixmap(mood, size, template=template))
    if template:
        icon.setIsMask(True)
    return icon


def app_icon() -> QIcon:
    """The window's icon."""
    icon = QIcon()
    for size in (*SIZES, 128, 256):
        icon.addPixmap(tray_pixmap(Mood.QUIET, size, template=False))
    return icon


def tray_pixmap(mood: Mood, size: int, *, template: bool) -> QPixmap:
    """One picture: `size` pixels square; a template is black on nothing."""
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / 16, size / 16)
    _draw(painter, mood, template=template)
    painter.end()
    return pixmap


def _draw(painter: QPainter, mood: Mood, *, template: bool) -> None:
    """Draws on a square of 16 units: at 16 pixels each line falls on whole pixels."""
    ink = QColor(Qt.GlobalColor.black) if template else _QUIET_RING if mood is Mood.PAUSED else RING
    ring = QRectF(2.0, 2.0, 12.0, 12.0)
    if not template:
        _halo(painter, ring, mood)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(ink, 2.0))
    if mood is Mood.WORKING:
        painter.drawArc(ring, 90 * 16, -270 * 16)
    else:
        painter.drawEllipse(ring)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    if mood is Mood.PAUSED:
        painter.drawRect(QRectF(5.0, 5.0, 2.0, 6.0))
        painter.drawRect(QRectF(9.0, 5.0, 2.0, 6.0))
    else:
        painter.drawEllipse(QPointF(8, 8), 2.4, 2.4)
    if mood in _BADGES:
        _badge(painter, mood, QColor(Qt.GlobalColor.black) if template else _BADGES[mood], cut=template)


def _halo(painter: QPainter, ring: QRectF, mood: Mood) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(HALO)
    if mood is Mood.WORKING:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_pen(HALO, 3.6))
        painter.drawArc(ring, 90 * 16, -270 * 16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(HALO)
        painter.drawEllipse(QPointF(8, 8), 3.4, 3.4)
    else:
        painter.drawEllipse(QPointF(8, 8), 8, 8)


def _badge(painter: QPainter, mood: Mood, colour: QColor, *, cut: bool) -> None:
    """A triangle or a square at the lower right, with a gap around it."""
    edge = QPen(HALO, 1.6)
    edge.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if cut:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    shape = (
        QPolygonF([QPointF(11.5, 7.4), QPointF(15.4, 15.2), QPointF(7.6, 15.2)])
        if mood is Mood.NEEDS_YOU
        else QPolygonF(QRectF(9.0, 9.0, 6.2, 6.2))
    )
    painter.setPen(edge)
    painter.setBrush(colour)
    painter.drawPolygon(shape)
    if cut:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawPolygon(shape)


def _pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen
