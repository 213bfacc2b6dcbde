"""A scrolling column that keeps its widgets: what has not changed is not built again."""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

T = TypeVar("T")
W = TypeVar("W", bound=QWidget)

END_REACHED_PX = 240


class ScrollColumn(QScrollArea):
    """A column of widgets; `near_end` says that its end comes into sight.

    Its right margin is as wide as the left, with the scroll bar in it where there is one: what scrolls ends where
    what stands above it ends, and nothing moves when the bar comes.

    Its viewport is made here: to name the class of one that Qt made, PySide first sets up every class of widget there
    is, which takes half a frame.
    """

    near_end = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setViewport(QWidget())
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.inside = QWidget()
        self.column = QVBoxLayout(self.inside)
        self.column.setContentsMargins(12, 12, 12, 60)
        self.column.setSpacing(0)
        self.setWidget(self.inside)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._balance)

    def _balance(self, least: int, most: int) -> None:
        margins = self.column.contentsMargins()
        bar = self.verticalScrollBar().sizeHint().width() if most > least else 0
        right = max(0, margins.left() - bar)
        if margins.right() != right:
            margins.setRight(right)
            self.column.setContentsMargins(margins)

    def _scrolled(self, value: int) -> None:
        if value >= self.verticalScrollBar().maximum() - END_REACHED_PX:
            self.near_end.emit()


class FittingColumn(ScrollColumn):
    """As high as what is in it where there is room for that; where there is not, it scrolls."""

    def __init__(self, *, least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._least = least
        self.column.setContentsMargins(0, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.inside.installEventFilter(self)

    def yield_to(self, least: int) -> None:
        """Makes do with so little from now on, where there is no room for more."""
        self._least = least
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(super().sizeHint().width(), self._needed())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(0, min(self._least, self._needed()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _needed(self) -> int:
        width = self.viewport().width()
        if self.column.hasHeightForWidth():
            return self.column.totalHeightForWidth(width)
        return self.column.totalSizeHint().height()


class Kept(Generic[T, W]):
    """Keeps a run of widgets in a layout in step with a run of values, by key.

    `build` makes a widget for a value, `renew` shows a changed value in it; where there is no `renew` a changed
    value gets a fresh widget.
    """

    def __init__(
        self,
        layout: QVBoxLayout,
        key: Callable[[T], Hashable],
        build: Callable[[T], W],
        renew: Callable[[W, T], None] | None = None,
    ) -> None:
        self._layout = layout
        self._key = key
        self._build = build
        self._renew = renew
        self._widgets: dict[Hashable, tuple[T, W]] = {}

    @property
    def widgets(self) -> list[W]:
        """The widgets in order."""
        return [widget for _, widget in self._widgets.values()]

    def show(self, values: Sequence[T]) -> None:
        """Brings the widgets in step."""
        wanted = {self._key(value): value for value in values}
        for key in [key for key in self._widgets if key not in wanted]:
            self._drop(key)
        fresh: dict[Hashable, tuple[T, W]] = {}
        for place, (key, value) in enumerate(wanted.items()):
            widget = self._widget(key, value)
            if self._layout.indexOf(widget) != place:
                self._layout.insertWidget(place, widget)
            fresh[key] = (value, widget)
        self._widgets = fresh

    def _widget(self, key: Hashable, value: T) -> W:
        if key not in self._widgets:
            return self._build(value)
        known, widget = self._widgets[key]
        if known == value:
            return widget
        if self._renew is not None:
            self._renew(widget, value)
            return widget
        self._drop(key)
        return self._build(value)

    def _drop(self, key: Hashable) -> None:
        _, widget = self._widgets.pop(key)
        self._layout.removeWidget(widget)
        widget.hide()
        widget.deleteLater()
