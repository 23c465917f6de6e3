"""Detection of lines above and below a table: titles, notes, totals.

Only clear cases are detected. A title has fewer cells than the table, and the header
below it has words above numbers. A note is at the end, has fewer cells, and follows an
empty line or begins with a typical word.
"""

import re
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from labelscape._core.errors import FileName, InputWarning, Setting
from labelscape.datasets._kinds import is_number

# A row of a file and its last line number; an empty cell is "".
Line = tuple[int, Sequence[str]]

_MOST_NOTES = 20
_NOTE = re.compile(
    r"(grand |sub-?)?total\b|sum\b|average\b|mean\b|source\b|notes?\b|footnote"
    r"|summe\b|gesamt\b|mittelwert\b|quelle\b|[#*†©]",
    re.IGNORECASE,
)


def n_titles(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of rows above the header; 0 if that is unclear."""
    widths = [_width(row) for row in rows]
    for k, row in enumerate(rows[:-1]):
        width, below = widths[k], rows[k + 1 :]
        others = max([*widths[:k], *(w - 1 for w in widths[k + 1 :])])
        if width >= 2 and others < width and _are_names(row):
            return k if k == 0 or _is_header(row, rows[:k], below) else 0
    return 0


def _width(row: Sequence[str]) -> int:
    """Return the number of cells in a row, without empty cells at its end."""
    return max((i + 1 for i, cell in enumerate(row) if cell.strip()), default=0)


def _are_names(row: Sequence[str]) -> bool:
    """Whether cells may be column names; the first one may be empty."""
    cells = [cell.strip() for cell in row[: _width(row)]]
    return all(cells[1:]) and not any(is_number(cell) for cell in cells if cell)


def _is_header(
    row: Sequence[str], above: Sequence[Sequence[str]], below: Sequence[Sequence[str]]
) -> bool:
    """Whether a row is a header: words above numbers, or names in all cells."""
    for j in range(_width(row)):
        cells = [r[j].strip() for r in below if j < len(r) and r[j].strip()]
        if row[j].strip() and cells and all(is_number(cell) for cell in cells):
            return True
    return all(len(r) < len(row) and " " in "".join(r).strip() for r in above) and all(
        len(r) == len(row) for r in below
    )


def table_lines(
    lines: Iterator[Line], width: int, skip_footer: int | None, notes: list[str]
) -> Iterator[Line]:
    """Yield the rows of a table, and add the lines below it to ``notes``."""
    if skip_footer is None:
        return _without_notes(lines, width, notes)
    rows = ((at, row) for at, row in lines if row)
    return _all_but_last(rows, skip_footer) if skip_footer else rows


def _all_but_last(rows: Iterator[Line], n: int) -> Iterator[Line]:
    held = deque(islice(rows, n))
    for row in rows:
        held.append(row)
        yield held.popleft()


def _without_notes(
    lines: Iterator[Line], width: int, notes: list[str]
) -> Iterator[Line]:
    held: list[Line] = []
    after_gap = False
    for at, row in lines:
        if not (held or after_gap) and len(row) == width and "" not in row:
            yield at, row  # as in most files
            continue
        is_empty = not any(cell.strip() for cell in row)
        if _may_be_note(row, width, after_gap, bool(held)) and len(held) < _MOST_NOTES:
            held += [(at, row)] if row else []
        else:
            yield from held
            held = []
            if row:
                yield at, row
        after_gap = is_empty
    texts = [" ".join(cell for cell in row if cell.strip()) for _, row in held]
    if any(texts):
        notes += [words for words in texts if words]
    else:
        yield from held  # these rows have only missing values


def _may_be_note(
    row: Sequence[str], width: int, after_gap: bool, after_note: bool
) -> bool:
    """Whether a row may be a note below the table, if no row of the table follows."""
    filled = [cell.strip() for cell in row if cell.strip()]
    if len(row) == width == len(filled):  # a total may have a value in every cell
        return after_gap and bool(_NOTE.match(filled[0]))
    if after_note or not filled:
        return True
    return bool(_NOTE.match(filled[0])) or (after_gap and 2 * len(filled) <= width)


def warn_of_titles(path: Path, titles: Sequence[str]) -> None:
    """Warn that lines above the header were skipped."""
    _warn(path, titles, "above the header", Setting("skip", 0))


def warn_of_notes(path: Path, notes: Sequence[str]) -> None:
    """Warn that lines below the table were skipped."""
    _warn(path, notes, "below the table", Setting("skip_footer", 0))


def _warn(path: Path, left_out: Sequence[str], where: str, setting: Setting) -> None:
    if not left_out:
        return
    lines = "1 line" if len(left_out) == 1 else f"{len(left_out)} lines"
    warnings.warn(
        InputWarning(
            FileName(path),
            f": left out {lines} {where}, "
            f"{left_out[0][:60]!r}{' and more' if left_out[1:] else ''}. If that is "
            "part of the table, pass ",
            setting,
            ".",
        ),
        stacklevel=3,
    )
