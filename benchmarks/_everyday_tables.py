"""Everyday tables: files, data sets of scikit-learn, and generated tables."""

import os
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
import pandas as pd
from sklearn import datasets

from labelscape.datasets import load

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))
MOST_ROWS = 3000
# Tables with clearly separated classes; all other tables are everyday tables.
EASY = ("digits", "usps", "mnist", "letter", "segmentation", "wine", "iris")
EASY += ("srbct50", "soybean", "apart 6 sd", "apart 8 sd", "textures", "glyphs")
# Easy tables with enough rows to plant 1% and 3% of errors.
RARE = ("digits", "usps", "mnist", "letter", "segmentation", "textures", "glyphs")
FEW_VALUES = ("three columns", "all binary", "led digits")


class Table(NamedTuple):
    """A table whose classes are whole numbers."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray | None = None


def half_of(name):
    """Return the half of a table, from its name; settings are chosen on "tune" only."""
    return "report" if crc32(name.encode()) % 2 else "tune"


def names():
    """Return the names of all tables."""
    return [*dict.fromkeys([*_files(), *BUNDLED, *GENERATED])]


def table(name, seed=0):
    """Return a table of at most 3,000 rows; generated tables depend on the seed."""
    rng = np.random.default_rng([crc32(name.encode()), seed])
    if name in GENERATED:
        made = GENERATED[name](rng)
        return Table(np.asarray(made[0], dtype=float), *made[1:])
    X, y = _read(_files()[name]) if name in _files() else BUNDLED[name]()
    y = np.unique(y, return_inverse=True)[1]
    if len(X) > MOST_ROWS:
        rows = np.sort(rng.permutation(len(X))[:MOST_ROWS])
        X, y = X[rows], np.unique(y[rows], return_inverse=True)[1]
    return Table(np.asarray(X, dtype=float), y)


def _files():
    """Return the files of each table; train and test parts are one table."""
    tables = {}
    for path in sorted(DATA.glob("*")):
        stem = path.name.split(".")[0]
        if path.suffix in (".csv", ".gz", ".npz") and not stem.endswith("_genes"):
            name = stem.removesuffix("_train").removesuffix("_test")
            tables.setdefault(name, []).append(path)
    return tables


def _read(paths):
    if paths[0].suffix == ".npz":
        arrays = np.load(paths[0])
        return arrays["X"], arrays["y"]
    parts = [pd.read_csv(p, keep_default_na=False, na_values=[""]) for p in paths]
    frame = pd.concat(parts, ignore_index=True)
    features, y = frame.iloc[:, :-1], frame.iloc[:, -1].astype(str)
    numbers = features.select_dtypes("number").columns
    features = features.fillna(features[numbers].median())
    words = [c for c in features if c not in numbers]
    features[words] = features[words].fillna("none")
    return pd.get_dummies(features, dtype=float).to_numpy(float), y.to_numpy()


def _progression():
    """Return the diabetes data of scikit-learn, with slow and fast progression."""
    X, y = datasets.load_diabetes(return_X_y=True)
    return X, y > np.median(y)


BUNDLED = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "breast_cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "digits": lambda: datasets.load_digits(return_X_y=True),
    "progression": _progression,
    "modes": lambda: (load("modes").X, load("modes").y),
    "gaussians": lambda: (load("gaussians").X, load("gaussians").y),
    "xor": lambda: (load("xor").X, load("xor").y),
    "checkerboard": lambda: (load("checkerboard").X, load("checkerboard").y),
}


def _clouds(n, d, n_classes, sd, shares=None):
    """Return a function that draws normal classes with centers sd apart."""

    def make(rng):
        y = rng.choice(n_classes, size=n, p=shares)
        X = rng.normal(size=(n, d))
        if n_classes == 2:
            X[:, 0] += sd * y
        else:  # corners of a simplex
            X[np.arange(n), y % d] += sd / np.sqrt(2.0)
        return X, y

    return make


def _titanic(rng):
    rank = rng.choice(4, size=2201, p=(0.15, 0.13, 0.32, 0.4))
    child, woman = rng.uniform(size=2201) < 0.05, rng.uniform(size=2201) < 0.22
    odds = -1.2 + 2.4 * woman + child + np.array([0.9, 0.1, -0.7, -0.3])[rank]
    y = rng.uniform(size=2201) < 1 / (1 + np.exp(-odds))
    return np.c_[rank, child, woman], y.astype(int)


def _votes(rng):
    y = rng.choice(2, size=435, p=(0.61, 0.39))
    side = 2.0 * y - 1.0 + 0.7 * rng.normal(size=435)
    leans = rng.uniform(0.5, 3.0, size=16) * rng.choice((-1, 1), size=16)
    chances = 1 / (1 + np.exp(-side[:, None] * leans))
    return rng.uniform(size=(435, 16)) < chances, y


LED = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"


def _led(rng):
    y = rng.integers(0, 10, size=500)
    lit = np.array([[int(c) for c in word] for word in LED.split()])[y]
    return lit ^ (rng.uniform(size=lit.shape) < 0.1), y


def _integers(rng):
    y = rng.integers(0, 3, size=400)
    profile = rng.normal(size=(3, 10)) * 0.6
    return np.clip(np.rint(3 + profile[y] + rng.normal(size=(400, 10))), 1, 5), y


def _one_hot(rng):
    """Return 287 columns for 60 positions, 14 of which separate three classes."""
    y = rng.choice(3, size=3190, p=(0.24, 0.24, 0.52))
    chances = np.full((3, 60, 5), 0.25)
    chances[:, :, 4] = 0.004
    for c in range(2):
        for j in rng.permutation(60)[:7]:
            chances[c, j] = rng.dirichlet([0.4] * 5)
    chances /= chances.sum(axis=2, keepdims=True)
    limits = chances.cumsum(axis=2)[y]
    letters = (rng.uniform(size=(3190, 60, 1)) > limits).sum(axis=2).clip(0, 4)
    return np.eye(5)[letters].reshape(3190, 300)[:, :287], y


def donors(rng, n_donors=5, effect=2.0, only_one=False):
    """Return rows of donors with both classes each; features are shifted by donor."""
    n = 60 * n_donors
    groups, y = np.arange(n) % n_donors, rng.integers(0, 2, size=n)
    X = rng.normal(size=(n, 10)) + rng.normal(size=(n_donors, 10))[groups]
    X[:, 0] += effect * y * ((groups == 0) if only_one else 1.0)
    return X, y, groups


def _rare(rng):
    y = (rng.uniform(size=900) < 1 / 31).astype(int)
    X = rng.normal(size=(900, 8))
    X[:, :2] += 2.5 * y[:, None]
    return X, y


def _small(rng):
    X, y = _clouds(150, 30, 3, 3.0)(rng)
    return X * rng.lognormal(size=30), y


def _boxes(rng):
    """Return classes that are boxes of single columns, with measurement errors."""
    X = rng.uniform(size=(1000, 8))
    y = 2 * (X[:, 0] > 0.5) + (X[:, 1] > 0.3 + 0.4 * (X[:, 2] > 0.5))
    return X + 0.05 * rng.normal(size=X.shape), y


def _heavy(rng):
    y = rng.integers(0, 3, size=700)
    X = rng.standard_t(3, size=(700, 12))
    X[np.arange(700), y] += 3.0
    return X, y


def _textures(rng):
    """Return eleven easy classes with 40 correlated columns."""
    y = rng.integers(0, 11, size=1500)
    mixing = rng.normal(size=(11, 12, 40))
    centers = 1.5 * rng.normal(size=(11, 40))
    X = np.einsum("ni,nij->nj", rng.normal(size=(1500, 12)), mixing[y]) / 3
    return X + centers[y], y


def _glyphs(rng):
    """Return 20 classes with 16 columns of whole numbers from 0 to 15."""
    y = rng.integers(0, 20, size=2000)
    centers = rng.uniform(3, 12, size=(20, 3, 16))[y, rng.integers(0, 3, size=2000)]
    return np.clip(np.rint(centers + 1.6 * rng.normal(size=(2000, 16))), 0, 15), y


def _noise(n, d, n_classes):
    return lambda rng: (rng.normal(size=(n, d)), rng.integers(0, n_classes, size=n))


GENERATED = {
    "three columns": _titanic,
    "all binary": _votes,
    "led digits": _led,
    "integers": _integers,
    "one to thirty": _rare,
    "small": _small,
    "one-hot": _one_hot,
    "crossed donors": donors,
    "boxes": _boxes,
    "heavy tails": _heavy,
    "textures": _textures,
    "glyphs": _glyphs,
    **{f"overlap {s} sd": _clouds(600, 6, 2, s) for s in (1, 1.5, 2, 2.5, 3, 3.5, 4)},
    **{f"five, {s} sd": _clouds(800, 10, 5, s) for s in (2, 3, 4, 5)},
    **{f"uneven {s} sd": _clouds(700, 5, 2, s, (0.85, 0.15)) for s in (2, 3, 4)},
    **{f"apart {s} sd": _clouds(500, 8, 4, s) for s in (6, 8)},
    **{f"noise, {c} classes": _noise(100 * c, 3 * c, c) for c in (2, 3, 4, 5)},
}
