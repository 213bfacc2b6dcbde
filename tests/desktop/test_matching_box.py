"""Settings → Matching by meaning in a real window."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from heedful.core.settings import EmbeddingSettings
from heedful.desktop.window.matching_box import MatchingBox
from heedful.desktop.window.settings import SettingsTab
from heedful.memory.background_work import Share, WorkNow
from heedful.memory.queue.queue_store import KindWork
from heedful.memory.work.host_load import AT_FULL_PACE
from tests.desktop.stage import Stage, settle, texts

SERVER = "http://127.0.0.1:8080/v1"


async def box(stage: Stage) -> MatchingBox:
    await stage.show("settings")
    page = stage.window.page("settings")
    assert isinstance(page, SettingsTab)
    page.ensureWidgetVisible(page.matching)
    return page.matching


async def choose(shown: MatchingBox, kind: str) -> None:
    at = shown.choice.findData(kind)
    shown.choice.setCurrentIndex(at)
    shown.choice.activated.emit(at)
    await settle()


async def type_server(shown: MatchingBox, *, key: str = "") -> None:
    await choose(shown, "openai_compatible")
    shown.fields.address.setFocus()
    QTest.keyClicks(shown.fields.address, SERVER)
    if key:
        shown.fields.key.setFocus()
        QTest.keyClicks(shown.fields.key, key)
    editor = shown.fields.model.lineEdit()
    assert editor is not None
    editor.setFocus()
    QTest.keyClicks(editor, "nomic-embed-text")
    shown.steps.use.setFocus()
    for field in (
        shown.fields.address,
        shown.fields.key,
        editor,
    ):  # without a window manager no field ever loses the focus
        field.editingFinished.emit()
    await settle()


async def test_the_fields_of_a_server_show_only_for_a_server(stage: Stage) -> None:
    shown = await box(stage)
    assert not shown.fields.address.isVisible()
    assert shown.in_force.accessibleName() == "In use: the model inside Heedful."
    await choose(shown, "openai_compatible")
    assert shown.fields.address.isVisible()
    assert shown.fields.key.echoMode() is shown.fields.key.EchoMode.Password
    await choose(shown, "none")
    assert not shown.fields.address.isVisible()


async def test_consent_is_asked_before_a_server_is_used_and_the_key_leaves_the_field(stage: Stage) -> None:
    shown = await box(stage)
    await type_server(shown, key="sk-invented")
    await stage.press(shown.steps.use)
    assert shown.steps.consent.isVisible()
    assert any("nothing leaves it" in words for words in texts(shown.steps.consent))
    assert stage.settings.settings.embeddings == EmbeddingSettings()
    shown.steps.consent.agree.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(shown.steps.consent.agree, Qt.Key.Key_Return)
    await settle()
    assert not shown.steps.consent.isVisible()
    assert stage.settings.settings.embeddings == EmbeddingSettings(
        "openai_compatible", SERVER, "nomic-embed-text"
    )
    assert stage.secrets.kept == {"provider:embeddings@127.0.0.1": "sk-invented"}
    assert shown.fields.key.text() == ""
    assert shown.in_force.accessibleName() == "In use: nomic-embed-text at 127.0.0.1:8080."


async def test_a_no_sends_nothing(stage: Stage) -> None:
    shown = await box(stage)
    await type_server(shown)
    await stage.press(shown.steps.test)
    await stage.press(shown.steps.consent.decline)
    assert stage.embedding_servers.tried == []
    assert shown.steps.result.accessibleName() == "Nothing was sent."


async def test_a_test_after_a_yes_says_what_came_of_it(stage: Stage) -> None:
    shown = await box(stage)
    await type_server(shown)
    await stage.press(shown.steps.test)
    await stage.press(shown.steps.consent.agree)
    assert len(stage.embedding_servers.tried) == 1
    assert shown.steps.result.accessibleName() == "It answered in 0.2 s, with 384 numbers a passage."
    assert shown.steps.withdraw.isVisible()


async def test_how_far_the_passages_are_prepared_is_seen_where_the_model_is_chosen(stage: Stage) -> None:
    stage.work.state = WorkNow((KindWork("embed", running=1),), AT_FULL_PACE, Share(1204, 3980))
    shown = await box(stage)
    assert shown.progress.isVisible()
    assert shown.progress.accessibleName() == (
        "1,204 of 3,980 passages done. Until all are, matching by meaning finds fewer."
    )
    stage.work.state = WorkNow((), AT_FULL_PACE, None)
    stage.jobs.refresh()
    await settle()
    assert not shown.progress.isVisible()
