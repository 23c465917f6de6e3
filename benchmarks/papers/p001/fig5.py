"""Fig. 5: the picture of an SVM on USPS, by kernel and by Fisher kernel t-SNE."""

import numpy as np
from matplotlib.figure import Figure
from sklearn.base import clone

from benchmarks.classifier_pictures import Fitted, parts
from benchmarks.papers._record import record
from benchmarks.papers._verdict import at_least, row
from benchmarks.papers.p001._usps import FISHER, MAPS, OURS, PLAIN, digits
from labelscape.boundary import ClassifierMap

PAPER = {PLAIN: 85.0, FISHER: 92.0, OURS: 92.0}
LAMBDA1, LAMBDA2 = 0.1, 10_000.0  # as printed, of sums that nothing divides

TRIED = (
    "with and without the weight of the classifier's answers, as printed; more Parzen "
    "points: rows of our metric"
)


def in_our_units(X, n_outputs):
    """Return the printed weights for terms that are divided by their size."""
    return LAMBDA2 / LAMBDA1 * n_outputs / X.var(axis=0).sum()


def main():
    classifier, X, y, unseen, y_unseen = parts(*digits(), seed=0)
    weight = in_our_units(X, len(classifier.classes_))
    accuracy = 100 * classifier.score(unseen, y_unseen)
    rows = [
        row(
            "the SVM itself",
            "97 on the test set",
            round(accuracy, 1),
            "SVC(C=10) of 5000 digits",
            at_least(97.0, accuracy),
        )
    ]
    figure = Figure(figsize=(16, 5), layout="constrained")
    for place, (name, paper) in enumerate(PAPER.items(), start=1):
        projection = clone(MAPS[name]).set_params(train_size=None).fit(X, y)
        for lambda2 in (0.0, weight):
            picture = ClassifierMap(
                classifier,
                Fitted(projection, X),
                lambda2=lambda2,
                coloring="inverse",
                random_state=0,
            ).fit(X)
            ours = 100 * picture.score(unseen)
            settings = f"1100 digits, lambda2 = {lambda2:.3g}, {len(unseen)} unseen"
            verdict = at_least(paper, ours)
            rows.append(row(name, paper, round(ours, 1), settings, verdict, TRIED))
        ax = figure.add_subplot(1, len(PAPER), place)
        few = np.arange(0, len(X), 2)
        picture.plot(X[few], y[few], ax=ax, title=name)
    record("001", "Fig. 5", rows, figure=figure)


if __name__ == "__main__":
    main()
