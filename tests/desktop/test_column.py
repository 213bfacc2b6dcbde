"""A scrolling column."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.column import ScrollColumn


def test_what_scrolls_ends_where_it_would_without_a_scroll_bar(qapp: QApplication) -> None:
    theme = Theme("light")
    theme.apply(qapp)
    area, content = ScrollColumn(), QWidget()
    area.column.addWidget(content)
    area.resize(400, 300)
    area.show()
    edges = []
    for height in (100, 2_000, 100):
        content.setFixedHeight(height)
        for _ in range(3):
            qapp.processEvents()
        assert area.verticalScrollBar().isVisible() == (height > 300)
        left, right = content.rect().topLeft(), QPoint(content.width(), 0)
        edges.append((content.mapTo(area, left).x(), content.mapTo(area, right).x()))
    assert edges == [(12, 388)] * 3
    area.deleteLater()
    theme.deleteLater()
