"""Small tables, as text for a terminal and as HTML for a notebook."""

from collections.abc import Sequence
from html import escape

Row = Sequence[str]


def text_table(header: Row, rows: Sequence[Row], left: Sequence[int] = (0,)) -> str:
    """Return a table as text: the columns ``left`` to the left, others to the right."""
    lines = [header, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k in left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def html_table(header: Row, rows: Sequence[Row]) -> str:
    """Return a table as HTML; labels and names are data, so they are escaped."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
