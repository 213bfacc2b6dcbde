"""Vectors lose little by being kept small, and the search by codes misses next to nothing."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.ids import SourceId
from heedful.memory.embeddings.units import Unit
from heedful.memory.intake import take_in
from heedful.memory.vector_codes import code, cosines, pack
from heedful.memory.vector_index import VectorIndex
from heedful.memory.vector_meaning import Sense
from heedful.memory.vector_numpy import Floats, np
from heedful.memory.vector_search import nearest
from heedful.memory.vector_store import Pending, keep
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
    file = tmp_path / "plain.db"
    opened = Connection(file, None)
    migrate(opened, file)
    add_sources(opened, A)
    return opened


def fill(connection: Connection, vectors: Floats) -> None:
    have = int(connection.value("SELECT count(*) FROM chunks") or 0)
    with connection.transaction():
        letters = (letter(have + place, f"Number {have + place}.") for place in range(len(vectors)))
        take_in(connection, A, batch(*letters), now=MONDAY)
        packed = [
            (Pending(have + place, SourceId("a"), None, ()), Unit(0, f"{have + place}"), vector)
            for place, row in enumerate(vectors, start=1)
            if (vector := pack(row)) is not None
        ]
        keep(connection, "m", DIMENSIONS, packed)


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


def test_of_the_ten_nearest_the_codes_miss_at_most_two_in_a_hundred(connection: Connection) -> None:
    vectors = crowd(1500)
    fill(connection, vectors)
    index = VectorIndex("m")
    right = 0
    for question in crowd(40, seed=8):
        exact = {int(place) + 1 for place in np.argsort(-(vectors @ question))[:10]}
        right += len(exact & set(nearest(connection, Sense("m", question, index), count=10)))
    assert right >= 0.98 * 400


def test_the_index_follows_the_store(connection: Connection) -> None:
    vectors = crowd(30)
    index = VectorIndex("m")
    assert nearest(connection, Sense("m", vectors[0], index), count=1) == []
    fill(connection, vectors[:20])
    assert nearest(connection, Sense("m", vectors[3], index), count=1) == [4]
    fill(connection, vectors[20:])
    assert nearest(connection, Sense("m", vectors[25], index), count=1) == [26]
    assert index.size == 30


def test_vectors_of_another_model_are_never_compared(connection: Connection) -> None:
    fill(connection, crowd(5))
    assert nearest(connection, Sense("other", crowd(1)[0], VectorIndex("other")), count=5) == []


def test_memory_is_at_most_eighty_bytes_a_vector(connection: Connection) -> None:
    fill(connection, crowd(1000))
    index = VectorIndex("m")
    nearest(connection, Sense("m", crowd(1)[0], index), count=5)
    assert index.size_bytes <= 80 * index.size
