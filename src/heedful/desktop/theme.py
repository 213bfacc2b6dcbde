"""Colours, type and spacing of the window, light and dark, and the style sheet for Qt's own controls.

Widgets that paint themselves read `Theme.tokens` at the moment of painting; the theme repaints them when the
person, or the system, changes from light to dark.
"""

import math
import sys
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

Choice = Literal["system", "light", "dark"]

RADIUS_CARD = 8
RADIUS_CONTROL = 6

# A point is 1/72 inch; Qt counts 96 pixels an inch where the person has chosen nothing else, macOS 72.
_POINTS_A_PIXEL = 1.0 if sys.platform == "darwin" else 0.75


@dataclass(frozen=True, slots=True)
class Tokens:
    """Every colour in use. `…_pale` is the ground that belongs to a colour; `on_blue` is text upon it.

    `ink_3` is for large or decorative things only, never for text.
    """

    is_dark: bool
    bg: str
    card: str
    rail: str
    hover: str
    line: str
    ink: str
    ink_2: str
    ink_3: str
    blue: str
    blue_pale: str
    on_blue: str
    coral: str
    coral_pale: str
    amber: str
    amber_pale: str
    sage: str
    sage_pale: str
    toast: str = "#24262A"
    on_toast: str = "#FFFFFF"
    toast_link: str = "#9DBBFF"


LIGHT = Tokens(
    is_dark=False, bg="#F6F6F4", card="#FFFFFF", rail="#EFEEEA", hover="#F1F0EC", line="#E4E3DF",
    ink="#1B1C1E", ink_2="#5B5E63", ink_3="#8A8D92",
    blue="#2559C7", blue_pale="#E9F0FE", on_blue="#FFFFFF", coral="#C43D3D", coral_pale="#FDEEED",
    amber="#8A5A00", amber_pale="#FDF3DC", sage="#1F7A3D", sage_pale="#E6F5EB",
)  # fmt: skip
DARK = Tokens(
    is_dark=True, bg="#17181A", card="#202225", rail="#1C1D20", hover="#2A2C30", line="#32353A",
    ink="#ECEDEE", ink_2="#A9ADB3", ink_3="#7D8289",
    blue="#8DB0FF", blue_pale="#22304D", on_blue="#10131A", coral="#FF8F87", coral_pale="#3A2423",
    amber="#F0C264", amber_pale="#382D16", sage="#7FD69B", sage_pale="#1C3325",
    toast="#33363B",
)  # fmt: skip

TEXT_PAIRS: tuple[tuple[str, str], ...] = (
    *((text, ground) for text in ("ink", "ink_2") for ground in ("bg", "card", "rail", "hover")),
    *((text, ground) for text in ("blue", "coral", "amber", "sage") for ground in ("card", "bg")),
    ("blue", "rail"), ("on_blue", "blue"), ("ink", "amber_pale"), ("ink", "blue_pale"), ("ink", "coral_pale"),
    ("ink", "sage_pale"),
    ("blue", "blue_pale"), ("coral", "coral_pale"), ("amber", "amber_pale"), ("sage", "sage_pale"),
    ("card", "amber"), ("on_toast", "toast"), ("toast_link", "toast"),
)  # fmt: skip
"""Which colour is ever written upon which; each pair reaches 4.5 : 1."""


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21. Source: WCAG 2.2, «contrast ratio»."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def font(pixels: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The system's font at a size in pixels of the design, which grows with the system's own text size."""
    chosen = QFont(QApplication.font())
    chosen.setPointSizeF(pixels * _POINTS_A_PIXEL)
    chosen.setWeight(weight)
    return chosen


def line_height(type_: QFont, least: int) -> int:
    """The height of a line in pixels: the design's, or what the letters need where the system's text is larger."""
    return max(least, math.ceil(QFontMetricsF(type_).height()))


class Theme(QObject):
    """The tokens in force; `changed` tells when they were replaced."""

    changed = Signal()

    def __init__(self, choice: Choice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice: Choice = choice
        hints = QGuiApplication.styleHints()
        self.tokens = self._chosen()
        hints.colorSchemeChanged.connect(self._reconsider)

    def choose(self, choice: Choice) -> None:
        """Follows the system, or stays light or dark."""
        self._choice = choice
        self._reconsider()

    def apply(self, app: QApplication) -> None:
        """Gives Qt's own controls the tokens."""
        app.setStyle("Fusion")
        app.setPalette(_palette(self.tokens))
        app.setStyleSheet(style_sheet(self.tokens))

    def colour(self, name: str) -> QColor:
        """A token by name as Qt's colour."""
        return QColor(getattr(self.tokens, name))

    def _reconsider(self) -> None:
        tokens = self._chosen()
        if tokens is not self.tokens:
            self.tokens = tokens
            self.changed.emit()

    def _chosen(self) -> Tokens:
        if self._choice == "system":
            dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
            return DARK if dark else LIGHT
        return DARK if self._choice == "dark" else LIGHT


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    for role, colour in (
        (QPalette.ColorRole.Window, tokens.bg),
        (QPalette.ColorRole.WindowText, tokens.ink),
        (QPalette.ColorRole.Base, tokens.card),
        (QPalette.ColorRole.AlternateBase, tokens.hover),
        (QPalette.ColorRole.Text, tokens.ink),
        (QPalette.ColorRole.Button, tokens.card),
        (QPalette.ColorRole.ButtonText, tokens.ink),
        (QPalette.ColorRole.PlaceholderText, tokens.ink_2),
        (QPalette.ColorRole.Highlight, tokens.blue),
        (QPalette.ColorRole.HighlightedText, tokens.on_blue),
        (QPalette.ColorRole.ToolTipBase, tokens.card),
        (QPalette.ColorRole.ToolTipText, tokens.ink),
        (QPalette.ColorRole.Link, tokens.blue),
    ):
        palette.setColor(role, QColor(colour))
    return palette


def style_sheet(tokens: Tokens) -> str:
    """What Qt's own controls need to look like the rest."""
    return f"""
QToolTip {{ color: {tokens.ink}; background: {tokens.card}; border: 1px solid {tokens.line}; padding: 3px 6px; }}
QScrollArea, QScrollArea > #qt_scrollarea_viewport > QWidget {{ background: transparent; border: 0; }}
QScrollBar:vertical {{ background: transparent; width: 8px; margin: 2px; }}
QScrollBar::handle:vertical {{ background: {tokens.line}; border-radius: 2px; min-height: 32px; }}
QScrollBar::handle:vertical:hover {{ background: {tokens.ink_3}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
  background: transparent; height: 0; }}
QLineEdit, QPlainTextEdit, QComboBox, QSpinBox, QDoubleSpinBox, QTimeEdit {{
  color: {tokens.ink}; background: {tokens.card}; border: 1px solid {tokens.line};
  border-radius: {RADIUS_CONTROL}px; padding: 5px 8px; min-height: 18px;
  selection-background-color: {tokens.blue}; selection-color: {tokens.on_blue}; }}
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QTimeEdit:focus {{
  border-color: {tokens.blue}; }}
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QTimeEdit:disabled {{
  color: {tokens.ink_3}; background: {tokens.bg}; }}
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{
  border: 0; padding: 0; background: transparent; min-height: 0; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; border: 0; }}
QComboBox {{ padding-right: 22px; combobox-popup: 0; }}
QComboBox::drop-down {{ border: 0; width: 22px; }}
QComboBox QAbstractItemView {{ color: {tokens.ink}; background: {tokens.card}; border: 1px solid {tokens.line};
  selection-background-color: {tokens.blue_pale}; selection-color: {tokens.ink}; outline: 0; padding: 4px; }}
QComboBoxPrivateContainer {{ border: 0; background: {tokens.card}; }}
QComboBox QAbstractItemView::item {{ color: {tokens.ink}; padding: 5px 8px; border-radius: 4px; }}
QComboBox QAbstractItemView::item:selected {{ background: {tokens.blue_pale}; }}
QMenu {{ color: {tokens.ink}; background: {tokens.card}; border: 1px solid {tokens.line}; padding: 4px; }}
QMenu::item {{ padding: 6px 16px 6px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {tokens.blue_pale}; }}
QMenu::item:disabled {{ color: {tokens.ink_2}; }}
QMenu::separator {{ height: 1px; background: {tokens.line}; margin: 4px 8px; }}
"""
