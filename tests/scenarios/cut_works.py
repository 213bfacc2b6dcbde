"""Pieces of work to be cut off: what is there before, and what is done, then done again by whoever comes after.

Run as a program it is the process that forks: it reads one request a line and answers one line, in JSON.
"""

import asyncio
import json
import re
import shutil
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from heedful.core.bus import Bus
from heedful.core.ids import SourceId, random_id
from heedful.core.paths import Home, home_at
from heedful.core.settings import Settings
from heedful.inference import Inference
from heedful.memory import Library
from heedful.memory.archivist.backup import back_up, backups, restore
from heedful.memory.archivist.forget_all import wipe
from heedful.memory.archivist.housekeeping import Archivist
from heedful.memory.entities import extraction
from heedful.memory.exporting.vault import export
from heedful.memory.forget import steps
from heedful.memory.forget.at_once import forget_now
from heedful.memory.forget.retention import keep_for
from heedful.memory.intake.door import take_in
from heedful.memory.jobs import digest, embed, name_entities, re_embed, rewrite, seal, summarise
from heedful.memory.messages import sources_store
from heedful.memory.queue import queue_store
from heedful.memory.queue.asking import enqueue
from heedful.memory.work.host_load import AT_FULL_PACE
from heedful.memory.work.kind import Tools
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.fakes.model_server import ModelServer, items
from tests.inference.desk import Desk
from tests.memory.forgetting import put_item, put_traces, stored
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, add_sources, batch, do, letter
from tests.scenarios.cutting import (
    KEY,
    Cuts,
    Json,
    Place,
    chosen,
    copied,
    differences,
    in_a_child,
    whole_content,
)

LATER = datetime(2026, 12, 3, 8, 0, tzinfo=UTC)
LETTERS = 26
UNEXPLAINED = ("Zubrowka", "Yggdrasil", "Quillon", "Wolpertinger", "Jubilex", "Vexillum", "Ottilien")

_SCRAP = re.compile(r"\.(?:new|restored)(?:-journal)?$")
"""Files that nobody takes for more than they are; the next run removes them."""

Deed = Callable[[Home], Coroutine[None, None, None]]


@dataclass(frozen=True, slots=True)
class Work:
    """`before` makes the home, `deed` is cut off and then done again.

    Where `is_whole`, a home in which the deed was cut off means what it did before or what it does after, nothing
    between.
    """

    before: Deed
    deed: Deed
    is_whole: bool = False


def _letters(connection: Connection, *, now: datetime) -> None:
    """A mailbox and a chat with enough in them that each stage has several steps."""
    add_sources(connection, A, B)
    words = "The roof of house {} will be painted on {} June for {} euros by Ana Lopes of Prado Labs."
    letters = [
        letter(n, words.format(n, n % 28 + 1, 100 + n), sent_at=MONDAY - timedelta(hours=9 * n), thread_key=f"t{n % 7}",
               reply_to=f"x{n - 7}" if n > 6 else None)
        for n in range(LETTERS)
    ]  # fmt: skip
    chat = [
        letter(50 + n, f"Call {name} about house {n}: +49 30 901820{n}", author=author, thread_key="chat",
               channel="telegram", sent_at=MONDAY + timedelta(minutes=n))
        for n, (name, author) in enumerate([("Rui", ANA), ("Ana", RUI)] * 6)
    ]  # fmt: skip
    take_in(connection, A, batch(*letters), now=now)
    take_in(connection, B, batch(*chat), now=now)


def _small_steps() -> None:
    """Lets each stage take many steps over few letters."""
    extraction.STEP_CHUNKS = 9
    embed.AT_ONCE = re_embed.AT_ONCE = 9
    seal.AT_ONCE = 9
    summarise.AT_ONCE = 4
    rewrite.AT_ONCE = name_entities.AT_ONCE = 2
    digest.CHANGES_AT_ONCE = 15
    digest.DAYS_AT_ONCE = 4


async def _within(home: Home, work: Callable[[Store], Awaitable[None]]) -> None:
    store = Store.open(home, KEY, Bus())
    try:
        await work(store)
    finally:
        store.close()


async def _settle(
    store: Store,
    *kinds: str,
    model: str = "boxes",
    away: frozenset[SourceId] = frozenset(),
    inference: Inference | None = None,
) -> None:
    """Works off what waits, of these kinds or of all; sources that are `away` may not be shown to the embedder."""
    meaning = FakeMeaning(BoxEmbedder(model, away=away))
    tools = Tools(store, FakeClock(LATER), random_id, inference, meaning=meaning)
    wanted = {name: kind for name, kind in job_kinds().items() if name in (kinds or job_kinds())}
    settled = await Worker(tools, lambda: wanted).settle()
    assert (settled.failed, settled.deferred) == (0, 0)


def _filled(*settled: str) -> Deed:
    """A home with letters, and with the work of these kinds done."""

    async def made(home: Home) -> None:
        async def work(store: Store) -> None:
            await do(store, lambda connection: _letters(connection, now=LATER))
            for kind in settled:
                await _settle(store, kind)

        await _within(home, work)

    return made


def _settling(*kinds: str, model: str = "boxes") -> Deed:
    async def done(home: Home) -> None:
        await _within(home, lambda store: _settle(store, *kinds, model=model))

    return done


async def _with_one_kept_back(home: Home) -> None:
    await _filled()(home)
    await _within(home, lambda store: _settle(store, "embed", away=frozenset({B})))


async def _closing_gaps(home: Home) -> None:
    async def work(store: Store) -> None:
        await do(store, lambda connection: enqueue(connection, re_embed.JOB.name, "all", now=LATER))
        await _settle(store, re_embed.JOB.name)

    await _within(home, work)


async def _changed_at_their_place(home: Home) -> None:
    """A folder of notes that was read, and then edited by somebody else; it lies beside the home."""
    notes = home.data.parent.parent / "notes"
    notes.mkdir()
    for number in range(8):
        (notes / f"{number}.md").write_text(
            f"# Note {number}\n\nPlant beans in row {number}, says Ana Lopes.\n"
        )

    async def work(store: Store) -> None:
        library = Library(store, Bus(), FakeClock(MONDAY))
        await library.sync(await library.add(notes))
        await _settle(store)
        first = await stored(store, "0.md")
        await do(store, lambda connection: put_item(connection, "i", "Plant the beans", first))

    await _within(home, work)
    (notes / "0.md").unlink()
    (notes / "1.md").write_text("# Note 1\n\nPlant peas in row 1.\n")
    (notes / "8.md").write_text("# Note 8\n\nWater everything.\n")


async def _reconciling(home: Home) -> None:
    async def work(store: Store) -> None:
        (source,) = await store.read(sources_store.sources)
        asked = {"source": source.id}
        await do(store, lambda connection: enqueue(connection, "reconcile", source.id, asked, now=LATER))
        await _settle(store)

    await _within(home, work)


async def _asked_of_a_model(home: Home) -> None:
    """Lets a model write the summaries anew, which it does by repeating a sentence that stands in each of them."""

    async def work(store: Store) -> None:
        async with ModelServer(otherwise=lambda _: items({"text": "Ana Lopes of Prado Labs."})) as server:
            desk = Desk(store, FakeClock(LATER), Settings())
            await desk.inference.ledger.start()
            desk.choose(server.base_url)
            await desk.agreed()
            await do(store, lambda connection: enqueue(connection, "summarise", "all", now=LATER))
            await _settle(store, "summarise", "rewrite", inference=desk.inference)

    await _within(home, work)


async def _with_names_left(home: Home) -> None:
    """Letters with names that patterns can't explain, read and admitted, which only a model could name."""

    async def work(store: Store) -> None:
        words = "The people of {} asked whether Xanthippe could send the offer for the office by courier."
        letters = [
            letter(n, words.format(name), thread_key=f"t{n % 3}") for n, name in enumerate(UNEXPLAINED)
        ]
        await do(store, lambda connection: add_sources(connection, A))
        await do(store, lambda connection: take_in(connection, A, batch(*letters), now=LATER))
        await _settle(store, "extract_entities", "seal")

    await _within(home, work)


async def _named_by_a_model(home: Home) -> None:
    """Lets a model name what stands in the letters; it says the same of each, and what does not stand there is left."""
    told = [{"name": name, "kind": "organisation"} for name in UNEXPLAINED]

    async def work(store: Store) -> None:
        async with ModelServer(
            otherwise=lambda _: items(*told, {"name": "Xanthippe", "kind": "person"})
        ) as server:
            desk = Desk(store, FakeClock(LATER), Settings())
            await desk.inference.ledger.start()
            desk.choose(server.base_url)
            await desk.agreed()
            await do(store, lambda connection: enqueue(connection, name_entities.NAME, "all", now=LATER))
            await _settle(store, name_entities.NAME, inference=desk.inference)

    await _within(home, work)


async def _with_traces(home: Home) -> None:
    """A home with everything that can be made of letters."""
    await _filled(*job_kinds())(home)

    async def work(store: Store) -> None:
        first, second = await stored(store, "x3"), await stored(store, "x4")
        await do(store, lambda connection: put_item(connection, "i", "Paint the roof", first, second))
        await do(store, lambda connection: put_traces(connection, first))

    await _within(home, work)


async def _forgetting(home: Home) -> None:
    async def work(store: Store) -> None:
        known = await store.read(lambda c: c.value("SELECT count(*) FROM messages WHERE external_id = 'x3'"))
        if known:
            message = await stored(store, "x3")
            await forget_now(store, FakeClock(LATER), [message.thread_id, B])
        await _settle(store)

    await _within(home, work)


async def _forgetting_in_steps(home: Home) -> None:
    """A source of more messages than go at once; one who was killed in the middle is not asked again."""
    steps.AT_ONCE, steps.GOES_ON_AFTER = 4, timedelta()

    async def work(store: Store) -> None:
        rows = await store.read(sources_store.sources)
        is_begun = await store.read(lambda c: c.value("SELECT 1 FROM forgotten_messages LIMIT 1"))
        if B in {row.id for row in rows} and not is_begun:
            await forget_now(store, FakeClock(LATER), [B])
        await _settle(store)
        await do(store, lambda c: queue_store.prune_done(c, before=LATER + timedelta(days=1)))

    await _within(home, work)


async def _with_a_time_to_keep(home: Home) -> None:
    await _with_traces(home)
    await _within(home, lambda store: do(store, lambda connection: keep_for(connection, A, 6)))


async def _keeping_order(home: Home) -> None:
    async def work(store: Store) -> None:
        archivist = Archivist(store, home, KEY, FakeClock(LATER), gauge=lambda: AT_FULL_PACE)
        await archivist.turn()
        await _settle(store)

    await _within(home, work)


async def _with_backups(home: Home) -> None:
    await _with_traces(home)
    for day in range(3):
        back_up(home, KEY, now=LATER - timedelta(days=3 - day))


async def _backing_up(home: Home) -> None:
    back_up(home, KEY, now=LATER)


async def _changed_since_backup(home: Home) -> None:
    await _with_backups(home)
    await _forgetting(home)


async def _restoring(home: Home) -> None:
    restore(home, KEY, backups(home)[-1], now=LATER)


async def _wiping(home: Home) -> None:
    wipe(home)


async def _exported_before(home: Home) -> None:
    await _changed_since_backup(home)
    await _exporting(home, name="Old")
    shutil.rmtree(home.data / "backups")


async def _exporting(home: Home, *, name: str = "New") -> None:
    async def work(store: Store) -> None:
        await store.read(
            lambda connection: export(
                connection, home.data.parent / "vault", items=[{"id": name, "title": name}], sources=[], now=LATER,
                zone=UTC,
            )
        )  # fmt: skip

    await _within(home, work)


WORKS: Mapping[str, Work] = {
    "extract_entities": Work(_filled(), _settling("extract_entities")),
    "embed": Work(_filled(), _settling("embed")),
    "embed anew": Work(_filled("embed"), _settling("embed", model="others")),
    "re-embed": Work(_with_one_kept_back, _closing_gaps),
    "reconcile": Work(_changed_at_their_place, _reconciling),
    "seal": Work(_filled("extract_entities"), _settling("seal")),
    "summarise": Work(_filled("extract_entities", "seal"), _settling("summarise")),
    "summarise by a model": Work(_filled("seal", "summarise"), _asked_of_a_model),
    "name entities": Work(_with_names_left, _named_by_a_model),
    "digest": Work(_filled("extract_entities", "seal"), _settling("digest")),
    "every stage": Work(_filled(), _settling()),
    "forget": Work(_with_traces, _forgetting, is_whole=True),
    "forget in steps": Work(_with_traces, _forgetting_in_steps),
    "keep in order": Work(_with_a_time_to_keep, _keeping_order),
    "back up": Work(_with_backups, _backing_up, is_whole=True),
    "restore": Work(_changed_since_backup, _restoring, is_whole=True),
    "wipe": Work(_with_backups, _wiping, is_whole=True),
    "export": Work(_exported_before, _exporting, is_whole=True),
}


def suffer(name: str, folder: Path, *, most: int | None) -> Json:
    """Does a work undisturbed, then once for each place cut off there and done again; tells what was different."""
    work, begin, here = WORKS[name], folder / "begin", folder / "here"
    before = _content(in_a_child(lambda: _done(work.before, begin)))
    calm = in_a_child(lambda: _watched(work.deed, copied(begin, here), at=None)) or {}
    after, places = _content(calm), [Place(str(what), bool(edge)) for what, edge in calm["places"]]
    killed, faults = 0, []
    for at in chosen(places, most=most):
        where = f"{at} of {len(places)}, {places[at].what}"
        is_cut = in_a_child(lambda: _watched(work.deed, copied(begin, here), at=at)) is None  # noqa: B023 (now)
        killed += is_cut
        if work.is_whole:
            found = _content(in_a_child(lambda: {"content": whole_content(copied(here, folder / "look"))}))
            faults += [f"{where}, left there: {each}" for each in _neither(found, before, after)]
        found = _content(in_a_child(lambda: _done(work.deed, here)))
        faults += [f"{where}: {each}" for each in differences(found, after)]
    return {
        "places": len(places),
        "edges": sum(one.is_edge for one in places),
        "killed": killed,
        "faults": faults,
    }


def _content(told: Json | None) -> dict[str, str]:
    assert told is not None
    content: dict[str, str] = told["content"]
    return content


def _done(deed: Deed, folder: Path) -> Json:
    _small_steps()
    asyncio.run(deed(home_at(folder)))
    return {"content": whole_content(folder)}


def _watched(deed: Deed, folder: Path, *, at: int | None) -> Json:
    _small_steps()
    cuts = Cuts(folder, at)
    cuts.begin()
    asyncio.run(deed(home_at(folder)))
    passed = [(one.what, one.is_edge) for one in cuts.passed]
    return {"places": passed, "content": whole_content(folder)}


def _neither(found: Mapping[str, str], before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """What of a home is neither as before nor as after: each store as a whole, each other file by itself."""
    kept = {name: text for name, text in found.items() if not _SCRAP.search(name) and _tells(name)}
    stores = {name.partition(": ")[0] for name in kept}
    told = []
    for store in sorted(stores):
        here, then, now = (
            {n: t for n, t in each.items() if n.partition(": ")[0] == store and _tells(n)}
            for each in (kept, before, after)
        )
        if here not in (then, now):
            told += differences(here, now)
    return told


def _tells(name: str) -> bool:
    """Whether a part of a home is the same from the moment of the deed on, and not worked out later."""
    table = name.partition(": ")[2]
    return not table or table in {
        "messages",
        "chunks",
        "threads",
        "actionables",
        "ledger",
        "index",
        "sources",
        "faults",
        "unreadable",
    }


def main() -> None:
    """Answers `{"work", "folder", "most"}` with what `suffer` tells, until the requests end.

    Every work's home is made once in this process first, so that what is forked finds all words read and all modules
    there; no thread is left by then.
    """
    with TemporaryDirectory() as folder:
        for name in ("summarise by a model", "export"):
            home = home_at(Path(folder) / name)
            asyncio.run(WORKS[name].before(home))
            asyncio.run(WORKS[name].deed(home))
    for line in sys.stdin:
        asked = json.loads(line)
        sys.stdout.write(json.dumps(suffer(asked["work"], Path(asked["folder"]), most=asked["most"])) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
