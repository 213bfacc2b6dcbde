"""A memory in memory: messages of an invented person, found by their words, and who stands around whom."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, tzinfo

from heedful.core.clock import local_day
from heedful.core.errors import HeedfulError
from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory import Filters, Hit
from heedful.memory.entities.canonical import Word
from heedful.memory.entities.canonical_people import Candidate
from heedful.memory.entities.graph import Relation
from heedful.memory.entities.graph_predicates import Predicate
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.registry import Alias, Entity, Mention
from heedful.memory.forget.forgetting import Forgotten
from heedful.memory.forget.outlook import Outlook
from heedful.memory.forget.targets import TargetKind
from heedful.memory.messages.sources_store import SourceRow
from heedful.memory.messages.stored import Chunk, StoredMessage
from heedful.memory.search.agenda import Slot
from heedful.memory.search.browsing import Leaf, Place, Range
from heedful.memory.tree.admission import Admission, Signal
from heedful.presenters.memory_reader import Letter, MaybeOne, Outline
from heedful.sources import Occurrence, Person, Traits
from tests.fakes import samples


@dataclass(slots=True)
class FakeIdentities:
    """Notes what the person said: («merge», one id, another). A question that was answered is asked no more."""

    said: list[tuple[str, ...]] = field(default_factory=list)
    open: list[MaybeOne] = field(default_factory=list)
    answered: list[MaybeOne] = field(default_factory=list)
    others: tuple[Candidate, ...] = ()
    failure: HeedfulError | None = None

    async def merge(self, first_id: str, second_id: str, /) -> Word:
        return self._say("merge", first_id, second_id)

    async def refuse(self, first_id: str, second_id: str, /) -> Word:
        return self._say("refuse", first_id, second_id)

    async def part(self, entity_id: str, /) -> Word:
        return self._say("part", entity_id)

    async def put_off(self, first_id: str, second_id: str, /) -> Word:
        return self._say("put off", first_id, second_id)

    async def candidates(self, entity_id: str, text: str, /) -> tuple[Candidate, ...]:
        if self.failure is not None:
            raise self.failure
        words = text.casefold()
        return tuple(
            one
            for one in self.others
            if one.entity.id != entity_id and (words in one.entity.name.casefold() if words else one.reasons)
        )

    async def take_back(self, word: Word, /) -> None:
        self.said.pop()
        self.open, self.answered = [*self.answered, *self.open], []

    def _say(self, *words: str) -> Word:
        self.said.append(words)
        self.answered = [one for one in self.open if {one.first.id, one.second.id} == set(words[1:])]
        self.open = [one for one in self.open if one not in self.answered]
        return Word((), ())


@dataclass(slots=True)
class FakeMemory:
    """Messages, newest first. `failure` is raised by every question.

    `gate` and `forgetting`, while unset, hold look-ups and forgetting back.
    """

    messages: list[StoredMessage] = field(default_factory=list)
    rows: tuple[SourceRow, ...] = ()
    people: tuple[Entity, ...] = ()
    things: tuple[Entity, ...] = ()
    days: dict[date, int] = field(default_factory=dict)
    relations: dict[str, tuple[Relation, ...]] = field(default_factory=dict)
    mentions: dict[str, tuple[Mention, ...]] = field(default_factory=dict)
    admissions: dict[str, Admission] = field(default_factory=dict)
    degraded: bool = False
    failure: HeedfulError | None = None
    gate: asyncio.Event | None = None
    forgetting: asyncio.Event | None = None
    asked: list[str] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)
    narrowed: list[Filters] = field(default_factory=list)
    share: float | None = 1.0
    items: int = 0
    identities: FakeIdentities = field(default_factory=FakeIdentities)

    async def outline(self, days: Sequence[date], zone: tzinfo, /) -> Outline:
        self._fail()
        return Outline(
            self.rows, self.people, self.things, {d: n for d, n in self.days.items() if d in days},
            tuple(sorted({day.year for day in self.days} - {days[-1].year}, reverse=True)),
            tuple(self.identities.open),
            await self.days_taken([*days, *(days[-1] + timedelta(days=n) for n in range(1, 8))], zone),
        )  # fmt: skip

    async def day_counts(self, days: Sequence[date], zone: tzinfo, /) -> dict[date, int]:
        self._fail()
        return {day: number for day, number in self.days.items() if day in days}

    async def days_taken(self, days: Sequence[date], zone: tzinfo, /) -> dict[date, frozenset[int]]:
        self._fail()
        times = [(local_day(one.starts_at, zone), m.seq) for m in self.messages for one in m.occurrences]
        return {day: frozenset(seq for at, seq in times if at == day) for day, _ in times if day in days}

    async def agenda(self, among: Range, *, limit: int) -> tuple[tuple[Leaf, Slot], ...]:
        self._fail()
        found = [
            (_leaf(m, m.chunks[0]), Slot(one.starts_at, one.ends_at, one.all_day))
            for m in self.messages
            for one in m.occurrences
            if among.since is not None and among.until is not None
            if one.starts_at <= among.until and one.ends_at > among.since
        ]
        return tuple(sorted(found, key=lambda pair: pair[1].starts_at)[:limit])

    async def slots(self, messages: Sequence[MessageId], /) -> dict[MessageId, Slot]:
        self._fail()
        told = {m.id: _slot(m) for m in self.messages if m.id in messages}
        return {message_id: slot for message_id, slot in told.items() if slot is not None}

    async def search(self, text: str, *, filters: Filters) -> tuple[Hit, ...]:
        return await self._hits(text, filters, every=True)

    async def recall(self, text: str, *, filters: Filters) -> tuple[Hit, ...]:
        return await self._hits(text, filters, every=False)

    async def named(self, text: str, /) -> tuple[Entity, ...]:
        self._fail()
        return tuple(one for one in self.people if one.name.casefold().startswith(text.casefold()))

    async def browse(self, among: Range, *, limit: int, after: Place | None = None) -> tuple[Leaf, ...]:
        self._fail()
        leaves = [_leaf(m, c) for m in self.messages for c in m.chunks if self._is_in(m, among)]
        return tuple([leaf for leaf in leaves if after is None or leaf.place.turn > after.turn][:limit])

    async def count(self, among: Range, /) -> int:
        return sum(len(m.chunks) for m in self.messages if self._is_in(m, among))

    async def letter(self, chunk_id: ChunkId, /) -> Letter | None:
        self._fail()
        for message in self.messages:
            for chunk in message.chunks:
                if chunk.id == chunk_id:
                    return Letter(
                        message,
                        chunk,
                        next((r.name for r in self.rows if r.id == message.source_id), ""),
                        self.mentions.get(message.id, ()),
                        self.admissions.get(chunk_id),
                        _slot(message),
                    )
        return None

    async def around(self, entity_id: str, /) -> tuple[Entity, tuple[Relation, ...]] | None:
        found = next((one for one in (*self.people, *self.things) if one.id == entity_id), None)
        return None if found is None else (found, self.relations.get(entity_id, ()))

    async def outlook(self, word: str, /) -> Outlook:
        self._fail()
        gone = self._meant(word)
        kinds: dict[str, TargetKind] = {"m": "message", "t": "thread", "e": "person"}
        kind = kinds.get(word[:1], "source")
        return Outlook(kind, len(gone), sum(len(message.chunks) for message in gone), self.items)

    async def embedded_share(self) -> float | None:
        return self.share

    async def note_asked(self, entity_ids: Sequence[str], /) -> None:
        self.asked_for += entity_ids

    async def note_question(self, text: str, chunk_id: ChunkId, /) -> None:
        self.asked_for.append(f"{text}: {chunk_id}")

    async def forget(self, words: Sequence[str], /) -> Forgotten:
        if self.forgetting is not None:
            await self.forgetting.wait()
        self._fail()
        gone = [message for word in words for message in self._meant(word)]
        self.rows = tuple(row for row in self.rows if row.id not in words)
        self.people = tuple(one for one in self.people if one.id not in words)
        self.messages = [message for message in self.messages if message not in gone]
        return Forgotten(
            messages=len(gone), chunks=sum(len(message.chunks) for message in gone), items=self.items
        )

    def _meant(self, word: str) -> list[StoredMessage]:
        return [
            m for m in self.messages if word in (m.id, m.thread_id, m.source_id, f"e-{m.author.name.lower()}")
        ]

    async def _hits(self, text: str, filters: Filters, *, every: bool) -> tuple[Hit, ...]:
        self.asked.append(text)
        self.narrowed.append(filters)
        if self.gate is not None:
            await self.gate.wait()
        self._fail()
        words = [(word.rstrip("*"), word.endswith("*")) for word in text.casefold().split()]
        chosen = all if every else any
        return tuple(
            _hit(m, c, degraded=not every and self.degraded)
            for m in self.messages
            for c in m.chunks
            if (filters.source_id is None or m.source_id == filters.source_id)
            and (filters.among is None or m.source_id in filters.among)
            and (filters.entity_id is None or self._is_about(m, filters.entity_id))
            and (filters.since is None or m.sent_at >= filters.since)
            and (filters.until is None or m.sent_at <= filters.until)
            and chosen(_holds(f"{m.subject} {m.text[c.start : c.end]}", *word) for word in words)
        )

    def _is_in(self, message: StoredMessage, among: Range) -> bool:
        return (
            message.source_id in among.sources
            and (among.entity_id is None or self._is_about(message, among.entity_id))
            and (among.since is None or message.sent_at >= among.since)
            and (among.until is None or message.sent_at <= among.until)
        )

    def _is_about(self, message: StoredMessage, entity_id: str) -> bool:
        return entity_id in {one.entity_id for one in self.mentions.get(message.id, ())}

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure


def entry(title: str, begin: datetime, end: datetime) -> StoredMessage:
    """A calendar's entry, written a month before it takes place."""
    times = (Occurrence("", begin, end, all_day=False, status="confirmed"),)
    plain = letter(title, subject=title, sent_at=begin - timedelta(days=30), seq=900)
    return replace(plain, kind="event", channel="calendar", occurrences=times)


def letter(
    text: str,
    *,
    subject: str = "",
    by: str = "Ana Lopes",
    sent_at: datetime = samples.NOW,
    source: str = "Inbox.mbox",
    seq: int = 1,
    passages: int = 1,
) -> StoredMessage:
    """A message; of several passages each holds the text with its number behind."""
    parts = [text] if passages == 1 else [f"{text} Part {number}." for number in range(1, passages + 1)]
    chunks, at = [], 0
    for number, part in enumerate(parts):
        chunks.append(Chunk(ChunkId(f"c{seq}-{number}"), at, at + len(part) + (number < passages - 1)))
        at += len(part) + 1
    return StoredMessage(
        seq=seq, changed=seq, id=MessageId(f"m{seq}"), source_id=SourceId(source), thread_id=ThreadId(f"t{seq}"),
        kind="message", channel="email", external_id=f"x{seq}",
        author=Person(by, f"{by.split()[0].lower()}@ciclone.example"), from_me=False,
        to=(Person("Rui Prata", "rui@posteo.example"),), cc=(), sent_at=sent_at, subject=subject,
        text="\n".join(parts), zones=(), lang="en", traits=Traits(), reply_to=None, chunks=tuple(chunks),
    )  # fmt: skip


def entity(
    name: str, *addresses: str, kind: EntityKind = EntityKind.PERSON, chunks: int = 12, also: str = ""
) -> Entity:
    """A person or thing whose id is its name in small letters, with an identity for each address."""
    first = f"e-{name.lower()}"
    identities = tuple(
        first if not number else f"{first} {number}" for number in range(max(1, len(addresses)))
    )
    aliases = [Alias("address", one, 3, of) for one, of in zip(addresses, identities, strict=False)]
    aliases += [Alias("name", written, 2, first) for written in (name, also) if written]
    return Entity(first, kind, name, identities, tuple(aliases), chunks, samples.NOW, 1.0)


def relation(name: str, predicate: Predicate, weight: float, *, count: int = 3) -> Relation:
    """A relation from whoever is asked about."""
    return Relation(
        predicate, f"e-{name.lower()}", EntityKind.PERSON, name, True, 0.9, count, weight, samples.NOW, samples.NOW, ()
    )  # fmt: skip


def mention(message: StoredMessage, name: str, *, kind: EntityKind = EntityKind.PERSON) -> Mention:
    """Where a message's text first says a name."""
    at = message.text.index(name)
    return Mention(f"e-{name.lower()}", kind, name, "text", at, at + len(name), 1.0)


def furnish(memory: FakeMemory) -> None:
    """What a person at a small company remembers in November."""
    launch = letter(
        "The press text for the Q1 launch is final; Projeto Ciclone ships on 15 January. Jonas Brandt sends the "
        "signed estimate tomorrow, and Marta Reis keeps the guest list.\n\nCan you look over the second paragraph "
        "before the board call? It still says that we launch in spring.",
        subject="Q1 launch: press text is final", sent_at=samples.local(24, 9, 41), seq=9,
    )  # fmt: skip
    memory.messages = [
        launch,
        letter("Here is the checklist for the launch, twelve points, three are open.", subject="Re: launch checklist",
               by="Jonas Brandt", sent_at=samples.local(23, 16, 5), seq=8),
        letter("Who brings the cake to the launch party?", by="Marta Reis", source="Vizinhos, Família, 6 more",
               sent_at=samples.local(20, 19, 30), seq=7),
        letter("Your invoice HW-20931 over EUR 84.20 is due today.", subject="Invoice HW-20931", by="Hostwerk billing",
               sent_at=samples.local(12, 7, 2), seq=6),
        *(letter("The weekly numbers are in the sheet; nothing needs you.", subject=f"Week {week} in numbers",
                 by="Numbers", sent_at=samples.NOW - timedelta(days=7 * (48 - week) + 8), seq=week - 40)
          for week in range(45, 40, -1)),
    ]  # fmt: skip
    fresh = {"Inbox.mbox": samples.NOW - timedelta(minutes=4)}
    memory.rows = tuple(
        replace(row, last_new_at=fresh.get(row.id, row.last_sync_at)) for row in samples.shelves_of_sources()
    )
    memory.people = (
        entity("Ana Lopes", "ana@ciclone.example", "lopes@mar.example", chunks=214, also="Nita Lopes"),
        entity("Jonas Brandt", "jonas@brandt.example", chunks=96),
        entity("Marta Reis", chunks=71),
    )
    memory.identities.open = [
        MaybeOne(
            entity("Jonas Brandt", "jonas@brandt.example", chunks=96),
            entity("J. Brandt", "j.brandt@post.example", chunks=4),
            ("one signs with the other's address", "almost the same name"),
        ),
        MaybeOne(
            entity("Marta Reis", chunks=71),
            entity("Marta", "marta@ciclone.example", chunks=9),
            ("the same first name",),
        ),
    ]
    memory.identities.others = (
        Candidate(entity("J. Brandt", "j.brandt@post.example", chunks=4), ("almost the same name",)),
        Candidate(entity("Marta Reis", chunks=71)),
        Candidate(entity("Marta", "marta@ciclone.example", chunks=9), kept_apart=True),
    )
    memory.things = (
        entity("Hostwerk", kind=EntityKind.ORGANISATION, chunks=13),
        entity("Projeto Ciclone", kind=EntityKind.PROJECT, chunks=48),
        entity("Lisbon", kind=EntityKind.PLACE, chunks=22),
        entity("Porto", kind=EntityKind.PLACE, chunks=9),
    )
    memory.mentions = {
        launch.id: (
            Mention("e-ana lopes", EntityKind.PERSON, "Ana Lopes", "author", 0, 0, 1.0),
            mention(launch, "Projeto Ciclone", kind=EntityKind.PROJECT),
            mention(launch, "Jonas Brandt"),
            mention(launch, "Marta Reis"),
        )
    }
    memory.admissions = {
        launch.chunks[0].id: Admission(
            0.78,
            {Signal.INTERACTION: 0.9, Signal.KIND: 0.8, Signal.PLACE: 0.75, Signal.LENGTH: 1.0, Signal.VARIETY: 0.62,
             Signal.ENTITIES: 0.4, Signal.FRESH: 1.0},
            True,
            "Its score is 0.78.",
        )
    }  # fmt: skip
    memory.relations = {
        "e-ana lopes": (
            relation("Jonas Brandt", Predicate.WORKS_WITH, 0.9, count=14),
            relation("Projeto Ciclone", Predicate.OWNS, 0.8, count=9),
            relation("Marta Reis", Predicate.COMMUNICATES_WITH, 0.6, count=31),
            relation("Hostwerk", Predicate.USES, 0.3),
            relation("Rui Prata", Predicate.COMMUNICATES_WITH, 0.95, count=80),
            relation("Bruno Sá", Predicate.WORKS_WITH, 0.2, count=1),
        )
    }
    today = local_day(samples.NOW, samples.ZONE)
    for back in range(365):
        number = (back * 37 % 11) * (back * 13 % 7) // 4
        if number and (today - timedelta(days=back)).weekday() < 5:
            memory.days[today - timedelta(days=back)] = number
    memory.days |= {date(2023, 1, 1): 3, date(2023, 7, 14): 9, date(2023, 12, 31): 1}


def _holds(text: str, word: str, is_beginning: bool) -> bool:
    """Whether a text has a word, as a whole or inflected by a letter or two, or one that begins with it."""
    longest = 99 if is_beginning else len(word) + 2
    return any(one.startswith(word) and len(one) <= longest for one in re.findall(r"[\w-]+", text.casefold()))


def _hit(message: StoredMessage, chunk: Chunk, *, degraded: bool) -> Hit:
    return Hit(
        chunk_id=chunk.id, score=1.0, source_id=message.source_id, thread_id=message.thread_id, message_id=message.id,
        external_id=message.external_id, author=message.author.name, sent_at=message.sent_at, subject=message.subject,
        excerpt=" ".join(message.text[chunk.start : chunk.end].split())[:240], fts_rank=1, degraded=degraded,
    )  # fmt: skip


def _slot(message: StoredMessage) -> Slot | None:
    return next(
        (
            Slot(one.starts_at, one.ends_at, one.all_day, is_cancelled=one.status == "cancelled")
            for one in message.occurrences
        ),
        None,
    )


def _leaf(message: StoredMessage, chunk: Chunk) -> Leaf:
    return Leaf(
        chunk.id, message.source_id, message.thread_id, message.id, message.external_id, message.author.name,
        message.sent_at, message.subject, " ".join(message.text[chunk.start : chunk.end].split())[:240],
        Place(round(message.sent_at.timestamp() * 1000), message.seq, chunk.start),
    )  # fmt: skip
