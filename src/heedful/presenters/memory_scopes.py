"""What a place in the Memory tab narrows a look-up, or a walk, to."""

from collections.abc import Iterable
from datetime import timedelta, tzinfo
from typing import assert_never

from heedful.core.clock import start_of_day
from heedful.core.ids import SourceId
from heedful.memory import Filters
from heedful.memory.search.browsing import Range
from heedful.presenters.memory_views import DayScope, EntityScope, Scope, SourceScope


def filters_of(scope: Scope | None, zone: tzinfo) -> Filters:
    """The filters of a look-up within a place; none without one."""
    match scope:
        case None:
            return Filters()
        case EntityScope():
            return Filters(entity_id=scope.id)
        case SourceScope():
            return Filters(source_id=scope.id)
        case DayScope():
            end = start_of_day(scope.last + timedelta(days=1), zone) - timedelta(milliseconds=1)
            return Filters(since=start_of_day(scope.first, zone), until=end)
        case _:
            assert_never(scope)


def range_of(scope: Scope, sources: Iterable[SourceId], zone: tzinfo) -> Range:
    """What there is to walk through in a place, of all the sources there are."""
    narrowed = filters_of(scope, zone)
    among = frozenset(sources) if narrowed.source_id is None else frozenset((narrowed.source_id,))
    return Range(among, narrowed.entity_id, narrowed.since, narrowed.until)
