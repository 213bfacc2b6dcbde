"""Whatever comes, changes, goes and is worked off, in whatever order, the memory stays sound and tells nothing gone."""

import asyncio
import tempfile
from collections.abc import Awaitable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from heedful.core.bus import Bus
from heedful.core.clock import to_millis
from heedful.core.ids import SourceId
from heedful.core.paths import home_at
from heedful.memory.entities.canonical import Identities
from heedful.memory.forget.at_once import forget_now
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.sources import Incoming, Person
from heedful.storage import Key, KeyKind, Store
from tests.conftest import NOW
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.incoming import ANA, RUI, A, B, C, letter, take
from tests.memory.workshop import tools_with
from tests.scenarios.soundness import WORD, found_by, told, unsettled, unsound

T = TypeVar("T")

BO, ALSO_ANA = Person("Bo Lind", "bo@lind.example"), Person("A. Lopes", "ana@lopes.example")
TEXTS = (
    "Could you send me the report {} by Friday, please? It costs 300 euros.",
    "We meet {} on 4 December 2026 at Prado Labs, says Rui Prado. Bo Lind works for Lind Works.",
    "ok {}",
    "This is a sentence about the roof of the house, which was painted. " * 30 + "It is called {}.",
)
NOT_MADE_ANEW_YET = frozenset({"nodes"})

_number = st.integers(0, 99)


class AnyOrder(RuleBasedStateMachine):
    """A memory, and beside it nothing but which message each source holds, in which words."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = FakeClock(NOW)
        self.meaning = FakeMeaning(BoxEmbedder())
        self.store = self._opened()
        self.letters: dict[str, Incoming] = {}
        self.holders: dict[str, list[SourceId]] = {}
        self.words = 0

    def teardown(self) -> None:
        self.store.close()
        self.loop.close()
        self.folder.cleanup()

    def _opened(self) -> Store:
        return Store.open(home_at(Path(self.folder.name)), Key(KeyKind.KEYRING, "5a" * 32), Bus())

    def _do(self, work: Awaitable[T]) -> T:
        async def done() -> T:
            return await work

        return self.loop.run(done())

    def _written(self, name: str, number: int, hours: int) -> Incoming:
        self.words += 1
        word = "zq" + "".join("bcdfghjkmn"[int(digit)] for digit in str(self.words)) + "x"
        return letter(
            int(name[1:]),
            TEXTS[number % len(TEXTS)].format(word),
            author=(ANA, RUI, BO, ALSO_ANA)[number // 4 % 4],
            thread_key=f"t{int(name[1:]) % 3}",
            channel="chat" if int(name[1:]) % 3 else "email",
            sent_at=NOW - timedelta(hours=hours),
        )

    def _picked(self, number: int) -> str:
        return sorted(self.letters)[number % len(self.letters)]

    @rule(source=st.sampled_from([A, B, C]), number=_number, hours=st.integers(0, 200))
    def arrives(self, source: SourceId, number: int, hours: int) -> None:
        name = f"x{self.words}"
        self.letters[name], self.holders[name] = self._written(name, number, hours), [source]
        self._do(take(self.store, source, self.letters[name], now=self.clock.now()))

    @precondition(lambda self: self.letters)
    @rule(pick=_number, number=_number, hours=st.integers(0, 200))
    def is_edited(self, pick: int, number: int, hours: int) -> None:
        name = self._picked(pick)
        self.letters[name] = self._written(name, number, hours)
        self._do(take(self.store, self.holders[name][0], self.letters[name], now=self.clock.now()))

    @precondition(lambda self: self.letters)
    @rule(pick=_number, source=st.sampled_from([A, B, C]))
    def is_met_elsewhere(self, pick: int, source: SourceId) -> None:
        name = self._picked(pick)
        self._do(take(self.store, source, self.letters[name], now=self.clock.now()))
        if source not in self.holders[name]:
            self.holders[name].append(source)

    @precondition(lambda self: self.letters)
    @rule(pick=_number)
    def goes_at_its_source(self, pick: int) -> None:
        name = self._picked(pick)
        self._do(take(self.store, self.holders[name].pop(0), gone=[name], now=self.clock.now()))
        self.holders[name].sort()
        if not self.holders[name]:
            del self.letters[name]

    @precondition(lambda self: self.letters)
    @rule(pick=_number, what=st.sampled_from(["messages", "threads", "sources", "entities"]))
    def is_forgotten(self, pick: int, what: str) -> None:
        ids = [
            str(row[0]) for row in self.store.read_now(lambda c: c.rows(f"SELECT id FROM {what} ORDER BY id"))
        ]
        if not ids or (what == "entities" and not self._people()):
            return
        wanted = self._people()[pick % len(self._people())] if what == "entities" else ids[pick % len(ids)]
        before = self._words_held()
        self._do(forget_now(self.store, self.clock, [wanted]))
        assert not (before - self._words_held()) & self.store.read_now(told)
        left = {
            str(name) for (name,) in self.store.read_now(lambda c: c.rows("SELECT external_id FROM messages"))
        }
        self.letters = {name: one for name, one in self.letters.items() if name in left}
        if what == "sources":
            for name in self.letters:
                self.holders[name] = sorted(one for one in self.holders[name] if one != wanted)

    def _people(self) -> list[str]:
        rows = self.store.read_now(
            lambda c: c.rows("SELECT id FROM entities WHERE kind = 'person' AND chunks > 0 ORDER BY seq")
        )
        return [str(one) for (one,) in rows]

    def _words_held(self) -> set[str]:
        rows = self.store.read_now(lambda c: c.rows("SELECT text FROM messages"))
        return {word for (text,) in rows for word in WORD.findall(str(text))}

    @rule(one=_number, other=_number, is_one=st.booleans())
    def the_person_says_who_is_whom(self, one: int, other: int, *, is_one: bool) -> None:
        people = self._people()
        if len(people) < 2:
            return
        identities = Identities(self.store, self.clock)
        first, second = people[one % len(people)], people[other % len(people)]
        say = identities.merge if is_one else identities.refuse
        if first != second:
            self._do(say(first, second))

    @rule(kind=st.sampled_from(sorted(job_kinds())))
    def some_work_is_done(self, kind: str) -> None:
        kinds = {kind: job_kinds()[kind]}
        self._do(Worker(tools_with(self.store, self.clock, self.meaning), lambda: kinds).settle())

    @rule()
    def all_work_is_done(self) -> None:
        self._settle()
        today = self.clock.now().replace(hour=0, minute=0)
        assert self.store.read_now(lambda c: unsettled(c, today=to_millis(today))) == []
        assert self.store.read_now(told) == self._words_held()
        before = self.store.read_now(lambda c: c.rows("SELECT id, text, items FROM nodes ORDER BY id"))
        self._settle()
        assert (
            self.store.read_now(lambda c: c.rows("SELECT id, text, items FROM nodes ORDER BY id")) == before
        )

    def _settle(self) -> None:
        done = self._do(Worker(tools_with(self.store, self.clock, self.meaning), job_kinds).settle())
        assert (done.failed, done.deferred) == (0, 0)

    @rule(hours=st.integers(1, 40))
    def time_passes(self, hours: int) -> None:
        self.clock.advance(timedelta(hours=hours))

    @rule()
    def heedful_is_started_anew(self) -> None:
        self.store.close()
        self.store = self._opened()

    @invariant()
    def the_memory_is_sound(self) -> None:
        assert self.store.read_now(unsound) == []

    @invariant()
    def it_holds_what_the_sources_hold_in_their_words(self) -> None:
        words = {word: name for name, one in self.letters.items() for word in WORD.findall(one.text)}
        assert self._words_held() == set(words)
        assert self.store.read_now(lambda c: told(c, but=NOT_MADE_ANEW_YET)) == set(words)
        for word, name in sorted(words.items())[:3]:
            assert name in self.store.read_now(partial(found_by, word=word))


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(
    max_examples=12, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
