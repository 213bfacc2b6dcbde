"""Work on widgets in pieces, one a turn of the event loop: between two of them the window draws and hears keys."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class ByTurns(QObject):
    """Does pieces in the order they came; one that is asked for again before its turn is done once, as it is now."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pieces: dict[str, Callable[[], object]] = {}
        self._is_resting = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    def ask(self, name: str, piece: Callable[[], object]) -> None:
        """Queues a piece of work."""
        self._pieces[name] = piece
        if not self._timer.isActive():
            self._timer.start(0)

    def _next(self) -> None:
        if self._is_resting:  # in this turn the last piece is drawn
            self._is_resting = False
            self._timer.start(0)
            return
        piece = self._pieces.pop(next(iter(self._pieces)))
        self._is_resting = bool(self._pieces)
        if self._is_resting:
            self._timer.start(0)
        piece()
