"""Colours that can be read, pictures that can be told apart."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QScrollArea
from pytestqt.qtbot import QtBot

from heedful.desktop.glyphs import GLYPHS, draw_glyph, draw_shape
from heedful.desktop.theme import DARK, LIGHT, TEXT_PAIRS, Theme, Tokens, contrast, style_sheet
from heedful.desktop.tray_icons import SIZES, tray_icon, tray_pixmap
from heedful.presenters.moods import Mood
from tests.desktop.pictures import ALPHA, painted, raw, strongest_contrast


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("pair", TEXT_PAIRS, ids="-on-".join)
def test_every_text_reaches_four_and_a_half_to_one(tokens: Tokens, pair: tuple[str, str]) -> None:
    text, ground = (getattr(tokens, name) for name in pair)
    assert contrast(text, ground) >= 4.5


def test_black_on_white_is_twenty_one_to_one() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


def test_choosing_a_theme_tells_once_and_an_equal_choice_does_not(qapp: QApplication) -> None:
    theme = Theme("light", qapp)
    told: list[None] = []
    theme.changed.connect(lambda: told.append(None))
    theme.choose("dark")
    theme.choose("dark")
    assert theme.tokens is DARK
    assert len(told) == 1


def test_the_style_sheet_is_one_that_qt_can_read(qapp: QApplication) -> None:
    for tokens in (LIGHT, DARK):
        qapp.setStyleSheet(style_sheet(tokens))


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_file_dialog_opened_from_a_page_that_scrolls_shows_its_fields(
    qapp: QApplication, qtbot: QtBot
) -> None:
    qapp.setStyleSheet(style_sheet(LIGHT))
    page = QScrollArea()
    qtbot.addWidget(page)
    dialog = QFileDialog(page)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.resize(600, 400)
    dialog.show()
    field = dialog.findChild(QLineEdit)
    assert field is not None
    picture = dialog.grab(field.geometry()).toImage()
    assert picture.pixelColor(picture.width() // 2, picture.height() // 2) == QColor(LIGHT.card)


@pytest.mark.parametrize("name", GLYPHS)
def test_every_glyph_draws_something(qapp: QApplication, name: str) -> None:
    assert painted(lambda painter, where, ink: draw_glyph(painter, name, where, ink)) > 8


def test_shapes_differ_without_colour(qapp: QApplication) -> None:
    shapes = ("critical", "important", "normal", "waiting", "done", "failed", "quiet", "dismissed")

    def ink_of(shape: str) -> int:
        return painted(lambda painter, where, ink: draw_shape(painter, shape, where, ink))

    assert len({ink_of(shape) for shape in shapes}) == len(shapes)


def test_each_mood_has_its_own_tray_picture_at_sixteen_pixels(qapp: QApplication) -> None:
    pictures = {raw(tray_pixmap(mood, 16, template=False).toImage()) for mood in Mood}
    assert len(pictures) == len(Mood)


def test_moods_differ_in_shape_alone_for_a_menu_bar_that_colours_them(qapp: QApplication) -> None:
    masks = {raw(tray_pixmap(mood, 22, template=True).toImage(), ALPHA) for mood in Mood}
    assert len(masks) == len(Mood)


@pytest.mark.parametrize("ground", ["#FFFFFF", "#202225"], ids=["light panel", "dark panel"])
@pytest.mark.parametrize("mood", Mood)
def test_the_tray_picture_stands_out_on_any_panel(qapp: QApplication, mood: Mood, ground: str) -> None:
    assert strongest_contrast(tray_pixmap(mood, 16, template=False), ground) >= 3


def test_the_tray_icon_comes_in_every_usual_size(qapp: QApplication) -> None:
    sizes = {size.width() for size in tray_icon(Mood.QUIET).availableSizes()}
    assert sizes == set(SIZES)
