"""`python -m tests.benchmarks.people --data DIR`: who is taken for whom, and how fast people and things are read.

The pairs are those of `mailmap_git`: two records of one identity are a match, any others are none. Each record is
the author of a letter of its own, and nothing else is known of anybody: no signatures, answers or threads.

The set tells no name for most old addresses (a mailmap line names only who it is to be, not who it was), so it is
read both ways: with each address under its identity's name, as the head of a mail would bring it, and with bare
addresses, where only the address itself can speak. The records name some addresses more than once, which is one by
any reckoning; «addresses» counts each pair of two different addresses once, and is the stricter of the two for bare
ones. Where bare addresses are not joined they may still be asked about: «of the rest asked about» is the share of
missed pairs that are put to the person as «same person?».
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import combinations
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.events import Event
from heedful.core.ids import SourceId
from heedful.core.paths import home_at
from heedful.memory.entities import canonical_store, extraction
from heedful.memory.entities.entities_store import EntityWriter
from heedful.memory.entities.extraction import Step
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.names import Known, names_in
from heedful.memory.entities.reading import Reading, Seen, being_of
from heedful.memory.intake.door import take_in
from heedful.memory.messages import sources_store
from heedful.memory.messages.stored import StoredMessage
from heedful.reading import Zone, ZoneKind, normalise_address
from heedful.sources import Batch, Incoming, Person
from heedful.storage import Connection, Key, KeyKind, Store
from heedful.storage.store import WriteWork
from tests.benchmarks.corpus import lines_of
from tests.benchmarks.report import Figure

NOW = datetime(2026, 12, 1, tzinfo=UTC)
MESSAGES = 4000
_KINDS = {"organization": "organisation"}


@dataclass(frozen=True, slots=True)
class Record:
    """One way somebody appears, and who they are."""

    identity: str
    name: str
    address: str


def measure(asked: argparse.Namespace) -> list[Figure]:
    """Pairs where the data is at hand, and the speed of reading."""
    figures: list[Figure] = []
    file = None if asked.data is None else asked.data / "mailmap_git" / "identities.jsonl"
    if file is not None and file.exists():
        figures += _whom(list(_records(file, named=True)), "named", bound=True)
        figures += _whom(list(_records(file, named=False)), "bare addresses", bound=False)
    samples = None if asked.data is None else asked.data / "mempalace_eval" / "samples.jsonl"
    if samples is not None and samples.exists():
        for lang in ("en", "de", "pt-BR", "es"):
            precision, recall = _names(samples, lang)
            figures += [
                Figure(f"names in running text, {lang}: precision", precision, ""),
                Figure(f"names in running text, {lang}: recall", recall, ""),
            ]
    figures.append(
        Figure(
            "people and things read and stored", asyncio.run(_speed(asked.data)), "messages/s", 500, "least"
        )
    )
    return figures


def _records(file: Path, *, named: bool) -> Iterator[Record]:
    for line in file.open(encoding="utf-8"):
        row = json.loads(line)
        yield Record(row["id"], row["canonical_name"], normalise_address(row["canonical_email"]))
        for alias in row["aliases"]:
            name = alias["name"] or (row["canonical_name"] if named else "")
            yield Record(row["id"], name, normalise_address(alias["email"]))


def _whom(records: list[Record], what: str, *, bound: bool) -> list[Figure]:
    """The registry's word on every pair against the set's, by record and by address."""
    groups, asked_about = asyncio.run(_reckoned(records))
    by_record = _Tally.of(combinations(records, 2), groups)
    addresses = {record.address: record for record in records}
    pairs = list(combinations(addresses.values(), 2))
    by_address = _Tally.of(pairs, groups)
    missed = [pair for pair in pairs if _is_missed(pair, groups)]
    asked = sum(frozenset((one.address, other.address)) in asked_about for one, other in missed)
    told = f"{by_record.hits + by_record.missed} of {len(records) * (len(records) - 1) // 2:,} pairs match"
    return [
        Figure(f"who is whom, {what}: precision", by_record.precision, "", 0.98 if bound else None, "least", told),
        Figure(f"who is whom, {what}: recall", by_record.recall, ""),
        Figure(f"who is whom, {what}: F1", by_record.f1, "", 0.95 if bound else None, "least"),
        Figure(f"who is whom, {what}, by address: precision", by_address.precision, "", 0.98, "least"),
        Figure(f"who is whom, {what}, by address: F1", by_address.f1, "", 0.95 if bound else None, "least"),
        *([Figure(f"who is whom, {what}: of the rest asked about", asked / len(missed), "")] if missed else []),
    ]  # fmt: skip


def _is_missed(pair: tuple[Record, Record], groups: dict[str, object]) -> bool:
    one, other = pair
    return one.identity == other.identity and groups[one.address] != groups[other.address]


@dataclass(frozen=True, slots=True)
class _Tally:
    """Pairs taken for one person rightly, wrongly, and not at all."""

    hits: int
    wrong: int
    missed: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[Record, Record]], groups: dict[str, object]) -> "_Tally":
        """Counts pairs of records as the registry's groups have them."""
        hits = wrong = missed = 0
        for one, other in pairs:
            said, so = groups[one.address] == groups[other.address], one.identity == other.identity
            hits, wrong, missed = hits + (said and so), wrong + (said and not so), missed + (so and not said)
        return cls(hits, wrong, missed)

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.wrong)

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.hits / (2 * self.hits + self.wrong + self.missed)


async def _reckoned(records: list[Record]) -> tuple[dict[str, object], frozenset[frozenset[str]]]:
    """The group of each address, and the pairs of addresses that the person would be asked about."""
    with tempfile.TemporaryDirectory() as folder:
        store = _store(Path(folder))
        try:
            return await store.write(lambda connection: (_joined(connection, records), list[Event]()))
        finally:
            store.close()


def _joined(
    connection: Connection, records: list[Record]
) -> tuple[dict[str, object], frozenset[frozenset[str]]]:
    """Brings each record in as the author of a letter of its own and tells what was made of them."""
    batch = [
        _letter(number, Person(record.name, record.address), "") for number, record in enumerate(records)
    ]
    _take_in(connection, batch)
    while (step := extraction.next_step(connection)) is not None:
        # Only the head is read: what a domain or a text says is not part of the measure.
        readings = [_head_only(message) for message in step.messages]
        writer = EntityWriter(connection, NOW)
        writer.write(readings)
        canonical_store.settle(connection, writer.touched, now=NOW)
        extraction.write_step(connection, step, (), now=NOW)
    rows = connection.rows(
        "SELECT a.alias, e.canonical FROM aliases a JOIN entities e ON e.seq = a.entity_seq WHERE a.kind = 'address'"
    )
    asked = connection.rows(
        "SELECT a.alias, b.alias FROM merge_opinions o JOIN aliases a ON a.entity_seq = o.first_seq "
        "JOIN aliases b ON b.entity_seq = o.second_seq "
        "WHERE o.verdict = 'suggested' AND a.kind = 'address' AND b.kind = 'address'"
    )
    groups: dict[str, object] = {str(address): group for address, group in rows}
    return groups, frozenset(frozenset((str(one), str(other))) for one, other in asked)


def _head_only(message: StoredMessage) -> Reading:
    being = being_of(message.author, message)
    if being is None:
        return Reading(message, (), ())
    person = type(being)(EntityKind.PERSON, being.id, being.name, being.alias_kind, being.alias)
    alias = ("name", message.author.name) if message.author.name else None
    return Reading(message, (Seen(person, "author", 0, 0, 1.0, alias),), ())  # type: ignore[arg-type] # a literal pair


def _names(file: Path, lang: str) -> tuple[float, float]:
    """Precision and recall of people, organisations, places and projects, by kind and name, over `mempalace_eval`."""
    hits = wrong = missed = 0
    for line in file.open(encoding="utf-8"):
        row = json.loads(line)
        if row["task"] != "entity_extraction":
            continue
        so = {(label["name"].casefold(), _KINDS.get(label["type"], label["type"])) for label in row["labels"]}
        seen = names_in(row["texts"][lang], lang=lang[:2], known=Known({}, {}))
        said = {(one.name.casefold(), one.kind.value) for one in seen if one.kind is not EntityKind.PRODUCT}
        hits, wrong, missed = hits + len(said & so), wrong + len(said - so), missed + len(so - said)
    return hits / (hits + wrong), hits / (hits + missed)


async def _speed(data: Path | None) -> float:
    """Short messages read and stored in a second of this thread's processor time and the writer's."""
    lines = lines_of(data)
    with tempfile.TemporaryDirectory() as folder:
        store = _store(Path(folder))
        try:
            batch = [
                _letter(n, Person(author), text)
                for n, (author, text) in zip(range(MESSAGES), lines, strict=False)
            ]
            await store.write(_written(lambda connection: _take_in(connection, batch)))
            begin = time.process_time()
            while (step := await store.read(extraction.next_step)) is not None:
                await store.write(_written(partial(_write, step, extraction.read_step(step))))
            return MESSAGES / (time.process_time() - begin)
        finally:
            store.close()


def _write(step: Step, readings: tuple[Reading, ...], connection: Connection) -> None:
    extraction.write_step(connection, step, readings, now=NOW)


def _written(work: Callable[[Connection], None]) -> WriteWork[None]:
    def written(connection: Connection) -> tuple[None, list[Event]]:
        work(connection)
        return None, []

    return written


def _take_in(connection: Connection, letters: list[Incoming]) -> None:
    source = SourceId("measured")
    sources_store.add_source(
        connection, source, kind="mbox", name="measured", path=Path("/mail"), watched=False, now=NOW
    )
    take_in(connection, source, Batch(tuple(letters), (), "read", len(letters), None, ()), now=NOW)


def _letter(number: int, author: Person, text: str) -> Incoming:
    return Incoming(
        kind="message",
        channel="chat" if text else "email",
        external_id=str(number),
        identity=f"measured:{number}",
        thread_key=f"t{number // 200}",
        thread_title="",
        author=author,
        sent_at=NOW + timedelta(seconds=number),
        subject="",
        text=text or ".",
        zones=(Zone(ZoneKind.NEW, 0, len(text or ".")),),
    )


def _store(folder: Path) -> Store:
    return Store.open(home_at(folder), Key(KeyKind.KEYRING, "5a" * 32), Bus())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    found = measure(parser.parse_args())
    sys.stdout.writelines(f"{figure.row()}\n" for figure in found)
    sys.exit(any(not figure.held for figure in found))
