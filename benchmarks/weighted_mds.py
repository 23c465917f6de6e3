"""WeightedMDS: time, and errors compared with scikit-learn's MDS.

    python -m benchmarks.weighted_mds

Two scaled errors are shown:

relative  sum (d - D)^2 / D / sum D     minimized by WeightedMDS with uniform weights
raw       sum (d - D)^2 / sum D^2       minimized by scikit-learn's MDS, and by
                                        WeightedMDS with weights equal to distances

The first table shows both errors of each method. WeightedMDS with weights D and
scikit-learn's MDS minimize the same error.
"""

from time import perf_counter

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits, make_blobs
from sklearn.manifold import MDS
from sklearn.neighbors import kneighbors_graph

from labelscape.embeddings import WeightedMDS


def timed(estimator, X):
    """Return the map of X, and the seconds of the fit."""
    start = perf_counter()
    Z = estimator.fit_transform(X)
    return Z, perf_counter() - start


def beside_scikit_learn(name, X):
    D = pdist(X)
    contenders = {
        "WeightedMDS": WeightedMDS(random_state=0),
        "WeightedMDS, n_init=1": WeightedMDS(n_init=1, random_state=0),
        "WeightedMDS, weights D": WeightedMDS(weights=squareform(D), random_state=0),
        "MDS, classical start": MDS(init="classical_mds", n_init=1, random_state=0),
        "MDS, 4 random starts": MDS(init="random", n_init=4, random_state=0),
    }
    print(f"\n{name}: {X.shape[0]} × {X.shape[1]}, uniform weights, power 1")
    print(f"{'':24}{'relative':>10}{'raw':>10}{'seconds':>9}")
    for label, estimator in contenders.items():
        Z, seconds = timed(estimator, X)
        d = pdist(Z)
        relative = np.sum((d - D) ** 2 / D) / np.sum(D)
        raw = np.sum((d - D) ** 2) / np.sum(D**2)
        print(f"{label:24}{relative:10.5f}{raw:10.5f}{seconds:9.2f}")


def wide_weights(X):
    rng = np.random.default_rng(0)
    n = len(X)
    W = squareform(10.0 ** rng.uniform(-4, 0, size=n * (n - 1) // 2))
    print(f"\nn = {n}, weights from 1e-4 to 1 (target: under 10 s on 2 cores)")
    for solver in ("lbfgs", "smacof"):
        mds = WeightedMDS(weights=W, solver=solver, random_state=0)
        seconds = timed(mds, X)[1]
        print(f"{solver:8} stress {mds.stress_:.5f}  {seconds:6.2f} s")


def sparse_weights(n=20_000, n_near=20, n_far=30):
    X, _ = make_blobs(n, 20, centers=10, cluster_std=3.0, random_state=0)
    rng = np.random.default_rng(0)
    near = kneighbors_graph(X, n_near)
    rows = np.repeat(np.arange(n), n_far)
    far = csr_array((np.ones(n * n_far), (rows, rng.integers(n, size=n * n_far))))
    W = csr_array(near).maximum(far)
    W = W.maximum(W.T)
    W.data[:] = 1.0
    mds = WeightedMDS(weights=W, n_init=1, random_state=0)
    seconds = timed(mds, X)[1]
    print(f"\nn = {n}, {W.nnz / n:.0f} pairs per point, no n × n matrix")
    print(f"stress {mds.stress_:.5f}  {mds.n_iter_} iterations  {seconds:6.2f} s")


if __name__ == "__main__":
    blobs, _ = make_blobs(2000, 20, centers=10, cluster_std=3.0, random_state=0)
    WeightedMDS().fit(blobs[:50])  # compile first
    beside_scikit_learn("Ten blobs", blobs)
    beside_scikit_learn("Digits", load_digits().data)
    wide_weights(blobs)
    sparse_weights()
