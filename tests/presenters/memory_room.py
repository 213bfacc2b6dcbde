"""The Memory tab's presenter with a memory in memory."""

from heedful.core.bus import Bus
from heedful.core.ids import SourceId
from heedful.core.supervise import Supervisor
from heedful.presenters.memory import MemoryPresenter
from heedful.presenters.memory_views import EntityScope, LetterView, MemoryView, SourceScope
from heedful.presenters.toasts import Toasts
from tests.fakes import memories
from tests.fakes.clock import FakeClock
from tests.fakes.memories import FakeMemory
from tests.presenters.turns import turns

INBOX = SourceScope(SourceId("Inbox.mbox"), "Inbox.mbox")
ANA = EntityScope("e-ana lopes", "Ana Lopes")


class Room:
    """The presenter with a memory in memory."""

    def __init__(self, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> None:
        self.memory, self.toasts = FakeMemory(), Toasts()
        memories.furnish(self.memory)
        self.presenter = MemoryPresenter(
            self.memory, self.memory.forget, self.toasts, bus=bus, clock=clock, supervisor=supervisor
        )

    @property
    def view(self) -> MemoryView:
        return self.presenter.view.value

    @property
    def letter(self) -> LetterView:
        assert self.view.letter is not None
        return self.view.letter

    def stage(self) -> str:
        return self.view.home.stage

    def page(self) -> str:
        return self.view.page

    def titles(self) -> list[str]:
        return [row.title for group in self.view.results.groups for row in group.members]

    async def look_up(self, text: str) -> None:
        self.presenter.ask(text)
        await turns()
