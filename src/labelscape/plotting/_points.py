"""Points of a map: coloured and shaped by class, sized by their number."""

import numpy as np

from labelscape.plotting._palette import INK, PAPER, QUIET

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
    """Draw points by class; ``indices`` None draws them grey.

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
    """Draw prototypes: larger than points, with a dark edge, above everything."""
    size = 110.0 if len(W) <= 30 else 60.0
    return [
        ax.scatter(
            *w[:, None],
            s=size,
            c=classes.colors[c],
            marker=classes.markers[c],
            edgecolors=INK,
            linewidths=1.5,
            zorder=5,
        )
        for w, c in zip(W, indices, strict=True)
    ]
