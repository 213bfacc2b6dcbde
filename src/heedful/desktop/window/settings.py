"""The Settings tab."""

from dataclasses import replace
from datetime import time

from PySide6.QtCore import Qt, QTime
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import ScrollColumn
from heedful.desktop.widgets.consent_box import ConsentBox
from heedful.desktop.widgets.fields import (
    FIELD_FONT_PX,
    Choice,
    ClockField,
    Money,
    Number,
    beside,
    labelled,
    line,
)
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.segments import Segments
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.switch import Switch
from heedful.desktop.window.care_page import CareSection
from heedful.desktop.window.juice_page import juice_section
from heedful.desktop.window.matching_box import MatchingBox
from heedful.presenters.settings import (
    BUILTIN,
    INTERVALS_MINUTES,
    ProviderView,
    SettingsView,
    ThemeChoice,
)

THEMES: dict[ThemeChoice, str] = {"system": "System", "light": "Light", "dark": "Dark"}


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
        self.address = line("Address")
        self.key = line("Key", secret=True)
        self.model = Choice(theme, "Model", self)
        self.model.setEditable(True)
        for field in (self.address, self.key):
            field.editingFinished.connect(self._edited)
        self.model.activated.connect(lambda _: self._edited())
        editor = self.model.lineEdit()
        if editor is not None:
            editor.setFont(font(FIELD_FONT_PX))
            editor.editingFinished.connect(self._edited)
        self.terms = TermsFold(theme, self)
        for field in (self.terms.input_price, self.terms.output_price, self.terms.threads):
            field.editingFinished.connect(self._edited)
        self._address_box = labelled(theme, "Address", self.address)
        self._key_box = labelled(theme, "Key", self.key)
        self._model_box = labelled(theme, "Model", self.model)
        self.forget_key = Button(theme, "Forget key", weight=Weight.LINK, parent=self)
        self.forget_key.clicked.connect(lambda: desk.slots.start("forget key", desk.settings.forget_key))
        self.withdraw = Button(theme, "Withdraw consent", weight=Weight.LINK, parent=self)
        self.withdraw.clicked.connect(lambda: desk.slots.start("withdraw", desk.settings.withdraw_consent))
        self.use = Button(theme, "Use", weight=Weight.PRIMARY, parent=self)
        self.use.clicked.connect(lambda: desk.slots.start("use provider", desk.settings.use))
        self.test = Button(theme, "Test", parent=self)
        self.test.clicked.connect(lambda: desk.slots.start("test provider", desk.settings.test))
        self.result = Paragraph(theme, TEXT, parent=self)
        row = QHBoxLayout()
        row.addWidget(self.use)
        row.addWidget(self.test)
        row.addStretch(1)
        row.addWidget(self.withdraw)
        row.addWidget(self.forget_key)
        self.consent = ConsentBox(
            theme,
            agree=lambda: desk.slots.start("agree", desk.settings.agree),
            decline=lambda: desk.slots.call(desk.settings.decline),
            parent=self,
        )
        for part in (
            self.in_force,
            self.choice,
            self.hint,
            self._address_box,
            self._key_box,
            self._model_box,
            self.terms,
        ):
            self.column.addWidget(part)
        self.column.addLayout(row)
        self.column.addWidget(self.consent)
        self.column.addWidget(self.result)

    def say(self, view: ProviderView) -> None:
        """Shows another state; a field that the person is typing in is left alone."""
        self.in_force.say(f"In use: {view.in_force}.")
        self._fill_choices(view)
        own = view.form.preset == BUILTIN
        for box in (self._address_box, self._model_box, self.terms):
            box.setVisible(not own)
        self._key_box.setVisible(not own and (view.hints.needs_key or view.form.preset == "custom"))
        self.test.setVisible(not own)
        self.forget_key.setVisible(not own and view.has_key)
        self.withdraw.setVisible(not own and view.is_allowed)
        if not self.address.hasFocus():
            self.address.setText(view.form.base_url)
        self.address.setPlaceholderText(view.hints.address)
        if not self.key.hasFocus():
            self.key.setText(view.form.key)
        self.key.setPlaceholderText(
            "Kept in the keyring" if view.has_key else "Goes to the keyring, is never shown"
        )
        self._fill_models(view)
        self.terms.say(view)
        self.use.setEnabled(view.is_changed and not view.is_busy)
        self.test.setEnabled(not view.is_busy)
        self.test.say("Testing…" if view.is_busy else "Test")
        self.consent.say(view.consent)
        self.result.setVisible(bool(view.result))
        self.result.say("\u2028".join(view.result))

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

    def _fill_models(self, view: ProviderView) -> None:
        editor = self.model.lineEdit()
        if editor is None or editor.hasFocus():
            return
        if [self.model.itemText(at) for at in range(self.model.count())] != list(view.models):
            self.model.clear()
            self.model.addItems(list(view.models))
        self.model.setEditText(view.form.model)
        editor.setPlaceholderText(view.hints.model)

    def _chosen(self, at: int) -> None:
        preset = self.choice.itemData(at)
        self._desk.slots.start(f"choose {preset}", lambda: self._desk.settings.choose(preset))

    def _edited(self) -> None:
        form = self._desk.settings.view.value.provider.form
        typed = replace(
            form,
            base_url=self.address.text(),
            model=self.model.currentText(),
            key=self.key.text(),
            input_price=self.terms.input_price.text(),
            output_price=self.terms.output_price.text(),
            threads_per_call=self.terms.threads.text(),
        )
        if typed != form:
            self._desk.slots.call(lambda: self._desk.settings.edit(typed))


class SettingsTab(ScrollColumn):
    """Model, matching by meaning, how often, allowance, notifications, looks, care of the memory."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.provider = ProviderBox(desk)
        self._group("Model", self.provider)
        self.matching = MatchingBox(desk)
        self._group("Matching by meaning", self.matching)
        self._group("How often", self._often())
        self._group("Allowance for model calls, a day", self._allowance())
        self._group("TokenJuice", juice_section(desk))
        self._group("Notifications", self._notifications())
        self._group("Appearance", self._looks())
        self.care = CareSection(desk)
        self._group("Care of the memory", self.care)
        self.column.addStretch(1)
        desk.watches.append(desk.settings.view.watch(self._show))
        desk.settings.refresh()

    def _group(self, title: str, content: QWidget) -> None:
        self.column.addWidget(SectionHead(self._desk.theme, title))
        self.column.addWidget(content)
        self.column.addSpacing(14)

    def _often(self) -> QWidget:
        ground = Surface(self._desk.theme)
        self.interval = Choice(self._desk.theme, "Look every")
        for minutes in INTERVALS_MINUTES:
            self.interval.addItem(_interval_words(minutes), minutes)
        self.interval.activated.connect(self._set_interval)
        ground.column.addWidget(beside(self._desk.theme, "Look for something new", self.interval))
        return ground

    def _allowance(self) -> QWidget:
        ground = Surface(self._desk.theme, spacing=8)
        self.tokens = Number("Tokens a day", least=0, most=100_000_000, step=10_000)
        self.tokens.setFixedWidth(110)
        self.tokens.valueChanged.connect(self._set_tokens)
        self.cost = Money("US dollars a day", most=1000)
        self.cost.setFixedWidth(110)
        self.cost.valueChanged.connect(self._set_cost)
        ground.column.addWidget(beside(self._desk.theme, "Tokens", self.tokens))
        ground.column.addWidget(beside(self._desk.theme, "Money", self.cost))
        ground.column.addWidget(
            Paragraph(
                self._desk.theme,
                META,
                text="When it is used up, the built-in extractor goes on alone.",
                lines=2,
            )
        )
        return ground

    def _notifications(self) -> QWidget:
        ground = Surface(self._desk.theme, spacing=8)
        self.notify = Switch(self._desk.theme, "Notify me of what is critical")
        self.notify.clicked.connect(self._set_notify)
        self.limit = Number("At most, a day", least=0, most=20)
        self.limit.setFixedWidth(60)
        self.limit.valueChanged.connect(self._set_limit)
        self.quiet_from = ClockField("Quiet from")
        self.quiet_until = ClockField("Quiet until")
        for field in (self.quiet_from, self.quiet_until):
            field.timeChanged.connect(self._set_quiet)
        ground.column.addWidget(self.notify)
        ground.column.addWidget(beside(self._desk.theme, "At most, a day", self.limit))
        ground.column.addWidget(
            beside(self._desk.theme, "Quiet from – until", self.quiet_from, self.quiet_until)
        )
        ground.column.addWidget(
            Paragraph(
                self._desk.theme, META, text="What is held back is in the window all the same.", lines=2
            )
        )
        return ground

    def _looks(self) -> QWidget:
        ground = Surface(self._desk.theme)
        self.theme_choice = Segments(self._desk.theme, {str(name): word for name, word in THEMES.items()})
        self.theme_choice.chosen.connect(self._set_theme)
        ground.column.addWidget(beside(self._desk.theme, "Theme", self.theme_choice))
        return ground

    def _show(self, view: SettingsView) -> None:
        self.provider.say(view.provider)
        settings = view.settings
        self._settle_interval(settings.loop.interval_minutes)
        fields = (self.tokens, self.cost, self.limit, self.quiet_from, self.quiet_until)
        for field in fields:
            field.blockSignals(True)
        self.tokens.setValue(settings.budget.daily_tokens)
        self.cost.setValue(settings.budget.daily_cost)
        self.notify.settle(is_on=settings.notifications.enabled)
        self.limit.setValue(settings.notifications.daily_limit)
        self.quiet_from.setTime(_qt_time(settings.notifications.quiet_from))
        self.quiet_until.setTime(_qt_time(settings.notifications.quiet_until))
        self.theme_choice.settle(settings.window.theme)
        for field in fields:
            field.blockSignals(False)

    def _settle_interval(self, minutes: int) -> None:
        at = self.interval.findData(minutes)
        if at < 0:
            self.interval.addItem(_interval_words(minutes), minutes)
            at = self.interval.count() - 1
        self.interval.setCurrentIndex(at)

    def _set_interval(self, at: int) -> None:
        minutes = self.interval.itemData(at)
        self._desk.slots.start(f"interval {minutes}", lambda: self._desk.settings.set_interval(minutes))

    def _set_tokens(self, tokens: int) -> None:
        self._desk.slots.start(f"tokens {tokens}", lambda: self._desk.settings.set_daily_tokens(tokens))

    def _set_cost(self, dollars: float) -> None:
        self._desk.slots.start(f"cost {dollars}", lambda: self._desk.settings.set_daily_cost(dollars))

    def _set_notify(self, is_on: bool) -> None:
        self._desk.slots.start(
            f"notify {is_on}", lambda: self._desk.settings.set_notifications(enabled=is_on)
        )

    def _set_limit(self, limit: int) -> None:
        self._desk.slots.start(f"limit {limit}", lambda: self._desk.settings.set_notification_limit(limit))

    def _set_quiet(self) -> None:
        begin, end = _python_time(self.quiet_from.time()), _python_time(self.quiet_until.time())
        self._desk.slots.start(
            f"quiet hours {begin} {end}", lambda: self._desk.settings.set_quiet_hours(begin, end)
        )

    def _set_theme(self, name: str) -> None:
        choice = next(choice for choice in THEMES if choice == name)
        self._desk.slots.start(f"theme {choice}", lambda: self._desk.settings.set_theme(choice))


def _interval_words(minutes: int) -> str:
    if minutes % 60:
        return f"every {minutes} minutes"
    hours = minutes // 60
    return "every hour" if hours == 1 else "once a day" if hours == 24 else f"every {hours} hours"


def _qt_time(moment: time) -> QTime:
    return QTime(moment.hour, moment.minute)


def _python_time(moment: QTime) -> time:
    return time(moment.hour(), moment.minute())


TAB = Tab("settings", "Settings", "settings", 70, SettingsTab)
