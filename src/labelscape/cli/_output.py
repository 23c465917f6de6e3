"""The file that a verb writes: a page to explore, or a picture."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labelscape._core.atomic import check_target, write_atomically
from labelscape._core.checks import missing_extra
from labelscape.cli._lights import draw_lights
from labelscape.cli._options import listed
from labelscape.hosts import write_page
from labelscape.hosts._internal import built

if TYPE_CHECKING:
    from labelscape.jobs import MapResult

PAGES = (".html", ".htm")
PICTURES = (".png", ".svg", ".pdf")


def check_output(path: Path, kinds: tuple[str, ...] = PAGES + PICTURES) -> None:
    """Raise unless a file of this name can be written, before anything is fitted."""
    kind = path.suffix.lower()
    if kind not in kinds:
        wanted = listed(k for k in kinds if k != ".htm")
        raise ValueError(f"The output must end in {wanted}, got {path.name!r}.")
    check_target(path, make_folders=True)
    if kind in PAGES:
        built("page.js")
    if kind not in PICTURES:
        return
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        missing_extra("matplotlib", "plot", "Writing a picture")


def write_scene(scene: Any, path: Path) -> None:
    """Write a scene as one page; folders on the way are made."""
    from labelscape.scene import encode

    write_page(path, encode(scene), title=scene.title)


# The picture of a map as a file.

DOTS_PER_INCH = 150


def write_picture(result: "MapResult", path: Path) -> None:
    """Draw a map and write it; folders on the way are made.

    Its lights stand on the picture itself.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from labelscape.jobs import verdict_of

    # A figure of its own, unknown to pyplot: nothing to close, and no window.
    figure = Figure(figsize=(7.2, 5.6), layout="constrained")
    is_solid = result.embedding.shape[1] == 3
    ax = _draw(result, figure.add_subplot(projection="3d" if is_solid else None))
    notes = result.honesty.notes if result.honesty else []
    draw_lights(ax, verdict_of(result), notes)
    drawn = BytesIO()
    # Text of an SVG stays text: it can be searched, edited and read aloud.
    with rc_context({"svg.fonttype": "none"}):
        figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=DOTS_PER_INCH)
    write_atomically(path, drawn.getvalue(), make_folders=True)


def _draw(result: "MapResult", ax: Any) -> Any:
    from labelscape.plotting import plot_discriminative_map, plot_map

    table, estimator = result.table, result.model[-1]
    title = f"{table.name}: {type(estimator).__name__}, {len(table.X)} objects"
    if hasattr(estimator, "omega_"):
        X = result.model[:-1].transform(table.X)
        return plot_discriminative_map(estimator, X, table.y, title=title, ax=ax)
    return plot_map(result.embedding, table.y, title=title, ax=ax)
