"""Looking up among the messages of one person, whatever they write from."""

import pytest

from heedful.memory import Filters, Hit, recall, search
from heedful.memory.entities.canonical import Identities
from heedful.memory.search import scope
from heedful.sources import Person
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import A
from tests.memory.reading_along import found, mail, tell

BOAT = Person("A. Lopes", "boat@mar.example")
ANA = Person("Ana Lopes", "ana@ciclone.example")
OTHER = Person("Ixchel Tamm", "it@ciclone.example")


@pytest.fixture(params=[0, 2000])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the messages of one person are many or few."""
    monkeypatch.setattr(scope, "FEW", request.param)


async def looked_up(store: Store, entity_id: str, how: str) -> set[str]:
    filters = Filters(entity_id=entity_id)

    def work(connection: Connection) -> list[Hit]:
        if how == "exact":
            return search(connection, "anchor", filters=filters)
        return recall(connection, "anchor", filters=filters)

    return {hit.author for hit in await store.read(work)}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("how", ["exact", "recall"])
async def test_two_who_became_one_are_looked_up_as_one(store: Store, clock: FakeClock, how: str) -> None:
    await tell(
        store, A, mail(1, "The anchor holds.", author=ANA, to=()), mail(2, "Which anchor?", author=BOAT, to=()),
        mail(3, "An anchor of my own.", author=OTHER, to=()),
    )  # fmt: skip
    first, second = (await found(store, "ana@")).id, (await found(store, "boat@")).id
    assert await looked_up(store, first, how) == {"Ana Lopes"}
    identities = Identities(store, clock)
    word = await identities.merge(first, second)
    assert await looked_up(store, second, how) == {"Ana Lopes", "A. Lopes"}
    await identities.take_back(word)
    assert await looked_up(store, first, how) == {"Ana Lopes"}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("how", ["exact", "recall"])
async def test_what_a_person_is_in_is_found_however_much_fits_better_elsewhere(
    store: Store, how: str
) -> None:
    others = [mail(number, f"The anchor, anchor {number}.", author=OTHER, to=()) for number in range(2, 14)]
    long = "The sea was calm and the evening long. " * 20
    await tell(store, A, mail(1, f"{long} The anchor holds.", author=ANA, to=()), *others)
    assert await looked_up(store, (await found(store, "ana@")).id, how) == {"Ana Lopes"}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("how", ["exact", "recall"])
async def test_a_person_named_in_the_text_counts_too(store: Store, how: str) -> None:
    await tell(
        store,
        A,
        mail(1, "Ship ahoy.", author=ANA, to=()),
        mail(2, "Ana Lopes took the anchor.", author=OTHER, to=()),
    )
    assert await looked_up(store, (await found(store, "ana@")).id, how) == {"Ixchel Tamm"}
