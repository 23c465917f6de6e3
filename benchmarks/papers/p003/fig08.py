"""Fig. 8: the prototypes of breast-w and their features."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import SCALED, feature_names, scaled, two_axes
from labelscape.plotting import plot_comparison, plot_prototype_map
from labelscape.prototypes import PushAndGrow

# The default is content with one prototype of each class, as Table 3 of the paper is.
MODEL, WORDS = PushAndGrow(alpha=16, tol=0.002), "alpha = 16, tol = .002"


def main():
    X, y = scaled("breast-w")
    fitted = MODEL.fit(X, y)
    W, labels = fitted.prototypes_, fitted.prototype_labels_
    malign, benign = W[labels == "malignant"], W[labels == "benign"]
    is_small = benign.max(axis=0) < malign.min(axis=0)
    default = PushAndGrow().fit(X, y).prototype_labels_
    settings = f"{WORDS}, {SCALED}"
    rows = [
        row(
            '"two prototypes for class malign and one for class belign"',
            "2 and 1",
            f"{len(malign)} and {len(benign)}",
            f"{settings}; with default parameters {np.sum(default == 'malignant')} and "
            f"{np.sum(default == 'benign')}",
            holds((len(malign), len(benign)) == (2, 1)),
        ),
        row(
            '"The prototype for the class belign displays rather small values for all '
            'features"',
            "all 9",
            f"{is_small.sum()} of {X.shape[1]}",
            settings,
            holds(is_small.all()),
        ),
    ]
    figure, (left, right) = two_axes(13)
    plot_comparison(fitted, feature_names=feature_names("breast-w"), ax=right)
    title = "prototypes and some samples"
    plot_prototype_map(fitted, X[::20], disc=True, title=title, ax=left)
    record("003", "Fig. 8", rows, figure=figure)


if __name__ == "__main__":
    main()
