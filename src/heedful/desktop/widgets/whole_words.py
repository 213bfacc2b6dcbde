"""Words that are cut for want of room, told whole where the pointer rests on them."""

from PySide6.QtGui import QFont, QFontMetricsF, Qt
from PySide6.QtWidgets import QWidget


def as_written(words: str) -> str:
    """Words for a tooltip, which takes what looks like markup for markup: a mail's title is none."""
    return Qt.convertFromPlainText(words) if Qt.mightBeRichText(words) else words


def is_cut(words: str, letters: QFont, width: float) -> bool:
    """Whether a line is too narrow for these words."""
    return QFontMetricsF(letters).horizontalAdvance(words) > width


def tell_whole(widget: QWidget, *cut: str) -> None:
    """Makes these words the widget's tooltip; to be called as they are drawn, for only then is it known what is cut."""
    words = as_written("\n".join(cut))
    if words != widget.toolTip():
        widget.setToolTip(words)
