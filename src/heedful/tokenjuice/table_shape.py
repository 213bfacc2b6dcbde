"""Comma-separated tables: header, the first rows, rows that stand out, and what each column holds."""

import csv
import io
from collections import Counter
from collections.abc import Sequence

from heedful.tokenjuice.ledger import WRITTEN, Draft
from heedful.tokenjuice.shapes import Reading
from heedful.tokenjuice.signal import Severity, pinned_lines, severity_of

_ROWS_LEAST = 20
_ENDS = 3
_MARKS = ",;\t|"


def reshape_csv(reading: Reading) -> str:
    """Header and telling rows as they were written, and one line on what the columns of the rest hold."""
    whole = Draft.of(reading.text)
    rows = [n for n, line in enumerate(whole.lines) if line.strip()]
    if len(rows) < _ROWS_LEAST:
        return reading.text
    mark = max(_MARKS, key=whole.lines[rows[0]].count)
    cells = _cells([whole.lines[n] for n in rows], mark)
    kept = {0, *range(1, 1 + _ENDS), *range(len(rows) - _ENDS, len(rows))}
    kept |= _odd_rows(cells)
    kept |= {n for n, row in enumerate(rows) if severity_of(whole.lines[row]) is Severity.ERROR and n}
    pinned = pinned_lines(whole.lines, reading.pinned)
    kept |= {n for n, row in enumerate(rows) if row in pinned}
    room = int(len(reading.text) * reading.share)
    spent = sum(len(whole.lines[rows[n]]) for n in kept)
    for n in range(1, len(rows)):
        spent += len(whole.lines[rows[n]])
        if spent > room:
            break
        kept.add(n)
    shorter = whole.only(rows[n] for n in sorted(kept))
    note = f"… {len(rows) - len(kept)} of {len(rows) - 1} rows; {_columns(cells)}"
    return reading.ledger.enter(
        "rows", whole, Draft([*shorter.lines, note], [*shorter.places, WRITTEN])
    ).text()


def _cells(lines: Sequence[str], mark: str) -> list[list[str]]:
    """One list of cells a line; a quoted cell that runs over lines is read as it stands on each."""
    cells = []
    for line in lines:
        try:
            cells.append(next(csv.reader(io.StringIO(line), delimiter=mark), []))
        except csv.Error:
            cells.append(line.split(mark))
    return cells


def _odd_rows(cells: Sequence[Sequence[str]]) -> set[int]:
    widths = Counter(map(len, cells))
    usual = widths.most_common(1)[0][0]
    odd = {n for n, row in enumerate(cells) if widths[len(row)] <= 2}
    for column in range(usual):
        values = [(n, row[column]) for n, row in enumerate(cells) if n and len(row) > column]
        tally = Counter(value for _, value in values)
        if len(tally) <= max(4, len(values) // 20):
            odd |= {n for n, value in values if tally[value] <= max(1, len(values) // 100)}
        else:
            odd |= _odd_amounts(values)
    return odd


def _odd_amounts(values: Sequence[tuple[int, str]]) -> set[int]:
    numbers = sorted((amount, n) for n, value in values if (amount := _amount(value)) is not None)
    if len(numbers) < 0.9 * len(values) or len(numbers) < _ROWS_LEAST:
        return set()
    usual = max(abs(numbers[int(len(numbers) * 0.97)][0]), 1.0)
    return {n for amount, n in numbers if abs(amount) > 5 * usual}


def _amount(value: str) -> float | None:
    try:
        return float(value.replace(",", "").strip(" $€£%"))
    except ValueError:
        return None


def _columns(cells: Sequence[Sequence[str]]) -> str:
    told = []
    for column, name in enumerate(cells[0]):
        values = [row[column] for row in cells[1:] if len(row) > column and row[column]]
        numbers = [amount for value in values if (amount := _amount(value)) is not None]
        if numbers and len(numbers) == len(values):
            told.append(f"{name.strip()} {min(numbers):g}–{max(numbers):g}")
        elif values:
            told.append(f"{name.strip()} {len(set(values))} values")
    return ", ".join(told[:8])
