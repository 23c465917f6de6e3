"""Seconds of the cross-fitted map and of supervised UMAP, and of placing new rows.

    python -m benchmarks crossfit_speed [--sizes 3000,10000]

Both are fitted alternately to the same samples, after all loops were compiled. The
better of two runs is used. The map has 150 + 350 steps, as in `labelscape map`. UMAP is
included if it is installed.
"""

import argparse
import importlib.util
import warnings
from time import perf_counter, process_time

import numpy as np
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from benchmarks.league import table
from labelscape.jobs.methods import method_named

SETS = ("letter", "mnist")
NEW, TURNS = 20_000, 2


def objects(name, n):
    """Return n scaled samples of a set, their classes, and new samples."""
    X, y = table(name)
    rows = np.random.default_rng(0).permutation(len(X))
    fitted, new = rows[:n], rows[-NEW:]
    X = StandardScaler().fit(X[fitted]).transform(X)
    if X.shape[1] > 300:
        X = PCA(50, random_state=0).fit(X[fitted]).transform(X)
    return X[fitted], y[fitted], X[new]


def rivals():
    """Return the estimators by name."""
    found = {"cross-fitted": lambda: method_named("crossfit").new({}, 0)}
    if importlib.util.find_spec("umap"):
        from umap import UMAP

        found["supervised UMAP"] = lambda: UMAP(random_state=0, n_jobs=1)
        # Without a seed, UMAP is faster, and each run gives a different map.
        found["the same, no seed"] = lambda: UMAP()
    return found


def timed_fit(model, X, y):
    """Return the seconds of a fit, and the fitted model."""
    start = perf_counter()
    model.fit(X, y)
    return perf_counter() - start, model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="3000,10000")
    sizes = [int(n) for n in parser.parse_args().sizes.split(",")]
    warnings.simplefilter("ignore")
    for make in rivals().values():
        X, y, new = objects("letter", 600)
        model = make()
        model.fit(X, y).transform(new[:500])
    for name in SETS:
        for n in sizes:
            X, y, new = objects(name, n)
            found = {}
            for _ in range(TURNS):
                for rival, make in rivals().items():
                    taken, model = timed_fit(make(), X, y)
                    found[rival] = min(taken, found.get(rival, np.inf))
                    if rival == "cross-fitted":
                        ours = model
            start = process_time()  # sum over all cores
            ours.transform(new)
            placing = process_time() - start
            ratio = found["cross-fitted"] / found.get("supervised UMAP", np.nan)
            times = ", ".join(f"{rival} {s:.1f} s" for rival, s in found.items())
            print(f"{name}, {n} objects: {times}; ratio {ratio:.2f}; ", end="")
            print(
                f"{len(new) / placing:,.0f} new objects placed a second and core",
                flush=True,
            )


if __name__ == "__main__":
    main()
