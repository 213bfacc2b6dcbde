"""The words' half of recall stays bounded where words are in very many passages, and loses no rare word for it."""

from datetime import timedelta
from pathlib import Path

import pytest

from heedful.memory import Filters
from heedful.memory.intake.door import take_in
from heedful.memory.recall import by_words
from heedful.memory.recall.by_words import Lexical, lexical, rarest
from heedful.memory.search import scope
from heedful.memory.search.question import understand
from heedful.memory.search.scope import Scope, scope_of, share_of
from heedful.memory.search.terms import UNFILTERED
from heedful.storage import Connection
from heedful.storage.migrating import migrate
from tests.memory.incoming import MONDAY, A, B, add_sources, batch, letter

COUNT = 60


@pytest.fixture
def connection(tmp_path: Path) -> Connection:
    """Sixty letters, an hour apart: all about an anchor, every third about a lantern, one about a parrot."""
    file = tmp_path / "plain.db"
    opened = Connection(file, None)
    migrate(opened, file)
    add_sources(opened, A)
    for number in range(COUNT):
        lantern = " with a lantern" if number % 3 == 0 else ""
        text = f"The anchor{lantern}{' and a parrot' if number == 7 else ''}."
        item = letter(number, text, sent_at=MONDAY + timedelta(hours=number))
        take_in(opened, A, batch(item), now=MONDAY)
    return opened


def looked_up(connection: Connection, text: str, filters: Filters = UNFILTERED) -> Lexical:
    return lexical(connection, understand(text), limit=COUNT, scope=scope_of(connection, filters))


def bounded(monkeypatch: pytest.MonkeyPatch, *, postings: int, counted: int, ranked: int) -> None:
    monkeypatch.setattr(by_words, "MOST_POSTINGS", postings)
    monkeypatch.setattr(by_words, "MOST_COUNTED", counted)
    monkeypatch.setattr(by_words, "MOST_RANKED", ranked)


def test_the_count_of_a_common_word_is_reckoned_closely(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = looked_up(connection, "anchor lantern parrot").rarity
    bounded(monkeypatch, postings=4, counted=10, ranked=100)
    reckoned = looked_up(connection, "anchor lantern parrot").rarity
    assert reckoned["parrot"] == counted["parrot"]
    assert reckoned["anchor"] == counted["anchor"]
    assert reckoned["lantern"] == pytest.approx(counted["lantern"], rel=0.1)


def test_of_passages_past_the_bound_the_newest_are_ranked(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounded(monkeypatch, postings=4, counted=40, ranked=15)
    assert set(looked_up(connection, "anchor").scores) == set(range(COUNT - 14, COUNT + 1))


@pytest.mark.parametrize("few", [5, 100])
def test_what_narrows_comes_before_that_bound(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(scope, "FEW", few)
    bounded(monkeypatch, postings=4, counted=40, ranked=15)
    early = Filters(until=MONDAY + timedelta(hours=9))
    assert set(looked_up(connection, "anchor", early).scores) == set(range(1, 11))


def test_an_unknown_word_does_not_cost_the_only_known_one(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounded(monkeypatch, postings=4, counted=100, ranked=100)
    assert len(looked_up(connection, "zzgrmblfx anchor").scores) == COUNT


def test_of_common_words_as_many_are_asked_for_as_stay_within_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(by_words, "MOST_POSTINGS", 10)
    terms = understand("anchor lantern parrot zzgrmblfx").terms
    counts = {"anchor": 7, "lantern": 8, "parrot": 2, "zzgrmblfx": 0}
    assert [term.word for term in rarest(terms, counts)] == ["parrot", "anchor"]
    assert [term.word for term in rarest(terms[:1], {"anchor": 90})] == ["anchor"]


@pytest.mark.parametrize("asked", [1, 20, 640])
def test_what_a_wide_filter_lets_through_is_found_however_few_of_the_best_anywhere_are_asked(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, asked: int
) -> None:
    monkeypatch.setattr(scope, "FEW", 5)
    monkeypatch.setattr(by_words, "BEST_OF_ALL", asked)
    anywhere = looked_up(connection, "anchor lantern").scores
    late = looked_up(connection, "anchor lantern", Filters(since=MONDAY + timedelta(hours=40)))
    assert late.scores == {seq: score for seq, score in anywhere.items() if seq > 40}


@pytest.mark.parametrize("mostly", [0.0, 0.5, 1.0])
def test_a_wide_filter_gives_the_same_whatever_share_it_seems_to_let_through(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, mostly: float
) -> None:
    monkeypatch.setattr(scope, "FEW", 5)
    monkeypatch.setattr(by_words, "MOSTLY", mostly)
    anywhere = looked_up(connection, "anchor lantern").scores
    late = scope_of(connection, Filters(since=MONDAY + timedelta(hours=20)))
    found = lexical(connection, understand("anchor lantern"), limit=4, scope=late)
    assert list(found.scores) == [seq for seq in anywhere if seq > 20][:4]


def test_the_share_of_sources_is_counted_and_that_of_anything_else_is_reckoned(
    connection: Connection,
) -> None:
    add_sources(connection, B)
    for number in range(COUNT, COUNT + 20):
        item = letter(number, "The anchor.", sent_at=MONDAY + timedelta(hours=number))
        take_in(connection, B, batch(item), now=MONDAY)
    total = COUNT + 20

    def share(filters: Filters) -> float:
        return share_of(connection, Scope(filters), total)

    assert share(Filters(source_id=B)) == 20 / total
    assert share(Filters(among=frozenset({A, B}))) == 1.0
    assert share(Filters(among=frozenset())) == 0.0
    late = MONDAY + timedelta(hours=COUNT // 2)
    assert share(Filters(since=late)) == pytest.approx(50 / total, abs=0.1)
    assert share(Filters(source_id=A, since=late)) == pytest.approx(30 / total, abs=0.1)
