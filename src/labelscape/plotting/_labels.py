"""Names written on a figure, near what they name and apart from each other."""

import numpy as np

from labelscape.plotting._label_places import free_places
from labelscape.plotting._palette import INK, PAPER, QUIET
from labelscape.plotting._theme import SMALL

# Room for a mark in front of a name, and for one that no name should cover, in points.
MARK, CLEAR = 9.0, 12.0


def write_labels(ax, anchors, names, *, marks=None, away=None, clear=None):
    """Write names near their anchors, apart from each other and inside the axes.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to write; its limits don't change.
    anchors : ndarray of shape (n, 2)
        What is named.
    names : list of str
        The names.
    marks : list of (colour, marker), default=None
        Marks in front of the names, which so are a legend as well.
    away : ndarray of shape (n, 2), default=None
        Directions from the anchors in which the names should stand. None: on them.
    clear : ndarray of shape (m, 2), default=None
        Places that no name should cover.

    Returns
    -------
    list of matplotlib Text
    """
    from matplotlib.lines import Line2D
    from matplotlib.patheffects import withStroke

    # Where the axes will stand on the page is known after a drawing.
    page = ax.figure.canvas.figure
    page.draw_without_rendering()
    pixels = page.dpi / 72.0

    def to_data(place):
        return ax.transData.inverted().transform(np.asarray(place) * pixels)

    anchors_at = ax.transData.transform(anchors) / pixels
    indent = 0.0 if marks is None else MARK
    widths = np.array([0.6 * SMALL * len(name) + indent + 4.0 for name in names])
    sizes = np.column_stack([widths, np.full(len(names), 1.35 * SMALL)])
    wanted = anchors_at
    if away is not None:
        wanted = anchors_at + away * (sizes + CLEAR) / 2.0
    obstacles = None
    if clear is not None:
        spots = ax.transData.transform(clear) / pixels
        obstacles = np.column_stack([spots, np.full(spots.shape, CLEAR)])
    box = np.array(ax.bbox.extents) / pixels
    places = free_places(wanted, sizes, box, obstacles=obstacles)
    halo = [withStroke(linewidth=2.2, foreground=PAPER, alpha=0.85)]
    written = []
    for i, (name, (x, y)) in enumerate(zip(names, places, strict=True)):
        # Lines are added as bare artists, because plot() would widen the axes.
        if np.hypot(*(places[i] - wanted[i])) > SMALL:
            ends = np.column_stack([anchors[i], to_data(places[i])])
            ax.add_artist(Line2D(*ends, color=QUIET, linewidth=0.7, zorder=4))
        left = x - widths[i] / 2.0 + 2.0
        if marks is not None:
            color, marker = marks[i]
            spot = to_data([left + MARK / 2.0 - 1.0, y])
            look = {"markersize": 5, "markeredgecolor": PAPER, "markeredgewidth": 0.6}
            mark = Line2D(*spot[:, None], marker=marker, color=color, zorder=8, **look)
            ax.add_artist(mark)
        text = ax.text(*to_data([left + indent, y]), name, zorder=7, in_layout=False)
        text.set(va="center", fontsize=SMALL, color=INK, path_effects=halo)
        written.append(text)
    return written


def middle(points):
    """Return the point nearest to the median: a class of two groups has it in one."""
    gaps = points - np.median(points, axis=0)
    return points[np.einsum("ij,ij->i", gaps, gaps).argmin()]
