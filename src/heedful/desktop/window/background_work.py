"""The strip «Background work» in Activity: one quiet line, which unfolds into what is unfinished and why."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept
from heedful.desktop.widgets.paragraph import META, PLAIN, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.tag import Tag
from heedful.desktop.widgets.while_seen import WhileSeen
from heedful.presenters.background_work import KindView, WorkView

LOOK_EVERY_MS = 2000


class KindRow(QWidget):
    """One kind of work."""

    def __init__(self, theme: Theme, kind: KindView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        head = QHBoxLayout()
        head.setSpacing(8)
        self._name = Paragraph(theme, PLAIN, lines=2, parent=self)
        self._state = Tag(theme, parent=self)
        self._reason = Paragraph(theme, META, parent=self)
        head.addWidget(self._name, 1)
        head.addWidget(self._state, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        column.addWidget(self._reason)
        self.say(kind)

    def say(self, kind: KindView) -> None:
        """Shows another state of the kind."""
        self._name.say(kind.name)
        self._state.say(kind.shape, kind.state, drawn=kind.shape in ("failed", "running"))
        self._reason.say(kind.reason)
        self._reason.setVisible(bool(kind.reason))
        self.setAccessibleName(kind.sentence)


class BackgroundWorkStrip(QWidget):
    """Closed it is a line; it looks at the queue while it can be seen."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = desk.theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 12)
        layout.setSpacing(4)
        self.head = Button(theme, "Background work", weight=Weight.LINK, icon="right", parent=self)
        self.head.setCheckable(True)
        self.head.toggled.connect(self._unfold)
        self._note = Paragraph(theme, META, lines=1, parent=self)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 2, 0)
        line.addWidget(self.head)
        line.addStretch(1)
        line.addWidget(self._note)
        layout.addLayout(line)
        self.ground = Surface(theme, spacing=8, parent=self)
        self.ground.hide()
        layout.addWidget(self.ground)
        self.pace = Paragraph(theme, META, lines=2, parent=self.ground)
        self.retry = Button(theme, "Retry failed", parent=self.ground)
        self.retry.clicked.connect(lambda: desk.slots.start("retry failed work", desk.work.retry_failed))
        self.wake = Button(theme, "Try what is put off now", parent=self.ground)
        self.wake.clicked.connect(lambda: desk.slots.start("wake work", desk.work.wake))
        rows = QVBoxLayout()
        rows.setSpacing(8)
        buttons = QHBoxLayout()
        buttons.addWidget(self.retry)
        buttons.addWidget(self.wake)
        buttons.addStretch(1)
        self.ground.column.addWidget(self.pace)
        self.ground.column.addLayout(rows)
        self.ground.column.addLayout(buttons)
        self.kinds: Kept[KindView, KindRow] = Kept(
            rows,
            lambda kind: kind.kind,
            lambda kind: KindRow(theme, kind, self.ground),
            lambda row, kind: row.say(kind),
        )
        WhileSeen(self, desk.work.refresh, every_ms=LOOK_EVERY_MS)
        desk.watches.append(desk.work.view.watch(self._show))

    def _unfold(self, is_open: bool) -> None:
        self.head.point("down" if is_open else "right")
        self.ground.setVisible(is_open)

    def _show(self, view: WorkView) -> None:
        self._note.say(view.note)
        self._note.setFixedWidth(self._note.natural_width())
        self.head.setAccessibleName(", ".join(part for part in ("Background work", view.note) if part))
        if view.trouble is None:
            self.pace.say(view.pace)
        else:
            self.pace.say(f"{view.trouble.headline}. {view.trouble.advice}".strip())
        self.kinds.show(view.kinds)
        self.retry.setVisible(view.can_retry)
        self.wake.setVisible(view.can_wake)
