"""The order in which Tab walks: that in which things are read, also where rows came later than what is below them.

Qt walks in the order in which widgets were made; a row that is filled in afterwards would come last of all.
"""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLayout, QWidget


def walk_on(window: QWidget, *, forwards: bool) -> bool:
    """Gives the keyboard to what is read next, or before; False where Qt is to find it."""
    here = QApplication.focusWidget()
    if QGuiApplication.styleHints().tabFocusBehavior() is not Qt.TabFocusBehavior.TabFocusAllControls:
        return False
    stops = [widget for widget in _read(window) if _is_stop(widget) or widget is here]
    if here not in stops or len(stops) < 2:
        return False
    there = stops[(stops.index(here) + (1 if forwards else -1)) % len(stops)]
    there.setFocus(Qt.FocusReason.TabFocusReason if forwards else Qt.FocusReason.BacktabFocusReason)
    return True


def _is_stop(widget: QWidget) -> bool:
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes and widget.isEnabled() and widget.focusProxy() is None


def _read(widget: QWidget) -> Iterator[QWidget]:
    """A visible widget, then what is in it: what its layout holds in its order, then the rest."""
    if not widget.isVisible():
        return
    yield widget
    layout = widget.layout()
    placed = list(_laid_out(layout)) if layout is not None else []
    rest = [one for one in widget.children() if isinstance(one, QWidget) and one not in placed]
    for one in (*placed, *rest):
        if not one.isWindow():
            yield from _read(one)


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        widget, nested = item.widget(), item.layout()
        if widget is not None:
            yield widget
        elif nested is not None:
            yield from _laid_out(nested)
