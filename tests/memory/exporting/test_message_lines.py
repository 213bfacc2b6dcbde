"""A line of an export says of a message all that the generic import format can hold."""

import json
from dataclasses import replace

from heedful.memory.exporting.message_lines import lines
from heedful.memory.messages import messages_store
from heedful.memory.messages.stored import StoredMessage
from heedful.sources import Traits
from heedful.storage import Connection, Store
from tests.memory.incoming import ANA, MONDAY, RUI, A, letter, take


async def test_each_field_stands_as_it_came_in(store: Store) -> None:
    letters = [
        letter(n, f"Word {n}", from_me=whose, cc=(RUI,), reply_to="x9", thread_title="Garden")
        for n, whose in enumerate((True, False, True))
    ]
    await take(store, A, *letters, letter(3, traits=Traits(bulk=True, attachments=("a.pdf",))))

    def read(connection: Connection) -> list[str]:
        found = messages_store.messages(connection, [1, 2, 3, 4])
        named = ((message, f"mail:{message.external_id}") for message in found)
        return list(lines(named, {message.thread_id: "Garden" for message in found}))

    told = [json.loads(line) for line in await store.read(read)]
    assert [one["from_me"] for one in told] == [True, False, True, False]
    assert [one["reply_to"] for one in told] == ["x9", "x9", "x9", None]
    assert told[0]["cc"] == [{"name": RUI.name, "address": RUI.address}]
    assert told[0]["author"] == {"name": ANA.name, "address": ANA.address}
    assert (told[0]["id"], told[0]["thread_title"], told[0]["text"]) == ("x0", "Garden", "Word 0")
    assert told[0]["identity"] == "mail:x0"
    assert told[0]["sent_at"] == MONDAY.isoformat()
    assert told[3]["traits"] == {"bulk": True, "attachments": ["a.pdf"]}


async def test_no_two_lines_bear_one_id(store: Store) -> None:
    await take(store, A, letter(1), letter(2))

    def read(connection: Connection) -> list[StoredMessage]:
        return messages_store.messages(connection, [1, 2])

    first, second = await store.read(read)
    twins = [replace(one, external_id="x1") for one in (first, second)]
    nameless = replace(first, external_id="")
    ids = [json.loads(line)["id"] for line in lines(((one, "") for one in (*twins, nameless)), {})]
    assert ids == ["x1", second.id, first.id]
