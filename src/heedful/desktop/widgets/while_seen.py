"""Looks again and again as long as somebody sees what it is for."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class WhileSeen(QObject):
    """Looks when a widget comes into sight, and every `every_ms` from then on until it leaves it."""

    def __init__(self, seen: QWidget, look: Callable[[], None], *, every_ms: int) -> None:
        super().__init__(seen)
        self._look = look
        self._timer = QTimer(self)
        self._timer.setInterval(every_ms)
        self._timer.timeout.connect(look)
        seen.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() is QEvent.Type.Show:
            self._look()
            self._timer.start()
        elif event.type() is QEvent.Type.Hide:
            self._timer.stop()
        return super().eventFilter(watched, event)
