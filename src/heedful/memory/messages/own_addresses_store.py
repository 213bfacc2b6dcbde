"""The rows of the person's own addresses, and how often each address stood where theirs would."""

from dataclasses import dataclass
from typing import Literal

from heedful.sources.addresses import Tallies
from heedful.storage import Connection

AddressOrigin = Literal["inferred", "stated", "refused"]
_ORIGINS: dict[str, AddressOrigin] = {"inferred": "inferred", "stated": "stated", "refused": "refused"}


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of the person's; a refused one is known not to be. `uses` counts what speaks for it."""

    address: str
    origin: AddressOrigin
    uses: int


def own_addresses(connection: Connection) -> tuple[OwnAddress, ...]:
    """What is known about the person's addresses, the most used first."""
    return tuple(
        OwnAddress(str(address), _ORIGINS[str(origin)], int(uses or 0))
        for address, origin, uses in connection.rows(
            "SELECT address, origin, uses FROM own_addresses ORDER BY origin = 'refused', uses DESC, address"
        )
    )


def known_own(connection: Connection) -> frozenset[str]:
    """The addresses that are the person's as far as is known, without those they refused."""
    return frozenset(own.address for own in own_addresses(connection) if own.origin != "refused")


def infer_address(connection: Connection, address: str, uses: int) -> None:
    """Notes an address that the mail itself speaks for; what the person has said about it stays."""
    connection.execute(
        "INSERT INTO own_addresses (address, origin, uses) VALUES (?, 'inferred', ?) "
        "ON CONFLICT (address) DO UPDATE SET uses = excluded.uses",
        (address, uses),
    )


def state_address(connection: Connection, address: str, origin: AddressOrigin) -> None:
    """Keeps the person's word about an address, which is final."""
    connection.execute(
        "INSERT INTO own_addresses (address, origin) VALUES (?, ?) "
        "ON CONFLICT (address) DO UPDATE SET origin = excluded.origin",
        (address, origin),
    )


def address_tallies(connection: Connection) -> Tallies:
    """How often each address stood where the owner of a mailbox stands, over all mail."""
    tallies = Tallies()
    for place, found, count in connection.rows(_TALLIED):
        number, address = int(count or 0), str(found or "")
        match place:
            case "author":
                tallies.received += number
                tallies.authors[address] += number
            case "sender":
                tallies.sent += number
                tallies.sent_authors[address] += number
            case "recipient":
                tallies.recipients[address] += number
            case _:
                tallies.delivered_to[address] += number
    return tallies


# One statement over an index that holds these very expressions: a message's row with its text is long to read.
_TALLIED = """
WITH mail (seq, author, is_sent, delivered) AS MATERIALIZED (
  SELECT m.seq, m.author_id, coalesce(m.traits ->> 'sent_folder', 0) OR coalesce(m.from_me, 0),
  m.traits ->> 'delivered_to' FROM messages m WHERE m.channel = 'email'
)
SELECT iif(mail.is_sent, 'sender', 'author'), p.address, count(*) FROM mail
  LEFT JOIN participants p ON p.id = mail.author GROUP BY mail.is_sent, p.address
UNION ALL SELECT 'recipient', p.address, count(DISTINCT mail.seq) FROM mail
  JOIN recipients r ON r.message_seq = mail.seq JOIN participants p ON p.id = r.participant_id
  WHERE NOT mail.is_sent GROUP BY p.address
UNION ALL SELECT 'delivered', mail.delivered, count(*) FROM mail
  WHERE NOT mail.is_sent AND mail.delivered IS NOT NULL GROUP BY mail.delivered
"""
