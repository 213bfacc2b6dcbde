"""Waiting without a clock: lets the event loop run what is ready."""

import asyncio


async def turns(number: int = 12) -> None:
    """Lets background loads end; fakes need no more than a few turns."""
    for _ in range(number):
        await asyncio.sleep(0)
