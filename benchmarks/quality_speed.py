"""Quality measures: time and memory, compared with scikit-learn and ZADU.

    python -m benchmarks.quality_speed

USPS digits are read from LABELSCAPE_DATA (default: ../shared/data). Without this file,
Gaussian data of the same shape are used. ZADU is included if it is installed.
"""

import importlib.util
import os
import resource
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness as scikit_learns

from labelscape import quality
from labelscape._core.points.spaces import Points
from labelscape._core.threads import n_threads, one_blas_thread
from labelscape.quality.measures.neighborhoods import neighborhoods

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))
K = 12


def digits(n=4000):
    """Return n samples of 256 features, their classes, and the name of the set."""
    rng = np.random.default_rng(0)
    path = DATA / "usps.npz"
    if path.exists():
        with np.load(path) as file:
            chosen = rng.permutation(len(file["X"]))[:n]
            return file["X"][chosen].astype(float), file["y"][chosen], "USPS"
    return rng.normal(size=(n, 256)), rng.integers(10, size=n), "Gaussian"


def all_four(X, Y, y):
    """Return T, C and the class-aware variants from one pass."""
    _, codes = np.unique(y, return_inverse=True)
    found = neighborhoods(Points(X), Points(Y), codes, K, np.arange(len(X)))
    return (
        found.score(found.false_within, found.false_between),
        found.score(found.tears_within, found.tears_between),
        found.score(found.false_between),
        found.score(found.tears_within),
    )


def zadus(X, Y):
    """Return trustworthiness and continuity by ZADU."""
    from zadu.measures import trustworthiness_continuity

    found = trustworthiness_continuity.measure(X, Y, k=K)
    return found["trustworthiness"], found["continuity"]


def timed(*functions, rounds=5):
    """Return the minimum seconds and processor seconds of each function.

    Functions are run alternately. The minimum is the time least disturbed by others.
    """
    clock, processor = ([[] for _ in functions] for _ in range(2))
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start, start_of_processor = perf_counter(), process_time()
            function()
            clock[i].append(perf_counter() - start)
            processor[i].append(process_time() - start_of_processor)
    return [min(times) for times in clock], [min(times) for times in processor]


def machine():
    """Return flops per second of a matrix product and bytes per second of a copy.

    Both are measured on one thread and multiplied by the number of threads.
    """
    A = np.random.default_rng(0).normal(size=(1500, 1500))
    big = np.zeros(2**24)
    with one_blas_thread():
        (product, copy), _ = timed(lambda: A @ A, big.copy)
    return n_threads() * 2 * 1500**3 / product, n_threads() * 2 * big.nbytes / copy


def floor(n, d, flops, n_bytes):
    """Return the lower bound of a pass in seconds: one product, and moving rows.

    Rows of both spaces are written once. They are read once to find neighbors, and once
    per neighbor to compute its rank. These 1 + k readings are from the cache, which is
    assumed to be four times as fast as memory.
    """
    products = 2.0 * n * n * (d + 2)
    rows = 2 * 8.0 * n * n
    return products / flops, rows * (1 + (1 + K) / 4) / n_bytes


def small(n=4000):
    X, y, name = digits(n)
    Y = PCA(2).fit_transform(X)
    quality.report(X[:100], Y[:100], y[:100])  # compile first
    all_four(X[:100], Y[:100], y[:100])

    runs = {
        "labelscape, T and C and class-aware": lambda: all_four(X, Y, y),
        "scikit-learn, two calls": lambda: (
            scikit_learns(X, Y, n_neighbors=K),
            scikit_learns(Y, X, n_neighbors=K),
        ),
        "labelscape, all k": lambda: quality.rank_curves(X, Y),
        "labelscape, whole report": lambda: quality.report(X, Y, y),
    }
    if importlib.util.find_spec("zadu"):
        runs["ZADU, T and C"] = lambda: zadus(X, Y)
    else:
        print("ZADU is not installed. Run pip install zadu to compare it.")
    clock, processor = timed(*runs.values())

    print(f"{name}, {n} x {X.shape[1]} to 2 dimensions, k = {K}, {n_threads()} threads")
    print(f"  {'':38}{'clock':>10}{'processor':>12}")
    for run, seconds, busy in zip(runs, clock, processor, strict=True):
        print(
            f"  {run:38}{seconds:8.2f} s{busy:10.2f} s"
            f"{seconds / clock[0]:8.1f} x{busy / processor[0]:8.1f} x"
        )
    ours_found = all_four(X, Y, y)[:2]
    expected = [scikit_learns(X, Y, n_neighbors=K), scikit_learns(Y, X, n_neighbors=K)]
    print(f"  differences to scikit-learn: {np.subtract(ours_found, expected)}")
    show_floor(n, X.shape[1], clock[0])


def show_floor(n, d, seconds):
    flops, n_bytes = machine()
    computing, moving = floor(n, d, flops, n_bytes)
    print(
        f"  floor: {computing:.2f} s of products at {flops / 1e9:.0f} Gflop/s + "
        f"{moving:.2f} s of rows at {n_bytes / 1e9:.0f} GB/s; "
        f"we take {seconds / (computing + moving):.1f} x that"
    )


def large(n=50_000, d=50):
    rng = np.random.default_rng(0)
    y = rng.integers(10, size=n)
    X = rng.normal(size=(n, d)) + 2.0 * np.eye(d)[y]
    Y = X[:, :2].copy()
    before = peak()
    print(f"\nGaussian classes, {n} x {d}; memory before: {before:.2f} GB")
    (ours,), _ = timed(lambda: all_four(X, Y, y), rounds=1)
    print(f"  T, C and class-aware, all points: {ours:6.1f} s, peak {peak():.2f} GB")
    show_floor(n, d, ours)
    (whole,), _ = timed(lambda: quality.report(X, Y, y), rounds=1)
    print(f"  whole report:                     {whole:6.1f} s, peak {peak():.2f} GB")


def peak():
    """Return the peak memory of this process so far, in GB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


if __name__ == "__main__":
    large()  # first, because the peak memory includes earlier runs
    small()
