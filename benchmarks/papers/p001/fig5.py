"""Fig. 5: the picture of an SVM on USPS, by kernel and by Fisher kernel t-SNE."""

import numpy as np
from matplotlib.figure import Figure
from sklearn.base import clone

from benchmarks.classifier_pictures import UNSEEN, Fitted, parts
from benchmarks.papers._kept import kept
from benchmarks.papers._record import FIRST, record, seeds
from benchmarks.papers._verdict import Measured, at_least, claim, row, same
from benchmarks.papers.p001._usps import FISHER, MAPS, PLAIN, SPLITS, digits
from labelscape.boundary import ClassifierMap

PAPER = {PLAIN: "85", FISHER: "92"}
LAMBDA1, LAMBDA2 = 0.1, 10_000.0  # as printed, of sums that nothing divides
HALF = 0.5  # width of the inverse map's kernels, which the paper does not print


@kept
def split(seed):
    """Return the digits of the map, of the classifier, and of neither."""
    return parts(*digits(), seed=seed)


def in_our_units(X, n_outputs):
    """Return the printed weights for terms that are divided by their size.

    They depend on the units of X: pixels are from 0 to 255.
    """
    return LAMBDA2 / LAMBDA1 * n_outputs / X.var(axis=0).sum()


@kept
def picture(name, seed):
    """Return the picture of the SVM on a map, and its agreement on unseen digits."""
    classifier, X, y, unseen, _ = split(seed)
    options = {"train_size": None, "random_state": seed}
    projection = clone(MAPS[name]).set_params(**options).fit(X, y)
    made = ClassifierMap(
        classifier,
        Fitted(projection, X),
        lambda2=in_our_units(X, len(classifier.classes_)),
        bandwidth_factor=HALF,
        coloring="inverse",
        random_state=FIRST,
    ).fit(X)
    return made, float(100 * made.score(unseen))


def of_splits(name):
    """Return the agreement on all splits."""
    return np.array([picture(name, seed)[1] for seed in seeds(SPLITS)])


def main():
    right = [one[0].score(*one[3:]) for one in map(split, seeds(SPLITS))]
    svm = Measured.of(100 * np.array(right), printed_runs=1)
    weight = in_our_units(split(0)[1], len(split(0)[0].classes_))
    settings = (
        f"1100 fitted and {UNSEEN} held-out digits, {SPLITS} splits; lambda2 = "
        f"{weight:.3g} (the printed ratio 10000 / 0.1 for pixels from 0 to 255); "
        "kernels of the inverse map have half the default width"
    )
    rows = [
        row(
            "the SVM itself, on its test set",
            97,
            svm.shown(),
            "SVC(C=10) of 5000 digits",
            same("97", svm),
        )
    ]
    found = {name: of_splits(name) for name in PAPER}
    for name, printed in PAPER.items():
        ours = Measured.of(found[name], printed_runs=1)
        what = f"{name}: agreement of picture and SVM"
        rows.append(row(what, printed, ours.shown(), settings, at_least(printed, ours)))
    gap = Measured.of(found[FISHER] - found[PLAIN])
    rows.append(
        row(
            '"Fisher kernel t-SNE displays much clearer class boundaries ... the '
            'coincidence increases"',
            "more",
            f"{gap.shown()} points more",
            settings,
            claim(gap),
        )
    )
    record("001", "Fig. 5", rows, figure=pictured())


def pictured():
    """Return the pictures of the first split, with every second digit."""
    figure = Figure(figsize=(11, 5), layout="constrained")
    X, y = split(0)[1:3]
    few = np.arange(0, len(X), 2)
    for place, name in enumerate(MAPS, start=1):
        ax = figure.add_subplot(1, len(MAPS), place)
        picture(name, 0)[0].plot(X[few], y[few], ax=ax, title=name)
    return figure


if __name__ == "__main__":
    main()
