"""Words are found wherever they stand, and nothing a person types is ever syntax."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.memory import Filters, recall, search
from heedful.memory.intake.door import take_in
from heedful.memory.search.hits import MOST_HITS, excerpt
from heedful.sources import Person
from heedful.storage import Connection, Store
from heedful.storage.migrating import migrate
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, add_sources, batch, letter, take

FILLER = "Nothing of note was said in this part of the letter. "


async def ids(store: Store, text: str, **filters: object) -> list[str]:
    hits = await store.read(
        lambda connection: search(connection, text, filters=Filters(**filters))  # type: ignore[arg-type] # by name
    )
    return [hit.external_id for hit in hits]


@pytest.fixture
async def letters(store: Store) -> Store:
    await take(
        store,
        A,
        letter(1, FILLER * 100 + "At the very end stands the word pineapple."),
        letter(2, "The budget meeting is on Thursday.", subject="Pineapple season"),
        letter(3, "Meeting the budget was hard."),
        letter(4, "Ação de São João, naïve café, 100% sicher, Straße."),
        letter(5, 'He said "budget meeting" twice. C:\\temp a*b (c) x:y -z near/far'),
    )
    return store


async def test_a_word_after_the_five_thousandth_character_is_found(letters: Store) -> None:
    hits = await letters.read(lambda connection: search(connection, "pineapple"))
    (hit,) = [hit for hit in hits if hit.external_id == "x1"]
    assert "pineapple" in hit.excerpt
    assert len(FILLER * 100) > 5000


async def test_a_word_in_a_subject_or_a_name_is_found_and_weighs_more(letters: Store) -> None:
    assert await ids(letters, "pineapple") == ["x2", "x1"]
    assert sorted(set(await ids(letters, "Lopes"))) == ["x1", "x2", "x3", "x4", "x5"]


async def test_a_word_is_found_as_it_stands_and_not_by_its_stem_in_another_language(store: Store) -> None:
    await take(store, A, replace(letter(1, "Wir haben die Häuser verkauft."), lang="de"))
    assert await ids(store, "Häuser") == ["x1"]
    assert await ids(store, "Haus") == []


async def test_every_word_must_be_there(letters: Store) -> None:
    assert sorted(await ids(letters, "meeting budget")) == ["x2", "x3", "x5"]
    assert await ids(letters, "meeting budget nowhere") == []


async def test_a_look_up_among_some_sources_finds_nothing_of_another(letters: Store) -> None:
    await take(letters, B, letter(6, "The budget of the other mailbox."))
    assert sorted(await ids(letters, "budget", among=frozenset({A}))) == ["x2", "x3", "x5"]
    assert await ids(letters, "budget", among=frozenset({B})) == ["x6"]
    assert await ids(letters, "budget", among=frozenset()) == []


async def test_quoted_words_are_a_phrase(letters: Store) -> None:
    assert sorted(await ids(letters, '"budget meeting"')) == ["x2", "x5"]
    assert await ids(letters, '"meeting the budget"') == ["x3"]
    assert await ids(letters, '"budget meeting" Thursday') == ["x2"]


async def test_a_star_at_a_words_end_is_any_ending(letters: Store) -> None:
    assert sorted(await ids(letters, "pine*")) == ["x1", "x2"]
    assert await ids(letters, "*apple") == []


async def test_letters_are_found_without_their_accents_and_cases(letters: Store) -> None:
    for text in ("acao", "AÇÃO", "sao joao", "naive cafe", "straße"):
        assert await ids(letters, text) == ["x4"], text


async def test_a_word_is_found_in_a_script_without_spaces_wherever_it_stands(store: Store) -> None:
    await take(
        store,
        A,
        letter(1, "明天的会议在三点开始，请带上合同。", author=Person("李雷", "lilei@kaifa.example")),
        letter(2, "来週の会議は火曜日です。", subject="契約書について"),
        letter(3, "พรุ่งนี้มีประชุมตอนบ่ายสาม"),
        letter(4, "내일 회의는 세 시입니다."),
    )
    for word, found in {
        "会议": ["x1"],
        '"三点开始"': ["x1"],
        "李雷": ["x1"],
        "会議": ["x2"],
        "契約": ["x2"],
        "ประชุม": ["x3"],
        "회의": ["x4"],
        "议会": [],
    }.items():
        assert await ids(store, word) == found, word


async def test_signs_are_looked_up_as_they_stand(letters: Store) -> None:
    assert await ids(letters, "100%") == ["x4"]
    assert await ids(letters, "x:y") == ["x5"]
    assert await ids(letters, "-z") == ["x5"]
    assert await ids(letters, "C:\\temp") == ["x5"]


@pytest.mark.parametrize("text", ["", " ", '"', '""', "*", "…", "()", "AND", "%", "\0", "\ud800", "🐴"])
async def test_a_text_without_a_findable_word_finds_nothing(letters: Store, text: str) -> None:
    assert await ids(letters, text) == []
    assert await letters.read(lambda connection: recall(connection, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "NEAR(budget meeting, 2)",
        "budget NEAR meeting",
        "budget AND meeting",
        "budget OR nowhere",
        "budget NOT meeting",
        "subject:pineapple",
        "{subject text}:pineapple",
        "- subject:pineapple",
        "^budget",
        "budget + meeting",
        '"budget" * "meeting',
        "text MATCH 'budget'",
        "'; DROP TABLE messages; --",
    ],
)
async def test_the_index_syntax_is_words_like_any_other(letters: Store, text: str) -> None:
    hits = await letters.read(lambda connection: search(connection, text))
    loose = await letters.read(lambda connection: recall(connection, text))
    assert isinstance(hits, list)
    assert isinstance(loose, list)


async def test_not_is_a_word_and_not_an_order(letters: Store) -> None:
    assert "x3" not in await ids(letters, "budget NOT hard")
    assert await ids(letters, "subject:pineapple") == []


@pytest.fixture(scope="module")
def one_letter(tmp_path_factory: pytest.TempPathFactory) -> Connection:
    file = tmp_path_factory.mktemp("search") / "plain.db"
    connection = Connection(file, None)
    migrate(connection, file)
    add_sources(connection, A)
    take_in(
        connection, A, batch(letter(1, "Shall we meet near the old bridge and not the new one?")), now=MONDAY
    )
    return connection


signs = [*"()\"*^+:-{},%'\\\0\ud800é馬\u3000\n"]
syntax = st.lists(
    st.sampled_from(["meet", "bridge", "NEAR", "AND", "OR", "NOT", "subject", *signs]), max_size=12
)


@given(st.one_of(syntax.map("".join), syntax.map(" ".join), st.text(max_size=60)), st.integers(-5, 500))
def test_nothing_that_can_be_typed_raises(one_letter: Connection, text: str, limit: int) -> None:
    for hit in (*search(one_letter, text), *recall(one_letter, text, limit=max(1, limit))):
        assert hit.excerpt


async def test_filters_are_inclusive_and_narrow_before_the_limit(store: Store) -> None:
    await take(store, A, *(letter(number, "the same words") for number in range(30)))
    await take(store, B, *(letter(number, "the same words") for number in range(100, 103)))
    first, last = MONDAY + timedelta(minutes=5), MONDAY + timedelta(minutes=7)
    assert await ids(store, "same words", since=first, until=last) == ["x7", "x6", "x5"]
    assert await ids(store, "same words", source_id=B) == ["x102", "x101", "x100"]
    assert await ids(store, "same words", source_id=A, since=MONDAY + timedelta(minutes=29)) == ["x29"]
    assert await ids(store, "same words", until=MONDAY - timedelta(minutes=1)) == []


async def test_recall_finds_what_shares_telling_words_and_ranks_it(letters: Store) -> None:
    hits = await letters.read(
        lambda connection: recall(
            connection, "When will the meeting about the budget take place, and is it Thursday?"
        )
    )
    assert hits[0].external_id == "x2"
    assert sorted(hit.fts_rank or 0 for hit in hits) == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.degraded for hit in hits)


async def test_a_hit_says_where_it_comes_from(letters: Store) -> None:
    (hit,) = await letters.read(lambda connection: search(connection, "hard"))
    assert (hit.source_id, hit.external_id, hit.author, hit.subject) == (A, "x3", ANA.name, "A word")
    assert hit.sent_at == MONDAY + timedelta(minutes=3)
    assert RUI.name != hit.author


@pytest.mark.parametrize("filters", [{}, {"source_id": A}])
async def test_of_many_that_match_alike_the_newest_are_shown(
    store: Store, filters: dict[str, object]
) -> None:
    await take(
        store, A, *(letter(n, "ok sounds good", sent_at=MONDAY + timedelta(days=n)) for n in range(30))
    )
    assert (await ids(store, "ok", **filters))[:3] == ["x29", "x28", "x27"]


async def test_no_look_up_gives_more_than_a_hundred_hits(store: Store) -> None:
    await take(store, A, *(letter(number, "the same words") for number in range(MOST_HITS + 20)))
    hits = await store.read(lambda connection: search(connection, "words", limit=10_000))
    assert len(hits) == MOST_HITS


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=5), max_size=3))
def test_an_excerpt_is_short_and_one_line(text: str, words: list[str]) -> None:
    cut = excerpt(text, words, 60)
    assert len(cut) <= 60 + 4
    assert "\n" not in cut


def test_an_excerpt_shows_the_word_it_was_found_by() -> None:
    cut = excerpt(FILLER * 10 + "here is the pineapple " + FILLER * 10, ["pineapple"])
    assert "pineapple" in cut
    assert cut.startswith("… ")
    assert cut.endswith(" …")


@pytest.mark.parametrize("asked", ["weiss", "weiß", "WEISS", "Straße", "strasse", '"der strasse"'])
async def test_a_german_word_is_found_in_either_spelling(store: Store, asked: str) -> None:
    await take(
        store, A, letter(1, "Die Wand in der Straße ist weiß."), letter(2, "die wand in der strasse, weiss")
    )
    assert sorted(await ids(store, asked)) == ["x1", "x2"]
    found = await store.read(lambda connection: recall(connection, f"Was ist mit {asked}?"))
    assert sorted(hit.external_id for hit in found) == ["x1", "x2"]
