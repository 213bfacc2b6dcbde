"""Settings → Matching by meaning."""

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.widgets.fields import Choice
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.while_seen import WhileSeen
from heedful.desktop.window.server_box import ServerFields, StepButtons, Typed, key_words
from heedful.presenters.background_work import WorkView
from heedful.presenters.matching import Kind, MatchingView

KINDS: dict[Kind, str] = {
    "embedded": "Built in",
    "e5": "Larger, installed apart",
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
        self.fields = ServerFields(theme, "embedding server", self._edited, self)
        self.steps = StepButtons(theme, desk.slots, matching.steps, "embedding server", self)
        for part in (self.in_force, self.progress, self.choice, self.hint, self.fields, self.steps):
            self.column.addWidget(part)
        WhileSeen(self, desk.work.refresh, every_ms=LOOK_EVERY_MS)
        desk.watches.append(matching.view.watch(self._show))
        desk.watches.append(desk.work.view.watch(self._show_progress))
        matching.refresh()

    def _show(self, view: MatchingView) -> None:
        form, server = view.form, view.server
        self.in_force.say(f"In use: {view.in_force}.")
        self.choice.setCurrentIndex(self.choice.findData(form.kind))
        self.hint.say(view.hint)
        is_server = form.kind == "openai_compatible"
        self.fields.setVisible(is_server)
        self.fields.say(Typed(form.base_url, form.model, form.key), server.models)
        key_hint = key_words(server, "If it needs one; goes to the keyring")
        self.fields.hint(address="https://…/v1", key=key_hint, model="the embedding model's name")
        self.steps.say(server, is_server=is_server)

    def _show_progress(self, view: WorkView) -> None:
        self.progress.setVisible(bool(view.embedding))
        self.progress.say(f"{view.embedding} Until all are, matching by meaning finds fewer.")

    def _chosen(self, at: int) -> None:
        kind = self.choice.itemData(at)
        self._desk.slots.start(f"choose {kind}", lambda: self._desk.matching.choose(kind))

    def _edited(self) -> None:
        form, typed = self._desk.matching.view.value.form, self.fields.typed
        changed = replace(form, base_url=typed.base_url, model=typed.model, key=typed.key)
        if changed != form:
            self._desk.slots.call(lambda: self._desk.matching.edit(changed))
