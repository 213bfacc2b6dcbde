"""Drafts as a finder makes them, and a way to let one meet what is known."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from heedful.actionables import (
    Draft,
    Evidence,
    ItemSource,
    Meeting,
    Priority,
    actionables_store,
    meet,
)
from heedful.core.events import Event
from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.storage import Connection, Store

BEGIN = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


def evidence(number: int = 1, *, said_at: datetime = BEGIN - timedelta(hours=1), start: int = 0) -> Evidence:
    quote = "Could you please send me the report?"
    return Evidence(
        ChunkId(f"c{number}"), MessageId(f"m{number}"), SourceId("s"), ThreadId("t"), quote, start, start + len(quote),
        said_at,
    )  # fmt: skip


def draft(title: str = "Send the report to Ana", **changes: object) -> Draft:
    plain = Draft(
        title=title,
        description="Ana asks for the report.",
        source=ItemSource.EMAIL,
        priority=Priority.IMPORTANT,
        source_label="Mail",
        evidence=(evidence(),),
        confidence=0.8,
    )
    return replace(plain, **changes)  # type: ignore[arg-type] # any field by its name


async def find(store: Store, found: Draft, now: datetime) -> Meeting:
    """Lets a finder's draft meet what the store knows, and keeps what comes of it."""

    def work(connection: Connection) -> tuple[Meeting, list[Event]]:
        met = meet(found, actionables_store.item(connection, found.id), now)
        actionables_store.write(connection, met.item)
        if met.change is not None:
            actionables_store.note(connection, met.item.id, met.change)
        return met, []

    return await store.write(work)
