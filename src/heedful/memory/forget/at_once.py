"""Forgets at a person's word: what is named goes, then the index is cleared, before it is called done."""

from collections.abc import Sequence
from functools import partial

from heedful.core.clock import Clock
from heedful.core.events import ActionablesChanged, Event, SourcesChanged
from heedful.core.ids import SourceId
from heedful.memory.forget.asked import clear_questions, texts_of
from heedful.memory.forget.forgetting import Forgotten, forget, merge_index
from heedful.memory.forget.steps import forget_most, need_not_go_on
from heedful.memory.forget.targets import find, is_there
from heedful.storage import Connection, Store


async def forget_now(store: Store, clock: Clock, words: Sequence[str]) -> Forgotten:
    """Forgets what these ids and mail addresses name; publishes what changed.

    All of it goes in one transaction, but for what has more than a thousand messages: that goes in steps first, and
    what is cut off then goes on by itself.

    Backups made before still hold it until they are rotated out; the next one does not.

    Raises:
        RejectedError: One of them names nothing, or the person themselves; nothing was forgotten.
        HeedfulError: The store, or the record of what other programs asked, can't be written.
    """
    now = clock.now()
    named = await store.read(lambda c: tuple(dict.fromkeys(find(c, word) for word in words)))
    await clear_questions(store, clock, lambda c: texts_of(c, named))
    before = Forgotten()
    for target in named:
        before += await forget_most(store, target, write=store.write, now=clock.now)

    def work(connection: Connection) -> tuple[Forgotten, list[Event]]:
        total = before
        events: list[Event] = []
        for target in named:
            need_not_go_on(connection, target)
            if not is_there(connection, target):
                continue  # it went with what was named before it
            done = forget(connection, target, now=now)
            total += done.counts
            if done.items:
                events.append(ActionablesChanged(done.items))
        events.append(SourcesChanged(SourceId("")))
        return total, events

    total = await store.write(work)
    await clear_index(store)
    return total


async def clear_index(store: Store) -> None:
    """Takes every word of what was taken out from the full-text index and the store's log.

    It does so in small steps, between which other writes find their turn. Where somebody reads from the log just then,
    the job that was asked for empties it.
    """

    def step(connection: Connection, *, is_first: bool) -> tuple[bool, list[Event]]:
        return merge_index(connection, is_first=is_first), []

    is_more = await store.write(partial(step, is_first=True))
    while is_more:
        is_more = await store.write(partial(step, is_first=False))
    await store.fold_log()
