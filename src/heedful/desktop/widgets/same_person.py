"""«Same person?»: two names with what they are known by, the evidence, and three answers."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from heedful.desktop.theme import RADIUS_CONTROL, Theme, font, line_height
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.paragraph import META, ROW_TITLE, Paragraph, heading
from heedful.desktop.widgets.pressable import Pressable
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.whole_words import as_written
from heedful.presenters.memory_views import PersonView, QuestionView

_PADDING, _SIDE = 12, 8


@dataclass(frozen=True, slots=True)
class Judgements:
    """What the answers do; `open` shows one of the two, for whoever must look before they answer."""

    same: Callable[[], None]
    different: Callable[[], None]
    not_sure: Callable[[], None]
    open: Callable[[PersonView], None]


class PersonRow(Pressable):
    """A name over what it is known by; pressing it opens the person."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._name_font = font(ROW_TITLE.pixels, ROW_TITLE.weight)
        self._meta_font = font(META.pixels)
        self._one = PersonView("", "", "", "")
        self._lines = line_height(self._name_font, 18), line_height(self._meta_font, 16)
        self.setFixedHeight(sum(self._lines) + _PADDING)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def one(self) -> PersonView:
        """Whom it shows."""
        return self._one

    def say(self, one: PersonView) -> None:
        """Shows somebody else."""
        self._one = one
        words = ", ".join(part for part in (one.name, one.known_by, one.note) if part)
        self.setAccessibleName(words)
        self.setToolTip(as_written(words))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(200, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("hover" if self.underMouse() else "bg"))
        painter.drawRoundedRect(whole.adjusted(0, 1, 0, -1), RADIUS_CONTROL, RADIUS_CONTROL)
        where = whole.adjusted(_SIDE, 6, -_SIDE, -6)
        painter.setFont(self._meta_font)
        painter.setPen(self._theme.colour("ink_2"))
        metrics = QFontMetricsF(self._meta_font)
        first, second = self._lines
        upper = QRectF(where.left(), where.top(), where.width(), first)
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._one.note)
        elide = Qt.TextElideMode.ElideMiddle
        lower = QRectF(where.left(), where.top() + first, where.width(), second)
        known_by = self._one.known_by or "no address"
        painter.drawText(
            lower, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(known_by, elide, where.width())
        )
        left = where.width() - metrics.horizontalAdvance(self._one.note) - 10
        painter.setFont(self._name_font)
        painter.setPen(self._theme.colour("ink"))
        name = QFontMetricsF(self._name_font).elidedText(self._one.name, Qt.TextElideMode.ElideRight, left)
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, name)
        self.paint_focus(painter, whole, inset=1.5)


class SamePersonCard(Surface):
    """One question; hidden while there is none."""

    def __init__(self, theme: Theme, judgements: Judgements, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        top = QHBoxLayout()
        top.addWidget(heading(theme, "Same person?", self), 1)
        self.place = Paragraph(theme, META, lines=1, parent=self)
        top.addWidget(self.place)
        self.column.addLayout(top)
        self.column.addSpacing(6)
        self.first, self.second = PersonRow(theme, self), PersonRow(theme, self)
        for row in (self.first, self.second):
            row.clicked.connect(lambda _=False, row=row: judgements.open(row.one))
            self.column.addWidget(row)
            self.column.addSpacing(2)
        self.column.addSpacing(4)
        self.why = Paragraph(theme, META, lines=3, parent=self)
        self.column.addWidget(self.why)
        self.column.addSpacing(8)
        answers = QHBoxLayout()
        answers.setSpacing(6)
        self.yes = Button(theme, "Yes, one", weight=Weight.PRIMARY, parent=self)
        self.no = Button(theme, "No, two", parent=self)
        self.unsure = Button(theme, "Not sure", weight=Weight.QUIET, parent=self)
        self.unsure.setToolTip("Asks again when there is more to go by")
        for button, act in (
            (self.yes, judgements.same),
            (self.no, judgements.different),
            (self.unsure, judgements.not_sure),
        ):
            button.clicked.connect(act)
            answers.addWidget(button)
        answers.addStretch(1)
        self.column.addLayout(answers)
        self.hide()

    def say(self, question: QuestionView | None) -> None:
        """Shows another question, or none."""
        self.setVisible(question is not None)
        if question is None:
            return
        self.place.say(question.place)
        self.place.setFixedWidth(self.place.natural_width())
        self.first.say(question.first)
        self.second.say(question.second)
        self.why.say(question.why)
        both = f"{question.first.name} and {question.second.name}"
        self.yes.setAccessibleName(f"Yes, {both} are one person")
        self.no.setAccessibleName(f"No, {both} are two people")
        self.unsure.setAccessibleName(f"Not sure whether {both} are one person")
