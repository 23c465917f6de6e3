"""Fig. 7: one sample of iris and the nearest prototype of each class."""

import numpy as np
from scipy.stats import spearmanr
from sklearn.datasets import load_iris

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import two_axes
from labelscape.embeddings import object_layout
from labelscape.plotting import plot_comparison, plot_prototype_map
from labelscape.prototypes import PushAndGrow

SHOWN = 41  # of class one, as the paper's, and not on its prototype
FEATURES = ["sepal length", "sepal width", "petal length", "petal width"]


def shown_in_order(model, x):
    """Return whether the picture has the prototypes in the order of their distances."""
    W = model.prototypes_
    to_object = np.linalg.norm(W - x, axis=1)
    between = np.linalg.norm(W[:, None] - W, axis=2)
    places = object_layout(to_object, between).prototypes
    return spearmanr(np.linalg.norm(places, axis=1), to_object).statistic > 0.999


def share_of_three(model, X):
    """Return the part of the first three features in what separates the two nearest."""
    parts = (X[:, None] - model.prototypes_) ** 2
    nearest = np.argsort(parts.sum(axis=2), axis=1)
    rows = np.arange(len(X))
    gaps = parts[rows, nearest[:, 1]] - parts[rows, nearest[:, 0]]
    return gaps[:, :3].sum(axis=1) / gaps.sum(axis=1)


def main():
    iris = load_iris()
    X, y = iris.data, iris.target_names[iris.target]
    model = PushAndGrow().fit(X, y)
    ordered = np.mean([shown_in_order(model, x) for x in X])
    ones = X[model.predict(X) == iris.target_names[0]]
    share = share_of_three(model, ones)
    rows = [
        row(
            '"usually gives a quite good impression of the distance relationships"',
            "usually",
            f"prototypes in the order of their distances for {ordered:.0%} of the "
            "samples",
            "object_layout, power 2, features not scaled",
            holds(ordered >= 0.9),
        ),
        row(
            '"mainly based on the first three attribute values"',
            "for one sample of class one",
            f"{share.min():.0%} to {share.max():.0%} of the difference between squared "
            "distances to the two nearest prototypes",
            f"all {len(ones)} samples of class one; the paper does not say which one",
            holds(share.min() > 0.5),
        ),
    ]
    figure, (left, right) = two_axes()
    plot_comparison(model, X[SHOWN], feature_names=FEATURES, ax=right)
    plot_prototype_map(model, X[SHOWN], level="object", disc=True, ax=left)
    record("003", "Fig. 7", rows, figure=figure)


if __name__ == "__main__":
    main()
