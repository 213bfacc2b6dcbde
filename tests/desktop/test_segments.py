"""Few words side by side, of which one is chosen."""

import pytest
from PySide6.QtGui import QAccessible, QFont
from PySide6.QtWidgets import QApplication

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.segments import Segments

KINDS = ("Organisations", "Projects", "Products", "Places", "Topics")
ROOM = 460 - 60 - 2 * 12 - 8
"""The narrow window without its rail, margins and scroll bar."""


@pytest.mark.parametrize("family", ["DejaVu Sans", "Inter"])
def test_five_words_find_room_in_the_narrow_window_whatever_the_letters(
    qapp: QApplication, family: str
) -> None:
    usual = qapp.font()
    qapp.setFont(QFont(family, 10))
    try:
        segments = Segments(Theme("light", qapp), {word: word for word in KINDS})
        assert segments.minimumSizeHint().width() <= ROOM
        assert segments.sizeHint().width() > segments.minimumSizeHint().width()
    finally:
        qapp.setFont(usual)


def test_one_word_is_chosen_and_the_choice_is_told(qapp: QApplication) -> None:
    segments = Segments(Theme("light", qapp), {word: word for word in KINDS})
    told: list[str] = []
    segments.chosen.connect(told.append)
    segments.settle("Projects")
    segments.button("Places").click()
    assert told == ["Places"]
    assert not segments.button("Projects").isChecked()


def test_a_screen_reader_hears_one_of_several(qapp: QApplication) -> None:
    segments = Segments(Theme("light", qapp), {word: word for word in KINDS})
    heard = QAccessible.queryAccessibleInterface(segments.button("Places"))
    assert heard.role() is QAccessible.Role.RadioButton
