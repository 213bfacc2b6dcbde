"""All presenters of one house, made, refreshed and closed together."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from heedful.app import App
from heedful.core.ids import random_id
from heedful.core.supervise import Supervisor
from heedful.desktop.embedding_servers import EmbeddingServers
from heedful.desktop.model_servers import ModelServers
from heedful.desktop.opening import DesktopOpener
from heedful.memory.forget.at_once import forget_now
from heedful.presenters.activity import ActivityPresenter
from heedful.presenters.background_work import BackgroundWorkPresenter
from heedful.presenters.care import CarePresenter, WithHouseClosed
from heedful.presenters.frame import FramePresenter
from heedful.presenters.juice import JuicePresenter
from heedful.presenters.matching import MatchingPresenter
from heedful.presenters.memory import MemoryPresenter
from heedful.presenters.memory_reader import MemoryReader
from heedful.presenters.open_items import OpenItemsPresenter
from heedful.presenters.settings import SettingsPresenter
from heedful.presenters.sources import SourcesPresenter
from heedful.presenters.toasts import Toasts
from heedful.presenters.today import TodayPresenter
from heedful.tokenjuice.standard_book import own_rules_folder


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The presenters; closing goes the other way round than they were made."""

    open_items: OpenItemsPresenter
    today: TodayPresenter
    sources: SourcesPresenter
    activity: ActivityPresenter
    work: BackgroundWorkPresenter
    settings: SettingsPresenter
    matching: MatchingPresenter
    memory: MemoryPresenter
    juice: JuicePresenter
    care: CarePresenter
    frame: FramePresenter

    def refresh(self) -> None:
        """Loads in the background what is seen first; Memory and Settings load when they are opened."""
        self.today.refresh()
        self.sources.refresh()
        self.activity.refresh()
        self.frame.refresh()

    def tell_time(self) -> None:
        """Says ages and times anew."""
        self.today.tick()
        self.frame.tick()

    def close(self) -> None:
        """Hears no more news."""
        self.frame.close()
        self.care.close()
        self.juice.close()
        self.memory.close()
        self.matching.close()
        self.settings.close()
        self.work.close()
        self.activity.close()
        self.sources.close()
        self.today.close()
        self.open_items.close()


def assemble(
    app: App,
    toasts: Toasts,
    supervisor: Supervisor,
    *,
    environment: Mapping[str, str],
    with_house_closed: WithHouseClosed,
) -> Ensemble:
    """Presenters for a house; `supervisor` runs their loads, apart from the house's own work."""
    bus, clock = app.bus, app.clock
    open_items = OpenItemsPresenter(app.decisions, toasts, bus, clock=clock, supervisor=supervisor)
    return Ensemble(
        open_items,
        TodayPresenter(
            open_items, app.decisions, app.library, app.activity, bus=bus, clock=clock, supervisor=supervisor
        ),
        SourcesPresenter(app.library, app.loop, toasts, bus=bus, clock=clock, supervisor=supervisor),
        ActivityPresenter(app.activity, app.loop, bus=bus, clock=clock, supervisor=supervisor),
        BackgroundWorkPresenter(app.background_work, toasts, clock=clock, supervisor=supervisor),
        SettingsPresenter(
            app, app.secrets, app.inference.egress, ModelServers(app.inference, random_id), toasts,
            environment=environment, bus=bus, supervisor=supervisor,
        ),
        MatchingPresenter(
            app, app.secrets, app.inference.egress,
            EmbeddingServers(app.inference, app.secrets, clock, random_id), app.library, toasts,
            bus=bus, supervisor=supervisor,
        ),
        MemoryPresenter(
            MemoryReader(app.store, app.meaning, clock), partial(forget_now, app.store, clock), toasts,
            bus=bus, clock=clock, supervisor=supervisor,
        ),
        JuicePresenter(
            app.juicer.book, app.originals, toasts, own_folder=own_rules_folder(app.home), clock=clock,
            supervisor=supervisor,
        ),
        CarePresenter(
            app.care, DesktopOpener(), app.decisions, app.library, toasts,
            with_house_closed=with_house_closed, clock=clock, supervisor=supervisor,
        ),
        FramePresenter(
            open_items, app.library, app.loop, app.activity, bus=bus, clock=clock, supervisor=supervisor
        ),
    )  # fmt: skip
