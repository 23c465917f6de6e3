"""Supervised maps of noise with random labels, in all modes of the Fisher metric.

    python -m benchmarks fisher_noise [SETS]

Each set (default: 5 sets) has Gaussian noise with two random labels, 449 x 50 samples
to fit and as many new samples, which are placed without labels. The table shows 5-NN
accuracy on the map for fitted and for new samples. Chance is 0.5, and a gap is
separation that was created by the method. "worst" is the largest gap of one fit. The
standard deviation of gaps by chance is 0.033. "warned" is the number of fits with a
warning that labels cannot be predicted from the data. No map should warn on real data.
"""

import sys
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from labelscape._core.points.distances import nearest_neighbors
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape._resampling.voters import vote
from labelscape.embeddings import (
    LFDA,
    ClassiMap,
    FisherKernelTSNE,
    FisherMDS,
    FisherTSNE,
    KernelMap,
)
from labelscape.geometry import FisherMetric
from labelscape.prototypes import LiRaMLVQ, LocalLiRaMLVQ
from labelscape.quality import knn_accuracy

FITTED, FEATURES = 449, 50
# Modes, with a small, a medium and an equal weight of the plain distance.
REGULARIZATIONS = (0.01, 0.1, 1.0)
MODES = {
    "straight": {},
    "endpoint": {"method": "endpoint"},
    "graph": {"method": "graph"},
    "k-means": {"parzen_points": 100, "parzen_selection": "kmeans"},
}


def fisher_maps(metric):
    """Return the Fisher maps in a metric; KernelMap places new samples for some."""
    return {
        "FisherKernelTSNE": FisherKernelTSNE(metric=metric, random_state=0),
        "FisherTSNE": KernelMap(
            FisherTSNE(metric=metric, random_state=0), metric=metric, random_state=0
        ),
        "FisherMDS": KernelMap(
            FisherMDS(metric=metric, random_state=0), metric=metric, random_state=0
        ),
    }


def supervised_maps():
    """Return all supervised maps of the library, by name and mode."""
    for mode, options in MODES.items():
        for share in REGULARIZATIONS:
            metric = FisherMetric(regularization=share, random_state=0, **options)
            for name, model in fisher_maps(metric).items():
                yield name, f"{mode}, {share}", model
    yield "ClassiMap", "", ClassiMap(random_state=0)
    yield "LFDA", "", LFDA()
    yield "LiRaMLVQ", "", LiRaMLVQ(random_state=0)
    yield "LocalLiRaMLVQ", "", LocalLiRaMLVQ(random_state=0)


def fit_and_listen(model, X, y):
    """Fit a map; return whether it warned that labels cannot be predicted."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    return any(issubclass(found.category, LabelsSayNothing) for found in caught)


def accuracies(model, X, y, X_new, y_new):
    """Return the 5-NN accuracies for fitted and new samples, and whether it warned."""
    warned = fit_and_listen(model, X, y)
    Z = model.embedding_ if hasattr(model, "embedding_") else model.transform(X)
    new = np.asarray(model.transform(X_new), dtype=float)
    nearest, _ = nearest_neighbors(Z, 5, new)
    unseen = np.mean(vote(y[nearest], y.max() + 1) == y_new)
    return knn_accuracy(Z, y, 5), unseen, warned


def on_noise(n_sets):
    columns = f"{'seen':>7}{'unseen':>8}{'gap':>8}{'worst':>8}{'warned':>8}"
    print(
        f"Noise, {FITTED} x {FEATURES}, {n_sets} sets\n{'map':18}{'mode':16}{columns}"
    )
    for name, mode, model in supervised_maps():
        found = []
        for seed in range(n_sets):
            rng = np.random.default_rng(seed)
            X = rng.normal(size=(2 * FITTED, FEATURES))
            y = rng.integers(2, size=2 * FITTED)
            parts = X[:FITTED], y[:FITTED], X[FITTED:], y[FITTED:]
            found.append(accuracies(model, *parts))
        seen, unseen, warned = np.array(found).T
        gaps = seen - unseen
        print(
            f"{name:18}{mode:16}{seen.mean():7.3f}{unseen.mean():8.3f}"
            f"{gaps.mean():+8.3f}{gaps.max():+8.3f}{int(warned.sum()):5}/{n_sets}",
            flush=True,
        )


def on_real_data():
    print("\nMaps that warn on real data, which have predictable labels:")
    for load in (load_iris, load_wine, load_breast_cancer, load_digits):
        X, y = load(return_X_y=True)
        X = StandardScaler().fit_transform(X)
        models = {
            "FisherMDS": FisherMDS(random_state=0),
            "ClassiMap": ClassiMap(random_state=0),
            "LFDA": LFDA(),
            "LiRaMLVQ": LiRaMLVQ(random_state=0),
        }
        warned = [name for name in models if fit_and_listen(models[name], X, y)]
        print(f"{load.__name__[5:]:18}{', '.join(warned) or 'none'}", flush=True)


if __name__ == "__main__":
    on_noise(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    on_real_data()
