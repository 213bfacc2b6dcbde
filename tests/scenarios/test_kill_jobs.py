"""Killed between any two statements, the queue does each job's work exactly once.

A helper process forks one worker after the other on the same store. Each is killed by itself, without any clean-up,
when it is about to run its n-th statement, n growing; the next one goes on. In the end everything is there once.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.paths import home_at
from heedful.storage import Key, KeyKind, Store
from tests.memory.grove import shape

KEY_HEX = "5a" * 32
KILLS = 60

PLAGUED = """
import asyncio, os, signal, sys
from pathlib import Path
from heedful.core.bus import Bus
from heedful.core.clock import SystemClock
from heedful.core.ids import random_id
from heedful.core.paths import home_at
from heedful.memory.queue.asking import enqueue
from heedful.memory.work.kind import JobKind, Tools
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.storage import Connection, Key, KeyKind, Store

home, key, kills = home_at(Path(sys.argv[1])), Key(KeyKind.KEYRING, sys.argv[2]), int(sys.argv[3])
clock = SystemClock()

async def work(kinds):
    store = Store.open(home, key, Bus())
    await Worker(Tools(store, clock, random_id), lambda: kinds).settle()
    store.close()

def die_at(statement):
    count = 0
    def counted(original):
        def call(self, sql, bindings=()):
            nonlocal count
            count += 1
            if count == statement:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(self, sql, bindings)
        return call
    for name in ("execute", "row", "rows", "execute_many"):
        setattr(Connection, name, counted(getattr(Connection, name)))

async def begin(ask):
    store = Store.open(home, key, Bus())
    await store.write(ask)
    store.close()

def plague(kinds, step):
    killed = 0
    for number in range(kills):
        child = os.fork()
        if child == 0:
            die_at(12 + number * step)
            asyncio.run(work(kinds))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        killed += os.WIFSIGNALED(status)
    asyncio.run(work(kinds))
    print(killed)
"""

OWN_KINDS = """
def put(connection, name):
    connection.execute("INSERT INTO participants (address, name) VALUES (?, ?)", (random_id(), name))

async def first(context, payload):
    # A step of its own, and an end that asks for a job of the next kind: one transaction each.
    def step(connection):
        if not connection.value("SELECT 1 FROM participants WHERE name = ?", (f"step {payload['n']}",)):
            put(connection, f"step {payload['n']}")
        return None, ()
    def end(connection):
        put(connection, f"first {payload['n']}")
        enqueue(connection, "second", str(payload["n"]), payload, now=clock.now())
        return None, ()
    await context.keep(step)
    await context.finish(end)

async def second(context, payload):
    await context.finish(lambda connection: (put(connection, f"second {payload['n']}"), ()))

def ask(connection):
    for n in range(24):
        enqueue(connection, "first", str(n), {"n": n}, now=clock.now())
    return None, ()

asyncio.run(begin(ask))
plague({kind.name: kind for kind in (JobKind("first", first), JobKind("second", second))}, 1)
"""

OF_THE_TREE = """
from tests.memory.incoming import A, add_sources, batch, letter
from heedful.memory.intake.door import take_in

def ask(connection):
    add_sources(connection, A)
    letters = [
        letter(n, f"The roof of house {n} is painted for {n + 100} euros.", thread_key=f"t{n % 17}", channel="chat")
        for n in range(90)
    ]
    take_in(connection, A, batch(*letters), now=clock.now())
    return None, ()

asyncio.run(begin(ask))
plague({name: job_kinds()[name] for name in ("seal", "summarise", "digest")}, 2)
"""


def plagued(folder: Path, script: str) -> int:
    """Runs the helper; how many of its workers were killed."""
    done = subprocess.run(
        [sys.executable, "-c", PLAGUED + script, str(folder), KEY_HEX, str(KILLS)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    store = Store.open(home_at(folder), Key(KeyKind.KEYRING, KEY_HEX), Bus(), read_only=True)
    yield store
    store.close()


def test_killed_between_any_two_statements_each_job_is_done_exactly_once(tmp_path: Path) -> None:
    assert plagued(tmp_path, OWN_KINDS) >= KILLS // 2
    with opened(tmp_path) as store:
        effects = store.read_now(
            lambda c: c.rows("SELECT name, count(*) FROM participants GROUP BY name ORDER BY name")
        )
        states = store.read_now(
            lambda c: c.rows("SELECT kind, state, count(*) FROM jobs GROUP BY kind, state")
        )
    assert sorted(effects) == sorted(
        (f"{kind} {n}", 1) for kind in ("first", "second", "step") for n in range(24)
    )
    assert states == [("first", "done", 24), ("second", "done", 24)]


def test_killed_again_and_again_the_tree_is_whole_and_everything_hangs_in_it_once(tmp_path: Path) -> None:
    assert plagued(tmp_path, OF_THE_TREE) >= KILLS // 2
    with opened(tmp_path) as store:
        found = store.read_now(shape)
        hanging = store.read_now(
            lambda c: c.value(
                "SELECT count(*) FROM node_chunks k JOIN nodes n ON n.id = k.node_id WHERE n.scope <> 'day'"
            )
        )
        stale = store.read_now(
            lambda c: c.value("SELECT count(*) FROM nodes WHERE stale > 0 AND scope <> 'day'")
        )
    assert (found.faults, hanging, stale) == ((), 90, 0)
    assert found.nodes["thread", 1] == 17
