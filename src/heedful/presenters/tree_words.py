"""The rows of the tree in words for a person: an id to go on with, and what stands behind it."""

import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from heedful.presenters.numbers import count

if TYPE_CHECKING:
    from heedful.memory.tree_rows import Row


def source_words(row: "Row") -> str:
    """A source with what it holds, from when to when."""
    told = [
        f"{row['name']} ({row['kind']})",
        f"{_count(row, 'messages', 'message')} in {_count(row, 'chunks', 'passage')}",
    ]
    if row["oldest"]:
        told.append(f"{_day(row['oldest'])} to {_day(row['most_recent'])}")
    if row["state"] != "active":
        told.append(str(row["state"]))
    if row["egress"] == "local-only":
        told.append("stays on this computer")
    if row["pending"]:
        told.append(f"{row['pending']} waiting for background work")
    stopped = row["stopped"]
    if isinstance(stopped, Mapping):
        told.append(f"stopped: {stopped['reason']}")
    return f"{row['id']}  {' · '.join(told)}"


def passage_words(row: "Row") -> str:
    """A passage as a list shows it: when, from whom, about what, and how it begins."""
    head = "  ".join(str(part) for part in (_minute(row["sent_at"]), row["author"], row["subject"]) if part)
    return f"{row['id']}  {head}\n    {_line(row['excerpt'])}"


def entity_words(row: "Row") -> str:
    """Somebody or something, how often it is mentioned, and its other names where they are told."""
    told = [f"{row['kind']}  {row['name']}", f"in {_count(row, 'count', 'passage')}"]
    told.append(f"last {_day(row['last_at'])}")
    if "hotness" in row:
        told.append(f"on your mind {row['hotness']}")
    others = row.get("aliases")
    if isinstance(others, list) and others:
        told.append(f"also {', '.join(map(str, others))}")
    return f"{row['id']}  {' · '.join(told)}"


def node_words(row: "Row") -> str:
    """A summary: of what, how it was made, and its text."""
    told = [_scope(row), _count(row, "items", "item"), f"{row['method']} by {row['made_by']}"]
    if not row["sealed"]:
        told.append("still growing")
    if row["stale"]:
        told.append("to be written anew")
    return f"{row['id']}  {' · '.join(told)}\n{_indented(row['text'])}"


def whole_words(row: "Row") -> str:
    """A passage or summary to read, with the ids around it below."""
    about = " · ".join(
        str(part) for part in (_letterhead(row), _minute(row["sent_at"]), row["source_name"]) if part
    )
    title = str(row["subject"] or ("Summary" if row["kind"] == "node" else ""))
    around = [
        f"{name}: {_listed(row[key])}"
        for key, name in (
            ("previous_id", "before"),
            ("next_id", "after"),
            ("above_id", "above"),
            ("below_ids", "below"),
            ("made_by", "made by"),
        )
        if row[key]
    ]
    return "\n".join([title, about, "", str(row["text"]).strip(), "", *around])


def item_words(row: "Row") -> str:
    """A stored item: how urgent it is and what it says."""
    return f"{row['id']}  {row['state']}  {row['priority']}  {row['title']}"


Words = Callable[["Row"], str]


def _scope(row: "Row") -> str:
    if row["scope"] == "day":
        return f"day {row['scope_id']}"
    return f"{row['scope']}, {_day(row['begins_at'])} to {_day(row['ends_at'])}"


def _letterhead(row: "Row") -> str:
    if not row["author"]:
        return ""
    return f"{row['author']} to {_listed(row['to'])}" if row["to"] else str(row["author"])


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _count(row: "Row", key: str, one: str) -> str:
    value = row[key]
    return count(value if isinstance(value, int) else 0, one)


def _day(moment: object) -> str:
    return str(moment)[:10]


def _minute(moment: object) -> str:
    return str(moment or "")[:16].replace("T", " ")


def _line(text: object) -> str:
    return " ".join(str(text).split())


def _indented(text: object) -> str:
    return textwrap.indent(str(text).strip(), "    ")
