"""`python -m tests.benchmarks.summaries --data DIR [--model-url URL] [--nodes N]`: what is kept by summaries.

Nodes right above ten messages, from mail, meetings, chats and texts in four languages, and from small talks of
invented people whose decisions are known (`summaries_talks.toml`). A fact is a number, a word of a date or a name that
stands below a node; what is told is the share of facts a text keeps, for each hundred of its tokens, how many of them
stand in the order in which they were said, how many tokens it has and, for the small talks, the share of decisions
that are kept. With a model also: how many of its texts stand on what is below, how many sentences were taken from
them and what nobody had said in those (`--show` prints them), and what a call takes. Both texts are then measured on
the same nodes, those whose model's text was kept.
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
from heedful.memory.tree.by_model import PROMPT, given, written_by_model
from heedful.memory.tree.extractive import Passage
from heedful.memory.tree.grounding import Ground, unheard
from heedful.memory.tree.growing import FAN_OUT, MOST_TOKENS
from heedful.memory.tree.summaries import Material, extractive, tokens_of
from heedful.memory.tree.tree_store import Node
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
from tests.benchmarks.report import Figure, print_figures
from tests.benchmarks.retrieval_sets import corpora
from tests.inference.desk import Desk, open_desk

TALKS = tuple(f"talks-{lang}" for lang in ("en", "de", "pt", "es"))
SETS = (*TALKS, "bc3", "beam", "locomo", "qmsum-turns", "faquad", "xquad-en-de", "xquad-en-es")
NODES = 12
SOURCE = SourceId("set")
PATIENT = Limits(total_s=900.0, attempt_s=900.0)
PROMPTS = Path(__file__).parents[2] / "prompts"
SMALL_TALKS = Path(__file__).with_name("summaries_talks.toml")


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
    """What became of one set's nodes: kept shares and lengths, by method, and what a model's texts were refused for."""

    nodes: int = 0
    kept: dict[str, list[float]] = field(default_factory=dict)
    lengths: dict[str, list[int]] = field(default_factory=dict)
    orders: dict[str, list[float]] = field(default_factory=dict)
    decisions: dict[str, list[float]] = field(default_factory=dict)
    calls: list[LedgerEntry] = field(default_factory=list)
    fates: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, method: str, text: str, facts: frozenset[str], sample: Sample) -> None:
        """Counts one text against the facts and decisions below its node."""
        ground = Ground.of(text)
        held = [fact for fact in facts if fact in ground.numbers or ground.holds(fact)]
        self.kept.setdefault(method, []).append(len(held) / len(facts))
        self.lengths.setdefault(method, []).append(tokens_of(text))
        order = _order(held, text, " ".join(passage.text for passage in sample.made_of.passages))
        if order is not None:
            self.orders.setdefault(method, []).append(order)
        if sample.decided:
            folded = without_diacritics(text)
            kept = [all(without_diacritics(word) in folded for word in words) for words in sample.decided]
            self.decisions.setdefault(method, []).append(sum(kept) / len(kept))


def _order(facts: Sequence[str], text: str, below: str) -> float | None:
    """The share of pairs of facts that are told in the order in which they were first said; None below two."""
    told, said = without_diacritics(text), without_diacritics(below)
    both = [fact for fact in facts if fact in told and fact in said]
    pairs = [(one, other) for at, one in enumerate(both) for other in both[:at]]
    if not pairs:
        return None
    same = sum((told.index(a) < told.index(b)) == (said.index(a) < said.index(b)) for a, b in pairs)
    return same / len(pairs)


def measure(asked: argparse.Namespace) -> list[Figure]:
    """The figures of every set at hand."""
    return asyncio.run(_measure(asked))


async def _measure(asked: argparse.Namespace) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, open_desk(Path(folder), limits=PATIENT) as desk:
        provider = await _chosen(desk, asked.model_url) if asked.model_url else None
        figures = []
        for name in asked.sets or SETS:
            account = Account()
            found = [one for one in _samples(name, asked.data, asked.items) if one.size <= asked.longest]
            for sample in _spread(found, asked.nodes):
                await _look(account, desk, provider, sample)
                if asked.show:
                    sys.stdout.write("".join(f"{name}: {line}\n" for line in account.told))
                    sys.stdout.flush()
                account.told.clear()
            figures += _figures(name, account)
        return figures


async def _chosen(desk: Desk, url: str) -> Provider:
    """The server at an address, which may take its time."""
    desk.choose(url, model="local", budget=BudgetSettings(daily_tokens=100_000_000))
    key = os.environ.get("HEEDFUL_TEST_MODEL_KEY", "none")
    desk.secrets.set(f"provider:custom@{endpoint(url).host}", key)
    return await desk.agreed()


def _samples(name: str, data: Path, items: int) -> Iterator[Sample]:
    if name in TALKS:
        yield from _small_talks(name.removeprefix("talks-"))
        return
    threads = _mails(data / "bc3") if name == "bc3" else _talks(name, data)
    for passages, moments in threads:
        for made_of in _parted(passages, moments, items):
            yield Sample(made_of)


def _small_talks(lang: str) -> Iterator[Sample]:
    for talk in tomllib.loads(SMALL_TALKS.read_text(encoding="utf-8"))["talk"]:
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


async def _look(account: Account, desk: Desk, provider: Provider | None, sample: Sample) -> None:
    made_of = sample.made_of
    facts = _facts(made_of)
    if not facts:
        return
    account.nodes += 1
    plain = extractive(made_of).text
    made_of = replace(made_of, node=replace(made_of.node, text=plain))
    if provider is None:
        account.add("extractive", plain, facts, sample)
        return
    tools = Tools(desk.store, desk.clock, random_id, desk.inference)
    prompt = load_prompt(PROMPT, PROMPTS)
    begin = time.monotonic()
    run_id = RunId(random_id())
    written = await written_by_model(tools, provider, made_of, prompt=prompt, run_id=run_id)
    account.seconds += time.monotonic() - begin
    call = await _call(desk, run_id)
    account.calls.append(call)
    said = _said(call.response or "")
    _explain(account, said, made_of, is_kept=written is not None)
    if written is not None:
        account.add("model", written.text, facts, sample)
        account.add("extractive", plain, facts, sample)


def _facts(made_of: Material) -> frozenset[str]:
    """The numbers, the words of dates and the words of names that stand below a node."""
    found: set[str] = set()
    for passage, at in zip(made_of.passages, made_of.days, strict=True):
        found |= numbers_in(passage.text)
        for date in find_dates(passage.text, at=at, lang=passage.lang):
            found |= {word for word in _words(date.text, passage.lang) if not word.isdigit()}
        for name in names_in(passage.text, lang=passage.lang, known=Known({}, {})):
            found |= _words(name.name, passage.lang)
    return frozenset(found)


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


def _explain(account: Account, said: str, made_of: Material, *, is_kept: bool) -> None:
    ground = Ground.of(given(made_of, None))
    parts = [one.text for one in sentences(said, made_of.lang)]
    strange = {part: unheard(part, ground, lang=made_of.lang, at=made_of.days[-1]) for part in parts}
    account.fates["kept" if is_kept else "unreadable" if not said else "refused"] += 1
    account.fates["sentences"] += len(parts)
    account.fates["sentences taken out"] += sum(map(bool, strange.values()))
    account.told += [f"{'kept' if is_kept else 'refused'} after {account.seconds:.0f} s: {said}"]
    account.told += [f"  taken out for {sorted(words)}: {part}" for part, words in strange.items() if words]


def _figures(name: str, account: Account) -> list[Figure]:
    figures = [Figure(f"{name}: nodes", account.nodes, "")]
    if account.fates:
        figures += [
            Figure(f"{name}: the model's texts that were kept", account.fates["kept"] / account.nodes, ""),
            Figure(
                f"{name}: its sentences taken out",
                account.fates["sentences taken out"] / max(1, account.fates["sentences"]),
                "",
            ),
            Figure(f"{name}: a call", account.seconds / account.nodes, "s"),
            Figure(f"{name}: it reads", _mean([call.usage.input for call in account.calls]), "tokens"),
            Figure(f"{name}: it writes", _mean([call.usage.output for call in account.calls]), "tokens"),
        ]
    for method in sorted(account.kept):
        shares, lengths = account.kept[method], account.lengths[method]
        per_hundred = [share / length * 100 for share, length in zip(shares, lengths, strict=True) if length]
        figures += [
            Figure(f"{name}, {method}: facts kept", sum(shares) / len(shares), ""),
            Figure(f"{name}, {method}: per 100 tokens", sum(per_hundred) / len(per_hundred), ""),
            Figure(f"{name}, {method}: length", sum(lengths) / len(lengths), "tokens"),
        ]
        for what, more in (("facts in order", account.orders), ("decisions kept", account.decisions)):
            if method in more:
                figures.append(Figure(f"{name}, {method}: {what}", _mean(more[method]), ""))
    return figures


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.summaries", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder of the sets; the talks need none"
    )
    parser.add_argument("--model-url", default="")
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--items", type=int, default=FAN_OUT, help="messages a node")
    parser.add_argument("--longest", type=int, default=MOST_TOKENS, help="leave out nodes of more tokens")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--sets", nargs="*", choices=SETS)
    print_figures("memory", measure(parser.parse_args()), sys.stdout)


if __name__ == "__main__":
    main()
