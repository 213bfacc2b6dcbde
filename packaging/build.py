"""Makes an installer of Heedful with briefcase, on the platform it is for.

    .venv/bin/python packaging/build.py linux|macos|windows [--stage-only] [-- ARGS for `briefcase package`]

It lays out packaging/staged/ and runs briefcase there; the installer ends in packaging/staged/dist/. README.md
beside this file has what each platform needs.
"""

import argparse
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from staging import StagingError, stage

ROOT = Path(__file__).resolve().parents[1]
STAGED = ROOT / "packaging" / "staged"
PLATFORMS = {"linux": "linux", "macos": "macOS", "windows": "windows"}


def main(arguments: Sequence[str]) -> int:
    """Stages and, unless told not to, packages; returns the exit code."""
    own, rest = _split(arguments)
    parser = argparse.ArgumentParser(prog="build.py", description="Makes an installer of Heedful.")
    parser.add_argument("platform", choices=PLATFORMS)
    parser.add_argument("--stage-only", action="store_true", help="stop when packaging/staged/ is laid out")
    asked = parser.parse_args(own)
    try:
        stage(ROOT, STAGED)
        if not asked.stage_only:
            freeze(PLATFORMS[asked.platform], rest)
    except StagingError as exc:
        print(exc, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as exc:
        print(f"`{' '.join(exc.cmd)}` failed with exit code {exc.returncode}.", file=sys.stderr)
        return 1
    print(STAGED)
    return 0


def freeze(platform: str, arguments: Sequence[str]) -> None:
    """Lets briefcase make the installer; on Linux our own desktop entry takes the place of briefcase's.

    Raises:
        StagingError: There is no briefcase.
        subprocess.CalledProcessError: A step of it failed, having said why.
    """
    briefcase = find_briefcase()
    subprocess.run([*briefcase, "create", platform, "--no-input"], cwd=STAGED, check=True)
    if platform == "linux":
        for share in STAGED.glob("build/heedful/*/*/heedful-*/usr/share"):
            furnish(share)
    subprocess.run([*briefcase, "package", platform, *arguments], cwd=STAGED, check=True)


def furnish(share: Path) -> None:
    """Puts the desktop entry and the metainfo where desktops and software centres look."""
    recipes = ROOT / "packaging" / "linux"
    for recipe, place in (
        ("heedful.desktop", "applications/org.heedful.heedful.desktop"),
        ("heedful.metainfo.xml", "metainfo/org.heedful.heedful.metainfo.xml"),
    ):
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(recipes / recipe, share / place)


def find_briefcase() -> list[str]:
    """The command that starts briefcase: of this Python, else of this machine.

    Raises:
        StagingError: There is none.
    """
    if importlib.util.find_spec("briefcase"):
        return [sys.executable, "-m", "briefcase"]
    if found := shutil.which("briefcase"):
        return [found]
    raise StagingError("Briefcase is not installed; `pip install briefcase` brings it.")


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """What stands before `--` and what after it."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return list(arguments[:at]), list(arguments[at + 1 :])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
