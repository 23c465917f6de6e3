"""Number of Fisher distances per second and core, compared with the requirement.

    python -m benchmarks.fisher_metric

The benchmark prints unique pairs per second of processor time, for the sphere rule with
10 steps, 10 classes, 256 features, and 110 and 1100 Parzen points, in both precisions,
with the default regularization. Then it compares a search for 90 neighbors, as for
t-SNE with perplexity 30, with the computation of all pairs.
"""

from time import process_time

import numpy as np

from labelscape.geometry import FisherMetric

FLOORS = {(110, "float64"): 1.0, (110, "float32"): 2.0, (1100, "float32"): 1.2}
BURSTS = 3


def clouds(n, dtype):
    """Return ten overlapping normal classes in 256 dimensions."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 10
    X = rng.normal(size=(10, 256))[y] * 0.4 + rng.normal(size=(n, 256))
    return X.astype(dtype), y


def seconds_of(function):
    """Return the shortest processor time of a few runs."""
    function()  # compile, and fill the caches
    times = []
    for _ in range(BURSTS):
        start = process_time()
        function()
        times.append(process_time() - start)
    return min(times)


def pairs_per_second():
    print(f"{'P':>6}{'precision':>11}{'all pairs':>11}{'floor':>7}")
    for n_points in (110, 1100):
        for dtype in ("float64", "float32"):
            X, y = clouds(1500, dtype)
            metric = FisherMetric(parzen_points=n_points, random_state=0).fit(X, y)
            n = len(metric.pairwise())
            speed = n * (n - 1) / 2 / seconds_of(metric.pairwise) / 1e6
            floor = FLOORS.get((n_points, dtype), "")
            numbers = f"{speed:11.2f}{floor:>7}"
            print(f"{n_points:6}{dtype:>11}{numbers}  M pairs/s", flush=True)


def neighbours():
    X, y = clouds(3000, "float32")
    print(f"\n3000 × 256, float32{'all pairs':>14}{'90 neighbours':>16}  (seconds)")
    for n_points in (110, 1100):
        metric = FisherMetric(parzen_points=n_points, random_state=0).fit(X, y)
        everything = seconds_of(metric.pairwise)
        search = seconds_of(lambda metric=metric: metric.kneighbors(n_neighbors=90))
        print(f"P = {n_points:<15}{everything:14.2f}{search:16.2f}", flush=True)


if __name__ == "__main__":
    pairs_per_second()
    neighbours()
