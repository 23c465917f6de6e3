"""Fig. 1: what the Fisher metric keeps: modes and overlap, drawn by metric MDS."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from labelscape.datasets import make_modes
from labelscape.embeddings import FisherMDS
from labelscape.geometry import FisherMetric
from labelscape.plotting import compare_maps

N = 600
# make_modes deals out classes and modes in turn; the second modes of the first two
# classes lie over each other.
MODE = np.arange(N) // 3 % 2
METRICS = {
    "as in the paper": FisherMetric.as_in_paper(parzen_points="all", random_state=0),
    "by default": FisherMetric(random_state=0),
}


def modes(Z, y):
    """Return the center of each mode, and how far its samples are from it."""
    mode = 2 * y + MODE
    centers = np.stack([Z[mode == m].mean(axis=0) for m in range(6)])
    gaps = np.linalg.norm(Z - centers[mode], axis=1)
    return centers, np.array([gaps[mode == m].mean() for m in range(6)])


def spread(Z, y):
    """Return the mean distance to the center of the own mode, for size 1 in all."""
    return modes(Z, y)[1].mean() / np.sqrt(Z.var(axis=0).sum())


def n_modes(Z, y):
    """Count modes; those of a class are two if farther apart than they are wide."""
    centers, radii = modes(Z, y)
    apart = np.linalg.norm(centers[::2] - centers[1::2], axis=1)
    return 3 + int(np.sum(apart > radii[::2] + radii[1::2]))


def foreign(Z, y):
    """Return the share of other classes among ten neighbors in the overlap."""
    overlap = (MODE == 1) & (y < 2)
    search = NearestNeighbors(n_neighbors=10).fit(Z)
    nearest = search.kneighbors(return_distance=False)[overlap]
    return float(np.mean(y[nearest] != y[overlap, None]))


def main():
    X, y = make_modes(N, random_state=0)
    rows, maps = [], {"data": X}
    for name, metric in METRICS.items():
        Z = FisherMDS(metric=metric, random_state=0).fit_transform(X, y)
        maps[f"Fisher MDS, {name}"] = Z
        settings = f"make_modes({N}), FisherMDS, metric {name}"
        within, before = spread(Z, y), spread(X, y)
        rows += [
            row(
                "modes become tighter",
                "yes",
                f"mean distance to their center {before:.2f}, then {within:.2f}",
                settings,
                holds(within < before),
            ),
            row(
                "number of modes is preserved",
                6,
                n_modes(Z, y),
                settings,
                holds(n_modes(Z, y) == 6),
                "some plain distance, as by default: then it is 6, see below. Without "
                "it two modes of one class with no other between them are one",
            ),
            row(
                "overlap is preserved",
                "yes",
                f"{100 * foreign(Z, y):.0f}% of the neighbors there are of another "
                f"class, {100 * foreign(X, y):.0f}% in the data",
                settings,
                holds(foreign(Z, y) > 0.5 * foreign(X, y)),
            ),
        ]
    figure = compare_maps(maps, y)
    for ax, Z in zip(figure.axes, maps.values(), strict=True):
        point_out(ax, Z[(MODE == 1) & (y < 2)].mean(axis=0))
    record("001", "Fig. 1", rows, figure=figure)


def point_out(ax, place):
    """Draw an arrow to where classes overlap, as the paper does."""
    arrow = {"arrowstyle": "->", "linewidth": 1.5}
    offset = {"xytext": (-75, 0), "textcoords": "offset points"}
    look = {"ha": "center", "va": "center", "arrowprops": arrow}
    ax.annotate("overlap", place, **offset, **look)


if __name__ == "__main__":
    main()
