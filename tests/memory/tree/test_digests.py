"""Digests: one for each of the person's local days, made when it is over, filled in backwards, never repeated."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from heedful.memory.messages import own_addresses_store
from heedful.memory.messages.cursors_store import advance, cursor
from heedful.memory.queue.asking import enqueue
from heedful.memory.tree.digests import NOTHING_NEW, note_changes
from heedful.memory.tree.tree_store import Node
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.grove import node, settle, shape
from tests.memory.incoming import A, do, letter, rows, take

ROOF = "The roof of house {} will be painted for {} euros before Friday."
DAYS = "SELECT scope_id FROM nodes WHERE scope = 'day' AND text <> '' ORDER BY scope_id"


async def digest(store: Store, day: str) -> Node:
    return await node(store, "day", day)


async def receive(
    store: Store, clock: FakeClock, number: int, sent_at: datetime, text: str | None = None
) -> None:
    await take(
        store, A, letter(number, text or ROOF.format(number, 100 + number), sent_at=sent_at), now=clock.now()
    )


async def test_a_day_is_told_when_it_is_over_and_not_before(store: Store, clock: FakeClock) -> None:
    await receive(store, clock, 1, clock.now())
    await settle(store, clock)
    assert await rows(store, DAYS) == []
    clock.advance(timedelta(hours=15))
    await settle(store, clock)
    assert await rows(store, DAYS) == [("2026-12-01",)]
    told = await digest(store, "2026-12-01")
    assert "101 euros" in told.text
    assert (told.method, told.items, told.stale) == ("extractive", 1, 0)


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", "2026-11-30"), ("Asia/Tokyo", "2026-12-01"), ("America/Sao_Paulo", "2026-11-30")],
)
async def test_a_day_is_the_persons_own(store: Store, zone: str, day: str) -> None:
    clock = FakeClock(datetime(2026, 12, 3, 12, tzinfo=UTC), ZoneInfo(zone))
    await receive(store, clock, 1, datetime(2026, 11, 30, 16, 30, tzinfo=UTC))
    await settle(store, clock)
    told = await digest(store, day)
    assert "101 euros" in told.text
    begin = datetime.combine(date.fromisoformat(day), datetime.min.time(), ZoneInfo(zone))
    assert told.begins_at == begin.astimezone(UTC)


async def test_a_day_of_twenty_five_hours_has_all_of_its_messages(store: Store) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    clock = FakeClock(datetime(2026, 10, 28, 12, tzinfo=UTC), berlin)
    await receive(store, clock, 1, datetime(2026, 10, 24, 22, 10, tzinfo=UTC))
    await receive(store, clock, 2, datetime(2026, 10, 25, 22, 50, tzinfo=UTC))
    await receive(store, clock, 3, datetime(2026, 10, 25, 23, 5, tzinfo=UTC))
    await settle(store, clock)
    assert (await digest(store, "2026-10-25")).items == 2
    assert (await digest(store, "2026-10-26")).items == 1


async def test_a_day_of_twenty_three_hours_has_nothing_of_the_next(store: Store) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    clock = FakeClock(datetime(2026, 4, 2, 12, tzinfo=UTC), berlin)
    for number, (hour, minute) in enumerate([(22, 50), (23, 10), (21, 50), (22, 10)], start=1):
        day = 28 if number < 3 else 29
        await receive(store, clock, number, datetime(2026, 3, day, hour, minute, tzinfo=UTC))
    await settle(store, clock)
    told = {day: (await digest(store, day)).items for day in ("2026-03-28", "2026-03-29", "2026-03-30")}
    assert told == {"2026-03-28": 1, "2026-03-29": 2, "2026-03-30": 1}
    short = await digest(store, "2026-03-29")
    assert short.ends_at - short.begins_at == timedelta(hours=23, milliseconds=-1)


@pytest.mark.parametrize(
    ("here", "away"),
    [
        ("Europe/Berlin", "America/Sao_Paulo"),
        ("America/Sao_Paulo", "Europe/Berlin"),
        ("Pacific/Honolulu", "Pacific/Kiritimati"),
        ("Asia/Tokyo", "Pacific/Honolulu"),
    ],
)
async def test_a_journey_to_another_time_zone_and_back_loses_no_message_and_tells_none_twice(
    store: Store, here: str, away: str
) -> None:
    begin = datetime(2026, 12, 1, tzinfo=UTC)
    clock = FakeClock(begin, ZoneInfo(here))
    for hour in range(0, 9 * 24, 2):
        if hour in (70, 142):
            clock.zone = ZoneInfo(away if hour == 70 else here)
        if hour % 4 == 0:
            await receive(store, clock, hour, begin + timedelta(hours=hour, minutes=1))
        if hour % 12 == 10:
            await receive(store, clock, 1000 + hour, begin + timedelta(hours=hour - 30, minutes=2))
            await settle(store, clock)
        clock.advance(timedelta(hours=2))
    clock.advance(timedelta(days=3))
    await settle(store, clock)
    told = await rows(
        store,
        "SELECT m.external_id, count(n.id) FROM messages m JOIN chunks c ON c.message_seq = m.seq "
        "LEFT JOIN node_chunks k ON k.chunk_id = c.id LEFT JOIN nodes n ON n.id = k.node_id AND n.scope = 'day' "
        "GROUP BY c.id",
    )
    assert len(told) == 72
    assert [row for row in told if row[1] != 1] == []
    assert await rows(store, "SELECT count(*) FROM nodes WHERE stale > 0 AND scope = 'day'") == [(0,)]


async def test_old_mail_of_a_first_import_is_filled_in_but_only_its_own_days(
    store: Store, clock: FakeClock
) -> None:
    for number, days in enumerate((400, 399, 90)):
        await receive(store, clock, number, clock.now() - timedelta(days=days))
    await settle(store, clock)
    assert [str(day) for (day,) in await rows(store, DAYS)] == ["2025-10-27", "2025-10-28", "2026-09-02"]


async def test_however_many_days_an_import_brings_all_are_told_at_once(
    store: Store, clock: FakeClock
) -> None:
    for number in range(12):
        await receive(store, clock, number, clock.now() - timedelta(days=number + 1))
    await settle(store, clock)
    assert len(await rows(store, DAYS)) == 12


async def test_what_tells_nothing_is_in_no_digest(store: Store, clock: FakeClock) -> None:
    await receive(store, clock, 1, clock.now() - timedelta(days=1))
    await take(
        store, A, letter(2, "ok", from_me=False, sent_at=clock.now() - timedelta(days=1)), now=clock.now()
    )
    await settle(store, clock)
    assert await rows(store, "SELECT items FROM nodes WHERE scope = 'day' AND text <> ''") == [(1,)]


async def test_missed_days_are_filled_in_and_a_quiet_one_says_so_and_repeats_nothing(
    store: Store, clock: FakeClock
) -> None:
    await receive(store, clock, 1, clock.now())
    await settle(store, clock)
    clock.advance(timedelta(days=4))
    await receive(store, clock, 2, clock.now() - timedelta(days=2))
    await settle(store, clock)
    told = {str(day): str(text) for day, text in await rows(store, "SELECT scope_id, text FROM nodes "
        "WHERE scope = 'day' AND text <> '' ORDER BY scope_id")}  # fmt: skip
    assert list(told) == ["2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04"]
    assert told["2026-12-02"] == told["2026-12-04"] == NOTHING_NEW
    assert "102 euros" in told["2026-12-03"]


async def test_what_comes_late_makes_its_day_anew(store: Store, clock: FakeClock) -> None:
    clock.advance(timedelta(days=1))
    yesterday = clock.now() - timedelta(days=1)
    await receive(store, clock, 1, yesterday)
    await settle(store, clock)
    assert (await digest(store, "2026-12-01")).items == 1
    await receive(store, clock, 2, yesterday + timedelta(minutes=5))
    await settle(store, clock)
    told = await digest(store, "2026-12-01")
    assert (told.items, "102 euros" in told.text) == (2, True)


async def test_what_comes_after_the_newest_message_left_is_told_on_its_day(
    store: Store, clock: FakeClock
) -> None:
    await receive(store, clock, 1, clock.now() - timedelta(days=2))
    await settle(store, clock)
    await take(store, A, gone=["x1"], now=clock.now())
    await receive(store, clock, 2, clock.now() - timedelta(days=1))
    await settle(store, clock)
    assert "102 euros" in (await digest(store, "2026-11-30")).text


async def test_what_comes_in_while_days_are_told_is_told_once_it_was_judged(
    store: Store, clock: FakeClock
) -> None:
    await receive(store, clock, 1, clock.now() - timedelta(days=2))
    await settle(store, clock)
    await receive(store, clock, 2, clock.now() - timedelta(days=2))
    await settle(store, clock, "digest")
    assert (await digest(store, "2026-11-29")).items == 1
    await settle(store, clock)
    assert "102 euros" in (await digest(store, "2026-11-29")).text


async def test_what_was_left_out_until_its_address_was_known_for_the_persons_is_told_on_its_day(
    store: Store, clock: FakeClock
) -> None:
    ago = clock.now() - timedelta(days=2)
    await receive(store, clock, 1, ago)
    await receive(store, clock, 2, ago, "ok")
    await settle(store, clock)
    assert (await digest(store, "2026-11-29")).items == 1
    await do(store, lambda c: own_addresses_store.state_address(c, "ana@ciclone.example", "stated"))
    now = clock.now()
    await do(store, lambda connection: enqueue(connection, "seal", "all", now=now))
    await settle(store, clock)
    assert (await digest(store, "2026-11-29")).items == 2


async def test_a_day_that_lost_a_message_while_another_waited_to_be_told_tells_that_one(
    store: Store, clock: FakeClock
) -> None:
    ago = clock.now() - timedelta(days=2)
    await receive(store, clock, 1, ago)
    await receive(store, clock, 2, ago)
    await settle(store, clock)
    await receive(store, clock, 3, ago)
    await settle(store, clock, "seal")
    now = clock.now()

    def note(connection: Connection) -> None:
        """The first step of the days' job, which was cut off after it."""
        after, judged = cursor(connection, "digest"), cursor(connection, "seal")
        reached = note_changes(connection, after=after, judged=judged, limit=9, now=now, zone=UTC)
        advance(connection, "digest", reached)

    await do(store, note)
    await take(store, A, gone=["x1"], now=clock.now())
    await settle(store, clock)
    told = await digest(store, "2026-11-29")
    assert (told.items, "103 euros" in told.text) == (2, True)


async def test_what_was_taken_out_leaves_its_day_and_a_day_before_the_first_import_goes_with_it(
    store: Store, clock: FakeClock
) -> None:
    await receive(store, clock, 1, clock.now() - timedelta(days=9))
    await receive(store, clock, 2, clock.now() - timedelta(days=1))
    await settle(store, clock)
    assert len(await rows(store, DAYS)) == 2
    await take(store, A, gone=["x1"], now=clock.now())
    await settle(store, clock)
    assert await rows(store, DAYS) == [("2026-11-30",)]
    assert (await store.read(shape)).faults == ()


async def test_the_digest_comes_back_after_each_midnight_by_itself(store: Store, clock: FakeClock) -> None:
    await receive(store, clock, 1, clock.now())
    await settle(store, clock)
    for _ in range(3):
        clock.advance(timedelta(days=1))
        await settle(store, clock)
    assert [day for (day,) in await rows(store, DAYS)] == ["2026-12-01", "2026-12-02", "2026-12-03"]


async def test_a_settled_store_makes_nothing_again(store: Store, clock: FakeClock) -> None:
    await receive(store, clock, 1, clock.now() - timedelta(days=3))
    await settle(store, clock)
    made = await rows(store, "SELECT id, made_at FROM nodes ORDER BY id")
    clock.advance(timedelta(minutes=1))
    now = clock.now()
    for kind in ("seal", "summarise", "digest"):
        await do(store, lambda connection, kind=kind: enqueue(connection, kind, "all", now=now))  # type: ignore[misc] # the loop's own name
    await settle(store, clock)
    assert await rows(store, "SELECT id, made_at FROM nodes ORDER BY id") == made
