"""`heedful mcp` as one process while the app comes, goes, wipes and restores beneath it, and with a locked store."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.paths import Home, home_at
from heedful.memory.archivist.backup import back_up, restore
from heedful.memory.archivist.forget_all import wipe
from heedful.memory.reads import Reads
from heedful.storage import Key, Store, choose_unencrypted, unlock
from tests.fakes.secrets import FakeSecrets
from tests.mcp_server.by_hand import call, command, request, speaking
from tests.memory.incoming import MONDAY, A, letter, take

PASSPHRASE = "a phrase of several words"
NO_MODEL = '[embeddings]\nkind = "none"\n'
NOTHING_YET = "Heedful remembers nothing yet."
MANY = 600


@pytest.fixture
def plain(tmp_path: Path) -> tuple[Home, Key]:
    """A home without a store, which is not to be encrypted."""
    home = home_at(tmp_path / "home")
    choose_unencrypted(home)
    home.settings.parent.mkdir(parents=True, exist_ok=True)
    home.settings.write_text(NO_MODEL, encoding="utf-8")
    return home, unlock(home, FakeSecrets(), None)


async def test_one_program_reads_on_while_the_app_starts_stops_wipes_and_restores(
    plain: tuple[Home, Key], tmp_path: Path
) -> None:
    home, key = plain
    async with speaking(command(tmp_path / "home"), {}) as program:
        assert (await program.asks("memory.search", query="budget")).startswith(NOTHING_YET)
        app = Store.open(home, key, Bus())
        await take(app, A, letter(1, "The budget is done."))
        assert len((await program.asks("memory.search", query="budget"))["hits"]) == 1
        await asyncio.to_thread(app.close)
        assert len((await program.asks("memory.search", query="budget"))["hits"]) == 1
        app = await asyncio.to_thread(Store.open, home, key, Bus())
        await take(app, A, letter(2, "Another budget."))
        assert len((await program.asks("memory.recall", query="budget"))["hits"]) == 2
        await asyncio.to_thread(app.close)
        copy = tmp_path / "copy.db"
        made = await asyncio.to_thread(lambda: back_up(home, key, now=MONDAY))
        copy.write_bytes(made.read_bytes())
        await asyncio.to_thread(wipe, home)
        assert (await program.asks("tree.list_sources")).startswith(NOTHING_YET)
        await asyncio.to_thread(lambda: restore(home, key, copy, now=MONDAY + timedelta(days=1)))
        assert len((await program.asks("memory.search", query="budget"))["hits"]) == 2
        assert await program.ends() == ""
    with Reads.open(home, key, now=MONDAY) as reads:
        assert [(row.client, row.outcome) for row in reads.newest()] == [("by-hand", "answered")]


async def test_hundreds_of_requests_at_once_are_each_answered_once(
    plain: tuple[Home, Key], tmp_path: Path
) -> None:
    home, key = plain
    app = Store.open(home, key, Bus())
    await take(app, A, letter(1, "The budget is done."))
    async with speaking(command(tmp_path / "home"), {}) as program:
        asked = [
            call(number, "memory.search", query="budget") if number % 4 == 0 else request(number, "ping")
            for number in range(1000, 1000 + MANY)
        ]
        batches = [[request(f"{batch}-{n}", "ping") for n in range(100)] for batch in range(3)]
        numbers = [one["id"] for line in [asked, *batches] for one in line]

        async def hear_all() -> None:
            for number in numbers:
                assert "result" in await program.hears(number)

        await asyncio.gather(program.says(*asked, *batches), hear_all())
        assert len(program.answers) == len(numbers) + 1
        assert await program.ends() == ""
    await asyncio.to_thread(app.close)
    with Reads.open(home, key, now=MONDAY) as reads:
        assert len(reads.newest(limit=MANY)) == MANY // 4


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"HEEDFUL_PASSPHRASE": ""}, "locked"),
        ({"HEEDFUL_PASSPHRASE": "another"}, "passphrase"),
    ],
)
async def test_a_locked_store_is_told_to_be_locked_and_tells_nothing_else(
    tmp_path: Path, environment: dict[str, str], told: str
) -> None:
    home = home_at(tmp_path / "home")
    app = Store.open(home, unlock(home, FakeSecrets(), PASSPHRASE), Bus())
    await take(app, A, letter(1, "The budget is done."))
    async with speaking(command(tmp_path / "home"), environment) as program:
        for tool, arguments in (("memory.search", {"query": "budget"}), ("tree.list_sources", {})):
            sentence = await program.asks(tool, **arguments)
            assert told in sentence
            assert "budget" not in sentence
        assert await program.ends() == ""
    await asyncio.to_thread(app.close)
