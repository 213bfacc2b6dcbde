"""What the boxes of the Settings tab that lead to a server have in common: its fields, and the steps to it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from heedful.desktop.slots import Slots
from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.consent_box import ConsentBox
from heedful.desktop.widgets.fields import FIELD_FONT_PX, Choice, labelled, line
from heedful.desktop.widgets.paragraph import TEXT, Paragraph
from heedful.presenters.server_steps import ServerState, ServerSteps


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands in the fields."""

    base_url: str
    model: str
    key: str


def key_words(server: ServerState, otherwise: str) -> str:
    """What stands in an empty key field: what is known of the key, and what will happen to one."""
    if server.has_key:
        return "Kept in the keyring"
    return "The keyring is locked: it asks for its password" if server.is_locked else otherwise


class ServerFields(QWidget):
    """Address, key and model; `edited` is called when the person is done with one of them."""

    def __init__(
        self, theme: Theme, of: str, edited: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.address = line(f"Address of the {of}")
        self.key = line(f"Key of the {of}", secret=True)
        self.model = Choice(theme, f"Model of the {of}", self)
        self.model.setEditable(True)
        self.model.activated.connect(lambda _: edited())
        self._model_name = self.model.lineEdit() or QLineEdit()
        self._model_name.setFont(font(FIELD_FONT_PX))
        for field in (self.address, self.key, self._model_name):
            field.editingFinished.connect(edited)
        self._key_box = labelled(theme, "Key", self.key)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(labelled(theme, "Address", self.address))
        column.addWidget(self._key_box)
        column.addWidget(labelled(theme, "Model", self.model))

    @property
    def typed(self) -> Typed:
        """What stands in the fields now."""
        return Typed(self.address.text(), self.model.currentText(), self.key.text())

    def say(self, typed: Typed, models: tuple[str, ...]) -> None:
        """Shows another state; a field that the person is typing in is left alone."""
        for field, text in ((self.address, typed.base_url), (self.key, typed.key)):
            if not field.hasFocus():
                field.setText(text)
        if self._model_name.hasFocus():
            return
        if [self.model.itemText(at) for at in range(self.model.count())] != list(models):
            self.model.clear()
            self.model.addItems(list(models))
        self.model.setEditText(typed.model)

    def hint(self, *, address: str, key: str, model: str) -> None:
        """What stands in the fields while they are empty."""
        self.address.setPlaceholderText(address)
        self.key.setPlaceholderText(key)
        self._model_name.setPlaceholderText(model)

    def ask_for_key(self, *, asked: bool) -> None:
        """Whether the server may need a key."""
        self._key_box.setVisible(asked)


class StepButtons(QWidget):
    """Use, test, and the ways back; the question before the first byte; and what came of the last step."""

    def __init__(
        self, theme: Theme, slots: Slots, steps: ServerSteps, of: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.use = Button(theme, "Use", weight=Weight.PRIMARY, parent=self)
        self.use.clicked.connect(lambda: slots.start(f"use {of}", steps.use))
        self.test = Button(theme, "Test", parent=self)
        self.test.clicked.connect(lambda: slots.start(f"test {of}", steps.test))
        self.withdraw = Button(theme, "Withdraw consent", weight=Weight.LINK, parent=self)
        self.withdraw.clicked.connect(lambda: slots.start(f"withdraw {of}", steps.withdraw_consent))
        self.forget_key = Button(theme, "Forget key", weight=Weight.LINK, parent=self)
        self.forget_key.clicked.connect(lambda: slots.start(f"forget key of {of}", steps.forget_key))
        self.consent = ConsentBox(
            theme,
            agree=lambda: slots.start(f"agree to {of}", steps.agree),
            decline=lambda: slots.call(steps.decline),
            parent=self,
        )
        self.result = Paragraph(theme, TEXT, parent=self)
        self._of = of
        row = QHBoxLayout()
        row.addWidget(self.use)
        row.addWidget(self.test)
        row.addStretch(1)
        row.addWidget(self.withdraw)
        row.addWidget(self.forget_key)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.consent)
        column.addWidget(self.result)

    def say(self, server: ServerState, *, is_server: bool) -> None:
        """Shows another state; what vanishes under the keyboard hands it to the step that it belongs to."""
        leaving = QApplication.focusWidget()
        self.use.allow(allowed=server.is_changed and not server.is_busy)
        self.use.setAccessibleName(f"Use the {self._of}")
        self.test.allow(allowed=not server.is_busy)
        self.test.say("Testing…" if server.is_busy else "Test")
        self.test.setAccessibleName(f"Test the {self._of}")
        self.test.setVisible(is_server)
        leaves = (
            (self.withdraw, is_server and server.is_allowed),
            (self.forget_key, is_server and server.has_key),
            (self.consent, server.consent is not None),
        )
        for part, stays in leaves:
            if not stays and leaving is not None and (part is leaving or part.isAncestorOf(leaving)):
                (self.test if is_server else self.use).setFocus(Qt.FocusReason.TabFocusReason)
        for part, stays in leaves:
            part.setVisible(stays)
        self.consent.say(server.consent)
        self.result.setVisible(bool(server.result))
        self.result.say("\u2028".join(server.result))
