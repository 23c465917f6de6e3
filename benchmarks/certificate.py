"""The certificate: noise, planted separation, everyday tables, embedded sets, time.

    python -m benchmarks.certificate [noise] [power] [everyday] [sets] [time]

Without arguments, all parts are run, in about 40 minutes on two cores. At most 5% of
noise tables may be called real. Planted separation must be detected, and four everyday
tables must get the right verdict. All methods must map a large table in a minute.
"""

import os
import sys
import warnings
from collections import Counter
from time import perf_counter

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from labelscape.datasets import load, make_satellite, read_table
from labelscape.embeddings import ClassiMap, FisherKernelTSNE, FisherMDS
from labelscape.jobs import compare_methods, map_table, methods_of
from labelscape.jobs.methods import compared_names
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty

# Number of noise tables for each method: 200 in total.
TABLES = 40
# Slow methods get smaller tables.
METHODS = {
    "LDA": (LinearDiscriminantAnalysis(), 600),
    "LiRaM": (LiRaMLVQ(), 600),
    "NCA": (NeighborhoodComponentsAnalysis(2, max_iter=50), 300),
    "ClassiMap": (ClassiMap(), 120),
    "Fisher maps": (FisherMDS(), 120),
    "Fisher t-SNE": (FisherKernelTSNE(), 120),
}


SETS = (
    "iris",
    "wine",
    "breast_cancer",
    "digits",
    "modes",
    "gaussians",
    "noise",
    "xor",
    "checkerboard",
    "satellite",
)


def noise_table(seed, largest):
    """Return noise with random labels: balanced, unbalanced, with copies, in groups."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, largest + 1))
    n_classes = int(rng.integers(2, 6))
    shares = np.ones(n_classes)
    if seed % 2:
        shares[0] = 10.0  # 1 : 10
    X = rng.normal(size=(n, int(rng.integers(2, 21))))
    y = rng.choice(n_classes, size=n, p=shares / shares.sum())
    groups = None
    if seed % 3 == 1:
        X, y = np.repeat(X, 3, axis=0), np.repeat(y, 3)
    if seed % 3 == 2:
        groups = np.repeat(np.arange(n), 4)
        X = X[groups] + 0.2 * rng.normal(size=(4 * n, X.shape[1]))
        y = y[groups]
    return X, y, groups


def judge_noise(name, seed):
    estimator, largest = METHODS[name]
    X, y, groups = noise_table(seed, largest if seed % 3 == 0 else largest // 3 + 60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = honesty(estimator, X, y, groups, n_refits=0, random_state=seed)
    return found.p_value, found.verdict.real


def noise():
    print(f"Noise: {TABLES} tables per method; p < .05, and called real")
    total = Counter()
    for name in METHODS:
        orders = (delayed(judge_noise)(name, seed) for seed in range(TABLES))
        found = Parallel(n_jobs=-1)(orders)
        tested = [(p, real) for p, real in found if p is not None]
        small = sum(p < 0.05 for p, _ in tested)
        called = sum(real in ("yes", "partly") for _, real in tested)
        total.update(n=len(tested), small=small, called=called)
        print(f"{name:14}{len(tested):5} tested{small:5} small{called:5} real")
    print(f"{'all':14}{total['n']:5} tested{total['small']:5} small{total['called']:5}")


def planted(n, share, sd, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation((np.arange(n) < n * share).astype(int))
    X = rng.normal(size=(n, 10))
    X[:, 0] += sd * y
    found = honesty(LinearDiscriminantAnalysis(), X, y, n_refits=0, random_state=seed)
    return found.verdict.real, found.unseen


def power():
    print("Planted in one of ten features, LDA, 40 tables each")
    print(f"{'n':>5}{'rare':>7}{'sd':>5}{'power':>8}{'unseen':>8}  verdicts")
    for n, share in [(100, 0.5), (300, 0.5), (300, 0.1), (400, 0.03)]:
        for sd in (0, 1, 2, 4, 8):
            orders = (delayed(planted)(n, share, sd, seed) for seed in range(40))
            found = Parallel(n_jobs=-1)(orders)
            verdicts = Counter(real for real, _ in found)
            real = (verdicts["yes"] + verdicts["partly"]) / len(found)
            unseen = np.mean([unseen for _, unseen in found])
            words = ", ".join(f"{word} {k}" for word, k in sorted(verdicts.items()))
            print(f"{n:5}{share:7.0%}{sd:5}{real:8.2f}{unseen:8.3f}  {words}")


def everyday_tables():
    """Return four tables: name, expected verdict, samples, classes and groups."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 10)), rng.integers(2, size=100)
    yield "each row three times", "no", np.repeat(X, 3, axis=0), np.repeat(y, 3), None
    patient = np.repeat(np.arange(60), 4)
    X = rng.normal(size=(60, 10))[patient] + 0.1 * rng.normal(size=(240, 10))
    yield "60 patients × 4", "no", X, rng.integers(2, size=60)[patient], patient
    y = rng.permutation(np.repeat([0, 1], [388, 12]))
    X = rng.normal(size=(400, 10)) + 8 * y[:, None]
    yield "3 % told apart", "yes", X, y, None
    X = np.column_stack([np.arange(300.0), rng.normal(size=(300, 5))])
    yield "a counter, sorted", "counter", X, np.repeat([0, 1, 2], 100), None


def everyday():
    print("Everyday tables, with the default methods of `labelscape compare`")
    for name, wanted, X, y, groups in everyday_tables():
        for method in ("lda", "liram", "nca"):
            estimator = next(m for m in methods_of("map") if m.name == method)
            found = honesty(
                estimator.make(2, len(X), len(np.unique(y)), 0), X, y, groups
            )
            kinds = [leak.kind for leak in found.warnings]
            said = "counter" if "counter" in kinds else found.verdict.real
            mark = "right" if said == wanted else "WRONG"
            print(f"{name:24}{method:8}{said:10}{mark}")


def sets():
    print("Embedded and generated sets, with the default methods and one more")
    for name in SETS:
        found = compare_methods(load(name), [*compared_names(), "fisher-tsne"])
        for one in found.maps:
            verdict = one.honesty.verdict
            lights = " ".join(f"{light.answer:10}" for light in verdict.lights)
            print(f"{name:15}{one.method:12}{lights}{verdict._real_figure}")


def time():
    print("Seconds for the map of 11,000 × 16 with its certificate")
    rng = np.random.default_rng(0)
    X, y = make_satellite(11_000, random_state=0)
    X = np.column_stack([X, X[:, :5] * X[:, 1:6], rng.normal(size=(11_000, 5))])
    frame = pd.DataFrame(X).add_prefix("x").assign(y=y)
    table = read_table(frame, label="y")
    for method in methods_of("map"):
        load_before, start = os.getloadavg()[0], perf_counter()
        found = map_table(table, method.name)
        seconds = perf_counter() - start
        words = f"{found.seconds}, load before {load_before:.1f}"
        print(f"{method.name:14}{seconds:7.1f}  {words}", flush=True)


if __name__ == "__main__":
    parts = {part.__name__: part for part in (noise, power, everyday, sets, time)}
    for name in sys.argv[1:] or parts:
        parts[name]()
        print(flush=True)
