"""Killed between any two statements, the queue does each job's work exactly once.

A helper process forks one worker after the other on the same store. Each is killed by itself, without any clean-up,
when it is about to run its n-th statement, n growing; the next one goes on. In the end everything is there once.
"""

import subprocess
import sys
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.paths import home_at
from heedful.storage import Key, KeyKind, Store

KEY_HEX = "5a" * 32
KILLS = 60

PLAGUED = """
import asyncio, os, signal, sys
from pathlib import Path
from heedful.core.bus import Bus
from heedful.core.clock import SystemClock
from heedful.core.ids import random_id
from heedful.core.paths import home_at
from heedful.memory import queue
from heedful.memory.jobs import JobKind, Tools
from heedful.memory.worker import Worker
from heedful.storage import Connection, Key, KeyKind, Store

home, key, kills = home_at(Path(sys.argv[1])), Key(KeyKind.KEYRING, sys.argv[2]), int(sys.argv[3])
clock = SystemClock()

def put(connection, name):
    connection.execute("INSERT INTO participants (address, name) VALUES (?, ?)", (random_id(), name))

async def first(context, payload):
    # Two steps of its own, the second asks for a job of the next kind: one transaction each.
    def step(connection):
        if not connection.value("SELECT 1 FROM participants WHERE name = ?", (f"step {payload['n']}",)):
            put(connection, f"step {payload['n']}")
        return None, ()
    def end(connection):
        put(connection, f"first {payload['n']}")
        queue.enqueue(connection, "second", str(payload["n"]), payload, now=clock.now())
        return None, ()
    await context.keep(step)
    await context.finish(end)

async def second(context, payload):
    await context.finish(lambda connection: (put(connection, f"second {payload['n']}"), ()))

KINDS = {kind.name: kind for kind in (JobKind("first", first), JobKind("second", second))}

def ask(connection):
    for n in range(8):
        queue.enqueue(connection, "first", str(n), {"n": n}, now=clock.now())
    return None, ()

async def work():
    store = Store.open(home, key, Bus())
    await Worker(Tools(store, clock, random_id), lambda: KINDS).settle()
    store.close()

def die_at(statement):
    run = Connection.execute
    row = Connection.row
    count = 0
    def counted(original):
        def call(self, sql, bindings=()):
            nonlocal count
            count += 1
            if count == statement:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(self, sql, bindings)
        return call
    Connection.execute = counted(run)
    Connection.row = counted(row)

async def begin():
    store = Store.open(home, key, Bus())
    await store.write(ask)
    store.close()

asyncio.run(begin())
killed = 0
for number in range(kills):
    child = os.fork()
    if child == 0:
        die_at(8 + number)
        asyncio.run(work())
        os._exit(0)
    _, status = os.waitpid(child, 0)
    killed += os.WIFSIGNALED(status)
asyncio.run(work())
print(killed)
"""


def test_killed_between_any_two_statements_each_job_is_done_exactly_once(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAGUED, str(tmp_path), KEY_HEX, str(KILLS)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= KILLS // 2
    store = Store.open(home_at(tmp_path), Key(KeyKind.KEYRING, KEY_HEX), Bus(), read_only=True)
    effects = store.read_now(
        lambda c: c.rows("SELECT name, count(*) FROM participants GROUP BY name ORDER BY name")
    )
    states = store.read_now(lambda c: c.rows("SELECT kind, state, count(*) FROM jobs GROUP BY kind, state"))
    store.close()
    assert effects == [(f"{kind} {n}", 1) for kind in ("first", "second", "step") for n in range(8)]
    assert states == [("first", "done", 8), ("second", "done", 8)]
