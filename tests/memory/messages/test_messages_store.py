"""What was taken in comes back whole, and a thread comes with the right part of itself."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.ids import ThreadId
from heedful.memory import StoredMessage, ThreadView
from heedful.memory.messages import messages_store, own_addresses_store
from heedful.reading import Zone, ZoneKind
from heedful.sources import Occurrence, Person, Traits
from heedful.storage import Connection, Store
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, do, event, letter, rows, take


async def only(store: Store) -> StoredMessage:
    (message,) = await store.read(lambda connection: messages_store.messages(connection, [1]))
    return message


async def test_every_field_of_a_message_comes_back_as_it_was(store: Store) -> None:
    zoned = MONDAY.astimezone(timezone(timedelta(hours=-3, minutes=-30)))
    people = tuple(Person(f"P{number}", f"p{number}@x.example") for number in (3, 1, 2))
    item = letter(
        1,
        "Olá!\n> antigo\n-- \nAna",
        kind="note",
        channel="slack",
        sent_at=zoned,
        subject="Assunto ✓",
        thread_title="Título",
        lang="pt",
        from_me=False,
        reply_to="mail:0@x.example",
        to=people,
        cc=(people[0], RUI),
        zones=(Zone(ZoneKind.NEW, 0, 5), Zone(ZoneKind.QUOTED, 5, 14), Zone(ZoneKind.SIGNATURE, 14, 21)),
        traits=Traits("list", True, True, "rui@prado.example", True, "REQUEST", ("a.pdf", "b.png")),
    )
    await take(store, A, item)
    kept = await only(store)
    for field in (
        "kind", "channel", "external_id", "author", "sent_at", "subject", "text", "zones", "lang", "from_me",
        "reply_to", "to", "cc", "traits",
    ):  # fmt: skip
        assert getattr(kept, field) == getattr(item, field), field
    assert kept.sent_at.utcoffset() == timedelta(hours=-3, minutes=-30)
    assert kept.source_id == A
    assert [(chunk.start, chunk.end) for chunk in kept.chunks] == [(0, 21)]
    assert not kept.is_new


async def test_every_field_of_an_event_comes_back_as_it_was(store: Store) -> None:
    times = (
        Occurrence("", MONDAY, MONDAY + timedelta(hours=1), all_day=False, status="tentative"),
        Occurrence("2", MONDAY + timedelta(days=1), MONDAY + timedelta(days=2), all_day=True, status="cancelled"),
        Occurrence(
            "3", MONDAY + timedelta(days=9), MONDAY + timedelta(days=9, hours=1), all_day=False, status="confirmed",
            moved_from=MONDAY + timedelta(days=7),
        ),
    )  # fmt: skip
    await take(store, A, event(1, occurrences=times))
    assert (await only(store)).occurrences == times


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)), st.integers(-14 * 60, 14 * 60))  # noqa: DTZ001 (a zone is put on it below)
def test_a_moment_keeps_its_millisecond_and_its_offset(moment: datetime, minutes: int) -> None:
    from heedful.core.clock import from_millis, to_millis

    aware = moment.replace(
        microsecond=moment.microsecond // 1000 * 1000, tzinfo=timezone(timedelta(minutes=minutes))
    )
    assert from_millis(to_millis(aware)) == aware


async def test_who_wrote_it_follows_the_persons_word_about_their_addresses(store: Store) -> None:
    await take(
        store, A, letter(1, author=ANA), letter(2, author=RUI, from_me=True), letter(3, author=Person("Bot"))
    )

    async def from_me() -> list[bool | None]:
        found = await store.read(lambda connection: messages_store.messages(connection, [1, 2, 3]))
        return [message.from_me for message in found]

    assert await from_me() == [False, True, None]
    await do(store, lambda c: own_addresses_store.state_address(c, ANA.address, "stated"))
    assert await from_me() == [True, True, None]
    await do(store, lambda c: own_addresses_store.state_address(c, ANA.address, "refused"))
    assert await from_me() == [False, True, None]


async def conversation(store: Store, length: int) -> ThreadId:
    await take(store, A, *(letter(number, f"message {number}", thread_key="t") for number in range(length)))
    return ThreadId(str((await rows(store, "SELECT id FROM threads"))[0][0]))


async def view(store: Store, thread_id: ThreadId, *new: int, context: int = 12) -> ThreadView:
    found = await store.read(
        lambda connection: messages_store.thread_view(connection, thread_id, new=new, context=context)
    )
    assert found is not None
    return found


def numbers(thread: ThreadView) -> list[int]:
    return [message.seq for message in thread.messages]


async def test_a_thread_comes_with_what_is_new_marked_and_what_was_before(store: Store) -> None:
    thread_id = await conversation(store, 40)
    thread = await view(store, thread_id, 30, 31, context=3)
    assert numbers(thread)[:4] == [27, 28, 29, 30]
    assert [message.seq for message in thread.messages if message.is_new] == [30, 31]
    assert thread.left_out == 40 - len(thread.messages)
    assert (thread.source_id, thread.source_name, thread.title) == (A, "a", "A word")


async def test_all_that_came_after_what_is_new_is_there_for_an_answer_may_be_in_it(store: Store) -> None:
    thread_id = await conversation(store, 40)
    assert numbers(await view(store, thread_id, 10))[-1] == 40


async def test_what_came_after_the_newest_is_there_however_far_it_is_from_the_first(store: Store) -> None:
    thread_id = await conversation(store, 100)
    assert 91 in numbers(await view(store, thread_id, 1, 90, context=4))


async def test_an_unmarked_thread_shows_its_newest_messages(store: Store) -> None:
    thread_id = await conversation(store, 30)
    assert numbers(await view(store, thread_id, context=5)) == [26, 27, 28, 29, 30]


async def test_messages_stand_in_the_order_they_were_sent_in_whatever_order_they_came(store: Store) -> None:
    items = [letter(number, thread_key="t") for number in (5, 1, 3)]
    await take(store, A, *items)
    thread_id = ThreadId(str((await rows(store, "SELECT id FROM threads"))[0][0]))
    shown = (await view(store, thread_id, 1, 2, 3)).messages
    assert [message.external_id for message in shown] == ["x1", "x3", "x5"]


async def test_an_unknown_thread_message_or_passage_is_none(store: Store) -> None:
    def read(connection: Connection) -> tuple[object, ...]:
        return (
            messages_store.thread_view(connection, ThreadId("no")),
            messages_store.message(connection, "no"),  # type: ignore[arg-type] # any text
            messages_store.chunk(connection, "no"),  # type: ignore[arg-type] # any text
            *messages_store.messages(connection, [4711]),
        )

    assert await store.read(read) == (None, None, None)


async def test_a_passage_comes_with_its_message(store: Store) -> None:
    await take(store, A, letter(1, "word " * 2000))
    message = await only(store)
    assert len(message.chunks) > 1
    for chunk in message.chunks:
        found = await store.read(partial(messages_store.chunk, chunk_id=chunk.id))
        assert found == (message, chunk)


async def test_changes_come_in_order_a_few_at_a_time_and_by_source(store: Store) -> None:
    await take(store, A, letter(1), letter(2))
    await take(store, B, letter(3))
    await take(store, A, letter(1, "edited"))

    def read(connection: Connection) -> tuple[list[int], list[int]]:
        first = messages_store.changes_since(connection, 0, limit=2)
        of_b = messages_store.changes_since(connection, 0, source_id=B)
        return [seq for _, seq, _ in first], [seq for _, seq, _ in of_b]

    assert await store.read(read) == ([2, 3], [3])


@pytest.mark.parametrize("count", [501, 1100])
async def test_many_messages_at_once_come_back_in_order(store: Store, count: int) -> None:
    await take(store, A, *(replace(letter(number), to=(ANA, RUI)) for number in range(count)))
    found = await store.read(
        lambda connection: messages_store.messages(connection, list(range(count, 0, -1)))
    )
    assert len(found) == count
    assert all(message.to == (ANA, RUI) and message.chunks for message in found)
    assert found[0].sent_at.tzinfo is not None
    assert found[0].sent_at.astimezone(UTC) > MONDAY
