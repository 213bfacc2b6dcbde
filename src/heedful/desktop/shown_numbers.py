"""Which item each notification on the screen is about, by the number that the notification server gave it.

A click on a notification's body names nothing but that number, and the process that showed it may be gone. A number
means something only to the server that gave it, so those of another server are forgotten. Ids, never content.
"""

import json
import logging
from pathlib import Path

from heedful.core.ids import ActionableId

log = logging.getLogger(__name__)

KEPT = 50


class ShownNumbers:
    """A small file; one that can't be read or written costs the click, nothing else."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def keep(self, server: str, number: int, item_id: ActionableId) -> None:
        """Notes what a notification of this server is about."""
        items = {**self._items(server), str(number): item_id}
        newest = dict(list(items.items())[-KEPT:])
        partial = self._file.with_name(self._file.name + ".new")
        try:
            partial.write_text(json.dumps({"server": server, "items": newest}), encoding="utf-8")
            partial.replace(self._file)
        except OSError as exc:
            log.info("the number of a notification was not kept: %s", type(exc).__name__)

    def item(self, server: str, number: int) -> ActionableId | None:
        """What a notification of this server is about; None where it is not ours."""
        found = self._items(server).get(str(number))
        return None if found is None else ActionableId(found)

    def _items(self, server: str) -> dict[str, str]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            if kept["server"] != server:
                return {}
            return {str(number): str(item) for number, item in kept["items"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}
