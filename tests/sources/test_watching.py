"""Changes on disk are noticed."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.sources.watching import watch


async def _first_change(paths: list[Path], change: Callable[[int], object]) -> set[Path]:
    """What is reported first while `change` keeps happening: nobody can know when the watch has begun."""
    stop = asyncio.Event()
    reported: set[Path] = set()

    async def look() -> None:
        async for touched in watch(paths, stop=stop):
            reported.update(touched)
            stop.set()

    async def keep_changing() -> None:
        number = 0
        while not stop.is_set():
            change(number)
            number += 1
            try:
                await asyncio.wait_for(stop.wait(), timeout=2)
            except TimeoutError:
                continue

    async with asyncio.timeout(20):
        await asyncio.gather(look(), keep_changing())
    return reported


async def test_a_new_file_in_a_watched_folder_is_reported(tmp_path: Path) -> None:
    mail, other = tmp_path / "mail", tmp_path / "other"
    mail.mkdir()
    other.mkdir()

    assert await _first_change([mail, other], lambda n: (mail / f"{n}.eml").write_text("x")) == {mail}


async def test_a_watched_file_that_is_replaced_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "home.ics"
    path.write_text("old")

    def replace_it(number: int) -> None:
        fresh = tmp_path / "fresh"
        fresh.write_text(str(number))
        fresh.rename(path)

    assert await _first_change([path], replace_it) == {path}


async def test_a_watch_ends_when_it_is_told_to(tmp_path: Path) -> None:
    stop = asyncio.Event()
    stop.set()

    assert [touched async for touched in watch([tmp_path], stop=stop)] == []
    assert [touched async for touched in watch([], stop=stop)] == []


async def test_a_folder_that_does_not_exist_is_for_the_person_to_mend(tmp_path: Path) -> None:
    with pytest.raises(UserCanFixError):
        [touched async for touched in watch([tmp_path / "gone" / "x"], stop=asyncio.Event())]
