"""Settings → Care of the memory, a page behind the Settings tab: size, soundness, backups, export, and the way out."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept, ScrollColumn
from heedful.desktop.widgets.fields import line
from heedful.desktop.widgets.paragraph import META, PLAIN, TEXT, TITLE, Paragraph, Type
from heedful.desktop.widgets.progress import ProgressBar
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.care import WIPE_WORD, BackupView, CareView, RoomView, may_wipe

SECTION_GAP = 14
DAMAGE = Type(12.5, 18, colour="coral")
RESTORE_WORDS = (
    "Put it back? What came in since then goes from the store; a copy of it as it is now is kept aside."
)
EXPORT_WORDS = (
    "Everything remembered as a folder of Markdown notes that Obsidian or any editor opens, and files that Heedful "
    "reads in again. An export is not encrypted."
)
WIPE_WORDS = (
    "Removes every message, everything made of them, and all backups. Your mailboxes and files are never touched, "
    f"and settings are kept. It can’t be undone. Type “{WIPE_WORD}” to do it."
)


class RoomRow(QWidget):
    """What one kind of content takes, as a bar."""

    def __init__(self, theme: Theme, room: RoomView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        self._name = Paragraph(theme, META, lines=1, parent=self)
        self._size = Paragraph(theme, META, lines=1, parent=self)
        self._bar = ProgressBar(theme, self)
        words = QHBoxLayout()
        words.addWidget(self._name, 1)
        words.addWidget(self._size)
        column.addLayout(words)
        column.addWidget(self._bar)
        self.say(room)

    def say(self, room: RoomView) -> None:
        """Shows another size."""
        self._name.say(room.name)
        self._size.say(room.size)
        self._size.setFixedWidth(self._size.natural_width())
        self._bar.say(room.share)
        self.setAccessibleName(room.sentence)


class BackupRow(QWidget):
    """One backup, and the question whether to put it back."""

    def __init__(self, desk: Desk, backup: BackupView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._file = backup.file
        theme = desk.theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._words = Paragraph(theme, PLAIN, lines=1, parent=self)
        self.restore = Button(theme, "Restore…", weight=Weight.LINK, parent=self)
        self.restore.clicked.connect(lambda: desk.slots.call(lambda: desk.care.ask_to_restore(self._file)))
        head = QHBoxLayout()
        head.addWidget(self._words, 1)
        head.addWidget(self.restore)
        self._question = Paragraph(theme, TEXT, text=RESTORE_WORDS, parent=self)
        self.really = Button(theme, "Put it back", parent=self)
        self.really.clicked.connect(
            lambda: desk.slots.start("restore", lambda: desk.care.restore(self._file))
        )
        self.keep = Button(theme, "Keep all as it is", weight=Weight.QUIET, parent=self)
        self.keep.clicked.connect(lambda: desk.slots.call(lambda: desk.care.ask_to_restore(None)))
        answers = QHBoxLayout()
        answers.addWidget(self.really)
        answers.addWidget(self.keep)
        answers.addStretch(1)
        column.addLayout(head)
        column.addWidget(self._question)
        column.addLayout(answers)
        self.say(backup)

    def say(self, backup: BackupView) -> None:
        """Shows another state of the backup; what puts it back never gets the focus by itself."""
        was_asked, had_focus = self.really.isVisibleTo(self), self.isAncestorOf(self.focusWidget())
        self._words.say(f"{backup.when} · {backup.size}")
        self.restore.setAccessibleName(f"Restore the backup of {backup.when}")
        if had_focus and was_asked != backup.is_asked:
            answer = self.keep if backup.is_asked else self.restore
            answer.show()
            answer.setFocus(Qt.FocusReason.TabFocusReason)
        for part in (self._question, self.really, self.keep):
            part.setVisible(backup.is_asked)
        self.restore.setVisible(not backup.is_asked)


class CarePage(ScrollColumn):
    """The page; `back` leads to the Settings tab."""

    def __init__(self, desk: Desk, back: Callable[[], None]) -> None:
        super().__init__()
        self._desk = desk
        theme = desk.theme
        self.back = Button(theme, "Settings", weight=Weight.LINK, icon="left")
        self.back.setAccessibleName("Back to Settings")
        self.back.clicked.connect(back)
        self.column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(Paragraph(theme, TITLE, text="Care of the memory"))
        self.column.addSpacing(SECTION_GAP)
        self._size_head = SectionHead(theme, "What takes how much")
        self.column.addWidget(self._size_head)
        self.column.addWidget(self._sizes())
        self._section("Soundness and backups", self._safety())
        self._section("Export", self._export())
        self._section("Forget everything", self._wipe())
        self.column.addStretch(1)
        returns = QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self, back)
        returns.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        desk.watches.append(desk.care.view.watch(self._show))

    def step_back(self) -> bool:
        """To the Settings tab."""
        self.back.click()
        return True

    def export_into(self, folder: Path) -> None:
        """Exports into a chosen folder."""
        self._desk.slots.start("export", lambda: self._desk.care.export(folder))

    def _section(self, title: str, content: QWidget) -> None:
        self.column.addSpacing(SECTION_GAP)
        self.column.addWidget(SectionHead(self._desk.theme, title))
        self.column.addWidget(content)

    def _sizes(self) -> QWidget:
        theme = self._desk.theme
        ground = Surface(theme, spacing=8)
        self.measuring = Paragraph(theme, TEXT, text="Measuring…", parent=ground)
        rows = QVBoxLayout()
        rows.setSpacing(8)
        ground.column.addWidget(self.measuring)
        ground.column.addLayout(rows)
        self.rooms: Kept[RoomView, RoomRow] = Kept(
            rows,
            lambda room: room.name,
            lambda room: RoomRow(theme, room, ground),
            lambda row, room: row.say(room),
        )
        return ground

    def _safety(self) -> QWidget:
        desk = self._desk
        theme = desk.theme
        ground = Surface(theme, spacing=8)
        self.soundness = Paragraph(theme, TEXT, parent=ground)
        self.damage = Paragraph(theme, DAMAGE, parent=ground)
        self.check = Button(theme, "Check now", parent=ground)
        self.check.clicked.connect(lambda: desk.slots.start("check the store", desk.care.check))
        self.back_up = Button(theme, "Back up now", parent=ground)
        self.back_up.clicked.connect(lambda: desk.slots.start("back up", desk.care.back_up))
        buttons = QHBoxLayout()
        buttons.addWidget(self.back_up)
        buttons.addWidget(self.check)
        buttons.addStretch(1)
        rows = QVBoxLayout()
        rows.setSpacing(6)
        self.show_backups = Button(theme, "Show the folder", weight=Weight.LINK, parent=ground)
        self.show_backups.clicked.connect(
            lambda: desk.slots.start(
                "show backups", lambda: desk.care.show_folder(desk.care.view.value.backup_folder)
            )
        )
        for part in (self.soundness, self.damage):
            ground.column.addWidget(part)
        ground.column.addLayout(buttons)
        ground.column.addLayout(rows)
        ground.column.addWidget(self.show_backups, 0, Qt.AlignmentFlag.AlignLeft)
        self.backups: Kept[BackupView, BackupRow] = Kept(
            rows,
            lambda backup: backup.file,
            lambda backup: BackupRow(desk, backup, ground),
            lambda row, backup: row.say(backup),
        )
        return ground

    def _export(self) -> QWidget:
        desk = self._desk
        theme = desk.theme
        ground = Surface(theme, spacing=8)
        ground.column.addWidget(Paragraph(theme, TEXT, text=EXPORT_WORDS, parent=ground))
        self.export = Button(theme, "Export…", parent=ground)
        self.export.clicked.connect(self._choose_folder)
        self.open_vault = Button(theme, "Open in Obsidian", parent=ground)
        self.open_vault.clicked.connect(lambda: desk.slots.start("open vault", desk.care.open_vault))
        self.exported = Paragraph(theme, META, parent=ground)
        buttons = QHBoxLayout()
        buttons.addWidget(self.export)
        buttons.addWidget(self.open_vault)
        buttons.addStretch(1)
        ground.column.addLayout(buttons)
        ground.column.addWidget(self.exported)
        return ground

    def _wipe(self) -> QWidget:
        theme = self._desk.theme
        ground = Surface(theme, spacing=8)
        ground.column.addWidget(Paragraph(theme, TEXT, text=WIPE_WORDS, parent=ground))
        self.wipe_word = line(f"Type {WIPE_WORD} to remove everything", hint=WIPE_WORD)
        self.wipe_word.setFixedWidth(110)
        self.wipe_word.returnPressed.connect(self._wipe_now)
        self.wipe = Button(theme, "Forget everything", parent=ground)
        self.wipe.setEnabled(False)
        self.wipe_word.textChanged.connect(self._may_wipe)
        self.wipe.clicked.connect(self._wipe_now)
        row = QHBoxLayout()
        row.addWidget(self.wipe_word)
        row.addWidget(self.wipe)
        row.addStretch(1)
        ground.column.addLayout(row)
        return ground

    def _may_wipe(self, typed: str) -> None:
        self.wipe.setEnabled(may_wipe(typed))

    def _wipe_now(self) -> None:
        typed = self.wipe_word.text()
        self._desk.slots.start("wipe", lambda: self._desk.care.wipe(typed))

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Where should the export go?")
        if name:
            self.export_into(Path(name))

    def _show(self, view: CareView) -> None:
        self._size_head.say("What takes how much", view.summary.partition(" · ")[0])
        self.measuring.setVisible(not view.rooms)
        self.rooms.show(view.rooms)
        self.soundness.say(view.soundness)
        self.soundness.setVisible(view.is_sound)
        self.damage.say(view.soundness)
        self.damage.setVisible(not view.is_sound)
        self.check.allow(allowed=not view.is_checking)
        self.check.say("Checking…" if view.is_checking else "Check now")
        self.back_up.allow(allowed=not view.is_backing_up)
        self.back_up.say("Backing up…" if view.is_backing_up else "Back up now")
        self.backups.show(view.backups)
        self.show_backups.setVisible(bool(view.backups))
        self.export.allow(allowed=not view.is_exporting)
        self.export.say("Exporting…" if view.is_exporting else "Export…")
        self.open_vault.setVisible(view.vault is not None)
        self.exported.say(view.export_told)
        self.exported.setVisible(bool(view.export_told))


class CareSection(Surface):
    """What the Settings tab shows of it: a line, and the way to the page."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, spacing=8)
        self._desk = desk
        self._page: CarePage | None = None
        self.summary = Paragraph(desk.theme, TEXT, parent=self)
        self.open = Button(desk.theme, "Size, backups, export…", parent=self)
        self.open.clicked.connect(lambda: desk.slots.call(self._open_page))
        self.column.addWidget(self.summary)
        self.column.addWidget(self.open, 0, Qt.AlignmentFlag.AlignLeft)
        desk.watches.append(desk.care.view.watch(lambda view: self.summary.say(view.summary)))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        super().showEvent(event)
        self._desk.care.refresh()

    @property
    def page(self) -> CarePage | None:
        """The page, once it was opened."""
        return self._page

    def _open_page(self) -> None:
        if self._page is None:
            self._page = CarePage(self._desk, partial(self._desk.open_tab, "settings"))
        self._desk.show_page(self._page)
        self._desk.care.refresh_page()
