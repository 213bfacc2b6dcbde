"""Buttons: primary, plain, quiet and link; with an icon where it helps; a focus ring for the keyboard."""

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QWidget

from heedful.desktop.glyphs import draw_glyph
from heedful.desktop.theme import RADIUS_CONTROL, Theme, font
from heedful.desktop.widgets.pressable import Pressable


class Weight(StrEnum):
    """How much a button weighs. One primary a card; danger is for what can't be undone."""

    PRIMARY = "primary"
    PLAIN = "plain"
    DANGER = "danger"
    QUIET = "quiet"
    LINK = "link"


_HEIGHTS = {Weight.PRIMARY: 28, Weight.PLAIN: 28, Weight.DANGER: 28, Weight.QUIET: 28, Weight.LINK: 22}
_PADDINGS = {Weight.PRIMARY: 12, Weight.PLAIN: 12, Weight.DANGER: 12, Weight.QUIET: 6, Weight.LINK: 3}
_RING_INSETS = {Weight.PRIMARY: 2.5, Weight.LINK: 0.75}
_ICON = 14


class Button(Pressable):
    """A text button; `icon` names a glyph before the text, `menu` opens below and shows an arrow after it."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        *,
        weight: Weight = Weight.PLAIN,
        icon: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._weight = weight
        self._icon = icon
        self._menu: QMenu | None = None
        is_link = weight is Weight.LINK
        self._font = font(11 if is_link else 12, _weight_of(weight))
        self.setText(text)
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def say(self, text: str) -> None:
        """Changes the text."""
        self.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    def point(self, icon: str) -> None:
        """Changes the icon."""
        self._icon = icon
        self.update()

    def open_menu(self, menu: QMenu) -> None:
        """Opens this menu when pressed, from now on."""
        self._menu = menu
        self.clicked.connect(self._pop_up)
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        metrics = QFontMetricsF(self._font)
        width = metrics.horizontalAdvance(self.text()) + 2 * _PADDINGS[self._weight]
        width += (_ICON + 5 if self._icon else 0) + (12 if self._menu is not None else 0)
        return QSize(round(width) + 1, max(_HEIGHTS[self._weight], round(metrics.height()) + 8))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        ink = self._ink()
        padding = _PADDINGS[self._weight]
        where = QRectF(self.rect()).adjusted(padding, 0, -padding, 0)
        if self._icon:
            top = where.center().y() - _ICON / 2
            draw_glyph(painter, self._icon, QRectF(where.left(), top, _ICON, _ICON), ink, weight=2.2)
            where.adjust(_ICON + 5, 0, 0, 0)
        if self._menu is not None:
            top = where.center().y() - 5
            draw_glyph(painter, "down", QRectF(where.right() - 10, top, 11, 11), ink, weight=2.6)
            where.adjust(0, 0, -12, 0)
        painter.setFont(self._font)
        painter.setPen(ink)
        painter.drawText(where, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        ring = "on_blue" if self._weight is Weight.PRIMARY and self.is_live else "blue"
        inset = _RING_INSETS.get(self._weight, 1.0)
        self.paint_focus(painter, QRectF(self.rect()), token=ring, inset=inset)

    def _paint_ground(self, painter: QPainter) -> None:
        where = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._weight is Weight.LINK:
            return
        hovered = self.underMouse() and self.is_live
        if self._weight is Weight.PRIMARY:
            ground = self._theme.colour("blue" if self.is_live else "line")
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground.darker(108) if hovered or self.isDown() else ground)
        else:
            quiet = self._weight is Weight.QUIET
            painter.setPen(Qt.PenStyle.NoPen if quiet else QPen(self._theme.colour("line"), 1))
            rest = QColor(Qt.GlobalColor.transparent) if quiet else self._theme.colour("card")
            painter.setBrush(self._theme.colour("hover") if hovered or self.isDown() else rest)
        painter.drawRoundedRect(where, RADIUS_CONTROL, RADIUS_CONTROL)

    def _ink(self) -> QColor:
        if not self.is_live:
            return self._theme.colour("ink_3")
        if self._weight is Weight.LINK and self.underMouse():
            return self._theme.colour("blue")
        tokens = {Weight.PRIMARY: "on_blue", Weight.PLAIN: "ink", Weight.DANGER: "coral"}
        return self._theme.colour(tokens.get(self._weight, "ink_2"))

    def _pop_up(self) -> None:
        if self._menu is not None:
            self._menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


def _weight_of(weight: Weight) -> QFont.Weight:
    return QFont.Weight.Normal if weight is Weight.LINK else QFont.Weight.DemiBold
