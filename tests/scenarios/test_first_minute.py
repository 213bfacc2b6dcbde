"""A person's first minute: a mail folder and a calendar in, what needs them out, decisions that stay."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heedful.actionables import Priority, State
from heedful.app import App, build
from heedful.attention import Notification
from heedful.cli import main
from heedful.core.ids import ActionableId
from heedful.core.paths import home_at
from heedful.desktop.demo import furnish
from heedful.storage import Key, KeyKind
from tests.fakes.clock import FakeClock
from tests.fakes.secrets import FakeSecrets

MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
KEY = Key(KeyKind.UNENCRYPTED, None)

MAILBOX = """\
From ana@ciclone.example Mon Nov 30 07:00:00 2026
From: Ana Lopes <ana@ciclone.example>
To: Rui Prado <rui@prado.example>
Date: Mon, 30 Nov 2026 07:00:00 +0000
Subject: Slides
Message-ID: <slides@ciclone.example>

Hi Rui,

could you please send me your comments on the slides by tomorrow noon?

Ana

From billing@hostwerk.example Mon Nov 30 06:00:00 2026
From: Hostwerk billing <billing@hostwerk.example>
To: rui@prado.example
Date: Mon, 30 Nov 2026 06:00:00 +0000
Subject: Invoice HW-20931
Message-ID: <invoice@hostwerk.example>

Dear customer,
your invoice HW-20931 over EUR 84.20 is due today. Please transfer the amount by 23:59.

From letter@halfpast.example Mon Nov 30 05:00:00 2026
From: Half Past Gardening <letter@halfpast.example>
To: rui@prado.example
Date: Mon, 30 Nov 2026 05:00:00 +0000
Subject: Season sale ends Sunday
List-Unsubscribe: <mailto:off@halfpast.example>
Message-ID: <sale@halfpast.example>

The season sale ends Sunday! Order now.
"""

CALENDAR = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//x//y//EN
BEGIN:VEVENT
UID:sync@ciclone.example
DTSTAMP:20261129T100000Z
SUMMARY:Team sync
DTSTART:20261201T140000Z
DTEND:20261201T143000Z
RRULE:FREQ=WEEKLY
END:VEVENT
BEGIN:VEVENT
UID:sync@ciclone.example
DTSTAMP:20261129T100000Z
RECURRENCE-ID:20261201T140000Z
SUMMARY:Team sync
DTSTART:20261201T153000Z
DTEND:20261201T160000Z
END:VEVENT
END:VCALENDAR
"""


class Desktop:
    """A notifier that remembers what it was handed."""

    def __init__(self) -> None:
        self.shown: list[Notification] = []

    async def show(self, notification: Notification) -> None:
        self.shown.append(notification)

    async def withdraw(self, item_id: ActionableId) -> None:
        """Nothing to take away."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    mail, calendar = tmp_path / "inbox.mbox", tmp_path / "work.ics"
    mail.write_text(MAILBOX, encoding="utf-8")
    calendar.write_text(CALENDAR.replace("\n", "\r\n"), encoding="utf-8")
    return mail, calendar


async def open_app(folder: Path, *, desktop: Desktop | None = None, clock: FakeClock | None = None) -> App:
    return await build(
        home_at(folder / "home"),
        environment={},
        clock=clock or FakeClock(MONDAY),
        secrets=FakeSecrets(),
        notifier=desktop,
        key=KEY,
    )


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    opened = await open_app(tmp_path)
    yield opened
    await opened.stop()


async def read_all(app: App, files: tuple[Path, Path]) -> None:
    for path in files:
        await app.library.sync(await app.library.add(path))


async def test_a_mailbox_and_a_calendar_become_items_each_with_its_sentence(
    app: App, files: tuple[Path, Path]
) -> None:
    await read_all(app, files)
    await app.loop.tick("manual")
    items = await app.decisions.items()
    quotes = {evidence.quote for item in items for evidence in item.draft.evidence}
    assert len(items) == 3
    assert items[0].draft.priority is Priority.CRITICAL
    assert "HW-20931" in items[0].draft.title
    assert any("send me your comments" in quote for quote in quotes)
    assert any("15:30" in quote for quote in quotes)
    assert not any("sale" in quote for quote in quotes)


async def test_the_critical_item_is_the_only_one_that_notifies(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    desktop = Desktop()
    app = await open_app(tmp_path, desktop=desktop)
    await read_all(app, files)
    await app.loop.tick("manual")
    shown = await app.interruptions.consider()
    again = await app.interruptions.consider()
    await app.stop()
    assert [("HW-20931" in note.title) for note in desktop.shown] == [True]
    assert len(shown) == 1
    assert again == ()


async def test_decisions_survive_a_restart_and_a_second_reading_of_the_same_files(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    app = await open_app(tmp_path)
    await read_all(app, files)
    await app.loop.tick("manual")
    pay, *others = await app.decisions.items()
    await app.decisions.approve(pay.id)
    await app.decisions.dismiss(others[0].id)
    await app.decisions.snooze(others[1].id, MONDAY + timedelta(hours=1))
    await app.stop()

    later = FakeClock(MONDAY + timedelta(minutes=30))
    app = await open_app(tmp_path, clock=later)
    await read_all(app, files)
    await app.loop.tick("manual")
    during = await app.decisions.items()
    later.advance(timedelta(hours=1))
    await app.decisions.let_time_pass()
    after = await app.decisions.items()
    states = {item.id: item.state for item in await app.decisions.items(states=tuple(State))}
    await app.stop()

    assert during == ()
    assert [item.id for item in after] == [others[1].id]
    assert states[pay.id] is State.APPROVED
    assert states[others[0].id] is State.DISMISSED


async def test_overlapping_mailboxes_bring_each_message_once(
    app: App, files: tuple[Path, Path], tmp_path: Path
) -> None:
    copy = tmp_path / "backup.mbox"
    copy.write_text(MAILBOX, encoding="utf-8")
    await read_all(app, (files[0], copy))
    count = await app.store.read(lambda connection: connection.value("SELECT count(*) FROM messages"))
    assert count == 3


async def test_the_sample_mailbox_shows_a_believable_day(tmp_path: Path) -> None:
    home = home_at(tmp_path / "demo")
    await furnish(home, tmp_path / "sample", FakeClock(MONDAY))
    app = await build(home, environment={}, clock=FakeClock(MONDAY), secrets=FakeSecrets(), key=KEY)
    titles = [item.draft.title for item in await app.decisions.items()]
    directions = {item.draft.direction for item in await app.decisions.items()}
    await app.stop()
    assert 8 <= len(titles) <= 14
    assert any("HW-20931" in title for title in titles)
    assert {"mine", "theirs"} <= directions
    assert not any("sale" in title or "parcel" in title.lower() for title in titles)


def test_the_command_line_walks_the_same_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = tmp_path / "inbox.mbox"
    now = datetime.now(UTC)  # noqa: TID251 (the command line runs by the machine's clock)
    mail.write_text(MAILBOX.replace("30 Nov 2026", now.strftime("%d %b %Y")), encoding="utf-8")
    monkeypatch.setenv("HEEDFUL_PASSPHRASE", "first minute")
    home = ["--home", str(tmp_path / "home"), "--json"]

    assert main(["import", str(mail), *home]) == 0
    imported = json.loads(capsys.readouterr().out)
    assert main(["tick", *home]) == 0
    ticked = json.loads(capsys.readouterr().out)
    assert main(["items", *home]) == 0
    items = json.loads(capsys.readouterr().out)
    assert main(["items", "dismiss", items[0]["id"], *home]) == 0
    dismissed = json.loads(capsys.readouterr().out)
    assert main(["tree", "browse", "--source", "conscious", *home]) == 0
    stored = json.loads(capsys.readouterr().out)

    assert imported["messages_new"] == 3
    assert ticked["outcome"] == "completed"
    assert len(items) == ticked["new"] == 2
    assert dismissed["state"] == "dismissed"
    assert {(row["namespace"], row["key"]) for row in stored} == {("conscious", "actionables")}


SENT = """\
From rui@prado.example Mon Nov 30 08:00:00 2026
From: Rui Prado <rui@prado.example>
To: Ana Lopes <ana@ciclone.example>
Date: Mon, 30 Nov 2026 08:00:00 +0000
Subject: Re: Slides
Message-ID: <answer@prado.example>
In-Reply-To: <slides@ciclone.example>
References: <slides@ciclone.example>

Hi Ana, here are my comments on the slides, attached.

Rui
"""


async def test_an_answer_in_a_folder_of_sent_mail_that_is_added_later_finishes_the_item(
    app: App, files: tuple[Path, Path], tmp_path: Path
) -> None:
    await read_all(app, files)
    await app.loop.tick("manual")
    sent = tmp_path / "Sent.mbox"
    sent.write_text(SENT, encoding="utf-8")
    await app.library.sync(await app.library.add(sent))
    await app.loop.tick("manual")
    titles = [item.draft.title for item in await app.decisions.items()]
    done = await app.decisions.items(states=(State.COMPLETED,))
    assert not any("comments" in title for title in titles)
    assert len(done) == 1
    assert done[0].draft.done_by is not None
