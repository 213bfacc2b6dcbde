"""The Activity tab."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept, ScrollColumn
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.desktop.widgets.fields import line
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.timeline import LookRow
from heedful.desktop.window.background_work import BackgroundWorkStrip
from heedful.presenters.activity import ActivityView, LookDay, LookView


class DayBlock(QWidget):
    """One day's looks."""

    def __init__(self, theme: Theme, day: LookDay) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 14)
        layout.setSpacing(0)
        self.head = SectionHead(theme, day.title, day.note, self)
        looks = QVBoxLayout()
        looks.setSpacing(0)
        layout.addWidget(self.head)
        layout.addLayout(looks)
        self.looks: Kept[LookView, LookRow] = Kept(
            looks,
            lambda look: look.id,
            lambda look: LookRow(theme, look, self),
            lambda row, look: row.say(look),
        )
        self.say(day)

    def say(self, day: LookDay) -> None:
        """Shows another state of the day."""
        self.head.say(day.title, day.note)
        self.looks.show(day.looks)


class ActivityTab(ScrollColumn):
    """«Why was I not told?» first, then the background work in a line, then every look, newest first."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        theme = desk.theme
        self.column.addWidget(SectionHead(theme, "Why was I not told?"))
        self.question = line("A message, sender or words", hint="Words of the message, or its sender")
        self.question.returnPressed.connect(self._ask)
        self.column.addWidget(self.question)
        self.answer = Paragraph(theme, TEXT, lines=3)
        self.reasons = Paragraph(theme, META)
        self.answer.setContentsMargins(0, 6, 0, 0)
        self.column.addSpacing(4)
        self.column.addWidget(self.answer)
        self.column.addWidget(self.reasons)
        self.column.addSpacing(14)
        self.work = BackgroundWorkStrip(desk)
        self.column.addWidget(self.work)
        self._state = QVBoxLayout()
        self.column.addLayout(self._state)
        days = QVBoxLayout()
        days.setSpacing(0)
        self.column.addLayout(days)
        self.look = Button(theme, "Look now", weight=Weight.PLAIN, icon="look")
        self.look.clicked.connect(lambda: desk.slots.call(desk.activity.look_now))
        self.column.addWidget(self.look, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)
        self.days: Kept[LookDay, DayBlock] = Kept(
            days, lambda day: day.title, lambda day: DayBlock(theme, day), lambda block, day: block.say(day)
        )
        self._states: Kept[ActivityView, QWidget] = Kept(self._state, lambda view: view.stage, self._words)
        self.near_end.connect(lambda: desk.slots.start("older looks", desk.activity.show_more))
        desk.watches.append(desk.activity.view.watch(self._show))

    def _ask(self) -> None:
        words = self.question.text()
        self._desk.slots.start(f"why {words}", lambda: self._desk.activity.ask_why(words))

    def _show(self, view: ActivityView) -> None:
        self.answer.setVisible(view.why is not None)
        self.reasons.setVisible(view.why is not None and bool(view.why.reasons))
        if view.why is not None:
            self.answer.say(view.why.headline)
            self.reasons.say("\u2028".join(f"· {reason}" for reason in view.why.reasons))
        self._states.show([] if view.stage == "looks" else [view])
        self.days.show(view.days)

    def _words(self, view: ActivityView) -> QWidget:
        if view.trouble is not None:
            return EmptyState(self._desk.theme, view.trouble.headline, view.trouble.advice)
        if view.stage == "empty":
            return EmptyState(
                self._desk.theme,
                "No look yet",
                "The first one comes a minute after the start, or now.",
                glyph="activity",
            )
        return EmptyState(self._desk.theme, "Loading")


TAB = Tab("activity", "Activity", "activity", 50, ActivityTab)
