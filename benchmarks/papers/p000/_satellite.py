"""Stand-ins for the Colorado image: satimage, and Indian Pines, which is an image."""

import os
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from benchmarks.lvq_paper import one_nn, train_and_test
from benchmarks.papers._kept import kept
from benchmarks.papers._record import FIRST, seeds
from labelscape.embeddings import LFDA, NCA
from labelscape.prototypes import SGD, LiRaMLVQ, LocalLiRaMLVQ

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))
SEEDS = 5
# Of each class: the paper takes 2000 for LVQ, and 900 for NCA, which has no more room.
FEW = 150
NEIGHBORS, LENGTHS = (1, 3, 6, 9), (2, 5, 10)
LVQ = {
    "LiRaM LVQ": LiRaMLVQ.as_in_paper(
        prototypes_per_class=3, max_iter=300, solver=SGD(matrix_epoch=30)
    ),
    # The paper's rates for the localized model: one start and one decay for all three.
    "LLiRaM LVQ": LocalLiRaMLVQ.as_in_paper(
        prototypes_per_class=3,
        max_iter=300,
        learning_rate=1e-3,
        matrix_learning_rate=1e-3,
        solver=SGD(
            decay=1e-4,
            matrix_decay=1e-4,
            local_learning_rate=1e-3,
            local_decay=1e-4,
            matrix_epoch=30,
        ),
    ),
}
SETTINGS = {
    "LiRaM LVQ": f"as_in_paper(), 3 prototypes per class, 300 epochs, {SEEDS} seeds",
    "LLiRaM LVQ": f"the same with all learning rates 0.001, {SEEDS} seeds",
    "LFDA": f"best of k in {NEIGHBORS}",
    "NCA": f"best of l in {LENGTHS}, {FEW} samples per class",
}
# The paper's image has six bands.
BANDS, PER_CLASS = 6, 200


@cache
def satimage():
    """Return z-scored training samples with labels, then those of the test."""
    X, y, X_test, y_test = train_and_test(
        "satimage_train.csv.gz", "satimage_test.csv.gz"
    )
    return X, np.char.replace(y, "_", " "), X_test, np.char.replace(y_test, "_", " ")


@kept
def lvq_runs(name, dimensions):
    """Return a fitted model for each seed."""
    X, y = satimage()[:2]
    seeded = [{"n_components": dimensions, "random_state": s} for s in seeds(SEEDS)]
    return [clone(LVQ[name]).set_params(**one).fit(X, y) for one in seeded]


def best_lvq(name, dimensions):
    """Return the run with the best training accuracy."""
    X, y = satimage()[:2]
    return max(lvq_runs(name, dimensions), key=lambda one: one.score(X, y))


def mean_accuracies(name, dimensions):
    """Return the mean accuracies of all seeds, training and test, in percent."""
    X, y, X_test, y_test = satimage()
    models = lvq_runs(name, dimensions)
    return [
        100 * float(np.mean([one.score(*some) for one in models]))
        for some in ((X, y), (X_test, y_test))
    ]


@kept
def best_lfda(dimensions):
    """Return LFDA whose map tells the training samples best."""
    X, y = satimage()[:2]
    tried = [LFDA(dimensions, n_neighbors=k).fit(X, y) for k in NEIGHBORS]
    return max(tried, key=lambda one: nearest(one)[0])


@kept
def best_nca(dimensions):
    """Return NCA, of few samples, whose map tells the training samples best."""
    X, y = satimage()[:2]
    rows = some_of_each(y, FEW)
    made = [NCA.as_in_paper(n_components=dimensions, max_iter=n) for n in LENGTHS]
    tried = [one.set_params(random_state=FIRST).fit(X[rows], y[rows]) for one in made]
    return max(tried, key=lambda one: nearest(one)[0])


def some_of_each(y, count):
    """Return indices of so many samples of each class, or all that there are."""
    rng = np.random.default_rng(FIRST)
    drawn = [rng.permutation(np.flatnonzero(y == c))[:count] for c in np.unique(y)]
    return np.sort(np.concatenate(drawn))


def fitted(name, dimensions):
    """Return the model of a name."""
    if name in LVQ:
        return best_lvq(name, dimensions)
    return (best_lfda if name == "LFDA" else best_nca)(dimensions)


def nearest(model):
    """Return the nearest neighbor's accuracies on a map."""
    X, y, X_test, y_test = satimage()
    return one_nn(model.transform(X), y, model.transform(X_test), y_test)


def accuracies(name, dimensions):
    """Return accuracies of a model in words, training and test."""
    model = fitted(name, dimensions)
    X, y, X_test, y_test = satimage()
    near = "1-NN {:.1f} / {:.1f}".format(*nearest(model))
    if name not in LVQ:
        return near
    own = 100 * model.score(X, y), 100 * model.score(X_test, y_test)
    return "{:.1f} / {:.1f}, ".format(*own) + near


@cache
def pines():
    """Return bands, labels and places of the pixels of Indian Pines.

    Its 200 bands come down to six components, as many as the paper's image has bands.
    """
    file = np.load(DATA / "indian_pines.npz")
    X = StandardScaler().fit_transform(file["X"].astype(float))
    X = StandardScaler().fit_transform(PCA(BANDS, random_state=FIRST).fit_transform(X))
    return X, file["y"], file["row"], file["column"]
