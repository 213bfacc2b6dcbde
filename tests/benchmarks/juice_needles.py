"""Seeded cases with one line that matters, planted in logs and tables that do not: is it kept, and what is saved.

Logs come from a folder of real systems given by the caller; the rest is generated. Each case carries a mark that
occurs nowhere else, so that «kept» is a plain search.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_FAULTS = (
    "ERROR disk quota exceeded on volume {mark}",
    "fatal: cannot open shared object {mark}",
    "Exception in thread worker: NullPointerException at {mark}",
    "connection to {mark} refused",
    "request {mark} timed out after 30 s",
    "CRITICAL: certificate for {mark} expired",
    "segfault in {mark} at address 0x7f",
    "panic: runtime failure in {mark}",
    "permission denied for {mark}",
    "checksum mismatch in block {mark}",
    "Out of memory: killed process {mark}",
    "warning: replica {mark} is lagging behind",
    "failed to renew lease {mark}",
    "no space left on device {mark}",
    "unable to resolve host {mark}",
)
_EVENTS = (
    "operator {mark} changed the retention policy to 400 days",
    "payment of 1,204.50 EUR booked for order {mark}",
    "new administrator account {mark} created from 198.51.100.7",
    "leader election won by {mark}",
    "schema migrated to revision {mark}",
    "backup {mark} finished after 14 hours",
    "firmware of {mark} replaced",
)


@dataclass(frozen=True, slots=True)
class Case:
    """One input: `mark` must survive; `command` is None where a person, not a program, sent the text."""

    name: str
    kind: str
    text: str
    mark: str
    command: str | None
    exit_code: int | None = None


def generated_cases(logs: Path, *, count: int, seed: int) -> list[Case]:
    """`count` cases, the same for the same seed and folder; a fifth are not logs."""
    rng = random.Random(seed)
    systems = {path.stem: _lines(path) for path in sorted(logs.rglob("*.log"))}
    names = sorted(systems)
    cases = []
    for number in range(count):
        if number % 5 == 4 or not names:
            cases.append(_made(rng, number))
        else:
            name = names[number % len(names)]
            other = systems[rng.choice([known for known in names if known != name] or names)]
            cases.append(_planted(rng, number, name, systems[name], other))
    return cases


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8", errors="replace").splitlines() if line.strip()]


def _planted(
    rng: random.Random, number: int, system: str, lines: Sequence[str], other: Sequence[str]
) -> Case:
    size = min(len(lines), rng.choice((200, 400, 800, 1500)))
    start = rng.randrange(len(lines) - size + 1)
    window = list(lines[start : start + size])
    at = rng.randrange(size // 6, size - size // 6)
    mark = f"q{rng.randrange(16**8):08x}z"
    kind = ("fault", "fault", "event", "foreign", "number")[number % 4 if number % 3 else 4]
    if kind == "number":
        planted = _odd_number(rng, window, at)
        if planted is not None:
            window[planted[1]], mark = planted[0], planted[2]
        else:
            kind = "fault"
    if kind == "foreign":
        window.insert(at, f"{rng.choice(other)} {mark}")
    elif kind in {"fault", "event"}:
        message = rng.choice(_FAULTS if kind == "fault" else _EVENTS).format(mark=mark)
        window.insert(at, f"{_head(window[at])}{message}")
    command = rng.choice(("journalctl -u app", "mytool run", "docker logs app", "kubectl logs app", None))
    return Case(f"{system}-{number}", kind, "\n".join(window), mark, command, 0 if command else None)


def _head(line: str) -> str:
    """The part of a log line before its message: stamp, host, level."""
    found = re.match(r"(?:\S+[ \t]+){1,5}?(?=\S*[A-Za-z]{4})", line)
    return found[0] if found else ""


def _odd_number(rng: random.Random, window: list[str], at: int) -> tuple[str, int, str] | None:
    """A line of a frequent pattern with its last number blown up, its position, and the new number."""
    counts: dict[str, list[int]] = {}
    for n, line in enumerate(window):
        counts.setdefault(re.sub(r"\d+", "0", line), []).append(n)
    frequent = [where for where in counts.values() if len(where) >= 20]
    for where in sorted(frequent, key=len, reverse=True):
        n = min(where, key=lambda place: abs(place - at))
        numbers = [m for m in re.finditer(r"(?<![\w.:/-])\d{1,5}(?![\w.:/-])", window[n])]
        if numbers and where.index(n) not in {0, len(where) - 1}:
            odd = str(rng.randrange(10**8, 10**9))
            last = numbers[-1]
            return window[n][: last.start()] + odd + window[n][last.end() :], n, odd
    return None


def _made(rng: random.Random, number: int) -> Case:
    makers = (_pods, _access, _tests, _rows, _csv, _build, _units)
    mark = f"q{rng.randrange(16**8):08x}z"
    return makers[number // 5 % len(makers)](rng, number, mark)


def _pods(rng: random.Random, number: int, mark: str) -> Case:
    rows = [
        f"team{n % 7}   web-{n}-{rng.randrange(16**5):05x}   1/1   Running   {n % 3}   {n % 40}d"
        for n in range(150)
    ]
    state = rng.choice(("CrashLoopBackOff", "ImagePullBackOff", "Evicted", "Pending", "OOMKilled"))
    rows.insert(rng.randrange(30, 120), f"team3   {mark}   0/1   {state}   17   3d")
    return Case(
        f"pods-{number}",
        "table",
        "\n".join(["NAMESPACE NAME READY STATUS RESTARTS AGE", *rows]),
        mark,
        "kubectl get pods -A",
        0,
    )


def _access(rng: random.Random, number: int, mark: str) -> Case:
    lines = [
        f"10.0.{n % 9}.{n % 250} - - [01/Jun/2026:10:{n // 60 % 60:02d}:{n % 60:02d} +0000]"
        f' "GET /item/{rng.randrange(900)} HTTP/1.1" 200 {rng.randrange(900, 990)}'
        for n in range(600)
    ]
    at = rng.randrange(100, 500)
    lines[at] = (
        f'10.0.1.9 - - [01/Jun/2026:10:{at // 60 % 60:02d}:{at % 60:02d} +0000] "POST /pay/{mark} HTTP/1.1" 500 212'
    )
    return Case(f"access-{number}", "status", "\n".join(lines), mark, "tail -600 access.log | cut -c1-200", 0)


def _tests(rng: random.Random, number: int, mark: str) -> Case:
    lines = [f"tests/test_{n % 12}.py::test_case_{n} PASSED [{n * 100 // 300:3d}%]" for n in range(300)]
    at = rng.randrange(40, 260)
    lines[at] = f"tests/test_{at % 12}.py::test_{mark} FAILED [{at * 100 // 300:3d}%]"
    tail = ["=== FAILURES ===", f"E   AssertionError: {mark}", "=== 1 failed, 299 passed in 4.21s ==="]
    return Case(f"tests-{number}", "test", "\n".join(lines + tail), mark, "pytest -v", 1)


def _rows(rng: random.Random, number: int, mark: str) -> Case:
    rows = [{"id": n, "user": f"user{n}", "state": "ok", "ms": rng.randrange(20, 90)} for n in range(250)]
    odd = rng.randrange(30, 220)
    rows[odd] |= rng.choice(({"state": "stuck", "user": mark}, {"ms": 90_000, "user": mark}, {"note": mark}))
    return Case(f"rows-{number}", "json", json.dumps(rows), mark, "curl -s https://api.example/rows", 0)


def _csv(rng: random.Random, number: int, mark: str) -> Case:
    lines = ["date,account,amount,state"]
    lines += [
        f"2026-05-{n % 28 + 1:02d},acc{n % 40},{rng.randrange(10, 99)}.{n % 100:02d},booked"
        for n in range(400)
    ]
    odd = rng.randrange(60, 340)
    lines[odd] = rng.choice((f"2026-05-09,{mark},48250.00,booked", f"2026-05-09,{mark},12.00,disputed"))
    return Case(f"csv-{number}", "csv", "\n".join(lines), mark, None)


def _build(rng: random.Random, number: int, mark: str) -> Case:
    lines = [f"[{n}/420] Building CXX object src/CMakeFiles/app.dir/part{n}.cpp.o" for n in range(1, 421)]
    lines.insert(rng.randrange(60, 360), f"src/{mark}.cpp:41:7: warning: unused variable 'left'")
    return Case(f"build-{number}", "build", "\n".join(lines), mark, "ninja -C build", 0)


def _units(rng: random.Random, number: int, mark: str) -> Case:
    lines = ["  UNIT                 LOAD   ACTIVE SUB     DESCRIPTION"]
    lines += [
        f"  part{n}.service       loaded active running Part number {n} of the system" for n in range(180)
    ]
    lines.insert(rng.randrange(30, 150), f"● {mark}.service   loaded failed failed  Worker of the queue")
    return Case(f"units-{number}", "table", "\n".join(lines), mark, "systemctl list-units", 0)


def fixed_cases(folder: Path) -> Iterator[Case]:
    """The cases of a folder of tool inputs whose needle is known by its file name."""
    needles = {
        "journal": "ERROR",
        "unknown_log": "disk full",
        "kubectl": "CrashLoopBackOff",
        "npm_uptodate_fail": "EACCES",
    }
    for path in sorted(folder.glob("*.json")):
        if path.stem in {*needles, "json"}:
            raw = json.loads(path.read_text("utf-8"))
            yield Case(
                path.stem,
                "fixed",
                raw["combinedText"],
                needles.get(path.stem, ""),
                raw["command"],
                raw.get("exitCode"),
            )
