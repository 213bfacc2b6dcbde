"""The Memory tab in a real window."""

from time import thread_time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from heedful.core.errors import UserCanFixError
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.desktop.widgets.paragraph import Paragraph
from heedful.desktop.window.frame import STILL_HERE_WORDS
from heedful.desktop.window.memory import MemoryTab
from heedful.presenters.memory_rows import SLICE
from heedful.presenters.memory_views import EntityScope
from tests.desktop.memory_tab import look_up, opened, point_at
from tests.desktop.stage import Stage, button, settle, texts
from tests.fakes import memories

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

FRAME_S = 0.016


async def test_what_was_not_found_is_told_whole_in_the_smallest_window(stage: Stage) -> None:
    stage.window.resize(stage.window.minimumSize())
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes of the harbour office"))
    await settle()
    await look_up(tab, "zebra")
    (state,) = [one for one in tab.findChildren(EmptyState) if one.isVisible()]
    for part in state.findChildren(Paragraph):
        assert state.rect().contains(part.geometry())
        assert part.height() >= part.heightForWidth(part.width())
    assert tab.results.rect().contains(state.geometry())


async def test_what_empties_the_field_says_so(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "slides")
    await stage.press(button(tab.words, "Clear the words"))
    assert tab.words.text() == ""
    assert stage.remembered.view.value.page == "home"


async def test_escape_leads_from_a_letter_to_its_list_and_to_the_navigator_and_then_closes(
    stage: Stage,
) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await look_up(tab, "slides")
    QTest.keyClick(tab.words, Qt.Key.Key_Return)
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    pages = []
    for _ in range(2):
        pages.append(stage.remembered.view.value.page)
        QTest.keyClick(stage.window.focusWidget(), Qt.Key.Key_Escape)
        await settle()
    assert pages == ["letter", "results"]
    assert stage.remembered.view.value.page == "home"
    assert stage.toasts.last.value is None
    QTest.keyClick(stage.window.focusWidget(), Qt.Key.Key_Escape)
    await settle()
    assert stage.window.toast.accessibleName() == STILL_HERE_WORDS


async def test_the_navigator_names_sources_people_topics_and_days(stage: Stage) -> None:
    tab = await opened(stage)
    said = texts(tab.home)
    assert "Inbox.mbox, 3,980 · last new 4 min ago" in said
    assert "work.ics, 212 · needs you" in said
    assert "Ana Lopes, 214 passages" in said
    assert "Hostwerk, 13 passages" in said
    assert any(words.startswith("Last 7 days") for words in said)


async def test_the_first_few_people_are_shown_and_the_rest_on_request(stage: Stage) -> None:
    memories.furnish(stage.memory)
    stage.memory.people = tuple(memories.entity(f"Person {number:02}") for number in range(20))
    await stage.show("memory")
    tab = stage.window.page("memory")
    assert isinstance(tab, MemoryTab)
    people = tab.home.people.list
    assert (len(people.rows), people.more.text()) == (6, "14 more")
    await stage.press(people.more)
    assert (len(people.rows), people.more.text()) == (20, "Fewer")
    assert not tab.home.things.list.more.isVisible()


async def test_things_are_shown_kind_by_kind(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.press(button(tab.home.things, "Places"))
    assert "Lisbon, 22 passages" in texts(tab.home.things)
    assert "Hostwerk, 13 passages" not in texts(tab.home.things)
    await stage.press(button(tab.home.things, "Porto"))
    assert stage.remembered.view.value.results.scope == EntityScope("e-porto", "Porto")


async def test_words_lead_to_passages_and_a_passage_to_its_letter_by_keyboard_alone(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await look_up(tab, "launch final")
    assert tab.results.isVisible()
    QTest.keyClick(tab.words, Qt.Key.Key_Return)
    await settle()
    assert tab.results.list.hasFocus()
    QTest.keyClick(tab.results.list, Qt.Key.Key_Return)
    await settle()
    assert tab.letter.isVisible()
    assert "Q1 launch: press text is final" in texts(tab.letter)
    assert tab.letter.back.hasFocus()
    QTest.keyClick(tab.letter.back, Qt.Key.Key_Return)
    await settle()
    assert tab.results.list.isVisible()


async def test_what_matched_is_marked_in_the_letter(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "launch")
    QTest.mouseClick(
        tab.results.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(80, 30)
    )
    await settle()
    cursor = tab.letter.text.document().find("launch")
    marked = cursor.charFormat().background().color()
    assert marked == stage.theme.colour("amber_pale")
    assert tab.letter.text.document().find("press").charFormat().background().style() is Qt.BrushStyle.NoBrush


async def test_source_text_is_never_taken_for_markup(stage: Stage) -> None:
    memories.furnish(stage.memory)
    stage.memory.messages.insert(
        0, memories.letter('<a href="https://x.example">press</a> <b>now</b>', subject="Offer", seq=50)
    )
    await stage.show("memory")
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    tab = stage.window.page("memory")
    assert isinstance(tab, MemoryTab)
    assert tab.letter.text.toPlainText() == '<a href="https://x.example">press</a> <b>now</b>'


async def test_a_name_in_a_letter_leads_to_the_person_with_who_is_around(stage: Stage) -> None:
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    picture = tab.results.around.picture
    assert picture.isVisible()
    assert picture.accessibleName().startswith("Around Ana Lopes: Jonas Brandt")
    await stage.press(tab.results.around.turn)
    assert "works with Jonas Brandt, 14 passages" in texts(tab.results.around)
    await stage.press(button(tab.results.around, "works with Jonas Brandt"))
    assert stage.remembered.view.value.results.scope == EntityScope("e-jonas brandt", "Jonas Brandt")


async def test_the_keyboard_follows_a_name_in_a_letter_to_the_persons_rows(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    tab.letter.enter()
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    assert tab.results.back.hasFocus()
    await settle()
    assert tab.results.list.hasFocus()


async def test_the_relation_picture_is_walked_by_arrows(stage: Stage) -> None:
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    picture = tab.results.around.picture
    picture.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(picture, Qt.Key.Key_Right)
    assert picture.accessibleName() == "owns Projeto Ciclone, 9 passages"
    QTest.keyClick(picture, Qt.Key.Key_Return)
    await settle()
    assert stage.remembered.view.value.results.title == "Projeto Ciclone"


async def test_who_is_around_somebody_is_told_by_pointing_and_opened_by_a_press(stage: Stage) -> None:
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    picture = tab.results.around.picture
    where = picture.pill(1).center().toPoint()
    point_at(picture, where)
    words = QToolTip.text()
    QToolTip.hideText()
    assert words == "owns Projeto Ciclone, 9 passages"
    QTest.mouseClick(picture, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)
    await settle()
    assert stage.remembered.view.value.results.title == "Projeto Ciclone"


async def test_copying_takes_the_whole_letter(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await stage.press(tab.letter.copy)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(
        "Q1 launch: press text is final\nAna Lopes, Tue 24 Nov 2026, 09:41\nTo Rui Prata"
    )
    assert copied.endswith("launch in spring.")
    assert tab.letter.copy.text() == "Copied"


async def test_copying_a_selection_says_where_it_stands(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    cursor = tab.letter.text.document().find("before the board call")
    tab.letter.text.setTextCursor(cursor)
    assert tab.letter.copy.text() == "Copy selection"
    await stage.press(tab.letter.copy)
    assert QGuiApplication.clipboard().text() == (
        "“before the board call”\n"
        "— Ana Lopes, Tue 24 Nov 2026, 09:41 · Q1 launch: press text is final · Inbox.mbox"
    )


async def test_a_name_in_a_letter_says_what_it_is_and_is_reached_by_tab(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    found = tab.letter.text.document().find("Projeto Ciclone")
    assert found.charFormat().toolTip() == "Project · Projeto Ciclone"
    tab.letter.text.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(tab.letter.text, Qt.Key.Key_Tab)
    assert tab.letter.text.textCursor().selectedText() == "Projeto Ciclone"
    QTest.keyClick(tab.letter.text, Qt.Key.Key_Return)
    await settle()
    assert stage.remembered.view.value.results.scope == EntityScope("e-projeto ciclone", "Projeto Ciclone")


async def test_a_letter_says_what_found_it(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "launch")
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    assert "Every word is in it, as it is written or inflected." in texts(tab.letter)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    assert not tab.letter.found.isVisible()


async def test_why_a_passage_was_kept_is_said_by_bars_with_their_threshold(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    said = texts(tab.letter)
    assert "in all: 78 of 100, kept from 30" in said
    assert "between you and others: 90 of 100" in said


async def test_an_empty_memory_says_what_to_do(stage: Stage) -> None:
    await stage.show("memory")
    await stage.press(button(stage.window, "Add a source"))
    assert stage.window.stack.currentWidget() is stage.window.page("sources")


async def test_a_memory_that_cant_be_read_says_so_and_tries_again(stage: Stage) -> None:
    stage.memory.failure = UserCanFixError(
        "The store can't be read", "Another program holds it.", "Close it."
    )
    await stage.show("memory")
    assert "Another program holds it. Close it." in texts(stage.window)
    memories.furnish(stage.memory)
    stage.memory.failure = None
    await stage.press(button(stage.window, "Try again"))
    assert "Ana Lopes, 214 passages" in texts(stage.window)


async def test_what_is_missing_for_meaning_is_said(stage: Stage) -> None:
    tab = await opened(stage)
    stage.memory.degraded = True
    await stage.press(tab.mode.button("meaning"))
    await look_up(tab, "launch")
    assert "By words alone: no model for meaning is in reach." in texts(tab.results)


async def test_ctrl_f_goes_to_the_words(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    QTest.keyClick(stage.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert tab.words.hasFocus()


async def test_a_list_of_thousands_is_shown_and_scrolled_within_a_few_frames(stage: Stage) -> None:
    tab = await opened(stage)
    stage.memory.messages = [
        memories.letter(f"Line {number} about the launch.", subject=f"Number {number}", seq=number)
        for number in range(5_000)
    ]
    await look_up(tab, "launch")
    await settle(5_000 // SLICE)
    groups = stage.remembered.view.value.results.groups
    assert len(groups[0].members) == 5_000
    bar = tab.results.list.verticalScrollBar()

    def scrolled(to: int) -> float:
        began = thread_time()
        bar.setValue(to)
        tab.results.list.viewport().repaint()
        return thread_time() - began

    assert sorted(scrolled(bar.maximum() - 1_000 * step) for step in range(5))[2] < FRAME_S


async def test_a_persons_page_keeps_its_rows_in_a_small_window(stage: Stage) -> None:
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    roomy = tab.results.upper
    assert roomy.height() == roomy.sizeHint().height()
    stage.window.resize(460, 420)
    await settle()
    assert tab.results.list.height() > 90
    assert roomy.verticalScrollBar().maximum() > 0
    assert (
        roomy.geometry().bottom() < tab.results.list.mapTo(tab.results, tab.results.list.rect().topLeft()).y()
    )


async def test_forgetting_asks_first_and_then_goes_back_to_the_list(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "launch")
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    await stage.remembered.ask_to_forget_letter(whole_thread=False)
    await settle()
    assert len(stage.memory.messages) == 9
    assert "1 message in 1 passage." in texts(tab.forgetting)
    await stage.press(tab.forgetting.really)
    assert len(stage.memory.messages) == 8
    assert tab.results.isVisible()
    assert "is forgotten" in stage.window.toast.accessibleName()


async def test_a_long_letter_is_unfolded_in_its_order_without_writing_it_anew(stage: Stage) -> None:
    tab = await opened(stage)
    long = memories.letter("A sentence.", seq=90, passages=20)
    stage.memory.messages.insert(0, long)
    await stage.remembered.open_letter(long.chunks[10].id)
    await settle()
    assert tab.letter.earlier.text() == "8 passages before this"
    await stage.press(tab.letter.earlier)
    await stage.press(tab.letter.later)
    shown = [words for words in tab.letter.text.toPlainText().split("\n") if words]
    assert shown == [f"A sentence. Part {number}." for number in range(6, 17)]


async def test_whom_the_words_name_stands_above_the_passages(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "Jonas")
    await stage.press(button(tab.results, "Jonas Brandt, 96 passages"))
    assert stage.remembered.view.value.results.scope == EntityScope("e-jonas brandt", "Jonas Brandt")
    assert tab.words.text() == ""


async def test_every_place_that_the_keyboard_reaches_has_a_name(stage: Stage) -> None:
    tab = await opened(stage)

    def nameless() -> list[str]:
        return [
            type(found).__name__
            for found in tab.findChildren(QWidget)
            if found.isVisible()
            and found.focusPolicy() is not Qt.FocusPolicy.NoFocus
            and not found.accessibleName()
            and not found.objectName().startswith("qt_")
        ]

    assert nameless() == []
    await stage.press(tab.home.year.turn)
    assert nameless() == []
    await look_up(tab, "launch")
    assert nameless() == []
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await stage.remembered.ask_to_forget_letter(whole_thread=True)
    await settle()
    assert nameless() == []
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    assert nameless() == []


async def test_who_is_opened_by_keyboard_from_what_was_found_keeps_the_keyboard_in_the_page(
    stage: Stage,
) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await look_up(tab, "Jonas")
    found = button(tab.results.named, "Jonas Brandt")
    found.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(found, Qt.Key.Key_Return)
    await settle()
    assert tab.results.profile.isVisible()
    here = QApplication.focusWidget()
    assert here is not None
    assert tab.results.isAncestorOf(here)
    assert here.isVisible()


async def test_the_field_is_told_when_the_way_back_empties_it(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "launch")
    heard: list[str] = []
    tab.words.textChanged.connect(heard.append)
    await stage.press(tab.results.back)
    assert heard == [""]
    assert stage.remembered.view.value.page == "home"


async def test_the_field_names_the_place_that_is_looked_through(stage: Stage) -> None:
    tab = await opened(stage)
    plain = tab.words.placeholderText()
    await stage.press(button(tab.home, "Ana Lopes"))
    assert tab.words.placeholderText() == "Words within Ana Lopes"
    await look_up(tab, "zebra")
    assert any("Only “Ana Lopes” was looked through." in words for words in texts(tab.results))
    stage.remembered.back()
    await settle()
    assert tab.words.placeholderText() == plain


async def test_a_letter_that_is_opened_again_begins_at_its_top_and_was_not_copied_yet(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.resize(460, 420)
    await look_up(tab, "launch")
    (group,) = stage.remembered.view.value.results.groups
    for _ in range(2):
        await stage.remembered.open_letter(group.members[0].chunk_id)
        await settle()
        bar = tab.letter.area.verticalScrollBar()
        assert bar.maximum() > 0
        assert (bar.value(), tab.letter.copy.text()) == (0, "Copy")
        await stage.press(tab.letter.copy)
        bar.setValue(bar.maximum())
        stage.remembered.back()
        await settle()
