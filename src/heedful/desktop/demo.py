"""The sample mailbox of `run --demo`: a few days of an invented person's mail, chats and calendar, dated around now.

The data lies in `resources/demo`; a time such as `-1d 16:05` is a local time on a day counted from today, and
`{weekday+2}` or `{date+4}` in a text stands for that day in words.
"""

import json
import re
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from heedful.core.clock import Clock
from heedful.core.paths import Home, shipped
from heedful.storage import choose_unencrypted

_TIME = re.compile(r"([+-]?\d+)d (\d\d):(\d\d)")
_DAY = re.compile(r"\{(weekday|date)\+(\d+)\}")

Row = dict[str, object]


def write_sample(folder: Path, now: datetime, zone: tzinfo) -> tuple[Path, ...]:
    """Writes the sample as files that Heedful reads like any other; returns them in the order to read them."""
    folder.mkdir(parents=True, exist_ok=True)
    mail, chats = folder / "Mail.messages.jsonl", folder / "Telegram.messages.jsonl"
    calendar = folder / "Calendar.ics"
    today = now.astimezone(zone)
    mail.write_text(_messages("mail.jsonl", "email", today), encoding="utf-8")
    chats.write_text(_messages("chats.jsonl", "telegram", today), encoding="utf-8")
    events = json.loads(shipped("resources", "demo/calendar.json").read_text(encoding="utf-8"))
    calendar.write_text(_calendar(events, today), encoding="utf-8")
    return mail, chats, calendar


async def furnish(home: Home, folder: Path, clock: Clock | None = None) -> None:
    """Makes a home with the sample read into it and looked at once; its store is not encrypted, for it holds nothing.

    Raises:
        HeedfulError: The home can't be made.
    """
    from heedful.app import build

    app = await build(home, environment={}, clock=clock, key=choose_unencrypted(home))
    try:
        for path in write_sample(folder, app.clock.now(), app.clock.zone):
            source_id = await app.library.add(path, name=path.name.split(".")[0], watched=False)
            await app.library.sync(source_id)
        await app.loop.tick("manual")
    finally:
        await app.stop()


def _messages(name: str, channel: str, today: datetime) -> str:
    lines = shipped("resources", f"demo/{name}").read_text(encoding="utf-8").splitlines()
    return "".join(
        json.dumps(_message(json.loads(line), channel, today), ensure_ascii=False) + "\n" for line in lines
    )


def _message(row: Row, channel: str, today: datetime) -> Row:
    sent_at = _moment(str(row["sent"]), today)
    return {
        "id": row["id"],
        "thread": row["thread"],
        "thread_title": row.get("thread_title", row.get("subject")),
        "author": row["author"],
        "to": row["to"],
        "sent_at": min(sent_at, today).isoformat(timespec="seconds"),
        "subject": row.get("subject"),
        "text": _DAY.sub(lambda found: _day_in_words(found[1], int(found[2]), today), str(row["text"])),
        "reply_to": None,
        "from_me": row.get("from_me", False),
        "channel": channel,
    }


def _moment(text: str, today: datetime) -> datetime:
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a time of the sample")
    day = (today + timedelta(days=int(found[1]))).date()
    return datetime(day.year, day.month, day.day, int(found[2]), int(found[3]), tzinfo=today.tzinfo)


def _day_in_words(kind: str, days: int, today: datetime) -> str:
    day = today + timedelta(days=days)
    return f"{day:%A}" if kind == "weekday" else f"{day.day} {day:%B %Y}"


def _calendar(events: list[Row], today: datetime) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Heedful//Sample//EN"]
    for event in events:
        lines += _event(event, today)
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def _event(event: Row, today: datetime) -> list[str]:
    starts = _moment(str(event["starts"]), today)
    first = _moment(str(event.get("moved_from", event["starts"])), today)
    common = [f"UID:{event['uid']}@sample.example", f"DTSTAMP:{_utc(today)}", f"SUMMARY:{event['title']}"]
    if "where" in event:
        common.append(f"LOCATION:{event['where']}")
    if "with" in event:
        common.append(f"ATTENDEE;CN={event['with']}:mailto:guest@ciclone.example")
    rule = (
        ["RRULE:FREQ=WEEKLY"] if event.get("weekly") else ["RRULE:FREQ=YEARLY"] if event.get("yearly") else []
    )
    status = ["STATUS:CANCELLED"] if event.get("cancelled") else []
    master = ["BEGIN:VEVENT", *common, *_times(event, first), *rule, *status, "END:VEVENT"]
    if "moved_from" not in event:
        return master
    moved = ["BEGIN:VEVENT", *common, f"RECURRENCE-ID:{_utc(first)}", *_times(event, starts), "END:VEVENT"]
    return master + moved


def _times(event: Row, starts: datetime) -> list[str]:
    if event.get("all_day"):
        return [
            f"DTSTART;VALUE=DATE:{starts:%Y%m%d}",
            f"DTEND;VALUE=DATE:{starts + timedelta(days=1):%Y%m%d}",
        ]
    ends = starts + timedelta(minutes=int(str(event["minutes"])))
    return [f"DTSTART:{_utc(starts)}", f"DTEND:{_utc(ends)}"]


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"
