"""Makes the text of a node from what hangs right below it, and says how it was made.

Every node has an extractive text as soon as it is stale; where the person chose a model, and nothing below the node
must stay on this machine, the model writes it anew. Either way nothing is in it that is not below it.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from heedful.core.ids import SourceId
from heedful.memory.messages.stored import sent
from heedful.memory.tree import tree_store
from heedful.memory.tree.extractive import VERSION, Passage, extract
from heedful.memory.tree.tree_store import Node, Written
from heedful.reading import Zone, ZoneKind, guess
from heedful.storage import Connection, Row

BUDGETS = {"thread": 900, "source": 1200, "root": 1500, "day": 1200}
"""The most characters of a text, by scope."""

_REPLY = re.compile(r"(?i)^(?:(?:re|aw|sv|fwd?|wg|res|enc|rv)\s*:\s*)+")
_TITLED = frozenset(["email", "note", "calendar"])


@dataclass(frozen=True, slots=True)
class Material:
    """What a node is made of. `days` are those of the passages, in the same order; `lang` is that of most of them.

    `sources` are those whose words are in it; None where nobody asked, and then no model may see it.
    """

    node: Node
    passages: tuple[Passage, ...]
    days: tuple[datetime, ...]
    sources: frozenset[SourceId] | None

    @property
    def lang(self) -> str:
        counted = Counter(one.lang for one in self.passages)
        return min(counted, key=lambda lang: (-counted[lang], lang)) if counted else "en"


def material(connection: Connection, node: Node, *, with_sources: bool = False) -> Material:
    """Reads what hangs right below a node, in the order of time; `with_sources` also whose words are in it."""
    parts = _of_chunks(connection, node) + _of_nodes(connection, node)
    parts.sort(key=lambda part: part[0])
    return Material(
        node,
        tuple(passage for _, passage in parts),
        tuple(at for at, _ in parts),
        tree_store.sources_below(connection, node) if with_sources else None,
    )


def extractive(made_of: Material) -> Written:
    """The text that needs no model."""
    text = extract(made_of.passages, budget=BUDGETS[made_of.node.scope])
    return Written(text, tokens_of(text), "extractive", VERSION)


def tokens_of(text: str) -> int:
    """About how many tokens a text is: a rough count that is the same on every machine, for the bounds of nodes."""
    return math.ceil(len(text) / 4)


def _of_nodes(connection: Connection, node: Node) -> list[tuple[datetime, Passage]]:
    return [
        (child.begins_at, Passage("", child.text, guess(child.text), is_lines=child.method == "extractive"))
        for child in tree_store.children(connection, node.id)
    ]


def _of_chunks(connection: Connection, node: Node) -> list[tuple[datetime, Passage]]:
    rows = connection.rows(
        "SELECT m.sent_at, m.sent_offset_min, c.start, c.finish, m.text, m.zones, m.lang, m.channel, m.subject, "
        "a.name, a.address FROM node_chunks k JOIN chunks c ON c.id = k.chunk_id "
        "JOIN messages m ON m.seq = c.message_seq LEFT JOIN participants a ON a.id = m.author_id "
        "WHERE k.node_id = ? ORDER BY m.sent_at, c.message_seq, c.start",
        (node.id,),
    )
    return [(sent(row[0], row[1]), Passage(_label(row), _said(row), str(row[6]))) for row in rows]


def _label(row: Row) -> str:
    author = str(row[9] or row[10] or "")
    subject = _REPLY.sub("", str(row[8])) if row[7] in _TITLED else ""
    return " · ".join(part.replace(": ", " – ").strip() for part in (author, subject) if part.strip())


def _said(row: Row) -> str:
    """What the author wrote of a chunk, rather than quoted or signed; the whole chunk where nothing is marked so."""
    start, finish, text = int(row[2] or 0), int(row[3] or 0), str(row[4])
    zones = [Zone(ZoneKind(kind), begin, end) for kind, begin, end in json.loads(str(row[5]))]
    new = list(_inside(zones, start, finish))
    return "\n".join(text[begin:end] for begin, end in new) if zones else text[start:finish]


def _inside(zones: Sequence[Zone], start: int, finish: int) -> Iterable[tuple[int, int]]:
    for zone in zones:
        begin, end = max(zone.start, start), min(zone.end, finish)
        if begin < end and zone.kind in {ZoneKind.NEW, ZoneKind.FORWARDED}:
            yield begin, end
