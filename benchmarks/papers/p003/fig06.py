"""Fig. 6: the prototypes of iris, feature by feature."""

import numpy as np
from sklearn.datasets import load_iris

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import two_axes
from labelscape.plotting import plot_comparison, plot_prototype_map
from labelscape.prototypes import PushAndGrow

FEATURES = ["sepal length", "sepal width", "petal length", "petal width"]


def main():
    X, y = load_iris(return_X_y=True)
    model = PushAndGrow().fit(X, y)
    W = model.prototypes_
    order = W.argmin(axis=0)
    rows = []
    for j, name in enumerate(FEATURES):
        # The text names the first three features.
        printed = "class one has the least" if j < 3 else ""
        least = model.prototype_labels_[order[j]]
        ours = f"class {least + 1} has the least: {np.round(W[:, j], 2).tolist()}"
        settings = "PushAndGrow(), features as they are"
        verdict = holds(least == 0)
        rows.append(row(name, printed or "not named", ours, settings, verdict))
    figure, (left, right) = two_axes()
    plot_prototype_map(model, X[::10], title="prototypes and some objects", ax=left)
    plot_comparison(model, feature_names=FEATURES, ax=right)
    record("003", "Fig. 6", rows, figure=figure)


if __name__ == "__main__":
    main()
