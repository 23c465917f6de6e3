"""Time and stress of maps of the stress family.

    python -m benchmarks.stress_speed

1. Sammon and scikit-learn's MDS (metric, one start) for n = 2000, with the stress of
   each method; and the stress of Sammon for Wine and USPS, with three seeds.
2. ClassiMap for 5,000 and 20,000 samples with 50 features: seconds, peak memory, and
   the exponent of the growth.
3. ClassiMap with the default number of pivots, and with three times as many, on USPS.

USPS is read from the folder LABELSCAPE_DATA. Without this file, it is omitted.
"""

import os
import resource
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.datasets import load_wine, make_blobs
from sklearn.manifold import MDS
from sklearn.preprocessing import StandardScaler

from labelscape import quality
from labelscape.embeddings import ClassiMap, Sammon

FOLDER = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))


def timed(estimator, X, y=None):
    start = perf_counter()
    Z = estimator.fit_transform(X, y)
    return Z, perf_counter() - start


def sammon_beside_mds():
    X, _ = make_blobs(2000, 20, centers=10, cluster_std=3.0, random_state=0)
    Sammon().fit(X[:50])  # compile first
    D = pdist(X)
    print("Sammon beside scikit-learn's MDS: 2000 × 20")
    print(f"{'':26}{'Sammon':>9}{'raw':>9}{'seconds':>9}")
    for name, estimator in {
        "Sammon": Sammon(random_state=0),
        "Sammon, tol=1e-4": Sammon(tol=1e-4, random_state=0),
        "MDS, classical start": MDS(init="classical_mds", n_init=1, random_state=0),
        "MDS, random start": MDS(init="random", n_init=1, random_state=0),
    }.items():
        Z, seconds = timed(estimator, X)
        d = pdist(Z)
        sammon = np.sum((d - D) ** 2 / D) / np.sum(D)
        raw = np.sum((d - D) ** 2) / np.sum(D**2)
        print(f"{name:26}{sammon:9.5f}{raw:9.5f}{seconds:9.2f}", flush=True)


def usps():
    """Return the images and digits of USPS, or None."""
    path = FOLDER / "usps.npz"
    if not path.exists():
        return None
    with np.load(path) as file:
        return file["X"].astype(float), file["y"]


def sammon_stress():
    print("\nScaled Sammon stress, seeds 0, 1, 2 (paper 002: Wine 0.07, USPS 0.12)")
    sets = {"Wine": StandardScaler().fit_transform(load_wine().data)}
    if (images := usps()) is not None:
        X, y = images
        rows = [np.flatnonzero(y == digit)[:800] for digit in range(5)]
        chosen = StandardScaler().fit_transform(X[np.concatenate(rows)])
        sets["USPS, 5 × 800"] = chosen
    for name, X in sets.items():
        for seed in range(3):
            Z, seconds = timed(Sammon(random_state=seed), X)
            stress = quality.sammon_stress(X, Z)
            print(f"{name:16}{stress:9.4f}{seconds:9.2f} s", flush=True)


def clouds(n, d=50):
    """Return ten elongated classes with a small overlap."""
    rng = np.random.default_rng(0)
    y = rng.integers(10, size=n)
    spread = rng.normal(size=(d, d)) * 1.5 / np.sqrt(d)
    return 1.5 * rng.normal(size=(10, d))[y] + rng.normal(size=(n, d)) @ spread, y


def classimap_by_size():
    ClassiMap(n_pivots=10).fit(*clouds(100))
    for p in (1, 2):
        seconds = {}
        for n in (5_000, 20_000):
            X, y = clouds(n)
            seconds[n] = timed(ClassiMap(p=p, random_state=0), X, y)[1]
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            print(f"\nClassiMap, p={p}, {n} × 50: {seconds[n]:6.1f} s, ", end="")
            print(f"peak of the process {peak:.2f} GB", flush=True)
        exponent = np.log(seconds[20_000] / seconds[5_000]) / np.log(4.0)
        print(f"exponent of n from 5,000 to 20,000: {exponent:.2f}")


def classimap_by_pivots(n=5_000):
    X, y = clouds(n) if usps() is None else usps()
    chosen = np.random.default_rng(0).permutation(len(X))[:n]
    X, y = X[chosen], y[chosen]
    print(f"\nClassiMap, {n} × {X.shape[1]}, by number of pivots")
    print(f"{'':22}{'T':>7}{'C':>7}{'CT':>7}{'CC':>7}{'1-NN':>7}{'seconds':>9}")
    for p in (1, 2):
        for n_pivots in (10_000, 50_000, 150_000):
            estimator = ClassiMap(p=p, n_pivots=n_pivots, random_state=0)
            Z, seconds = timed(estimator, X, y)
            few = {"n_samples": 1000, "random_state": 0}
            row = (
                quality.trustworthiness(X, Z, **few),
                quality.continuity(X, Z, **few),
                quality.class_trustworthiness(X, Z, y, **few),
                quality.class_continuity(X, Z, y, **few),
                quality.knn_accuracy(Z, y),
            )
            numbers = "".join(f"{value:7.3f}" for value in row)
            print(f"p={p}, {n_pivots:7} pivots  {numbers}{seconds:9.1f}", flush=True)


if __name__ == "__main__":
    # This is first, because the peak memory includes earlier parts.
    classimap_by_size()
    sammon_beside_mds()
    sammon_stress()
    classimap_by_pivots()
