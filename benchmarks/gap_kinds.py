"""Gaps by kind of data: false gaps of continuous and discrete data, planted gaps.

    python -m benchmarks gap_kinds [false] [planted] [--half tune] [N]

Without arguments, both parts are run on the report half, with N = 10 tables of each
kind. Rules are chosen with ``--half tune`` (even seeds) only. At most 2% of pairs
without groups may be called a gap, for each kind of data and 21 ways to make labels.
"""

import argparse
import warnings
from collections import Counter, defaultdict

import numpy as np
from joblib import Parallel, delayed
from numpy.random import RandomState
from sklearn.cluster import DBSCAN, AgglomerativeClustering, MeanShift
from sklearn.tree import DecisionTreeRegressor

from benchmarks.certify import clusterers
from labelscape.quality.certificate.gaps import find_gaps


def without_groups(n, rng):
    """Return 19 kinds of data without groups."""
    d = int(rng.choice([3, 6, 10]))
    normal, factor = rng.normal(size=(n, d)), rng.normal(size=(n, 1))
    mixed = np.sqrt(0.95) * factor + np.sqrt(0.05) * normal
    curve = np.c_[normal[:, :1], normal[:, :1] ** 2 + 0.3 * normal[:, 1:2]]
    items = rng.normal(size=(n, 10)) + factor
    answers = np.clip(np.round(3 + 0.8 * factor + 0.8 * rng.normal(size=(n, 10))), 1, 5)
    return {
        "normal": normal,
        "uniform": rng.uniform(size=(n, d)),
        "lognormal": np.exp(normal),
        "exponential": rng.exponential(size=(n, d)),
        "t(2)": rng.standard_t(2, size=(n, d)),
        "Dirichlet": rng.dirichlet(np.ones(d), n),
        "correlated": mixed,
        "ages": np.c_[rng.integers(20, 81, n), normal],
        "parabola": curve,
        "sphere": normal[:, :3] / np.linalg.norm(normal[:, :3], axis=1, keepdims=True),
        "binary items": (items > rng.normal(size=10)) * 1.0,
        "sparse counts": rng.poisson(rng.uniform(0.1, 0.6, d), (n, d)) * 1.0,
        "Poisson(3)": rng.poisson(3.0, size=(n, d)) * 1.0,
        "5 levels": answers,
        "rounded": np.round(2.0 * normal) / 2.0,
        "5 levels, alike": np.clip(np.round(3 + mixed), 1, 5),
        "binary, alike": (mixed > 0.5) * 1.0,
        "rounded, alike": np.round(2.0 * mixed) / 2.0,
        "zeros, lognormal": np.exp(normal) * (rng.uniform(size=(n, d)) < 0.3),
    }


def labelings(X, seed, rng):
    """Yield the name and the labels of 21 ways to label rows."""
    k = [2, 3, 5][seed // 2 % 3]
    spread = X.std(axis=0)
    S = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    near = np.median(np.sort(np.linalg.norm(S[:100, None] - S, axis=2), axis=1)[:, 8])
    models = clusterers(k, seed) | {
        "complete linkage": AgglomerativeClustering(k, linkage="complete"),
        "single linkage": AgglomerativeClustering(k, linkage="single"),
        "DBSCAN": DBSCAN(eps=near or 0.5, min_samples=8),
        "mean shift": MeanShift(bin_seeding=True),
    }
    for name, model in models.items():
        yield name, model.fit_predict(S)
    one, other = S[:, 0], S[:, 1]
    radius = np.linalg.norm(S, axis=1)
    tree = DecisionTreeRegressor(max_leaf_nodes=k + 1, random_state=seed)
    yield "median", one > np.median(one)
    yield "threshold", one > np.quantile(one, 0.8)
    yield "tertiles", np.searchsorted(np.quantile(one, [1 / 3, 2 / 3]), one)
    yield "quadrants", 2 * (one > np.median(one)) + (other > np.median(other))
    yield "radius", radius > np.median(radius)
    yield "tree", tree.fit(S[:, 1:], S[:, 0]).apply(S[:, 1:])
    yield "sum", S.sum(axis=1) > np.median(S.sum(axis=1))
    yield (
        "nearest of two rows",
        np.linalg.norm(S - S[0], axis=1) < np.linalg.norm(S - S[1], axis=1),
    )
    yield "chance", rng.integers(k, size=len(X))


def kinds_found(X, y, seed):
    """Return the kind of each pair of neighboring classes."""
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        return []
    rng, units = RandomState(seed), np.arange(len(X))
    return [gap.kind for gap in find_gaps(X, codes, units, classes, rng)]


def of_seed(seed):
    """Return the kind of data, the labeling, and the kinds of the pairs."""
    warnings.simplefilter("ignore")
    rng, found = np.random.default_rng(seed), []
    n = int(rng.integers(200, 1001))
    for kind, X in without_groups(n, rng).items():
        for name, y in labelings(X, seed, rng):
            found.append((kind, name, kinds_found(X, y, seed)))
    return found


def false(seeds):
    """Print the shares of pairs without groups by their kind, and the worst ways."""
    by_kind, by_way = defaultdict(Counter), defaultdict(lambda: defaultdict(Counter))
    for one in Parallel(n_jobs=-1)(delayed(of_seed)(seed) for seed in seeds):
        for kind, way, kinds in one:
            by_kind[kind].update(kinds)
            by_way[kind][way].update(kinds)
    print("| data without groups | pairs called a gap | few values | worst |")
    print("|---|---|---|---|")
    for kind, counts in by_kind.items():
        n, ways = counts.total(), by_way[kind]
        shares = {way: c["gap"] / max(c.total(), 1) for way, c in ways.items()}
        worst = sorted(shares, key=shares.get, reverse=True)[:2]
        words = ", ".join(f"{way} {shares[way]:.0%}" for way in worst if shares[way])
        share = f"{counts['gap']} of {n} = {counts['gap'] / n:.1%}"
        few = f"{counts['too few values'] / n:.0%}"
        print(f"| {kind} | {share} | {few} | {words or '–'} |")


def two_groups(n, rng):
    """Return data of two groups with half of the rows each, in ten kinds."""
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 8))
    X[:, 0] += 5.0 * y
    chance = np.where(y[:, None] == 1, 0.9, 0.1)
    kinds = {"5 sd": X}
    kinds |= {f"5 sd, rounded to {s:g}": np.round(X / s) * s for s in (0.1, 0.5, 1.0)}
    kinds["8 sd, rounded to 1"] = np.round(X + 3.0 * np.eye(8)[0] * y[:, None])
    kinds["counts, 3 or 30"] = np.c_[rng.poisson(3 + 27 * y), np.round(X[:, 1:])]
    answers = np.round(2 + 6 * y[:, None] + X[:, 1:])
    kinds["5 levels"] = np.clip(np.round(1.5 + 3 * y[:, None] + 0.5 * X[:, 1:]), 1, 5)
    kinds["20 items, 10 or 90%"] = rng.uniform(size=(n, 20)) < np.repeat(chance, 20, 1)
    kinds["7 answers of 1 to 9"] = np.clip(answers, 1, 9)
    kinds["a binary item"] = np.c_[y, X[:, 1:]]
    return y, kinds


def planted(seeds):
    """Print the kinds of pairs with a planted gap."""
    for n in (200, 400):
        counts = defaultdict(Counter)
        for seed in seeds:
            y, kinds = two_groups(n, np.random.default_rng(seed))
            for name, X in kinds.items():
                counts[name].update(kinds_found(1.0 * X, y, seed))
        for name, found in counts.items():
            words = ", ".join(f"{kind} {times}" for kind, times in found.most_common())
            print(f"{n} rows, {name:24} {words}")


PARTS = {part.__name__: part for part in (false, planted)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*")
    parser.add_argument("--half", choices=["tune", "report"], default="report")
    args = parser.parse_intermixed_args()
    times = next((int(word) for word in args.words if word.isdigit()), 10)
    first = 0 if args.half == "tune" else 1
    for part in [word for word in args.words if word in PARTS] or PARTS:
        PARTS[part](range(first, 2 * times, 2))
