"""Fig. 4: all samples of two sets by scaling of distances; noise on the left, iris."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import SCALED, scaled, two_axes
from labelscape.embeddings import WeightedMDS
from labelscape.plotting import plot_map
from labelscape.quality import knn_accuracy

# The paper does not say what its noise is.
OBJECTS, FEATURES = 150, 4
# Of two classes that are mixed, a neighbor tells half; 150 samples, to 8 points.
CHANCE, SPREAD = 0.5, 0.08


def noise():
    """Return samples whose two classes are drawn by lot."""
    rng = np.random.default_rng(0)
    return rng.uniform(size=(OBJECTS, FEATURES)), rng.integers(2, size=OBJECTS)


def main():
    figure, axes = two_axes()
    found = {}
    for ax, (name, (X, y)) in zip(
        axes, {"noise": noise(), "iris": scaled("iris")}.items(), strict=True
    ):
        Z = WeightedMDS(weights="uniform", random_state=0).fit_transform(X)
        found[name] = knn_accuracy(Z, y)
        plot_map(Z, y, title=f"{name}: {found[name]:.0%} by the neighbor", ax=ax)
    settings = f"WeightedMDS(weights='uniform'), {SCALED}"
    is_mixed = abs(found["noise"] - CHANCE) <= SPREAD
    rows = [
        row(
            "noise: classes are mixed in all areas",
            "yes",
            f"1-NN on the map {found['noise']:.2f}",
            f"{settings}; {OBJECTS} × {FEATURES} uniform, classes by lot",
            holds(is_mixed),
        ),
        row(
            "iris: well defined borders",
            "yes",
            f"1-NN on the map {found['iris']:.2f}",
            settings,
            holds(found["iris"] >= 0.9),
        ),
    ]
    record("003", "Fig. 4", rows, figure=figure)


if __name__ == "__main__":
    main()
