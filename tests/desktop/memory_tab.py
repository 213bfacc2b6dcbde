"""The Memory tab on the stage, opened and asked."""

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from heedful.desktop.window.memory import MemoryTab
from tests.desktop.stage import Stage, settle
from tests.fakes import memories


async def opened(stage: Stage) -> MemoryTab:
    """The tab of a furnished memory, in front."""
    memories.furnish(stage.memory)
    await stage.show("memory")
    page = stage.window.page("memory")
    assert isinstance(page, MemoryTab)
    return page


async def look_up(tab: MemoryTab, words: str) -> None:
    """Types words into the field, and waits for what they find."""
    tab.words.setFocus()
    QTest.keyClicks(tab.words, words)
    await settle()


def point_at(widget: QWidget, point: QPoint) -> None:
    """Lets the pointer rest on a place, so that what is to be told of it is told."""
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point)))
