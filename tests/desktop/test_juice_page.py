"""Settings → TokenJuice in a real window. `HEEDFUL_PICTURES=folder` keeps pictures of it, for eyes."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from heedful.desktop.theme import DARK, LIGHT, Choice
from heedful.desktop.window.juice_page import JuicePage
from heedful.presenters.juice import JuiceView
from heedful.tokenjuice.originals_store import DaySaved
from tests.desktop.stage import Stage, button, open_stage, settle, texts
from tests.desktop.test_pictures import picture

LOG = "\n".join(
    [
        *(
            f"2026-11-24T10:{n // 60:02}:{n % 60:02} INFO worker[{n % 8}] handled item {n}"
            for n in range(300)
        ),
        "ERROR disk full on /srv",
        *(
            f"2026-11-24T11:{n // 60:02}:{n % 60:02} INFO worker[{n % 8}] handled item {n}"
            for n in range(300)
        ),
    ]
)
SAVED = [
    DaySaved(date(2026, 11, 12), 20, 40_000, 21_000),
    DaySaved(date(2026, 11, 16), 31, 60_000, 24_000),
    DaySaved(date(2026, 11, 17), 8, 9_000, 6_500),
    DaySaved(date(2026, 11, 20), 55, 120_000, 51_000),
    DaySaved(date(2026, 11, 23), 12, 24_000, 6_000),
    DaySaved(date(2026, 11, 24), 5, 8_000, 5_000),
]
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return tmp_path / "rules"


@pytest.fixture
async def stage(qapp: QApplication, rules: Path) -> AsyncIterator[Stage]:
    opened = open_stage(qapp, rules=rules)
    opened.savings.days = list(SAVED)
    yield opened
    await opened.close()


def put(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")


async def until(stage: Stage, holds: Callable[[JuiceView], bool]) -> None:
    """Waits for the view that the test is about; a thread of its own works on it."""
    reached = asyncio.Event()
    unwatch = stage.juice.view.watch(lambda view: reached.set() if holds(view) else None)
    await asyncio.wait_for(reached.wait(), 20)
    unwatch()
    await settle()


async def opened_page(stage: Stage) -> JuicePage:
    await stage.show("settings")
    await stage.press(button(stage.window.page("settings"), "Open TokenJuice"))
    await until(stage, lambda view: bool(view.savings.bars))
    page = stage.window.stack.currentWidget()
    assert isinstance(page, JuicePage)
    return page


async def explained_page(stage: Stage) -> JuicePage:
    page = await opened_page(stage)
    page.paste.text.setPlainText(LOG)
    page.paste.command.setText("journalctl -u app")
    await stage.press(page.paste.explain)
    await until(stage, lambda view: view.account is not None and not view.is_busy)
    return page


async def test_the_page_opens_from_settings_and_leads_back(stage: Stage) -> None:
    page = await opened_page(stage)
    assert page.isVisible()

    await stage.press(page.back)

    assert stage.window.stack.currentWidget() is stage.window.page("settings")


async def test_the_page_is_the_same_when_it_is_opened_again(stage: Stage) -> None:
    page = await opened_page(stage)
    page.paste.text.setPlainText("half typed")
    await stage.press(page.back)

    assert await opened_page(stage) is page
    assert page.paste.text.toPlainText() == "half typed"


async def test_a_pasted_text_shows_its_rule_its_rivals_and_each_cut(stage: Stage) -> None:
    page = await explained_page(stage)

    seen = texts(page)
    assert "service/journalctl" in seen
    assert "built in, service.json" in seen
    assert any(words.startswith("Matched too: ") and "generic/fallback 0" in words for words in seen)
    assert any(words.startswith("represented: ") for words in seen)
    assert any(words.startswith("− 2026-11-24T10:") for words in seen)


async def test_explaining_keeps_the_keyboard_at_the_button_that_was_pressed(stage: Stage) -> None:
    page = await opened_page(stage)
    page.paste.text.setPlainText(LOG)
    page.paste.explain.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(page.paste.explain, Qt.Key.Key_Return)
    await until(stage, lambda view: view.account is not None and not view.is_busy)
    assert QApplication.focusWidget() is page.paste.explain


async def test_before_and_after_stand_beside_each_other_with_signs(stage: Stage) -> None:
    page = await explained_page(stage)

    sides = page.cut.widgets[0].sides
    before = sides.before.text.toPlainText().split("\n")
    after = sides.after.text.toPlainText().split("\n")
    assert len(before) == 601
    assert "  ERROR disk full on /srv" in before
    assert "  ERROR disk full on /srv" in after
    assert sum(line.startswith("− ") for line in before) > 500
    assert after[-1].startswith("+ [juice service/journalctl")
    assert sides.before.mapTo(page, QPoint()).y() == sides.after.mapTo(page, QPoint()).y()
    assert sides.before.width() == pytest.approx(sides.after.width(), abs=1)


async def test_a_number_that_is_none_is_said_beside_the_field(stage: Stage) -> None:
    page = await opened_page(stage)
    page.paste.text.setPlainText("some text")
    page.paste.exit_code.setText("one")
    QTest.keyClick(page.paste.exit_code, Qt.Key.Key_Return)
    await settle()

    assert page.paste.trouble.isVisible()
    assert page.paste.trouble.accessibleName() == "An exit code is a whole number."


async def test_a_rule_is_made_one_s_own_in_the_page(stage: Stage, rules: Path) -> None:
    page = await explained_page(stage)
    await stage.press(page.rule.widgets[0].edit)
    editor = page.editor.widgets[0]
    file = rules / "service-journalctl.json"
    assert editor.where.accessibleName() == f"Saving writes {file}."
    editor.text.setPlainText(json.dumps(json.loads(editor.text.toPlainText()) | {"family": "mine"}))

    await stage.press(editor.save)
    await until(stage, lambda view: view.draft is None and bool(view.notes) and not view.is_busy)

    assert json.loads(file.read_bytes())["family"] == "mine"
    assert page.editor.widgets == []
    assert f"yours, {file}" in texts(page)
    assert f"Saved as {file}" in texts(stage.window.toast)


async def test_a_file_that_is_there_is_replaced_only_by_a_button_that_says_so(
    stage: Stage, rules: Path
) -> None:
    put(
        rules,
        "service-journalctl.json",
        '{"id": "service/journalctl", "family": "a", "match": {"argv0": ["journalctl"]}}',
    )
    page = await explained_page(stage)
    await stage.press(page.rule.widgets[0].edit)

    editor = page.editor.widgets[0]
    assert editor.save.text() == "Replace"
    assert "replaces a rule of yours" in editor.where.accessibleName()


async def test_a_bad_rule_leaves_what_was_typed_and_says_why(stage: Stage, rules: Path) -> None:
    page = await explained_page(stage)
    await stage.press(page.rule.widgets[0].edit)
    editor = page.editor.widgets[0]
    editor.text.setPlainText('{"id": "x/y"')

    await stage.press(editor.save)
    await until(stage, lambda view: view.draft is not None and bool(view.draft.trouble))

    assert page.editor.widgets == [editor]
    assert editor.text.toPlainText() == '{"id": "x/y"'
    assert "not JSON" in editor.trouble.accessibleName()
    await stage.press(editor.cancel)
    assert page.editor.widgets == []


async def test_a_file_that_can_not_be_used_is_listed_as_such(stage: Stage, rules: Path) -> None:
    put(rules, "broken.json", "{")
    page = await opened_page(stage)

    seen = texts(page)
    assert "broken.json" in seen
    assert "not used" in seen
    assert not page.no_rules.isVisible()


async def test_bars_are_told_by_pointing_by_tooltip_and_by_arrow_keys(stage: Stage) -> None:
    page = await opened_page(stage)
    chart, caption = page.savings.chart, page.savings.caption
    page.ensureWidgetVisible(chart)
    await settle()
    yesterday = QPoint(round(chart.width() * 12.5 / 14), 40)
    words = "Yesterday: 12 texts, 24,000 → 6,000 tokens, 75% saved"
    assert chart.accessibleName() == "Tokens saved each day: 147,500 of 261,000 tokens in 14 days, 57%"

    QTest.mouseMove(chart, yesterday)
    await settle()
    assert caption.accessibleName() == words
    QApplication.sendEvent(chart, QHelpEvent(QEvent.Type.ToolTip, yesterday, chart.mapToGlobal(yesterday)))
    assert QToolTip.text() == words
    QToolTip.hideText()

    QTest.keyClick(chart, Qt.Key.Key_End)
    QTest.keyClick(chart, Qt.Key.Key_Left)
    assert chart.accessibleDescription() == words
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert caption.accessibleName().startswith("11 Nov: nothing was compressed")


async def test_the_same_figures_are_in_a_table_behind_the_chart(stage: Stage) -> None:
    page = await opened_page(stage)
    table = page.savings.table
    assert not table.isVisible()

    page.ensureWidgetVisible(page.savings.more)
    await stage.press(page.savings.more)

    assert table.isVisible()
    cells = [table.item(1, column) for column in range(table.columnCount())]
    assert [cell.text() for cell in cells if cell is not None] == [
        "Yesterday",
        "12",
        "24,000",
        "6,000",
        "75%",
    ]
    await stage.press(page.savings.more)
    assert not table.isVisible()


async def test_without_savings_the_page_says_where_they_will_come_from(stage: Stage) -> None:
    stage.savings.days = []
    await stage.show("settings")
    await stage.press(button(stage.window.page("settings"), "Open TokenJuice"))
    page = stage.window.stack.currentWidget()
    assert isinstance(page, JuicePage)

    assert page.savings.empty.isVisible()
    assert not page.savings.chart.isVisible()
    assert not page.savings.more.isVisible()


@pytest.mark.parametrize("scale", [1, 2], ids=["100", "200"])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_page_is_drawn_in_its_theme(
    qapp: QApplication, tmp_path: Path, rules: Path, theme: Choice, scale: int
) -> None:
    put(rules, "broken.json", "{")
    put(rules, "status.json", '{"id": "git/status", "family": "mine", "match": {"argv0": ["git"]}}')
    stage = open_stage(qapp, theme, rules=rules)
    stage.savings.days = list(SAVED)
    folder = Path(os.environ.get("HEEDFUL_PICTURES", tmp_path))
    try:
        page = await explained_page(stage)
        await stage.press(page.rule.widgets[0].edit)
        places = {"paste": page.paste, "cut": page.cut.widgets[0], "savings": page.savings}
        for name, part in places.items():
            if name == "savings":
                await stage.press(page.savings.more)
            page.verticalScrollBar().setValue(
                page.verticalScrollBar().value() + part.mapTo(page, QPoint()).y() - 40
            )
            await settle()
            drawn = picture(stage.window, scale)
            drawn.save(str(folder / f"tokenjuice-{name}-{theme}-{scale}00.png"))
            ground = DARK.bg if theme == "dark" else LIGHT.bg
            assert drawn.pixelColor(63 * scale, 60 * scale).name() == ground.lower()
    finally:
        await stage.close()
