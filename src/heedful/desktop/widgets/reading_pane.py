"""A message as a letter: who, when, the subject, its passages with the match marked, and what is known of them."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMenu, QTextBrowser, QVBoxLayout, QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import ScrollColumn
from heedful.desktop.widgets.paragraph import HEADING, META, PLAIN, TITLE, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.ways import Way, WayList
from heedful.desktop.widgets.whole_words import as_written
from heedful.desktop.widgets.why_bars import WhyBars
from heedful.presenters.memory_views import EntityScope, LetterView, PassageView
from heedful.presenters.numbers import count

_LINE_PERCENT = 122.0
MOST_WIDE = 760
"""Longer lines are hard to follow back to their beginning."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What can be done from a letter."""

    back: Callable[[], None]
    unfold_earlier: Callable[[], None]
    unfold_later: Callable[[], None]
    open_entity: Callable[[str, str], None]
    forget_message: Callable[[], None]
    forget_thread: Callable[[], None]


class LetterText(QTextBrowser):
    """Passages one after the other, as high as they are; names in them are links that Tab reaches."""

    def __init__(
        self,
        theme: Theme,
        opened: Callable[[str, str], None],
        copy_cited: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._opened = opened
        self._copy_cited = copy_cited
        self._passages: tuple[PassageView, ...] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAccessibleName("The message")
        self.setFont(font(PLAIN.pixels))
        self.setStyleSheet("QTextBrowser { background: transparent; border: 0; }")
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(self._follow)
        theme.changed.connect(self._write)

    def say(self, passages: tuple[PassageView, ...]) -> None:
        """Replaces the text; where passages only came before or after, what stands there is left as it is."""
        before = self._passages
        if passages == before:
            return
        self._passages = passages
        at = passages.index(before[0]) if before and before[0] in passages else None
        if at is None or passages[at : at + len(before)] != before:
            self._write()
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for passage in passages[:at]:
            self._insert(cursor, passage)
            cursor.insertText("\n\n", self._plain(passage))
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for passage in passages[at + len(before) :]:
            cursor.insertText("\n\n", self._plain(passage))
            self._insert(cursor, passage)
        cursor.endEditBlock()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        """What can be done with the text."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copying = menu.addAction("Copy")
        copying.setEnabled(self.textCursor().hasSelection())
        copying.triggered.connect(self.copy)
        menu.addAction("Copy with its source").triggered.connect(self._copy_cited)
        menu.addSeparator()
        menu.addAction("Select all").triggered.connect(self.selectAll)
        return menu

    def selected(self) -> str:
        """The words that are selected, as plain text."""
        return self.textCursor().selection().toPlainText()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        event.ignore()

    def _write(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        spacing = QTextBlockFormat()
        spacing.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(spacing)
        for place, passage in enumerate(self._passages):
            if place:
                cursor.insertText("\n\n", self._plain(passage))
            self._insert(cursor, passage)
        cursor.endEditBlock()
        self._fit()

    def _insert(self, cursor: QTextCursor, passage: PassageView) -> None:
        """The passage as it is written; a span of marks or a link changes its letters, never its words."""
        edges = {0, len(passage.text)}
        edges |= {edge for start, end in passage.marks for edge in (start, end)}
        edges |= {edge for link in passage.links for edge in (link.start, link.end)}
        places = sorted(edges)
        for start, end in itertools.pairwise(places):
            cursor.insertText(passage.text[start:end], self._letters(passage, start, end))

    def _plain(self, passage: PassageView) -> QTextCharFormat:
        letters = QTextCharFormat()
        letters.setForeground(self._theme.colour("ink" if passage.is_hit else "ink_2"))
        return letters

    def _letters(self, passage: PassageView, start: int, end: int) -> QTextCharFormat:
        letters = self._plain(passage)
        for link in passage.links:
            if link.start <= start and end <= link.end:
                name = passage.text[link.start : link.end]
                letters.setAnchor(True)
                letters.setAnchorHref(f"entity:{quote(link.entity_id, safe='')}#{quote(name, safe='')}")
                letters.setToolTip(as_written(link.words))
                letters.setFontUnderline(True)
                letters.setUnderlineColor(self._theme.colour("blue"))
        if any(mark_start <= start and end <= mark_end for mark_start, mark_end in passage.marks):
            letters.setBackground(self._theme.colour("amber_pale"))
            letters.setForeground(self._theme.colour("ink"))
        return letters

    def _fit(self) -> None:
        # As wide as the viewport, which is dear to ask; see `ScrollColumn`.
        width = float(self.contentsRect().width())
        if self.document().textWidth() != width:  # setting it again would lay everything out again
            self.document().setTextWidth(width)
        self.setFixedHeight(max(24, round(self.document().size().height()) + 2))

    def _follow(self, url: QUrl) -> None:
        entity, _, name = url.toString(QUrl.ComponentFormattingOption.FullyEncoded).partition("#")
        self._opened(unquote(entity.removeprefix("entity:")), unquote(name))


class ReadingPane(QWidget):
    """One letter with the way back above it."""

    def __init__(self, theme: Theme, reading: Reading, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._reading = reading
        self._letter: LetterView | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar())
        self.area = ScrollColumn(self)
        column.addWidget(self.area, 1)
        self.area.inside.setMaximumWidth(MOST_WIDE)
        inside = self.area.column
        inside.setContentsMargins(12, 4, 12, 24)
        inside.addWidget(self._paper())
        self.found, self._found_ground = self._why("Why found")
        self.kept, self._kept_ground = self._why("Why kept")
        self._names_head = Paragraph(theme, HEADING, text="Named here", lines=1)
        self.names = WayList(theme)
        inside.addSpacing(10)
        inside.addWidget(self._found_ground)
        inside.addWidget(self._kept_ground)
        inside.addSpacing(4)
        inside.addWidget(self._names_head)
        inside.addSpacing(6)
        inside.addWidget(self.names)
        inside.addStretch(1)

        QShortcut(
            QKeySequence.StandardKey.Delete,
            self,
            reading.forget_message,
            context=Qt.ShortcutContext.WidgetWithChildrenShortcut,
        )

    def say(self, letter: LetterView, *, back_to: str) -> None:
        """Shows a letter; a new one from its top."""
        is_new = self._letter is None or letter.chunk_id != self._letter.chunk_id
        self._letter = letter
        self.back.say(back_to)
        self._meta.say(" · ".join(part for part in (letter.when, letter.place) if part))
        self._subject.say(letter.subject or "Without a subject")
        self._people.say(_who(letter))
        self.text.say(letter.passages)
        self.earlier.say(f"{count(letter.earlier, 'passage')} before this")
        self.earlier.setVisible(letter.earlier > 0)
        self.later.say(f"{count(letter.later, 'passage')} after this")
        self.later.setVisible(letter.later > 0)
        self._found_ground.setVisible(letter.found is not None)
        if letter.found is not None:
            self.found.say_found(letter.found)
        self._kept_ground.setVisible(letter.why is not None)
        if letter.why is not None:
            self.kept.say_kept(letter.why)
        self._names_head.setVisible(bool(letter.people))
        self.names.setVisible(bool(letter.people))
        self.names.show_ways([self._way(place, one) for place, one in enumerate(letter.people)])
        if is_new:
            self.begin()

    def begin(self) -> None:
        """Shows the letter from its top, as it was never looked at before."""
        self._offer_copy()
        self.area.verticalScrollBar().setValue(0)

    def enter(self) -> None:
        """Takes the keyboard."""
        self.back.setFocus(Qt.FocusReason.TabFocusReason)

    def _bar(self) -> QWidget:
        bar = QWidget(self)
        bar.setMaximumWidth(MOST_WIDE)
        row = QHBoxLayout(bar)
        row.setContentsMargins(10, 0, 12, 4)
        row.setSpacing(8)
        self.back = Button(self._theme, "Back", weight=Weight.LINK, icon="left", parent=self)
        self.back.clicked.connect(self._reading.back)
        self.copy = Button(self._theme, "Copy", weight=Weight.LINK, icon="copy", parent=self)
        self.copy.clicked.connect(self._copy)
        self.forget = Button(self._theme, "Forget", weight=Weight.LINK, parent=self)
        self.forget.open_menu(self._forget_menu(self.forget))
        row.addWidget(self.back)
        row.addStretch(1)
        row.addWidget(self.copy)
        row.addWidget(self.forget)
        return bar

    def _forget_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        menu.addAction("This message…").triggered.connect(self._reading.forget_message)
        menu.addAction("The whole conversation…").triggered.connect(self._reading.forget_thread)
        return menu

    def _why(self, title: str) -> tuple[WhyBars, QWidget]:
        """A ground with its heading, and the gap below it."""
        whole = QWidget(self)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 10)
        ground = Surface(self._theme, parent=whole)
        bars = WhyBars(self._theme, ground)
        ground.column.addWidget(Paragraph(self._theme, HEADING, text=title, lines=1, parent=ground))
        ground.column.addSpacing(2)
        ground.column.addWidget(bars)
        column.addWidget(ground)
        return bars, whole

    def _paper(self) -> QWidget:
        paper = Surface(self._theme)
        self._meta = Paragraph(self._theme, META, lines=2, parent=paper)
        self._subject = Paragraph(self._theme, TITLE, lines=4, parent=paper)
        self._people = Paragraph(self._theme, META, lines=3, parent=paper)
        self.earlier = Button(self._theme, "", weight=Weight.LINK, icon="right", parent=paper)
        self.earlier.clicked.connect(self._reading.unfold_earlier)
        self.text = LetterText(self._theme, self._reading.open_entity, self._copy, paper)
        self.text.selectionChanged.connect(self._offer_copy)
        self.later = Button(self._theme, "", weight=Weight.LINK, icon="right", parent=paper)
        self.later.clicked.connect(self._reading.unfold_later)
        for part, space in ((self._meta, 3), (self._subject, 2), (self._people, 8)):
            paper.column.addWidget(part)
            paper.column.addSpacing(space)
        left = Qt.AlignmentFlag.AlignLeft
        paper.column.addWidget(self.earlier, 0, left)
        paper.column.addWidget(self.text)
        paper.column.addWidget(self.later, 0, left)
        return paper

    def _way(self, place: int, one: EntityScope) -> Way:
        return Way(str(place), one.name, "", lambda: self._reading.open_entity(one.id, one.name))

    def _offer_copy(self) -> None:
        self.copy.say("Copy selection" if self.text.textCursor().hasSelection() else "Copy")

    def _copy(self) -> None:
        """Takes the selected words with where they stand, or the whole letter with its head."""
        if self._letter is None:
            return
        chosen = self.text.selected()
        cited = f"“{chosen.strip()}”\n— {self._letter.citation}" if chosen.strip() else self._letter.whole
        QApplication.clipboard().setText(cited)
        self.copy.say("Copied")


def _who(letter: LetterView) -> str:
    to = f"to {letter.recipients}" if letter.recipients else ""
    author = f"From {letter.author}" if letter.author else ""
    return " ".join(part for part in (author, to) if part)
