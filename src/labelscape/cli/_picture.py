"""The picture of a map as a file."""

from pathlib import Path
from textwrap import fill
from typing import Any

from labelscape._core.checks import missing_extra
from labelscape.cli._mapping import MapResult

FORMATS = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 150


def check_picture(path: Path) -> None:
    """Raise unless a picture can be written to this path, before anything is fitted."""
    kind = path.suffix.lower()
    if kind in (".html", ".htm"):
        raise ValueError(
            f"A page such as {path.name!r} cannot be written yet. Pass -o with a "
            "picture instead: .png, .svg or .pdf."
        )
    if kind not in FORMATS:
        raise ValueError(
            f"The picture must end in .png, .svg or .pdf, got {path.name!r}."
        )
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder. Pass -o with the name of a file.")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        missing_extra("matplotlib", "plot", "Writing a picture")


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
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DOTS_PER_INCH)


def _draw(result: MapResult, ax: Any) -> Any:
    from labelscape.plotting import plot_discriminative_map, plot_map

    table, estimator = result.table, result.model[-1]
    title = f"{table.name}: {type(estimator).__name__}, {len(table.X)} objects"
    if hasattr(estimator, "omega_"):
        X = result.model[:-1].transform(table.X)
        return plot_discriminative_map(estimator, X, table.y, title=title, ax=ax)
    return plot_map(result.embedding, table.y, title=title, ax=ax)
