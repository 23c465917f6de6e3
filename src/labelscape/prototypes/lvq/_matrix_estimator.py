"""What models of the LVQ family share that learn a metric beside the prototypes."""

from typing import ClassVar

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.fits.learned import numbers
from labelscape._core.points.arrays import as_numpy
from labelscape._core.rules import array, either, finite, flag, number, one_of, whole
from labelscape.prototypes.lvq._estimator import LVQ


def factors(*shape):
    """Declare matrices: of norm 1 or free, but not so large that squares overflow."""
    return numbers(*shape, low=-1e50, high=1e50)


class MetricLVQ(LVQ):
    """Base of models that learn relevances or matrices."""

    _rules: ClassVar = {"matrix_learning_rate": finite(0.0)}
    _sgd_defaults: ClassVar = LVQ._sgd_defaults | {
        "matrix_epoch": 100,
        "matrix_decay": None,
    }
    _sgd_rules: ClassVar = LVQ._sgd_rules | {
        "matrix_epoch": whole(1),
        "matrix_decay": either(number(0.0), one_of(None)),
    }

    def _schedule(self):
        sgd = self._sgd()
        return (
            super()
            ._schedule()
            ._replace(
                matrix_rate=self.matrix_learning_rate,
                matrix_epoch=sgd["matrix_epoch"],
                matrix_decay=sgd["matrix_decay"],
            )
        )


class MatrixLVQ(MetricLVQ):
    """Base of models that learn matrices, with ``n_components`` rows."""

    _rules: ClassVar = {
        "n_components": either(whole(1), one_of(None)),
        "regularization": number(0.0),
        "matrix_init": either(
            one_of("auto", "random", "identity", "pca", "lda"), array(2)
        ),
    }

    def _rows(self, N):
        """Return the number of rows of a matrix."""
        M = N if self.n_components is None else self.n_components
        if M > N:
            raise InputError(
                "n_components must be at most the number of "
                f"features ({N}), got {M}. The data have n_features = {N}.",
                owner=type(self).__name__,
                parameter="n_components",
            )
        return int(M)


class LocalMatrices:
    """Adds a matrix for each class or for each prototype."""

    _rules: ClassVar = {
        "localization": one_of("class", "prototype"),
        "normalize_local": flag(),
    }

    def _cost_settings(self, variance):
        settings = super()._cost_settings(variance)
        return settings._replace(normalize_local=self.normalize_local)

    def _n_matrices(self):
        """Return how many local matrices the fitted prototypes have."""
        if self.localization == "prototype":
            return self.prototypes_.shape[0]
        return len(np.unique(as_numpy(self.prototype_labels_)))

    def _groups(self, first):
        if self.localization == "prototype":
            return np.arange(first[-1])
        return np.repeat(np.arange(len(first) - 1), np.diff(first))
