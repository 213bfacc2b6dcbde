"""Looking again and again as long as somebody sees it."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from heedful.desktop.widgets.while_seen import WhileSeen


def test_nothing_is_looked_at_before_it_is_seen_or_after_it_left(qapp: QApplication) -> None:
    seen, looks = QWidget(), list[None]()
    WhileSeen(seen, lambda: looks.append(None), every_ms=60_000)
    timer = seen.findChild(QTimer)
    assert isinstance(timer, QTimer)
    assert (len(looks), timer.isActive()) == (0, False)
    seen.show()
    qapp.processEvents()
    assert (len(looks), timer.isActive()) == (1, True)
    timer.timeout.emit()
    assert len(looks) == 2
    seen.hide()
    assert (len(looks), timer.isActive()) == (2, False)
    seen.deleteLater()
