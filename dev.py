#!/usr/bin/env python3
"""Everything a developer does with Heedful, from a fresh clone, with nothing but Python 3.11.

    python3 dev.py run [ARGS…]     heedful ARGS… (no ARGS: the app)
    python3 dev.py test [ARGS…]    the tests; --real-model URL also runs those that need a model server
    python3 dev.py check           ruff, format, mypy, import-linter, vulture, deptry
    python3 dev.py bench [ARGS…]   measures speed, memory and quality, and writes docs/benchmarks.md
    python3 dev.py lock            resolves the dependencies anew into requirements.lock
    python3 dev.py clean           removes what this script made

It makes .venv from requirements.lock (bringing uv by pip where it is missing) and, where there is apt, installs
the system libraries that Qt and the desktop tests need, after saying which. Standard library only.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
TOOLS = ROOT / ".dev"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "heedful-lock.sha256"
MADE = (
    VENV,
    TOOLS,
    *(ROOT / name for name in (".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "dist")),
)

QT_PACKAGES = (
    "libglib2.0-0", "libfontconfig1", "libegl1", "libgl1", "libdbus-1-3", "libxkbcommon0", "libxcb-cursor0",
    "libxcb-icccm4", "libxcb-keysyms1", "libxcb-image0", "libxcb-randr0", "libxcb-render-util0", "libxcb-shape0",
    "libxcb-sync1", "libxcb-xfixes0", "libxcb-xkb1", "libxkbcommon-x11-0", "libx11-xcb1",
)  # fmt: skip
TEST_PACKAGES = (
    "xvfb", "dbus", "dbus-bin", "dbus-daemon", "trayer", "gnome-keyring", "libsecret-tools", "xdotool",
    "fonts-inter", "fonts-dejavu-core",
)  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Runs one of the commands above and returns its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this file is started by whatever Python the machine has)
        return complain(f"Heedful needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    commands = {"run": run, "test": test, "check": check, "bench": bench, "lock": lock, "clean": clean}
    if not arguments or arguments[0] not in commands:
        print(__doc__)
        return 0 if arguments[:1] in ([], ["-h"], ["--help"]) else 2
    try:
        return commands[arguments[0]](list(arguments[1:]))
    except subprocess.CalledProcessError as exc:
        return complain(f"`{' '.join(map(str, exc.cmd[:4]))} …` failed with exit code {exc.returncode}.")
    except KeyboardInterrupt:
        return 130


def run(arguments: list[str]) -> int:
    """`heedful ARGS…`; only the app itself needs Qt's system libraries."""
    make_environment()
    is_app = not arguments or arguments[0] == "run" or arguments[0].startswith("-")
    if is_app and "--headless" not in arguments:
        bring_packages(QT_PACKAGES)
    return call(python(), "-m", "heedful", *arguments)


def test(arguments: list[str]) -> int:
    """Pytest over everything, or over what ARGS name."""
    make_environment()
    bring_packages(QT_PACKAGES + TEST_PACKAGES)
    environment = dict(os.environ)
    marks = ["-m", "not real_model"]
    if "--real-model" in arguments:
        at = arguments.index("--real-model")
        if at + 1 >= len(arguments):
            return complain(
                "--real-model needs the address of an OpenAI-compatible server, such as http://127.0.0.1:8091."
            )
        environment["HEEDFUL_TEST_MODEL_URL"] = arguments[at + 1]
        arguments = arguments[:at] + arguments[at + 2 :]
        marks = []
    return call(python(), "-m", "pytest", *marks, *arguments, environment=environment)


def check(arguments: list[str]) -> int:
    """Every static check; all of them run, and the first failure's code is returned."""
    make_environment()
    paths = ["src", "tests", "dev.py", "packaging"]
    steps = (
        ("ruff", "check", *paths),
        ("ruff", "format", "--check", *paths),
        ("mypy", *arguments),
        ("lint-imports",),
        ("vulture",),
        ("deptry", "src"),
    )
    worst = 0
    for step in steps:
        print(f"— {' '.join(step)}", flush=True)
        code = call(tool(step[0]), *step[1:])
        worst = worst or code
    return worst


def bench(arguments: list[str]) -> int:
    """The benchmarks; --quality and --juice choose others."""
    make_environment()
    bring_packages(QT_PACKAGES)
    return call(python(), "-m", "tests.benchmarks", *arguments)


def lock(arguments: list[str]) -> int:
    """Resolves the dependencies anew; the lock names versions and hashes, and no address."""
    uv = find_uv()
    return call(
        uv, "pip", "compile", "--quiet", "pyproject.toml", "--group", "dev", "--universal", "--generate-hashes",
        "--no-header", "--no-annotate", "--python-version", "3.11", "--output-file", str(LOCK), *arguments,
    )  # fmt: skip


def clean(_: list[str]) -> int:
    """Removes what this script made; never anything of the person's."""
    for made in MADE:
        shutil.rmtree(made, ignore_errors=True)
    for cache in ROOT.glob("*/**/__pycache__"):
        shutil.rmtree(cache, ignore_errors=True)
    return 0


def make_environment() -> None:
    """Brings .venv to what the lock says; does nothing when it is there already."""
    wanted = hashlib.sha256(LOCK.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == wanted and Path(python()).exists():
        return
    uv = find_uv()
    print("Making .venv from requirements.lock …", file=sys.stderr, flush=True)
    if not Path(python()).exists():
        must(uv, "venv", "--quiet", "--python", sys.executable, str(VENV))
    inside = {**os.environ, "VIRTUAL_ENV": str(VENV)}
    must(uv, "pip", "sync", "--quiet", "--require-hashes", str(LOCK), environment=inside)
    must(
        uv,
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--editable",
        str(ROOT),
        environment=inside,
    )
    STAMP.write_text(wanted)


def find_uv() -> str:
    """The uv of this machine, else one of our own below .dev, brought by pip."""
    found = shutil.which("uv")
    if found and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0:
        return found
    own = TOOLS / ("Scripts/uv.exe" if os.name == "nt" else "bin/uv")
    if not own.exists():
        print("Bringing uv by pip into .dev …", file=sys.stderr, flush=True)
        make_tools()
        must(str(own.with_name(Path(sys.executable).name if os.name == "nt" else "python")), "-m", "pip", "install",
             "--quiet", "--disable-pip-version-check", "uv")  # fmt: skip
    return str(own)


def make_tools() -> None:
    """A small environment for uv; Debian keeps what that needs in a package of its own."""
    make = [sys.executable, "-m", "venv", "--clear", str(TOOLS)]
    if subprocess.run(make, capture_output=True, check=False).returncode:
        bring_packages((f"python3.{sys.version_info.minor}-venv",))
        must(*make)


def bring_packages(names: Sequence[str]) -> None:
    """Installs what is missing where there is apt and the right to; elsewhere names it."""
    if sys.platform != "linux" or not shutil.which("dpkg-query"):
        return
    missing = [name for name in names if not is_installed(name)]
    if not missing:
        return
    listed = " ".join(missing)
    sudo = [] if os.geteuid() == 0 else [found] if (found := shutil.which("sudo")) else None
    if sudo is None or not shutil.which("apt-get"):
        print(f"These system packages are missing; please install them: {listed}", file=sys.stderr)
        return
    print(f"Installing system packages: {listed}", file=sys.stderr, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    must(*sudo, "apt-get", "update", "-qq", environment=environment)
    must(*sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing, environment=environment,
         quiet=True)  # fmt: skip


def is_installed(package: str) -> bool:
    """Whether dpkg knows the package as installed, under this name or a successor's (libglib2.0-0t64)."""
    for name in (package, f"{package}t64"):
        asked = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Status}", name], capture_output=True, text=True, check=False
        )
        if "install ok installed" in asked.stdout:
            return True
    return False


def python() -> str:
    """The environment's interpreter."""
    return str(VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def tool(name: str) -> str:
    """A command of the environment."""
    return str(VENV / (f"Scripts/{name}.exe" if os.name == "nt" else f"bin/{name}"))


def call(*command: str, environment: dict[str, str] | None = None) -> int:
    """Runs a command in the checkout and returns its exit code."""
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def must(*command: str, environment: dict[str, str] | None = None, quiet: bool = False) -> None:
    """Runs a command that has to succeed."""
    output = subprocess.DEVNULL if quiet else None
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=output)


def complain(sentence: str) -> int:
    """Says why not."""
    print(sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
