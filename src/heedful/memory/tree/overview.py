"""How much the memory tree holds, from its leaves up; a count, not a list."""

from dataclasses import dataclass

from heedful.storage import Connection


@dataclass(frozen=True, slots=True)
class Overview:
    """Sources, messages and passages; summaries above threads, sources, all and days; people and things."""

    sources: int
    messages: int
    chunks: int
    nodes: int
    days: int
    people: int
    things: int


def overview(connection: Connection) -> Overview:
    """Counts what there is to browse."""
    ((*counts,),) = connection.rows(
        "SELECT s.*, n.*, e.* FROM (SELECT count(*), sum(c.messages), sum(c.chunks) FROM sources "
        "LEFT JOIN source_counts c ON c.source_id = sources.id) s, "
        "(SELECT count(*) FILTER (WHERE scope <> 'day'), count(*) FILTER (WHERE scope = 'day') FROM nodes "
        "WHERE method <> 'none') n, "
        "(SELECT count(DISTINCT canonical) FILTER (WHERE kind = 'person'), "
        "count(DISTINCT canonical) FILTER (WHERE kind <> 'person') FROM entities WHERE chunks > 0) e"
    )
    return Overview(*(int(number or 0) for number in counts))
