"""`heedful tree`: how much there is; and the memory tree from its leaves: sources, what they hold, one passage whole.

Its rows are those that other programs get over MCP (`memory.tree_rows`).
"""

import argparse
import asyncio
from typing import TYPE_CHECKING

from heedful.cli.command import Command, Terminal
from heedful.cli.finding import moment
from heedful.core.errors import RejectedError

if TYPE_CHECKING:  # imported when it runs
    from heedful.app import App
    from heedful.memory.entities.kinds import EntityKind
    from heedful.memory.tree.tree_store import Node
    from heedful.memory.tree_rows import Row
    from heedful.storage import Connection


CONSCIOUS = "conscious"
KEY = "actionables"
MOST_ROWS = 1000
VERBS = {
    "sources": "sources with counts, the one with the newest message first",
    "browse": "what there is, newest first; summaries with --nodes root, source, thread or day",
    "entities": "people and things, the most mentioned first",
    "read": "one passage or summary, whole",
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    verbs.add_parser("sources", help=VERBS["sources"])
    browse = verbs.add_parser("browse", help=VERBS["browse"])
    browse.add_argument(
        "--source", metavar="ID", help=f"a source's id, or `{CONSCIOUS}` for the stored actionables"
    )
    browse.add_argument("--entity", metavar="ID", help="only what mentions this person or thing")
    browse.add_argument("--since", type=moment, metavar="ISO", help="sent then or later")
    browse.add_argument("--until", type=moment, metavar="ISO", help="sent then or earlier")
    browse.add_argument(
        "--nodes",
        choices=("root", "source", "thread", "day"),
        help="summaries of this scope, instead of passages",
    )
    browse.add_argument("-k", type=_count, default=20, metavar="N", help="at most N (default 20)")
    browse.add_argument("--offset", type=_offset, default=0, metavar="N", help="pass over the first N")
    named = verbs.add_parser("entities", help=VERBS["entities"])
    named.add_argument("--kind", metavar="KIND", help="one kind: person, organisation, place, project, …")
    named.add_argument(
        "--hot", action="store_true", help="the ones most on your mind first, with their names"
    )
    named.add_argument("-k", type=_count, default=20, metavar="N", help="at most N (default 20)")
    verbs.add_parser("read", help=VERBS["read"]).add_argument("id", help="a chunk's or a node's id")


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_ROWS:
        raise argparse.ArgumentTypeError(f"say a number from 1 to {MOST_ROWS}")
    return int(text)


def _offset(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("say a number from 0")
    return int(text)


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_show(asked, terminal))


async def _show(asked: argparse.Namespace, terminal: Terminal) -> int:
    if asked.verb is None:
        return await _count_up(terminal)
    from heedful.presenters import tree_words

    words: tree_words.Words
    async with terminal.app(read_only=True) as app:
        match asked.verb:
            case "sources":
                found, words = await _sources(app), tree_words.source_words
            case "browse" if asked.source == CONSCIOUS:
                found, words = await _actionables(app), tree_words.item_words
            case "browse" if asked.nodes:
                found, words = await _browse_nodes(app, asked), tree_words.node_words
            case "browse":
                found, words = await _browse(app, asked), tree_words.passage_words
            case "entities":
                found = await (_hot_entities if asked.hot else _entities)(app, asked)
                words = tree_words.entity_words
            case _:
                found, words = [await _read(app, asked.id)], tree_words.whole_words
    for row in found:
        terminal.say(words(row))
    if not found:
        terminal.say("There is nothing here.")
    terminal.give(found[0] if asked.verb == "read" else found)
    return 0


async def _count_up(terminal: Terminal) -> int:
    """How much there is to browse, and how."""
    from dataclasses import asdict

    from heedful.memory.tree.overview import overview
    from heedful.presenters.numbers import count

    async with terminal.app(read_only=True) as app:
        found = await app.store.read(overview)
    terminal.say(
        f"{count(found.sources, 'source')} with {count(found.messages, 'message')} in "
        f"{count(found.chunks, 'passage')}; above them {count(found.nodes, 'summary', 'summaries')} and "
        f"{count(found.days, 'daily digest')}; {count(found.people, 'person', 'people')} and "
        f"{count(found.things, 'thing')}."
    )
    for verb, told in VERBS.items():
        terminal.say(f"  heedful tree {verb:9} {told}")
    terminal.give(asdict(found))
    return 0


async def _sources(app: "App") -> "list[Row]":
    from heedful.memory.tree_rows import every_source, source_rows

    return await app.store.read(lambda connection: source_rows(connection, every_source(connection)))


async def _actionables(app: "App") -> "list[Row]":
    """The stored actionables as the namespace holds them: namespace, key, and the item as the document."""
    from heedful.actionables import State
    from heedful.presenters import machine

    items = await app.decisions.items(states=tuple(State))
    return [{"namespace": CONSCIOUS, "key": KEY, **machine.actionable(item)} for item in items]


async def _browse(app: "App", asked: argparse.Namespace) -> "list[Row]":
    from heedful.memory.search.browsing import Range, browse
    from heedful.memory.tree_rows import every_source, leaf_row
    from heedful.storage import Connection

    def read(connection: Connection) -> "list[Row]":
        sources = every_source(connection)
        among = sources if asked.source is None else sources & {asked.source}
        if not among and asked.source is not None:
            raise RejectedError("There is no such source", "", "Take an id from `heedful tree sources`.")
        _refuse_unknown_entity(connection, asked.entity)
        listing = Range(among, asked.entity, asked.since, asked.until)
        return [leaf_row(leaf) for leaf in browse(connection, listing, limit=asked.k, skip=asked.offset)]

    return await app.store.read(read)


def _refuse_unknown_entity(connection: "Connection", entity_id: str | None) -> None:
    from heedful.memory.entities.registry import entity

    if entity_id is not None and entity(connection, entity_id) is None:
        raise RejectedError("There is no such entity", "", "Take an id from `heedful tree entities`.")


async def _entities(app: "App", asked: argparse.Namespace) -> "list[Row]":
    from heedful.memory.entities.among import entities_among
    from heedful.memory.tree_rows import entity_rows, every_source

    kind = _kind(asked.kind)
    return await app.store.read(
        lambda connection: entity_rows(
            entities_among(connection, every_source(connection), kind=kind, limit=asked.k)
        )
    )


async def _hot_entities(app: "App", asked: argparse.Namespace) -> "list[Row]":
    """As `_entities`, by heat, with that and every way in which each is written."""
    from heedful.memory.entities.registry import top_entities
    from heedful.presenters import machine

    kind, now = _kind(asked.kind), app.clock.now()
    found = await app.store.read(lambda connection: top_entities(connection, kind, limit=asked.k, now=now))
    return [
        {
            "id": entity.id,
            "kind": entity.kind.value,
            "name": entity.name,
            "count": entity.chunks,
            "last_at": machine.moment(entity.last_at),
            "hotness": entity.hotness,
            "aliases": sorted({alias.text for alias in entity.aliases} - {entity.name}),
        }
        for entity in found
    ]


def _kind(asked: str | None) -> "EntityKind | None":
    from heedful.memory.entities.kinds import EntityKind

    known = {kind.value: kind for kind in EntityKind}
    if asked is not None and asked not in known:
        raise RejectedError(f"There is no kind {asked}", "", f"Known are: {', '.join(known)}.")
    return None if asked is None else known[asked]


async def _browse_nodes(app: "App", asked: argparse.Namespace) -> "list[Row]":
    from heedful.memory.tree import tree_store

    nodes = await app.store.read(
        lambda connection: tree_store.browse(
            connection, scope=asked.nodes, below=asked.source, since=asked.since, limit=asked.k
        )
    )
    return [_node(node) for node in nodes]


def _node(node: "Node") -> "Row":
    from heedful.presenters import machine

    return {
        "id": node.id,
        "kind": "node",
        "scope": node.scope,
        "scope_id": node.scope_id,
        "level": node.level,
        "parent_id": node.parent_id,
        "begins_at": machine.moment(node.begins_at),
        "ends_at": machine.moment(node.ends_at),
        "items": node.items,
        "sealed": node.is_sealed,
        "stale": bool(node.stale),
        "method": node.method,
        "made_by": node.made_by,
        "prompt": node.prompt,
        "text": node.text,
    }


async def _read(app: "App", wanted: str) -> "Row":
    from heedful.memory.tree_rows import every_source, passage_row

    found = await app.store.read(lambda connection: passage_row(connection, wanted, every_source(connection)))
    if found is None:
        raise RejectedError("There is no such passage", "", "Find one with `heedful search`.")
    return found


COMMAND = Command("tree", "browse the memory", _add_arguments, _run)
