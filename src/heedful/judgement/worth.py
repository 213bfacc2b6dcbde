"""Which messages a model is asked about at all: what asks nobody, or somebody else, only invites false alarms."""

from heedful.judgement.addressing import is_mine, parties
from heedful.judgement.gating import is_machine, is_mass_mail, not_for_the_person
from heedful.memory import StoredMessage, ThreadView


def worth_asking(
    message: StoredMessage, thread: ThreadView, *, own: frozenset[str], found_silent: bool
) -> bool:
    """Whether a model may add to what the built-in finder made of a message.

    Never for the person's own words, calendar times, mass mail, or what speaks to others; for machine-made mail
    (receipts, status, alerts) only where the built-in finder saw something in it (`found_silent` is False).
    """
    if message.kind == "event" or is_mine(message, own):
        return False
    who = parties(thread, own)
    if is_mass_mail(message, who):
        return False
    if is_machine(message):
        return not found_silent
    return not not_for_the_person(message, thread, own, who)
