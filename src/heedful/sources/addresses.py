"""Which addresses are the person's own: worked out from what their mail has in common, for them to confirm."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from heedful.sources.items import Incoming

_LEAST_SCORE = 0.2
_LIST_HOSTS = frozenset(["lists", "list", "listserv", "mailman", "groups", "googlegroups", "yahoogroups"])
_LIST_NAMES = frozenset(["list", "lists", "listserv", "everyone", "subscribers", "announce"])
_LIST_ENDS = _LIST_NAMES | {
    *("l", "ml", "ig", "wg", "sig", "dev", "devel", "users", "discuss", "discussion", "announcements"),
    *("members", "group", "groups", "all", "commits", "lista", "liste"),
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that is probably the person's own: `score` from 0 to 1, `why` in words for the person."""

    address: str
    score: float
    why: str


@dataclass(slots=True)
class Tallies:
    """How often each address stood where the owner of a mailbox stands; all addresses in lower case."""

    received: int = 0
    sent: int = 0
    recipients: Counter[str] = field(default_factory=Counter)
    delivered_to: Counter[str] = field(default_factory=Counter)
    sent_authors: Counter[str] = field(default_factory=Counter)
    authors: Counter[str] = field(default_factory=Counter)

    def add(self, item: Incoming) -> None:
        """Counts one message in; anything but mail counts nothing."""
        if item.channel != "email":
            return
        if item.traits.sent_folder or item.from_me:
            self.sent += 1
            self.sent_authors[item.author.address] += 1
            return
        self.received += 1
        self.authors[item.author.address] += 1
        self.recipients.update({person.address for person in (*item.to, *item.cc)})
        if item.traits.delivered_to:
            self.delivered_to[item.traits.delivered_to] += 1


def tally(items: Iterable[Incoming]) -> Tallies:
    """The tallies of these items."""
    tallies = Tallies()
    for item in items:
        tallies.add(item)
    return tallies


def likely_own(tallies: Tallies) -> tuple[Candidate, ...]:
    """The addresses that are probably the person's own, the surest first; empty when nothing speaks for any.

    None whose name is that of a mailing list, unless the person's own mail was written from it.
    """
    known = {*tallies.recipients, *tallies.delivered_to, *tallies.sent_authors} - {""}
    candidates = (
        _weighed(address, tallies)
        for address in known
        if "@" in address and (tallies.sent_authors[address] or not is_named_as_a_list(address))
    )
    likely = [candidate for candidate in candidates if candidate.score >= _LEAST_SCORE]
    return tuple(sorted(likely, key=lambda candidate: (-candidate.score, candidate.address)))


def is_named_as_a_list(address: str) -> bool:
    """Whether an address is called what mailing lists are called: `rowers-l@`, `web-wg@`, anything at `lists.`."""
    local, _, domain = address.lower().rpartition("@")
    if domain.split(".", 1)[0] in _LIST_HOSTS:
        return True
    *before, last = re.split(r"[-_]", local)
    return last in (_LIST_ENDS if any(before) else _LIST_NAMES)


def names_list(list_id: str, address: str) -> bool:
    """Whether what a mail's head says of its list means the list of that address."""
    local, _, domain = address.lower().rpartition("@")
    return (
        list_id.lower() in (address.lower(), f"{local}.{domain}") or list_id.lower().split(".", 1)[0] == local
    )


def _weighed(address: str, tallies: Tallies) -> Candidate:
    """Sent mail is the strongest sign, then delivery, then how much of the mail is addressed to it."""
    sent = _share(tallies.sent_authors[address], tallies.sent)
    delivered = _share(tallies.delivered_to[address], sum(tallies.delivered_to.values()))
    addressed = _share(tallies.recipients[address], tallies.received)
    score = 1 - (1 - 0.9 * sent) * (1 - 0.8 * delivered) * (1 - 0.6 * addressed)
    if not tallies.sent_authors[address] and _is_a_list(address, tallies):
        score *= 0.3
    return Candidate(address, round(score, 3), _why(address, tallies))


def _is_a_list(address: str, tallies: Tallies) -> bool:
    """A mailing list is addressed often and never the place of delivery; its own owner would have it delivered."""
    return bool(tallies.delivered_to) and not tallies.delivered_to[address] and not tallies.authors[address]


def _share(count: int, total: int) -> float:
    return min(1.0, count / total) if total else 0.0


def _why(address: str, tallies: Tallies) -> str:
    reasons = []
    if count := tallies.sent_authors[address]:
        reasons.append(f"wrote {count} of {tallies.sent} sent messages")
    if count := tallies.delivered_to[address]:
        reasons.append(f"{count} messages were delivered to it")
    if count := tallies.recipients[address]:
        reasons.append(f"{count} of {tallies.received} received messages were addressed to it")
    return "; ".join(reasons)
