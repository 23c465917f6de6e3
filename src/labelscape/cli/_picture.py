"""The picture of a map as a file."""

from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any

from labelscape._core.atomic import write_atomically
from labelscape.jobs import MapResult

DOTS_PER_INCH = 150


def write_picture(result: MapResult, path: Path) -> None:
    """Draw a map and write it; folders on the way are made.

    The verdict about its honesty stands on the picture itself.
    """
    from matplotlib.figure import Figure

    # A figure of its own, unknown to pyplot: nothing to close, and no window.
    figure = Figure(figsize=(7.2, 5.6), layout="constrained")
    ax = _draw(result, figure.add_subplot())
    words = result.honesty.verdict if result.honesty else result.honesty_note
    ax.set_xlabel(fill(words, 96), fontsize=8, loc="left", labelpad=8)
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=DOTS_PER_INCH)
    write_atomically(path, drawn.getvalue(), make_folders=True)


def _draw(result: MapResult, ax: Any) -> Any:
    from labelscape.plotting import plot_discriminative_map, plot_map

    table, estimator = result.table, result.model[-1]
    title = f"{table.name}: {type(estimator).__name__}, {len(table.X)} objects"
    if hasattr(estimator, "omega_"):
        X = result.model[:-1].transform(table.X)
        return plot_discriminative_map(estimator, X, table.y, title=title, ax=ax)
    return plot_map(result.embedding, table.y, title=title, ax=ax)
