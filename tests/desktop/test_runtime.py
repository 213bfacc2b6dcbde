"""asyncio on Qt's loop, and an end that is ours to order; each in a process of its own."""

import subprocess
import sys
import threading
import time

import pytest

from heedful.desktop.workers import Workers

PROLOGUE = """
import asyncio, gc, os, signal, sys, threading
from PySide6.QtCore import QTimer
from heedful.desktop.runtime import Application, run_on_qt
app = Application(["test"])
"""


def run(program: str) -> tuple[int, list[str]]:
    """Runs a program on its own Qt loop; returns its exit code and the lines it printed."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", PROLOGUE + program],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout.split()


def test_quitting_is_a_wish_and_what_follows_is_in_order() -> None:
    code, lines = run("""
async def main(quit_wished):
    QTimer.singleShot(0, app.quit)
    await quit_wished.wait()
    print("wished")
    await asyncio.sleep(0.05)
    print("put-away")
    return 7
sys.exit(run_on_qt(app, main))
""")
    assert (code, lines) == (7, ["wished", "put-away"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_is_a_wish_too_although_qt_sleeps(name: str) -> None:
    code, lines = run(f"""
async def main(quit_wished):
    threading.Timer(0.2, os.kill, (os.getpid(), signal.{name})).start()
    await asyncio.wait_for(quit_wished.wait(), 10)
    print("wished")
    return 0
sys.exit(run_on_qt(app, main))
""")
    assert (code, lines) == (0, ["wished"])


def test_what_the_start_made_is_not_looked_through_again() -> None:
    import gc

    from heedful.desktop.runtime import keep_for_good

    try:
        keep_for_good()
        assert gc.get_freeze_count() > 1_000
        assert len(gc.get_objects()) < 1_000
    finally:
        gc.unfreeze()


def test_a_sweep_finds_garbage_among_what_was_kept_for_good() -> None:
    import gc
    import weakref

    from heedful.desktop.runtime import sweep

    class Ring:
        def __init__(self) -> None:
            self.own = self

    ring = Ring()
    gone = weakref.ref(ring)
    gc.freeze()
    try:
        del ring
        gc.collect()
        assert gone() is not None
        sweep()
        assert gone() is None
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(("is_in_use", "is_looked_through"), [(False, "True"), (True, "False")])
def test_what_a_thread_is_reading_is_not_looked_through_and_what_stays_is_once_nobody_sees(
    is_in_use: bool, is_looked_through: str
) -> None:
    code, lines = run(
        f"is_in_use = {is_in_use}"
        """
from heedful.desktop.runtime import MANY_AT_ONCE, PATIENCE, Collector
async def main(quit_wished):
    gc.freeze()
    seen = []
    gc.callbacks.append(lambda phase, info: seen.append(phase))
    collector = Collector(lambda: is_in_use)
    rows = [[] for _ in range(2 * MANY_AT_ONCE)]
    collector.collect()
    print(len(seen))
    del rows
    collector.collect()
    print(gc.get_count()[0] < MANY_AT_ONCE)
    rows = [[] for _ in range(2 * MANY_AT_ONCE)]
    for _ in range(PATIENCE):
        collector.collect()
    print(len(seen))
    collector.collect()
    print(len(seen) > 0)
    print(gc.get_count()[0] < MANY_AT_ONCE)
    return 0
sys.exit(run_on_qt(app, main))
"""
    )
    assert (code, lines) == (0, ["0", "True", "0", is_looked_through, "True"])


def test_garbage_is_collected_on_the_main_thread_only() -> None:
    code, lines = run("""
threads = set()
gc.callbacks.append(lambda phase, info: threads.add(threading.current_thread() is threading.main_thread()))
def churn():
    for _ in range(200_000):
        cycle = []
        cycle.append(cycle)
    return "churned"
async def main(quit_wished):
    from heedful.desktop.runtime import PATIENCE, Collector
    print(await asyncio.to_thread(churn))
    collector = Collector(lambda: False)
    for _ in range(PATIENCE + 1):
        collector.collect()
    print(sorted(threads))
    print(gc.isenabled())
    return 0
sys.exit(run_on_qt(app, main))
""")
    assert (code, lines) == (0, ["churned", "[True]", "False"])


def test_a_call_that_hangs_does_not_keep_the_program_from_ending() -> None:
    began = time.monotonic()
    code, lines = run("""
held = threading.Event()
async def main(quit_wished):
    asyncio.get_running_loop().run_in_executor(None, held.wait, 20)
    await asyncio.sleep(0.1)
    return 3
code = run_on_qt(app, main)
print("left")
sys.exit(code)
""")
    assert (code, lines) == (3, ["left"])
    assert time.monotonic() - began < 15


def test_calls_run_in_few_threads_and_their_errors_come_back() -> None:
    workers = Workers(2)
    meeting = threading.Barrier(2, timeout=10)
    both = [workers.submit(meeting.wait) for _ in range(2)]
    assert sorted(future.result(10) for future in both) == [0, 1]
    names = {workers.submit(lambda: threading.current_thread().name).result(10) for _ in range(8)}
    assert names <= {"work-1", "work-2"}
    with pytest.raises(ZeroDivisionError):
        workers.submit(lambda: 1 // 0).result(10)
    workers.shutdown()
    with pytest.raises(RuntimeError, match="after the shutdown"):
        workers.submit(int)
