"""`git status` in a letter and a path a file."""

import re

from heedful.tokenjuice.ledger import WRITTEN, Draft
from heedful.tokenjuice.shapes import Reading

_ADVICE = re.compile(
    r'^\s*(?:On branch |Your branch is up to date|\(use "git|\(commit or discard'
    r"|and have \d+ and \d+|no changes added to commit"
    r"|nothing added to commit|nothing to commit|use \"git )"
)
_EMPTY = re.compile(r"^\s*$")


def reshape_git_status(reading: Reading) -> str:
    """The status without advice: headings and files stay, in their words."""
    whole = Draft.of(reading.text)
    kept = [n for n, line in enumerate(whole.lines) if not _ADVICE.match(line) and not _EMPTY.match(line)]
    bare = reading.ledger.enter("advice", whole, whole.only(kept))
    if bare.lines:
        return bare.text()
    return reading.ledger.enter("clean", bare, Draft(["working tree clean"], [WRITTEN])).text()
