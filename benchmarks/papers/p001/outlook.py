"""The outlook: LLE and Isomap in place of t-SNE, on the same Fisher distances."""

import warnings

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components
from sklearn.manifold import Isomap
from sklearn.neighbors import kneighbors_graph

from benchmarks.lvq_paper import LEFT_OUT, train_and_test
from benchmarks.nexom_paper import wine
from benchmarks.papers._record import FIRST, record
from benchmarks.papers._verdict import DROPPED, REACHED, row
from labelscape.datasets import load
from labelscape.embeddings import FisherMDS, FisherTSNE
from labelscape.geometry import FisherMetric
from labelscape.plotting import compare_maps
from labelscape.quality import knn_accuracy, trustworthiness

NEIGHBORS, RIDGE = 12, 1e-3
MARGIN = 0.01  # a method that is not better by this in T or 5-NN earns no place
METRIC = FisherMetric(regularization=0.3, random_state=FIRST)  # that of our Fisher maps


def sets():
    """Return small data sets with their classes."""
    X, y = train_and_test("segmentation_train.csv", "segmentation_test.csv", LEFT_OUT)[
        :2
    ]
    digits = load("digits")
    return {
        "wine": (wine(), load("wine").y),
        "segmentation": (X, y),
        "digits": (digits.X[:600].astype(float), digits.y[:600]),
    }


def lle(D, n_neighbors=NEIGHBORS, n_components=2):
    """Return locally linear places (n, 2) for distances D (n, n).

    Weights of neighbors come from their Gram matrix around a sample, which distances
    give: C_jk = (d_ij² + d_ik² - d_jk²) / 2.
    """
    n, S = len(D), D**2
    M = np.eye(n)
    for i in range(n):
        near = np.argsort(D[i])[1 : n_neighbors + 1]
        C = (S[i, near][:, None] + S[i, near] - S[np.ix_(near, near)]) / 2.0
        C[np.diag_indices(n_neighbors)] += RIDGE * max(np.trace(C), 1e-12)
        weights = np.linalg.solve(C, np.ones(n_neighbors))
        M[i, near] -= weights / weights.sum()
    vectors = eigh(M.T @ M, subset_by_index=[0, n_components])[1]
    return vectors[:, 1:]


def parts_of(D):
    """Return into how many parts the graph of neighbors falls.

    Where it does, any two of as many vectors solve the problem of LLE: which of them it
    shows is left to rounding, so that figures differ from run to run.
    """
    graph = kneighbors_graph(D, NEIGHBORS, metric="precomputed")
    return connected_components(graph, directed=False)[0]


def maps_of(D, X, y):
    """Return the maps that are compared, D being the Fisher distances."""
    own = {"metric": METRIC, "random_state": FIRST}
    isomap = Isomap(n_neighbors=NEIGHBORS, metric="precomputed")
    return {
        "Fisher t-SNE": FisherTSNE(**own).fit_transform(X, y),
        "Fisher MDS": FisherMDS(**own).fit_transform(X, y),
        "Fisher Isomap": without_warnings(isomap.fit_transform, D),
        "Fisher LLE": lle(D),
    }


def without_warnings(make, D):
    """Return a map whose graph may have to be completed, which takes long for many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make(D)


def judged(X, Z, y):
    """Return trustworthiness, and what five neighbors on the map tell."""
    near = trustworthiness(X, Z, n_neighbors=NEIGHBORS)
    return near, knn_accuracy(Z, y, n_neighbors=5)


def main():
    rows, shown = [], None
    for name, (X, y) in sets().items():
        D = METRIC.fit(X, y).pairwise(X)
        maps = maps_of(D, X, y)
        found = {method: judged(X, Z, y) for method, Z in maps.items()}
        words = ", ".join(f"{m} {t:.3f} / {a:.3f}" for m, (t, a) in found.items())
        settings = (
            f"T / 5-NN on the map; T with {NEIGHBORS} neighbors, regularization 0.3"
        )
        if (parts := parts_of(D)) > 1:
            settings += f"; graph of {parts} parts: LLE depends on rounding"
        for method in ("Fisher Isomap", "Fisher LLE"):
            own = found[method]
            best = np.max([found["Fisher t-SNE"], found["Fisher MDS"]], axis=0)
            earns = (np.array(own) > best + MARGIN).any()
            rows.append(
                row(
                    f"{method}, {name}",
                    '"popular alternatives such as LLE or Isomap"',
                    words,
                    settings,
                    REACHED if earns else DROPPED,
                )
            )
        if name == "digits":
            shown = compare_maps(maps, y)
    record("001", "Outlook: LLE, Isomap", rows, figure=shown)


if __name__ == "__main__":
    main()
