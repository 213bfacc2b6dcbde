"""`heedful doctor`: checks everything Heedful stands on, with a fix for each failure."""

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from heedful.cli.command import Command, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.core.settings import Settings
    from heedful.memory.queue.queue_store import KindWork

PROBE_WITHIN_S = 20.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked; `fix` is empty when it is well."""

    check: str
    ok: bool
    detail: str
    fix: str = ""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none of its own."""


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:  # noqa: ARG001 (the shape of a command)
    checks = [
        *_environment(),
        *_settings(terminal),
        *_keyring(terminal),
        *_store(terminal),
        *_desktop(terminal),
    ]
    checks += asyncio.run(_provider(terminal))
    checks += asyncio.run(_matching(terminal))
    for check in checks:
        terminal.say(f"{'well ' if check.ok else 'NEEDS'}  {check.check}: {check.detail}")
        if check.fix:
            terminal.say(f"       {check.fix}")
    terminal.give([asdict(check) for check in checks])
    return 0 if all(check.ok for check in checks) else 1


def _environment() -> list[Check]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    well = sys.version_info >= (3, 11)
    return [Check("python", well, version, "" if well else "Install Python 3.11 or newer.")]


def _settings(terminal: Terminal) -> list[Check]:
    from heedful.core.settings import load_settings

    return [_attempt("settings", lambda: _told(load_settings(terminal.home.settings)))]


def _told(settings: "Settings") -> str:
    return f"provider {settings.provider.preset}, every {settings.loop.effective_interval_s / 60:.0f} min"


def _keyring(terminal: Terminal) -> list[Check]:
    from heedful.core.secrets import KeyringSecrets

    def ask() -> str:
        KeyringSecrets(terminal.home.name).get("doctor")
        return "answers"

    check = _attempt("keyring", ask)
    if not check.ok and terminal.environment.get("HEEDFUL_PASSPHRASE"):
        return [Check("keyring", True, "none, but a passphrase is set")]
    return [check]


def _store(terminal: Terminal) -> list[Check]:
    def look() -> str:
        if not terminal.home.database.exists():
            return "not made yet"
        return asyncio.run(_count(terminal))

    return [_attempt("store", look), _attempt("backups", lambda: _copies(terminal)), _work(terminal)]


async def _count(terminal: Terminal) -> str:
    from heedful.memory.archivist.housekeeping import prove_sound
    from heedful.memory.archivist.report import store_report

    async with terminal.app(read_only=True) as app:
        report = await app.store.read(store_report)
        await app.store.read(prove_sound)
        size = f"{app.store.size_bytes / 1e6:.1f} MB"
    return f"{report.messages} messages, {size} ({report.sentence}), integrity ok"


def _work(terminal: Terminal) -> Check:
    """What the memory has still to do; what failed is no fault of the surroundings, but worth a word."""
    from heedful.core.errors import HeedfulError
    from heedful.presenters.background_work import kind_words

    if not terminal.home.database.exists():
        return Check("background work", True, "none yet")
    try:
        kinds = asyncio.run(_unfinished(terminal))
    except HeedfulError as exc:
        return Check("background work", False, exc.sentence(), "Put the store right first.")
    waiting = sum(work.due + work.put_off + work.running for work in kinds)
    broken = [
        f"{kind_words(work.kind)}: {work.failed} failed. {work.reason or ''}" for work in kinds if work.failed
    ]
    detail = ". ".join((f"{waiting} jobs wait", *(words.strip().rstrip(".") for words in broken)))
    return Check(
        "background work", not broken, detail, "Try `heedful settle --retry-failed`." if broken else ""
    )


async def _unfinished(terminal: Terminal) -> "tuple[KindWork, ...]":
    from heedful.memory.queue.asking import work_by_kind

    async with terminal.app(read_only=True) as app:
        now = app.clock.now()
        return await app.store.read(lambda connection: work_by_kind(connection, now=now))


def _copies(terminal: Terminal) -> str:
    from heedful.memory.archivist.backup import backups, made_at

    found = backups(terminal.home)
    if not found:
        return "none yet; one is made a day while Heedful runs"
    size = sum(file.stat().st_size for file in found)
    return f"{len(found)}, {size / 1e6:.1f} MB, the newest of {made_at(found[0]):%Y-%m-%d %H:%M} UTC"


async def _provider(terminal: Terminal) -> list[Check]:
    from heedful.core.errors import HeedfulError
    from heedful.inference import NotReady, WhyNot

    if not terminal.home.database.exists():
        return [Check("provider", True, "asked once there is a store")]
    try:
        async with terminal.app(read_only=True) as app:
            ready = await app.inference.ready()
    except HeedfulError as exc:
        return [Check("provider", False, exc.sentence(), "Put the store right first.")]
    if isinstance(ready, NotReady):
        well = ready.why is WhyNot.BUILTIN
        return [Check("provider", well, ready.sentence, "" if well else "See Settings.")]
    return [Check("provider", True, f"{ready.name} at {ready.endpoint.host}")]


async def _matching(terminal: Terminal) -> list[Check]:
    """What matches by meaning, and whether a server that was chosen may be asked."""
    from heedful.core.errors import HeedfulError
    from heedful.memory.embeddings.installed import require_installed
    from heedful.memory.embeddings.server import provider_of
    from heedful.presenters.matching import in_force_words

    name = "matching by meaning"
    if not terminal.home.database.exists():
        return [Check(name, True, "asked once there is a store")]
    try:
        async with terminal.app(read_only=True) as app:
            chosen = app.settings.embeddings
            require_installed(chosen)
            may_ask = chosen.kind != "openai_compatible" or await app.inference.egress.is_allowed(
                provider_of(chosen)
            )
    except HeedfulError as exc:
        detail = f"{exc.title}. {exc.message}".strip()
        return [Check(name, False, detail, exc.hint or "Choose another way in Settings.")]
    told = in_force_words(chosen)
    if may_ask:
        return [Check(name, True, told)]
    return [
        Check(
            name, False, f"{told}: you have not agreed to it yet", "Agree in Settings, Matching by meaning."
        )
    ]


def _desktop(terminal: Terminal) -> list[Check]:
    """Asks a process of its own, which may load Qt and may fail at it."""
    frozen = not sys.executable.removesuffix(".exe").rpartition("/")[2].startswith("python")
    command = [sys.executable, *(() if frozen else ("-m", "heedful")), "run", "--probe"]
    try:
        answer = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PROBE_WITHIN_S,
            check=False,
            env=dict(terminal.environment),
        )
    except (subprocess.TimeoutExpired, OSError) as exc:
        return [Check("desktop", False, type(exc).__name__, "Start Heedful from a desktop session.")]
    if answer.returncode:
        last = (answer.stderr.strip().splitlines() or ["Qt could not start"])[-1]
        fix = "Start it from a desktop session, or install the libraries Qt needs: `python3 dev.py run` names them."
        return [Check("desktop", False, last, fix)]
    return [Check(**found) for found in json.loads(answer.stdout)]


def _attempt(name: str, work: Callable[[], str]) -> Check:
    from heedful.core.errors import HeedfulError

    try:
        return Check(name, True, work())
    except HeedfulError as exc:
        return Check(name, False, f"{exc.title}. {exc.message}".strip(), exc.hint)


COMMAND = Command("doctor", "check what Heedful stands on", _add_arguments, _run)
