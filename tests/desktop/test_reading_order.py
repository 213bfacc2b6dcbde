"""Tab walks in the order in which things are read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.desktop.memory_tab import opened
from tests.desktop.stage import Stage, settle

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def walked(page: QWidget, key: Qt.Key) -> list[QWidget]:
    """What gets the keyboard in a page, until it leaves it."""
    found: list[QWidget] = []
    while (here := QApplication.focusWidget()) is not None and page.isAncestorOf(here) and here not in found:
        found.append(here)
        QTest.keyClick(here, key)
    return found


def down(stage: Stage, widget: QWidget) -> int:
    return widget.mapTo(stage.window, widget.rect().topLeft()).y()


async def test_the_navigators_rows_are_met_from_top_to_bottom_though_they_were_filled_in_later(
    stage: Stage,
) -> None:
    tab = await opened(stage)
    stage.window.resize(460, 3_000)
    await settle()
    tab.words.setFocus()
    forth = walked(tab, Qt.Key.Key_Tab)
    places = [down(stage, widget) for widget in forth]
    assert len(places) > 10
    assert places == sorted(places)
    forth[-1].setFocus()
    assert walked(tab, Qt.Key.Key_Backtab) == [*reversed(forth)]
