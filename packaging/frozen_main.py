"""Starts the packaged app; the staged copy has this as its heedful/__main__.py.

keyring finds its backends through the metadata of installed distributions, which a frozen app need not have. So
the platform's own is named here, unless the person's environment names another.
"""

import os
import sys

from heedful import cli

BACKENDS = {
    "darwin": "keyring.backends.macOS.Keyring",
    "linux": "keyring.backends.SecretService.Keyring",
    "win32": "keyring.backends.Windows.WinVaultKeyring",
}


def main() -> int:
    """Runs the command line with the platform's keyring, and returns its exit code."""
    if sys.platform in BACKENDS:
        os.environ.setdefault("PYTHON_KEYRING_BACKEND", BACKENDS[sys.platform])
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
