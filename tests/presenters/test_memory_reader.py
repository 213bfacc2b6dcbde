"""What the Memory tab is told by a real store."""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from heedful.core.settings import EmbeddingSettings
from heedful.memory import Filters, Meaning
from heedful.memory.forget.at_once import forget_now
from heedful.memory.messages.day_counts import day_counts, years_before
from heedful.memory.search.browsing import Range
from heedful.presenters.memory_reader import MemoryReader
from heedful.presenters.memory_year import year_days
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, letter, rows, take
from tests.memory.reading_along import mail, tell

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def reader(store: Store) -> MemoryReader:
    return MemoryReader(store, Meaning(lambda: EmbeddingSettings(kind="none")), FakeClock(MONDAY, BERLIN))


async def test_days_are_the_persons_own_also_when_the_clocks_change(store: Store) -> None:
    moments = (
        datetime(2026, 10, 24, 21, 59, tzinfo=UTC),
        datetime(2026, 10, 24, 22, 0, tzinfo=UTC),
        datetime(2026, 10, 25, 22, 59, tzinfo=UTC),
        datetime(2026, 10, 25, 23, 0, tzinfo=UTC),
    )
    await take(store, A, *(letter(n, sent_at=moment) for n, moment in enumerate(moments[:3])))
    await take(store, B, letter(9, sent_at=moments[3]))
    days = [date(2026, 10, 23) + timedelta(days=ahead) for ahead in range(5)]
    counted = await store.read(lambda connection: day_counts(connection, days, BERLIN))
    assert counted == {date(2026, 10, 24): 1, date(2026, 10, 25): 2, date(2026, 10, 26): 1}


async def test_years_are_those_of_the_persons_own_days_and_empty_ones_are_left_out(
    store: Store, reader: MemoryReader
) -> None:
    moments = (
        datetime(2021, 12, 31, 23, 30, tzinfo=UTC),
        datetime(2019, 6, 1, tzinfo=UTC),
        datetime(2019, 3, 1, tzinfo=UTC),
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    await take(store, A, *(letter(n, sent_at=moment) for n, moment in enumerate(moments[:2])))
    await take(store, B, *(letter(n, sent_at=moment) for n, moment in enumerate(moments[2:], start=7)))
    years = await store.read(lambda connection: years_before(connection, date(2026, 1, 1), BERLIN))
    assert years == (2022, 2019)
    assert (await reader.outline(year_days(MONDAY.date()), BERLIN)).years == (2022, 2019)
    assert await reader.day_counts([date(2022, 1, 1)], BERLIN) == {date(2022, 1, 1): 1}


async def test_the_outline_counts_sources_and_days(store: Store, reader: MemoryReader) -> None:
    await take(store, A, *(letter(n) for n in range(3)))
    outline = await reader.outline(year_days(MONDAY.date()), BERLIN)
    assert [(row.id, row.messages) for row in outline.sources] == [(A, 3)]
    assert outline.days == {MONDAY.date(): 3}


async def test_words_are_found_exactly_and_by_what_comes_near(store: Store, reader: MemoryReader) -> None:
    await take(store, A, letter(1, "The budget meeting is on Thursday."), letter(2, "A budget without one."))
    assert len(await reader.search("budget meeting", filters=Filters())) == 1
    near = await reader.recall("budget meeting", filters=Filters())
    assert len(near) == 2
    assert all(hit.degraded for hit in near)


async def test_a_passage_opens_its_letter_and_a_forgotten_one_opens_nothing(
    store: Store, reader: MemoryReader
) -> None:
    await take(store, A, letter(1, "The budget meeting is on Thursday."))
    (leaf,) = await reader.browse(Range(frozenset({A})), limit=5)
    found = await reader.letter(leaf.chunk_id)
    assert found is not None
    assert (found.message.subject, found.source_name) == ("A word", A)
    assert await reader.count(Range(frozenset({A}))) == 1
    forget = partial(forget_now, store, FakeClock(MONDAY, BERLIN))
    assert (await forget([found.message.id])).messages == 1
    assert await reader.letter(leaf.chunk_id) is None


async def test_nobody_stands_around_somebody_unknown(reader: MemoryReader) -> None:
    assert await reader.around("nobody") is None


async def test_a_person_who_was_asked_for_is_warmer(store: Store, reader: MemoryReader) -> None:
    await tell(store, A, mail(1, "Shall we meet?", author=ANA), mail(2, "No.", author=RUI))
    ana = (await reader.named("ana lopes"))[0].id
    (leaf, *_) = await reader.browse(Range(frozenset({A}), ana), limit=1)
    await reader.note_question("what did Ana Lopes write", leaf.chunk_id)
    await reader.note_question("what did nobody write", leaf.chunk_id)
    assert await rows(store, "SELECT owner_id, hits FROM query_hits") == [(ana, 1)]
    await reader.note_asked([ana])
    assert await rows(store, "SELECT owner_id, hits FROM query_hits") == [(ana, 2)]
