"""Cross-fitting over chunks: who sees which objects, and what is said of the others.

Of each object the client knows class, fold and a hash, by which copies are found; its
features stay where they are.
"""

import numpy as np

from labelscape._core.checks import label_array
from labelscape._core.chunks.lazy import array_of
from labelscape._core.chunks.parts import parts_of
from labelscape._core.chunks.recognition import is_chunked
from labelscape._core.chunks.sums import computed, shipped, task
from labelscape._core.errors import InputTypeError
from labelscape.quality._internal import row_hashes


class InMemory:
    """Objects in memory, of which each fold is held out in turn."""

    def __init__(self, X, codes, fold, columns=None):
        self.X, self.codes, self.fold, self.columns = X, codes, fold, columns

    def without(self, k, classes=None):
        """Return objects and codes of all folds but one, of some classes."""
        seen = self.fold != k
        if classes is not None:
            seen &= np.isin(self.codes, classes)
        X = self.X if self.columns is None else self.X[:, self.columns[k]]
        return X[seen], self.codes[seen]


class InChunks:
    """The same of chunks: lazy arrays, of which each chunk comes from one."""

    def __init__(self, chunks, codes, fold):
        self.chunks, self.codes, self.fold = chunks, codes, fold

    def without(self, k, classes=None):
        """Return objects and codes of all folds but one, of some classes."""
        seen = self.fold != k
        if classes is not None:
            seen &= np.isin(self.codes, classes)
        there = self.cut(seen)
        pairs = zip(self.chunks.pieces, there, strict=True)
        tasks = [task(_chosen, piece, some) for piece, some in pairs]
        sizes = [int(some.sum()) for some in there]
        like = np.empty((0, self.chunks.shape[1]), dtype=self.chunks.dtype)
        codes = np.empty(0, dtype=np.intp)
        return array_of(tasks, 0, sizes, like), array_of(tasks, 1, sizes, codes)

    def cut(self, values):
        """Return values of all objects by chunk."""
        return np.split(values, np.cumsum(self.chunks.counts.sum(axis=1))[:-1])

    def said(self, model):
        """Return what the models that did not see an object say of it (n, C)."""
        out = shipped(model)
        parts = zip(self.chunks.pieces, self.cut(self.fold), strict=True)
        return np.concatenate(
            computed(task(_said, piece, fold, out) for piece, fold in parts)
        )


def codes_and_hashes(chunks):
    """Return the class index (n,) and the hashes (n, 2) of all objects."""
    found = chunks.of_each(_hashed, chunks.low, chunks.high)
    codes, hashes = zip(*found, strict=True)
    return np.concatenate(codes), np.concatenate(hashes)


def gathered(values, *, owner, name):
    """Return a chunked column as an array, and others as they are."""
    if not is_chunked(values):
        return values
    parts = parts_of(values, owner=owner, name=name, n_dimensions=1)
    columns = computed(parts.tasks)
    return np.concatenate([label_array(column, owner=owner) for column in columns])


def check_learns_from_chunks(model, *, owner):
    """Raise unless a classifier learns from chunks: others would gather them all."""
    if not hasattr(model, "_fit_chunks"):
        raise InputTypeError(
            f"{type(model).__name__} does not learn from chunks. Take models of "
            "labelscape.prototypes or RandomFeatureClassifier, or pass a sample of X "
            "with .compute().",
            owner=owner,
            parameter="estimator",
        )


def _hashed(piece, low, high):
    return piece.classes, row_hashes(piece.X, low, high)


def _chosen(piece, there):
    return piece.X[there], piece.classes[there]


def _said(piece, fold, model):
    p = np.empty((len(piece.X), len(model.classes_)))
    for k in np.unique(fold):
        p[fold == k] = model._said(k, piece.X[fold == k])
    return p
