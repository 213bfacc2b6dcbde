"""`python -m tests.benchmarks.named_by_model [--data DIR] [--model-url URL] [--lang de] [--texts N] [--show]`.

Names in short texts by patterns alone, and with what a model names besides, as the job `name_entities` would ask for
it: one text a call, what patterns found stays. The texts are those of `mempalace_eval` in DIR, else our own in three
languages (`tests/fixtures/named_texts`). Counted are people, organisations, places and projects, by kind and name, and
by name alone; of what the model added, what is right. A server's key is taken from HEEDFUL_TEST_MODEL_KEY; without
a server only patterns look.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from heedful.core.ids import RunId, random_id
from heedful.core.settings import BudgetSettings
from heedful.inference import Prompt, Provider, endpoint, load_prompt
from heedful.inference.chat import Limits
from heedful.memory.entities.by_model import PROMPT, named_by_model
from heedful.memory.entities.kinds import EntityKind, Sighting
from heedful.memory.entities.named_store import Passage
from heedful.memory.entities.names import Known, has_unexplained, names_in
from heedful.memory.entities.patterns import without_overlap
from heedful.memory.entities.reading import Around
from heedful.memory.messages.stored import StoredMessage
from heedful.memory.work.kind import Tools
from tests.benchmarks.report import Figure, print_figures
from tests.fakes.memories import letter
from tests.inference.desk import Desk, open_desk

FIXTURES = Path(__file__).parents[1] / "fixtures" / "named_texts"
PROMPTS = Path(__file__).parents[2] / "prompts"
PATIENT = Limits(total_s=900.0, attempt_s=900.0)
NOTHING_KNOWN = Known({}, {})
_KINDS = {"organization": "organisation"}
_MARK = re.compile(r"\[([^\]]+)\]\((\w+)\)")


@dataclass(slots=True)
class Tally:
    """Names found truly, found in all, and there, of some texts."""

    hits: int = 0
    found: int = 0
    there: int = 0

    def add(self, said: Iterable[object], so: Iterable[object]) -> None:
        """Counts one text."""
        self.hits += len(set(said) & set(so))
        self.found += len(set(said))
        self.there += len(set(so))

    def figures(self, what: str) -> list[Figure]:
        """Precision and recall."""
        return [
            Figure(f"{what}: precision", self.hits / max(1, self.found), "", note=f"of {self.found}"),
            Figure(f"{what}: recall", self.hits / max(1, self.there), "", note=f"of {self.there}"),
        ]


@dataclass(slots=True)
class Account:
    """What became of the texts."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    fates: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, what: str, said: Iterable[object], so: Iterable[object]) -> None:
        """Counts one text by one way of looking."""
        self.tallies.setdefault(what, Tally()).add(said, so)


def figures(asked: argparse.Namespace) -> list[Figure]:
    """The figures of the languages asked for."""
    return asyncio.run(_figures(asked))


async def _figures(asked: argparse.Namespace) -> list[Figure]:
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder, open_desk(Path(folder), limits=PATIENT) as desk:
        provider = await _chosen(desk, asked.model_url) if asked.model_url else None
        tools = Tools(desk.store, desk.clock, random_id, desk.inference, PROMPTS)
        prompt = load_prompt(PROMPT, PROMPTS)
        for lang in asked.lang:
            account = Account()
            for text, so in list(_texts(asked.data, lang))[: asked.texts]:
                message = replace(letter(text), lang=lang[:2])
                await _look(account, tools, provider, prompt, message, so=so, show=asked.show)
            for what, tally in account.tallies.items():
                found += tally.figures(f"{lang}, {what}")
            calls = account.fates["asked"]
            found.append(
                Figure(f"{lang}, texts asked about", calls, "", note=f"{account.fates['explained']} not")
            )
            found.append(Figure(f"{lang}, a call", account.seconds / max(1, calls), "s"))
    return found


async def _chosen(desk: Desk, url: str) -> Provider:
    desk.choose(url, model="local", budget=BudgetSettings(daily_tokens=100_000_000))
    desk.secrets.set(
        f"provider:custom@{endpoint(url).host}", os.environ.get("HEEDFUL_TEST_MODEL_KEY", "none")
    )
    return await desk.agreed()


def _texts(data: Path | None, lang: str) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    if data is None:
        yield from _own_texts(lang[:2])
        return
    for line in (data / "mempalace_eval" / "samples.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        if row["task"] == "entity_extraction":
            labels = frozenset(
                (label["name"].casefold(), _KINDS.get(label["type"], label["type"]))
                for label in row["labels"]
            )
            yield row["texts"][lang], labels


def _own_texts(lang: str) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    for marked in (FIXTURES / f"{lang}.txt").read_text(encoding="utf-8").split("\n---\n"):
        labels = frozenset(
            (mark[1].casefold(), mark[2]) for mark in _MARK.finditer(marked) if mark[2] != "product"
        )
        yield _MARK.sub(r"\1", marked).strip(), labels


async def _look(
    account: Account,
    tools: Tools,
    provider: Provider | None,
    prompt: Prompt,
    message: StoredMessage,
    *,
    so: frozenset[tuple[str, str]],
    show: bool,
) -> None:
    text = message.text
    seen = names_in(text, lang=message.lang, known=NOTHING_KNOWN)
    named: tuple[Sighting, ...] = ()
    if has_unexplained(text, 0, len(text), lang=message.lang, seen=[(one.start, one.end) for one in seen]):
        began = time.monotonic()
        passage = Passage(1, message, Around(), ((0, len(text)),))
        if provider is not None:
            named = await named_by_model(tools, provider, passage, prompt=prompt, run_id=RunId("run"))
        account.seconds += time.monotonic() - began
        account.fates["asked"] += 1
    else:
        account.fates["explained"] += 1
    both = without_overlap([*seen, *named])
    added = [one for one in both if one not in seen]
    _count(account, "by patterns", seen, so)
    _count(account, "with the model", both, so)
    account.add("what the model added", _said(added), {one for one in so if one in _said(added)})
    if show:
        false = sorted(_said(added) - so)
        sys.stdout.write(f"{message.lang}: added {sorted(_said(added) & so)} false {false}\n")
        sys.stdout.write(f"    missed {sorted(so - _said(both))}\n")
        sys.stdout.flush()


def _count(account: Account, what: str, seen: Iterable[Sighting], so: frozenset[tuple[str, str]]) -> None:
    said = _said(seen)
    account.add(what, said, so)
    account.add(f"{what}, whatever its kind", {name for name, _ in said}, {name for name, _ in so})


def _said(seen: Iterable[Sighting]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (one.name.casefold(), one.kind.value) for one in seen if one.kind is not EntityKind.PRODUCT
    )


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.named_by_model", description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--model-url", default="")
    parser.add_argument("--lang", nargs="+", default=["de", "pt-BR", "es"])
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--show", action="store_true")
    print_figures("memory", figures(parser.parse_args()), sys.stdout)


if __name__ == "__main__":
    main()
