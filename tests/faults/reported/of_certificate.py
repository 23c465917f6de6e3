"""Faults of the certificate: discrete values, recipes, many classes, odd numbers."""

import time

import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.decomposition import PCA
from tests.faults.reported.registry import reported

from labelscape.embeddings import OPLSDA, PLSDA
from labelscape.quality import certify, honesty


def separated(n=400):
    """Two classes 6 sd apart in the first of three columns, and a map of two."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 3)), np.arange(n) % 2
    X[:, 0] += 6 * y
    return X, X[:, :2].copy(), y


def answers(X, Z, y):
    verdict = certify(X, Z, y, random_state=0).verdict
    return verdict.real, verdict.gap


@reported("G1 questionnaire", "no gap is reported in answers of one factor")
def questionnaire(folder):
    rng, n = np.random.default_rng(0), 1000
    factor, noise = rng.normal(size=(n, 1)), rng.normal(size=(n, 10))
    X = np.clip(np.round(3 + 0.8 * factor + 0.8 * noise), 1, 5)
    y = (X[:, 0] > 3) * 2 + (X[:, 1] > 3)
    report = certify(X, X[:, :2], y, random_state=0)
    kinds = [gap.kind for gap in report.gaps]
    words = f"gap: {report.verdict.gap}; {kinds.count('gap')} pairs called a gap"
    return "gap" not in kinds, words


@reported("G1 discrete kinds", "no cut of four discrete kinds is called a gap")
def discrete_kinds(folder):
    rng, n = np.random.default_rng(1), 600
    factor, noise = rng.normal(size=(n, 1)), rng.normal(size=(n, 6))
    kinds = {
        "binary": (factor + noise > 0) * 1.0,
        "sparse": rng.poisson(0.3, (n, 6)) * 1.0,
        "Poisson(3)": rng.poisson(3.0, (n, 6)) * 1.0,
        "rounded": np.round(2 * noise) / 2,
    }
    found = {}
    for name, X in kinds.items():
        above = np.median(X, axis=0) < X
        report = certify(X, X[:, :2], 2 * above[:, 0] + above[:, 1], random_state=0)
        found[name] = sum(gap.kind == "gap" for gap in report.gaps)
    return not any(found.values()), f"pairs called a gap: {found}"


@reported("C2 one cluster", "a recipe that finds one cluster finds no gap")
def one_cluster(folder):
    X, y = np.random.default_rng(0).normal(size=(90, 4)), np.arange(90) % 2
    found = certify(X, X[:, :2], y, random_state=0, labels_from=DBSCAN())
    return found.verdict.as_good is not None, f"as good: {found.verdict.as_good}"


class Recipe:
    """A recipe that returns given labels."""

    def __init__(self, labels=None):
        self.labels = labels

    def get_params(self, deep=True):
        return {"labels": self.labels}

    def set_params(self, **params):
        return self

    def fit_predict(self, X):
        return self.labels


@reported("C2 labels", "labels of a recipe that are no labels are refused in words")
def recipe_labels(folder):
    X, y = np.random.default_rng(0).normal(size=(90, 4)), np.arange(90) % 2
    seen = []
    for labels in ([np.nan, *range(89)], np.arange(80), None, [{}] * 90):
        try:
            certify(X, X[:, :2], y, random_state=0, labels_from=Recipe(labels))
            seen.append("no error")
        except Exception as error:
            seen.append(f"{type(error).__name__}: {error}")
    return all("certify: labels_from" in one for one in seen), "; ".join(seen)


@reported("C3 data", "one impossible cell of the data turns no 'yes' into 'no'")
def impossible_cell(folder):
    seen = {}
    for value in (-999.0, 1e6):
        X, Z, y = separated()
        X[5, 0] = value
        seen[value] = *answers(X, Z, y), honesty(PCA(2), X, y, n_refits=0).verdict.gap
    return all(one == ("yes",) * 3 for one in seen.values()), f"{seen}"


@reported("C3 map", "one impossible position turns no 'yes' into 'no'")
def impossible_position(folder):
    seen = {}
    for value in (-999.0, 1e6):
        X, Z, y = separated()
        Z[5] = value
        seen[value] = answers(X, Z, y)
    return all(one == ("yes", "yes") for one in seen.values()), f"{seen}"


@reported("R1 certify", "2,000 classes of 4,000 rows take at most 10 s", is_slow=True)
def many_classes(folder):
    rng, y = np.random.default_rng(0), np.arange(4000) % 2000
    X = rng.normal(size=(4000, 10)) + 6 * rng.normal(size=(2000, 10))[y]
    return seconds_of(lambda: certify(X, X[:, :2], y, random_state=0))


@reported("R1 PLS-DA", "5,000 classes of 10,000 rows take at most 10 s", is_slow=True)
def many_indicators(folder):
    rng, y = np.random.default_rng(0), np.arange(10_000) % 5000
    X = rng.normal(size=(10_000, 10)) + 3 * rng.normal(size=(5000, 10))[y]
    return seconds_of(lambda: [model().fit(X, y) for model in (PLSDA, OPLSDA)])


def seconds_of(work):
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    return seconds <= 10, f"{seconds:.1f} s of processor time"


@reported("W1 tiny", "the unit of the data and of the map changes no answer")
def tiny(folder):
    X, Z, y = separated()
    seen = [answers(X * 1e-300, Z, y), answers(X, Z * 1e-300, y)]
    return seen == [("yes", "yes")] * 2, f"{seen}"


@reported("W1 collapsed", "a map whose classes are single points is real")
def collapsed(folder):
    y = (np.arange(24) < 11) * 1
    X = np.random.default_rng(0).normal(size=(24, 3)) + 40 * y[:, None]
    found = certify(X, np.c_[y, y] * 1.0, y, random_state=0)
    return found.verdict.real == "yes", f"{found.verdict.real}, seen {found.seen:.2f}"


@reported("W1 groups", "errors about groups of certify name certify")
def groups(folder):
    X, Z, y = separated()
    seen = []
    for given in (np.arange(7), [{}] * len(X)):
        try:
            certify(X, Z, y, given)
            seen.append("no error")
        except Exception as error:
            seen.append(str(error))
    return all(one.startswith("certify: groups") for one in seen), "; ".join(seen)
