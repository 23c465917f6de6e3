"""Fig. 4: all samples of two sets by scaling of distances; noise on the left, iris."""

import numpy as np

from benchmarks.papers._record import FIRST, record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import SCALED, scaled, two_axes
from labelscape.embeddings import WeightedMDS
from labelscape.plotting import plot_map
from labelscape.quality import knn_accuracy

# The paper does not say what its noise is.
OBJECTS, FEATURES = 150, 4
CHANCE, WELL = 0.5, 0.9


def noise():
    """Return samples whose two classes are drawn by lot."""
    rng = np.random.default_rng(FIRST)
    return rng.uniform(size=(OBJECTS, FEATURES)), rng.integers(2, size=OBJECTS)


def main():
    figure, axes = two_axes()
    found = {}
    for ax, (name, (X, y)) in zip(
        axes, {"noise": noise(), "iris": scaled("iris")}.items(), strict=True
    ):
        Z = WeightedMDS(weights="uniform", random_state=FIRST).fit_transform(X)
        found[name] = knn_accuracy(Z, y)
        plot_map(Z, y, title=f"{name}: {found[name]:.0%} by the neighbor", ax=ax)
    settings = f"WeightedMDS(weights='uniform'), {SCALED}"
    error = np.sqrt(CHANCE * (1.0 - CHANCE) / OBJECTS)
    rows = [
        row(
            '"the objects of both classes are mixed in all areas": noise',
            "by chance",
            f"1-NN on the map {found['noise']:.2f}",
            f"{settings}; {OBJECTS} × {FEATURES} uniform numbers, random classes",
            holds(abs(found["noise"] - CHANCE) <= 2.0 * error),
        ),
        row(
            '"the well-known iris set that displays well defined class borders"',
            "well defined",
            f"1-NN on the map {found['iris']:.2f}",
            f"{settings}; reached if at least {WELL}",
            holds(found["iris"] >= WELL),
        ),
    ]
    record("003", "Fig. 4", rows, figure=figure)


if __name__ == "__main__":
    main()
