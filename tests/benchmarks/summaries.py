"""`python -m tests.benchmarks.summaries [--data DIR] [--model-url URL] [--nodes N]`: a table of what summaries keep.

Nodes right above ten messages, from small talks of invented people whose decisions are known (`summaries_talks*.toml`)
and, with DIR, from mail, meetings, chats and texts in four languages. A fact is a number, a word of a date or a name
that stands below a node; what is told is the share of facts of each kind a text keeps, the share of decisions, how well
the order of the facts told agrees with that in which they were first said (Kendall's tau: 1 the same, -1 the reverse),
how many tokens it has, and how many facts it keeps for each hundred of them.

With a model also: how many of its texts are kept, what the others were refused for, and what a call takes. Both texts
are then measured on the same nodes, those whose model's text was kept. `--show` prints every answer.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from heedful.core.ids import NodeId, RunId, SourceId, random_id
from heedful.core.settings import BudgetSettings
from heedful.inference import LedgerEntry, Provider, endpoint, load_prompt
from heedful.inference.chat import Limits
from heedful.memory.entities.names import Known, names_in
from heedful.memory.tree.attribution import misattributed
from heedful.memory.tree.by_model import PROMPT, Refused, given, written_by_model
from heedful.memory.tree.extractive import Passage
from heedful.memory.tree.grounding import Ground, unheard
from heedful.memory.tree.growing import FAN_OUT, MOST_TOKENS
from heedful.memory.tree.summaries import Material, extractive, tokens_of
from heedful.memory.tree.tree_store import Node, Written
from heedful.memory.work.kind import Tools
from heedful.reading import (
    find_dates,
    guess,
    is_stop_word,
    numbers_in,
    sentences,
    tokens,
    without_diacritics,
)
from tests.benchmarks.retrieval_sets import corpora
from tests.inference.desk import Desk, open_desk

LANGUAGES = ("en", "de", "pt", "es")
TALKS = tuple(f"talks-{lang}" for lang in LANGUAGES)
FRESH = tuple(f"fresh-{lang}" for lang in LANGUAGES)
SETS = (*TALKS, *FRESH, "bc3", "beam", "locomo", "qmsum-turns", "faquad", "xquad-en-de", "xquad-en-es")
NODES = 12
SOURCE = SourceId("set")
PATIENT = Limits(total_s=900.0, attempt_s=900.0)
MODEL, NO_MODEL = "the model", "without a model"
MEASURES = (
    "all facts kept", "numbers kept", "dates kept", "names kept", "decisions kept", "order (tau)", "tokens",
    "facts for each 100 tokens",
)  # fmt: skip
PROMPTS = Path(__file__).parents[2] / "prompts"
SMALL_TALKS = {
    "talks": Path(__file__).with_name("summaries_talks.toml"),
    "fresh": Path(__file__).with_name("summaries_talks_fresh.toml"),
}

Facts = dict[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a node is made of; `decided` are the words of each decision in it, empty where they are not known."""

    made_of: Material
    decided: tuple[tuple[str, ...], ...] = ()

    @property
    def size(self) -> int:
        return sum(tokens_of(passage.text) for passage in self.made_of.passages)


@dataclass(slots=True)
class Account:
    """What became of some nodes: by method and measure each text's figure, and what became of a model's answers."""

    nodes: int = 0
    found: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    calls: list[LedgerEntry] = field(default_factory=list)
    fates: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, method: str, text: str, facts: Facts, sample: Sample) -> None:
        """Counts one text against the facts and decisions below its node."""
        ground = Ground.of(text)
        told = {
            kind: {one for one in those if one in ground.numbers or ground.holds(one)}
            for kind, those in facts.items()
        }
        for kind, those in facts.items():
            if those:
                self._note(method, f"{kind} kept", len(told[kind]) / len(those))
        every = frozenset().union(*facts.values())
        held = frozenset().union(*told.values())
        self._note(method, "all facts kept", len(held) / len(every))
        self._note(method, "tokens", tokens_of(text))
        self._note(method, "facts for each 100 tokens", len(held) / max(1, tokens_of(text)) * 100)
        order = _tau(sorted(held), text, " ".join(passage.text for passage in sample.made_of.passages))
        if order is not None:
            self._note(method, "order (tau)", order)
        if sample.decided:
            folded = without_diacritics(text)
            kept = [all(without_diacritics(word) in folded for word in words) for words in sample.decided]
            self._note(method, "decisions kept", sum(kept) / len(kept))

    def _note(self, method: str, what: str, value: float) -> None:
        self.found.setdefault((method, what), []).append(value)


def _tau(facts: Sequence[str], text: str, below: str) -> float | None:
    """Kendall's tau between the order in which facts are told and first said; None below two."""
    told, said = without_diacritics(text), without_diacritics(below)
    both = [fact for fact in facts if fact in told and fact in said]
    pairs = [(one, other) for at, one in enumerate(both) for other in both[:at]]
    if not pairs:
        return None
    same = sum((told.index(a) < told.index(b)) == (said.index(a) < said.index(b)) for a, b in pairs)
    return 2 * same / len(pairs) - 1


async def tell(asked: argparse.Namespace) -> None:
    """Prints each set's table as it is measured, then that of all."""
    with tempfile.TemporaryDirectory() as folder, open_desk(Path(folder), limits=PATIENT) as desk:
        provider = await _chosen(desk, asked.model_url) if asked.model_url else None
        every = Account()
        for name in asked.sets or (SETS if asked.data else (*TALKS, *FRESH)):
            account = Account()
            found = [one for one in _samples(name, asked.data, asked.items) if one.size <= asked.longest]
            for sample in _spread(found, asked.nodes):
                await _look((account, every), desk, provider, sample)
                if asked.show:
                    sys.stdout.write("".join(f"{name}: {line}\n" for line in account.told))
                account.told.clear()
                sys.stdout.flush()
            sys.stdout.write(_table(name, account))
        sys.stdout.write(_table("all", every))


async def _chosen(desk: Desk, url: str) -> Provider:
    """The server at an address, which may take its time."""
    desk.choose(url, model="local", budget=BudgetSettings(daily_tokens=100_000_000))
    key = os.environ.get("HEEDFUL_TEST_MODEL_KEY", "none")
    desk.secrets.set(f"provider:custom@{endpoint(url).host}", key)
    return await desk.agreed()


def _samples(name: str, data: Path, items: int) -> Iterator[Sample]:
    if name in {*TALKS, *FRESH}:
        kind, _, lang = name.partition("-")
        yield from _small_talks(SMALL_TALKS[kind], lang)
        return
    threads = _mails(data / "bc3") if name == "bc3" else _talks(name, data)
    for passages, moments in threads:
        for made_of in _parted(passages, moments, items):
            yield Sample(made_of)


def _small_talks(file: Path, lang: str) -> Iterator[Sample]:
    for talk in tomllib.loads(file.read_text(encoding="utf-8"))["talk"]:
        if talk["lang"] == lang:
            passages = tuple(Passage(label, text, lang) for label, text in talk["turns"])
            moments = tuple(datetime(2026, 11, 30, 9, at, tzinfo=UTC) for at in range(len(passages)))
            node = _node(moments[0], moments[-1], len(passages))
            yield Sample(
                Material(node, passages, moments, frozenset([SOURCE])), tuple(map(tuple, talk["decided"]))
            )


def _spread(found: list[Sample], count: int) -> list[Sample]:
    """So many of them, from all over."""
    step = max(1, len(found) // count)
    return found[::step][:count]


def _mails(folder: Path) -> Iterator[tuple[list[Passage], list[datetime]]]:
    for line in (folder / "threads.jsonl").read_text(encoding="utf-8").splitlines():
        thread = json.loads(line)
        passages: list[Passage] = []
        moments: list[datetime] = []
        for mail in thread["emails"]:
            text = "".join(sentence["text"] for sentence in mail["sentences"])
            author = parseaddr(mail["from"])[0] or parseaddr(mail["from"])[1]
            passages.append(Passage(f"{author} · {thread['name']}", text, "en"))
            moments.append(_moment(mail["received"], moments))
        yield passages, moments


def _moment(written: str, before: Sequence[datetime]) -> datetime:
    parts = written.split()  # Tue Dec 08 07:30:52 -0800 1998
    try:
        return parsedate_to_datetime(f"{parts[2]} {parts[1]} {parts[5]} {parts[3]} {parts[4]}")
    except (IndexError, ValueError):
        return before[-1] if before else datetime(1999, 1, 1, tzinfo=UTC)


def _talks(name: str, data: Path) -> Iterator[tuple[list[Passage], list[datetime]]]:
    for corpus in corpora(name, data):
        threads: dict[str, tuple[list[Passage], list[datetime]]] = {}
        for said in corpus.messages:
            passages, moments = threads.setdefault(said.thread, ([], []))
            label = said.author if said.author != "note" else said.thread
            passages.append(Passage(label, said.text, guess(said.text)))
            moments.append(said.at)
        yield from threads.values()


def _parted(passages: Sequence[Passage], moments: Sequence[datetime], items: int) -> Iterator[Material]:
    """Nodes as the tree seals them: at so many messages, or as many tokens as one summary takes in."""
    begin = size = 0
    for place, passage in enumerate(passages, start=1):
        size += tokens_of(passage.text)
        if place - begin == items or size >= MOST_TOKENS or place == len(passages):
            if place - begin > 2:
                part = slice(begin, place)
                node = _node(moments[begin], moments[place - 1], place - begin)
                yield Material(node, tuple(passages[part]), tuple(moments[part]), frozenset([SOURCE]))
            begin, size = place, 0


def _node(first: datetime, last: datetime, items: int) -> Node:
    return Node(
        NodeId("n"), "thread", "t", 1, None, first, last, items, True, 0, "", 0, "none", "", "", None
    )  # fmt: skip


async def _look(accounts: tuple[Account, ...], desk: Desk, provider: Provider | None, sample: Sample) -> None:
    made_of = sample.made_of
    facts = _facts(made_of)
    if not any(facts.values()):
        return
    plain = extractive(made_of).text
    made_of = replace(made_of, node=replace(made_of.node, text=plain))
    written = None if provider is None else await _asked(accounts, desk, provider, made_of)
    for account in accounts:
        account.nodes += 1
        if isinstance(written, Written):
            account.add(MODEL, written.text, facts, sample)
        if written is None or isinstance(written, Written):
            account.add(NO_MODEL, plain, facts, sample)


async def _asked(
    accounts: tuple[Account, ...], desk: Desk, provider: Provider, made_of: Material
) -> Written | Refused:
    tools = Tools(desk.store, desk.clock, random_id, desk.inference)
    begin = time.monotonic()
    run_id = RunId(random_id())
    written = await written_by_model(
        tools, provider, made_of, prompt=load_prompt(PROMPT, PROMPTS), run_id=run_id
    )
    seconds = time.monotonic() - begin
    call = await _call(desk, run_id)
    fate = "kept" if isinstance(written, Written) else f"refused: {written}"
    for account in accounts:
        account.seconds += seconds
        account.calls.append(call)
        account.fates[fate] += 1
        account.told += _explained(fate, _said(call.response or ""), made_of, seconds)
    return written


def _facts(made_of: Material) -> Facts:
    """The numbers, the words of dates and the words of names that stand below a node, by kind."""
    numbers, dates, names = set[str](), set[str](), set[str]()
    for passage, at in zip(made_of.passages, made_of.days, strict=True):
        numbers |= numbers_in(passage.text)
        for date in find_dates(passage.text, at=at, lang=passage.lang):
            dates |= {word for word in _words(date.text, passage.lang) if not word.isdigit()}
        for name in names_in(passage.text, lang=passage.lang, known=Known({}, {})):
            names |= _words(name.name, passage.lang)
    return {
        "numbers": frozenset(numbers),
        "dates": frozenset(dates - numbers),
        "names": frozenset(names - dates),
    }


def _words(text: str, lang: str) -> set[str]:
    return {without_diacritics(word) for word in tokens(text) if not is_stop_word(word, lang)}


async def _call(desk: Desk, run_id: RunId) -> LedgerEntry:
    entries = await desk.inference.ledger.entries(desk.clock.now() - timedelta(days=1), limit=100_000)
    return next(entry for entry in entries if entry.run_id == run_id)


def _said(answered: str) -> str:
    """The text of a call's answer, before it was looked at; empty where there was none."""
    try:
        content = json.loads(answered)["choices"][0]["message"]["content"]
        return str(json.loads(content)["items"][0]["text"])
    except (ValueError, LookupError, TypeError):
        return ""


def _explained(fate: str, said: str, made_of: Material, seconds: float) -> list[str]:
    ground = Ground.of(given(made_of, None))
    parts = [one.text for one in sentences(said, made_of.lang)]
    strange = {part: unheard(part, ground, lang=made_of.lang, at=made_of.days[-1]) for part in parts}
    wrong = misattributed(said, made_of.passages, lang=made_of.lang)
    return [
        f"{fate}, after {seconds:.0f} s: {said}",
        *(f"  taken out for {sorted(words)}: {part}" for part, words in strange.items() if words),
        *(f"  in the wrong mouth: {part}" for part in wrong),
    ]


def _table(name: str, account: Account) -> str:
    """What was counted, as a table; of a model first what became of its answers."""
    if not account.nodes:
        return f"{name}: no nodes\n"
    methods = [method for method in (MODEL, NO_MODEL) if (method, "tokens") in account.found]
    rows = [f"{name}, {account.nodes} nodes"]
    if account.calls:
        rows += [
            f"| {fate} | {count} ({count / account.nodes:.0%}) |"
            for fate, count in account.fates.most_common()
        ]
        read, wrote = (
            _mean([getattr(call.usage, of) for call in account.calls]) for of in ("input", "output")
        )
        rows.append(
            f"| a call | {account.seconds / account.nodes:.0f} s, {read:.0f} tokens in, {wrote:.0f} out |"
        )
    if methods:
        rows.append("| | " + " | ".join(methods) + " |")
    for what in MEASURES:
        values = [account.found.get((method, what)) for method in methods]
        if any(values):
            rows.append(
                f"| {what} | " + " | ".join(f"{_mean(one):.2f}" if one else "–" for one in values) + " |"
            )
    return "\n".join(rows) + "\n\n"


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.summaries", description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the sets; the talks need none")
    parser.add_argument("--model-url", default="")
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--items", type=int, default=FAN_OUT, help="messages a node")
    parser.add_argument("--longest", type=int, default=MOST_TOKENS, help="leave out nodes of more tokens")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--sets", nargs="*", choices=SETS)
    asyncio.run(tell(parser.parse_args()))


if __name__ == "__main__":
    main()
