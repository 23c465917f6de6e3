"""The names of the classes: beside the map where they fit, on it where they don't."""

import numpy as np

from labelscape.plotting._labels import middle, write_labels
from labelscape.plotting._palette import INK, PAPER, PROTOTYPE
from labelscape.plotting._theme import SMALL

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
    where = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0), "borderaxespad": 0.0}
    owner = ax
    if hasattr(ax, "get_zlim") and ax.figure.get_layout_engine() is not None:
        # Layouts make no room for what stands beside 3-D axes.
        owner, where = ax.figure, {"loc": "outside right upper"}
    legend = owner.legend(
        handles=handles,
        frameon=False,
        fontsize=SMALL,
        labelcolor=INK,
        handletextpad=0.3,
        ncols=-(-len(handles) // (LONGEST_COLUMN + 1)),
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
