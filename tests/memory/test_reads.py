"""The record of what other programs read."""

from dataclasses import replace
from datetime import timedelta

from heedful.core.paths import Home
from heedful.memory.reads import ARGUMENTS_LENGTH, KEPT, Read, Reads
from heedful.storage import Key, Store
from tests.fakes.clock import FakeClock


def read(clock: FakeClock, **changes: object) -> Read:
    plain = Read(clock.now(), "helper", "memory.search", '{"query": "a"}', "answered", handed=("c1", "c2"))
    return replace(plain, **changes)  # type: ignore[arg-type] # any field by its name


def test_a_row_comes_back_as_it_was_added_the_newest_first(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    record = Reads.open(home, key, now=clock.now())
    first, second = read(clock), read(clock, outcome="refused", note="No", handed=(), duration_ms=3)
    record.add(first)
    record.add(second)
    assert record.newest() == [second, first]
    assert record.newest(limit=1) == [second]
    record.close()


def test_two_programs_write_beside_each_other_and_beside_the_app(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    records = [Reads.open(home, key, now=clock.now()) for _ in range(2)]
    for turn in range(20):
        records[turn % 2].add(read(clock, tool=f"t{turn}"))
    assert [row.tool for row in records[0].newest()] == [f"t{turn}" for turn in range(19, -1, -1)]
    for record in records:
        record.close()


def test_rows_are_dropped_when_their_time_is_over(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    record = Reads.open(home, key, now=clock.now())
    record.add(read(clock, at=clock.now() - KEPT - timedelta(days=1), tool="old"))
    record.add(read(clock, at=clock.now() - KEPT + timedelta(days=1), tool="new"))
    record.close()
    again = Reads.open(home, key, now=clock.now())
    assert [row.tool for row in again.newest()] == ["new"]
    again.close()


def test_arguments_are_cut(store: Store, home: Home, key: Key, clock: FakeClock) -> None:
    record = Reads.open(home, key, now=clock.now())
    record.add(read(clock, arguments="x" * 5000))
    assert record.newest()[0].arguments == "x" * ARGUMENTS_LENGTH
    record.close()
    record.close()
