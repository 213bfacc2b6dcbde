"""What a search says of how well a passage fits."""

from heedful.memory import search
from heedful.storage import Store
from tests.memory.incoming import A, letter, take


async def test_a_word_in_nearly_every_passage_still_tells_which_fits_better(store: Store) -> None:
    filler = " and so on" * 20
    await take(store, A, *(letter(n, f"The anchor{filler * (n % 4)}.", subject="") for n in range(1, 13)))
    hits = await store.read(lambda connection: search(connection, "anchor", limit=20))
    scores = [hit.score for hit in hits]
    assert len(set(scores)) == 4
    assert min(scores) > 0
    assert scores == sorted(scores, reverse=True)


async def test_a_passage_found_by_its_id_has_no_score(store: Store) -> None:
    await take(store, A, letter(1, "The anchor."))
    hits = await store.read(
        lambda connection: search(connection, str(connection.value("SELECT id FROM chunks")))
    )
    assert [hit.score for hit in hits] == [0.0]
