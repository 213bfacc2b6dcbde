"""`heedful settle`: finishes the queued memory jobs now."""

import argparse
import asyncio

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--retry-failed", action="store_true", help="try failed jobs once more")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_settle(terminal, retry=asked.retry_failed))


async def _settle(terminal: Terminal, *, retry: bool) -> int:
    from heedful.memory.queue.asking import retry_failed, work_by_kind
    from heedful.presenters.background_work import kind_words
    from heedful.presenters.numbers import count

    said = ""

    def tell(kind: str, done: int) -> None:
        nonlocal said
        if kind != said or done % 10 == 0:
            said = kind
            terminal.progress(f"{count(done, 'job')} done. {kind_words(kind)} …")

    async with terminal.app() as app:
        if retry:
            now = app.clock.now()
            await app.store.write(lambda connection: (retry_failed(connection, now=now), ()))
        settled = await app.worker.settle(tell)
        now = app.clock.now()
        left = await app.store.read(lambda connection: work_by_kind(connection, now=now))
        await app.questions.count()
    terminal.say(
        f"{count(settled.done, 'job')} done, {settled.failed} failed, {settled.deferred} put off, "
        f"in {settled.seconds:.1f} s."
    )
    stuck = [work for work in left if work.put_off or work.failed]
    for work in stuck:
        state = f"{work.failed} failed" if work.failed else "put off"
        terminal.say(f"{kind_words(work.kind)}: {state}. {work.reason or ''}".rstrip())
    terminal.give(
        {
            "done": settled.done,
            "failed": settled.failed,
            "deferred": settled.deferred,
            "seconds": round(settled.seconds, 3),
            "stuck": [
                {"kind": work.kind, "put_off": work.put_off, "failed": work.failed, "reason": work.reason}
                for work in stuck
            ],
        }
    )
    return 1 if settled.failed else 0


COMMAND = Command("settle", "finish the queued memory work now", _add_arguments, _run)
