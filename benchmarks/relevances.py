"""Relevances: classification of planted features, coverage, and real tables.

``python -m benchmarks relevances`` classifies features of 200 planted tables (minutes)
and prints the reports of wine with copied columns and of the segmentation data;
``python -m benchmarks.relevances 20`` uses 20 tables. With the argument ``coverage``,
it prints how often intervals include the relevance in a sample of 8,000 rows.
"""

import sys
import warnings
from collections import Counter
from time import process_time

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from benchmarks.lvq_paper import DATA, LEFT_OUT, read
from labelscape.prototypes import GMLVQ, GRLVQ, LiRaMLVQ, relevance_report

FIRST_SEED = 50_000  # rules were chosen with seeds below 21,000
N_FEATURES = 10


def planted(seed):
    """Return a table in which the kind of each feature is known: X, y, kinds.

    One or two features are needed. Others are copies of one signal with 10% of noise,
    or two signals and their weighted sum. The remaining features are noise.
    """
    rng = np.random.default_rng(seed)
    n_classes = 2 + (seed % 3 == 0)
    n = int(rng.integers(180, 241))
    y = rng.permutation(np.arange(n) % n_classes)
    more = n_classes - 1.0  # neighboring classes keep their distance

    def signal(centers):
        return centers[y] + rng.normal(size=n)

    def centers(low, high):
        between = np.linspace(-more, more, n_classes) * rng.uniform(low, high)
        return rng.permutation(between)

    columns = [signal(centers(0.9, 1.3)) for _ in range(rng.integers(1, 3))]
    kinds = ["needed"] * len(columns)
    if rng.random() < 0.5:
        one, n_copies = signal(centers(0.9, 1.3)), rng.integers(2, 4)
        signs = rng.choice([-1.0, 1.0], n_copies)
        same = [sign * one + 0.1 * rng.normal(size=n) for sign in signs]
    else:
        both = centers(0.7, 0.7)
        a, b = signal(both), signal(both)
        total = rng.uniform(0.7, 1.4) * a + rng.uniform(0.7, 1.4) * b
        same = [a, b, total + 0.1 * rng.normal(size=n)]
    columns, kinds = columns + same, kinds + ["replaceable"] * len(same)
    n_noise = N_FEATURES - len(columns)
    columns += [rng.normal(size=n) for _ in range(n_noise)]
    order = rng.permutation(N_FEATURES)
    X = np.array(columns).T[:, order]
    return X, y, np.array(kinds + ["chance"] * n_noise)[order]


def named_rightly(n_tables):
    """Print the number of tables without errors, and the confused kinds."""
    start, right, confused = process_time(), Counter(), Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + n_tables):
        X, y, kinds = planted(seed)
        X = StandardScaler().fit_transform(X)
        model = GMLVQ(random_state=0).fit(X, y)
        report = relevance_report(model, X, y, n_bootstraps=10, random_state=0)
        given = np.array([feature.kind for feature in report.features])
        right[len(np.unique(y)), bool((given == kinds).all())] += 1
        confused.update(zip(kinds.tolist(), given.tolist(), strict=True))
    for n_classes in (2, 3):
        good, bad = right[n_classes, True], right[n_classes, False]
        print(f"{n_classes} classes: all {N_FEATURES} right in {good} of {good + bad}")
    for (kind, other), count in sorted(confused.items()):
        print(f"  {kind:12} named {other:12} {count}")
    print(f"{(process_time() - start) / n_tables:.2f} s of processor time per table")


def mixed_table(n, rng, world):
    """Return rows of three classes that differ in three of eight mixed features."""
    plan = np.random.default_rng(world)
    centers = plan.normal(size=(3, 8)) * (1.5 * (np.arange(8) < 3))
    mixing = np.eye(8) + 0.3 * plan.normal(size=(8, 8))
    y = np.arange(n) % 3
    return (centers[y] + rng.normal(size=(n, 8))) @ mixing / 2.0, y


def coverage(n_worlds=6, n_tables=6):
    """Print how often intervals of small tables include the value of a large table."""
    for kind in (GRLVQ, GMLVQ, LiRaMLVQ):
        for n in (100, 300):
            hits, widths = [], []
            for world in range(n_worlds):
                large = mixed_table(8000, np.random.default_rng(999), world)
                truth = kind(random_state=0).fit(*large).relevances_
                for seed in range(n_tables):
                    rng = np.random.default_rng(1000 * world + seed)
                    some = mixed_table(n, rng, world)
                    model = kind(random_state=0).fit(*some)
                    low, high = model.relevance_intervals(*some).T
                    hits.append((low - 1e-4 <= truth) & (truth <= high + 1e-4))
                    widths.append(high - low)
            words = f"{np.mean(hits):.3f}, mean width {np.mean(widths):.3f}"
            print(f"{kind.__name__:9} {n} rows: covered {words}")


def real_tables():
    """Print the reports of wine with two copied columns, and of segmentation."""
    X, y = load_wine(return_X_y=True, as_frame=True)
    for name in ("proline", "flavanoids"):
        X[f"copy of {name}"] = X[name]
    X[:] = StandardScaler().fit_transform(X)
    print("\nWine, GMLVQ, with two copied columns")
    model = GMLVQ(random_state=0).fit(X, y)
    print(relevance_report(model, X, y, random_state=0))
    X, y = read("segmentation_train.csv")
    with (DATA / "segmentation_train.csv").open() as file:
        names = file.readline().strip().split(",")[:-1]
    X = pd.DataFrame(StandardScaler().fit_transform(X), columns=names)
    X = X.drop(columns=[names[j] for j in LEFT_OUT])
    for kind in (LiRaMLVQ, GMLVQ):
        print(f"\nSegmentation, {len(X)} rows, {kind.__name__}")
        start = process_time()
        model = kind(random_state=0).fit(X, y)
        print(relevance_report(model, X, y, random_state=0))
        print(f"{process_time() - start:.1f} s of processor time")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:] == ["coverage"]:
        coverage()
    else:
        named_rightly(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
        real_tables()
