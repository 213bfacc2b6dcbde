"""The Today tab in a real window."""

import asyncio
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from heedful.actionables import State
from heedful.core.errors import DamageError
from heedful.desktop.widgets.buttons import Button
from heedful.desktop.widgets.card import Card
from heedful.desktop.widgets.row import Row
from heedful.desktop.window.today import TodayTab
from heedful.presenters.today import PAGE
from tests.desktop.stage import Stage, button, settle, texts
from tests.fakes import memories, samples

INVOICE, ANA = samples.morning()[:2]


def cards(stage: Stage) -> list[Card]:
    return [card for card in stage.window.findChildren(Card) if card.isVisible()]


def rows(stage: Stage) -> list[Row]:
    return [row for row in stage.window.findChildren(Row) if row.isVisible()]


def card_of(stage: Stage, title: str) -> Card:
    return next(card for card in cards(stage) if card.item.title == title)


async def test_a_critical_card_shows_its_evidence_at_once(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    said = texts(card_of(stage, INVOICE.draft.title))
    assert any(words.startswith("“your invoice HW-20931 over EUR 84.20 is due today") for words in said)
    assert [card.item.tag for card in cards(stage)] == ["Critical", "Important", "Important"]


async def test_why_this_unfolds_the_reasons_and_folds_them_again(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    card = card_of(stage, ANA.draft.title)
    assert not any(words.startswith("“Could you please") for words in texts(card))
    await stage.press(button(card, "Why this?"))
    assert any(words.startswith("“Could you please") for words in texts(card))
    assert "· Found by the built-in finder." in texts(card)
    await stage.press(card.details.bar.why)
    assert "· Found by the built-in finder." not in texts(card)


async def test_the_message_behind_an_item_is_a_click_away(stage: Stage) -> None:
    memories.furnish(stage.memory)
    chunk = stage.memory.messages[0].chunks[0].id
    item = replace(ANA, draft=replace(ANA.draft, evidence=(replace(ANA.draft.evidence[0], chunk_id=chunk),)))
    stage.decisions.put(item)
    await stage.show()
    card = card_of(stage, ANA.draft.title)
    await stage.press(card.details.bar.why)
    assert card.details.read is not None
    await stage.press(card.details.read)
    assert stage.window.page("memory").isVisible()
    letter = stage.remembered.view.value.letter
    assert letter is not None
    assert letter.subject == "Q1 launch: press text is final"


async def test_an_item_whose_message_was_forgotten_says_so(stage: Stage) -> None:
    stage.decisions.put(ANA)
    await stage.show()
    card = card_of(stage, ANA.draft.title)
    await stage.press(card.details.bar.why)
    assert card.details.read is not None
    stage.decisions.put(replace(ANA, draft=replace(ANA.draft, evidence=())))
    await stage.press(card.details.read)
    assert stage.toasts.last.value is not None
    assert stage.toasts.last.value.text.startswith("There is no message to read. ")
    assert stage.window.page("today").isVisible()


async def test_approve_is_offered_only_where_a_word_is_needed(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    await stage.press(button(card_of(stage, INVOICE.draft.title), "Approve"))
    assert stage.decisions.kept[INVOICE.id].state is State.APPROVED
    assert not any(
        found.text() == "Approve" for found in stage.window.findChildren(Button) if found.isVisible()
    )


async def test_done_takes_the_card_away_and_undo_brings_it_back(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    await stage.press(button(card_of(stage, ANA.draft.title), "Done"))
    assert stage.decisions.kept[ANA.id].state is State.COMPLETED
    assert all(card.item.id != ANA.id for card in cards(stage))
    assert stage.window.toast.isVisible()
    await stage.press(stage.window.toast.button)
    assert stage.decisions.kept[ANA.id].state is State.ACTIVE
    assert any(card.item.id == ANA.id for card in cards(stage))


async def test_the_undo_key_does_what_the_undo_button_does(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    await stage.press(button(card_of(stage, ANA.draft.title), "Dismiss"))
    stage.window.toast.undo_now()
    await settle()
    assert stage.decisions.kept[ANA.id].state is State.ACTIVE


async def test_snooze_offers_one_six_and_twenty_four_hours(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    snooze = button(card_of(stage, ANA.draft.title), "Snooze")
    menu = snooze.findChild(QMenu)
    assert menu is not None
    assert [action.text() for action in menu.actions()] == ["For 1 hour", "For 6 hours", "For 24 hours"]
    menu.actions()[2].trigger()
    await settle()
    kept = stage.decisions.kept[ANA.id]
    assert kept.state is State.SNOOZED
    assert stage.toasts.last.value is not None
    assert stage.toasts.last.value.text.endswith("snoozed until tomorrow 10:32")


async def test_a_decision_that_failed_brings_the_card_back_with_words(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    stage.decisions.failure = DamageError("The disk is full", "Nothing was changed.", "Free some space.")
    await stage.press(button(card_of(stage, ANA.draft.title), "Done"))
    assert any(card.item.id == ANA.id for card in cards(stage))
    assert stage.window.toast.accessibleName() == "The disk is full. Nothing was changed. Free some space."


async def test_an_unfolded_row_shows_its_whole_title_and_a_folded_one_a_line(stage: Stage) -> None:
    stage.decisions.put(
        samples.item("Confirm to the caretaker and to the whole house whether you can come to the meeting")
    )
    await stage.show()
    (row,) = rows(stage)
    folded = row.head.height()
    await stage.press(row.head)
    assert row.head.height() > folded
    stage.window.resize(1_200, 700)
    await settle()
    assert row.head.height() == folded
    stage.window.resize(460, 700)
    await stage.press(row.head)
    assert row.head.height() == folded


async def test_a_row_unfolds_by_mouse_and_by_keyboard(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    row = next(row for row in rows(stage) if row.item.title.startswith("Return the signed"))
    await stage.press(row.head)
    assert any(words.startswith("Done: Return") for words in texts(row))
    row.head.setFocus()
    QTest.keyClick(row.head, Qt.Key.Key_Return)
    await settle()
    assert not any(words.startswith("Done: Return") for words in texts(row))


async def test_everything_can_be_reached_by_tab_alone(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    stage.window.activateWindow()
    reached: set[str] = set()
    for _ in range(80):
        QTest.keyClick(QApplication.focusWidget() or stage.window, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is not None:
            reached.add(focused.accessibleName())
    for words in ("Today, 3 waiting", f"Approve: {INVOICE.draft.title}", f"Snooze: {ANA.draft.title}"):
        assert words in reached


async def test_the_arrow_keys_go_through_the_rail(stage: Stage) -> None:
    await stage.show()
    assert stage.window.rail is not None
    stage.window.rail.buttons["today"].setFocus()
    QTest.keyClick(stage.window.rail.buttons["today"], Qt.Key.Key_Down)
    await settle()
    assert stage.window.stack.currentWidget() is stage.window.page("memory")


async def test_every_button_has_a_name_for_a_screen_reader(stage: Stage) -> None:
    stage.decisions.put(*samples.morning(), *samples.set_aside())
    await stage.show()
    for tab in ("today", "memory", "activity", "sources", "settings"):
        stage.window.open_tab(tab)
        await settle()
        nameless = [
            type(found).__name__
            for found in stage.window.page(tab).findChildren(QWidget)
            if found.isVisible() and found.focusPolicy() is not Qt.FocusPolicy.NoFocus
            and not found.accessibleName() and not found.objectName().startswith("qt_")
        ]  # fmt: skip
        assert nameless == []


async def test_an_empty_today_leads_to_the_sources(stage: Stage) -> None:
    await stage.show()
    await stage.press(button(stage.window, "Add a source"))
    assert stage.window.stack.currentWidget() is stage.window.page("sources")


async def test_what_was_put_aside_unfolds_and_can_be_brought_back(stage: Stage) -> None:
    stage.decisions.put(*samples.morning(), *samples.set_aside())
    await stage.show()
    await stage.press(button(stage.window, "Snoozed"))
    row = next(row for row in rows(stage) if row.item.title == "Renew passport")
    stage.decisions.before[row.item.id] = samples.item("Renew passport")
    await stage.press(row.head)
    await stage.press(button(row, "Bring back"))
    assert stage.decisions.kept[row.item.id].state is State.ACTIVE


async def test_ten_thousand_items_are_shown_at_once_and_more_on_scrolling(stage: Stage) -> None:
    stage.decisions.put(*samples.many(10_000))
    await stage.show()
    stage.window.grab()
    assert len(rows(stage)) == PAGE
    page = stage.window.page("today")
    bar = page.area.verticalScrollBar()  # type: ignore[attr-defined] # the tab's own scrolling column
    bar.setValue(bar.maximum())
    await settle()
    assert len(rows(stage)) == 2 * PAGE


async def test_a_double_press_decides_once(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    stage.decisions.gate = asyncio.Event()
    done = button(card_of(stage, ANA.draft.title), "Done")
    QTest.mouseClick(done, Qt.MouseButton.LeftButton)
    QTest.mouseClick(done, Qt.MouseButton.LeftButton)
    await settle()
    stage.decisions.gate.set()
    await settle()
    assert stage.decisions.kept[ANA.id].state is State.COMPLETED
    assert stage.toasts.last.value is not None
    assert stage.toasts.last.value.tone == "done"


def today_tab(stage: Stage) -> TodayTab:
    page = stage.window.page("today")
    assert isinstance(page, TodayTab)
    return page


async def type_words(stage: Stage, words: str) -> None:
    """Types where the focus is, and waits until the filter, which reads in a thread, shows them."""
    QTest.keyClicks(today_tab(stage).field, words)
    while stage.today.view.value.sought != today_tab(stage).field.text():
        await settle(1)


async def test_the_filter_is_brought_up_narrows_what_is_shown_and_goes_with_escape(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    page = today_tab(stage)
    assert not page.filter_bar.isVisible()
    stage.window.activateWindow()
    await settle()
    QTest.keyClick(stage.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.field.hasFocus()
    await type_words(stage, "slides")
    assert [card.item.title for card in cards(stage)] == [ANA.draft.title]
    assert rows(stage) == []
    assert page.found.accessibleName() == "1 of 7"
    QTest.keyClick(page.field, Qt.Key.Key_Escape)
    while stage.today.view.value.sought:
        await settle(1)
    assert stage.window.isVisible()
    assert not page.filter_bar.isVisible()
    assert len(cards(stage)) == 3


async def test_a_letter_typed_on_the_tab_begins_the_filter(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    page = today_tab(stage)
    QTest.keyClick(page, Qt.Key.Key_S)
    assert page.filter_bar.isVisible()
    assert page.field.text() == "s"
    QTest.keyClick(page, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert page.field.text() == "s"
    while stage.today.view.value.sought != "s":
        await settle(1)


async def test_a_filter_that_finds_nothing_says_so(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    page = today_tab(stage)
    page.seek()
    await type_words(stage, "giraffe")
    assert page.nothing.isVisible()
    assert page.nothing.accessibleName() == "Nothing open holds “giraffe”."
    assert cards(stage) == []


async def test_an_empty_tab_has_nothing_to_filter(stage: Stage) -> None:
    await stage.show()
    page = today_tab(stage)
    page.seek()
    assert not page.filter_bar.isVisible()


async def test_the_filter_is_there_uncalled_where_there_is_much_to_look_through(stage: Stage) -> None:
    stage.decisions.put(*samples.many(30))
    await stage.show()
    assert today_tab(stage).filter_bar.isVisible()


async def test_an_item_is_revealed_unfolded_and_in_sight(stage: Stage) -> None:
    items = samples.many(60)
    stage.decisions.put(*items)
    await stage.show()
    page = today_tab(stage)
    last = (stage.open_items.open.value.items or ())[-1]
    page.reveal(last.id)
    await settle()
    row = next(row for row in rows(stage) if row.item.id == last.id)
    assert row.head.isChecked()
    assert row.head.hasFocus()
    top = row.mapTo(page.area.viewport(), QPoint(0, 0)).y()
    assert 0 <= top < page.area.viewport().height()


async def test_a_revealed_card_is_the_one_with_the_coloured_edge(stage: Stage) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    before = card_of(stage, ANA.draft.title).grab().toImage()
    today_tab(stage).reveal(ANA.id)
    await settle()
    assert card_of(stage, ANA.draft.title).grab().toImage() != before
