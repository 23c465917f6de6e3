"""Points of a map: colored and shaped by class, sized by their number."""

from typing import NamedTuple

import numpy as np

from labelscape._core.checks import check_finite, numbers_argument, vector_argument
from labelscape._core.class_colors import class_looks
from labelscape._core.errors import InputError
from labelscape._core.labels import labels_argument
from labelscape.plotting._palette import (
    INK,
    PAPER,
    PROTOTYPE,
    QUIET,
    class_colors,
    class_markers,
)
from labelscape.plotting._theme import short

# More points than this are one picture inside a vector graphic: else it takes minutes
# to open.
VECTOR_LIMIT = 5000


def point_size(n):
    """Return the area of a mark in square points: 36 for few points, less for many."""
    return float(np.clip(420.0 / np.sqrt(n), 1.5, 36.0))


def point_alpha(n):
    """Return the opacity of a mark: many points must shine through each other."""
    return float(np.clip(0.9 * (500.0 / n) ** 0.2, 0.15, 0.85))


def draw_points(ax, Z, indices, classes, sizes=None):
    """Draw points by class; ``indices`` None draws them gray.

    All points of a shape are drawn at once, in a fixed random order: class after class,
    the last class would cover the others.
    """
    n = len(Z)
    order = np.random.default_rng(0).permutation(n)
    look = {
        "alpha": point_alpha(n),
        "linewidths": 0.3 if n <= VECTOR_LIMIT else 0.0,
        "edgecolors": PAPER,
        "rasterized": n > VECTOR_LIMIT,
    }
    sizes = np.full(n, point_size(n)) if sizes is None else np.asarray(sizes)
    if indices is None:
        return [ax.scatter(*Z[order].T, s=sizes[order], c=QUIET, **look)]
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
    """Draw prototypes: large diamonds with a dark edge, above everything."""
    size = 80.0 if len(W) <= 30 else 45.0
    return [
        ax.scatter(
            *w[:, None],
            s=size,
            c=classes.colors[c],
            marker=PROTOTYPE,
            edgecolors=INK,
            linewidths=1.5,
            zorder=5,
        )
        for w, c in zip(W, indices, strict=True)
    ]


# Which class each point has, and how classes look on a figure.


class ClassLooks(NamedTuple):
    """The classes of a figure, in the order of their colors."""

    labels: np.ndarray
    colors: list
    markers: list

    @property
    def names(self):
        """Labels as they are written on a figure."""
        return [short(label) for label in self.labels]

    def indices(self, y):
        """Return the class index of each label."""
        y = np.asarray(y)
        index = {label: i for i, label in enumerate(self.labels.tolist())}
        codes = np.array([index.get(label, -1) for label in y.tolist()], dtype=np.intp)
        strange = y[codes < 0]
        if len(strange):
            raise ValueError(
                f"The label {strange[0]!r} is not among the classes "
                f"{self.labels.tolist()}. Pass all of them as classes=…"
            )
        return codes


def classes_of(y, classes=None):
    """Return how to draw the classes in y, or those given, sorted."""
    labels = np.unique(np.asarray(y) if classes is None else np.asarray(classes))
    n = len(labels)
    return ClassLooks(labels, class_colors(n), class_markers(n))


def classes_on(Z, y, classes=None):
    """Return how to draw the classes in y, or those given, on a map Z.

    Neighbors have other colors.
    """
    plain = classes_of(y, classes)
    looks = class_looks(Z, plain.indices(y), len(plain.labels))
    return plain._replace(
        colors=[plain.colors[look] for look in looks],
        markers=[plain.markers[look] for look in looks],
    )


def checked_sizes(sizes, n, *, owner):
    """Return the areas of n marks; None: all alike."""
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
    """Return an embedding as floats (n, 1 to 3), after comparing it with its labels."""
    Z = numbers_argument(owner, name, embedding)
    if Z.ndim != 2 or not 1 <= Z.shape[1] <= 3:
        raise InputError(
            f"a map has 1, 2 or 3 columns, got an array of shape {Z.shape}. "
            "Pass embedding[:, :2] to see the first two.",
            owner=owner,
        )
    if len(Z) == 0:
        raise InputError("the map has no points.", owner=owner)
    if y is not None:
        _check_labels(y, len(Z), owner=owner)
    if not np.isfinite(Z).all():
        raise InputError("the map holds NaN or infinity. Fit it again.", owner=owner)
    check_finite(Z, owner=owner, name=name)
    return Z


def _check_labels(y, n, *, owner):
    try:
        shape = np.shape(y)
    except ValueError:  # lists of several lengths
        shape = (len(y), "…")
    if shape != (n,):
        raise InputError(
            f"the map has {n} points but y has shape {shape}. Give "
            "one label per point.",
            owner=owner,
        )
    labels_argument(owner, "y", y)
