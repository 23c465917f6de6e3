"""The names of the classes: beside the map where they fit, on it where they don't."""

import numpy as np

from labelscape.plotting._palette import INK, PAPER, PROTOTYPE, QUIET
from labelscape.plotting._theme import BESIDE, LEGEND_STYLE, SMALL

# A column of more names than this is taller than the map.
LONGEST_COLUMN = 20
NAMES_PER_INCH = 5.0


def fits_beside(n_classes):
    """Whether a legend of one column can name all classes."""
    return n_classes <= LONGEST_COLUMN


def legend_handles(classes, *, with_prototypes=False):
    """Return one mark per class for a legend, and one for prototypes if asked."""
    from matplotlib.lines import Line2D

    marks = [
        Line2D(
            *([], []),
            linestyle="",
            marker=marker,
            color=color,
            markeredgewidth=0.0,
            markersize=6,
            label=name,
        )
        for name, color, marker in zip(
            classes.names, classes.colors, classes.markers, strict=True
        )
    ]
    if with_prototypes:
        marks.append(
            Line2D(
                *([], []),
                linestyle="",
                marker=PROTOTYPE,
                markerfacecolor=PAPER,
                markeredgecolor=INK,
                markeredgewidth=1.3,
                markersize=7,
                label="prototype",
            )
        )
    return marks


def legend_beside(ax, classes, *, with_prototypes=False):
    """Name the classes in a column to the right of the axes."""
    handles = legend_handles(classes, with_prototypes=with_prototypes)
    owner, where = ax, BESIDE
    if hasattr(ax, "get_zlim") and ax.figure.get_layout_engine() is not None:
        # Layouts make no room beside 3-D axes.
        owner, where = ax.figure, {"loc": "outside right upper"}
    legend = owner.legend(
        handles=handles,
        handletextpad=0.3,
        ncols=-(-len(handles) // (LONGEST_COLUMN + 1)),
        **LEGEND_STYLE,
        **where,
    )
    if ax.figure.get_layout_engine() is None:
        _make_room(ax, legend)
    return legend


def _make_room(ax, legend):
    """Narrow axes that no layout cares for, so that the legend fits into their place.

    Else it would reach over the next axes, or over the edge of the figure.
    """
    box = ax.get_position()
    beyond = (legend.get_window_extent().x1 - ax.bbox.x1) / ax.figure.bbox.width
    width = max(box.width - beyond, box.width / 3)  # a map must be left
    ax.set_position([box.x0, box.y0, width, box.height])
    ax.set_in_layout(True)  # which set_position ends


def names_on_map(ax, Z, indices, classes):
    """Write the name of each class, with its mark, at the middle of its points."""
    present = np.unique(indices)
    return write_labels(
        ax,
        np.array([middle(Z[indices == c]) for c in present]),
        [classes.names[c] for c in present],
        marks=[(classes.colors[c], classes.markers[c]) for c in present],
    )


def names_of_prototypes(ax, W, owners, classes):
    """Write the name of each class above its first prototype."""
    present, first = np.unique(owners, return_index=True)
    return write_labels(
        ax,
        W[first],
        [classes.names[c] for c in present],
        away=np.tile([0.0, 1.0], (len(first), 1)),
        clear=W,
    )


# Room for a mark in front of a name, and for one that no name should cover, in points.
MARK, CLEAR = 9.0, 12.0


def write_labels(ax, anchors, names, *, marks=None, away=None, clear=None):
    """Write names near their anchors, apart from each other and inside the axes.

    Shapes: anchors (n, 2), away (n, 2), clear (m, 2).
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


# Where to write labels so that none covers another.

# Steps away from the wanted place that are tried, and their length relative to the
# height of a label.
RINGS, STEP, DIRECTIONS = 40, 0.6, 16


def free_places(wanted, sizes, bounds, *, obstacles=None):
    """Return centers of boxes near the wanted ones, such that no two overlap.

    Shapes: wanted (n, 2), sizes (n, 2), obstacles (m, 4).
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    low = np.array(bounds[:2]) + sizes / 2
    high = np.maximum(np.array(bounds[2:]) - sizes / 2, low)
    places = np.clip(np.asarray(wanted, dtype=np.float64), low, high)
    taken = [] if obstacles is None else [tuple(box) for box in obstacles]
    for i, size in enumerate(sizes):
        tried = np.clip(places[i] + STEP * size[1] * _OFFSETS, low[i], high[i])
        free = _free(tried, size, np.array(taken).reshape(-1, 4))
        if free.any():
            places[i] = tried[free.argmax()]
        taken.append((*places[i], *size))
    return places


def _free(centers, size, taken):
    """Whether a box of this size overlaps none of the taken ones, for each center."""
    gaps = np.abs(centers[:, None] - taken[None, :, :2])
    reach = (size + taken[:, 2:]) / 2 - 1e-9
    return ~(gaps < reach).all(axis=2).any(axis=1)


def _offsets():
    """Return steps away from a place, nearest first: upwards, then around."""
    angles = np.pi / 2 + np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    around = np.column_stack([2.0 * np.cos(angles), np.sin(angles)])
    rings = np.arange(1, RINGS + 1)[:, None, None] * around
    return np.vstack([[[0.0, 0.0]], rings.reshape(-1, 2)])


_OFFSETS = _offsets()
