"""JSON made smaller that is still JSON: long lists keep their outliers, long strings their ends.

A list of like objects becomes a table (`columns`, `rows`) when that is shorter. What was left out is counted in
the place where it was, under a key or element that starts with `…`.
"""

import json
from collections import Counter
from collections.abc import Sequence

from heedful.tokenjuice.shapes import Reading, rewritten
from heedful.tokenjuice.signal import Severity, severity_of

MARK = "…"
_ROWS_LEAST = 12
_ENDS = 2
_STRING_CHARS = 600
_RARE_SHARE = 0.01
_DEPTH_LIMIT = 60
_WRITING_WORDS = 3
_GAPS_SHARE = 0.3


def reshape_json(reading: Reading) -> str:
    """The same document, shorter; text that is not JSON after all is given back as it was."""
    try:
        document = json.loads(reading.text, parse_float=_Verbatim, parse_int=_Verbatim)
    except (ValueError, RecursionError):
        return reading.text
    compact = rewritten(reading, "json white space", reading.text, _dump(document))
    if len(compact) <= 1200:
        return compact
    if reading.pinned and not _squeezable_around(reading.pinned):
        return compact
    squeezed = _dump(_Squeeze(reading.pinned, int(len(compact) * reading.share)).value(document, 0))
    return rewritten(reading, "json rows", compact, squeezed) if len(squeezed) < len(compact) else compact


def reshape_json_lines(reading: Reading) -> str:
    """One object a line, without the white space between its parts; lines that are not JSON stay as they are."""
    lines = []
    for line in reading.text.split("\n"):
        try:
            lines.append(_dump(json.loads(line, parse_float=_Verbatim, parse_int=_Verbatim)))
        except (ValueError, RecursionError):
            lines.append(line)
    return rewritten(reading, "json white space", reading.text, "\n".join(lines))


class _Verbatim(float):
    """A number that is written the way it was read, however long."""

    def __new__(cls, text: str) -> "_Verbatim":
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str

    def __repr__(self) -> str:
        return self.text


def _dump(value: object) -> str:
    return _written(value)


def _written(value: object) -> str:
    if isinstance(value, _Verbatim):
        return value.text
    if isinstance(value, dict):
        inside = ",".join(
            f"{json.dumps(key, ensure_ascii=False)}:{_written(item)}" for key, item in value.items()
        )
        return f"{{{inside}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_written, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _squeezable_around(pinned: Sequence[str]) -> bool:
    return all("\n" not in quote for quote in pinned)


class _Squeeze:
    """One pass over a document; `room_chars` is what long lists may cost together, beyond what stands out."""

    def __init__(self, pinned: Sequence[str], room_chars: int) -> None:
        self._pinned = pinned
        self._room = room_chars

    def value(self, value: object, depth: int) -> object:
        if depth > _DEPTH_LIMIT:
            return value
        if isinstance(value, dict):
            return {key: self.value(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list):
            return self._list(value, depth)
        if isinstance(value, str):
            return self._string(value)
        return value

    def _string(self, text: str) -> str:
        if len(text) <= _STRING_CHARS or any(quote in text for quote in self._pinned):
            return text
        head, tail = _STRING_CHARS * 2 // 3, _STRING_CHARS // 4
        return f"{text[:head]}{MARK}{len(text) - head - tail} characters{MARK}{text[-tail:]}"

    def _list(self, items: list[object], depth: int) -> object:
        if len(items) < _ROWS_LEAST:
            return [self.value(item, depth + 1) for item in items]
        kept = self._chosen(items)
        if len(kept) == len(items):
            whole = [self.value(item, depth + 1) for item in items]
            return self._table(whole, "") or whole
        shown = [self.value(items[n], depth + 1) for n in kept]
        self._room -= sum(len(_written(item)) for item in shown)
        note = f"{MARK} {len(items) - len(kept)} of {len(items)} left out"
        return self._table(shown, note) or [*shown, note]

    def _chosen(self, items: list[object]) -> list[int]:
        if _is_writing(items):
            return list(range(len(items)))
        written = [_written(item) for item in items]
        must = {0, 1, len(items) - 1} | set(_outliers(items))
        must |= {n for n, text in enumerate(written) if self._speaks(text)}
        spent = sum(len(written[n]) for n in must)
        for n in range(len(items)):
            if spent + len(written[n]) > self._room // 2:
                break
            if n not in must:
                must.add(n)
                spent += len(written[n])
        return sorted(must)

    def _speaks(self, text: str) -> bool:
        return any(quote in text for quote in self._pinned) or severity_of(text) is Severity.ERROR

    @staticmethod
    def _table(rows: list[object], note: str) -> dict[str, object] | None:
        """The rows under one list of columns; None where they are not alike enough for that to be shorter."""
        alike = [row for row in rows if isinstance(row, dict)]
        if len(alike) < len(rows) or not alike:
            return None
        columns = list(dict.fromkeys(key for row in alike for key in row))
        gaps = sum(len(columns) - len(row) for row in alike)
        if gaps and (
            gaps > _GAPS_SHARE * len(columns) * len(alike) or any(None in row.values() for row in alike)
        ):
            return None
        table: dict[str, object] = {
            "columns": columns,
            "rows": [[row.get(column) for column in columns] for row in alike],
        }
        return {**table, MARK: note.removeprefix(f"{MARK} ")} if note else table


def _is_writing(items: list[object]) -> bool:
    """Whether the elements are messages or notes: most hold words of their own, and none stands for another."""
    written = [text for item in items if (text := _longest_text(item)).count(" ") >= _WRITING_WORDS]
    return len(written) * 2 >= len(items) and len(set(written)) * 10 >= len(written) * 8


def _longest_text(item: object) -> str:
    values = item.values() if isinstance(item, dict) else [item]
    return max((value for value in values if isinstance(value, str)), key=len, default="")


def _outliers(items: list[object]) -> set[int]:
    """Positions of elements that stand out: rare keys, rare values of a field that has few, far larger numbers."""
    odd: set[int] = set()
    shapes = Counter(_shape(item) for item in items)
    odd |= {n for n, item in enumerate(items) if shapes[_shape(item)] <= _rare(len(items))}
    columns: dict[str, list[tuple[int, object]]] = {}
    for n, item in enumerate(items):
        for key, value in item.items() if isinstance(item, dict) else ():
            if not isinstance(value, dict | list):
                columns.setdefault(key, []).append((n, value))
    if not columns:
        columns[""] = [(n, item) for n, item in enumerate(items) if not isinstance(item, dict | list)]
    for cells in columns.values():
        odd |= _odd_cells(cells)
    return odd


def _shape(item: object) -> object:
    return tuple(sorted(item)) if isinstance(item, dict) else type(item).__name__


def _rare(count: int) -> int:
    return max(1, int(count * _RARE_SHARE))


def _odd_cells(cells: list[tuple[int, object]]) -> set[int]:
    tally = Counter(str(value) for _, value in cells)
    if len(tally) <= max(4, len(cells) // 20):
        return {n for n, value in cells if tally[str(value)] <= _rare(len(cells))}
    numbers = sorted((float(value), n) for n, value in cells if isinstance(value, float))
    if len(numbers) < len(cells) * 0.9:
        return set()
    usual = numbers[int(len(numbers) * 0.95)][0]
    low = numbers[int(len(numbers) * 0.05)][0]
    span = max(abs(usual), abs(low), 1.0)
    return {n for value, n in numbers if value > usual + 4 * span or value < low - 4 * span}
