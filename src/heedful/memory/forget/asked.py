"""Takes what other programs asked out of the record of reads, where it speaks of what the person has forgotten.

A question that shares a telling word with what goes, or with a name or address of a person who goes, loses its words;
when it was asked, by which program and with which tool stays. It happens before anything is forgotten, so a run that
is cut off leaves no question behind.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from heedful.core.clock import Clock
from heedful.memory.forget.targets import Target, messages_of, person
from heedful.memory.reads import Reads
from heedful.reading import content_tokens, guess, parted, tokens, without_diacritics
from heedful.storage import Connection, Store

_BETWEEN_SIGNS = re.compile(r"[\W_]+")


async def clear_questions(store: Store, clock: Clock, texts: Callable[[Connection], Iterable[str]]) -> int:
    """Clears the questions that share a telling word with these texts of the store; returns how many.

    Raises:
        HeedfulError: The record can't be read or written.
    """
    asked = await asyncio.to_thread(_asked, store, clock)
    if not asked:
        return 0
    wanted = frozenset[str]().union(*asked.values())
    gone = await store.read_long(lambda connection: _met(texts(connection), wanted))
    spoken = [number for number, words in asked.items() if words & gone]
    if spoken:
        await asyncio.to_thread(_clear, store, clock, spoken)
    return len(spoken)


def texts_of(connection: Connection, targets: Iterable[Target]) -> Iterator[str]:
    """Every text of the messages that go with the targets, and the names and addresses of a person among them."""
    for target in targets:
        yield from texts_of_messages(connection, messages_of(connection, target))
        if target.kind == "person":
            known = person(connection, target.id)
            yield from _texts(
                connection,
                "SELECT a.alias FROM aliases a JOIN json_each(?) j ON j.value = a.entity_seq",
                known.entities,
            )
            yield from _texts(
                connection,
                "SELECT p.name || ' ' || p.address FROM participants p JOIN json_each(?) j ON j.value = p.id",
                known.participants,
            )


def texts_of_messages(connection: Connection, seqs: Sequence[int]) -> Iterator[str]:
    """What stands in messages, and who wrote and received them."""
    yield from _texts(
        connection,
        "SELECT concat_ws(' ', m.subject, m.text, t.title, p.name, p.address) FROM json_each(?) j "
        "JOIN messages m ON m.seq = j.value JOIN threads t ON t.id = m.thread_id "
        "LEFT JOIN participants p ON p.id = m.author_id",
        seqs,
    )
    yield from _texts(
        connection,
        "SELECT DISTINCT p.name || ' ' || p.address FROM json_each(?) j JOIN recipients r ON r.message_seq = j.value "
        "JOIN participants p ON p.id = r.participant_id",
        seqs,
    )


def _texts(connection: Connection, sql: str, seqs: Sequence[int]) -> Iterator[str]:
    return (str(text) for (text,) in connection.rows(sql, (json.dumps(seqs),)))


def _asked(store: Store, clock: Clock) -> dict[int, frozenset[str]]:
    """The telling words of each question that has any, by its number."""
    reads = Reads.beside(store, now=clock.now())
    if reads is None:
        return {}
    with reads:
        told = reads.arguments()
    found = {number: _telling(arguments) for number, arguments in told.items()}
    return {number: words for number, words in found.items() if words}


def _clear(store: Store, clock: Clock, numbers: Sequence[int]) -> None:
    reads = Reads.beside(store, now=clock.now())
    if reads is not None:
        with reads:
            reads.clear(numbers)


def _telling(arguments: str) -> frozenset[str]:
    text = " ".join(_values(arguments))
    return frozenset(_folded(content_tokens(text, guess(text))))


def _values(arguments: str) -> Iterator[str]:
    try:
        given = json.loads(arguments)
    except ValueError:  # it was cut
        yield arguments.encode().decode("unicode_escape", "replace")
        return
    waiting = [given]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
        elif isinstance(value, str):
            yield value


def _met(texts: Iterable[str], wanted: frozenset[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _folded(tokens(text)) if word in wanted)


def _folded(words: Iterable[str]) -> Iterator[str]:
    """Words as they are compared, with what stands between the signs of an address or a name of a file.

    Of a script without spaces each two signs that stand side by side.
    """
    for word in words:
        plain = without_diacritics(word)
        if len(pieces := _BETWEEN_SIGNS.split(plain)) > 1:
            yield from filter(None, pieces)
        if parted(plain) == plain:
            yield plain
        else:
            yield from (plain[place : place + 2] for place in range(max(len(plain) - 1, 1)))
