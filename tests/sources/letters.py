"""Mails to test with, by people who do not exist."""

from datetime import UTC, datetime
from pathlib import Path

from heedful.core.clock import Clock
from heedful.sources import Batch, Incoming, Rejected, SourceKind
from heedful.sources.mail_message import Surroundings, read_mail

SEPARATOR = "From ana@prado.example Thu Dec  3 15:00:00 2026\n"


def letter(
    text: str = "Could you send me the figures by Friday?\n",
    *,
    number: int = 1,
    subject: str = "Figures",
    headers: str = "",
) -> str:
    """A plain mail from Ana to Bo with a Message-ID made of `number`."""
    return (
        "From: Ana Prado <ana@prado.example>\n"
        f"Message-ID: <{number}@prado.example>\n"
        "To: Bo Lind <bo@lind.example>\n"
        "Date: Thu, 3 Dec 2026 15:00:00 +0100\n"
        f"Subject: {subject}\n{headers}\n{text}"
    )


def read(raw: str | bytes, *, arrived_at: datetime | None = None, in_sent_folder: bool = False) -> Incoming:
    """The mail as read; the test fails if it was rejected."""
    found = read_or_reject(raw, arrived_at=arrived_at, in_sent_folder=in_sent_folder)
    assert isinstance(found, Incoming), found
    return found


def read_or_reject(
    raw: str | bytes, *, arrived_at: datetime | None = None, in_sent_folder: bool = False
) -> Incoming | Rejected:
    """The mail as read, or its rejection."""
    data = raw.encode() if isinstance(raw, str) else raw
    return read_mail(data, Surroundings("here", arrived_at, UTC, in_sent_folder))


def batches(source: SourceKind, path: Path, clock: Clock, cursor: str = "") -> list[Batch]:
    """Everything a source gives since the cursor."""
    return list(source.read(path, cursor, clock=clock))


def items(found: list[Batch]) -> list[Incoming]:
    """The things in these batches."""
    return [item for batch in found for item in batch.items]


def rejected(found: list[Batch]) -> list[Rejected]:
    """The rejections in these batches."""
    return [bad for batch in found for bad in batch.rejected]


def of_kind(item: Incoming, kind: str) -> str:
    """The text of an item's zones of one kind, joined."""
    return "".join(item.text[zone.start : zone.end] for zone in item.zones if zone.kind == kind)
