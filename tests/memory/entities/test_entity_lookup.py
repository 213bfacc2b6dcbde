"""A word stands for one person or thing, or for none."""

import pytest

from heedful.core.errors import RejectedError
from heedful.memory.entities.lookup import entity_meant
from heedful.sources import Person
from heedful.storage import Store
from tests.memory.incoming import A
from tests.memory.reading_along import found, mail, tell

JOAO = Person("João Silva", "joao@prado.example")


async def meant(store: Store, word: str) -> str:
    return await store.read(lambda connection: entity_meant(connection, word))


async def test_a_person_is_meant_by_id_address_or_name_in_any_case_and_without_accents(store: Store) -> None:
    await tell(store, A, mail(1, author=JOAO, to=()))
    joao = await found(store, "joao@prado.example")
    for word in (joao.id, "joao@prado.example", "JOAO@Prado.example", "João Silva", "joao silva"):
        assert await meant(store, word) == joao.id


async def test_a_name_that_two_have_and_one_that_nobody_has_are_refused(store: Store) -> None:
    await tell(
        store,
        A,
        mail(1, author=Person("Ana Lopes", "ana.lopes@prado.example"), to=()),
        mail(2, author=Person("Ana Lopes", "ana.lopes2@prado.example"), to=()),
    )
    with pytest.raises(RejectedError, match="More than one is called Ana Lopes"):
        await meant(store, "Ana Lopes")
    for word in ("Nobody", "", "%", "' OR 1"):
        with pytest.raises(RejectedError, match="Nobody and nothing"):
            await meant(store, word)
