"""What is to be known of a person, a thing or a source, beside what was said by or of it."""

from collections.abc import Sequence
from datetime import datetime

from heedful.memory import SourceRow
from heedful.memory.entities.graph import Relation
from heedful.memory.entities.graph_predicates import Predicate
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.registry import Alias, Entity
from heedful.presenters import times
from heedful.presenters.memory_views import IdentityView, ProfileView, RelationView
from heedful.presenters.numbers import count
from heedful.presenters.source_words import fresh_words, kept_words, pending_words, standing

NAMES_SHOWN = 4


def profile(known: Entity) -> ProfileView:
    """What is known of a person or thing, each identity with what it is known by."""
    names = [alias.text for alias in known.aliases if alias.kind == "name" and alias.text != known.name]
    also = list(dict.fromkeys(names))
    more = f" and {len(also) - NAMES_SHOWN} more" if len(also) > NAMES_SHOWN else ""
    return ProfileView(
        kind=kind_words(known.kind),
        note=known_by(known.aliases),
        names=", ".join(also[:NAMES_SHOWN]) + more,
        identities=tuple(_identity(known, one) for one in known.identities),
        is_person=known.kind is EntityKind.PERSON,
    )


def source_profile(row: SourceRow, now: datetime) -> ProfileView:
    """What is to be known of a source beside what it holds."""
    read = "" if row.last_sync_at is None else f"read {times.ago_words(row.last_sync_at, now)}"
    parts = (standing(row, now), read, fresh_words(row, now), pending_words(row), kept_words(row))
    return ProfileView(row.label, " · ".join(part for part in parts if part), "", (), is_person=False)


def relation_view(centre: Entity, one: Relation) -> RelationView:
    """A relation of the person or thing in the centre, as a sentence about the other."""
    if one.predicate is Predicate.COMMUNICATES_WITH:
        words = f"writes to {one.other_name}" if one.is_outgoing else f"{one.other_name} writes"
    elif one.is_outgoing:
        words = f"{one.predicate.value} {one.other_name}"
    else:
        words = f"{one.other_name} {one.predicate.value} {centre.name}"
    return RelationView(one.other_id, one.other_name, words, count(one.evidence_count, "passage"), one.weight)


def kind_words(kind: EntityKind) -> str:
    """«Person», «Organisation»."""
    return kind.value.capitalize()


def _identity(known: Entity, identity_id: str) -> IdentityView:
    mine = [alias for alias in known.aliases if alias.identity_id == identity_id]
    shown = next((a for kind in ("address", "handle", "name") for a in mine if a.kind == kind), None)
    name = known.name if shown is None else shown.text
    written = list(dict.fromkeys(a.text for a in mine if a.kind == "name" and a.text != name))
    return IdentityView(identity_id, name, ", ".join(written[:NAMES_SHOWN]))


def known_by(aliases: Sequence[Alias]) -> str:
    """The address or handle that is used most, and how many more there are."""
    found = [alias.text for kind in ("address", "handle") for alias in aliases if alias.kind == kind]
    if not found:
        return ""
    return found[0] if len(found) == 1 else f"{found[0]} and {len(found) - 1} more"
