"""Items, looks and sources of an invented person's morning, for presenters, widgets and pictures."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from heedful.actionables import Actionable, Draft, Evidence, ItemSource, Priority, State
from heedful.conscious.activity import DaySummary, Explanation
from heedful.conscious.activity_store import TickRow
from heedful.core.ids import ChunkId, MessageId, RunId, SourceId, ThreadId
from heedful.memory.messages.own_addresses_store import OwnAddress
from heedful.memory.messages.sources_store import SourceRow
from heedful.sources import Rejected
from tests.fakes.services import source_row

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 24, 9, 32, tzinfo=UTC)


def evidence(quote: str, said_at: datetime) -> Evidence:
    """A quote that makes up its whole message."""
    return Evidence(
        ChunkId("c1"), MessageId("m1"), SourceId("inbox"), ThreadId("t1"), quote, 0, len(quote), said_at
    )


def item(
    title: str,
    *,
    priority: Priority = Priority.NORMAL,
    state: State = State.ACTIVE,
    quote: str = "",
    ago: timedelta = timedelta(hours=1),
    snoozed_until: datetime | None = None,
    now: datetime = NOW,
    **draft: object,
) -> Actionable:
    """An item; `draft` are more fields of its draft."""
    said_at = now - ago
    fields: dict[str, object] = {
        "description": "",
        "source": ItemSource.EMAIL,
        "source_label": "Mail",
        "evidence": (evidence(quote or title, said_at),),
        "reasons": ("A person asks you for something.",),
        **draft,
    }
    made = Draft(title=title, priority=priority, **fields)  # type: ignore[arg-type] # the test names real fields
    return Actionable(made.id, made, state, said_at, said_at, said_at, snoozed_until)


def local(day: int, hour: int, minute: int = 0) -> datetime:
    """A moment of the sample's month in the person's zone."""
    return datetime(2026, 11, day, hour, minute, tzinfo=ZONE)


def morning() -> tuple[Actionable, ...]:
    """What waits on an ordinary Tuesday."""
    return (
        item(
            "Pay invoice HW-20931 (€ 84.20) before midnight", priority=Priority.CRITICAL, state=State.AWAITING,
            description="The server is suspended if the transfer is not made today.", requires_confirmation=True,
            quote="your invoice HW-20931 over EUR 84.20 is due today. Please transfer the amount by 23:59, otherwise"
            " your server will be suspended.",
            due=local(24, 23, 59), due_text="due today", people=("Hostwerk billing",), ago=timedelta(hours=3),
            reasons=("A payment is due today.", "It names an amount, and it is addressed to you alone."),
        ),
        item(
            "Send comments on the slides to Ana", priority=Priority.IMPORTANT, people=("Ana Lopes",),
            description="before the board call.", due=local(25, 12), due_text="by noon tomorrow",
            quote="Could you please send me your comments by noon tomorrow?", ago=timedelta(hours=5),
        ),
        item(
            "Confirm the condominium meeting to Marta", priority=Priority.IMPORTANT, source=ItemSource.TELEGRAM,
            source_label="Telegram", due=local(27, 0), due_text="by Friday", ago=timedelta(hours=6),
            quote="Can you confirm the meeting by Friday?", people=("Marta Reis",),
        ),
        item(
            "Return the signed estimate to Brandt", due=local(25, 0), due_text="tomorrow", people=("Jonas Brandt",),
            quote="Please return the signed estimate by tomorrow.", ago=timedelta(hours=8),
        ),
        item(
            "Team sync moved to 15:30", source=ItemSource.CALENDAR, source_label="Calendar", ago=timedelta(minutes=50),
            quote="Team sync, 15:30–16:00, moved from 14:00.",
        ),
        item(
            "Answer Lena about Saturday", source=ItemSource.TELEGRAM, source_label="Telegram",
            quote="Are you coming on Saturday?", people=("Lena",), ago=timedelta(hours=19),
        ),
        item(
            "Peter promised the caterer's quote", direction="theirs", people=("Peter",), ago=timedelta(days=2, hours=1),
            quote="I will send you the caterer's quote this week.", reasons=("Somebody promised you something.",),
        ),
    )  # fmt: skip


def set_aside() -> tuple[Actionable, ...]:
    """What was snoozed, done or dismissed."""
    return (
        item("Renew passport", state=State.SNOOZED, snoozed_until=local(25, 8), ago=timedelta(days=3)),
        item("Send the October report", state=State.COMPLETED, ago=timedelta(hours=2)),
        item("Take part in the survey", state=State.DISMISSED, ago=timedelta(hours=4)),
    )


def many(number: int) -> tuple[Actionable, ...]:
    """So many ordinary items, spread over a year."""
    return tuple(
        item(
            f"Answer letter {place} about the estimate for the roof", ago=timedelta(hours=place * 0.85),
            people=("Jonas Brandt",), quote=f"Please answer letter {place} by Friday.",
        )
        for place in range(number)
    )  # fmt: skip


def looks() -> tuple[TickRow, ...]:
    """Ticks of that morning, newest first."""

    def tick(minute: int, outcome: str, **fields: object) -> TickRow:
        row: dict[str, object] = {
            "run_id": RunId(f"r{minute}"),
            "cause": "timer",
            "outcome": outcome,
            **fields,
        }
        return TickRow(started_at=local(24, 10, minute), **row)  # type: ignore[arg-type] # the names are real fields

    return (
        tick(30, "quiet", duration_ms=14, notes=("Nothing new since 10:25.",), provider="builtin"),
        tick(
            25,
            "completed",
            duration_ms=3_100,
            messages=2,
            new=1,
            provider="ollama",
            model="qwen2.5:1.5b",
            model_calls=1,
            input_tokens=540,
            output_tokens=72,
            notes=("2 new messages.",),
        ),
        tick(
            20,
            "completed",
            duration_ms=22,
            messages=1,
            notes=("1 new message, nothing for you.",),
            provider="builtin",
        ),
        tick(
            15,
            "error",
            duration_ms=120_000,
            error_type="UnreachableError",
            error="The model server did not answer. It was tried 3 times; the same evidence is due again at 10:20.",
        ),
        tick(10, "superseded", duration_ms=400),
        tick(
            5,
            "completed",
            duration_ms=640,
            messages=38,
            new=6,
            updated=2,
            provider="builtin",
            notes=("38 new messages.",),
        ),
    )


SUMMARY = DaySummary(24, 3, 1_912, 0.0)


def explanation() -> Explanation:
    """Why a newsletter said nothing."""
    return Explanation(
        "m9", "silent", "Season sale ends Sunday",
        ("It is bulk mail.", "No person asks you anything.", "The deadline is the seller's."),
    )  # fmt: skip


def shelves_of_sources() -> tuple[SourceRow, ...]:
    """Three sources, one of which needs the person."""
    return (
        source_row("Inbox.mbox", messages=3_980, last_sync_at=NOW - timedelta(minutes=4), rejected=2),
        source_row(
            "Vizinhos, Família, 6 more", kind="telegram", label="Telegram export", messages=2_499, egress="local-only",
            last_sync_at=NOW - timedelta(hours=2),
        ),
        source_row(
            "work.ics", kind="ics", label="Calendar", state="error", messages=212,
            error="The file was moved. Choose it again or remove the source.",
        ),
    )  # fmt: skip


REJECTS = (
    Rejected("message 1,204", "It has no date and no sender."),
    Rejected("message 3,001", "Its text breaks off in the middle of an attachment."),
)
ADDRESSES = (
    OwnAddress("rui@prado.example", "inferred", 2_112),
    OwnAddress("rui.prado@posteo.example", "stated", 0),
)
