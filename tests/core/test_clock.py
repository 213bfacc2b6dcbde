"""Moments are UTC, days are the person's, and a day may have 23 or 25 hours."""

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.clock import (
    LOOK_FOR_ZONE_EVERY_S,
    MovingZone,
    SystemClock,
    from_millis,
    local_day,
    start_of_day,
    start_of_next_day,
    to_millis,
)
from tests.fakes.clock import FakeClock
from tests.fakes.zones import Traveller

ZONES = (
    "UTC", "Europe/Lisbon", "Europe/Berlin", "America/Sao_Paulo", "America/New_York", "Asia/Kathmandu",
    "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo", "Asia/Beirut", "America/Havana", "Atlantic/Azores",
)  # fmt: skip


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("Europe/Berlin", date(2026, 10, 26), 24),
        ("America/New_York", date(2026, 3, 8), 23),
        ("America/New_York", date(2026, 11, 1), 25),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
        ("Asia/Beirut", date(2026, 3, 29), 23),
    ],
)
def test_a_day_is_as_long_as_the_persons_clock_makes_it(zone: str, day: date, hours: float) -> None:
    place = ZoneInfo(zone)
    length = start_of_day(day + timedelta(days=1), place) - start_of_day(day, place)
    assert length == timedelta(hours=hours)


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.sampled_from(ZONES))
def test_a_day_begins_at_its_first_moment_and_not_one_before(day: date, zone: str) -> None:
    place = ZoneInfo(zone)
    if zone == "Pacific/Apia" and day == date(2011, 12, 30):
        return  # a day that Samoa skipped has no moment
    start = start_of_day(day, place)
    assert local_day(start, place) == day
    assert local_day(start - timedelta(milliseconds=1), place) < day
    assert start.tzinfo is UTC


@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), st.sampled_from(ZONES))  # noqa: DTZ001 (a zone is put on it below)
def test_the_next_day_is_always_ahead_and_never_more_than_26_hours(moment: datetime, zone: str) -> None:
    aware, place = moment.replace(tzinfo=UTC), ZoneInfo(zone)
    ahead = start_of_next_day(aware, place) - aware
    assert timedelta(0) < ahead <= timedelta(hours=26) or (zone == "Pacific/Apia" and moment.year == 2011)


@given(st.integers(-(10**12), 4 * 10**12))
def test_the_stores_milliseconds_are_exact(millis: int) -> None:
    assert to_millis(from_millis(millis)) == millis
    assert from_millis(millis).tzinfo is UTC


async def test_the_machines_clock_is_aware_never_runs_backwards_and_sleeps() -> None:
    clock = SystemClock(ZoneInfo("Europe/Berlin"))
    before, elapsed = clock.now(), clock.monotonic()
    await clock.sleep(0)
    assert before.tzinfo is UTC
    assert clock.monotonic() >= elapsed
    assert str(clock.zone) == "Europe/Berlin"


def test_the_machines_zone_is_one_with_rules() -> None:
    ask = "from heedful.core.clock import SystemClock; print(SystemClock().zone)"
    answer = subprocess.run(
        [sys.executable, "-c", ask],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TZ": "America/Sao_Paulo"},
    )
    assert answer.stdout.strip() == "America/Sao_Paulo"


def test_a_process_that_runs_on_sees_the_zone_its_machine_was_moved_to() -> None:
    move = "import os, time; from heedful.core.clock import SystemClock; print(SystemClock().zone); "
    move += (
        "os.environ['TZ'] = 'Asia/Tokyo'; print(SystemClock().zone, *time.tzname[: hasattr(time, 'tzset')])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", move],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TZ": "America/Sao_Paulo"},
    )
    assert answer.stdout.split() == [
        "America/Sao_Paulo",
        "Asia/Tokyo",
        *(["JST"] if os.name == "posix" else []),
    ]


def test_a_machine_that_travels_is_noticed_within_a_minute_and_asked_no_more_often() -> None:
    lisbon, tokyo = ZoneInfo("Europe/Lisbon"), ZoneInfo("Asia/Tokyo")
    clock, machine = FakeClock(datetime(2026, 12, 1, tzinfo=UTC)), Traveller(lisbon)
    zone = MovingZone(machine.look, clock.monotonic)
    assert zone.here() is lisbon
    machine.zone = tokyo
    clock.advance(timedelta(seconds=LOOK_FOR_ZONE_EVERY_S - 1))
    assert [zone.here(), zone.here()] == [lisbon, lisbon]
    assert machine.asked == 1
    clock.advance(timedelta(seconds=1))
    assert [zone.here(), zone.here()] == [tokyo, tokyo]
    assert machine.asked == 2


def test_a_machine_that_names_no_zone_is_taken_to_be_where_it_was() -> None:
    lisbon = ZoneInfo("Europe/Lisbon")
    clock, machine = FakeClock(datetime(2026, 12, 1, tzinfo=UTC)), Traveller(None)
    zone = MovingZone(machine.look, clock.monotonic)
    assert zone.here() is UTC
    for told, expected in ((lisbon, lisbon), (None, lisbon)):
        machine.zone = told
        clock.advance(timedelta(minutes=2))
        assert zone.here() is expected
