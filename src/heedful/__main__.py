"""`python -m heedful` and the `heedful` command."""

import sys

from heedful.cli import main

if __name__ == "__main__":
    sys.exit(main())
