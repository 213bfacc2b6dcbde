"""What is cut for want of room is told whole where the pointer rests on it, and what is not cut is not told twice."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.desktop.widgets.ways import Way, WayRow
from tests.desktop.memory_tab import look_up, opened, point_at
from tests.desktop.stage import Stage, settle
from tests.fakes import memories

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

LONG = "Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung"


def told(widget: QWidget, width: int) -> str:
    """The tooltip of a widget that was drawn so wide."""
    widget.resize(width, max(20, widget.sizeHint().height()))
    widget.grab()
    return widget.toolTip()


def test_a_line_is_told_whole_where_it_is_cut_and_only_there(qapp: QApplication) -> None:
    theme = Theme("light", qapp)
    line = Paragraph(theme, META, text=LONG, lines=1)
    assert (told(line, 90), told(line, 900), told(line, 120)) == (LONG, "", LONG)
    way = WayRow(theme, Way("one", LONG, "12 passages", lambda: None))
    assert (told(way, 240), told(way, 900)) == (LONG, "")


def last_ink(line: Paragraph) -> list[int]:
    """The heights, from the top, at which the rightmost columns of what was drawn have ink."""
    picture = line.grab().toImage()
    ground = picture.pixel(0, 0)
    inked = [
        (across, down)
        for across in range(picture.width())
        for down in range(picture.height())
        if picture.pixel(across, down) != ground
    ]
    right = max(across for across, _ in inked)
    return [down for across, down in inked if across >= right - 1]


def test_what_is_cut_ends_in_three_dots_whatever_the_width(qapp: QApplication) -> None:
    words = "Deutsch.mbox · Hostwerk billing · 19 min ago"
    line = Paragraph(Theme("light", qapp), META, text=words, lines=1)
    for width in range(60, line.natural_width(), 3):
        assert told(line, width) == words
        assert min(last_ink(line)) > line.height() / 2


def test_what_looks_like_markup_is_told_as_it_is_written(qapp: QApplication) -> None:
    line = Paragraph(Theme("light", qapp), META, text="<b>Sale</b> <img src=x> " * 4, lines=1)
    assert "&lt;b&gt;Sale&lt;/b&gt;" in told(line, 90)


async def test_a_passage_is_told_whole_where_its_title_is_cut(stage: Stage) -> None:
    tab = await opened(stage)
    stage.memory.messages = [
        memories.letter("Harbour.", subject=LONG, seq=1),
        memories.letter("Harbour.", subject="Short", seq=2),
    ]
    await look_up(tab, "harbour")
    await settle()
    listed = tab.results.list
    rows = {index.data().split(",")[0]: index for index in map(listed.model().index, range(2), (0, 0))}
    seen = []
    for title in ("Short", LONG):  # one that is shown takes a while to go
        point_at(listed.viewport(), QPoint(40, listed.visualRect(rows[title]).center().y()))
        seen.append(QToolTip.text())
    QToolTip.hideText()
    assert seen == ["", LONG]
