"""What an entity can be, and one that was seen in a text."""

from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """What an entity is; the first five have names, the others are read off by their shape."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    PROJECT = "project"
    PRODUCT = "product"
    TOPIC = "topic"
    URL = "url"
    PHONE = "phone"
    HASHTAG = "hashtag"
    AMOUNT = "amount"
    DATE = "date"
    NUMBER = "number"


NAMED = frozenset(
    [EntityKind.PERSON, EntityKind.ORGANISATION, EntityKind.PLACE, EntityKind.PROJECT, EntityKind.PRODUCT]
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """An entity at characters [start, end) of a text.

    `key` is the same for the same entity wherever it is written; `name` is what to show; `score` is 1 for what its
    shape proves, less for what only its surroundings suggest. An `address` or a `handle` belongs to a person.
    """

    kind: EntityKind
    start: int
    end: int
    key: str
    name: str
    score: float = 1.0
    address: str = ""
    handle: str = ""
