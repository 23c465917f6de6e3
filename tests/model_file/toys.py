"""A model of a few lines, and how to compare what comes back of it."""

import json
import struct
import zipfile
from dataclasses import dataclass, is_dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from labelscape._model_file import load, save

__all__ = ["Toy"]  # what model files see of a room


class Toy(ClassifierMixin, TransformerMixin, BaseEstimator):
    """Class means, and whatever else a test hangs on it."""

    _training_data = ("embedding_",)

    def __init__(self, scale=1.0, *, metric=None, callback=None, random_state=None):
        self.scale = scale
        self.metric = metric
        self.callback = callback
        self.random_state = random_state

    def fit(self, X, y):
        X = validate_data(self, X)
        self.classes_, index = np.unique(y, return_inverse=True)
        self.means_ = np.stack([X[index == c].mean(axis=0) for c in np.unique(index)])
        self.embedding_ = X[:, :2]
        return self

    def transform(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return self.scale * np.linalg.norm(X[:, None] - self.means_, axis=2)

    def predict(self, X):
        nearest = self.transform(X).argmin(axis=1)
        return self.classes_[nearest]


class Pair(NamedTuple):
    first: object
    second: object


@dataclass(frozen=True)
class Grid:
    labels: np.ndarray
    width: float


def through_a_file(model, path, **options):
    save(model, path, **options)
    return load(path)


def with_state(value):
    model = Toy()
    model.state_ = value
    return model


def manifest_of(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))


def assert_same(a, b):
    """Compare two values to the last bit, types and memory order included."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.flags.writeable
        if a.dtype == object:
            assert_same(a.ravel().tolist(), b.ravel().tolist())
        else:
            assert a.tobytes() == b.tobytes()
            assert a.flags.f_contiguous == b.flags.f_contiguous or not b.flags.forc
    elif isinstance(a, np.generic):
        assert (a.dtype, a.tobytes()) == (b.dtype, b.tobytes())
    elif isinstance(a, float):
        assert struct.pack("d", a) == struct.pack("d", b)
    elif isinstance(a, list | tuple):
        assert len(a) == len(b)
        for left, right in zip(a, b, strict=True):
            assert_same(left, right)
    elif isinstance(a, dict):
        assert_same(list(a.items()), list(b.items()))
    elif sparse.issparse(a):
        assert a.shape == b.shape
        for part in ("data", "indices", "indptr"):
            assert_same(getattr(a, part), getattr(b, part))
    elif isinstance(a, BaseEstimator) or is_dataclass(a):
        rebuilt = getattr(a, "_rebuilt", ())
        assert_same(
            *({k: v for k, v in vars(m).items() if k not in rebuilt} for m in (a, b))
        )
    else:
        assert a == b
