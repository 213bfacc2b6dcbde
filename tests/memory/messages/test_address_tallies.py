"""What the store counts of addresses is what counting the mail itself gives."""

from heedful.memory.messages.own_addresses_store import address_tallies
from heedful.sources import Person, Traits
from heedful.sources.addresses import tally
from heedful.storage import Store
from tests.memory.incoming import ANA, RUI, A, B, letter, take

NOBODY = Person("Somebody")


async def test_every_address_is_counted_where_it_stood(store: Store) -> None:
    box = Traits(delivered_to="ana@prado.example")
    mine = [
        letter(1, "a", author=ANA, to=(RUI,), traits=Traits(sent_folder=True)),
        letter(2, "b", author=ANA, to=(RUI,), from_me=True),
    ]
    received = [
        letter(3, "c", author=RUI, to=(ANA,), cc=(ANA, RUI), traits=box),
        letter(4, "d", author=RUI, to=(ANA,), traits=box),
        letter(5, "e", author=NOBODY, to=(ANA, NOBODY)),
    ]
    elsewhere = letter(6, "f", channel="chat", author=RUI, to=(ANA,))
    await take(store, A, *received, elsewhere)
    await take(store, B, *mine)
    found = await store.read(address_tallies)
    assert found == tally([*mine, *received, elsewhere])
    assert (found.received, found.sent, found.recipients[ANA.address]) == (3, 2, 3)
