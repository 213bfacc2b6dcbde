"""What a folder-like source held when it was last read, kept in its cursor: what is new, what changed, what is gone."""

import base64
import binascii
import json
import zlib
from typing import NamedTuple

from heedful.core.errors import UserCanFixError
from heedful.sources.batching import Left

_MARK = "h1:"
_REFUSED = "refused"
_MIN_UNSAVED = 1000
_TOO_MANY_TO_VANISH = 5


class Held(NamedTuple):
    """One thing that was read: the stamp it had, and the external id it was last given, empty before the first."""

    stamp: str
    external_id: str


class Stocktaking:
    """One pass over what a source holds now, against the cursor of the last pass.

    Ask `knows` for each thing that is there, tell `take` for each one that was read, `finish` at the end.
    """

    def __init__(self, cursor: str, *, name: str) -> None:
        self._name = name
        self._before = _decode(cursor)
        self._now: dict[str, Held] = {}
        self._saved = cursor
        self._unsaved = 0

    def __len__(self) -> int:
        return len(self._before)

    def stamp(self, name: str) -> str | None:
        """The stamp a thing had last time; None when it was not there."""
        held = self._before.get(name)
        return held.stamp if held else None

    def knows(self, name: str, stamp: str) -> bool:
        """True when the thing is as it was; it then counts as still there."""
        held = self._before.get(name)
        if held is None or held.stamp != stamp:
            return False
        self._now[name] = held
        return True

    def take(self, name: str, stamp: str, external_id: str) -> None:
        """Notes that a thing was read; without an external id it was rejected, and stands for what it was before."""
        before = self._before.get(name)
        if not external_id and before is not None:
            external_id = before.external_id
        self._now[name] = Held(stamp, external_id)
        self._unsaved += 1

    def refuse(self, name: str) -> None:
        """Notes that a thing is there and may not be read: it stands for what it was, and is tried again each time."""
        self.take(name, _REFUSED, "")

    def leave(self, name: str) -> None:
        """Notes that a thing went while it was looked at: it stands for what it was, and the next pass decides."""
        held = self._before.get(name)
        if held is not None:
            self._now[name] = held

    def leave_below(self, beginning: str) -> None:
        """Notes that nobody can look where names begin so: what was there stands for what it was."""
        for name, held in self._before.items():
            if name.startswith(beginning):
                self._now.setdefault(name, held)

    def keep(self, name: str, stamp: str) -> None:
        """Notes that a thing's stamp changed and its content did not."""
        self.take(name, stamp, self._before[name].external_id)

    def cursor(self) -> str:
        """The cursor after what was taken so far.

        In the middle of a large pass it may lag behind, so that writing it stays cheap: what it does not cover is
        read again after an interruption.
        """
        if self._unsaved >= max(_MIN_UNSAVED, (len(self._now) + len(self._before)) // 8):
            self._save({**self._before, **self._now})
        return self._saved

    def finish(self) -> Left:
        """Ends the pass: the external ids that no thing bears any more, and the things that are not there any more.

        `cursor` is complete from here on.

        Raises:
            UserCanFixError: Everything vanished at once, as it does when a drive is not connected.
        """
        if not self._now and len(self._before) >= _TOO_MANY_TO_VANISH:
            raise UserCanFixError(
                f"{self._name} is empty now",
                "Heedful keeps what it has read from it.",
                "Connect its drive again, or remove this source.",
            )
        if self._now != self._before:
            self._save(self._now)
        remaining = {held.external_id for held in self._now.values()} | {""}
        gone = (held.external_id for held in self._before.values() if held.external_id not in remaining)
        return Left(tuple(dict.fromkeys(gone)), tuple(self._before.keys() - self._now.keys()))

    def _save(self, holdings: dict[str, Held]) -> None:
        self._saved = _encode(holdings)
        self._unsaved = 0


def _encode(holdings: dict[str, Held]) -> str:
    rows = [(name, *held) for name, held in sorted(holdings.items())]
    packed = zlib.compress(json.dumps(rows, separators=(",", ":")).encode("utf-8", "surrogatepass"), 1)
    return _MARK + base64.b85encode(packed).decode("ascii")


def _decode(cursor: str) -> dict[str, Held]:
    """Empty for a cursor that is empty or damaged: everything is then read again, which is safe."""
    if not cursor.startswith(_MARK):
        return {}
    try:
        rows = json.loads(zlib.decompress(base64.b85decode(cursor[len(_MARK) :])))
        return {name: Held(stamp, external_id) for name, stamp, external_id in rows}
    except (ValueError, TypeError, zlib.error, binascii.Error):
        return {}
