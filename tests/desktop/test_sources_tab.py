"""A source's card: why a reading stopped, what is missing, how long it is kept."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QFileDialog, QWidget

from heedful.core.ids import SourceId
from heedful.desktop.window.sources import SourceCard, SourcesTab
from heedful.memory.messages.sources_store import Stop
from tests.desktop.stage import Stage, settle, texts
from tests.fakes import samples

INBOX = SourceId("Inbox.mbox")


async def shown(stage: Stage, **changes: object) -> SourceCard:
    stage.library.rows = {row.id: row for row in samples.shelves_of_sources()}
    stage.library.rows[INBOX] = replace(stage.library.rows[INBOX], **changes)  # type: ignore[arg-type] # names of its fields
    await stage.show("sources")
    return next(one for one in stage.window.findChildren(SourceCard) if "Inbox.mbox" in one.accessibleName())


async def test_a_reading_that_stopped_says_so_on_its_card(stage: Stage) -> None:
    card = await shown(stage, stop=Stop("paused", 2000, 5000))
    assert card.status.accessibleName() == "stopped"
    assert "Stopped after 2,000 of about 5,000 messages: you paused it." in texts(card)


async def test_whoever_hears_a_button_hears_which_source_it_is_for(stage: Stage) -> None:
    card = await shown(stage)
    heard = [way.accessibleName() for way in (card.read, card.pause, card.remove, card.stay)]
    assert heard == [
        "Read now: Inbox.mbox", "Pause: Inbox.mbox", "Remove: Inbox.mbox", "Stays on this computer: Inbox.mbox",
    ]  # fmt: skip
    await stage.press(card.pause)
    assert card.pause.accessibleName() == "Resume: Inbox.mbox"
    told = QAccessible.queryAccessibleInterface(card.keep.choice)
    assert told.text(QAccessible.Text.Description) == "How long messages of Inbox.mbox are kept"


async def test_what_is_missing_goes_only_at_a_word_of_the_persons(stage: Stage) -> None:
    card = await shown(stage, missing=3000)
    assert card.status.accessibleName() == "incomplete"
    assert card.believe.isVisible()
    await stage.press(card.believe)
    assert stage.library.rows[INBOX].missing == 0
    assert not card.believe.isVisible()


async def test_keeping_a_source_for_less_time_asks_first_and_for_longer_does_not(stage: Stage) -> None:
    card = await shown(stage)
    choice = card.keep.choice
    choice.setCurrentIndex(choice.findData(90))
    choice.activated.emit(choice.currentIndex())
    assert card.keep.question.isVisible()
    assert stage.library.rows[INBOX].keep_days is None
    await stage.press(card.keep.keep)
    assert choice.currentText() == "Kept for ever"
    choice.setCurrentIndex(choice.findData(90))
    choice.activated.emit(choice.currentIndex())
    await stage.press(card.keep.really)
    assert stage.library.rows[INBOX].keep_days == 90
    choice.setCurrentIndex(choice.findData(365))
    choice.activated.emit(choice.currentIndex())
    await settle()
    assert stage.library.rows[INBOX].keep_days == 365
    assert choice.currentText() == "Kept for a year"


async def test_files_are_chosen_from_home_and_then_from_where_the_last_ones_were(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def choose(_parent: QWidget, _title: str, begin: str) -> tuple[list[str], str]:
        begun.append(begin)
        return ["/mail/2026/Inbox.mbox"], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", choose)
    await stage.show("sources")
    tab = stage.window.page("sources")
    assert isinstance(tab, SourcesTab)
    await stage.press(tab.drop_zone.files_button)
    await stage.press(tab.drop_zone.files_button)
    assert begun == [str(Path.home()), "/mail/2026"]
