"""Learning from chunks: the same fit, of objects that stay where they are."""

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.chunks.labeled import labeled_chunks
from labelscape._core.label_signal import MOST_COMPARED, warn_if_labels_say_nothing
from labelscape._core.threads import one_blas_thread
from labelscape.prototypes.lvq.chunked.training_set import ChunkedSet


class ChunkLearning:
    """Adds Dask's arrays and data frames to what the LVQ family is fitted to."""

    def _fit_chunks(self, X, y, sample_weight, validation):
        """Fit as `fit` does, with sums over chunks in place of those over objects."""
        incomplete = self.missing == "ignore"
        chunks = labeled_chunks(
            self,
            X,
            y,
            sample_weight,
            allow_nan=incomplete,
            class_factors=None if self.class_weight is None else self._class_factors,
        )
        self.classes_ = chunks.classes
        if self._is_map(chunks.shape[1]):
            some = chunks.by_class(MOST_COMPARED)
            owner = type(self).__name__
            warn_if_labels_say_nothing(some.X, some.classes, owner=owner, stacklevel=5)
        rng = check_random_state(self.random_state)
        layout = self._layout(self._counts(len(chunks)))
        with one_blas_thread():
            center, spread = self._moments_of_chunks(chunks)
            data = ChunkedSet(chunks, center.astype(chunks.dtype), incomplete)
            settings = self._settings(float(np.mean(spread)), chunks.dtype)
            self._learn(data, chunks.weight, layout, settings, rng, validation)
        return self

    def _class_factors(self, classes, counts):
        """Return what multiplies the weights of each class."""
        if isinstance(self.class_weight, str):  # "balanced"
            return counts.sum() / (len(classes) * np.maximum(counts, 1))
        factors = self._class_weights(classes)
        self._check_class_weights(factors)
        return factors

    def _moments_of_chunks(self, chunks):
        """Return mean and variance of each feature over the objects that have it."""
        total, shares = chunks.added(_first_moment)
        self._check_shares(shares)
        center = total / shares
        return center, chunks.added(_second_moment, center) / shares


def _first_moment(piece):
    observed = ~np.isnan(piece.X)
    total = piece.weights @ np.where(observed, piece.X, 0.0)
    return total, piece.weights @ observed


def _second_moment(piece, center):
    return piece.weights @ np.nan_to_num(piece.X - center, nan=0.0) ** 2
