"""The queue as whoever causes work sees it: in the same transaction, once for a key, never lost."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from heedful.core.errors import PassingError, RejectedError
from heedful.memory.queue import asking
from heedful.memory.work.growth import note_settings
from heedful.memory.work.kind import JobContext, JobKind
from heedful.memory.work.known_kinds import job_kinds
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import A, letter, rows, take
from tests.memory.workshop import ask, ask_later, failures, noting, waiting, worker_of


async def test_a_job_is_there_with_its_cause_or_not_at_all(store: Store, clock: FakeClock) -> None:
    def work(connection: Connection) -> tuple[None, tuple[()]]:
        asking.enqueue(connection, "embed", "all", now=clock.now())
        raise RejectedError("It went wrong")

    with pytest.raises(RejectedError):
        await store.write(work)
    assert await waiting(store) == 0


async def test_a_job_that_waits_is_not_doubled_and_takes_the_newest_payload(
    store: Store, clock: FakeClock
) -> None:
    log: list[str] = []
    await ask(store, clock, "x", name="first")
    await ask(store, clock, "x", name="second")
    await ask(store, clock, "x", "another", name="third")
    settled = await worker_of(store, clock, x=noting(log)).settle()
    assert (settled.done, sorted(log)) == (2, ["second", "third"])


async def test_what_is_asked_for_while_its_job_runs_is_done_afterwards(
    store: Store, clock: FakeClock
) -> None:
    log: list[str] = []

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        log.append(str(payload["name"]))
        if len(log) == 1:
            await ask(store, clock, "x", name="came late")

    await ask(store, clock, "x", name="first")
    await worker_of(store, clock, x=run).settle()
    assert log == ["first", "came late"]
    assert await waiting(store) == 0


async def test_what_is_asked_for_while_its_job_breaks_is_tried_on_what_came_since(
    store: Store, clock: FakeClock
) -> None:
    broken: list[str] = []

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        broken.append(str(payload["name"]))
        if len(broken) == 1:
            await ask(store, clock, "x", name="second")
            raise RejectedError("This can't be read")

    await ask(store, clock, "x", name="first")
    assert (await worker_of(store, clock, x=run).settle()).done == 1
    assert broken == ["first", "second"]


async def test_a_delayed_job_waits_for_its_time_and_an_earlier_wish_brings_it_forward(
    store: Store, clock: FakeClock
) -> None:
    log: list[str] = []
    worker = worker_of(store, clock, x=noting(log))
    await ask_later(store, clock, "x", "a", timedelta(hours=2), name="a")
    await ask_later(store, clock, "x", "b", timedelta(hours=2), name="b")
    await ask_later(store, clock, "x", "b", timedelta(hours=1), name="b")
    await ask_later(store, clock, "x", "b", timedelta(hours=3), name="b")
    await worker.settle()
    assert log == []
    clock.advance(timedelta(hours=1))
    await worker.turn()
    assert log == ["b"]
    clock.advance(timedelta(hours=1))
    await worker.turn()
    assert log == ["b", "a"]


async def test_failed_jobs_are_listed_and_can_be_tried_afresh(store: Store, clock: FakeClock) -> None:
    broken = True

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        if broken:
            raise RejectedError("This letter can't be read")

    worker = worker_of(store, clock, x=run)
    await ask(store, clock, "x", "a")
    await ask(store, clock, "x", "b")
    assert (await worker.settle()).failed == 2
    assert await failures(store) == [("RejectedError", "This letter can't be read.")] * 2
    assert await waiting(store) == 0
    assert (await worker.settle()).failed == 0
    await ask(store, clock, "x", "b")
    assert len(await failures(store)) == 1
    broken = False
    now = clock.now()
    assert await store.write(lambda connection: (asking.retry_failed(connection, now=now), ())) == 1
    assert await rows(store, "SELECT DISTINCT state, attempts, deferrals FROM jobs") == [("ready", 0, 0)]
    assert (await worker.settle()).done == 2
    assert (await failures(store), await waiting(store)) == ([], 0)


async def test_waking_ends_the_wait_of_what_was_put_off(store: Store, clock: FakeClock) -> None:
    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        raise PassingError("The model server is not there")

    worker = worker_of(store, clock, x=run)
    await ask(store, clock, "x")
    await ask_later(store, clock, "x", "scheduled", timedelta(hours=1))
    await worker.turn()
    now = clock.now()
    assert await store.write(lambda connection: (asking.wake(connection, now=now), ())) == 1


async def test_new_settings_end_the_waiting_and_ask_the_model_for_summaries_and_names(
    store: Store, clock: FakeClock
) -> None:
    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        raise PassingError("The model server is not there")

    await ask(store, clock, "x")
    await worker_of(store, clock, x=run).turn()
    now = clock.now()
    assert (
        await store.write(lambda connection: (note_settings(connection, now=now, embeds_otherwise=True), ()))
        == 1
    )
    due = await rows(store, "SELECT kind, dedupe_key FROM jobs WHERE state = 'ready' ORDER BY kind")
    assert due == [("embed", "all"), ("name_entities", "all"), ("rewrite", "all"), ("x", "all")]


async def test_every_stage_that_works_on_growth_is_asked_once_for_a_batch(store: Store) -> None:
    await take(store, A, letter(1), letter(2), letter(3))
    growing = sorted(kind.name for kind in job_kinds().values() if kind.on_growth)
    assert {"seal", "summarise", "digest"} <= set(growing)
    assert await rows(store, "SELECT kind FROM jobs ORDER BY kind") == [(name,) for name in growing]
    assert await rows(store, "SELECT DISTINCT dedupe_key, state FROM jobs") == [("all", "ready")]


async def test_a_batch_that_brings_nothing_new_asks_for_nothing(store: Store) -> None:
    await take(store, A, letter(1))
    await store.write(lambda connection: (connection.execute("DELETE FROM jobs"), ()))
    await take(store, A, letter(1))
    assert await rows(store, "SELECT kind FROM jobs") == []


def test_the_kinds_are_in_the_order_in_which_they_go() -> None:
    kinds = list(job_kinds().values())
    assert all(isinstance(kind, JobKind) for kind in kinds)
    assert [kind.turn for kind in kinds] == sorted(kind.turn for kind in kinds)
