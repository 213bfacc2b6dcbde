"""What each stage did with one message, also where it did nothing."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from heedful.core.clock import from_millis
from heedful.core.errors import RejectedError
from heedful.memory.messages import cursors_store
from heedful.memory.stages import Stages, stages_of
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.grove import settle
from tests.memory.incoming import MONDAY, A, do, letter, rows, take

NAMES = ["intake", "chunks", "entities", "vectors", "admission", "tree", "digest", "jobs"]


async def told(store: Store, asked: str, *, now: datetime = MONDAY) -> Stages:
    return await store.read(lambda connection: stages_of(connection, asked, now=now))


def states(found: Stages) -> dict[str, str]:
    return {stage.name: stage.state for stage in found.stages}


async def test_a_fresh_message_is_searchable_and_everything_else_waits(store: Store) -> None:
    await take(store, A, letter(1, "The roof is painted for 300 euros."))
    found = await told(store, "x1")
    assert [stage.name for stage in found.stages] == NAMES
    assert states(found) == {
        "intake": "done", "chunks": "done", "entities": "waiting", "vectors": "waiting", "admission": "waiting",
        "tree": "waiting", "digest": "waiting", "jobs": "waiting",
    }  # fmt: skip
    assert found.stages[1].facts["searchable"] is True


async def test_after_the_stages_ran_each_tells_what_it_did(store: Store, clock: FakeClock) -> None:
    await take(store, A, letter(1, "The roof is painted for 300 euros."), now=clock.now())
    await settle(store, clock)
    (chunk_id,) = (await rows(store, "SELECT id FROM chunks"))[0]
    found = await told(store, str(chunk_id))
    by_name = {stage.name: stage for stage in found.stages}
    assert (by_name["admission"].state, by_name["tree"].state, by_name["digest"].state) == ("done",) * 3
    verdict = by_name["admission"].facts[str(chunk_id)]
    assert isinstance(verdict, dict)
    assert verdict["kept"] is True
    assert "extractive by builtin@1" in str(by_name["tree"].facts["nodes"])


async def test_what_was_left_out_says_why_and_hangs_nowhere(store: Store, clock: FakeClock) -> None:
    await take(store, A, letter(1, "ok"), now=clock.now())
    await settle(store, clock)
    ((message_id,),) = await rows(store, "SELECT id FROM messages")
    found = await told(store, str(message_id))
    assert "too short" in str(found.stages[NAMES.index("admission")].facts)
    assert found.stages[NAMES.index("tree")].facts == {"nodes": []}


async def test_work_for_a_moment_ahead_is_planned_and_waits_for_nobody(store: Store) -> None:
    await take(store, A, letter(1, "The roof is painted for 300 euros."))
    await do(store, lambda connection: connection.execute("DELETE FROM jobs WHERE kind <> 'digest'"))
    ((due,),) = await rows(store, "SELECT max(available_at) FROM jobs")
    moment = from_millis(int(str(due)))
    ahead = await told(store, "x1", now=moment - timedelta(seconds=1))
    assert states(ahead)["digest"] == states(ahead)["jobs"] == "planned"
    assert ": planned" in str(ahead.stages[-1].facts["jobs"])
    assert states(await told(store, "x1", now=moment))["jobs"] == "waiting"


async def test_work_that_was_put_off_waits_and_was_not_planned(store: Store) -> None:
    await take(store, A, letter(1, "The roof is painted for 300 euros."))
    await do(store, lambda connection: connection.execute("DELETE FROM jobs WHERE kind <> 'digest'"))
    await do(store, lambda connection: connection.execute("UPDATE jobs SET deferrals = 1"))
    found = await told(store, "x1")
    assert states(found)["digest"] == states(found)["jobs"] == "waiting"
    assert ": ready, 0 broken, 1 put off" in str(found.stages[-1].facts["jobs"])


async def test_a_stage_whose_job_failed_says_so(store: Store) -> None:
    await take(store, A, letter(1))
    await store.write(
        lambda connection: (
            connection.execute("UPDATE jobs SET state = 'failed', error = 'Broken.' WHERE kind = 'embed'"),
            (),
        )
    )
    found = await told(store, "x1")
    assert states(found)["vectors"] == states(found)["jobs"] == "failed"
    assert "Broken." in str(found.stages[-1].facts["jobs"])


async def test_a_store_without_any_job_or_row_of_a_stage_still_answers(store: Store) -> None:
    await take(store, A, letter(1, ""))
    await store.write(lambda connection: (connection.execute("DELETE FROM jobs"), ()))
    assert set(states(await told(store, "x1")).values()) == {"done", "nothing"}


async def test_an_unknown_message_is_told(store: Store) -> None:
    with pytest.raises(RejectedError, match="no such message"):
        await told(store, "nothing like it")


async def test_a_check_of_the_store_is_no_stage(store: Store) -> None:
    await take(store, A, letter(1, "Good morning."))
    before = await told(store, "x1")
    await do(store, partial(cursors_store.advance, stage=cursors_store.FOUND_SOUND, place=1))
    assert await told(store, "x1") == before
