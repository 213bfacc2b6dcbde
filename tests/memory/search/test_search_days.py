"""A day or month typed in full finds what was written on it and what names it, and says so."""

import importlib
from datetime import date, datetime, timedelta, timezone

import pytest

from heedful.memory import Filters, Hit, search
from heedful.memory.search.days import days_asked
from heedful.storage import Store
from tests.memory.incoming import A, B, letter, take
from tests.memory.reading_along import tell

BERLIN = timezone(timedelta(hours=1))
NOON = datetime(2024, 3, 5, 12, 0, tzinfo=BERLIN)
THE_FIFTH = date(2024, 3, 5)


async def look(store: Store, text: str, **filters: object) -> list[Hit]:
    return await store.read(
        lambda connection: search(connection, text, filters=Filters(**filters))  # type: ignore[arg-type] # by name
    )


async def told(store: Store, text: str, **filters: object) -> list[tuple[str, str]]:
    """The hits' ids, each with how it belongs to the days asked for."""
    return [
        (hit.external_id, "says" if hit.of_days is None else hit.of_days.how)
        for hit in await look(store, text, **filters)
    ]


@pytest.fixture
async def letters(store: Store) -> Store:
    await take(
        store,
        A,
        letter(1, "The boiler is here.", sent_at=NOON),
        letter(2, "Lunch?", sent_at=NOON + timedelta(hours=2)),
        letter(3, "Long before.", sent_at=NOON - timedelta(days=40)),
        letter(4, "It was on 5 March 2024, I think.", sent_at=NOON + timedelta(days=400)),
        letter(5, "The boiler of 2024 again.", sent_at=NOON + timedelta(days=20)),
    )
    await take(store, B, letter(6, "Elsewhere.", sent_at=NOON + timedelta(hours=1)))
    return store


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-05", "5 March 2024", "March 5, 2024", "5. März 2024", "5 de março de 2024", "5 de marzo de 2024",
        "05.03.2024", "2024/03/05", "on 5 March 2024", "am 5. März 2024", "the 5th of March 2024",
    ],
)  # fmt: skip
async def test_a_day_in_full_finds_what_was_written_on_it_in_whatever_language_it_is_typed(
    letters: Store, text: str
) -> None:
    hits = [hit for hit in await look(letters, text) if hit.of_days is not None]
    assert [hit.external_id for hit in hits] == ["x2", "x6", "x1"]
    for hit in hits:
        assert hit.of_days is not None
        assert (hit.of_days.how, hit.of_days.first, hit.of_days.last) == ("from", THE_FIFTH, THE_FIFTH)


@pytest.mark.parametrize("text", ["March 2024", "2024-03", "März 2024", "março de 2024", "marzo de 2024"])
async def test_a_month_in_full_finds_what_was_written_in_it(letters: Store, text: str) -> None:
    hits = [hit for hit in await look(letters, text) if hit.of_days is not None]
    assert [hit.external_id for hit in hits] == ["x5", "x2", "x6", "x1"]
    assert {(hit.of_days.first, hit.of_days.last) for hit in hits if hit.of_days} == {
        (date(2024, 3, 1), date(2024, 3, 31))
    }


async def test_what_says_the_day_and_what_was_written_on_it_come_by_turns(letters: Store) -> None:
    assert await told(letters, "5 March 2024") == [
        ("x4", "says"),
        ("x2", "from"),
        ("x6", "from"),
        ("x1", "from"),
    ]
    (first, *others) = await look(letters, "5 March 2024")
    assert first.fts_rank == 1
    assert {hit.fts_rank for hit in others} == {None}


async def test_a_days_passages_are_narrowed_to_those_with_the_other_words(letters: Store) -> None:
    assert await told(letters, "boiler 5 March 2024") == [("x1", "from")]
    assert sorted(await told(letters, "March 2024 boiler")) == [("x1", "from"), ("x5", "from")]
    assert await told(letters, "2024-03-05 nowhere") == []
    assert await told(letters, 'the "boiler is" from 2024-03-05') == [("x1", "from")]


async def test_the_day_is_its_senders_own(store: Store) -> None:
    samoa, hawaii = timezone(timedelta(hours=13)), timezone(timedelta(hours=-10))
    await take(
        store,
        A,
        letter(1, "Early bird", sent_at=datetime(2024, 3, 5, 0, 30, tzinfo=samoa)),
        letter(2, "Night owl", sent_at=datetime(2024, 3, 5, 23, 30, tzinfo=hawaii)),
        letter(3, "Not yet", sent_at=datetime(2024, 3, 4, 23, 30, tzinfo=hawaii)),
        letter(4, "No more", sent_at=datetime(2024, 3, 6, 0, 30, tzinfo=samoa)),
    )
    assert await told(store, "2024-03-05") == [("x2", "from"), ("x1", "from")]
    assert await told(store, "2024-03-05 early bird") == [("x1", "from")]
    assert await told(store, "2024-03-05 not yet") == []


async def test_filters_narrow_a_day_too(letters: Store) -> None:
    assert await told(letters, "2024-03-05", source_id=B) == [("x6", "from")]
    assert await told(letters, "2024-03-05", among=frozenset({B})) == [("x6", "from")]
    assert await told(letters, "2024-03-05", since=NOON + timedelta(hours=2)) == [("x2", "from")]
    assert await told(letters, "boiler 2024-03-05", source_id=B) == []


async def test_a_passage_that_names_the_day_in_other_words_is_found(store: Store) -> None:
    before = NOON - timedelta(days=1)
    await tell(store, A, letter(1, "Shall we meet tomorrow at the harbour?", sent_at=before, lang="en"))
    await tell(store, A, letter(2, "Das Treffen ist am 5. März 2024.", sent_at=before, lang="de"))
    await tell(store, A, letter(3, "We have all of March 2024.", sent_at=before - timedelta(30), lang="en"))
    found = await told(store, "2024-03-05")
    assert sorted(found) == [("x1", "names"), ("x2", "names")]
    assert await told(store, "2024-03-05 harbour") == [("x1", "names")]
    assert dict(await told(store, "março de 2024")) == {"x1": "from", "x2": "from", "x3": "names"}
    assert await told(store, "2024-03-05", source_id=B) == []


async def test_of_many_on_a_day_as_many_are_shown_as_were_asked_for(store: Store) -> None:
    await take(store, A, *(letter(number, "On 5 March 2024", sent_at=NOON) for number in range(8)))
    hits = await store.read(lambda connection: search(connection, "5 March 2024", limit=5))
    assert len(hits) == len({hit.chunk_id for hit in hits}) == 5


async def test_a_long_mail_stands_for_its_day_once(store: Store) -> None:
    await take(store, A, letter(1, "Of this and that. " * 800, sent_at=NOON))
    assert await told(store, "2024-03-05") == [("x1", "from")]


@pytest.mark.parametrize(
    "text",
    ["budget 2024", "2024", "5 March", "tomorrow", "call 2024 0305", '"5 March 2024"', "INV-2024-031", "2024-13",
     "in 2024 we may march", "12024-03-05", "Q1 2024"],
)  # fmt: skip
def test_what_names_no_day_in_full_is_words_alone(text: str) -> None:
    assert days_asked(text) is None


def test_an_order_of_day_and_month_that_is_anybodys_guess_is_both() -> None:
    asked = days_asked("05/03/2024")
    assert asked is not None
    assert {days.first for days in asked.spans} == {THE_FIFTH, date(2024, 5, 3)}
    assert asked.rest == ""


def test_of_many_days_only_the_first_count() -> None:
    asked = days_asked(" ".join(f"2024-03-{day:02d}" for day in range(1, 29)))
    assert asked is not None
    assert [days.first.day for days in asked.spans] == [1, 2, 3, 4, 5]
    assert asked.rest == ""


def test_words_that_only_join_a_day_are_left_out_of_the_others() -> None:
    for text, rest in {
        "mails from Ana on 5 March 2024": "mails Ana",
        "Rechnung vom 5. März 2024": "Rechnung",
        "fatura de 5 de março de 2024 da Ana": "fatura Ana",
        '2024-03 "from the bank"': '"from the bank"',
    }.items():
        asked = days_asked(text)
        assert asked is not None, text
        assert asked.rest == rest, text


def test_a_text_without_a_year_is_not_read_for_days(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def find_nothing(text: str, **_: object) -> tuple[()]:
        read.append(text)
        return ()

    monkeypatch.setattr(importlib.import_module("heedful.memory.search.days"), "find_dates", find_nothing)
    assert days_asked("the boiler of last March, 12 pieces") is None
    assert read == []
    assert days_asked("2024") is None
    assert read
