"""Preserved and false neighborhoods on maps of ClassiMap, ClassNeRV and others.

    python -m benchmarks.classimap

T, C        trustworthiness and continuity, 10 neighbors
CT, CC      trustworthiness with false neighbors of other classes only, and continuity
            with lost neighbors of the same class only
L-T, L-C    Label-Trustworthiness and Label-Continuity; Label-Continuity is low if
            classes are more separated on the map than in the data
1-NN        leave-one-out accuracy of the nearest neighbor on the map; the heading
            contains the accuracy in the data
gap, null   separation of fitted rows that held-out rows do not have, with true and
            with shuffled labels, for maps that can place new rows

Supervised UMAP is included if umap-learn is installed.
"""

import warnings

import numpy as np
from openTSNE.sklearn import TSNE
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler

from labelscape import quality
from labelscape.embeddings import CCA, DDHDS, ClassiMap, ClassNeRV, Sammon

COLUMNS = ("T", "C", "CT", "CC", "L-T", "L-C", "1-NN", "gap", "null")


def overlapping_gaussians():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 150)
    X = rng.normal(size=(450, 10))
    X[np.arange(450), y] += 2.0
    return X, y


def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def digits():
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]


def contenders():
    yield "Sammon", Sammon(random_state=0)
    yield "CCA", CCA(random_state=0)
    yield "DD-HDS, p=1", DDHDS(random_state=0)
    yield "DD-HDS, p=2", DDHDS(p=2, random_state=0)
    yield "ClassiMap, p=1", ClassiMap(random_state=0)
    yield "ClassiMap, p=2", ClassiMap(p=2, random_state=0)
    yield (
        "ClassiMap, p=2, lambda_end=0.9",
        ClassiMap(p=2, lambda_end=0.9, random_state=0),
    )
    yield "NeRV: ClassNeRV, 0.5 and 0.5", ClassNeRV(tau_intra=0.5, tau_inter=0.5)
    yield "ClassNeRV, 0.75 and 0.25", ClassNeRV(tau_intra=0.75, tau_inter=0.25)
    yield "ClassNeRV, 1 and 0", ClassNeRV()
    yield "t-SNE (openTSNE)", TSNE(random_state=0)
    try:
        from umap import UMAP
    except ImportError:
        return
    yield "UMAP, supervised", UMAP(random_state=0, n_jobs=1)


def scores(X, y, Z):
    k = {"n_neighbors": 10}
    yield quality.trustworthiness(X, Z, **k)
    yield quality.continuity(X, Z, **k)
    yield quality.class_trustworthiness(X, Z, y, **k)
    yield quality.class_continuity(X, Z, y, **k)
    yield quality.label_trustworthiness(X, Z, y)
    yield quality.label_continuity(X, Z, y)
    yield quality.knn_accuracy(Z, y)


def honesty(estimator, X, y):
    if isinstance(estimator, TSNE):  # uses no labels, and its transform is slow
        return np.nan, np.nan
    found = quality.honesty(estimator, X, y, n_splits=3, random_state=0)
    return found.gap, found.null


def table(name, X, y):
    print(f"\n{name}: {len(X)} × {X.shape[1]}, 1-NN in the data ", end="")
    print(f"{quality.knn_accuracy(X, y):.3f}")
    print(f"{'':32}" + "".join(f"{column:>7}" for column in COLUMNS))
    for label, estimator in contenders():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of UMAP on threads and seeds
            Z = np.asarray(estimator.fit_transform(X, y))
            row = [*scores(X, y, Z), *honesty(estimator, X, y)]
        print(f"{label:32}" + "".join(f"{np.mean(v):7.3f}" for v in row), flush=True)


if __name__ == "__main__":
    table("Three overlapping Gaussians", *overlapping_gaussians())
    table("Wine", *wine())
    table("Digits", *digits())
