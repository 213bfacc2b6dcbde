"""The rule book that the window, the loops and the command line share: where a person's and a project's rules lie."""

from collections.abc import Sequence
from pathlib import Path

from heedful.core.paths import Home
from heedful.tokenjuice.layers import RuleBook
from heedful.tokenjuice.trust import TrustedFolders


def own_rules_folder(home: Home) -> Path:
    """Where Heedful writes rules of the person's own; they win over those of other programs."""
    return home.config / "tokenjuice" / "rules"


def trusted_folders(home: Home) -> TrustedFolders:
    """The folders whose rules the person said yes to."""
    return TrustedFolders(home.config / "trusted-folders.json")


def standard_rule_book(
    home: Home, *, person: Path, project: Path | None = None, last: Sequence[Path] = ()
) -> RuleBook:
    """The rules in force for one person.

    Args:
        home: Where Heedful's own settings lie.
        person: The person's home folder, below which all programs that know such rules look for them.
        project: The folder that is worked in; its rules count once it is trusted.
        last: Folders that win over the person's others.
    """
    trusted = trusted_folders(home)
    return RuleBook(
        user_folders=[person / ".config" / "tokenjuice" / "rules", own_rules_folder(home), *last],
        project=project,
        is_trusted=lambda folder: folder in trusted,
    )
