"""`python -m tests.benchmarks.mentions --data DIR [--show]`: whom the bodies of mails mean when they name somebody.

The threads of `email_coref_enron` are parted into their mails, oldest first, and read as any mail is. Asked is of each
name in a body that the set gives to somebody of the thread's heads: was a person seen there, and was it that one.
«Of our people» counts what we took for a person: whether the set has any person there. Pronouns do not count.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.ids import SourceId
from heedful.core.paths import home_at
from heedful.reading import zones
from heedful.sources import Incoming, Person
from heedful.storage import Key, KeyKind, Store
from tests.benchmarks.report import Figure, print_figures
from tests.memory.incoming import letter
from tests.memory.reading_along import tell

SOURCE = SourceId("set")
BEGIN = datetime(2001, 10, 1, tzinfo=UTC)

_HEADS = re.compile(r"(?i)(date|from|sent|to|cc|bcc|subject|importance|x - \w+|x-\w+) :")
_TAG = re.compile(r"\((\w+?)\*?\)|\((\w+?)\*?$|^(\w+?)\*?\)")
_CHAIN = re.compile(r"(\()?(\d+)(\))?")
_CLOSING = frozenset(".,;:?!)'")
_PRONOUNS = re.compile(
    r"(?i)i|me|my|mine|we|us|ours?|yours?|you|he|him|his|she|hers?|they|them|theirs?|its?|who|whom|whose|all|both|folks|guys|"
    r"team|gentlemen|ladies|(?:every|any|some)(?:one|body)"
)


@dataclass(frozen=True, slots=True)
class Marked:
    """Words that the set marks: their characters in a line, their kind's letter, and their chain."""

    start: int
    end: int
    kind: str
    chain: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a thread as text, with its marks."""

    text: str
    marks: tuple[Marked, ...]


@dataclass(slots=True)
class Mail:
    """One mail of a thread: the chains in its head with how they are written, and the marks of its body."""

    heads: list[tuple[str, str, str]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def body(self) -> tuple[str, list[Marked]]:
        """The text, and its marks in it."""
        text, marks = "", []
        for line in self.lines:
            marks += [Marked(len(text) + m.start, len(text) + m.end, m.kind, m.chain) for m in line.marks]
            text += line.text + "\n"
        return text, marks


def measure(asked: argparse.Namespace) -> list[Figure]:
    """The figures over all threads at hand; none where there is no data."""
    return [] if asked.data is None else figures(asked.data, show=False)


def figures(data: Path, *, show: bool) -> list[Figure]:
    """The figures, with every name that was not taken for the right one printed before where `show`."""
    files = sorted((data / "email_coref_enron").glob("*.conll"))
    return asyncio.run(_measure(files, show=show)) if files else []


async def _measure(files: list[Path], *, show: bool) -> list[Figure]:
    told: Counter[str] = Counter()
    for file in files:
        with tempfile.TemporaryDirectory() as home:
            store = Store.open(home_at(Path(home)), Key(KeyKind.UNENCRYPTED, None), Bus())
            try:
                fates = await _thread(store, list(_mails(_lines(file.read_text(encoding="utf-8")))))
            finally:
                store.close()
        told.update(fate for fate, _ in fates)
        if show:
            sys.stdout.write(
                "".join(f"{file.stem}: {fate}: {said}\n" for fate, said in fates if fate != "right")
            )
    taken = told["right"] + told["another"]
    named = told["right"] + told["another"] + told["nobody"]
    ours = told["right"] + told["another"] + told["somebody else's"] + told["no person"]
    return [
        Figure("names in bodies of mails: of people of the heads", named, ""),
        Figure("names in bodies of mails: taken for the right one", told["right"] / named, ""),
        Figure("names in bodies of mails: of those taken for anyone, rightly", told["right"] / taken, ""),
        Figure(
            "names in bodies of mails: of our people, where there is a person",
            1 - told["no person"] / ours,
            "",
        ),
    ]


def _lines(content: str) -> Iterator[Line]:
    for block in re.split(r"\n\s*\n", content):
        rows = [row.split("\t") for row in block.splitlines() if row and not row.startswith("#")]
        if rows:
            yield _line([(row[0], row[2], row[3]) for row in rows if len(row) > 3])


def _line(tokens: Iterable[tuple[str, str, str]]) -> Line:
    text, marks = "", []
    open_chains: dict[str, int] = {}
    kinds: dict[str, str] = {}
    for word, kind, chains in tokens:
        if text and word[0] not in _CLOSING and not text.endswith("("):
            text += " "
        start = len(text)
        text += word
        letter_of = next((group[0] for tag in _TAG.finditer(kind) for group in tag.groups() if group), "")
        for opens, chain, closes in _CHAIN.findall(chains):
            if opens:
                open_chains[chain], kinds[chain] = start, letter_of
            if closes and chain in open_chains:
                marks.append(Marked(open_chains.pop(chain), len(text), kinds[chain], chain))
    return Line(text, tuple(marks))


def _mails(lines: Iterable[Line]) -> Iterator[Mail]:
    mail, in_head = Mail(), True
    for line in lines:
        if line.text.startswith("Original Message"):
            yield mail
            mail, in_head = Mail(), True
            continue
        head = _HEADS.match(line.text.replace(":", " :", 1).replace("  :", " :", 1))
        in_head = in_head and head is not None
        if in_head and head is not None:
            name = head[1].casefold().replace(" ", "").removeprefix("x-")
            mail.heads += [(name, m.chain, line.text[m.start : m.end]) for m in line.marks if m.kind == "P"]
        else:
            mail.lines.append(line)
    yield mail


def _people(mails: Iterable[Mail]) -> dict[str, Person]:
    """Whom each chain of the heads stands for: by the longest name and the address."""
    found: dict[str, Person] = {}
    for mail in mails:
        for _, chain, written in mail.heads:
            known = found.get(chain, Person("", ""))
            if "@" in written:
                found[chain] = Person(known.name, known.address or written.casefold().replace(" ", ""))
            else:
                last, _, first = written.partition(",")
                name = " ".join(f"{first} {last}".split())
                found[chain] = Person(max(known.name, name, key=len), known.address)
    return found


def _incoming(number: int, mail: Mail, people: Mapping[str, Person]) -> Incoming:
    text, _ = mail.body()
    named: dict[str, list[str]] = {"from": [], "to": [], "cc": []}
    for head, chain, _ in mail.heads:
        if head in named and chain not in named[head]:
            named[head].append(chain)
    author = people[named["from"][0]] if named["from"] else Person("", "")
    return letter(
        number, text, zones=zones(text), thread_key="thread", author=author, sent_at=BEGIN + timedelta(hours=number),
        to=tuple(people[chain] for chain in named["to"]), cc=tuple(people[chain] for chain in named["cc"]),
    )  # fmt: skip


async def _thread(store: Store, mails: list[Mail]) -> list[tuple[str, str]]:
    people = _people(mails)
    old_first = list(reversed(mails))
    for number, mail in enumerate(old_first):
        await tell(store, SOURCE, _incoming(number, mail, people))
    who = await _heads_of(store, people)
    fates: list[tuple[str, str]] = []
    for number, mail in enumerate(old_first):
        text, marks = mail.body()
        fates += _fates(text, marks, await _seen(store, number), who)
    return fates


def _fates(
    text: str, marks: list[Marked], seen: list[tuple[int, int, object]], who: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    persons = [m for m in marks if m.kind == "P" and not _PRONOUNS.fullmatch(text, m.start, m.end)]
    for mark in persons:
        said = text[mark.start : mark.end]
        if mark.chain in who and said[0].isupper():
            here = [one for start, end, one in seen if start < mark.end and mark.start < end]
            yield "nobody" if not here else "right" if who[mark.chain] in here else "another", said
    for start, end, _ in seen:
        over = [m for m in persons if m.start < end and start < m.end]
        if not over:
            yield "no person", text[start:end]
        elif not any(m.chain in who and text[m.start].isupper() for m in over):
            yield "somebody else's", text[start:end]


async def _heads_of(store: Store, people: Mapping[str, Person]) -> dict[str, object]:
    """Each chain's person in the registry."""
    rows = await store.read(
        lambda connection: connection.rows(
            "SELECT a.kind, a.alias, e.canonical FROM aliases a JOIN entities e ON e.seq = a.entity_seq "
            "WHERE e.kind = 'person' AND a.kind IN ('address', 'name') ORDER BY a.is_own"
        )
    )
    by_alias = {str(alias): canonical for _, alias, canonical in rows}
    found: dict[str, object] = {}
    for chain, person in people.items():
        one = by_alias.get(person.address) or by_alias.get(person.name)
        if one is not None:
            found[chain] = one
    return found


async def _seen(store: Store, number: int) -> list[tuple[int, int, object]]:
    rows = await store.read(
        lambda connection: connection.rows(
            "SELECT DISTINCT x.start, x.finish, e.canonical FROM mentions x JOIN chunks c ON c.seq = x.chunk_seq "
            "JOIN messages m ON m.seq = c.message_seq JOIN entities e ON e.seq = x.entity_seq "
            "JOIN aliases a ON a.seq = x.alias_seq "
            "WHERE m.external_id = ? AND e.kind = 'person' AND x.finish > x.start AND a.kind <> 'phone'",
            (f"x{number}",),
        )
    )
    return [(int(start or 0), int(end or 0), canonical) for start, end, canonical in rows]


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.mentions", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    print_figures("memory", figures(asked.data, show=asked.show), sys.stdout)


if __name__ == "__main__":
    main()
