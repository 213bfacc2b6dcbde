"""The rows of jobs: put in, claimed under a lease, and ended one way or another; each in the caller's transaction.

A job is `ready` (from `available_at` on), `running` (somebody holds its lease), `done`, or `failed` for good. Of one
kind and key there is never more than one that is ready or running.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from heedful.core.clock import from_millis, to_millis
from heedful.storage import Connection, Row

LEASE = timedelta(minutes=5)
MOST_CUT_OFF = 3
WAIT_OF_CUT_OFF = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job. `attempts` counts runs that broke, `deferrals` those that found something missing they need."""

    id: int
    kind: str
    payload: Mapping[str, object]
    attempts: int
    deferrals: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a job until it is taken back; `holder` is the worker's own name for one of its lanes."""

    job_id: int
    token: str
    holder: str


@dataclass(frozen=True, slots=True)
class KindWork:
    """The unfinished jobs of one kind. What is `put_off` met something missing and waits out a back-off.

    `planned` is for a moment ahead by its nature. `next_at` is when the first of either comes due, None where all
    is due or done with; `reason` is what the first that is put off, or else the newest failed one, met.
    """

    kind: str
    due: int = 0
    put_off: int = 0
    planned: int = 0
    running: int = 0
    failed: int = 0
    next_at: datetime | None = None
    reason: str | None = None


def insert(
    connection: Connection,
    kind: str,
    dedupe_key: str,
    payload: Mapping[str, object],
    *,
    now: datetime,
    available_at: datetime,
) -> None:
    """Adds a job, or brings the waiting one of that key forward; a running one will run again.

    An earlier failure of the same key is forgotten: the new job stands for it.
    """
    connection.execute(
        "DELETE FROM jobs WHERE kind = ? AND dedupe_key = ? AND state = 'failed'", (kind, dedupe_key)
    )
    connection.execute(
        "INSERT INTO jobs (kind, dedupe_key, payload, available_at, created_at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (kind, dedupe_key) WHERE state IN ('ready', 'running') DO UPDATE SET "
        "payload = excluded.payload, again = (state = 'running'), "
        "available_at = CASE state WHEN 'running' THEN excluded.available_at "
        "ELSE min(available_at, excluded.available_at) END",
        (
            kind,
            dedupe_key,
            json.dumps(payload, ensure_ascii=False),
            to_millis(available_at),
            to_millis(now),
        ),
    )


def is_any_due(connection: Connection, kinds: Sequence[str], *, now: datetime) -> bool:
    """Whether a job of these kinds waits for nobody but a worker."""
    found = connection.value(
        f"SELECT 1 FROM jobs WHERE state = 'ready' AND kind IN ({_marks(kinds)}) AND available_at <= ? LIMIT 1",
        [*kinds, to_millis(now)],
    )
    return found is not None


def claim(
    connection: Connection, kinds: Sequence[str], *, token: str, holder: str, now: datetime
) -> tuple[JobRow, Lease] | None:
    """Takes the next job that is due, in the order of `kinds` and then of waiting; None when there is none."""
    for kind in kinds:
        row = connection.row(
            "UPDATE jobs SET state = 'running', again = 0, lease_token = ?, leased_by = ?, leased_until = ? "
            "WHERE id = (SELECT id FROM jobs WHERE state = 'ready' AND kind = ? AND available_at <= ? "
            "ORDER BY available_at, id LIMIT 1) RETURNING id, kind, payload, attempts, deferrals",
            (token, holder, to_millis(now + LEASE), kind, to_millis(now)),
        )
        if row is not None:
            job = _job(row)
            return job, Lease(job.id, token, holder)
    return None


def renew(connection: Connection, lease: Lease, *, now: datetime) -> bool:
    """Prolongs a lease; False when it is no longer held."""
    return _end(connection, lease, "leased_until = ?", (to_millis(now + LEASE),)) == 1


def finish(connection: Connection, lease: Lease, *, now: datetime) -> bool:
    """Ends a job well, or makes it ready again where its key was asked for meanwhile; False without the lease."""
    changed = _end(
        connection,
        lease,
        "state = CASE again WHEN 1 THEN 'ready' ELSE 'done' END, again = 0, attempts = 0, deferrals = 0, "
        "error_type = NULL, error = NULL, lease_token = NULL, leased_by = NULL, leased_until = NULL, finished_at = ?",
        (to_millis(now),),
    )
    return changed == 1


def put_back(
    connection: Connection,
    lease: Lease,
    *,
    available_at: datetime,
    counts_as: str,
    error_type: str | None,
    error: str | None,
) -> None:
    """Makes a job ready again later; `counts_as` is `attempts`, `deferrals`, or empty for neither."""
    counted = f"{counts_as} = {counts_as} + 1, " if counts_as in {"attempts", "deferrals"} else ""
    _end(
        connection,
        lease,
        f"state = 'ready', again = 0, {counted}available_at = ?, error_type = coalesce(?, error_type), "
        "error = coalesce(?, error), lease_token = NULL, leased_by = NULL, leased_until = NULL",
        (to_millis(available_at), error_type, error),
    )


def fail(connection: Connection, lease: Lease, *, now: datetime, error_type: str, error: str) -> None:
    """Ends a job for good, until the person retries it or its cause comes again.

    Where its key was asked for meanwhile, it is ready again instead: what it will work on is not what broke it.
    """
    _end(
        connection,
        lease,
        "state = CASE again WHEN 1 THEN 'ready' ELSE 'failed' END, again = 0, attempts = attempts + 1, "
        "error_type = ?, error = ?, lease_token = NULL, leased_by = NULL, leased_until = NULL, finished_at = ?",
        (error_type, error, to_millis(now)),
    )


def reclaim_of_others(connection: Connection, *holders: str, now: datetime) -> int:
    """Takes back every lease of anybody else. The store has one writer: who is no lane of it is a dead process."""
    others = "coalesce(leased_by, '') NOT IN (SELECT value FROM json_each(?))"
    return _reclaim(connection, others, (json.dumps(holders),), now)


def reclaim_expired(connection: Connection, *, now: datetime, at_work: Collection[str] = ()) -> int:
    """Takes back the leases that ran out, but for those whose tokens are known to be `at_work` still."""
    expired = "leased_until < ? AND lease_token NOT IN (SELECT value FROM json_each(?))"
    return _reclaim(connection, expired, (to_millis(now), json.dumps(list(at_work))), now)


def _reclaim(connection: Connection, which: str, bindings: tuple[str | int, ...], now: datetime) -> int:
    """Makes jobs ready at once; one cut off `MOST_CUT_OFF` times waits, for it may be what ends the process."""
    return connection.execute(
        "UPDATE jobs SET state = 'ready', again = 0, attempts = attempts + 1, "
        "available_at = CASE WHEN attempts < ? THEN ? ELSE ? END, "
        f"lease_token = NULL, leased_by = NULL, leased_until = NULL WHERE state = 'running' AND {which}",
        (MOST_CUT_OFF, to_millis(now), to_millis(now + WAIT_OF_CUT_OFF), *bindings),
    )


def prune_done(connection: Connection, *, before: datetime) -> int:
    """Forgets the jobs that ended well before a moment."""
    return connection.execute(
        "DELETE FROM jobs WHERE state = 'done' AND finished_at < ?", (to_millis(before),)
    )


def take_back(connection: Connection, kind: str, dedupe_key: str) -> None:
    """Removes the job of that key that waits, if one does; one that is running goes on."""
    connection.execute(
        "DELETE FROM jobs WHERE kind = ? AND dedupe_key = ? AND state = 'ready'", (kind, dedupe_key)
    )


def retry_failed(connection: Connection, *, now: datetime) -> int:
    """Makes every failed job ready again, afresh; returns how many. None of its key waits, or it were gone."""
    return connection.execute(
        "UPDATE jobs SET state = 'ready', attempts = 0, deferrals = 0, available_at = ?, finished_at = NULL "
        "WHERE state = 'failed'",
        (to_millis(now),),
    )


def wake(connection: Connection, *, now: datetime) -> int:
    """Makes every job that waits out a back-off due at once; returns how many."""
    return connection.execute(
        "UPDATE jobs SET available_at = ? WHERE state = 'ready' AND available_at > ? AND attempts + deferrals > 0",
        (to_millis(now), to_millis(now)),
    )


def by_kind(connection: Connection, *, now: datetime) -> tuple[KindWork, ...]:
    """What is unfinished, kind by kind, in the order of their names."""
    moment = to_millis(now)
    rows = connection.rows(
        "SELECT kind, sum(state = 'ready' AND available_at <= ?1), "
        "sum(state = 'ready' AND available_at > ?1 AND attempts + deferrals > 0), "
        "sum(state = 'ready' AND available_at > ?1 AND attempts + deferrals = 0), "
        "sum(state = 'running'), sum(state = 'failed'), "
        "min(CASE WHEN state = 'ready' AND available_at > ?1 THEN available_at END) "
        "FROM jobs WHERE state IN ('ready', 'running', 'failed') GROUP BY kind ORDER BY kind",
        (moment,),
    )
    return tuple(_kind_work(connection, row, moment) for row in rows)


def _kind_work(connection: Connection, row: Row, moment: int) -> KindWork:
    due, put_off, planned, running, broken = (int(number or 0) for number in row[1:6])
    kind = str(row[0])
    reason = None
    if put_off or broken:
        reason = connection.value(
            "SELECT error FROM jobs WHERE kind = ?1 AND error IS NOT NULL AND (state = 'failed' "
            "OR (state = 'ready' AND available_at > ?2 AND attempts + deferrals > 0)) "
            "ORDER BY state = 'failed', CASE state WHEN 'failed' THEN -finished_at ELSE available_at END LIMIT 1",
            (kind, moment),
        )
    return KindWork(
        kind=kind,
        due=due,
        put_off=put_off,
        planned=planned,
        running=running,
        failed=broken,
        next_at=None if row[6] is None else from_millis(int(row[6])),
        reason=None if reason is None else str(reason),
    )


def _end(connection: Connection, lease: Lease, change: str, bindings: Sequence[str | int | None]) -> int:
    return connection.execute(
        f"UPDATE jobs SET {change} WHERE id = ? AND state = 'running' AND lease_token = ?",
        [*bindings, lease.job_id, lease.token],
    )


def _job(row: Row) -> JobRow:
    return JobRow(
        id=int(row[0] or 0),
        kind=str(row[1]),
        payload=json.loads(str(row[2])),
        attempts=int(row[3] or 0),
        deferrals=int(row[4] or 0),
    )


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
