"""The archivist backs up a sound store once a day, keeps its hands off a busy machine, and lets time take its share."""

import shutil
import threading
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError, RejectedError, UserCanFixError
from heedful.core.events import ActionablesChanged
from heedful.core.ids import ActionableId, SourceId
from heedful.core.paths import Home
from heedful.memory.archivist.backup import backups
from heedful.memory.archivist.care import Care
from heedful.memory.archivist.housekeeping import Archivist, prove_sound
from heedful.memory.forget import retention
from heedful.memory.forget.retention import forget_expired, keep_for, kept_days
from heedful.memory.work.host_load import AT_FULL_PACE, Pace, Verdict
from heedful.storage import Connection, Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import everything, put_item, settle, stored
from tests.memory.incoming import MONDAY, A, B, do, event, rows, take
from tests.memory.reading_along import mail


def archivist_of(
    store: Store, home: Home, key: Key, clock: FakeClock, verdict: Verdict = AT_FULL_PACE
) -> Archivist:
    return Archivist(store, home, key, clock, gauge=lambda: verdict)


async def test_a_backup_is_made_once_a_day(store: Store, home: Home, key: Key, clock: FakeClock) -> None:
    await take(store, A, mail(1))
    archivist = archivist_of(store, home, key, clock)
    await archivist.turn()
    clock.advance(timedelta(hours=23))
    await archivist.turn()
    assert len(backups(home)) == 1
    clock.advance(timedelta(hours=1))
    await archivist.turn()
    assert len(backups(home)) == 2


@pytest.mark.parametrize("pace", [Pace.SLOW, Pace.PAUSED])
async def test_a_busy_machine_is_left_alone(
    store: Store, home: Home, key: Key, clock: FakeClock, pace: Pace
) -> None:
    await archivist_of(store, home, key, clock, Verdict(pace, "Busy.")).turn()
    assert backups(home) == []


async def test_the_machine_is_asked_beside_the_window(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    asked_on: list[threading.Thread] = []

    def gauge() -> Verdict:
        asked_on.append(threading.current_thread())
        return Verdict(Pace.PAUSED, "Busy.")

    await Archivist(store, home, key, clock, gauge=gauge).turn()
    assert asked_on
    assert threading.current_thread() not in asked_on


async def test_a_damaged_store_is_not_backed_up_over_good_copies(store: Store) -> None:
    class Damaged:
        def value(self, sql: str) -> str:
            return "row 3 missing from index" if "check" in sql else ""

    with pytest.raises(DamageError, match="damaged"):
        prove_sound(Damaged())  # type: ignore[arg-type] # stands for a connection to a file with a broken page
    await store.read(prove_sound)


async def test_damage_that_is_found_makes_no_backup(
    store: Store, home: Home, key: Key, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def damaged(work: object) -> None:
        assert work is prove_sound
        raise DamageError("The store is damaged", "", "")

    monkeypatch.setattr(store, "read_long", damaged)
    archivist = archivist_of(store, home, key, clock)
    with pytest.raises(DamageError):
        await archivist.turn()
    assert backups(home) == []
    care = Care(store, home, key, clock, archivist)
    with pytest.raises(DamageError):
        await care.check()
    assert await care.checked_at() is None


async def test_a_full_disk_is_said_before_anything_is_written(
    store: Store, home: Home, key: Key, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = SimpleNamespace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    for share in (0, 1.5):
        free.free = int(share * store.size_bytes)
        with pytest.raises(UserCanFixError, match="no room"):
            await archivist_of(store, home, key, clock).turn()
        assert backups(home) == []
    free.free = 3 * store.size_bytes
    await archivist_of(store, home, key, clock).turn()
    assert len(backups(home)) == 1


async def test_each_turn_merges_a_little_of_both_indexes_and_renews_the_figures_of_plans(
    store: Store, home: Home, key: Key, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    execute = Connection.execute

    def noted(self: Connection, sql: str, *bindings: Any) -> int:  # noqa: ANN401 (as it is called)
        done.append(sql)
        return execute(self, sql, *bindings)

    monkeypatch.setattr(Connection, "execute", noted)
    await archivist_of(store, home, key, clock).turn()
    for index in ("chunk_index", "node_index"):
        assert f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)" in done
    assert "PRAGMA optimize" in done


async def keep(store: Store, source: SourceId, days: int | None) -> None:
    await do(store, lambda connection: keep_for(connection, source, days))


async def test_what_is_past_its_sources_time_is_forgotten(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    old, new = MONDAY - timedelta(days=40), MONDAY - timedelta(days=1)
    await take(store, A, mail(1, "The zquorkab is due.", sent_at=old), mail(2, "Fresh", sent_at=new))
    await take(store, B, mail(3, "Old and dear", sent_at=old))
    await settle(store, clock)
    await keep(store, A, 30)
    await archivist_of(store, home, key, clock).turn()
    await settle(store, clock)
    assert "zquorkab" not in await everything(store)
    assert await rows(store, "SELECT external_id FROM messages ORDER BY external_id") == [("x2",), ("x3",)]


async def test_a_message_stays_while_another_source_keeps_it(store: Store, clock: FakeClock) -> None:
    shared = mail(1, "Shared", sent_at=MONDAY - timedelta(days=40))
    await take(store, A, shared)
    await take(store, B, shared)
    await keep(store, A, 30)
    assert (await forget_expired(store, clock)).messages == 0
    await keep(store, B, 35)
    assert (await forget_expired(store, clock)).messages == 1


async def test_an_entry_of_the_calendar_counts_from_its_last_day(store: Store, clock: FakeClock) -> None:
    long_ago = MONDAY - timedelta(days=400)
    await take(store, A, event(1, long_ago, MONDAY, sent_at=long_ago), event(2, long_ago, sent_at=long_ago))
    await keep(store, A, 30)
    assert (await forget_expired(store, clock)).messages == 1
    assert await rows(store, "SELECT external_id FROM messages") == [("x1",)]


async def test_what_is_kept_for_so_many_days_stays_for_the_whole_of_them(
    store: Store, clock: FakeClock
) -> None:
    long_ago, begun = clock.now() - timedelta(days=400), clock.now() - timedelta(days=30)
    await take(
        store, A,
        mail(1, sent_at=begun), event(2, begun - timedelta(hours=1), sent_at=long_ago),
        mail(3, sent_at=begun - timedelta(seconds=1)), event(4, begun - timedelta(hours=2), sent_at=long_ago),
    )  # fmt: skip
    await keep(store, A, 30)
    assert (await forget_expired(store, clock)).messages == 2
    assert await rows(store, "SELECT external_id FROM messages ORDER BY seq") == [("x1",), ("x2",)]
    await keep(store, A, 40)
    assert await store.read(kept_days) == {A: 40}


async def test_however_much_is_past_its_time_all_of_it_goes_and_the_items_of_it_are_told(
    store: Store, bus: Bus, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    told: list[ActionablesChanged] = []
    stop = bus.subscribe(ActionablesChanged, told.append)
    await take(store, A, *(mail(n, sent_at=MONDAY - timedelta(days=40)) for n in range(5)))
    first = await stored(store, "x0")
    item = ActionableId("i")
    await do(store, lambda connection: put_item(connection, item, "Paint the roof", first))
    await keep(store, A, 30)
    assert (await forget_expired(store, clock)).messages == 5
    stop()
    assert [one.ids for one in told] == [(item,)]


async def test_everything_is_kept_unless_the_person_says_otherwise(store: Store, clock: FakeClock) -> None:
    await take(store, A, mail(1, sent_at=MONDAY - timedelta(days=4000)))
    assert (await forget_expired(store, clock)).messages == 0
    await keep(store, A, 30)
    assert await store.read(kept_days) == {A: 30}
    await keep(store, A, None)
    assert await store.read(kept_days) == {}
    assert (await forget_expired(store, clock)).messages == 0


async def test_only_a_source_that_is_there_can_be_kept(store: Store) -> None:
    def work(connection: Connection) -> None:
        keep_for(connection, SourceId("nothing"), 30)

    with pytest.raises(RejectedError, match="no such source"):
        await do(store, work)
