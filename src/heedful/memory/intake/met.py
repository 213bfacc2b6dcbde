"""Which messages one reading of a source has brought so far, so that another copy of one is not taken for its edit.

A mail may lie in a mailbox twice under one id, once as it was sent and once as a mailing list passed it on. The first
one met stands; without this each would be taken for an edit of the other, at every reading anew.
"""


class Met:
    """Messages by their places of arrival; an eighth of a byte each."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, seq: int) -> bool:
        """Notes one; True when it was noted before."""
        place, bit = seq >> 3, 1 << (seq & 7)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        was_there = bool(self._bits[place] & bit)
        self._bits[place] |= bit
        return was_there
