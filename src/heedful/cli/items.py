"""`heedful items`: what needs the person, and their decisions about it."""

import argparse
import asyncio
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from heedful.cli.command import Command, MisusedError, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.actionables import Actionable
    from heedful.app import App

VERBS = ("show", "approve", "dismiss", "done", "snooze", "undo")
SNOOZE_HOURS = 24


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verb", nargs="?", choices=VERBS, help="what to do with one item")
    parser.add_argument("id", nargs="?", help="the item")
    parser.add_argument("--state", help="only items in this state")
    parser.add_argument("--all", action="store_true", help="items in every state")
    parser.add_argument(
        "--until", metavar="ISO", help="snooze until then, with an offset (default: 24 hours)"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_decide(asked, terminal) if asked.verb else _list(asked, terminal))


async def _list(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.actionables import State
    from heedful.presenters import machine

    if asked.state is not None and asked.state not in set(State):
        raise MisusedError(f"There is no state called {asked.state}", "", f"Known are: {', '.join(State)}.")
    states = tuple(State) if asked.all else None if asked.state is None else (State(asked.state),)
    async with terminal.app(read_only=True) as app:
        items = await app.decisions.items(states=states)
        has_looked = bool(items) or await app.decisions.has_looked()
    for item in items:
        _say(item, terminal)
    if not items:
        terminal.say(
            "Nothing needs you." if has_looked else "Heedful has not looked yet. `heedful tick` does."
        )
    terminal.give([machine.actionable(item) for item in items])
    return 0


async def _decide(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.presenters import machine

    if not asked.id:
        raise MisusedError(f"`items {asked.verb}` needs an item's id", "", "List them with `heedful items`.")
    async with terminal.app(read_only=asked.verb == "show") as app:
        item = await _after(app, asked)
    _say(item, terminal)
    for evidence in item.draft.evidence:
        terminal.say(f"    “{' '.join(evidence.quote.split())}”")
    terminal.give(machine.actionable(item))
    return 0


async def _after(app: "App", asked: argparse.Namespace) -> "Actionable":
    from heedful.core.ids import ActionableId

    item_id, decisions = ActionableId(asked.id), app.decisions
    match asked.verb:
        case "approve":
            return await decisions.approve(item_id)
        case "dismiss":
            return await decisions.dismiss(item_id)
        case "done":
            return await decisions.complete(item_id)
        case "undo":
            return await decisions.undo(item_id)
        case "snooze":
            return await decisions.snooze(item_id, _until(asked.until, app.clock.now()))
        case _:
            return await decisions.item(item_id)


def _until(text: str | None, now: datetime) -> datetime:
    if text is None:
        return now + timedelta(hours=SNOOZE_HOURS)
    try:
        until = datetime.fromisoformat(text)
    except ValueError as exc:
        raise MisusedError("That is not a time", "", "Write it like 2026-12-01T09:00+01:00.") from exc
    if until.tzinfo is None:
        raise MisusedError("That time has no offset", "", "Write it like 2026-12-01T09:00+01:00.")
    return until


def _say(item: "Actionable", terminal: Terminal) -> None:
    due = f" · due {item.draft.due:%a %d %b %H:%M}" if item.draft.due else ""
    state = "" if item.state in ("active", "awaiting") else f" · {item.state.value}"
    terminal.say(f"{item.id}  {item.draft.priority.value:9}  {item.draft.title}{due}{state}")


COMMAND = Command("items", "what needs you, and your decisions", _add_arguments, _run)
