"""What a tab is, and what it is given."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from heedful.core import discovery
from heedful.core.bus import Unsubscribe
from heedful.desktop.slots import Slots
from heedful.desktop.theme import Theme
from heedful.presenters.activity import ActivityPresenter
from heedful.presenters.background_work import BackgroundWorkPresenter
from heedful.presenters.care import CarePresenter
from heedful.presenters.juice import JuicePresenter
from heedful.presenters.matching import MatchingPresenter
from heedful.presenters.memory import MemoryPresenter
from heedful.presenters.settings import SettingsPresenter
from heedful.presenters.sources import SourcesPresenter
from heedful.presenters.today import TodayPresenter


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything a tab may use.

    `open_tab` brings another tab to the front by its name, `show_page` a page that is no tab. `watches` takes what
    a tab watches, to be let go when the window leaves.
    """

    theme: Theme
    slots: Slots
    today: TodayPresenter
    sources: SourcesPresenter
    activity: ActivityPresenter
    work: BackgroundWorkPresenter
    settings: SettingsPresenter
    matching: MatchingPresenter
    memory: MemoryPresenter
    juice: JuicePresenter
    care: CarePresenter
    open_tab: Callable[[str], None]
    show_page: Callable[[QWidget], None]
    watches: list[Unsubscribe] = field(default_factory=list)


@runtime_checkable
class StepsBack(Protocol):
    """A page that was gone into, and that Escape leads out of before it closes the window."""

    def step_back(self) -> bool:
        """Goes back where one came from; False where one has come from nowhere."""
        ...


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of the window: its stable name, the word in the rail, its glyph, its place, and how it is made."""

    name: str
    label: str
    glyph: str
    order: int
    make: Callable[[Desk], QWidget]


@cache
def tabs() -> tuple[Tab, ...]:
    """Every tab of the `window` package, in the order of the rail."""
    import heedful.desktop.window as package

    found = discovery.discover(package, "TAB", Tab, key=lambda tab: tab.name)
    return tuple(sorted(found.values(), key=lambda tab: tab.order))
