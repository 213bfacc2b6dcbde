"""Which addresses are the person's own: what their mail lets one infer, and what they say of it."""

from heedful.core.errors import RejectedError
from heedful.core.events import SourcesChanged
from heedful.core.ids import SourceId
from heedful.memory.messages import own_addresses_store
from heedful.memory.messages.own_addresses_store import AddressOrigin
from heedful.memory.sync.list_addresses import lists_among
from heedful.memory.sync.source_rows import change_quietly
from heedful.reading import normalise_address
from heedful.sources.addresses import likely_own
from heedful.storage import Connection, Store

SURE_ENOUGH = 0.45
"""An address that scores less is taken for the person's own only where none scores more: a colleague who is on
every mail must not be mistaken for them, or what they ask would go unheard."""

MOST_INFERRED = 20


async def infer(store: Store) -> None:
    """Takes the addresses for the person's own that what came in so far speaks for."""
    # It goes through every message there is.
    tallies = await store.read_long(own_addresses_store.address_tallies)
    found = likely_own(tallies)[:MOST_INFERRED]
    lists = await store.read(lambda c: lists_among(c, [one.address for one in found]))
    likely = [one for one in found if one.address not in lists or tallies.sent_authors[one.address]]
    candidates = [one for one in likely if one.score >= SURE_ENOUGH] or likely[:1]

    def change(connection: Connection) -> None:
        for one in candidates:
            uses = tallies.recipients[one.address] + tallies.sent_authors[one.address]
            own_addresses_store.infer_address(connection, one.address, uses)

    await change_quietly(store, change)


async def take_word(store: Store, address: str, origin: AddressOrigin) -> None:
    """Takes the person's word that an address is, or is not, theirs.

    Raises:
        RejectedError: It is not an address.
    """
    clean = normalise_address(address)
    if "@" not in clean.strip("@") or " " in clean:
        raise RejectedError("That is not a mail address", "", "Write it like name@example.org.")

    def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
        own_addresses_store.state_address(connection, clean, origin)
        return None, [SourcesChanged(SourceId(""))]

    await store.write(work)
