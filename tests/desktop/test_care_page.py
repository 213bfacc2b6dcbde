"""Settings → Care of the memory in a real window; and what opens folders."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest

from heedful.core.errors import DamageError
from heedful.desktop.opening import DesktopOpener, vault_link
from heedful.desktop.window.care_page import CarePage
from heedful.desktop.window.settings import SettingsTab
from tests.desktop.stage import Stage, button, settle, texts
from tests.fakes.care import FOLDER, NEWEST


async def page(stage: Stage) -> CarePage:
    await stage.show("settings")
    tab = stage.window.page("settings")
    assert isinstance(tab, SettingsTab)
    assert tab.care.summary.accessibleName() == "212.0 MB on this disk · backed up 3 h ago"
    await stage.press(tab.care.open)
    shown = tab.care.page
    assert shown is not None
    return shown


async def test_the_page_shows_sizes_soundness_and_backups_and_leads_back(stage: Stage) -> None:
    shown = await page(stage)
    said = texts(shown)
    assert "Messages, 84.1 MB" in said
    assert "Found sound before the last backup, today 07:32." in said
    assert "today 07:32 · 212.0 MB" in said
    await stage.press(shown.back)
    assert not shown.isVisible()
    assert stage.window.page("settings").isVisible()


async def test_escape_leads_back_to_settings(stage: Stage) -> None:
    shown = await page(stage)
    stage.window.activateWindow()
    QTest.keyClick(stage.window, Qt.Key.Key_Escape)
    await settle()
    assert not shown.isVisible()
    assert stage.window.page("settings").isVisible()


async def test_a_check_and_a_backup_are_a_click_away(stage: Stage) -> None:
    shown = await page(stage)
    await stage.press(shown.check)
    assert stage.care_service.checks == 1
    assert shown.soundness.accessibleName() == "Found sound today 10:32: every page was read."
    await stage.press(shown.back_up)
    assert "today 10:32 · 212.5 MB" in texts(shown)


async def test_damage_is_written_where_the_soundness_stood(stage: Stage) -> None:
    stage.care_service.failures["check"] = DamageError("The store is damaged")
    shown = await page(stage)
    await stage.press(shown.check)
    assert not shown.soundness.isVisible()
    assert shown.damage.isVisible()
    assert shown.damage.accessibleName() == "The store is damaged."


async def test_putting_a_backup_back_is_asked_first_and_can_be_refused_with_the_keyboard(
    stage: Stage,
) -> None:
    shown = await page(stage)
    (first, second) = shown.backups.widgets
    shown.ensureWidgetVisible(first)
    await stage.press(first.restore)
    assert any(words.startswith("Put it back?") for words in texts(first))
    assert not second.really.isVisible()
    assert not first.really.hasFocus()
    first.keep.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(first.keep, Qt.Key.Key_Return)
    await settle()
    assert not first.really.isVisible()
    await stage.press(first.restore)
    shown.ensureWidgetVisible(first.really)
    await stage.press(first.really)
    assert stage.care_service.done == [f"restored {NEWEST.file.name}"]


async def test_an_export_tells_where_it_lies_and_opens_in_obsidian(stage: Stage) -> None:
    shown = await page(stage)
    assert not shown.open_vault.isVisible()
    shown.export_into(Path("/notes"))
    await settle()
    assert "lie in /notes/Heedful memory" in shown.exported.accessibleName()
    shown.ensureWidgetVisible(shown.open_vault)
    await stage.press(shown.open_vault)
    assert stage.opener.opened == [Path("/notes/Heedful memory")]


async def test_the_folder_of_the_backups_opens(stage: Stage) -> None:
    shown = await page(stage)
    shown.ensureWidgetVisible(shown.show_backups)
    await stage.press(button(shown, "Show the folder"))
    assert stage.opener.opened == [FOLDER]


async def test_everything_is_forgotten_only_after_its_word_was_typed(stage: Stage) -> None:
    shown = await page(stage)
    shown.ensureWidgetVisible(shown.wipe)
    assert not shown.wipe.isEnabled()
    QTest.keyClicks(shown.wipe_word, "wip")
    QTest.keyClick(shown.wipe_word, Qt.Key.Key_Return)
    await settle()
    assert stage.care_service.done == []
    QTest.keyClicks(shown.wipe_word, "e")
    assert shown.wipe.isEnabled()
    await stage.press(shown.wipe)
    assert stage.care_service.done == ["wiped"]


class Desktop:
    """A desktop that takes some links and not others."""

    def __init__(self, *, obsidian: bool, answers: bool = True) -> None:
        self.obsidian, self.answers = obsidian, answers
        self.opened: list[str] = []

    def open_url(self, url: QUrl) -> bool:
        self.opened.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        return self.answers

    def opener(self) -> DesktopOpener:
        return DesktopOpener(self.open_url, lambda _: self.obsidian)


async def test_a_vault_opens_by_its_own_link(tmp_path: Path) -> None:
    desktop = Desktop(obsidian=True)
    assert await desktop.opener().vault(tmp_path / "my notes & more") == "obsidian"
    assert desktop.opened[0].startswith("obsidian://open?path=")
    assert desktop.opened[0].endswith("my%20notes%20%26%20more")
    assert len(desktop.opened) == 1


async def test_where_no_program_takes_the_link_the_folder_opens(tmp_path: Path) -> None:
    desktop = Desktop(obsidian=False)
    assert await desktop.opener().vault(tmp_path) == "folder"
    assert desktop.opened == [QUrl.fromLocalFile(str(tmp_path)).toString()]


async def test_where_nothing_opens_that_is_said(tmp_path: Path) -> None:
    assert await Desktop(obsidian=True, answers=False).opener().vault(tmp_path) == "nothing"


@pytest.mark.parametrize("name", ["Ordner mit ß", "pasta/ação"])
def test_a_link_names_the_whole_path(tmp_path: Path, name: str) -> None:
    link = vault_link(tmp_path / name).toString(QUrl.ComponentFormattingOption.FullyEncoded)
    assert QUrl.fromPercentEncoding(link.partition("path=")[2].encode()) == str(tmp_path / name)
