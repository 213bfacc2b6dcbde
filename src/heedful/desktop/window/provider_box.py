"""Settings → Model."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.fields import Choice, beside, line
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.window.server_box import ServerFields, StepButtons, Typed, key_words
from heedful.presenters.provider_form import BUILTIN
from heedful.presenters.settings import ProviderView


class TermsFold(QWidget):
    """What a provider's calls cost and how large they are: folded until asked for, or until something is set."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.head = Button(theme, "Prices and size of calls", weight=Weight.LINK, icon="right", parent=self)
        self.head.setCheckable(True)
        self.head.toggled.connect(self._unfold)
        self.input_price = line("Price of what goes in, in US dollars a million tokens")
        self.output_price = line("Price of what comes out, in US dollars a million tokens")
        self.threads = line("Threads a call, at most")
        for field in (self.input_price, self.output_price, self.threads):
            field.setFixedWidth(80)
        self._inside = QWidget(self)
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(6)
        inside.addWidget(beside(theme, "Dollars a million tokens in", self.input_price))
        inside.addWidget(beside(theme, "Dollars a million tokens out", self.output_price))
        inside.addWidget(beside(theme, "Threads a call, at most", self.threads))
        inside.addWidget(
            Paragraph(
                theme, META, text="Where prices are unknown, only tokens are held to the allowance.", lines=2
            )
        )
        self._inside.hide()
        column.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._inside)

    def say(self, view: ProviderView) -> None:
        """Shows another state; a field that the person is typing in is left alone."""
        for field, typed, hint in (
            (self.input_price, view.form.input_price, view.hints.input_price),
            (self.output_price, view.form.output_price, view.hints.output_price),
            (self.threads, view.form.threads_per_call, view.hints.threads_per_call),
        ):
            if not field.hasFocus():
                field.setText(typed)
            field.setPlaceholderText(hint)
            if typed:
                self.head.setChecked(True)

    def _unfold(self, is_open: bool) -> None:
        self.head.point("down" if is_open else "right")
        self._inside.setVisible(is_open)


class ProviderBox(Surface):
    """Which model reads along."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk.theme, spacing=8, parent=parent)
        self._desk = desk
        theme = desk.theme
        self.in_force = Paragraph(theme, TEXT, lines=2, parent=self)
        self.choice = Choice(theme, "Provider", self)
        self.choice.activated.connect(self._chosen)
        self.hint = Paragraph(theme, META, lines=2, parent=self)
        self.fields = ServerFields(theme, "provider", self._edited, self)
        self.terms = TermsFold(theme, self)
        for field in (self.terms.input_price, self.terms.output_price, self.terms.threads):
            field.editingFinished.connect(self._edited)
        self.steps = StepButtons(theme, desk.slots, desk.settings.steps, "provider", self)
        for part in (self.in_force, self.choice, self.hint, self.fields, self.terms, self.steps):
            self.column.addWidget(part)

    def say(self, view: ProviderView) -> None:
        """Shows another state; a field that the person is typing in is left alone."""
        form, server = view.form, view.server
        self.in_force.say(f"In use: {view.in_force}.")
        self._fill_choices(view)
        is_server = form.preset != BUILTIN
        for box in (self.fields, self.terms):
            box.setVisible(is_server)
        self.fields.ask_for_key(asked=view.hints.needs_key or form.preset == "custom")
        self.fields.say(Typed(form.base_url, form.model, form.key), server.models)
        key_hint = key_words(server, "Goes to the keyring, is never shown")
        self.fields.hint(address=view.hints.address, key=key_hint, model=view.hints.model)
        self.terms.say(view)
        self.steps.say(server, is_server=is_server)

    def _fill_choices(self, view: ProviderView) -> None:
        self.hint.say(next((choice.hint for choice in view.choices if choice.id == view.form.preset), ""))
        wanted = [(choice.id, choice.label) for choice in view.choices]
        if [
            (self.choice.itemData(at), self.choice.itemText(at)) for at in range(self.choice.count())
        ] != wanted:
            self.choice.clear()
            for name, words in wanted:
                self.choice.addItem(words, name)
        self.choice.setCurrentIndex(self.choice.findData(view.form.preset))

    def _chosen(self, at: int) -> None:
        preset = self.choice.itemData(at)
        self._desk.slots.start(f"choose {preset}", lambda: self._desk.settings.choose(preset))

    def _edited(self) -> None:
        form, typed = self._desk.settings.view.value.provider.form, self.fields.typed
        changed = replace(
            form,
            base_url=typed.base_url,
            model=typed.model,
            key=typed.key,
            input_price=self.terms.input_price.text(),
            output_price=self.terms.output_price.text(),
            threads_per_call=self.terms.threads.text(),
        )
        if changed != form:
            self._desk.slots.call(lambda: self._desk.settings.edit(changed))
