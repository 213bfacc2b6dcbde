"""Settings → TokenJuice, a page behind the Settings tab: a text explained, rules of one's own, what was saved."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.widgets.bar_chart import BarChart, BarTable
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept, ScrollColumn
from heedful.desktop.widgets.fields import line
from heedful.desktop.widgets.paragraph import META, PLAIN, ROW_TITLE, TEXT, TITLE, Paragraph, Type
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.side_by_side import SideBySide, mono
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.tag import Tag
from heedful.presenters.juice import JuiceView, Pasted
from heedful.presenters.juice_account import Account, StepView
from heedful.presenters.juice_rules import RuleDraft, RuleNote
from heedful.presenters.juice_savings import COLUMNS, Savings

SECTION_GAP = 14
TROUBLE = Type(12.5, 18, colour="coral")
INTRODUCTION = (
    "Every text that goes to a model is shortened first, and says what was left out. "
    "Paste one to see which rule speaks for it. What you paste is looked at and forgotten."
)
NO_RULES = "None yet. “Edit as my rule” writes one to {folder}, where it wins over the one built in."
NO_SAVINGS = "Nothing was compressed yet. Each look that asks a model adds to this."


class PasteBox(Surface):
    """What to explain: a text, and what is known of the command that printed it."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk.theme, spacing=8, parent=parent)
        self._desk = desk
        self.text = QPlainTextEdit(self)
        self.text.setFont(mono())
        self.text.setAccessibleName("Text to explain")
        self.text.setPlaceholderText("What a program printed, or what somebody wrote")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(112)
        self.command = line("Command that printed it", hint="Command that printed it, if any")
        self.exit_code = line("Exit code", hint="Exit code")
        self.exit_code.setFixedWidth(84)
        self.explain = Button(desk.theme, "Explain", weight=Weight.PRIMARY, parent=self)
        self.explain.clicked.connect(self.ask)
        self.trouble = Paragraph(desk.theme, TROUBLE, parent=self)
        for field in (self.command, self.exit_code):
            field.returnPressed.connect(self.ask)
        known = QHBoxLayout()
        known.setSpacing(8)
        known.addWidget(self.command, 1)
        known.addWidget(self.exit_code)
        self.column.addWidget(self.text)
        self.column.addLayout(known)
        self.column.addWidget(self.trouble)
        self.column.addWidget(self.explain, 0, Qt.AlignmentFlag.AlignLeft)

    def ask(self) -> None:
        """Asks for the explanation of what is typed."""
        pasted = Pasted(self.text.toPlainText(), self.command.text(), self.exit_code.text())
        self._desk.slots.start("explain a text", lambda: self._desk.juice.explain(pasted))

    def say(self, view: JuiceView) -> None:
        """Shows whether it is being looked at, or why it can't be."""
        self.trouble.say(view.trouble)
        self.trouble.setVisible(bool(view.trouble))
        self.explain.allow(allowed=not view.is_busy)
        self.explain.say("Explaining…" if view.is_busy else "Explain")


class RuleBlock(QWidget):
    """The rule that spoke, and its rivals with their scores."""

    def __init__(self, desk: Desk, account: Account, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = desk.theme
        layout = _column(self)
        layout.addWidget(SectionHead(theme, "The rule that speaks", f"score {account.score}", self))
        ground = Surface(theme, spacing=4, parent=self)
        ground.column.addWidget(Paragraph(theme, ROW_TITLE, text=account.rule, parent=ground))
        if account.description:
            ground.column.addWidget(Paragraph(theme, TEXT, text=account.description, parent=ground))
        ground.column.addWidget(Paragraph(theme, META, text=account.origin, parent=ground))
        if account.looks:
            ground.column.addWidget(
                Paragraph(theme, META, text=f"The text looks like: {account.looks}", parent=ground)
            )
        if account.runners_up:
            ground.column.addSpacing(4)
            rivals = ", ".join(f"{rival.rule} {rival.score}" for rival in account.runners_up)
            ground.column.addWidget(Paragraph(theme, META, text=f"Matched too: {rivals}", parent=ground))
        self.edit = Button(theme, "Edit as my rule", parent=ground)
        self.edit.clicked.connect(lambda: desk.slots.call(desk.juice.edit_as_own))
        ground.column.addSpacing(4)
        ground.column.addWidget(self.edit, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(ground)


class RuleEditor(Surface):
    """A rule of one's own as JSON, with the file it goes to."""

    def __init__(self, desk: Desk, draft: RuleDraft, parent: QWidget | None = None) -> None:
        super().__init__(desk.theme, spacing=6, parent=parent)
        theme = desk.theme
        self.edge("blue")
        self.text = QPlainTextEdit(draft.text, self)
        self.text.setFont(mono())
        self.text.setAccessibleName("My rule, as JSON")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(220)
        self.where = Paragraph(theme, PLAIN, parent=self)
        self.trouble = Paragraph(theme, TROUBLE, parent=self)
        self.save = Button(theme, "Save", weight=Weight.PRIMARY, parent=self)
        self.save.clicked.connect(self._save)
        self.cancel = Button(theme, "Cancel", parent=self)
        self.cancel.clicked.connect(lambda: desk.slots.call(desk.juice.cancel_edit))
        self._desk = desk
        row = QHBoxLayout()
        row.addWidget(self.save)
        row.addWidget(self.cancel)
        row.addStretch(1)
        for part in (self.text, self.where, self.trouble):
            self.column.addWidget(part)
        self.column.addLayout(row)
        self.say(draft)

    def say(self, draft: RuleDraft) -> None:
        """Shows where it goes and what keeps it from being saved; what is typed stays."""
        self.where.say(draft.where)
        self.trouble.say(draft.trouble)
        self.trouble.setVisible(bool(draft.trouble))
        self.save.say("Replace" if draft.replaces else "Save")

    def _save(self) -> None:
        typed = self.text.toPlainText()
        self._desk.slots.start("save a rule", lambda: self._desk.juice.save(typed))


class CutBlock(QWidget):
    """What each step cut, and the text before and after."""

    def __init__(self, desk: Desk, account: Account, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = desk.theme
        layout = _column(self)
        if account.steps:
            layout.addWidget(SectionHead(theme, "What each step cut", parent=self))
            ground = Surface(theme, spacing=4, parent=self)
            for step in account.steps:
                self._add_step(ground, step)
            layout.addWidget(ground)
            layout.addSpacing(SECTION_GAP)
        layout.addWidget(SectionHead(theme, "Before and after", account.outcome, self))
        self.sides = SideBySide(theme, account.before, account.after, self)
        layout.addWidget(self.sides)

    def _add_step(self, ground: Surface, step: StepView) -> None:
        theme = ground.theme
        ground.column.addWidget(Paragraph(theme, PLAIN, text=f"{step.name}: {step.counts}", parent=ground))
        for sample in step.sample:
            ground.column.addWidget(Paragraph(theme, META, text=f"− {sample}", lines=1, parent=ground))
        if step.sample:
            ground.column.addSpacing(4)


class NoteRow(QWidget):
    """One rule of the person's own, or a file that could not be used."""

    def __init__(self, desk: Desk, note: RuleNote, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = _column(self)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(Paragraph(desk.theme, PLAIN, text=note.title, parent=self), 1)
        if note.tone == "failed":
            head.addWidget(Tag(desk.theme, shape="failed", word="not used", parent=self))
        column.addLayout(head)
        column.addWidget(Paragraph(desk.theme, META, text=note.detail, parent=self))


class SavingsBlock(Surface):
    """The chart of what was saved each day, and the table behind it."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk.theme, spacing=6, parent=parent)
        self._savings = Savings()
        self.empty = Paragraph(desk.theme, TEXT, text=NO_SAVINGS, parent=self)
        self.chart = BarChart(desk.theme, "Tokens saved each day", self)
        self.caption = Paragraph(desk.theme, META, lines=2, parent=self)
        self.more = Button(desk.theme, "Show as a table", weight=Weight.LINK, parent=self)
        self.table = BarTable(desk.theme, "Tokens saved each day", COLUMNS, self)
        self.table.hide()
        self.chart.pointed.connect(self._tell)
        self.more.clicked.connect(self._turn)
        for part in (self.empty, self.chart, self.caption):
            self.column.addWidget(part)
        self.column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.table)

    def say(self, savings: Savings) -> None:
        """Shows other days."""
        self._savings = savings
        has_bars = bool(savings.bars)
        self.empty.setVisible(not has_bars)
        for part in (self.chart, self.caption, self.more):
            part.setVisible(has_bars)
        self.chart.say(savings.bars, savings.total)
        self.table.say(savings.bars)
        self.table.setVisible(self.table.isVisibleTo(self) and has_bars)
        self._tell(-1)

    def _tell(self, number: int) -> None:
        bars = self._savings.bars
        self.caption.say(bars[number].words if 0 <= number < len(bars) else self._savings.total)

    def _turn(self) -> None:
        self.table.setVisible(self.table.isHidden())
        self.more.say("Show as a table" if self.table.isHidden() else "Hide the table")


class JuicePage(ScrollColumn):
    """The page; `back` leads to the Settings tab."""

    def __init__(self, desk: Desk, back: Callable[[], None]) -> None:
        super().__init__()
        self._desk = desk
        theme = desk.theme
        self.back = Button(theme, "Settings", weight=Weight.LINK, icon="left")
        self.back.setAccessibleName("Back to Settings")
        self.back.clicked.connect(back)
        self.paste = PasteBox(desk)
        self.savings = SavingsBlock(desk)
        self.no_rules = Paragraph(theme, TEXT)
        self.column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(Paragraph(theme, TITLE, text="TokenJuice"))
        self.column.addSpacing(2)
        self.column.addWidget(Paragraph(theme, TEXT, text=INTRODUCTION))
        self.column.addSpacing(8)
        self.column.addWidget(self.paste)
        self.rule: Kept[Account, RuleBlock] = Kept(
            self._place(), lambda _: "rule", lambda account: RuleBlock(desk, account, self)
        )
        self.editor: Kept[RuleDraft, RuleEditor] = Kept(
            self._place(8),
            lambda _: "draft",
            lambda draft: RuleEditor(desk, draft, self),
            lambda editor, draft: editor.say(draft),
        )
        self.cut: Kept[Account, CutBlock] = Kept(
            self._place(), lambda _: "cut", lambda account: CutBlock(desk, account, self)
        )
        self.column.addSpacing(SECTION_GAP)
        self._rules_head = SectionHead(theme, "My rules")
        self.column.addWidget(self._rules_head)
        ground = Surface(theme, spacing=8)
        self.column.addWidget(ground)
        ground.column.addWidget(self.no_rules)
        notes = _column(None)
        notes.setSpacing(8)
        ground.column.addLayout(notes)
        self.notes: Kept[RuleNote, NoteRow] = Kept(
            notes, lambda note: (note.title, note.detail), lambda note: NoteRow(desk, note, self)
        )
        self.column.addSpacing(SECTION_GAP)
        self._savings_head = SectionHead(theme, "Saved, day by day")
        self.column.addWidget(self._savings_head)
        self.column.addWidget(self.savings)
        self.column.addStretch(1)
        asks = QShortcut(QKeySequence("Ctrl+Return"), self, self.paste.ask)
        asks.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        returns = QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self, back)
        returns.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        desk.watches.append(desk.juice.view.watch(self._show))
        desk.juice.refresh()

    def step_back(self) -> bool:
        """To the Settings tab."""
        self.back.click()
        return True

    def _place(self, gap: int = SECTION_GAP) -> QVBoxLayout:
        """A place in the column for what comes and goes, with room above it."""
        place = _column(None)
        place.setContentsMargins(0, gap, 0, 0)
        self.column.addLayout(place)
        return place

    def _show(self, view: JuiceView) -> None:
        self.paste.say(view)
        accounts = [view.account] if view.account is not None else []
        self.rule.show(accounts)
        self.editor.show([view.draft] if view.draft is not None else [])
        self.cut.show(accounts)
        self.no_rules.say(NO_RULES.format(folder=view.own_folder))
        self.no_rules.setVisible(not view.notes)
        self.notes.show(view.notes)
        self.savings.say(view.savings)


def juice_section(desk: Desk) -> QWidget:
    """What the Settings tab shows of TokenJuice: a sentence, and the way to the page."""
    ground = Surface(desk.theme, spacing=8)
    ground.column.addWidget(
        Paragraph(
            desk.theme,
            TEXT,
            text="Shortens what goes to a model by rules you can see and overrule, and counts what it saves.",
        )
    )
    open_page = Button(desk.theme, "Open TokenJuice", parent=ground)
    pages: list[JuicePage] = []

    def show() -> None:
        if not pages:
            pages.append(JuicePage(desk, partial(desk.open_tab, "settings")))
        desk.show_page(pages[0])

    open_page.clicked.connect(lambda: desk.slots.call(show))
    ground.column.addWidget(open_page, 0, Qt.AlignmentFlag.AlignLeft)
    return ground


def _column(owner: QWidget | None) -> QVBoxLayout:
    column = QVBoxLayout(owner) if owner is not None else QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column
