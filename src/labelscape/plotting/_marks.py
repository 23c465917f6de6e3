"""Marks on a map: points by class, prototypes, and class names."""

from typing import Any, NamedTuple

import numpy as np

from labelscape._core.checks import check_finite, numbers_argument, vector_argument
from labelscape._core.class_colors import class_looks
from labelscape._core.errors import InputError
from labelscape._core.labels import labels_argument
from labelscape.plotting import _theme as theme

# With more points than this, a vector graphic contains the points as an image, because
# it would otherwise take minutes to open.
VECTOR_LIMIT = 5000


def point_size(n):
    """Return the area of a mark in square points: 36 for n < 137, less for larger n."""
    return float(np.clip(420.0 / np.sqrt(n), 1.5, 36.0))


def draw_points(ax, Z, indices, classes, sizes=None):
    """Draw points in class colors (or gray), in random order for equal visibility."""
    n = len(Z)
    order = np.random.default_rng(0).permutation(n)
    look = {
        # Many points are transparent, so that all are visible.
        "alpha": float(np.clip(0.9 * (500.0 / n) ** 0.2, 0.15, 0.85)),
        "linewidths": 0.3 if n <= VECTOR_LIMIT else 0.0,
        "edgecolors": theme.PAPER,
        "rasterized": n > VECTOR_LIMIT,
    }
    sizes = np.full(n, point_size(n)) if sizes is None else np.asarray(sizes)
    if indices is None:
        return [ax.scatter(*Z[order].T, s=sizes[order], c=theme.QUIET, **look)]
    colors = np.array(classes.colors)
    markers = np.array(classes.markers)[indices]
    drawn = []
    for marker in dict.fromkeys(classes.markers):
        rows = order[markers[order] == marker]
        if len(rows):
            drawn.append(
                ax.scatter(
                    *Z[rows].T,
                    s=sizes[rows],
                    c=colors[indices[rows]],
                    marker=marker,
                    **look,
                )
            )
    return drawn


def draw_prototypes(ax, W, indices, classes):
    """Draw prototypes as large diamonds with a dark edge, in front of all points."""
    size = 80.0 if len(W) <= 30 else 45.0
    return [
        ax.scatter(
            *w[:, None],
            s=size,
            c=classes.colors[c],
            marker=theme.PROTOTYPE,
            edgecolors=theme.INK,
            linewidths=1.5,
            zorder=5,
        )
        for w, c in zip(W, indices, strict=True)
    ]


# The class of each point, and the style of each class in a figure.


class ClassStyles(NamedTuple):
    """The classes of a figure, in the order of their colors."""

    labels: np.ndarray
    colors: list[str]
    markers: list[str]

    @property
    def names(self):
        """Class names, shortened for a figure."""
        return [theme.short(label) for label in self.labels]

    def indices(self, y):
        """Return the class index of each label."""
        y = np.asarray(y)
        index = {label: i for i, label in enumerate(self.labels.tolist())}
        codes = np.array([index.get(label, -1) for label in y.tolist()], dtype=np.intp)
        strange = y[codes < 0]
        if len(strange):
            raise ValueError(
                f"The label {strange[0]!r} is not among the classes "
                f"{self.labels.tolist()}. Pass all classes as classes=…"
            )
        return codes


def classes_of(y, classes=None):
    """Return the styles of the classes in y, or of given classes, sorted."""
    labels = np.unique(np.asarray(y) if classes is None else np.asarray(classes))
    n = len(labels)
    return ClassStyles(labels, theme.class_colors(n), theme.class_markers(n))


def classes_on(Z, y, classes=None):
    """Return styles of classes on a map Z, with different colors for near classes."""
    plain = classes_of(y, classes)
    styles = class_looks(Z, plain.indices(y), len(plain.labels))
    return plain._replace(
        colors=[plain.colors[look] for look in styles],
        markers=[plain.markers[look] for look in styles],
    )


def checked_sizes(sizes, n, *, owner):
    """Return the areas of n marks, after a check; if None, all are equal."""
    if sizes is None:
        return None
    sizes = vector_argument(owner, "sizes", sizes, size=n)
    if sizes.min() < 0:
        raise InputError(
            f"sizes must not be negative, got {sizes.min():.4g}.",
            owner=owner,
            parameter="sizes",
        )
    return sizes


def checked_map(embedding, y=None, *, owner, name="embedding"):
    """Return an embedding as floats, after a check of its shape, values and labels."""
    Z = numbers_argument(owner, name, embedding)
    if Z.ndim != 2 or not 1 <= Z.shape[1] <= 3:
        raise InputError(
            f"a map has 1, 2 or 3 columns, got an array of shape {Z.shape}. "
            "Pass embedding[:, :2] to see the first two columns.",
            owner=owner,
        )
    if len(Z) == 0:
        raise InputError("the map has no points.", owner=owner)
    if y is not None:
        _check_labels(y, len(Z), owner=owner)
    if not np.isfinite(Z).all():
        raise InputError("the map contains NaN or infinity. Fit it again.", owner=owner)
    check_finite(Z, owner=owner, name=name)
    return Z


def _check_labels(y, n, *, owner):
    try:
        shape = np.shape(y)
    except ValueError:  # lists of different lengths
        shape = (len(y), "…")
    if shape != (n,):
        raise InputError(
            f"the map has {n} points but y has shape {shape}. Give "
            "one label per point.",
            owner=owner,
        )
    labels_argument(owner, "y", y)


# With more names than this, a column would be taller than the map.
LONGEST_COLUMN = 20
NAMES_PER_INCH = 5.0


def name_classes(ax, classes, legend, on_map=None, *, prototypes=False):
    """Write class names where ``legend`` says; ``on_map`` writes them on the map."""
    crowded = legend == "auto" and len(classes.labels) > LONGEST_COLUMN
    if on_map is not None and (legend == "direct" or crowded):
        on_map()
    elif legend != "none":
        legend_beside(ax, classes, with_prototypes=prototypes)


def legend_handles(classes, *, with_prototypes=False):
    """Return one mark per class for a legend, and one for prototypes if requested."""
    from matplotlib.lines import Line2D

    rows = zip(classes.names, classes.colors, classes.markers, strict=True)
    plain: dict[str, Any] = {"linestyle": "", "markeredgewidth": 0.0, "markersize": 6}
    marks = [
        Line2D([], [], marker=marker, color=color, label=name, **plain)
        for name, color, marker in rows
    ]
    if with_prototypes:
        edge = {"color": theme.INK, "markerfacecolor": theme.PAPER, "linestyle": ""}
        look = edge | {"markeredgewidth": 1.3, "markersize": 7}
        marks.append(Line2D([], [], marker=theme.PROTOTYPE, label="prototype", **look))
    return marks


def legend_beside(ax, classes, *, with_prototypes=False):
    """Write the class names in a column to the right of the axes."""
    handles = legend_handles(classes, with_prototypes=with_prototypes)
    owner, where = ax, theme.BESIDE
    if hasattr(ax, "get_zlim") and ax.figure.get_layout_engine() is not None:
        # Layout engines reserve no space beside 3-D axes.
        owner, where = ax.figure, {"loc": "outside right upper"}
    legend = owner.legend(
        handles=handles,
        handletextpad=0.3,
        ncols=-(-len(handles) // (LONGEST_COLUMN + 1)),
        **theme.LEGEND_STYLE,
        **where,
    )
    if ax.figure.get_layout_engine() is None:
        _make_room(ax, legend)
    return legend


def _make_room(ax, legend):
    """Shrink axes without a layout engine, so that the legend fits beside them."""
    box = ax.get_position()
    beyond = (legend.get_window_extent().x1 - ax.bbox.x1) / ax.figure.bbox.width
    width = max(box.width - beyond, box.width / 3)  # some width must remain for the map
    ax.set_position([box.x0, box.y0, width, box.height])
    ax.set_in_layout(True)  # set_position removes them


def names_on_map(ax, Z, indices, classes):
    """Write the name of each class, with its mark, at the center of its points."""
    present = np.unique(indices)
    return write_labels(
        ax,
        np.array([middle(Z[indices == c]) for c in present]),
        [classes.names[c] for c in present],
        marks=[(classes.colors[c], classes.markers[c]) for c in present],
    )


# Space for the mark of a name, and for a mark that no name should cover, in points.
MARK, CLEAR = 9.0, 12.0


def write_labels(ax, anchors, names, *, marks=None, away=None, clear=None):
    """Write names near anchors (n, 2), without overlap, inside the axes."""
    from matplotlib.lines import Line2D
    from matplotlib.patheffects import withStroke

    # The position of the axes on the page is only known after drawing.
    page = ax.figure.canvas.figure
    page.draw_without_rendering()
    pixels = page.dpi / 72.0

    def to_data(place):
        return ax.transData.inverted().transform(np.asarray(place) * pixels)

    anchors_at = ax.transData.transform(anchors) / pixels
    indent = 0.0 if marks is None else MARK
    widths = np.array([0.6 * theme.SMALL * len(name) + indent + 4.0 for name in names])
    sizes = np.column_stack([widths, np.full(len(names), 1.35 * theme.SMALL)])
    wanted = anchors_at
    if away is not None:
        wanted = anchors_at + away * (sizes + CLEAR) / 2.0
    obstacles = None
    if clear is not None:
        spots = ax.transData.transform(clear) / pixels
        obstacles = np.column_stack([spots, np.full(spots.shape, CLEAR)])
    box = np.array(ax.bbox.extents) / pixels
    places = free_places(wanted, sizes, box, obstacles=obstacles)
    halo = [withStroke(linewidth=2.2, foreground=theme.PAPER, alpha=0.85)]
    written = []
    for i, (name, (x, y)) in enumerate(zip(names, places, strict=True)):
        # Lines are added as artists, because plot() would widen the axes.
        if np.hypot(*(places[i] - wanted[i])) > theme.SMALL:
            ends = np.column_stack([anchors[i], to_data(places[i])])
            ax.add_artist(Line2D(*ends, color=theme.QUIET, linewidth=0.7, zorder=4))
        left = x - widths[i] / 2.0 + 2.0
        if marks is not None:
            color, marker = marks[i]
            spot = to_data([left + MARK / 2.0 - 1.0, y])
            look = {
                "markersize": 5,
                "markeredgecolor": theme.PAPER,
                "markeredgewidth": 0.6,
            }
            mark = Line2D(*spot[:, None], marker=marker, color=color, zorder=8, **look)
            ax.add_artist(mark)
        text = ax.text(*to_data([left + indent, y]), name, zorder=7, in_layout=False)
        text.set(va="center", fontsize=theme.SMALL, color=theme.INK, path_effects=halo)
        written.append(text)
    return written


def middle(points):
    """Return the point nearest to the median of all points."""
    gaps = points - np.median(points, axis=0)
    return points[np.einsum("ij,ij->i", gaps, gaps).argmin()]


# Positions of labels without overlap.

# Number of steps from the ideal position to try, their length relative to the height of
# a label, and the number of directions.
RINGS, STEP, DIRECTIONS = 40, 0.6, 16


def free_places(wanted, sizes, bounds, *, obstacles=None):
    """Return centers (n, 2) of boxes near the ideal centers, without overlap."""
    sizes = np.asarray(sizes, dtype=np.float64)
    low = np.array(bounds[:2]) + sizes / 2
    high = np.maximum(np.array(bounds[2:]) - sizes / 2, low)
    places = np.clip(np.asarray(wanted, dtype=np.float64), low, high)
    boxes = [] if obstacles is None else [tuple(box) for box in obstacles]
    for i, size in enumerate(sizes):
        tried = np.clip(places[i] + STEP * size[1] * _OFFSETS, low[i], high[i])
        free = _free(tried, size, np.array(boxes).reshape(-1, 4))
        if free.any():
            places[i] = tried[free.argmax()]
        boxes.append((*places[i], *size))
    return places


def _free(centers, size, boxes):
    """Return whether a box of this size fits at each center, without overlap."""
    gaps = np.abs(centers[:, None] - boxes[None, :, :2])
    reach = (size + boxes[:, 2:]) / 2 - 1e-9
    return ~(gaps < reach).all(axis=2).any(axis=1)


# Steps away from a position, nearest first: upward, then around.
_ANGLES = np.pi / 2 + np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
_AROUND = np.column_stack([2.0 * np.cos(_ANGLES), np.sin(_ANGLES)])
_RINGS = np.arange(1, RINGS + 1)[:, None, None] * _AROUND
_OFFSETS = np.vstack([[[0.0, 0.0]], _RINGS.reshape(-1, 2)])
