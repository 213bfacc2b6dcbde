"""The year in the Memory tab: its picture, its table, and the way to earlier years."""

from datetime import date, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.heat_map import MOST_PITCH, HeatMap
from heedful.presenters.memory_views import DayCell, YearView
from heedful.presenters.times import MONTHS
from tests.desktop.memory_tab import opened, point_at
from tests.desktop.stage import Stage, settle, texts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def test_the_years_picture_is_walked_by_arrows_and_opens_a_day(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    year = tab.home.year.picture
    year.setFocus(Qt.FocusReason.TabFocusReason)
    assert year.accessibleName() == "Tue 24 Nov 2026: nothing"
    QTest.keyClick(year, Qt.Key.Key_Up)
    assert year.accessibleName() == "Mon 23 Nov 2026: 6 messages"
    QTest.keyClick(year, Qt.Key.Key_Return)
    await settle()
    assert stage.remembered.view.value.results.title == "Mon 23 Nov 2026"
    assert "1 passage" in texts(tab.results)


async def test_a_day_is_opened_where_the_pointer_is(stage: Stage) -> None:
    tab = await opened(stage)
    year = tab.home.year.picture
    cells = stage.remembered.years.view.value.cells
    number = next(at for at, cell in enumerate(cells) if cell.count)
    QTest.mouseClick(
        year, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, year.place(number).center().toPoint()
    )
    await settle()
    assert stage.remembered.view.value.page == "results"
    assert stage.remembered.view.value.results.scope is not None


async def test_a_day_is_told_where_the_pointer_rests(stage: Stage) -> None:
    tab = await opened(stage)
    year = tab.home.year.picture
    monday = year.place(year.place_count() - 2).center().toPoint()
    point_at(year, monday)
    words = QToolTip.text()
    QToolTip.hideText()
    assert words == "Mon 23 Nov 2026: 6 messages"


async def test_the_way_to_the_year_before_stays_under_a_hand_that_presses_again(stage: Stage) -> None:
    tab = await opened(stage)
    way = tab.home.year.earlier
    before = way.x()
    await stage.press(way)
    assert stage.remembered.years.view.value.title == "2025"
    assert way.x() == before


async def test_the_year_can_be_read_as_a_table(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.press(tab.home.year.turn)
    table = tab.home.year.table
    assert table.isVisible()
    newest = table.model().index(0, 0)
    assert newest.data(Qt.ItemDataRole.AccessibleTextRole) == "Mon 23 Nov 2026: 6 messages"
    assert newest.data() == "6"


async def test_earlier_years_are_reached_by_keyboard_and_the_keyboard_stays_there(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    year = tab.home.year
    year.earlier.setFocus(Qt.FocusReason.TabFocusReason)
    assert (year.earlier.accessibleName(), year.later.isEnabled()) == ("Show 2025", False)
    assert year.later.accessibleName() == "No later year"
    for _ in range(2):
        QTest.keyClick(year.earlier, Qt.Key.Key_Space)
        await settle()
    assert year.picture.accessibleName() == "Messages a day, 2023"
    assert QApplication.focusWidget() is year.earlier
    assert not year.earlier.is_live
    QTest.keyClick(year.earlier, Qt.Key.Key_Space)
    await settle()
    assert year.picture.accessibleName() == "Messages a day, 2023"
    year.later.setFocus(Qt.FocusReason.TabFocusReason)
    assert not year.earlier.isEnabled()
    QTest.keyClick(year.later, Qt.Key.Key_Space)
    await settle()
    assert year.picture.accessibleName() == "Messages a day, 2025"
    assert QApplication.focusWidget() is year.later


async def test_a_year_that_begins_within_a_week_keeps_its_days_in_their_rows(stage: Stage) -> None:
    tab = await opened(stage)
    year = tab.home.year
    for _ in range(2):
        await stage.press(year.earlier)
    sunday, monday = year.picture.place(0), year.picture.place(1)
    assert sunday.top() > monday.top()
    assert monday.left() > sunday.left()
    assert year.picture.place_under(sunday.center()) == 0
    await stage.press(year.turn)
    table = year.table.model()
    first, last = table.index(table.rowCount() - 1, 6), table.index(0, 6)
    assert first.data(Qt.ItemDataRole.AccessibleTextRole) == "Sun 1 Jan 2023: 3 messages"
    assert last.data(Qt.ItemDataRole.AccessibleTextRole) == "Sun 31 Dec 2023: 1 message"
    assert table.index(table.rowCount() - 1, 5).data(Qt.ItemDataRole.AccessibleTextRole) is None


@pytest.mark.parametrize(("width", "bands"), [(360, 2), (460, 2), (760, 1), (1_600, 1)])
async def test_the_years_squares_stay_small_and_within_any_window(
    stage: Stage, width: int, bands: int
) -> None:
    tab = await opened(stage)
    stage.window.resize(width, 700)
    await settle()
    picture = tab.home.year.picture
    last = picture.place_count() - 1
    assert picture.place(last).right() <= picture.width()
    assert picture.place(last).bottom() <= picture.height()
    assert picture.place(0).width() < MOST_PITCH
    assert len({picture.place(number).top() for number in range(last + 1)}) == 7 * bands
    assert picture.height() < 130 * bands
    for number in (0, last // 2, last):
        assert picture.place_under(picture.place(number).center()) == number


@pytest.mark.parametrize("first", [date(2025, 12, 1), date(2025, 11, 24), date(2026, 1, 1), date(2025, 7, 7)])
@pytest.mark.parametrize("width", [360, 440, 900])
def test_every_month_of_a_year_is_named_also_where_one_begins_at_a_bands_edge(
    qtbot: QtBot, first: date, width: int
) -> None:
    cells = tuple(DayCell(first + timedelta(days=number), 0, 0) for number in range(364))
    picture = HeatMap(Theme("light"), lambda _: None)
    qtbot.addWidget(picture)
    picture.resize(width, 300)
    picture.show_year(YearView(cells=cells))
    firsts = [cell.day for cell in cells[:-7] if cell.day.day == 1]
    assert [word for _, word in picture.months()][: len(firsts)] == [MONTHS[day.month - 1] for day in firsts]


async def test_a_memory_of_one_year_shows_no_way_to_others(stage: Stage) -> None:
    tab = await opened(stage)
    stage.memory.days = {date(2026, 11, 2): 1}
    stage.memory.rows = stage.memory.rows[:1]
    await stage.remembered.load()
    assert not tab.home.year.earlier.isVisible()
    assert "1 of 3,980" in texts(tab.home.year)
