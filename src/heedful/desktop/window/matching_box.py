"""Settings → Matching by meaning."""

from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.theme import font
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.consent_box import ConsentBox
from heedful.desktop.widgets.fields import FIELD_FONT_PX, Choice, labelled, line
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.background_work import WorkView
from heedful.presenters.matching import Kind, MatchingView

KINDS: dict[Kind, str] = {
    "embedded": "Built in",
    "openai_compatible": "A server of yours",
    "none": "None",
}
LOOK_EVERY_MS = 2000


class MatchingBox(Surface):
    """What finds passages by meaning, the way to a server, and how far the passages are prepared."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk.theme, spacing=8, parent=parent)
        self._desk = desk
        theme, matching = desk.theme, desk.matching
        self.in_force = Paragraph(theme, TEXT, lines=2, parent=self)
        self.progress = Paragraph(theme, META, lines=2, parent=self)
        self.choice = Choice(theme, "Matching by meaning", self)
        for kind, words in KINDS.items():
            self.choice.addItem(words, kind)
        self.choice.activated.connect(self._chosen)
        self.hint = Paragraph(theme, META, lines=3, parent=self)
        self.address = line("Address of the embedding server", hint="https://…/v1")
        self.key = line("Key of the embedding server", secret=True)
        self.model = Choice(theme, "Embedding model", self)
        self.model.setEditable(True)
        for field in (self.address, self.key):
            field.editingFinished.connect(self._edited)
        self.model.activated.connect(lambda _: self._edited())
        editor = self.model.lineEdit()
        if editor is not None:
            editor.setFont(font(FIELD_FONT_PX))
            editor.setPlaceholderText("the embedding model's name")
            editor.editingFinished.connect(self._edited)
        self._server = [
            labelled(theme, "Address", self.address),
            labelled(theme, "Key", self.key),
            labelled(theme, "Model", self.model),
        ]
        self.use = Button(theme, "Use", weight=Weight.PRIMARY, parent=self)
        self.use.clicked.connect(lambda: desk.slots.start("use embeddings", matching.use))
        self.test = Button(theme, "Test", parent=self)
        self.test.clicked.connect(lambda: desk.slots.start("test embeddings", matching.test))
        self.withdraw = Button(theme, "Withdraw consent", weight=Weight.LINK, parent=self)
        self.withdraw.clicked.connect(
            lambda: desk.slots.start("withdraw embeddings", matching.withdraw_consent)
        )
        self.forget_key = Button(theme, "Forget key", weight=Weight.LINK, parent=self)
        self.forget_key.clicked.connect(lambda: desk.slots.start("forget embedding key", matching.forget_key))
        self.consent = ConsentBox(
            theme,
            agree=lambda: desk.slots.start("agree to embeddings", matching.agree),
            decline=lambda: desk.slots.call(matching.decline),
            parent=self,
        )
        self.result = Paragraph(theme, TEXT, parent=self)
        row = QHBoxLayout()
        row.addWidget(self.use)
        row.addWidget(self.test)
        row.addStretch(1)
        row.addWidget(self.withdraw)
        row.addWidget(self.forget_key)
        for part in (self.in_force, self.progress, self.choice, self.hint, *self._server):
            self.column.addWidget(part)
        self.column.addLayout(row)
        self.column.addWidget(self.consent)
        self.column.addWidget(self.result)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY_MS)
        self._timer.timeout.connect(desk.work.refresh)
        desk.watches.append(matching.view.watch(self._show))
        desk.watches.append(desk.work.view.watch(self._show_progress))
        matching.refresh()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        super().showEvent(event)
        self._desk.work.refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        super().hideEvent(event)
        self._timer.stop()

    def _show(self, view: MatchingView) -> None:
        """Shows another state; a field that the person is typing in is left alone."""
        self.in_force.say(f"In use: {view.in_force}.")
        self.choice.setCurrentIndex(self.choice.findData(view.form.kind))
        self.hint.say(view.hint)
        is_server = view.form.kind == "openai_compatible"
        for part in (*self._server, self.test):
            part.setVisible(is_server)
        self.withdraw.setVisible(is_server and view.is_allowed)
        self.forget_key.setVisible(is_server and view.has_key)
        if not self.address.hasFocus():
            self.address.setText(view.form.base_url)
        if not self.key.hasFocus():
            self.key.setText(view.form.key)
        self.key.setPlaceholderText(
            "Kept in the keyring" if view.has_key else "If it needs one; goes to the keyring"
        )
        self._fill_models(view)
        self.use.setAccessibleName("Use this way of matching")
        self.use.setEnabled(view.is_changed and not view.is_busy)
        self.test.setEnabled(not view.is_busy)
        self.test.say("Testing…" if view.is_busy else "Test")
        self.test.setAccessibleName("Test the embedding server")
        self.consent.say(view.consent)
        self.result.setVisible(bool(view.result))
        self.result.say("\u2028".join(view.result))

    def _show_progress(self, view: WorkView) -> None:
        self.progress.setVisible(bool(view.embedding))
        self.progress.say(f"{view.embedding} Until all are, matching by meaning finds fewer.")

    def _fill_models(self, view: MatchingView) -> None:
        editor = self.model.lineEdit()
        if editor is None or editor.hasFocus():
            return
        if [self.model.itemText(at) for at in range(self.model.count())] != list(view.models):
            self.model.clear()
            self.model.addItems(list(view.models))
        self.model.setEditText(view.form.model)

    def _chosen(self, at: int) -> None:
        kind = self.choice.itemData(at)
        self._desk.slots.start(f"choose {kind}", lambda: self._desk.matching.choose(kind))

    def _edited(self) -> None:
        form = self._desk.matching.view.value.form
        typed = replace(
            form, base_url=self.address.text(), model=self.model.currentText(), key=self.key.text()
        )
        if typed != form:
            self._desk.slots.call(lambda: self._desk.matching.edit(typed))
