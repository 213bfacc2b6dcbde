"""The Settings tab."""

from datetime import time

from PySide6.QtCore import QTime
from PySide6.QtWidgets import QWidget

from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.widgets.column import ScrollColumn
from heedful.desktop.widgets.fields import (
    Choice,
    ClockField,
    Money,
    Number,
    beside,
)
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.segments import Segments
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.switch import Switch
from heedful.desktop.window.care_page import CareSection
from heedful.desktop.window.juice_page import juice_section
from heedful.desktop.window.matching_box import MatchingBox
from heedful.desktop.window.provider_box import ProviderBox
from heedful.presenters.settings import (
    INTERVALS_MINUTES,
    SettingsView,
    ThemeChoice,
)

THEMES: dict[ThemeChoice, str] = {"system": "System", "light": "Light", "dark": "Dark"}


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
                text="When it is used up, the built-in finder goes on alone.",
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
