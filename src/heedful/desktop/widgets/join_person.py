"""«Same person as…»: a field to look for the other, those on offer, and the question before two are made one."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import FittingColumn, Kept
from heedful.desktop.widgets.find_field import FindField
from heedful.desktop.widgets.paragraph import META, ROW_TITLE, Paragraph
from heedful.desktop.widgets.same_person import PersonRow
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.memory_joining import JoiningView
from heedful.presenters.memory_views import PersonView

LEAST_OFFERED = 46
"""One of those on offer; the others are scrolled to where there is no room."""


@dataclass(frozen=True, slots=True)
class Joins:
    """What typing, a row and the answers do."""

    ask: Callable[[str], None]
    choose: Callable[[str], None]
    choose_again: Callable[[], None]
    really: Callable[[], None]
    leave: Callable[[], None]


class OtherField(FindField):
    """The field; `down` leads to those on offer."""

    down = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and _is(event, Qt.Key.Key_Down):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.down.emit()
        else:
            super().keyPressEvent(event)


class JoinPanel(Surface):
    """Hidden while nobody is looked for; Escape leads one step back."""

    def __init__(self, theme: Theme, joins: Joins, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._joins = joins
        self._shown: JoiningView | None = None
        top = QHBoxLayout()
        self.title = Paragraph(theme, ROW_TITLE, lines=2, parent=self)
        top.addWidget(self.title, 1)
        self.close_it = Button(theme, "Close", weight=Weight.LINK, parent=self)
        self.close_it.clicked.connect(joins.leave)
        top.addWidget(self.close_it)
        self.column.addLayout(top)
        self.column.addSpacing(4)
        self.field = OtherField("Name or address of the other", "A name or an address", self)
        self.field.textEdited.connect(joins.ask)
        self.field.left.connect(joins.leave)
        self.field.down.connect(self._enter_rows)
        self.column.addWidget(self.field)
        self.advice = Paragraph(theme, META, lines=2, parent=self)
        self.column.addSpacing(4)
        self.column.addWidget(self.advice)
        self._offered = FittingColumn(least=LEAST_OFFERED, parent=self)
        for ground in (self._offered.viewport(), self._offered.inside):
            ground.setAutoFillBackground(False)
        offered = self._offered.column
        offered.setContentsMargins(0, 2, 0, 0)
        offered.setSpacing(2)
        self.column.addWidget(self._offered)
        self._rows: Kept[PersonView, PersonRow] = Kept(
            offered, lambda one: one.id, lambda one: self._row(theme, one), lambda row, one: row.say(one)
        )
        self._asking = self._question(theme)
        self.column.addWidget(self._asking)
        self.hide()

    @property
    def rows(self) -> list[PersonRow]:
        """Those on offer, in order."""
        return self._rows.widgets

    def say(self, view: JoiningView | None) -> None:
        """Shows another step, or nothing."""
        was, self._shown = self._shown, view
        self.setVisible(view is not None)
        if view is None:
            self._rows.show([])
            return
        is_choosing = view.stage == "choosing"
        self.setAccessibleName(f"{view.name} is the same person as somebody else")
        self.title.say(f"{view.name} is the same person as …" if is_choosing else view.sentence)
        if self.field.text().strip() != view.text:
            self.field.setText(view.text)
        self.field.setVisible(is_choosing)
        self._offered.setVisible(is_choosing and bool(view.others))
        self.advice.say(view.advice)
        self.advice.setVisible(is_choosing and bool(view.advice))
        self._rows.show(view.others)
        self._asking.setVisible(not is_choosing)
        self.detail.say(view.detail)
        self.yes.setAccessibleName(f"Yes, one. {view.sentence} {view.detail}")
        if was is None or was.stage != view.stage:
            self._enter(is_choosing=is_choosing)

    def _row(self, theme: Theme, one: PersonView) -> PersonRow:
        row = PersonRow(theme, self)
        row.say(one)
        row.clicked.connect(lambda: self._joins.choose(row.one.id))
        return row

    def _question(self, theme: Theme) -> QWidget:
        asking = QWidget(self)
        column = QVBoxLayout(asking)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.detail = Paragraph(theme, META, lines=4, parent=asking)
        column.addWidget(self.detail)
        answers = QHBoxLayout()
        answers.setSpacing(6)
        self.yes = Button(theme, "Yes, one", weight=Weight.PRIMARY, parent=asking)
        self.no = Button(theme, "No", parent=asking)
        self.no.setAccessibleName("No, somebody else")
        self.yes.clicked.connect(self._joins.really)
        self.no.clicked.connect(self._joins.choose_again)
        for button in (self.yes, self.no):
            answers.addWidget(button)
        answers.addStretch(1)
        column.addLayout(answers)
        return asking

    def _enter(self, *, is_choosing: bool) -> None:
        self.show()
        first = self.field if is_choosing else self.yes
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def _enter_rows(self) -> None:
        if self.rows:
            self.rows[0].setFocus(Qt.FocusReason.TabFocusReason)

    def event(self, event: QEvent) -> bool:
        keys = (Qt.Key.Key_Escape, Qt.Key.Key_Down)
        if event.type() is QEvent.Type.ShortcutOverride and _is(event, *keys):
            event.accept()  # or else the window takes it
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self._shown is not None and self._shown.stage == "confirming":
            self._joins.choose_again()
        else:
            self._joins.leave()


def _is(event: QEvent, *keys: Qt.Key) -> bool:
    return isinstance(event, QKeyEvent) and event.key() in keys
