"""What is talked of now is on top; what was talked of long ago cools by itself."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.memory.entities import hotness
from heedful.memory.entities.hotness import HALF_LIFE_DAYS, WINDOW, Heat, faded, heats, note_asked
from heedful.memory.entities.kinds import EntityKind
from heedful.sources import Person
from heedful.storage import Store
from tests.memory.incoming import MONDAY, A, B, do, rows
from tests.memory.reading_along import found, mail, tell, top

OLD = Person("Otto Brandt", "otto@ciclone.example")
NEW = Person("Nina Tamm", "nina@mar.example")


async def old_and_new(store: Store) -> None:
    """Otto wrote thirty letters a year ago, Nina two today."""
    letters = [
        replace(mail(n, author=OLD, to=()), sent_at=MONDAY - timedelta(days=365, minutes=n))
        for n in range(30)
    ]
    await tell(store, A, *letters, mail(40, author=NEW, to=()), mail(41, author=NEW, to=()))


async def test_who_was_popular_long_ago_does_not_stay_hot(store: Store) -> None:
    await old_and_new(store)
    people = await top(store, EntityKind.PERSON, now=MONDAY + timedelta(days=1))
    assert [person.name for person in people] == ["Nina Tamm", "Otto Brandt"]
    assert people[0].hotness > 0
    assert people[1].hotness == 0


async def test_heat_fades_with_the_days_and_ends_with_the_window(store: Store) -> None:
    await old_and_new(store)
    totals = []
    for days in (1, 5, 20, WINDOW.days + 1):
        now = MONDAY + timedelta(days=days)
        heat = await store.read(lambda connection, now=now: heats(connection, now=now, kind="person"))  # type: ignore[misc] # bound
        totals.append(max((one.total for one in heat.values()), default=0.0))
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == 0


async def test_what_was_asked_for_is_hotter_and_that_fades_too(store: Store) -> None:
    await old_and_new(store)
    otto = await found(store, "Otto Brandt")
    await do(store, lambda connection: note_asked(connection, [otto.id] * 9, now=MONDAY))
    assert (await top(store, EntityKind.PERSON, now=MONDAY + timedelta(hours=1)))[0].id == otto.id
    later = await top(store, EntityKind.PERSON, now=MONDAY + WINDOW + timedelta(days=2))
    assert {person.hotness for person in later} == {0}


async def test_a_kind_is_as_hot_looked_up_entity_by_entity_as_in_the_whole_window(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await old_and_new(store)
    now = MONDAY + timedelta(hours=3)
    one_by_one = await store.read(lambda connection: heats(connection, now=now, kind="person"))
    monkeypatch.setattr(hotness, "RARE", -1)
    assert await store.read(lambda connection: heats(connection, now=now, kind="person")) == one_by_one
    assert one_by_one


async def test_a_person_of_several_addresses_is_listed_once_and_a_message_counts_once(store: Store) -> None:
    twice = Person("Nina Tamm", "tamm@ciclone.example")
    await tell(store, A, mail(1, "Nina Tamm is here, and Nina Tamm stays.", author=NEW, to=(twice,)))
    people = await top(store, EntityKind.PERSON)
    assert [person.name for person in people] == ["Nina Tamm"]
    (heat,) = (await store.read(lambda c: heats(c, now=MONDAY + timedelta(hours=1), kind="person"))).values()
    assert heat.mentions == pytest.approx(1, abs=0.1)


async def test_a_passage_that_was_dropped_does_not_count(store: Store) -> None:
    await tell(store, A, mail(1, author=NEW, to=()))
    (chunk,) = (await rows(store, "SELECT id FROM chunks"))[0]
    await do(
        store,
        lambda connection: connection.execute(
            "INSERT OR REPLACE INTO admissions (chunk_id, total, signals, admitted, reason, judged_at) "
            "VALUES (?, 0.1, '{}', 0, 'short', 0)",
            (chunk,),
        ),
    )
    assert await top(store, EntityKind.PERSON) == []


async def test_the_top_of_an_old_archive_is_whom_it_speaks_of_most(store: Store) -> None:
    await old_and_new(store)
    people = await top(store, EntityKind.PERSON, now=MONDAY + timedelta(days=3000), limit=1)
    assert [person.name for person in people] == ["Otto Brandt"]


async def test_more_sources_make_hotter(store: Store) -> None:
    await tell(store, A, mail(1, author=NEW, to=()), mail(2, author=OLD, to=()))
    await tell(store, A, mail(3, author=OLD, to=()))
    await tell(store, B, mail(4, author=NEW, to=()))
    people = await top(store, EntityKind.PERSON)
    assert [person.name for person in people] == ["Nina Tamm", "Otto Brandt"]


@given(st.floats(0, 1e4), st.floats(0, 400))
def test_a_count_never_grows_with_age_and_halves_in_a_half_life(count: float, age: float) -> None:
    assert faded(count, age + HALF_LIFE_DAYS) == pytest.approx(faded(count, age) / 2)
    assert faded(count, -1) == count


@given(st.integers(1, 50), st.integers(0, 9))
def test_each_part_of_heat_only_adds(mentions: int, more: int) -> None:
    heat = Heat(mentions, 3.0, 1, 2, 0.0)
    assert replace(heat, mentions=mentions + more).total >= heat.total
    assert replace(heat, asked=more).total >= heat.total
    assert replace(heat, partners=2 + more).total >= heat.total
