"""Who and what some of the sources mention, told by those sources alone."""

from datetime import timedelta

import pytest

from heedful.core.ids import SourceId
from heedful.memory.entities import among as room
from heedful.memory.entities.among import Mentioned, entities_among, is_mentioned_among
from heedful.memory.entities.canonical import Identities
from heedful.memory.entities.kinds import EntityKind
from heedful.sources import Person
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import ANA, MONDAY, RUI, A, B
from tests.memory.reading_along import mail, tell

SHORT = Person("Ana", "ana@ciclone.example")
EVA = Person("Eva Brandt", "eva@brandt.example")


@pytest.fixture(params=[0, 60], ids=["back in time", "all of them"])
def _either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to find the last passage that mentions somebody."""
    monkeypatch.setattr(room, "MANY", request.param)


@pytest.fixture
async def told(store: Store, _either_way: None) -> Store:
    """In a: Ana wrote twice and Rui once, to nobody. In b: Eva wrote thrice, and «Ana» once."""
    await tell(store, A, mail(1, author=ANA, to=()), mail(2, author=ANA, to=()), mail(3, author=RUI, to=()))
    await tell(
        store, B, *[mail(number, author=EVA, to=()) for number in (4, 5, 6)], mail(7, author=SHORT, to=())
    )
    return store


async def people(store: Store, *sources: SourceId, limit: int = 20) -> list[Mentioned]:
    among = frozenset(sources)
    return await store.read(
        lambda connection: entities_among(connection, among, kind=EntityKind.PERSON, limit=limit)
    )


def counts(found: list[Mentioned]) -> list[tuple[str, int]]:
    return [(one.name, one.chunks) for one in found]


async def test_they_are_counted_and_ordered_by_the_passages_of_these_sources(told: Store) -> None:
    assert counts(await people(told, A)) == [("Ana Lopes", 2), ("Rui Prado", 1)]
    assert counts(await people(told, B)) == [("Eva Brandt", 3), ("Ana", 1)]
    assert counts(await people(told, A, B)) == [("Ana Lopes", 3), ("Eva Brandt", 3), ("Rui Prado", 1)]
    assert counts(await people(told)) == []


async def test_the_later_mentioned_of_equals_comes_first_and_a_limit_keeps_the_best(told: Store) -> None:
    assert counts(await people(told, A, B, limit=1)) == [("Ana Lopes", 3)]
    assert (await people(told, A, B, limit=1))[0].last_at == MONDAY + timedelta(minutes=7)


async def test_a_name_that_only_another_source_uses_is_not_told(told: Store) -> None:
    assert [one.name for one in await people(told, B)] == ["Eva Brandt", "Ana"]


async def test_an_entity_of_another_source_is_not_mentioned_here(told: Store) -> None:
    (eva, _) = await people(told, B)
    for sources, there in (({A}, False), ({B}, True), ({A, B}, True), (set(), False)):
        among = frozenset(sources)
        assert there == await told.read(lambda c, among=among: is_mentioned_among(c, among, eva.id))  # type: ignore[misc] # mypy can't infer a default's type


async def test_an_address_that_only_another_source_knows_does_not_stand_for_its_owner_here(
    told: Store, clock: FakeClock
) -> None:
    (_, rui), (eva, _) = await people(told, A), await people(told, B)
    await Identities(told, clock).merge(eva.id, rui.id)
    (both,) = await people(told, A, B, limit=1)
    for among, ids in (({A}, {rui.id}), ({B}, {eva.id}), ({A, B}, {eva.id, rui.id})):
        known = [one for one in (eva.id, rui.id) if await is_known(told, one, *among)]
        assert set(known) == ids
    assert (both.chunks, await is_known(told, both.id, A, B)) == (4, True)


async def is_known(store: Store, entity_id: str, *sources: SourceId) -> bool:
    return await store.read(lambda connection: is_mentioned_among(connection, frozenset(sources), entity_id))
