"""Table 1: accuracies of the models, and of the nearest neighbor on their maps."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from benchmarks.lvq_paper import best_run, one_nn
from benchmarks.papers._kept import kept
from benchmarks.papers._record import record
from benchmarks.papers._verdict import STAND_IN, between, holds, pair, row
from benchmarks.papers.p000 import _satellite
from benchmarks.papers.p000._segmentation import SETTINGS, data, runs
from labelscape.embeddings import LFDA

# Name, whether with several prototypes and local matrices, what is printed for the
# model itself and for the nearest neighbor on its map: training and test, in percent.
MODELS = (
    ("LiRaM LVQ 7P", {}, (92.9, 88.0), (85.7, 87.0)),
    ("LiRaM LVQ 14P", {"many": True}, (91.9, 90.3), (88.6, 87.5)),
    ("LLiRaM LVQ", {"local": True}, (89.0, 85.7), (88.6, 87.4)),
)
LFDA_PAPER, NCA_PAPER = (83.7, 85.8), (90.0, 87.1)
NEIGHBORS, LENGTHS = range(1, 31), (1, 4, 16, 30)
# Colorado, which is not public: model, local or not; dimensions 2 and 3.
COLORADO = {
    ("LiRaM LVQ", 2): "83.0 / 80.0, 1-NN 79.6 / 84.6",
    ("LLiRaM LVQ", 2): "78.7 / 73.8, 1-NN 79.9 / 83.7",
    ("LFDA", 2): "1-NN 50.4 / 61.1",
    ("NCA", 2): "1-NN 81.5 / 89.7",
    ("LiRaM LVQ", 3): "88.9 / 86.3, 1-NN 93.3 / 96.4",
    ("LLiRaM LVQ", 3): "87.7 / 85.8, 1-NN 92.8 / 96.1",
    ("LFDA", 3): "1-NN 89.6 / 93.8",
    ("NCA", 3): "1-NN 92.6 / 95.5",
}


def shown(numbers):
    """Return accuracies as the table prints them."""
    return " / ".join(f"{number:.1f}" for number in numbers)


@kept
def best(many=False, local=False):
    """Return the run with the best training accuracy, and both accuracies."""
    model, *accuracies = best_run(runs(2, many, local), data())
    return model, accuracies


def on_map(model):
    """Return the nearest neighbor's accuracies on a map of the segmentation data."""
    X, y, X_test, y_test = data()
    return one_nn(model.transform(X), y, model.transform(X_test), y_test)


@kept
def lfda():
    """Return LFDA of the best number of neighbors by training accuracy, and all."""
    X, y = data()[:2]
    tried = {k: LFDA(n_neighbors=k).fit(X, y) for k in NEIGHBORS}
    scores = {k: on_map(model) for k, model in tried.items()}
    k = max(scores, key=lambda k: scores[k][0])
    return tried[k], k, scores


@kept
def of_scalings():
    """Return the accuracies with each size of LFDA's axes, at the paper's k."""
    X, y = data()[:2]
    return {
        scaling: on_map(LFDA(n_neighbors=2, scaling=scaling).fit(X, y))
        for scaling in ("weighted", "plain", "orthonormalized")
    }


@kept
def nca():
    """Return NCA of the best length by training accuracy, and all accuracies."""
    X, y = data()[:2]
    tried = {}
    for length in LENGTHS:
        options = {"max_iter": length, "tol": 0.0, "random_state": 0}
        tried[length] = fitted(NeighborhoodComponentsAnalysis(2, **options), X, y)
    scores = {length: on_map(model) for length, model in tried.items()}
    length = max(scores, key=lambda length: scores[length][0])
    return tried[length], length, scores


def fitted(model, X, y):
    """Fit a model that is stopped on purpose before it converges."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def models():
    """Return the rows of the LVQ models."""
    rows = []
    for name, kind, paper, paper_nn in MODELS:
        model, accuracies = best(**kind)
        near = on_map(model)
        settings = f"{SETTINGS}, best run by training accuracy"
        rows += [
            row(
                name, shown(paper), shown(accuracies), settings, pair(paper, accuracies)
            ),
            row(
                f"{name}, 1-NN on the map",
                shown(paper_nn),
                shown(near),
                f"{settings}; training: leave-one-out",
                pair(paper_nn, near),
            ),
        ]
    mean = 100 * np.mean([m.score(*data()[:2]) for m in runs(2, local=True)])
    rows.append(
        row(
            "LLiRaM LVQ, mean training accuracy",
            "85, std 4",
            round(float(mean), 1),
            SETTINGS,
            pair((85.0,), (mean,)),
        )
    )
    return rows


def others():
    """Return the rows of LFDA and NCA."""
    _, k, by_k = lfda()
    _, length, by_length = nca()
    worst = min(score[0] for score in by_k.values())
    first = by_length[LENGTHS[0]][0]
    return [
        row(
            "LFDA, 1-NN on the map",
            shown(LFDA_PAPER),
            shown(by_k[k]),
            f"best of k = 1..{NEIGHBORS[-1]} (k = {k}, the paper's 2)",
            pair(LFDA_PAPER, by_k[k]),
            "other sizes of the axes at k = 2: "
            + ", ".join(f"{name} {shown(two)}" for name, two in of_scalings().items()),
        ),
        row(
            "LFDA, 1-NN on the map, orthonormal axes",
            shown(LFDA_PAPER),
            shown(of_scalings()["orthonormalized"]),
            "k = 2, as in the paper, which does not tell the size of its axes",
            pair(LFDA_PAPER, of_scalings()["orthonormalized"]),
        ),
        row(
            "LFDA, its worst k",
            66.6,
            round(float(worst), 1),
            "training accuracy; the paper's is at k = 25",
            between(66.6, 66.6, worst, spread=5),
        ),
        row(
            "NCA, 1-NN on the map",
            shown(NCA_PAPER),
            shown(by_length[length]),
            f"scikit-learn's, best of l in {LENGTHS} (l = {length}, the paper's >= 16)",
            pair(NCA_PAPER, by_length[length]),
        ),
        row(
            "NCA depends on l",
            "56.2 at l = 1",
            round(float(first), 1),
            "training accuracy at l = 1; the paper's starts at random",
            holds(first < by_length[length][0]),
        ),
    ]


def colorado():
    """Return the rows of the satellite image, on other data."""
    rows = []
    for (name, dimensions), paper in COLORADO.items():
        ours = _satellite.accuracies(name, dimensions)
        settings = f"satimage, {_satellite.SETTINGS[name]}"
        rows.append(row(f"{name}, {dimensions}D", paper, ours, settings, STAND_IN))
    return rows


def main():
    record("000", "Table 1, segmentation", models() + others())
    record("000", "Table 1, Colorado", colorado())


if __name__ == "__main__":
    main()
