"""Vectors lose little by being kept small, and the search by codes misses next to nothing."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.ids import SourceId
from heedful.memory.embeddings import vector_search
from heedful.memory.embeddings.units import Unit
from heedful.memory.embeddings.vector_codes import code, cosines, pack
from heedful.memory.embeddings.vector_index import VectorIndex
from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.embeddings.vector_nearness import Nearness
from heedful.memory.embeddings.vector_numpy import Floats, np
from heedful.memory.embeddings.vector_search import (
    guessed,
    nearest,
    nearest_where,
    nearness_of,
    pieces_of,
    ranking,
    roughly,
)
from heedful.memory.embeddings.vector_store import Pending, keep
from heedful.memory.intake.door import take_in
from heedful.storage import Connection
from heedful.storage.migrating import migrate
from tests.memory.incoming import MONDAY, A, add_sources, batch, letter

DIMENSIONS = 512


def crowd(count: int, seed: int = 7) -> Floats:
    """Vectors in clusters, as texts are: around 40 subjects."""
    subjects = np.random.default_rng(1).normal(size=(40, DIMENSIONS))
    dice = np.random.default_rng(seed)
    made = subjects[dice.integers(40, size=count)] + 0.9 * dice.normal(size=(count, DIMENSIONS))
    found: Floats = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    return found


@pytest.fixture
def connection(tmp_path: Path) -> Connection:
    return opened(tmp_path)


def opened(folder: Path) -> Connection:
    file = folder / "plain.db"
    found = Connection(file, None)
    migrate(found, file)
    add_sources(found, A)
    return found


def fill(connection: Connection, vectors: Floats, *, windows: bool = False) -> None:
    """New passages, a vector of the model «m» each, as windows that hold the one before or alone; places count on."""
    have = int(connection.value("SELECT count(*) FROM chunks") or 0)
    with connection.transaction():
        letters = (letter(have + place, f"Number {have + place}.") for place in range(len(vectors)))
        take_in(connection, A, batch(*letters), now=MONDAY)
        keep_for(connection, "m", vectors, first=have + 1, windows=windows)


def keep_for(
    connection: Connection, model: str, vectors: Floats, *, first: int, windows: bool = False
) -> None:
    packed = [
        (
            Pending(place, frozenset([SourceId("a")]), place - 1 or None if windows else None, ()),
            Unit(0, f"{place}"),
            vector,
        )
        for place, row in enumerate(vectors, start=first)
        if (vector := pack(row)) is not None
    ]
    keep(connection, model, vectors.shape[1], packed)


def asked(vector: Floats, index: VectorIndex, model: str = "m") -> Sense:
    return Sense(model, vector, index)


def nearness(connection: Connection, sense: Sense, chunks: range) -> dict[int, Nearness]:
    pieces = pieces_of(connection, sense, chunks)
    return {} if pieces is None else nearness_of(connection, sense, chunks, pieces, guessed(sense, pieces))


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=100))
@settings(max_examples=40)
def test_a_kept_vector_points_where_it_pointed(values: list[float]) -> None:
    vector = np.array(values, np.float32)
    packed = pack(vector)
    if not np.any(np.abs(vector) > 1e-6):
        return
    assert packed is not None
    (cosine,) = cosines(vector / np.linalg.norm(vector), [packed.numbers])
    assert cosine > 0.99


def test_zeros_and_what_is_no_number_have_no_direction() -> None:
    assert pack(np.zeros(8, np.float32)) is None
    assert pack(np.array([1, np.nan], np.float32)) is None


def test_a_code_is_the_sign_of_each_number() -> None:
    vector = np.array([1, -1, 2, -3, 0.5, 0.1, -0.2, 9], np.float32)
    packed = pack(vector)
    assert packed is not None
    assert packed.bits == code(np.frombuffer(packed.numbers, np.int8)).tobytes()
    assert len(packed.bits) == 8


def leaning(vectors: Floats) -> Floats:
    """All pulled one way, as a model's are: numbers that have one sign nearly always have bits that say little."""
    pull = np.random.default_rng(2).normal(size=DIMENSIONS) / np.sqrt(DIMENSIONS)
    pulled: Floats = vectors + np.float32(0.35) * pull.astype(np.float32)
    found: Floats = pulled / np.linalg.norm(pulled, axis=1, keepdims=True)
    return found


def test_of_the_ten_nearest_the_codes_miss_at_most_two_in_a_hundred(connection: Connection) -> None:
    vectors = crowd(1500)
    fill(connection, vectors)
    index = VectorIndex("m", block=400)
    right = 0
    for question in crowd(40, seed=8):
        exact = {int(place) + 1 for place in np.argsort(-(vectors @ question))[:10]}
        right += len(exact & set(nearest(connection, asked(question, index), count=10)))
    assert right >= 0.98 * 400


def test_codes_set_against_a_questions_numbers_find_more_than_against_its_code(
    connection: Connection,
) -> None:
    """By differing bits alone a shortlist of twenty has .79 of the exact ten."""
    vectors = leaning(crowd(1500))
    fill(connection, vectors)
    index = VectorIndex("m", block=400)
    right = 0
    for question in leaning(crowd(40, seed=8)):
        exact = {int(place) + 1 for place in np.argsort(-(vectors @ question))[:10]}
        right += len(exact & set(index.nearest(connection, question, 20)))
    assert right >= 0.84 * 400


@pytest.mark.parametrize("block", [7, 10, 16384])
def test_the_index_follows_the_store(connection: Connection, block: int) -> None:
    vectors = crowd(45)
    index = VectorIndex("m", block=block)
    assert nearest(connection, asked(vectors[0], index), count=1) == []
    for begin, end in ((0, 20), (20, 21), (21, 45)):
        fill(connection, vectors[begin:end])
        assert index.nearest(connection, vectors[end - 1], 1) == [end]
    assert index.size == 45
    for place in range(45):
        assert index.nearest(connection, vectors[place], 1) == [place + 1]


@given(st.data())
@settings(max_examples=10)
def test_codes_in_blocks_find_what_codes_in_one_find(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        connection = opened(Path(folder))
        vectors = crowd(40, seed=data.draw(st.integers(0, 9)))
        fill(connection, vectors, windows=True)
        left_out = data.draw(st.integers(1, 40))
        connection.execute("DELETE FROM vectors WHERE chunk_seq = ?", (left_out,))
        with connection.transaction():
            keep_for(connection, "m", vectors[left_out - 1 : left_out], first=left_out, windows=True)
        blocks = VectorIndex("m", block=data.draw(st.integers(1, 41)))
        whole = VectorIndex("m")
        count = data.draw(st.integers(1, 50))
        found = whole.nearest(connection, vectors[3], count)
        assert blocks.nearest(connection, vectors[3], count) == found
        assert len(found) == min(count, 40)
        chunks = data.draw(st.sets(st.integers(1, 45)))
        numbers = {one if one != left_out else 41 for one in range(1, 41) if {one, one - 1} & chunks}
        for index in (blocks, whole):
            pieces = index.of_chunks(connection, chunks)
            assert pieces is not None
            assert sorted(set(pieces.numbers)) == sorted(numbers)
        connection.close()


def test_among_some_passages_the_nearest_of_them_are_found_however_near_others_are(
    connection: Connection,
) -> None:
    vectors = crowd(300)
    fill(connection, vectors)
    index = VectorIndex("m", block=70)
    question = crowd(1, seed=9)[0]
    some = [int(place) + 1 for place in np.argsort(vectors @ question)[:40]]
    best = set(some[-5:])
    assert set(nearest(connection, asked(question, index), count=5, among=some)) == best
    assert nearest(connection, asked(question, index), count=5, among=[]) == []
    wanted = frozenset(some)
    assert set(nearest_where(connection, asked(question, index), wanted.intersection, count=5) or ()) == best


def test_codes_are_ranked_without_the_store_by_whoever_has_the_time(connection: Connection) -> None:
    vectors = crowd(300)
    fill(connection, vectors)
    sense = asked(crowd(1, seed=9)[0], VectorIndex("m", block=70))
    found = nearest(connection, sense, count=5)
    works = [ranking(connection, sense), ranking(connection, sense, among=[3, 5, 299])]
    connection.execute("DELETE FROM vectors WHERE chunk_seq NOT IN (3, 5)")
    with ThreadPoolExecutor(max_workers=1) as other:
        whole, some = other.map(lambda work: work(), works)
    assert set(found) < set(whole.chunks.tolist())
    assert sorted(some.chunks.tolist()) == [3, 5, 299]


def test_where_next_to_none_are_let_through_the_look_up_says_so(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = crowd(60)
    fill(connection, vectors)
    index = VectorIndex("m")
    monkeypatch.setattr(vector_search, "WIDER", 20)
    assert nearest_where(connection, asked(vectors[0], index), lambda chunks: chunks[:3], count=5) is None
    assert len(nearest_where(connection, asked(vectors[0], index), lambda chunks: chunks, count=5) or ()) == 5


def test_how_near_a_passage_is_does_not_hang_on_what_was_found_before(connection: Connection) -> None:
    vectors = crowd(60)
    fill(connection, vectors, windows=True)
    index = VectorIndex("m")
    question = crowd(1, seed=3)[0]
    sense = asked(question, index)
    nearest(connection, sense, count=5, shortlist=10)
    alone = nearness(connection, asked(question, index), range(1, 61))
    again = nearness(connection, sense, range(1, 61))
    assert again.keys() == alone.keys()
    assert [again[place].after for place in alone] == pytest.approx([one.after for one in alone.values()])
    cosine = float(vectors[20] @ question)
    assert alone[21].part == pytest.approx(cosine, abs=0.01)
    assert alone[21].after == pytest.approx(max(cosine, float(vectors[21] @ question)), abs=0.01)


def test_codes_in_memory_say_about_how_near_a_passage_is(connection: Connection) -> None:
    fill(connection, crowd(200), windows=True)
    sense = asked(crowd(1, seed=9)[0], VectorIndex("m", block=70))
    pieces = pieces_of(connection, sense, range(1, 101))
    assert pieces is not None
    rough = roughly(pieces, guessed(sense, pieces))
    closely = nearness(connection, sense, range(1, 101))
    assert rough.keys() == closely.keys()
    errors = [rough[chunk].part - closely[chunk].part for chunk in closely]
    assert np.std(errors) < 0.04
    assert abs(np.mean(errors)) < 0.02


def test_vectors_are_read_of_no_other_passages_than_those_that_are_likely(connection: Connection) -> None:
    fill(connection, crowd(60))
    sense = asked(crowd(1, seed=3)[0], VectorIndex("m"))
    pieces = pieces_of(connection, sense, range(1, 61))
    assert pieces is not None
    likely = frozenset([4, 40])
    assert nearness_of(connection, sense, likely, pieces, guessed(sense, pieces)).keys() == likely
    assert {one.chunk for one in sense.compared.values()} == likely


@pytest.mark.parametrize(("like", "read"), [(20, {21}), (21, {21, 22})])
def test_what_came_after_a_passage_is_read_only_where_it_may_be_nearer(
    connection: Connection, like: int, read: set[int]
) -> None:
    vectors = crowd(60)
    fill(connection, vectors, windows=True)
    sense = asked(vectors[like], VectorIndex("m"))
    pieces = pieces_of(connection, sense, [21])
    assert pieces is not None
    assert sorted(pieces.numbers) == [21, 22]
    nearness_of(connection, sense, [21], pieces, guessed(sense, pieces))
    assert {one.chunk for one in sense.compared.values()} == read


def test_codes_are_read_anew_once_many_of_them_are_of_passages_gone(connection: Connection) -> None:
    vectors = crowd(200)
    fill(connection, vectors)
    index = VectorIndex("m")
    nearest(connection, asked(vectors[0], index), count=3)
    connection.execute("DELETE FROM messages WHERE seq <= 150")
    found = nearest(connection, asked(vectors[160], index), count=1)
    assert found == [161]
    nearest(connection, asked(vectors[160], index), count=1)
    assert index.size == 50


def test_vectors_of_another_model_are_never_compared(connection: Connection) -> None:
    vectors = crowd(5)
    fill(connection, vectors)
    with connection.transaction():
        keep_for(connection, "other", vectors[1:2], first=1)
    index = VectorIndex("other")
    assert nearest(connection, asked(vectors[4], index, "other"), count=5) == [1]
    assert set(nearness(connection, asked(vectors[4], index, "other"), range(1, 6))) == {1}
    assert nearest(connection, asked(vectors[4], VectorIndex("third"), "third"), count=5) == []
    assert nearness(connection, asked(vectors[4], VectorIndex("third"), "third"), range(1, 6)) == {}


def test_a_batch_without_vectors_leaves_no_trace_of_its_model(connection: Connection) -> None:
    assert keep(connection, "m", 0, []) == 0
    fill(connection, crowd(2))
    assert keep(connection, "m", 0, []) == 0
    assert connection.rows("SELECT name, dimensions FROM embedding_models") == [("m", DIMENSIONS)]


def test_memory_is_at_most_eighty_bytes_a_vector(connection: Connection) -> None:
    index = VectorIndex("m")
    for begin in (0, 600, 603):
        fill(connection, crowd(1000)[begin : begin + 400])
        nearest(connection, asked(crowd(1)[0], index), count=5)
        assert index.size_bytes <= 80 * index.size
