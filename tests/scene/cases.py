"""Small data and models that several tests look at."""

from functools import cache

import numpy as np
from sklearn.datasets import load_iris

from labelscape.prototypes import LiRaMLVQ, PushAndGrow


def iris(n=None):
    """Return iris with names as classes: all of it, or n objects of all classes."""
    X, y = load_iris(return_X_y=True)
    chosen = np.arange(150) if n is None else np.linspace(0, 149, n).astype(int)
    return X[chosen], np.array(["setosa", "versicolor", "virginica"])[y][chosen]


@cache
def liram():
    """Return a fitted model with a plane of its own."""
    return LiRaMLVQ(prototypes_per_class=2, random_state=0).fit(*iris())


@cache
def push_and_grow():
    """Return a fitted model without a map."""
    return PushAndGrow().fit(*iris())


def centers(regions):
    """Return the columns and rows of a grid: the middles of its cells."""
    x0, y0, x1, y1 = regions.box
    rows, columns = regions.labels.shape
    x = x0 + (np.arange(columns) + 0.5) * (x1 - x0) / columns
    y = y0 + (np.arange(rows) + 0.5) * (y1 - y0) / rows
    return x, y
