"""Every picture of Heedful, drawn by lines of our own on a 24-unit square: sharp at any size and density."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

SIDE = 24.0

# M x,y begins, L draws a line, C a cubic curve, Z closes, O cx,cy,r is a circle.
GLYPHS: dict[str, str] = {
    "today": "M 4,6.5 L 20,6.5 M 4,12 L 13,12 M 4,17.5 L 10,17.5 M 14.5,16.5 L 17,19 L 21,14",
    "sources": "M 4,13 L 8.5,13 L 10,16 L 14,16 L 15.5,13 L 20,13 M 6.5,5 L 17.5,5 L 20,13 L 20,19 L 4,19 L 4,13 Z",
    "activity": "O 12,12,8 M 12,7.5 L 12,12 L 15,14",
    "settings": "M 4,7.5 L 13.5,7.5 M 18.5,7.5 L 20,7.5 O 16,7.5,2.4 "
    "M 4,16.5 L 5.5,16.5 M 10.5,16.5 L 20,16.5 O 8,16.5,2.4",
    "memory": "O 12,5.5,2.5 O 5.5,17.5,2.5 O 12,17.5,2.5 O 18.5,17.5,2.5 M 12,8 L 12,15 "
    "M 5.5,15 C 5.5,11.5 8,11.5 12,11.5 C 16,11.5 18.5,11.5 18.5,15",
    "check": "M 5,12.5 L 10,17.5 L 19,7",
    "close": "M 6.5,6.5 L 17.5,17.5 M 17.5,6.5 L 6.5,17.5",
    "clock": "O 12,12,8 M 12,7.5 L 12,12 L 8.5,12",
    "copy": "M 9,9 L 19,9 L 19,20 L 9,20 Z M 15,9 L 15,4 L 5,4 L 5,15 L 9,15",
    "undo": "M 8,5 L 4,9 L 8,13 M 4,9 L 14,9 C 18,9 20,11 20,14 C 20,17 18,19 14,19 L 11,19",
    "down": "M 7,10 L 12,15 L 17,10",
    "up": "M 7,14 L 12,9 L 17,14",
    "left": "M 14,7 L 9,12 L 14,17",
    "right": "M 10,7 L 15,12 L 10,17",
    "plus": "M 12,5 L 12,19 M 5,12 L 19,12",
    "pause": "M 9,6 L 9,18 M 15,6 L 15,18",
    "play": "M 8,5.5 L 18,12 L 8,18.5 Z",
    "drop": "M 12,4 L 12,14 M 8,10.5 L 12,14.5 L 16,10.5 M 4,16 L 4,20 L 20,20 L 20,16",
    "lock": "M 6,11 L 18,11 L 18,20 L 6,20 Z M 8.5,11 L 8.5,8 C 8.5,3.3 15.5,3.3 15.5,8 L 15.5,11",
    "look": "M 20,12 C 20,16.4 16.4,20 12,20 C 7.6,20 4,16.4 4,12 C 4,7.6 7.6,4 12,4 "
    "C 14.6,4 16.8,5.2 18.3,7 M 18.6,3.5 L 18.6,7.4 L 14.7,7.4",
}

LOGO_RING = 9.2
LOGO_DOT = 3.6


def draw_glyph(painter: QPainter, name: str, where: QRectF, colour: QColor, *, weight: float = 1.6) -> None:
    """Draws a line drawing into a square; `weight` is the stroke in the drawing's own units."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(where.topLeft())
    painter.scale(where.width() / SIDE, where.height() / SIDE)
    pen = QPen(colour, weight)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(_path(GLYPHS[name]))
    painter.restore()


def draw_logo(painter: QPainter, where: QRectF, colour: QColor) -> None:
    """Draws the ring with its dot."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(where.topLeft())
    painter.scale(where.width() / SIDE, where.height() / SIDE)
    centre = QPointF(SIDE / 2, SIDE / 2)
    painter.setPen(QPen(colour, 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, LOGO_RING, LOGO_RING)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(centre, LOGO_DOT, LOGO_DOT)
    painter.restore()


def draw_shape(painter: QPainter, shape: str, where: QRectF, colour: QColor) -> None:
    """Draws what an item or a look is, by shape as well as colour: ◆ ▲ ● ◌ ✓ ■ ring, dash, bars."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    x, y, w = where.x(), where.y(), where.width()
    middle = QPointF(x + w / 2, y + w / 2)
    match shape:
        case "critical":
            painter.drawPolygon(_points(x, y, w, (0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)))
        case "important" | "waiting-for-you":
            painter.drawPolygon(_points(x, y, w, (0.5, 0.06), (1, 0.94), (0, 0.94)))
        case "failed":
            painter.drawRoundedRect(
                QRectF(x + w * 0.08, y + w * 0.08, w * 0.84, w * 0.84), w * 0.08, w * 0.08
            )
        case "quiet" | "waiting" | "snoozed":
            pen = QPen(colour, w * 0.17)
            if shape == "waiting":
                pen.setDashPattern([1.1, 1.1])
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(middle, w * 0.4, w * 0.4)
        case "done":
            draw_glyph(
                painter, "check", QRectF(x - w * 0.15, y - w * 0.15, w * 1.3, w * 1.3), colour, weight=3.2
            )
        case "dismissed" | "skipped":
            painter.drawRoundedRect(QRectF(x + w * 0.1, y + w * 0.42, w * 0.8, w * 0.16), w * 0.08, w * 0.08)
        case _:
            painter.drawEllipse(middle, w * 0.4, w * 0.4)
    painter.restore()


def _points(x: float, y: float, w: float, *corners: tuple[float, float]) -> list[QPointF]:
    return [QPointF(x + across * w, y + down * w) for across, down in corners]


def _path(lines: str) -> QPainterPath:
    path = QPainterPath()
    words = lines.split()
    at = 0
    while at < len(words):
        letter = words[at]
        at += 1
        match letter:
            case "M":
                path.moveTo(_point(words[at]))
                at += 1
            case "L":
                path.lineTo(_point(words[at]))
                at += 1
            case "C":
                path.cubicTo(_point(words[at]), _point(words[at + 1]), _point(words[at + 2]))
                at += 3
            case "O":
                across, down, radius = (float(part) for part in words[at].split(","))
                path.addEllipse(QPointF(across, down), radius, radius)
                at += 1
            case _:
                path.closeSubpath()
    return path


def _point(word: str) -> QPointF:
    across, down = word.split(",")
    return QPointF(float(across), float(down))
