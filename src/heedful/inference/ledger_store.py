"""The ledger's rows: one for each call, written before it is made, so that a crash can't hide one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from heedful.core.clock import from_millis, to_millis
from heedful.core.ids import RunId, SourceId
from heedful.inference.budget import Spending
from heedful.inference.exchange import Usage
from heedful.storage import Connection, Row

_COLUMNS = (
    "id, run_id, at, purpose, provider, host, model, prompt, source_ids, input_tokens, cached_tokens, output_tokens,"
    " estimated, cost_microdollars, duration_ms, attempts, outcome, error, request, response"
)


class Outcome(StrEnum):
    """How a call ended. `running` holds its reservation; `interrupted` is one that a crash left so."""

    RUNNING = "running"
    ANSWERED = "answered"
    UNREADABLE = "unreadable"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One call, all its attempts together.

    `usage` is the provider's count, or ours where `estimated`. `cost_microdollars` is None where the price is
    unknown. `request` and `response` are the full texts, None once they were purged. `error` is a title.
    """

    id: str
    run_id: RunId
    at: datetime
    purpose: str
    provider: str
    host: str
    model: str
    prompt: str
    source_ids: tuple[SourceId, ...]
    usage: Usage
    estimated: bool
    cost_microdollars: int | None
    duration_ms: int
    attempts: int
    outcome: Outcome
    error: str | None
    request: str | None
    response: str | None

    @property
    def counts(self) -> bool:
        """Whether it takes of the day's tokens: embeddings made on this computer, which are free, take none."""
        return not (self.purpose in EMBEDDING and self.cost_microdollars == 0)


EMBEDDING = ("embed", "recall")
"""The purposes of calls that make vectors: of passages, and of a question."""


def insert(connection: Connection, entry: LedgerEntry) -> None:
    """A new row."""
    connection.execute(
        f"INSERT INTO ledger ({_COLUMNS}) VALUES ({', '.join('?' * 20)})",
        (
            entry.id, entry.run_id, to_millis(entry.at), entry.purpose, entry.provider, entry.host, entry.model,
            entry.prompt, json.dumps(entry.source_ids), *_ending(entry), entry.request, entry.response,
        ),
    )  # fmt: skip


def update(connection: Connection, entry: LedgerEntry) -> None:
    """What is known of a call now; an answer stays out where the texts were removed while it was under way."""
    connection.execute(
        "UPDATE ledger SET input_tokens = ?, cached_tokens = ?, output_tokens = ?, estimated = ?,"
        " cost_microdollars = ?, duration_ms = ?, attempts = ?, outcome = ?, error = ?, model = ?,"
        " response = CASE WHEN request IS NULL THEN NULL ELSE ? END WHERE id = ?",
        (*_ending(entry), entry.model, entry.response, entry.id),
    )


def spent_since(connection: Connection, moment: datetime) -> Spending:
    """What all calls since then used or have set aside of the allowance."""
    row = connection.row(
        "SELECT coalesce(sum(CASE WHEN purpose IN (?, ?) AND cost_microdollars = 0 THEN 0"
        " ELSE input_tokens + output_tokens END), 0), coalesce(sum(cost_microdollars), 0)"
        " FROM ledger WHERE at >= ?",
        (*EMBEDDING, to_millis(moment)),
    ) or (0, 0)
    return Spending(_whole(row[0]), _whole(row[1]))


def entries(connection: Connection, since: datetime, limit: int) -> list[LedgerEntry]:
    """The calls since then, newest first."""
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM ledger WHERE at >= ? ORDER BY at DESC, id LIMIT ?", (to_millis(since), limit)
    )
    return [_entry(row) for row in rows]


def purge_texts(connection: Connection, before: datetime) -> int:
    """Drops what was sent and answered before then; the rows and their figures stay."""
    return connection.execute(
        "UPDATE ledger SET request = NULL, response = NULL"
        " WHERE at < ? AND (request IS NOT NULL OR response IS NOT NULL)",
        (to_millis(before),),
    )


def mark_interrupted(connection: Connection) -> int:
    """Ends the rows that a crash left running; their reservation stays spent, since it may have been billed."""
    return connection.execute("UPDATE ledger SET outcome = 'interrupted' WHERE outcome = 'running'")


def _ending(entry: LedgerEntry) -> tuple[str | int | None, ...]:
    return (
        entry.usage.input, entry.usage.cached, entry.usage.output, int(entry.estimated), entry.cost_microdollars,
        entry.duration_ms, entry.attempts, entry.outcome.value, entry.error,
    )  # fmt: skip


def _entry(row: Row) -> LedgerEntry:
    sources: Sequence[str] = json.loads(str(row[8]))
    return LedgerEntry(
        str(row[0]), RunId(str(row[1])), from_millis(_whole(row[2])), str(row[3]), str(row[4]), str(row[5]),
        str(row[6]), str(row[7]), tuple(SourceId(source) for source in sources),
        Usage(_whole(row[9]), _whole(row[10]), _whole(row[11])), bool(row[12]),
        None if row[13] is None else _whole(row[13]), _whole(row[14]), _whole(row[15]), Outcome(str(row[16])),
        None if row[17] is None else str(row[17]), None if row[18] is None else str(row[18]),
        None if row[19] is None else str(row[19]),
    )  # fmt: skip


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
