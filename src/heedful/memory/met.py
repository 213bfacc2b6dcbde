"""Which messages one reading of a source has brought so far, so that another copy of one is not taken for its edit.

A mail may lie in a mailbox twice under one id, once as it was sent and once as a mailing list passed it on. The first
one met stands; without this each would be taken for an edit of the other, at every reading anew.
"""


class Met:
    """Messages by their places of arrival; an eighth of a byte each."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._unsettled: list[int] = []

    def add(self, seq: int) -> bool:
        """Notes one; True when it was noted before."""
        place, bit = seq >> 3, 1 << (seq & 7)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        was_there = bool(self._bits[place] & bit)
        if not was_there:
            self._bits[place] |= bit
            self._unsettled.append(seq)
        return was_there

    def settle(self) -> None:
        """What was noted up to here stands."""
        self._unsettled.clear()

    def withdraw(self) -> None:
        """What was noted since `settle` was undone, and is not met."""
        for seq in self._unsettled:
            self._bits[seq >> 3] &= ~(1 << (seq & 7))
        self._unsettled.clear()
