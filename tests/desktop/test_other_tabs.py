"""Sources, Activity and Settings in a real window."""

import asyncio
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from heedful.core.events import SourceProgressed
from heedful.core.ids import SourceId
from heedful.desktop.widgets.timeline import LookRow
from heedful.desktop.window.activity import ActivityTab
from heedful.desktop.window.settings import SettingsTab
from heedful.desktop.window.sources import SourceCard, SourcesTab
from heedful.inference import LocalServer
from tests.desktop.stage import Stage, button, settle, texts
from tests.fakes import samples

INBOX = SourceId("Inbox.mbox")


def fill(stage: Stage) -> None:
    stage.library.rows = {row.id: row for row in samples.shelves_of_sources()}
    stage.library.addresses = {own.address: own for own in samples.ADDRESSES}
    stage.library.rejected[INBOX] = samples.REJECTS


def sources_tab(stage: Stage) -> SourcesTab:
    page = stage.window.page("sources")
    assert isinstance(page, SourcesTab)
    return page


def settings_tab(stage: Stage) -> SettingsTab:
    page = stage.window.page("settings")
    assert isinstance(page, SettingsTab)
    return page


def card(stage: Stage, name: str) -> SourceCard:
    return next(one for one in stage.window.findChildren(SourceCard) if name in one.accessibleName())


async def test_dropped_files_are_read(stage: Stage) -> None:
    await stage.show("sources")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/mail/Inbox.mbox"), QUrl("https://elsewhere.example/x.mbox")])
    drop = QDropEvent(
        QPointF(QPoint(10, 10)),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    sources_tab(stage).drop_zone.dropEvent(drop)
    await settle()
    assert stage.library.synced == [INBOX]
    assert "Inbox.mbox" in texts(card(stage, "Inbox.mbox"))


async def test_files_may_be_dropped_anywhere_on_the_tab(stage: Stage) -> None:
    await stage.show("sources")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/mail/work.ics")])
    entering = QDragEnterEvent(
        QPoint(200, 40),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(sources_tab(stage).viewport(), entering)
    assert entering.isAccepted()
    assert sources_tab(stage).drop_zone.is_called
    drop = QDropEvent(
        QPointF(200, 40),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(sources_tab(stage).viewport(), drop)
    await settle()
    assert stage.library.synced == ["work.ics"]
    assert not sources_tab(stage).drop_zone.is_called


async def test_progress_is_shown_while_a_source_is_read(stage: Stage) -> None:
    fill(stage)
    await stage.show("sources")
    stage.library.gate = asyncio.Event()
    await stage.press(card(stage, "Inbox.mbox").read)
    stage.bus.publish([SourceProgressed(INBOX, 1_204, 3_980, 0)])
    await settle()
    shown = card(stage, "Inbox.mbox")
    assert shown.bar.isVisible()
    assert shown.bar.accessibleName() == "30%"
    assert shown.status.accessibleName() == "reading"
    assert shown.detail.accessibleName().startswith("1,204 of 3,980")
    stage.library.gate.set()
    await settle()
    assert not shown.bar.isVisible()


async def test_the_switch_keeps_a_source_on_this_computer(stage: Stage) -> None:
    fill(stage)
    await stage.show("sources")
    await stage.press(card(stage, "Inbox.mbox").stay)
    assert stage.library.rows[INBOX].egress == "local-only"


async def test_removing_asks_first_and_says_what_goes(stage: Stage) -> None:
    fill(stage)
    await stage.show("sources")
    inbox = card(stage, "Inbox.mbox")
    await stage.press(inbox.remove)
    assert INBOX in stage.library.rows
    assert "Remove it and its 3,980 messages? This can't be undone." in texts(inbox)
    await stage.press(inbox.remove_really)
    assert INBOX not in stage.library.rows


async def test_what_could_not_be_read_unfolds_with_reasons(stage: Stage) -> None:
    fill(stage)
    await stage.show("sources")
    inbox = card(stage, "Inbox.mbox")
    await stage.press(inbox.rejected)
    assert any("It has no date and no sender." in words for words in texts(inbox))


async def test_an_own_address_can_be_typed_in(stage: Stage) -> None:
    fill(stage)
    await stage.show("sources")
    field = sources_tab(stage).address
    field.setText("rui@work.example")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await settle()
    assert "rui@work.example" in stage.library.addresses
    assert field.text() == ""


async def test_a_chosen_path_is_taken_as_it_is(stage: Stage) -> None:
    await stage.show("sources")
    sources_tab(stage).take([Path("/notes/of mine")])
    await settle()
    assert stage.library.synced == ["of mine"]


async def test_the_record_shows_each_look_and_answers_why(stage: Stage) -> None:
    stage.activity.rows = list(samples.looks())
    stage.activity.summary = samples.SUMMARY
    stage.activity.answers = {"season sale": samples.explanation()}
    await stage.show("activity")
    page = stage.window.page("activity")
    assert isinstance(page, ActivityTab)
    assert any(words.startswith("10:15, The model server did not answer") for words in texts(page))
    page.question.setText("season sale")
    QTest.keyClick(page.question, Qt.Key.Key_Return)
    await settle()
    assert page.answer.accessibleName() == "“Season sale ends Sunday” stayed silent"
    assert "It is bulk mail." in page.reasons.accessibleName()


async def test_why_a_look_failed_is_never_cut_off(stage: Stage) -> None:
    stage.activity.rows = list(samples.looks())
    await stage.show("activity")
    page = stage.window.page("activity")
    assert isinstance(page, ActivityTab)
    quiet, failed = (row.head for row in page.findChildren(LookRow)[::3][:2])
    assert failed.height() > quiet.height()
    stage.window.resize(1_000, 700)
    await settle()
    assert failed.height() == quiet.height()


async def test_a_look_can_be_asked_for(stage: Stage) -> None:
    await stage.show("activity")
    page = stage.window.page("activity")
    await stage.press(button(page, "Look now"))
    assert stage.loop.requests == ["manual"]


async def test_consent_is_asked_in_the_window_before_a_provider_is_used(stage: Stage) -> None:
    stage.servers.found = (LocalServer("ollama", "Ollama", "http://127.0.0.1:11434/v1", ("qwen2.5:1.5b",)),)
    await stage.show("settings")
    box = settings_tab(stage).provider
    assert box.choice.itemText(1) == "Ollama"
    box.choice.setCurrentIndex(1)
    box.choice.activated.emit(1)
    await settle()
    assert not box.steps.consent.isVisible()
    await stage.press(box.steps.use)
    assert box.steps.consent.isVisible()
    assert stage.settings.settings.provider.preset == "builtin"
    await stage.press(box.steps.consent.agree)
    assert not box.steps.consent.isVisible()
    assert stage.settings.settings.provider.preset == "ollama"
    assert stage.settings.settings.provider.model == "qwen2.5:1.5b"
    assert box.in_force.accessibleName() == "In use: Ollama, qwen2.5:1.5b."


async def test_a_typed_key_is_dots_and_leaves_the_field_when_it_is_kept(stage: Stage) -> None:
    await stage.show("settings")
    box = settings_tab(stage).provider
    box.choice.activated.emit(box.choice.findData("openai"))
    await settle()
    assert box.fields.key.echoMode() is box.fields.key.EchoMode.Password
    box.fields.key.setText("sk-invented")
    box.fields.key.editingFinished.emit()
    await stage.press(box.steps.use)
    await stage.press(box.steps.consent.agree)
    assert stage.secrets.kept == {"provider:openai@api.openai.com": "sk-invented"}
    assert box.fields.key.text() == ""
    assert box.fields.key.placeholderText() == "Kept in the keyring"


async def test_plain_choices_are_kept_when_they_are_made(stage: Stage) -> None:
    await stage.show("settings")
    page = settings_tab(stage)
    page.interval.activated.emit(page.interval.findData(30))
    page.tokens.setValue(90_000)
    await settle()
    await stage.press(page.theme_choice.button("dark"))
    await stage.press(page.notify)
    kept = stage.settings.settings
    assert kept.loop.interval_minutes == 30
    assert kept.budget.daily_tokens == 90_000
    assert kept.window.theme == "dark"
    assert not kept.notifications.enabled


async def test_an_interval_from_the_file_that_is_in_no_list_is_shown(stage: Stage) -> None:
    loop = type(stage.settings.settings.loop)(interval_minutes=7)
    stage.settings.settings = type(stage.settings.settings)(loop=loop)
    stage.choices.view.replace(stage.choices.view.value)
    await stage.settings.save_settings(stage.settings.settings)
    await stage.show("settings")
    assert settings_tab(stage).interval.currentText() == "every 7 minutes"


async def test_the_prices_of_a_provider_are_typed_in_the_window(stage: Stage) -> None:
    stage.egress.allowed.add(("ollama", "http://127.0.0.1:11434/v1"))
    await stage.show("settings")
    box = settings_tab(stage).provider
    assert not box.terms.isVisible()
    box.choice.activated.emit(box.choice.findData("ollama"))
    await settle()
    assert not box.terms.input_price.isVisible()
    box.terms.head.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(box.terms.head, Qt.Key.Key_Return)
    assert box.terms.input_price.isVisible()
    editor = box.fields.model.lineEdit()
    assert editor is not None
    editor.setText("m")
    for field, typed in ((box.terms.input_price, "0.15"), (box.terms.output_price, "0.6")):
        field.setFocus()
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
    await settle()
    await stage.press(box.steps.use)
    assert (stage.settings.settings.provider.input_price, stage.settings.settings.provider.output_price) == (
        0.15,
        0.6,
    )
