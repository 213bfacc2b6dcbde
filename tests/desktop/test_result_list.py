"""The list of passages, its rows and its headings."""

from pytestqt.qtbot import QtBot

from heedful.core.ids import ChunkId, MessageId, ThreadId
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.result_list import Choices, ResultList
from heedful.presenters.days import Group
from heedful.presenters.memory_views import ResultRow


def passages(first: int, count: int) -> tuple[ResultRow, ...]:
    return tuple(
        ResultRow(
            ChunkId(f"c{n}"), MessageId(f"m{n}"), ThreadId(f"t{n}"), f"Letter {n}", "Ana", "Hello.", "9:00"
        )
        for n in range(first, first + count)
    )


def test_a_row_where_a_heading_stood_before_is_as_high_as_any_other(qtbot: QtBot) -> None:
    listed = ResultList(Theme("light"), Choices(lambda _: None, lambda _: None, lambda _: None))
    qtbot.addWidget(listed)
    listed.show_groups([Group("Today", passages(0, 2)), Group("Older", passages(2, 3))])
    listed.show_groups([Group("Older", passages(5, 6))])
    head, *heights = [listed.rowHeight(number) for number in range(7)]
    assert len(set(heights)) == 1
    assert head < heights[0]
