"""The league: maps by labels on unseen objects, side by side, losing rows kept.

    python -m benchmarks league [--seeds 5] [--sets letter,digits] [--rows 1500]
                                [--methods "LDA,supervised UMAP"]
    python -m benchmarks league --table [--plot league.svg]

Half of each set is fitted with labels, the other half is placed without (``--rows``
each at most). Of the map: the share of objects that 5 neighbours among the fitted ones
name rightly, all classes alike, for fitted and unseen objects; the gap; trustworthiness
T and continuity C (12 neighbours) and their forms by classes, of unseen objects. Every
row is written to out/league.jsonl as soon as it is there: a run that was stopped goes
on where it ended. Supervised UMAP is run where it is installed.
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
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import train_test_split
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.preprocessing import StandardScaler

from labelscape._resampling.voters import Voters, balanced_accuracy
from labelscape.datasets import load, read_table
from labelscape.embeddings import (
    LFDA,
    ClassiMap,
    ClassNeRV,
    CrossFittedTSNE,
    FisherKernelTSNE,
    KernelTSNE,
)
from labelscape.jobs import choose_method, method_named
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import (
    class_continuity,
    class_trustworthiness,
    continuity,
    label_continuity,
    label_trustworthiness,
    trustworthiness,
)

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))
OUT = Path("out/league.jsonl")
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
# More features than this are taken down to 50 principal components.
MOST_FEATURES = 300
K, VOTES = 12, 5
OURS, RIVAL = "cross-fitted", "supervised UMAP"
# What is compared in the figure, and its colors, for all eyes.
MAIN = {OURS: "#0072b2", RIVAL: "#d55e00"}


class Chosen:
    """What `labelscape map` takes by itself: by lines while that is nearly as good."""

    def fit(self, X, y):
        """Choose on the fitted objects, and fit."""
        columns = {f"x{j}": x for j, x in enumerate(X.T)} | {"class": y.astype(str)}
        found = choose_method(read_table(pd.DataFrame(columns), label="class"))
        model = method_named(found.method).make(2, len(X), len(np.unique(y)), 0)
        self.transform = model.fit(X, y).transform
        self.embedding_ = getattr(model, "embedding_", None)


def methods():
    """Return maps with fit and transform, by name."""
    found = {
        "LDA": lambda c: LinearDiscriminantAnalysis(n_components=min(2, c - 1)),
        "NCA": lambda c: NeighborhoodComponentsAnalysis(2, max_iter=50, random_state=0),
        "LFDA": lambda c: LFDA(n_components=2),
        "LiRaM": lambda c: LiRaMLVQ(random_state=0),
        "ClassiMap": lambda c: ClassiMap(random_state=0),
        "ClassNeRV": lambda c: ClassNeRV(),
        "Fisher by Parzen": lambda c: FisherKernelTSNE(random_state=0),
        "cross-fitted": lambda c: CrossFittedTSNE(random_state=0),
        "ours by itself": lambda c: Chosen(),
        "plain t-SNE": lambda c: KernelTSNE(random_state=0),
    }
    if importlib.util.find_spec("umap"):
        from umap import UMAP

        found[RIVAL] = lambda c: UMAP(random_state=0, n_jobs=1)
    return found


def table(name):
    """Return objects and classes of a set."""
    if name in NOISE:
        rng = np.random.default_rng(0)
        return rng.normal(size=(2000, NOISE[name])), rng.integers(0, 2, 2000)
    if name in EMBEDDED:
        found = load(name)
        return found.X, np.unique(found.y, return_inverse=True)[1]
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


def halves(name, seed, rows):
    """Return fitted and unseen halves, on one scale: X, X_new, y, y_new."""
    X, y = table(name)
    enough = np.bincount(y)[y] >= 4
    X, y = X[enough], np.unique(y[enough], return_inverse=True)[1]
    n = min(rows, len(X) // 2)
    X, X_new, y, y_new = train_test_split(
        X, y, train_size=n, test_size=n, stratify=y, random_state=seed
    )
    scaler = StandardScaler().fit(X)
    X, X_new = scaler.transform(X), scaler.transform(X_new)
    if X.shape[1] > MOST_FEATURES:
        pca = PCA(50, random_state=0).fit(X)
        X, X_new = pca.transform(X), pca.transform(X_new)
    return X, X_new, y, y_new


def scores(X, X_new, y, y_new, Z, Z_new):
    """Return the figures of a map."""
    Z, Z_new = np.asarray(Z, dtype=float), np.asarray(Z_new, dtype=float)
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


def played(method, make, data):
    """Return the row of one method on one split."""
    X, X_new, y, y_new = data
    if method == "the data":
        voters = Voters(X, y, np.arange(len(y)), y.max() + 1, VOTES)
        unseen = balanced_accuracy(voters.judge(X_new), y_new, y.max() + 1)
        return {"unseen": unseen, "seconds": 0.0}
    start = perf_counter()
    model = make(len(np.unique(y)))
    try:
        model.fit(X, y)
    except (ValueError, np.linalg.LinAlgError) as error:
        return {"failed": " ".join(str(error).split())}
    seconds = perf_counter() - start
    Z = getattr(model, "embedding_", None)
    Z = model.transform(X) if Z is None else Z
    Z_new = model.transform(X_new)
    return scores(*data, Z, Z_new) | {"seconds": seconds}


def rows_so_far():
    if not OUT.exists():
        return []
    return [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()]


def play(sets, players, n_seeds, rows):
    """Play what has not been played, seeds outermost: an early end is fair to all."""
    OUT.parent.mkdir(exist_ok=True)
    keys = ("set", "method", "seed", "rows")
    done = {tuple(row[key] for key in keys) for row in rows_so_far()}
    everyone = {
        name: make
        for name, make in {"the data": None, **methods()}.items()
        if players is None or name in players
    }
    for seed in range(n_seeds):
        for name in sets:
            left = [m for m in everyone if (name, m, seed, rows) not in done]
            if not left:
                continue
            data = halves(name, seed, rows)
            for method in left:
                row = dict(zip(keys, (name, method, seed, rows), strict=True))
                row |= played(method, everyone[method], data)
                with OUT.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
                print(row, flush=True)


def means(figure):
    """Return the mean of a figure over seeds, by set and method."""
    found = defaultdict(list)
    for row in rows_so_far():
        if figure in row:
            found[row["set"], row["method"]].append(row[figure])
    return {key: float(np.mean(values)) for key, values in found.items()}


def shown():
    """Print means over seeds, one table per figure."""
    names = list(dict.fromkeys(("the data", *methods(), RIVAL)))
    for figure in ("unseen", "gap", "T", "C", "CT", "CC", "Label-T", "Label-C"):
        found = means(figure)
        print(f"\n| {figure} | " + " | ".join(names) + " |")
        print("|---" * (len(names) + 1) + "|")
        for one in SETS:
            values = [found.get((one, method)) for method in names]
            if any(value is not None for value in values):
                cells = ["–" if v is None else f"{v:.3f}" for v in values]
                print(f"| {one} | " + " | ".join(cells) + " |")


def drawn(path):
    """Draw accuracy on fitted and held-out rows: ours, its rival, and the others."""
    import matplotlib.pyplot as plt

    seen, unseen = means("seen"), means("unseen")
    sets = [one for one in SETS if (one, OURS) in unseen][::-1]
    figure, axes = plt.subplots(figsize=(8, 0.42 * len(sets) + 1.2), layout="tight")
    for row, one in enumerate(sets):
        others = [v for (name, m), v in unseen.items() if name == one and m not in MAIN]
        axes.plot(others, [row] * len(others), "|", color="0.6", markersize=9)
        for (method, color), shift in zip(MAIN.items(), (0.13, -0.13), strict=True):
            if (one, method) not in unseen:
                continue
            ends = seen[one, method], unseen[one, method]
            axes.plot(ends, [row + shift] * 2, color=color, linewidth=1.5)
            axes.plot(ends[0], row + shift, "o", color=color, markerfacecolor="white")
            axes.plot(ends[1], row + shift, "o", color=color)
    for method, color in MAIN.items():
        axes.plot([], [], "o", color=color, label=f"{method}: held-out rows")
        hollow = {"markerfacecolor": "white", "label": f"{method}: fitted rows"}
        axes.plot([], [], "o", color=color, **hollow)
    axes.plot(
        [], [], "|", color="0.6", label="other methods, and the data: held-out rows"
    )
    axes.set_yticks(range(len(sets)), sets)
    axes.set_xlabel("balanced accuracy of 5 nearest neighbors on the map")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--plot", metavar="FILE")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if not asked.table:
        players = asked.methods and asked.methods.split(",")
        play(asked.sets.split(","), players, asked.seeds, asked.rows)
    shown()
    if asked.plot:
        drawn(asked.plot)


if __name__ == "__main__":
    main()
