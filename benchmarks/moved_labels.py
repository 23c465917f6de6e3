"""Label errors that are not random, for which the audit's light must not be green.

    python -m benchmarks moved_labels [--tables 'digits*'] [--seeds 0,1] [--jobs 1]

In tables with correct labels, 3, 5 or 10% of the labels are moved: from class 0 to
class 1 at random, or depending on a feature, near a border, or in a region (from all
classes, or from class 0 to class 1). The light should never be green for these tables.
Errors that models predict as if they were right cannot be seen, so the number of moved
labels that the models contradict is counted, too. Without errors, it should be green.
The limits of the light were chosen with seed 0. Results are added to
out/moved_labels.jsonl and not computed again.
"""

import argparse
import json
import warnings
from fnmatch import fnmatch
from pathlib import Path
from zlib import crc32

import numpy as np
from joblib import Parallel, delayed
from sklearn import datasets

from labelscape._resampling.units import units_of
from labelscape.quality.audit.crossings import crossing
from labelscape.quality.audit.opinions import (
    blended,
    model_features,
    opinions,
    telling_columns,
)
from labelscape.quality.audit.suspects import discoveries

OUT = Path("out/moved_labels.jsonl")
SHARES = (0.03, 0.05, 0.1)
MOST_OF_A_CLASS = 0.45  # with more errors, the class would be the other one
RATE = 0.1


def normal(n_classes, sd, n=300, d=8):
    def make(seed):
        rng = np.random.default_rng([seed, n_classes, sd])
        y = np.arange(n) % n_classes
        centers = np.eye(n_classes, d) * sd / np.sqrt(2.0)
        return rng.normal(size=(n, d)) + centers[y], y

    return make


def bundled(load, most=600):
    def make(seed):
        X, y = load(return_X_y=True)
        rows = np.random.default_rng(seed).permutation(len(X))[:most]
        return X[rows], y[rows]

    return make


TABLES = {
    "digits": bundled(datasets.load_digits),
    "iris": bundled(datasets.load_iris),
    "wine": bundled(datasets.load_wine),
    "breast cancer": bundled(datasets.load_breast_cancer),
    **{f"{c} classes, {s} sd": normal(c, s) for c in (2, 3, 5) for s in (5, 7, 10)},
}


def one_way(X, y, n, rng):
    return rng.permutation(np.flatnonzero(y == 0))[:n], 1


def by_feature(X, y, n, rng):
    """Return rows with large values of the feature that varies most."""
    x = X[:, X.var(axis=0).argmax()]
    chance = np.exp(2.0 * (x - x.mean()) / x.std())
    rows = rng.choice(len(x), n, replace=False, p=chance / chance.sum())
    return rows, (y[rows] + rng.integers(1, y.max() + 1, n)) % (y.max() + 1)


def at_border(X, y, n, rng):
    """Return the rows that are nearest to the center of another class."""
    Z = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-9)
    centers = np.array([Z[y == c].mean(axis=0) for c in range(y.max() + 1)])
    away = np.linalg.norm(Z[:, None] - centers, axis=2)
    own = away[np.arange(len(y)), y].copy()
    away[np.arange(len(y)), y] = np.inf
    rows = np.argsort(away.min(axis=1) - own)[:n]
    return rows, away[rows].argmin(axis=1)


def in_region(X, y, n, rng):
    """Return the rows around a random row."""
    Z = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-9)
    rows = np.argsort(((Z - Z[rng.integers(len(Z))]) ** 2).sum(axis=1))[:n]
    return rows, (y[rows] + 1) % (y.max() + 1)


def by_feature_of_0(X, y, n, rng):
    rows = np.flatnonzero(y == 0)
    x = X[rows, X[rows].var(axis=0).argmax()]
    chance = np.exp(2.0 * (x - x.mean()) / x.std())
    return rng.choice(rows, n, replace=False, p=chance / chance.sum()), 1


def at_border_of_0(X, y, n, rng):
    rows = np.flatnonzero(y == 0)
    away = ((X[rows] - X[y == 1].mean(axis=0)) ** 2).sum(axis=1)
    return rows[np.argsort(away)[:n]], 1


def in_region_of_0(X, y, n, rng):
    rows = np.flatnonzero(y == 0)
    some, _ = in_region(X[rows], y[rows], n, rng)
    return rows[some], 1


KINDS = {
    "one way": one_way,
    "feature": by_feature,
    "border": at_border,
    "region": in_region,
    "feature, one way": by_feature_of_0,
    "border, one way": at_border_of_0,
    "region, one way": in_region_of_0,
}


def moved(X, y, kind, share, seed):
    n, rng = round(share * len(y)), np.random.default_rng([seed, crc32(kind.encode())])
    if kind.endswith("one way"):
        n = min(n, int(MOST_OF_A_CLASS * (y == 0).sum()))
    rows, labels = KINDS[kind](X, y, n, rng)
    given = y.copy()
    given[rows] = labels
    return given


def looked_at(name, kind, share, seed):
    """Return the line of one table: the light, and how many errors are contradicted."""
    X, y = TABLES[name](seed)
    y = np.unique(y, return_inverse=True)[1]
    given = moved(X, y, kind, share, seed) if share else y
    features, rng = telling_columns(X), np.random.RandomState(seed)
    units = units_of(features, None, codes=given, owner="audit").of_row
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        places = model_features(features, given)
        said = opinions(places, given, units, rng)
    judged, crossed = np.full(len(y), True), crossing(places, given, units)
    ranked = discoveries(said, given, units, judged, RATE, rng, crossing=crossed)
    is_contradicted = (given != y) & (blended(said).argmax(axis=1) != given)
    return {
        "table": name,
        "kind": kind,
        "share": share,
        "seed": seed,
        "rows": len(y),
        "green": ranked.can_tell and ranked.n_flagged == 0,
        "listed": ranked.n_flagged,
        "moved": int((given != y).sum()),
        "contradicted": int(is_contradicted.sum()),
    }


def lines_so_far():
    if not OUT.exists():
        return []
    return [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()]


def show(lines):
    print("| errors | share | tables | green | list | moved labels contradicted |")
    print("|---|---|---|---|---|---|")
    for kind in ("none", *KINDS):
        for share in SHARES if kind in KINDS else (0.0,):
            some = [x for x in lines if (x["kind"], x["share"]) == (kind, share)]
            green = [x for x in some if x["green"]]
            most = max((x["contradicted"] for x in green), default=0)
            n_lists = sum(x["listed"] > 0 for x in some)
            seen = f"at most {most} where green"
            print(f"| {kind} | {share:.0%} | {len(some)} | {len(green)} ", end="")
            print(f"| {n_lists} | {seen} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", default="*")
    parser.add_argument("--seeds", default="0,1")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    OUT.parent.mkdir(exist_ok=True)
    cases = [("none", 0.0), *((kind, share) for kind in KINDS for share in SHARES)]
    wanted = [
        (name, *case, int(seed))
        for seed in args.seeds.split(",")
        for name in TABLES
        if fnmatch(name, args.tables)
        for case in cases
    ]
    keys = ("table", "kind", "share", "seed")
    done = {tuple(line[key] for key in keys) for line in lines_so_far()}
    orders = (delayed(looked_at)(*key) for key in wanted if key not in done)
    for line in Parallel(n_jobs=args.jobs, return_as="generator_unordered")(orders):
        with OUT.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    lines = lines_so_far()
    show([x for x in lines if tuple(x[key] for key in keys) in set(wanted)])


if __name__ == "__main__":
    main()
