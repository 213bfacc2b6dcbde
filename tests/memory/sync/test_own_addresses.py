"""Of the addresses that mail speaks for, those that are surely the person's are taken, else the likeliest alone."""

from heedful.memory.messages.own_addresses_store import own_addresses
from heedful.memory.sync.own_addresses import infer
from heedful.sources import Person, Traits
from heedful.storage import Store
from tests.memory.incoming import ANA, A, letter, take

WORK, HOME = Person("Rui", "rui@work.example"), Person("Rui", "rui@home.example")


async def taken(store: Store) -> set[str]:
    await infer(store)
    return {one.address for one in await store.read(own_addresses)}


async def test_every_address_that_surely_is_theirs_is_taken(store: Store) -> None:
    sent = Traits(sent_folder=True)
    await take(store, A, letter(1, author=WORK, to=(ANA,), traits=sent))
    await take(store, A, letter(2, author=HOME, to=(ANA,), traits=sent))
    assert await taken(store) == {WORK.address, HOME.address}


async def test_of_those_that_are_not_sure_the_likeliest_alone_is_taken(store: Store) -> None:
    await take(store, A, *(letter(number, to=(WORK,)) for number in (1, 2)), letter(3, to=(HOME,)))
    assert await taken(store) == {WORK.address}
