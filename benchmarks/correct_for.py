"""correct_for: held-out scanners, planted batches, and random batches.

    python -m benchmarks correct_for [PART ...] [N]

Parts are scanners, unlabeled, maps, mixed, planted and random. Without arguments, all
parts are run. N is the number of rows per scanner (600). Scanners are the digits of
scikit-learn, USPS and MNIST on a grid of 8 x 8, with and without the margin of MNIST.
usps.npz and mnist.npz are read from the folder LABELSCAPE_DATA. Models are fitted to
two scanners and tested on the third, or on held-out rows of the fitted scanners (part
mixed). All results are shares of correct predictions, balanced for batches.
"""

import os
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier

from labelscape.datasets import load
from labelscape.embeddings import CrossFittedTSNE
from labelscape.prototypes import (
    GMLVQ,
    center_batches,
    discriminative_directions,
    nuisance_directions,
)
from labelscape.prototypes.directions import remaining_batches

SCANNERS = ("digits", "usps", "mnist")
TABLES = ["iris", "wine", "breast_cancer", "digits", "segmentation_test", "ionosphere"]
TABLES += ["sonar", "diabetes", "balance-scale", "satimage_test"]


def resampled(X, side, margin=0):
    """Return square images (n, side * side) as mean gray values of 8 x 8 fields."""
    inner = side - 2 * margin
    edges, pixels = np.linspace(0, inner, 9)[:, None], np.arange(inner)
    ends = np.minimum(edges[1:], pixels + 1) - np.maximum(edges[:-1], pixels)
    A = np.maximum(ends, 0) * 8 / inner
    images = X.reshape(-1, side, side)
    images = images[:, margin : side - margin, margin : side - margin]
    return np.einsum("ij,njk,lk->nil", A, images, A).reshape(len(X), 64)


def scanners(n, margin):
    """Return samples, digits and scanners, n of each."""
    folder = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))
    rng, table, parts = np.random.default_rng(0), load("digits"), []
    given = {"digits": (table.X / 16, table.y)}
    for name in SCANNERS[1:]:
        with np.load(folder / f"{name}.npz") as file:
            given[name] = file["X"] / 255, file["y"]
    for name, (X, y) in given.items():
        rows = rng.permutation(len(X))[:n]
        side = int(np.sqrt(X.shape[1]))
        cut = margin if name == "mnist" else 0
        parts.append((resampled(X[rows], side, cut), np.asarray(y)[rows].astype(int)))
    X, y = (np.concatenate(part) for part in zip(*parts, strict=True))
    return X, y, np.repeat(SCANNERS, [len(part[1]) for part in parts])


def judged(X, y, new, new_y):
    """Return the accuracy of GMLVQ and of 5 neighbors on other samples."""
    models = GMLVQ(random_state=0), KNeighborsClassifier(5)
    return [model.fit(X, y).score(new, new_y) for model in models]


def batch_accuracy(X, batch):
    """Return the accuracy of 10 neighbors for the batch of held-out rows."""
    votes = KNeighborsClassifier(10)
    return cross_val_score(votes, X, batch, scoring="balanced_accuracy").mean()


def class_centered(X, y):
    """Return samples minus the mean of their class."""
    means = np.array([X[y == c].mean(axis=0) for c in np.unique(y)])
    return X - means[np.searchsorted(np.unique(y), y)]


def cell_means(X, y, batch, k):
    """Return the k leading directions of scanner means within classes."""
    cells = [
        X[(y == c) & (batch == b)].mean(axis=0) - X[y == c].mean(axis=0)
        for c in np.unique(y)
        for b in np.unique(batch)
    ]
    return np.linalg.svd(np.array(cells), full_matrices=False)[2][:k]


def scanner_accuracies(n):
    """Leave one scanner out, with the default and with other variants."""
    for margin in (0, 4):
        X, y, scanner = scanners(n, margin)
        for unseen in SCANNERS:
            new = scanner == unseen
            fit = X[~new], y[~new], scanner[~new]
            inside = class_centered(*fit[:2])
            ways = {
                "without": np.empty((0, 64)),
                "correct_for": nuisance_directions(*fit, random_state=0).directions,
            }
            for k in (1, 4, 16):
                all_rows = discriminative_directions(
                    fit[0], fit[2], max_directions=k, random_state=0
                )
                within = discriminative_directions(
                    inside, fit[2], max_directions=k, random_state=0
                )
                ways[f"eigenvectors, {k}"] = all_rows.directions
                ways[f"eigenvectors within classes, {k}"] = within.directions
                ways[f"means within classes, {k}"] = cell_means(*fit, k)
            known = nuisance_directions(X, y, scanner, random_state=0).directions
            ways["correct_for, all three scanners known"] = known
            for name, V in ways.items():
                Z = X - (X @ V.T) @ V
                row = judged(Z[~new], y[~new], Z[new], y[new])
                row.append(batch_accuracy(Z[~new], scanner[~new]))
                print_row(f"margin {margin}, unseen {unseen}", name, row, len(V))
            means = np.array([X[scanner == s].mean(axis=0) for s in SCANNERS])
            Z = X - means[[SCANNERS.index(s) for s in scanner]]
            row = judged(Z[~new], y[~new], Z[new], y[new])
            row.append(batch_accuracy(Z[~new], scanner[~new]))
            print_row(f"margin {margin}, unseen {unseen}", "center by scanner", row)


def with_and_without(X, y, batch, new):
    """Return accuracies for a batch whose rows are known, but not their classes."""
    Z, known = center_batches(X, batch, random_state=0), np.where(new, -1, y)
    rows = {}
    for name, model in (
        ("GMLVQ", GMLVQ(random_state=0)),
        ("neighbors", KNeighborsClassifier(5)),
    ):
        taught = SelfTrainingClassifier(model).fit(Z, known)
        rows[name] = [
            clone(model).fit(X[~new], y[~new]).score(X[new], y[new]),
            clone(model).fit(Z[~new], y[~new]).score(Z[new], y[new]),
            taught.score(Z[new], y[new]),
        ]
    return rows


def unlabeled(n):
    """Compare centering of scanners, and learning from the unlabeled scanner."""
    for margin in (0, 4):
        X, y, scanner = scanners(n, margin)
        for unseen in SCANNERS:
            rows = with_and_without(X, y, scanner, scanner == unseen)
            for name, row in rows.items():
                print_row(f"margin {margin}, unseen {unseen}", name, row)
    changes = []
    for name in TABLES:
        for seed in range(3):
            X, y, batch = random_batches(name, seed, n)
            y = np.unique(y, return_inverse=True)[1]
            rows = with_and_without(X, y, batch, batch == 2)
            for model, row in rows.items():
                print_row(f"random batches, {model}", f"{name}, seed {seed}", row)
                changes.append(np.array(row[1:]) - row[0])
    for k, words in enumerate(("centered", "centered, and learned from")):
        of_table = np.reshape(changes, (len(TABLES), 3, 2, 2))[..., k].mean(axis=1)
        words += f": mean change {of_table.mean():+.4f}, worst table"
        print(words, " ".join(f"{one:+.4f}" for one in of_table.min(axis=0)))


def print_row(case, name, row, k=""):
    """Print the accuracies of GMLVQ, neighbors and batches."""
    values = "  ".join(f"{one:.3f}" for one in row)
    print(f"{case:28} {name:40} {k:>3}  {values}", flush=True)


def print_maps(case, fit, new, new_y):
    """Compare maps with and without correction for new rows and batches."""
    for name, batch in (("map", None), ("map, correct_for", fit[2])):
        model = CrossFittedTSNE(focus=0.5, random_state=0)
        Z = model.fit_transform(*fit[:2], correct_for=batch)
        votes = KNeighborsClassifier(5).fit(Z, fit[1])
        row = [votes.score(model.transform(new), new_y), batch_accuracy(Z, fit[2])]
        print_row(case, name, row)


def maps(n):
    """Test maps of two scanners with digits of the third, and for batch effects."""
    X, y, scanner = scanners(n, 4)
    for unseen in SCANNERS:
        new = scanner == unseen
        fit = X[~new], y[~new], scanner[~new]
        print_maps(f"margin 4, unseen {unseen}", fit, X[new], y[new])


def mixed(n):
    """Predict digits and scanners of fitted and of held-out rows on the map."""
    X, y, scanner = scanners(n, 4)
    for unseen in (*SCANNERS, "none"):
        rows = {"map": [], "map, correct_for": []}
        for seed in range(4):
            known = np.flatnonzero(scanner != unseen)
            fit, held = train_test_split(
                known, test_size=1 / 3, random_state=seed, stratify=scanner[known]
            )
            for name, given in zip(rows, (None, scanner[fit]), strict=True):
                model = CrossFittedTSNE(focus=0.5, random_state=seed)
                Z = model.fit_transform(X[fit], y[fit], correct_for=given)
                rows[name].append(on_map(Z, y[fit], scanner[fit]))
                places = model.transform(X[held])
                digits = KNeighborsClassifier(5).fit(Z, y[fit]).predict(places)
                batches = KNeighborsClassifier(10).fit(Z, scanner[fit]).predict(places)
                rows[name][-1] += [
                    np.mean(digits == y[held]),
                    balanced_accuracy_score(scanner[held], batches),
                ]
        for name, values in rows.items():
            print_row(f"mixed, unseen {unseen}", name, np.mean(values, axis=0))


def on_map(Z, y, batch):
    """Return the accuracies of fitted neighbors on the map for class and batch."""
    classes = cross_val_score(KNeighborsClassifier(5), Z, y).mean()
    return [classes, batch_accuracy(Z, batch)]


def planted(n):
    """Test six batches shifted along three directions; one batch is held out."""
    for name in ("wine", "digits", "segmentation_test", "satimage_test"):
        table, rng = load(name), np.random.default_rng(0)
        rows = rng.permutation(len(table.y))[: 3 * n]
        X = StandardScaler().fit_transform(np.asarray(table.X)[rows])
        y, batch = np.asarray(table.y)[rows], rng.integers(6, size=len(rows))
        V = np.linalg.qr(rng.normal(size=(X.shape[1], 3)))[0].T
        X = X + 2 * rng.normal(size=(6, 3))[batch] @ V * np.sqrt(X.shape[1] / 3)
        new = batch == 5
        fit = X[~new], y[~new], batch[~new]
        inside = class_centered(*fit[:2])
        ways = {
            "without": np.empty((0, X.shape[1])),
            "correct_for": nuisance_directions(*fit, random_state=0).directions,
            "eigenvectors within classes": discriminative_directions(
                inside, fit[2], max_directions=X.shape[1] // 2, random_state=0
            ).directions,
        }
        for way, directions in ways.items():
            Z = X - (X @ directions.T) @ directions
            row = judged(Z[~new], y[~new], Z[new], y[new])
            row.append(batch_accuracy(Z[~new], batch[~new]))
            print_row(f"planted, {name}", way, row, len(directions))
        print_maps(f"planted, {name}", fit, X[new], y[new])


def random_batches(name, seed, n):
    """Return a table with three random batches."""
    table, rng = load(name), np.random.default_rng(seed)
    rows = rng.permutation(len(table.y))[: 3 * n]
    X = StandardScaler().fit_transform(np.asarray(table.X)[rows])
    return X, np.asarray(table.y)[rows], rng.integers(3, size=len(rows))


def random(n):
    """Print how correct_for changes the accuracy for random batches."""
    changes, n_mixed = [], 0
    for name in TABLES:
        for seed in range(3):
            X, y, batch = random_batches(name, seed, n)
            n_mixed += remaining_batches(X, y, batch, random_state=0) is not None
            split = train_test_split(X, y, batch, random_state=seed, stratify=y)
            fit, new, fit_y, new_y, given, _ = split
            plain, corrected = (
                GMLVQ(random_state=0).fit(fit, fit_y, correct_for=one)
                for one in (None, given)
            )
            k = len(corrected.nuisance_.directions)
            row = [plain.score(new, new_y), corrected.score(new, new_y)]
            changes.append(row[1] - row[0])
            print_row("random batches", f"{name}, seed {seed}", row, k)
    print(f"mean change {np.mean(changes):+.4f}, worst {np.min(changes):+.4f}")
    print(f"neighbors of all batches on maps: {n_mixed} of {len(changes)}")


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.isdigit()]
    size = next((int(word) for word in sys.argv[1:] if word.isdigit()), 600)
    warnings.simplefilter("ignore")
    parts = {
        "scanners": scanner_accuracies,
        "unlabeled": unlabeled,
        "maps": maps,
        "mixed": mixed,
        "planted": planted,
        "random": random,
    }
    for part in words or parts:
        parts[part](size)
