"""What forgetting would take is known before it is done, and is what then goes."""

import pytest

from heedful.core.errors import RejectedError
from heedful.memory.forget.at_once import forget_now
from heedful.memory.forget.outlook import outlook
from heedful.sources import Person
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import put_item, stored
from tests.memory.incoming import ANA, A, do, rows
from tests.memory.reading_along import mail, tell

OTHER = Person("Ixchel Tamm", "it@ciclone.example")


@pytest.mark.parametrize("kind", ["source", "thread", "message", "person"])
async def test_as_many_messages_go_as_were_said(store: Store, clock: FakeClock, kind: str) -> None:
    await tell(store, A, mail(1, author=ANA), mail(2, "Another.", author=ANA), mail(3, author=OTHER))
    ids = {
        "source": str(A),
        "thread": str((await rows(store, "SELECT thread_id FROM messages WHERE external_id = 'x1'"))[0][0]),
        "message": str((await rows(store, "SELECT id FROM messages WHERE external_id = 'x1'"))[0][0]),
        "person": ANA.address,
    }
    said = await store.read(lambda connection: outlook(connection, ids[kind]))
    done = await forget_now(store, clock, [ids[kind]])
    assert said.kind == kind
    assert (said.messages, said.chunks) == (done.messages, done.chunks)
    assert said.messages > 0


async def test_only_items_that_will_go_are_counted(store: Store, clock: FakeClock) -> None:
    await tell(store, A, mail(1, "The zebra pass, please."), mail(2, "Please send the garden plan."))
    one, two = await stored(store, "x1"), await stored(store, "x2")
    await do(store, lambda c: put_item(c, "i1", "Send the garden plan", two, one))
    await do(store, lambda c: put_item(c, "i2", "Send the zebra pass and the garden plan", two, one))
    await do(store, lambda c: put_item(c, "i3", "Send the zebra pass", one))
    await do(store, lambda c: put_item(c, "i4", "Answer Ana", two))
    said = await store.read(lambda connection: outlook(connection, one.id))
    await forget_now(store, clock, [one.id])
    left = {item for (item,) in await rows(store, "SELECT id FROM actionables")}
    assert (said.items, left) == (2, {"i1", "i4"})


async def test_what_nobody_knows_is_refused(store: Store) -> None:
    with pytest.raises(RejectedError):
        await store.read(lambda connection: outlook(connection, "nothing"))
