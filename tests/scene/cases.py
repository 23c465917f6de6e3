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
