"""`heedful tree`: the memory tree from its leaves: sources, what they hold, one passage whole."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from heedful.cli.command import Command, Terminal
from heedful.cli.finding import moment

if TYPE_CHECKING:  # imported when it runs
    from heedful.app import App
    from heedful.memory.tree_store import Node
    from heedful.presenters.machine import Json

CONSCIOUS = "conscious"
KEY = "actionables"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    verbs.add_parser("sources", help="sources with counts")
    browse = verbs.add_parser("browse", help="what a source holds, newest first")
    browse.add_argument(
        "--source", metavar="ID", help=f"a source's id, or `{CONSCIOUS}` for the stored actionables"
    )
    browse.add_argument("--since", type=moment, metavar="ISO", help="sent then or later")
    browse.add_argument(
        "--nodes",
        choices=("root", "source", "thread", "day"),
        help="summaries of this scope, instead of messages",
    )
    browse.add_argument("-k", type=int, default=20, metavar="N", help="at most N (default 20)")
    named = verbs.add_parser("entities", help="people and things, the ones most on your mind first")
    named.add_argument("--kind", metavar="KIND", help="one kind: person, organisation, place, project, …")
    named.add_argument("-k", type=int, default=20, metavar="N", help="at most N (default 20)")
    verbs.add_parser("read", help="one passage or summary, whole").add_argument(
        "id", help="a chunk's or a node's id"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_show(asked, terminal))


async def _show(asked: argparse.Namespace, terminal: Terminal) -> int:
    async with terminal.app(read_only=True) as app:
        match asked.verb:
            case "sources":
                found = await _sources(app)
            case "browse" if asked.source == CONSCIOUS:
                found = await _actionables(app)
            case "browse" if asked.nodes:
                found = await _browse_nodes(app, asked)
            case "browse":
                found = await _browse(app, asked)
            case "entities":
                found = await _entities(app, asked)
            case _:
                found = [await _read_node(app, asked.id) or await _read(app, asked.id)]
    for row in found:
        terminal.say("  ".join(str(value) for value in row.values()))
    if not found:
        terminal.say("There is nothing here.")
    terminal.give(found[0] if asked.verb == "read" else found)
    return 0


async def _sources(app: "App") -> "list[Json]":
    from heedful.presenters import machine

    return [machine.source(row) for row in await app.library.sources()]


async def _actionables(app: "App") -> "list[Json]":
    """The stored actionables as the namespace holds them: namespace, key, and the item as the document."""
    from heedful.actionables import State
    from heedful.presenters import machine

    items = await app.decisions.items(states=tuple(State))
    return [{"namespace": CONSCIOUS, "key": KEY, **machine.actionable(item)} for item in items]


async def _browse(app: "App", asked: argparse.Namespace) -> "list[Json]":
    from heedful.core.ids import SourceId
    from heedful.memory import memory_store
    from heedful.presenters import machine

    source = SourceId(asked.source) if asked.source else None
    newest = await app.store.read(
        lambda connection: memory_store.newest(
            connection, source_id=source, since=asked.since, limit=max(1, asked.k)
        )
    )
    return [
        {
            "chunk_ids": [chunk.id for chunk in message.chunks],
            "message_id": message.id,
            "source_id": message.source_id,
            "thread_id": message.thread_id,
            "author": message.author.name or message.author.address,
            "sent_at": machine.moment(message.sent_at),
            "subject": message.subject,
        }
        for message in newest
    ]


async def _entities(app: "App", asked: argparse.Namespace) -> "list[Json]":
    from heedful.core.errors import RejectedError
    from heedful.memory import entities
    from heedful.memory.entity_kinds import EntityKind
    from heedful.presenters import machine

    known = {kind.value: kind for kind in EntityKind}
    if asked.kind is not None and asked.kind not in known:
        raise RejectedError(f"There is no kind {asked.kind}", "", f"Known are: {', '.join(known)}.")
    kind = None if asked.kind is None else known[asked.kind]
    now = app.clock.now()
    found = await app.store.read(
        lambda connection: entities.top_entities(connection, kind, limit=max(1, asked.k), now=now)
    )
    return [
        {
            "id": entity.id,
            "kind": entity.kind.value,
            "name": entity.name,
            "chunks": entity.chunks,
            "hotness": entity.hotness,
            "last_at": machine.moment(entity.last_at),
            "aliases": sorted({alias.text for alias in entity.aliases} - {entity.name}),
        }
        for entity in found
    ]


async def _browse_nodes(app: "App", asked: argparse.Namespace) -> "list[Json]":
    from heedful.memory import tree_store

    nodes = await app.store.read(
        lambda connection: tree_store.browse(
            connection, scope=asked.nodes, below=asked.source, since=asked.since, limit=max(1, asked.k)
        )
    )
    return [_node(node) for node in nodes]


async def _read_node(app: "App", asked: str) -> "Json | None":
    """A summary with what hangs right below it; None when no node has that id."""
    from heedful.core.ids import NodeId
    from heedful.memory import tree_store
    from heedful.storage import Connection

    def read(connection: Connection) -> "Json | None":
        found = tree_store.node(connection, NodeId(asked))
        if found is None:
            return None
        below = tree_store.children(connection, found.id)
        return {
            **_node(found),
            "node_ids": [node.id for node in below],
            "chunk_ids": list(tree_store.chunk_ids(connection, found.id)),
        }

    return await app.store.read(read)


def _node(node: "Node") -> "Json":
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


async def _read(app: "App", chunk_id: str) -> "Json":
    from heedful.core.errors import RejectedError
    from heedful.core.ids import ChunkId
    from heedful.memory import memory_store
    from heedful.presenters import machine

    found = await app.store.read(lambda connection: memory_store.chunk(connection, ChunkId(chunk_id)))
    if found is None:
        raise RejectedError("There is no such passage", "", "Find one with `heedful search`.")
    message, chunk = found
    return {
        "id": chunk.id,
        "message_id": message.id,
        "source_id": message.source_id,
        "thread_id": message.thread_id,
        "author": message.author.name or message.author.address,
        "sent_at": machine.moment(message.sent_at),
        "subject": message.subject,
        "text": message.text[chunk.start : chunk.end],
    }


COMMAND = Command("tree", "browse the memory", _add_arguments, _run)
