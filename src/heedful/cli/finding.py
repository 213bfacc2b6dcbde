"""What `search` and `recall` share: their arguments, one look-up or a batch, and how hits are told."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.cli import batches
from heedful.cli.command import MisusedError, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.app import App
    from heedful.memory import Filters, Hit
    from heedful.storage import Connection

    Look = Callable[["Connection"], list["Hit"]]
    Finder = Callable[["App", str, int, "Filters"], Awaitable["Look"]]

_FIRST = "first"
"""Asked before a batch: the model's loading, and that of its codes, is no question's own time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Words or a batch, how many, and what narrows them."""
    parser.add_argument("text", nargs="*", help="the words")
    parser.add_argument("-k", type=int, default=10, metavar="N", help="at most N hits (default 10, most 100)")
    parser.add_argument(
        "--batch",
        type=Path,
        metavar="FILE",
        help='JSONL of {"id","query","since"?,"until"?,"source"?,"person"?}',
    )
    parser.add_argument("--source", metavar="ID", help="only this source")
    parser.add_argument("--thread", metavar="ID", help="only this thread")
    parser.add_argument(
        "--person",
        metavar="WHO",
        help="only what a person or thing wrote, received or is named in: an id, a mail address or a name",
    )
    parser.add_argument("--since", type=moment, metavar="ISO", help="sent then or later")
    parser.add_argument("--until", type=moment, metavar="ISO", help="sent then or earlier")


def find(asked: argparse.Namespace, terminal: Terminal, finder: "Finder") -> int:
    """Runs the look-up or the batch with `finder`."""
    return asyncio.run(_find(asked, terminal, finder))


async def _find(asked: argparse.Namespace, terminal: Terminal, finder: "Finder") -> int:
    if not 1 <= asked.k <= 100:
        raise MisusedError("-k takes a number from 1 to 100")
    if asked.batch is None and not " ".join(asked.text).strip():
        raise MisusedError("There are no words to look for", "", "Give some, or a batch with --batch FILE.")
    async with terminal.app(read_only=True) as app:
        if asked.batch is not None:
            return await _batch(app, asked, terminal, finder)
        filters, text = _filters(app, vars(asked)), " ".join(asked.text)
        app.store.read_now(lambda connection: _refuse_unknown(connection, filters))
        hits = app.store.read_now(await finder(app, text, asked.k, filters))
        await app.questions.note(text, [hit.chunk_id for hit in hits])
    _tell(hits, terminal)
    return 0


def _tell(hits: "list[Hit]", terminal: Terminal) -> None:
    from heedful.memory.tree_rows import hit_row
    from heedful.presenters.memory_why import days_in_words

    for found in hits:
        why = "" if found.of_days is None else f"  ({days_in_words(found.of_days)})"
        terminal.say(
            f"{found.chunk_id}  {found.sent_at:%Y-%m-%d %H:%M}  {found.author}  {found.subject}{why}\n"
            f"    {found.excerpt}"
        )
    if not hits:
        terminal.say("Nothing was found.")
    terminal.give([hit_row(found) for found in hits])


async def _batch(app: "App", asked: argparse.Namespace, terminal: Terminal, finder: "Finder") -> int:
    from heedful.memory import Filters
    from heedful.memory.tree_rows import hit_row

    app.store.read_now(await finder(app, _FIRST, 1, Filters()))
    for query in batches.rows(
        asked.batch, frozenset({"id", "query"}), frozenset({"since", "until", "source", "thread", "person"})
    ):
        filters = _filters(app, query)
        began = app.clock.monotonic()
        hits = app.store.read_now(await finder(app, str(query["query"]), asked.k, filters))
        took_ms = round((app.clock.monotonic() - began) * 1000, 3)
        answer = {"id": query["id"], "hits": [hit_row(found) for found in hits], "ms": took_ms}
        terminal.row(answer)
    return 0


def _filters(app: "App", given: dict[str, object]) -> "Filters":
    from heedful.core.ids import SourceId, ThreadId
    from heedful.memory import Filters

    source, thread, person = given.get("source"), given.get("thread"), given.get("person")
    return Filters(
        entity_id=_meant(app, str(person)) if person else None,
        thread_id=ThreadId(str(thread)) if thread else None,
        source_id=SourceId(str(source)) if source else None,
        since=moment_of(given.get("since")),
        until=moment_of(given.get("until")),
    )


def _refuse_unknown(connection: "Connection", filters: "Filters") -> None:
    """Says that there is no such source or thread, where nothing can be found for that reason alone."""
    from heedful.core.errors import RejectedError
    from heedful.memory.messages import messages_store, sources_store

    if filters.source_id is not None:
        sources_store.source(connection, filters.source_id)
    if filters.thread_id is not None and not messages_store.has_thread(connection, filters.thread_id):
        raise RejectedError("There is no such thread", "", "Take a `thread_id` from `heedful search --json`.")


def _meant(app: "App", word: str) -> str:
    from heedful.memory.entities.lookup import entity_meant

    return app.store.read_now(lambda connection: entity_meant(connection, word))


def moment(text: str) -> datetime:
    """The moment that an argument names, for argparse, which tells what is wrong with it as wrong usage."""
    from heedful.core.errors import RejectedError

    try:
        found = moment_of(text)
    except RejectedError as exc:
        raise argparse.ArgumentTypeError(exc.sentence()) from exc
    if found is None:
        raise argparse.ArgumentTypeError("it is empty")
    return found


def moment_of(text: object) -> datetime | None:
    """The moment that ISO text names, in the machine's zone where it has no offset; None for no text.

    Raises:
        RejectedError: It names none.
    """
    from heedful.core.errors import RejectedError

    if not text:
        return None
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError as exc:
        raise RejectedError(f"{text} is not a time", "", "Write it like 2026-12-01T09:00+01:00.") from exc
    return found if found.tzinfo is not None else found.astimezone()
