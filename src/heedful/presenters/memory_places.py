"""The Memory tab's navigator in words: sources, people, things and days, each a place to go to."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from heedful.core.clock import local_day
from heedful.memory import SourceRow
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.registry import Entity
from heedful.presenters.memory_reader import Outline
from heedful.presenters.memory_views import EntityScope, HomeView, PlaceView, SourceScope, ThingsView
from heedful.presenters.memory_year import day_places
from heedful.presenters.numbers import count, thousands
from heedful.presenters.source_words import fresh_words, standing

_HEADINGS = {
    EntityKind.ORGANISATION: "Organisations",
    EntityKind.PROJECT: "Projects",
    EntityKind.PRODUCT: "Products",
    EntityKind.PLACE: "Places",
    EntityKind.TOPIC: "Topics",
}


def home_view(outline: Outline, *, now: datetime, zone: tzinfo) -> HomeView:
    """The navigator; empty while no source brought anything in."""
    return HomeView(
        "ready" if messages_in(outline) else "empty",
        sources=tuple(_source(row, now) for row in outline.sources),
        people=tuple(entity_place(one) for one in outline.people),
        things=_things(outline.things),
        days=day_places(local_day(now, zone), outline.days, outline.taken),
    )


def messages_in(outline: Outline) -> int:
    """How many messages all sources hold."""
    return sum(row.messages for row in outline.sources)


def entity_place(one: Entity) -> PlaceView:
    """A person or thing as a place."""
    return PlaceView(EntityScope(one.id, one.name), one.name, count(one.chunks, "passage"))


def _source(row: SourceRow, now: datetime) -> PlaceView:
    stands = standing(row, now)
    state = fresh_words(row, now) if stands == "up to date" else stands
    note = " · ".join(part for part in (thousands(row.messages), state or stands) if part)
    return PlaceView(SourceScope(row.id, row.name), row.name, note)


def _things(found: Sequence[Entity]) -> tuple[ThingsView, ...]:
    kinds = dict.fromkeys(one.kind for one in found)
    return tuple(
        ThingsView(_HEADINGS[kind], tuple(entity_place(one) for one in found if one.kind is kind))
        for kind in kinds
    )
