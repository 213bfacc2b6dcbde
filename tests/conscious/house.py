"""A small house for the loop's tests: a real store in a folder, a clock that stands still, messages by the line."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from heedful.actionables import Decisions
from heedful.conscious import Activity, BuiltinLook, ConsciousLoop, ModelReport, ModelStage
from heedful.core.bus import Bus
from heedful.core.events import Event
from heedful.core.ids import RunId, SourceId
from heedful.core.paths import home_at
from heedful.core.supervise import Supervisor
from heedful.judgement import BuiltinFinder
from heedful.memory import Library
from heedful.storage import Key, KeyKind, Store
from tests.fakes.clock import FakeClock

NOON = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
ANA = {"name": "Ana Lopes", "address": "ana@ciclone.example"}
RUI = {"name": "Rui Prado", "address": "rui@prado.example"}

Row = dict[str, object]


class NoModel:
    """A model stage for a person who chose none."""

    async def run(self, run_id: RunId, report: ModelReport, *, room: int) -> None:
        """Nothing is asked."""


@dataclass(slots=True)
class House:
    """Everything a look needs, and what was heard on the bus."""

    folder: Path
    clock: FakeClock
    bus: Bus
    store: Store
    supervisor: Supervisor
    library: Library
    decisions: Decisions
    activity: Activity
    loop: ConsciousLoop
    heard: list[Event]

    async def receive(self, *rows: Row, source: str = "Mail") -> SourceId:
        """Brings messages in as one source of that name."""
        file = self.folder / f"{source}-{len(list(self.folder.iterdir()))}.messages.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        source_id = await self.library.add(file, name=source, watched=False)
        await self.library.sync(source_id, path=file)
        return source_id

    async def receive_calendar(self, title: str, *, starts: datetime) -> None:
        """Brings in a calendar of one event."""
        file = self.folder / f"{title}.ics"
        file.write_text(
            f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:{title}\nDTSTART:{starts.astimezone(UTC):%Y%m%dT%H%M%SZ}\n"
            f"SUMMARY:{title}\nEND:VEVENT\nEND:VCALENDAR\n",
            encoding="utf-8",
        )
        source_id = await self.library.add(file, name=title, watched=False)
        await self.library.sync(source_id, path=file)

    async def titles(self) -> list[str]:
        """What the person sees."""
        return [item.draft.title for item in await self.decisions.items()]

    async def close(self) -> None:
        await self.supervisor.stop()
        self.store.close()


def open_house(
    folder: Path,
    *,
    model: ModelStage | None = None,
    clock: FakeClock | None = None,
    finder: BuiltinFinder | None = None,
) -> House:
    """A house in `folder`; opening it again finds what was left there."""
    time = clock or FakeClock(NOON)
    bus = Bus()
    heard: list[Event] = []
    bus.subscribe(Event, heard.append)
    store = Store.open(home_at(folder / "home"), Key(KeyKind.UNENCRYPTED, None), bus)
    supervisor = Supervisor(time)
    ids = iter(range(10_000))
    loop = ConsciousLoop(
        store,
        bus,
        time,
        supervisor,
        builtin=BuiltinLook(store, time, finder or BuiltinFinder()),
        model=model or NoModel(),
        new_id=lambda: f"run-{next(ids)}-{time.now().timestamp():.0f}",
        interval_s=lambda: 300.0,
    )
    mail = folder / "mail"
    mail.mkdir(exist_ok=True)
    return House(
        mail, time, bus, store, supervisor, Library(store, bus, time), Decisions(store, time),
        Activity(store, time), loop, heard,
    )  # fmt: skip


def letter(
    number: int,
    text: str,
    *,
    thread: str | None = None,
    author: Mapping[str, object] | None = None,
    to: Sequence[Mapping[str, object]] = (RUI,),
    ago: timedelta = timedelta(hours=2),
    from_me: bool = False,
    subject: str = "A word",
    channel: str = "email",
) -> Row:
    """One message of the generic import format."""
    return {
        "id": f"m{number}",
        "thread": thread or f"t{number}",
        "thread_title": subject,
        "author": author or (RUI if from_me else ANA),
        "to": list(to),
        "sent_at": (NOON - ago).isoformat(),
        "subject": subject,
        "text": text,
        "reply_to": None,
        "from_me": from_me,
        "channel": channel,
    }
