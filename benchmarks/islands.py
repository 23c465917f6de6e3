"""Islands: stable islands on maps of noise and of planted groups, and the time.

    python -m benchmarks.islands [noise] [planted] [sets] [time]

Without arguments, all parts are run, in about 40 minutes on two cores. At most 5% of
islands on maps of noise may be stable, and at least 90% of separated planted groups.
"""

import sys
import warnings
from time import perf_counter

import numpy as np
from joblib import Parallel, delayed
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.jobs import map_table, method_named
from labelscape.quality import islands

METHODS = ("tsne", "crossfit", "pca", "lda")
# Number of tables of noise, and with planted groups, for each method.
NOISE_TABLES = 60
PLANTED_TABLES = {"tsne": 16, "crossfit": 8, "pca": 60, "lda": 60}
# Linear methods cannot separate more groups than this in a plane.
MOST_GROUPS = {"tsne": 8, "crossfit": 8, "pca": 3, "lda": 3}
# A planted group is on the map if an island has this Jaccard index with it.
FOUND = 0.7
# Distance of the two nearest planted centers, in standard deviations.
APART = 10.0


def noise_table(seed):
    """Return noise with 2, 20 or 50 features and random labels."""
    rng = np.random.default_rng(seed)
    shape = int(rng.choice([120, 250, 500])), (2, 20, 50)[seed % 3]
    X = rng.normal(size=shape) if seed % 2 else rng.uniform(size=shape)
    return X, rng.integers(rng.choice([2, 3, 5]), size=len(X))


def planted_table(seed, most_groups):
    """Return 2 to 8 groups of different sizes, their classes, and the groups."""
    rng = np.random.default_rng(seed)
    k = 2 + seed % (most_groups - 1)
    n, d = max(40 * k, int(rng.choice([120, 250, 500]))), int(rng.choice([3, 10, 30]))
    # The smallest group has at least 20 samples.
    group = rng.permutation(
        np.r_[
            np.repeat(np.arange(k), 20),
            rng.choice(k, size=n - 20 * k, p=rng.dirichlet(np.ones(k))),
        ]
    )
    centers = rng.normal(size=(k, d))
    gaps = np.linalg.norm(centers[:, None] - centers, axis=2)
    centers *= APART / gaps[gaps > 0].min()
    # Each group is a class, or several groups are one class.
    classes = np.arange(k) if seed % 2 or k == 2 else np.arange(k) // 2
    return rng.normal(size=(n, d)) + centers[group], classes[group], group


def found_islands(name, X, y, seed):
    """Return the islands of a map, as in `labelscape map`."""
    X = StandardScaler().fit_transform(X)
    n_components = min(2, len(np.unique(y)) - 1) if name == "lda" else 2
    model = method_named(name).make(n_components, len(X), len(np.unique(y)), seed)
    if name == "crossfit":
        model.set_params(n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Z = model.fit_transform(X, y)
        if name == "crossfit":
            model.set_params(focus=model.focus_)
        return islands(model, X, y, embedding=Z, random_state=seed)


def judged_noise(name, seed):
    return [
        island.stability for island in found_islands(name, *noise_table(seed), seed)
    ]


def noise():
    print(f"Noise: {NOISE_TABLES} tables per method; how many have islands, and which")
    columns = ("tables", "islands", "stable", "doubtful", "most")
    print(" " * 10 + "".join(f"{column:>10}" for column in columns))
    total = []
    for name in METHODS:
        orders = (delayed(judged_noise)(name, seed) for seed in range(NOISE_TABLES))
        tables = Parallel(n_jobs=-1)(orders)
        total += tables
        _print_noise(name, tables)
    _print_noise("all", total)


def _print_noise(name, tables):
    known = np.array([stability for table in tables for stability in table])
    stable, doubtful = (known >= 0.75).sum(), ((known >= 0.5) & (known < 0.75)).sum()
    most = f"{known.max():.2f}" if len(known) else ""
    having = sum(map(bool, tables))
    print(f"{name:10}{having:10}{len(known):10}{stable:10}{doubtful:10}{most:>10}")


def judged_groups(name, seed):
    """Return for each planted group whether it is an island, and a stable island."""
    X, y, group = planted_table(seed, MOST_GROUPS[name])
    found = found_islands(name, X, y, seed)
    return [_judged_group(found, np.flatnonzero(group == g)) for g in np.unique(group)]


def _judged_group(found, members):
    for island in found:
        both = len(np.intersect1d(members, island.members))
        if both / (len(members) + island.size - both) >= FOUND:
            return True, island.verdict == "stable"
    return False, False


def planted():
    print("Planted groups")
    print(f"{'':10}{'tables':>8}{'groups':>8}{'on the map':>12}{'stable':>8}")
    for name, n_tables in PLANTED_TABLES.items():
        orders = (delayed(judged_groups)(name, seed) for seed in range(n_tables))
        tables = Parallel(n_jobs=-1)(orders)
        known = np.array([one for table in tables for one in table])
        seen, stable = known.mean(axis=0)
        print(f"{name:10}{n_tables:8}{len(known):8}{seen:12.1%}{stable:8.1%}")


def sets():
    for name in ("iris", "wine", "digits"):
        for method in ("pca", "tsne", "crossfit"):
            result = map_table(load(name), method, judge=False, islands=True)
            print(f"\n{name}, {method}, {result.seconds['islands']:.1f} s")
            print(result.islands)


def time():
    rng = np.random.default_rng(0)
    for n in (1000, 3000, 20_000):
        group = rng.integers(8, size=n)
        X = rng.normal(size=(n, 16)) + 8 * rng.normal(size=(8, 16))[group]
        for name in METHODS:
            began = perf_counter()
            found = found_islands(name, X, group, 0)
            print(
                f"{n:7}{name:>10}{len(found):4} islands{perf_counter() - began:8.1f} s"
            )


def main():
    parts = {"noise": noise, "planted": planted, "sets": sets, "time": time}
    for name in sys.argv[1:] or parts:
        parts[name]()
        print()


if __name__ == "__main__":
    main()
