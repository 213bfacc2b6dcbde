"""Tells the addresses of mailing lists from a person's own, by what the mail that came through them says."""

from collections.abc import Iterable

from heedful.sources.addresses import names_list
from heedful.storage import Connection

LOOKED_AT = 50
"""So many of the newest messages to an address are looked at: a list says what it is in each."""


def lists_among(connection: Connection, addresses: Iterable[str]) -> frozenset[str]:
    """Those of the addresses through which mail came that names them as its list."""
    return frozenset(address for address in addresses if _is_list(connection, address))


def _is_list(connection: Connection, address: str) -> bool:
    rows = connection.rows(
        "SELECT DISTINCT list_id FROM (SELECT m.traits ->> 'list_id' AS list_id FROM participants p "
        "JOIN recipients r ON r.participant_id = p.id JOIN messages m ON m.seq = r.message_seq "
        "WHERE p.address = ? AND m.channel = 'email' ORDER BY m.seq DESC LIMIT ?) WHERE list_id IS NOT NULL",
        (address, LOOKED_AT),
    )
    return any(names_list(str(list_id), address) for (list_id,) in rows)
