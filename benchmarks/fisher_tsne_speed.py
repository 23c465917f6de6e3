"""Seconds of Fisher t-SNE and openTSNE, and of 100,000 new samples on kernel maps.

    python -m benchmarks.fisher_tsne_speed [--few]

1. 100,000 new samples: KernelMap with 1000 kernels in 64 and 5000 in 256 dimensions,
   FisherKernelTSNE of 1100 digits of USPS and of 898 digits of scikit-learn, in float32
   and float64. Seconds, processor seconds, and the error of positions compared with the
   formula with all kernels, relative to the size of the map. New digits are weighted
   means of two held-out digits, with weights 0.9 and 0.1.
2. FisherTSNE and openTSNE.TSNE on all 11,000 digits of USPS, perplexity 30, 750
   iterations, with 1 and 2 jobs: seconds, processor seconds, and the ratios.

USPS is read from the folder LABELSCAPE_DATA. With ``--few``, a tenth of the samples is
used.
"""

import sys
from time import perf_counter, process_time

import numpy as np
from openTSNE import TSNE
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from labelscape.datasets import load
from labelscape.embeddings import FisherKernelTSNE, FisherTSNE, KernelMap

FEW = "--few" in sys.argv
N_NEW = 10_000 if FEW else 100_000
COMPARED = 2000


def halves(X, y, n_fitted, seed=0):
    """Return fitted samples, their labels, and held-out samples."""
    order = np.random.default_rng(seed).permutation(len(X))
    fitted, unseen = order[:n_fitted], order[n_fitted:]
    return X[fitted], y[fitted], X[unseen]


def mixtures(X, n, seed=0):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(len(X), size=(2, n))
    return (0.9 * X[first] + 0.1 * X[second]).astype(X.dtype)


def report(name, model, new, full=None):
    model.transform(new[:200])  # compile first
    seconds, cpu = timed(model.transform, new)
    line = f"{name:42}{seconds:9.2f}{cpu:11.2f}"
    if full is not None:
        some = new[:COMPARED]
        gaps = model.transform(some) - full(model, some)
        size = np.ptp(model.coefficients_, axis=0).max()
        line += f"{np.abs(gaps).max() / size:12.1e}"
    print(line, flush=True)


def by_all_kernels(model, new):
    """Return the positions by the formula, with all distances."""
    D = model.metric_.pairwise(new, model.training_X_)[:, model.center_indices_]
    exponents = D.astype(float) ** 2 / (2.0 * model.widths_**2)
    phi = np.exp(exponents.min(axis=1, keepdims=True) - exponents)
    return phi @ model.coefficients_ / phi.sum(axis=1, keepdims=True)


def new_objects(X, y):
    print(f"{N_NEW:,} new samples{'':26}{'seconds':>7}{'processor':>11}{'error':>12}")
    rng = np.random.default_rng(0)
    for m, d in ((1000, 64), (5000, 256)):
        fitted = rng.normal(size=(m, d)) @ rng.normal(size=(d, d))
        model = KernelMap(PCA(2), bandwidth="global", n_centers=m, random_state=0)
        model.fit(fitted)
        report(f"KernelMap, {m} kernels, d = {d}", model, mixtures(fitted, N_NEW))
    sets = {"USPS": (1100, X, y), "digits": (898, *load_digits(return_X_y=True))}
    for name, (n_fitted, data, classes) in sets.items():
        for dtype in ("float32", "float64"):
            fitted, labels, unseen = halves(data.astype(dtype), classes, n_fitted)
            model = FisherKernelTSNE(random_state=0).fit(fitted, labels)
            text = f"FisherKernelTSNE, {name} {n_fitted}, {dtype}"
            report(text, model, mixtures(unseen, N_NEW), by_all_kernels)


def beside_opentsne(X, y):
    if FEW:
        X, y = X[::10], y[::10]
    X = X.astype(np.float32)
    some = slice(None, None, len(X) // 200)
    FisherTSNE(max_iter=1, early_exaggeration_iter=1).fit(X[some], y[some])  # compile
    print(f"\n{f'{len(X):,} × {X.shape[1]}':22}{'seconds':>12}{'processor':>12}")
    for n_jobs in (1, 2):
        theirs = timed(TSNE(perplexity=30, n_jobs=n_jobs, random_state=0).fit, X)
        ours = timed(FisherTSNE(perplexity=30, n_jobs=n_jobs, random_state=0).fit, X, y)
        for name, pair in (
            (f"openTSNE, {n_jobs} job(s)", theirs),
            (f"FisherTSNE, {n_jobs} job(s)", ours),
            ("ratio", np.divide(ours, theirs)),
        ):
            print(f"{name:22}{pair[0]:12.2f}{pair[1]:12.2f}", flush=True)


def timed(function, *arguments):
    """Return the seconds and the processor seconds of a call."""
    start, cpu = perf_counter(), process_time()
    function(*arguments)
    return perf_counter() - start, process_time() - cpu


if __name__ == "__main__":
    table = load("usps")
    X, y = table.X.astype(float), table.y
    new_objects(X, y)
    beside_opentsne(X, y)
