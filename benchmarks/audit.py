"""The audit: planted label errors and false alarms, compared with cleanlab.

    python -m benchmarks audit [--seeds 3] [--sets digits,usps,mnist] [--rows 10000]
    python -m benchmarks audit --table
    python -m benchmarks audit --known      MNIST, test half with 15 known label errors
    python -m benchmarks audit --times      10,000 × 60 and 70,000 × 50

Labels are unchanged, or changed in three ways: a random 10% or 20% of the rows get any
other class; or 20% of the rows of each class get the class with which 10 neighbors
confuse it most often (in five folds, with the true labels). For the audit, the tables
show the share of errors that are missed if as many rows are checked as there are
errors. For each rate, they show the share of false alarms among the suspects, and the
share of errors that are suspects. cleanlab, if it is installed, gets the same
probabilities, and those of logistic regression. Results are added to out/audit.jsonl.
"""

import argparse
import importlib.util
import json
import os
import warnings
from collections import defaultdict
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.league import FILES, table
from labelscape import audit
from labelscape.quality.audit.opinions import blended, model_features, opinions
from labelscape.quality.audit.suspects import discoveries

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))
OUT = Path("out/audit.jsonl")
SETS = ("digits", "usps", "mnist")
ERRORS = {
    "random 10 %": ("random", 0.1),
    "random 20 %": ("random", 0.2),
    "systematic 20 %": ("systematic", 0.2),
    "none": ("none", 0.0),
}
RATES = (0.1, 0.2)
# Rows of the test half with known label errors.
KNOWN = [947, 1621, 1901, 2130, 2462, 2597, 2654, 3520, 3558, 5937, 6651, 6783]
KNOWN += [8527, 9679, 9729]


def data(name, seed, most):
    """Return samples and classes of a set, at most ``rows`` of them."""
    X, y = table(name)
    if len(X) > most:
        rows = np.random.default_rng(seed).permutation(len(X))[:most]
        X, y = X[rows], np.unique(y[rows], return_inverse=True)[1]
    return X, y


def planted(X, y, kind, share, seed):
    """Return labels with a share of errors."""
    rng, given, n_classes = np.random.default_rng(seed), y.copy(), y.max() + 1
    if kind == "random":
        rows = rng.permutation(len(y))[: round(share * len(y))]
        given[rows] = (y[rows] + rng.integers(1, n_classes, len(rows))) % n_classes
    if kind == "systematic":
        taken_for = cross_val_predict(KNeighborsClassifier(10), scaled(X), y)
        counts = np.bincount(y * n_classes + taken_for, minlength=n_classes**2)
        counts = counts.reshape(n_classes, n_classes)
        np.fill_diagonal(counts, -1)
        for c, other in enumerate(counts.argmax(axis=1)):
            rows = np.flatnonzero(y == c)
            given[rng.permutation(rows)[: round(share * len(rows))]] = other
    return given


def scaled(X):
    return PCA(60, random_state=0).fit_transform(X) if X.shape[1] > 60 else X


def missed(ranking, wrong):
    """Return the share of errors that are missed by a list as long as their number."""
    n = wrong.sum()
    return float(1 - wrong[ranking[:n]].mean()) if n else None


def kept(suspects, wrong):
    """Return the share of false alarms, the share of listed errors, and the count."""
    n = len(suspects)
    false = float(1 - wrong[suspects].mean()) if n else 0.0
    found = float(wrong[suspects].sum() / max(wrong.sum(), 1))
    return {"false": false, "found": found, "flagged": n / len(wrong)}


def by_margin(p, given):
    rows = np.arange(len(given))
    own = p[rows, given].copy()
    others = p.copy()
    others[rows, given] = -1.0
    return np.argsort(own - others.max(axis=1), kind="stable")


def ours(X, given, wrong, seed):
    """Yield results of the audit, and of each of its models alone."""
    everyone = np.arange(len(X)), np.ones(len(X), dtype=bool)
    rng = np.random.RandomState(seed)
    said = opinions(model_features(X, given), given, everyone[0], rng)
    p = blended(said)
    for rate in RATES:
        rng = np.random.RandomState(seed)
        found = discoveries(said, given, *everyone, rate, rng)
        row = {"method": f"audit, {rate:.0%}", "missed": missed(found.ranking, wrong)}
        yield row | kept(found.ranking[: found.n_flagged], wrong)
    for name, alone in said.items():
        yield {"method": name, "missed": missed(by_margin(alone, given), wrong)}
    yield from theirs("the audit's", p, given, wrong)


def theirs(name, p, given, wrong):
    """Yield results of cleanlab for some probabilities, if it is installed."""
    if not importlib.util.find_spec("cleanlab"):
        return
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    scores = get_label_quality_scores(given, p)
    flagged = find_label_issues(
        given, p, return_indices_ranked_by="self_confidence", n_jobs=1
    )
    row = {"method": f"cleanlab, {name} probabilities"}
    ranking = np.argsort(scores, kind="stable")
    yield row | {"missed": missed(ranking, wrong)} | kept(flagged, wrong)


def cleanlab_alone(X, given, wrong):
    if not importlib.util.find_spec("cleanlab"):
        return
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
    p = cross_val_predict(model, scaled(X), given, method="predict_proba")
    yield from theirs("its usual", p, given, wrong)


def rows_so_far():
    if not OUT.exists():
        return []
    return [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()]


def play(sets, n_seeds, most):
    """Run all cases that have no result, one seed after the other."""
    OUT.parent.mkdir(exist_ok=True)
    keys = ("set", "errors", "seed", "rows")
    done = {tuple(row[key] for key in keys) for row in rows_so_far()}
    for seed in range(n_seeds):
        for name in sets:
            left = [e for e in ERRORS if (name, e, seed, most) not in done]
            X, y = data(name, seed, most) if left else (None, None)
            for errors in left:
                given = planted(X, y, *ERRORS[errors], seed)
                wrong = given != y
                found = [*ours(X, given, wrong, seed), *cleanlab_alone(X, given, wrong)]
                key = dict(zip(keys, (name, errors, seed, most), strict=True))
                with OUT.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps(key | row) + "\n" for row in found)
                for row in found:
                    print(key | row, flush=True)


def shown():
    """Print means over seeds, one table per measure."""
    found, methods = defaultdict(list), {}
    for row in rows_so_far():
        methods[row["method"]] = None
        for figure in ("missed", "false", "found", "flagged"):
            if row.get(figure) is not None:
                setting = f"{row['set']} ({row['rows']:,} at most), {row['errors']}"
                key = figure, setting, row["method"]
                found[key].append(row[figure])
    for figure in ("missed", "false", "found", "flagged"):
        settings = dict.fromkeys(key[1] for key in found if key[0] == figure)
        names = [m for m in methods if any((figure, s, m) in found for s in settings)]
        print(f"\n| {figure} | " + " | ".join(names) + " |")
        print("|---" * (len(names) + 1) + "|")
        for setting in settings:
            values = [found.get((figure, setting, m), []) for m in names]
            cells = [f"{np.mean(v):.3f}" if v else "–" for v in values]
            print(f"| {setting} | " + " | ".join(cells) + " |")


def known():
    """Print how many known label errors of MNIST's test half are ranked first."""
    arrays = np.load(DATA / FILES["mnist"][0])
    X, y = arrays["X"][60_000:].astype(float), arrays["y"][60_000:]
    report = audit(X, y, random_state=0)
    place = np.argsort(report.ranking)[KNOWN]
    print(f"{len(report.suspects)} suspects; places of the 15: {np.sort(place)}")
    print(f"{int((place < 100).sum())} of 15 among the first 100")


def times():
    """Print the time of an audit."""
    arrays = np.load(DATA / FILES["mnist"][0])
    for n, d in ((10_000, 60), (70_000, 50)):
        Z = PCA(d, random_state=0).fit_transform(arrays["X"].astype(np.float32))[:n]
        start = perf_counter()
        report = audit(Z.astype(float), arrays["y"][:n], random_state=0)
        seconds = perf_counter() - start
        print(f"{n:,} × {d}: {seconds:.1f} s, {len(report.suspects)} suspects")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--times", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.known:
        return known()
    if asked.times:
        return times()
    if not asked.table:
        play(asked.sets.split(","), asked.seeds, asked.rows)
    return shown()


if __name__ == "__main__":
    main()
