"""Coverage of the confidence intervals of landmark maps.

In each of 40 trials, landmarks, map and sampled rows are drawn again. The benchmark
prints how often the measures for all rows are inside of their 99% intervals.

``python -m benchmarks landmarks [ROWS]`` uses 6,000 rows by default.
"""

import sys

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA

from labelscape.embeddings import LFDA, KernelTSNE, LandmarkMap
from labelscape.quality import report
from labelscape.quality._internal import score_placed_rows

TRIALS, OBJECTS = 40, 6000
MAPS = {
    "PCA": PCA(2),
    "LFDA": LFDA(),
    "kernel t-SNE": KernelTSNE(
        early_exaggeration_iter=50, max_iter=100, bandwidth="global", n_jobs=-1
    ),
}


def data(n):
    """Return samples of five overlapping classes of different sizes."""
    sizes = (np.array([0.4, 0.3, 0.2, 0.08, 0.02]) * n).astype(int)
    return make_blobs(sizes, 10, cluster_std=6.0, random_state=0)


def unseen_of_all(model, y):
    """Return the balanced accuracy of all placed samples."""
    alone, rng = np.arange(len(y)), np.random.RandomState(0)
    places, fitted = model.embedding_, model.landmarks_
    return score_placed_rows(places, y, alone, fitted, 5, rng, tolerance=1e-9).unseen


def held(embedder, X, y):
    """Return the coverage of the interval of each measure, and the largest width."""
    counts, reaches = {}, []
    for seed in range(TRIALS):
        model = LandmarkMap(embedder, 400, random_state=seed).fit(X, y)
        whole = report(X, model.embedding_, y, n_samples=len(X), max_pairs=1000).scores
        whole["unseen"] = unseen_of_all(model, y)
        for name, (low, high) in model.intervals_.items():
            counts[name] = counts.get(name, 0) + (low <= whole[name] <= high)
        reaches.append(model.within_)
    return counts, max(reaches)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else OBJECTS
    X, y = data(n)
    for name, embedder in MAPS.items():
        counts, reach = held(embedder, X, y)
        print(f"{name}, {len(X):,} objects, within ± {reach:.3f} at most:")
        for measure, count in counts.items():
            print(f"  {measure:22} held in {count} of {TRIALS}")


if __name__ == "__main__":
    main()
