"""The Sources tab."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from heedful.core.ids import SourceId
from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept, ScrollColumn
from heedful.desktop.widgets.drop_zone import DropZone
from heedful.desktop.widgets.fields import line
from heedful.desktop.widgets.keep_choice import KeepChoice
from heedful.desktop.widgets.paragraph import META, TEXT, TITLE, Paragraph
from heedful.desktop.widgets.progress import ProgressBar
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.switch import Switch
from heedful.desktop.widgets.tag import Tag
from heedful.desktop.widgets.whole_words import as_written
from heedful.presenters.numbers import count
from heedful.presenters.sources import AddressView, SourcesView, SourceView

_STATUS_SHAPES = {
    "reading": "reading",
    "comparing": "reading",
    "up to date": "done",
    "stopped": "important",
    "incomplete": "important",
    "paused": "",
    "needs you": "critical",
    "not read yet": "",
}
REJECTS_SHOWN = 20


class SourceCard(Surface):
    """One source: what it is, how it stands, what can be done with it."""

    def __init__(self, desk: Desk, source: SourceView, parent: QWidget | None = None) -> None:
        super().__init__(desk.theme, parent=parent)
        theme = desk.theme
        self._desk = desk
        self._source = source
        top = QHBoxLayout()
        top.setSpacing(6)
        self._kind = Paragraph(theme, META, lines=1, parent=self)
        self.status = Tag(theme, parent=self)
        top.addWidget(self._kind, 1)
        top.addWidget(self.status)
        self.column.addLayout(top)
        self.column.addSpacing(2)
        self._name = Paragraph(theme, TITLE, lines=1, parent=self)
        self.detail = Paragraph(theme, TEXT, lines=2, parent=self)
        self.trouble = Paragraph(theme, TEXT, lines=5, parent=self)
        self.bar = ProgressBar(theme, self)
        for part in (self._name, self.detail, self.trouble):
            self.column.addWidget(part)
        self.believe = Button(theme, "", weight=Weight.LINK, parent=self)
        self.believe.clicked.connect(lambda: self._start("believe", self._desk.sources.believe_missing))
        self.column.addWidget(self.believe, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addSpacing(4)
        self.column.addWidget(self.bar)
        self.rejected = Button(theme, "", weight=Weight.LINK, icon="right", parent=self)
        self.rejected.clicked.connect(lambda: self._start("rejects", self._desk.sources.toggle_rejects))
        self.column.addWidget(self.rejected, 0, Qt.AlignmentFlag.AlignLeft)
        self._rejects = Paragraph(theme, META, parent=self)
        self.column.addWidget(self._rejects)
        self.stay = Switch(theme, "Stays on this computer", self)
        self.stay.setToolTip("Nothing of this source is ever sent to a model elsewhere")
        self.stay.clicked.connect(self._keep_here)
        self.column.addSpacing(4)
        self.column.addWidget(self.stay, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addSpacing(4)
        self.keep = KeepChoice(theme, source.name, self._keep_for, self)
        self.column.addWidget(self.keep)
        self.column.addSpacing(4)
        self.column.addLayout(self._buttons())
        self._question = self._removal_question()
        self.column.addWidget(self._question)
        self.say(source)

    def say(self, source: SourceView) -> None:
        """Shows another state of the source."""
        self._source = source
        self._kind.say(source.kind)
        self.status.say(_STATUS_SHAPES[source.status], source.status, drawn=False)
        self._name.say(source.name)
        self.setToolTip(as_written(source.path))
        self.setAccessibleName(f"{source.kind}, {source.name}, {source.status}")
        self.detail.say(source.detail)
        self.trouble.say(source.trouble)
        self.trouble.setVisible(bool(source.trouble))
        self.believe.say(source.believes)
        self.believe.setVisible(bool(source.believes))
        self.keep.say(source.keep_days)
        self.bar.setVisible(source.progress is not None)
        self.bar.say(source.progress or 0.0)
        self.rejected.say(source.rejected_words)
        self.rejected.setVisible(bool(source.rejected_words))
        self.rejected.point("down" if source.rejects is not None else "right")
        self._rejects.setVisible(source.rejects is not None)
        self._rejects.say(_reasons(source))
        self.stay.settle(is_on=source.stays_here)
        reading, lost = source.status == "reading", source.status == "needs you"
        self.choose.setVisible(lost)
        self.read.setVisible(not lost and not source.is_paused)
        self.read.allow(allowed=not reading)
        self.pause.say("Resume" if source.is_paused else "Pause")
        self.pause.setVisible(not lost)
        for way in (self.choose, self.read, self.pause, self.remove, self.stay):
            way.setAccessibleName(f"{way.text()}: {source.name}")

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        theme = self._desk.theme
        self.choose = Button(theme, "Choose again…", weight=Weight.PLAIN, parent=self)
        self.choose.clicked.connect(self._relocate)
        self.read = Button(theme, "Read now", parent=self)
        self.read.clicked.connect(lambda: self._start("read", self._desk.sources.sync))
        self.pause = Button(theme, "Pause", weight=Weight.QUIET, parent=self)
        self.pause.clicked.connect(self._pause_or_resume)
        self.remove = Button(theme, "Remove", weight=Weight.QUIET, parent=self)
        self.remove.clicked.connect(lambda: self._question.setVisible(self._question.isHidden()))
        for button in (self.choose, self.read, self.pause, self.remove):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _removal_question(self) -> QWidget:
        """Removal can't be undone, so here the card asks."""
        box = QWidget(self)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        column.addWidget(Paragraph(self._desk.theme, META, text=self._source.removal, parent=box))
        row = QHBoxLayout()
        row.setSpacing(6)
        self.remove_really = Button(self._desk.theme, "Remove", parent=box)
        self.remove_really.setAccessibleName(f"Really remove {self._source.name}")
        self.remove_really.clicked.connect(lambda: self._start("remove", self._desk.sources.remove))
        keep = Button(self._desk.theme, "Keep", weight=Weight.QUIET, parent=box)
        keep.clicked.connect(box.hide)
        row.addWidget(self.remove_really)
        row.addWidget(keep)
        row.addStretch(1)
        column.addLayout(row)
        box.hide()
        return box

    def _start(self, what: str, work: Callable[[SourceId], Coroutine[Any, Any, None]]) -> None:
        source_id = self._source.id
        self._desk.slots.start(f"{what} {source_id}", lambda: work(source_id))

    def _pause_or_resume(self) -> None:
        sources = self._desk.sources
        self._start("pause", sources.resume if self._source.is_paused else sources.pause)

    def _keep_here(self, is_on: bool) -> None:
        self._start("egress", lambda source_id: self._desk.sources.keep_here(source_id, stays_here=is_on))

    def _keep_for(self, days: int | None) -> None:
        self._start("keep", lambda source_id: self._desk.sources.keep_for(source_id, days))

    def _relocate(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, f"Where is {self._source.name} now?")
        if name:
            self._start("relocate", lambda source_id: self._desk.sources.relocate(source_id, Path(name)))


class AddressRow(QWidget):
    """One own address with how it is known and a way to say that it isn't."""

    def __init__(self, desk: Desk, address: AddressView) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.addWidget(Paragraph(desk.theme, TEXT, text=address.address, lines=1, parent=self), 1)
        note = Paragraph(desk.theme, META, text=address.origin, lines=1, parent=self)
        note.setFixedWidth(note.natural_width())
        row.addWidget(note)
        self.refuse = Button(desk.theme, "Not mine", weight=Weight.QUIET, parent=self)
        self.refuse.setAccessibleName(f"{address.address} is not mine")
        self.refuse.clicked.connect(
            lambda: desk.slots.start(
                f"refuse {address.address}", lambda: desk.sources.refuse_address(address.address)
            )
        )
        row.addWidget(self.refuse)


class SourcesTab(ScrollColumn):
    """Every source as a card, then where to drop more, then the person's own addresses."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        theme = desk.theme
        self.folder = Path.home()
        """Where the next choice begins."""
        self.viewport().setAcceptDrops(True)
        self._head = SectionHead(theme, "Sources")
        self._trouble = Paragraph(theme, TEXT, lines=4)
        cards = QVBoxLayout()
        cards.setSpacing(8)
        cards.setContentsMargins(0, 0, 0, 8)
        self.drop_zone = DropZone(
            theme, self.take, choose_files=self._choose_files, choose_folder=self._choose_folder
        )
        self._addresses_head = SectionHead(theme, "Your own addresses")
        self._addresses_ground = Surface(theme, margins=(0, 2, 0, 3))
        self.address = line("An address of yours", hint="Another address of yours")
        self.address.returnPressed.connect(self._add_address)
        self.column.addWidget(self._head)
        self.column.addWidget(self._trouble)
        self.column.addLayout(cards)
        self.column.addWidget(self.drop_zone)
        self.column.addSpacing(14)
        self.column.addWidget(self._addresses_head)
        self.column.addWidget(self._addresses_ground)
        self.column.addSpacing(8)
        self.column.addWidget(self.address)
        self.column.addSpacing(4)
        self.column.addWidget(
            Paragraph(
                theme, META, text="Heedful tells by these what is said to you and what you said.", lines=2
            )
        )
        self.column.addStretch(1)
        self.cards: Kept[SourceView, SourceCard] = Kept(
            cards,
            lambda source: source.id,
            lambda source: SourceCard(desk, source),
            lambda card, source: card.say(source),
        )
        self.addresses: Kept[AddressView, AddressRow] = Kept(
            self._addresses_ground.column, lambda own: own.address, lambda own: AddressRow(desk, own)
        )
        desk.watches.append(desk.sources.view.watch(self._show))

    def take(self, paths: list[Path]) -> None:
        """Adds what was dropped or chosen."""
        self._desk.slots.start(f"add {paths}", lambda: self._desk.sources.add(paths))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        self.drop_zone.dragEnterEvent(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 (Qt's name)
        self.drop_zone.dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        self.drop_zone.dropEvent(event)

    def _show(self, view: SourcesView) -> None:
        self._trouble.setVisible(view.trouble is not None)
        if view.trouble is not None:
            self._trouble.say(f"{view.trouble.headline}. {view.trouble.advice}")
        number = len(view.sources)
        self._head.say("Sources", str(number) if number else "")
        self._head.setVisible(bool(number))
        self.cards.show(view.sources)
        self.addresses.show(view.addresses)
        self._addresses_ground.setVisible(bool(view.addresses))

    def _add_address(self) -> None:
        address = self.address.text()
        self.address.clear()
        self._desk.slots.start(f"address {address}", lambda: self._desk.sources.add_address(address))

    def _choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "What should Heedful read?", str(self.folder))
        if names:
            self.folder = Path(names[0]).parent
            self.take([Path(name) for name in names])

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Which folder should Heedful read?", str(self.folder))
        if name:
            self.folder = Path(name).parent
            self.take([Path(name)])


def _reasons(source: SourceView) -> str:
    if source.rejects is None:
        return ""
    shown = [f"{one.place}: {one.reason}" for one in source.rejects[:REJECTS_SHOWN]]
    more = len(source.rejects) - len(shown)
    return "\u2028".join([*shown, *([f"and {count(more, 'more', 'more')}"] if more else [])])


TAB = Tab("sources", "Sources", "sources", 60, SourcesTab)
