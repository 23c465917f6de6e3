"""The league: maps of labeled data on held-out rows, side by side.

    python -m benchmarks league [--methods lfda,umap] [--sets iris,wine] [--seeds 2]
                                [--rows 300] [--here] [--into FILE]
    python -m benchmarks league --compare FILE
    python -m benchmarks league --page

Half of each set is fitted with labels, the other half is placed without labels (at most
``--rows`` rows each). The measures of a map are the balanced accuracy of 5 nearest
neighbors among the fitted rows, for fitted (seen) and held-out (unseen) rows; the gap;
and trustworthiness T and continuity C (12 neighbors), with their class-aware variants,
for held-out rows. Each method is a file in ``league_methods`` and runs in its own
environment, or in this environment with ``--here``. Results are appended to
docs/league_results.jsonl, or to the file of ``--into``. Existing results are not
computed again. ``--compare`` prints how they differ from results of another run.
``--page`` writes docs/league.md, which explains how to add a method.
"""

import argparse
import json
import os
import warnings
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from benchmarks._league_methods import (
    ROOT,
    NotRunError,
    all_methods,
    maps,
    short_hash,
    versions,
)
from benchmarks._league_page import KEYS, repeated, write_page
from labelscape._resampling.voters import Voters, balanced_accuracy
from labelscape.datasets import load
from labelscape.quality import (
    class_continuity,
    class_trustworthiness,
    continuity,
    label_continuity,
    label_trustworthiness,
    trustworthiness,
)

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))
RESULTS = ROOT / "docs" / "league_results.jsonl"
REPEATED = RESULTS.with_name("league_repeated.jsonl")
FILES = {
    "letter": ["letter.csv.gz"],
    "indian pines": ["indian_pines.npz"],
    "mnist": ["mnist.npz"],
    "usps": ["usps.npz"],
    "satimage": ["satimage_train.csv.gz", "satimage_test.csv.gz"],
    "segmentation": ["segmentation_train.csv", "segmentation_test.csv"],
    "soybean": ["soybean.csv"],
}
EMBEDDED = ("digits", "iris", "wine", "breast_cancer", "modes", "gaussians")
NOISE = {"noise 2-D": 2, "noise 20-D": 20, "noise 50-D": 50}
SETS = (*FILES, *EMBEDDED, *NOISE)
# More features than this are reduced to 50 principal components.
MOST_FEATURES = 300
K, VOTES = 12, 5


def table(name):
    """Return the features and classes of a set."""
    if name in NOISE:
        rng = np.random.default_rng(0)
        return rng.normal(size=(2000, NOISE[name])), rng.integers(0, 2, 2000)
    if name in EMBEDDED:
        embedded = load(name)
        return embedded.X, np.unique(embedded.y, return_inverse=True)[1]
    if FILES[name][0].endswith("npz"):
        arrays = np.load(DATA / FILES[name][0])
        return arrays["X"].astype(float), np.unique(arrays["y"], return_inverse=True)[1]
    parts = [
        pd.read_csv(DATA / file, keep_default_na=False, na_values=[""])
        for file in FILES[name]
    ]
    frame = pd.concat(parts)
    features = pd.get_dummies(frame.iloc[:, :-1].fillna("none"), dtype=float)
    return features.to_numpy(float), np.unique(frame.iloc[:, -1], return_inverse=True)[
        1
    ]


def halves(name, seed, y, rows):
    """Return the fitted and the placed rows, stratified by class.

    Splits depend on hashes, so that they are the same with all versions of libraries.
    """
    keys = [sha256(f"{name}/{seed}/{row}".encode()).digest() for row in range(len(y))]
    order = np.array(sorted(range(len(y)), key=keys.__getitem__))
    turn = np.empty(len(y), dtype=int)
    for one in np.unique(y):
        members = order[y[order] == one]
        turn[members] = np.arange(len(members))
    # Rows of a class have equal distances; the first two of each half are adjacent.
    place = np.where(turn < 4, 0.0, turn / np.bincount(y)[y])
    order = order[np.argsort(place[order], kind="stable")]
    fitted, placed = order[turn[order] % 2 == 0], order[turn[order] % 2 == 1]
    return fitted[:rows], placed[:rows]


def split(name, seed, rows):
    """Return X, X_new, y, y_new on the scale of the fitted rows, and the hashes."""
    X, y = table(name)
    enough = np.bincount(y)[y] >= 4
    X, y = X[enough], np.unique(y[enough], return_inverse=True)[1]
    fitted, placed = halves(name, seed, y, rows)
    # The last bits of generated data depend on the processor.
    known = (X.round(6) + 0.0).astype("<f8")
    hashes = {
        "data": short_hash(known.tobytes(), y.astype("<i8").tobytes()),
        "split": short_hash(
            fitted.astype("<i8").tobytes(), b"|", placed.astype("<i8").tobytes()
        ),
    }
    scaler = StandardScaler().fit(X[fitted])
    X_fitted, X_placed = scaler.transform(X[fitted]), scaler.transform(X[placed])
    if X.shape[1] > MOST_FEATURES:
        pca = PCA(50, random_state=0).fit(X_fitted)
        X_fitted, X_placed = pca.transform(X_fitted), pca.transform(X_placed)
    return (X_fitted, X_placed, y[fitted], y[placed]), hashes


def scores(X, X_new, y, y_new, Z, Z_new):
    """Return the measures of a map."""
    n_classes = max(y.max(), y_new.max()) + 1
    voters = Voters(Z, y, np.arange(len(y)), n_classes, VOTES)
    seen = balanced_accuracy(voters.judge_themselves(), y, n_classes)
    unseen = balanced_accuracy(voters.judge(Z_new), y_new, n_classes)
    return {
        "seen": seen,
        "unseen": unseen,
        "gap": seen - unseen,
        "T": trustworthiness(X_new, Z_new, n_neighbors=K),
        "C": continuity(X_new, Z_new, n_neighbors=K),
        "CT": class_trustworthiness(X_new, Z_new, y_new, n_neighbors=K),
        "CC": class_continuity(X_new, Z_new, y_new, n_neighbors=K),
        "Label-T": label_trustworthiness(X_new, Z_new, y_new),
        "Label-C": label_continuity(X_new, Z_new, y_new),
    }


def measured(answer, data):
    """Return the measures of a result, or the reason of a failure."""
    if isinstance(answer, str):
        return {"failed": answer}
    Z, Z_new, seconds = answer
    X, X_new = data[:2]
    if len(Z) != len(X) or len(Z_new) != len(X_new):
        return {"failed": f"maps of {len(Z)} and {len(Z_new)} rows"}
    if not (np.isfinite(Z).all() and np.isfinite(Z_new).all()):
        return {"failed": "positions that are not finite"}
    values = scores(*data, Z, Z_new)
    return {name: round(float(v), 6) for name, v in values.items()} | {
        "seconds": round(seconds, 3)
    }


def rows_so_far(path=RESULTS):
    """Return the rows of all runs."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def play(methods, sets, n_seeds, rows, *, here=False, limit=600, path=RESULTS):
    """Run all cases without a result for these files, data and splits."""
    done = {tuple(row[key] for key in KEYS) for row in rows_so_far(path)}
    splits = [
        ({"set": name, "seed": seed, "rows": rows}, *split(name, seed, rows))
        for name in sets
        for seed in range(n_seeds)
    ]
    for method in methods:
        own = {"method": method.name, "code": method.code}
        heads = [(own | which | hashes, data) for which, data, hashes in splits]
        left = [
            (head, data) for head, data in heads if tuple(head.values()) not in done
        ]
        if not left:
            continue
        asked = [(X, y, X_new) for _, (X, X_new, y, _) in left]
        try:
            packages = versions(method, here=here)
        except NotRunError as error:
            print(f"{method.title}: {error}", flush=True)
            continue
        answers = maps(method, asked, here=here, limit=limit)
        with path.open("a", encoding="utf-8") as file:
            for (head, data), answer in zip(left, answers, strict=True):
                values = measured(answer, data)
                row = head | {"packages": packages} | values
                print(json.dumps(row), file=file, flush=True)
                result = values.get("failed") or f"unseen {values['unseen']:.3f}"
                place = f"{method.title} on {head['set']}, seed {head['seed']}"
                print(f"{place}: {result}", flush=True)


def main():
    """Run methods, compare results, or write the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--methods", help="names of files in league_methods")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--limit", type=float, default=600, help="seconds per split")
    parser.add_argument("--here", action="store_true", help="no other environments")
    parser.add_argument("--into", type=Path, default=RESULTS, help="file of results")
    parser.add_argument("--compare", type=Path, help="results of another run")
    parser.add_argument("--page", action="store_true", help="write docs/league.md")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    known = all_methods()
    if asked.page:
        write_page(rows_so_far(), rows_so_far(REPEATED), known, SETS, NOISE)
        return
    if asked.compare:
        print(repeated(rows_so_far(), rows_so_far(asked.compare), known))
        return
    names = asked.methods.split(",") if asked.methods else list(known)
    sets = asked.sets.split(",")
    for name, choices in [*((n, known) for n in names), *((s, SETS) for s in sets)]:
        if name not in choices:
            parser.error(f"There is no {name!r}. Choose from: {', '.join(choices)}.")
    methods = [known[name] for name in names]
    ways = {"here": asked.here, "limit": asked.limit, "path": asked.into}
    play(methods, sets, asked.seeds, asked.rows, **ways)


if __name__ == "__main__":
    main()
