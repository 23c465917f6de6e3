"""What Sammon, CCA, DD-HDS and ClassiMap share: all but the weight of a pair."""

from itertools import chain
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_X
from labelscape._core.chunks.lazy import lazy
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.learned import Learned, curve
from labelscape._core.fits.progress import Progress
from labelscape._core.rules import (
    Rule,
    array,
    check_params,
    either,
    finite,
    number,
    one_of,
    whole,
)
from labelscape.embeddings._base import MapEstimator, fitted_objects, is_given
from labelscape.embeddings._initialization import (
    initial_map,
    on_principal_axes,
    straight_map,
)
from labelscape.embeddings._out_of_sample import placed, rows_of_new
from labelscape.embeddings.stress._pivots import STAGES, Descent, Sample
from labelscape.embeddings.stress._weights import UNLABELED, Spread, falling_weights

# More turns of the pivot rule than this change class-aware scores by less than 0.01,
# whatever n is.
MOST_PIVOTS = 50_000


def _is_spread(value):
    four = type(value) is tuple and len(value) == len(Spread._fields)
    return four and all(number(0).holds(part) for part in value)


class StressMap(MapEstimator):
    """Base of the maps that lower ``sum w |delta - d|^p``: subclasses say what w is.

    A subclass has the parameters of this family and writes ``_weights(labels, spread)``
    which returns two ``Weights``: for the pivot rule, and for the stress.
    """

    # What the model remembers of its objects; model files leave it out.
    _training_data = ("embedding_", "training_X_", "_spread")
    # Turns that each object has as pivot, where there are few objects.
    _turns = 50
    # For weights that do not narrow.
    lambda_start = lambda_end = 1.0
    _rules: ClassVar = {
        "p": whole(1, 2),
        "init": either(one_of("pca", "random"), array(2)),
        "n_pivots": either(one_of(None), whole(0, limit=10**7)),
        "max_iter": whole(0),
        "tol": number(low=0),
    }
    _learned: ClassVar[Learned] = {
        "training_X_": fitted_objects,
        "_spread": Rule("a tuple of four numbers of at least 0", _is_spread),
        "stress_": finite(),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

    @tells_callbacks
    def fit_transform(self, X, y=None):
        """Compute the map of X and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects, or their dissimilarities if ``metric="precomputed"``.
        y : array-like of shape (n_samples,), default=None
            Class labels, where the method or the metric uses them.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        given = self._space(X, y)
        labels = self._labels(y, given)
        sample = Sample(given)
        random_state = check_random_state(self.random_state)
        Z = self._start(given, sample.spread, random_state)
        self.stress_, self.loss_curve_, self.n_iter_ = 0.0, [], 0
        if sample.spread.mean > 0.0:
            weights = self._weights(labels, sample.spread)
            lambdas = (float(self.lambda_start), float(self.lambda_end))
            descent = Descent(given, sample, weights, self.p, lambdas)
            Z = self._descend(Z, descent, random_state)

        self._spread = tuple(sample.spread)
        self.training_X_ = None if is_given(self.metric) else check_X(self, X)
        # Who gives a start keeps its orientation.
        keep = not isinstance(self.init, str)
        self.embedding_ = Z.T.copy() if keep else on_principal_axes(Z.T)
        return self.embedding_

    @lazy
    def transform(self, X):
        """Place new objects on the map; those fitted stay where they are.

        A new object begins at the image of its nearest neighbour and follows the pivot
        rule with all fitted objects as pivots. One that equals a fitted object gets its
        place. Labels are not used.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New objects; if ``metric="precomputed"``, their dissimilarities to the
            fitted ones, of shape (n_new, n_samples).

        Returns
        -------
        Z : ndarray of shape (n_new, n_components)
            Their places.
        """
        X, rows = rows_of_new(self, X)
        labels = np.full(len(self.embedding_), UNLABELED)
        weights = self._weights(labels, Spread(*self._spread))[0]
        lambdas = (float(self.lambda_start), float(self.lambda_end))
        return placed(rows, len(X), self.embedding_, weights, lambdas)

    def _needed_to_place(self):
        return self._training_data

    def _labels(self, y, given):
        """Return the class number of each object, -1 for none."""
        return np.full(given.n, UNLABELED)

    def _start(self, given, spread, random_state):
        """Return the first map (q, n).

        The straight view is taken as it is: the pivot rule parts what coincides.
        """
        q = self.n_components
        if isinstance(self.init, str) and self.init == "pca":
            Z = straight_map(given, q)
        else:
            name = type(self).__name__
            Z = initial_map(self.init, given, q, random_state, owner=name)
        if isinstance(self.init, str) and self.init == "random":
            Z *= spread.mean / np.sqrt(2.0 * q)  # distances are right on average
        return np.ascontiguousarray(Z.T)

    def _descend(self, Z, descent, random_state):
        """Return the map (q, n) below Z, and keep the story of the descent."""
        n_pivots = self.n_pivots
        if n_pivots is None:
            n_pivots = min(self._turns * descent.given.n, MOST_PIVOTS)
        steps = chain(
            descent.by_pivots(Z, n_pivots, random_state),
            descent.by_majorization(Z, self.max_iter, self.tol),
        )
        total = STAGES + self.max_iter
        bar = Progress.of(self, total)
        stress = descent.sampled_stress()
        value = None
        with bar as progress:
            for Z, lam, value in steps:
                self.n_iter_ += 1
                if progress.watched and value is None:
                    value = stress(Z)
                if value is not None:
                    self.loss_curve_.append(value)
                if progress.watched and progress.step(
                    self.n_iter_,
                    value,
                    named="stress",
                    **self._news(lam),
                    embedding=Z.T,
                ):
                    break
        self.stress_ = stress(Z) if value is None else value
        return Z

    def _news(self, lam):
        return {"epoch": self.n_iter_, "lambda": lam}


# What CCA, DD-HDS and ClassiMap share: weights that narrow with lambda.


class NarrowingMap(StressMap):
    """Base of the maps whose weights fall by F, around less and less of each object.

    A subclass says by ``_kind`` which number of a pair F is taken of.
    """

    weighting = "normal"
    _rules: ClassVar = {
        "lambda_start": number(above=0),
        "lambda_end": number(above=0),
    }

    def _weights(self, labels, spread):
        weights = falling_weights(self._kind, labels, spread, self.weighting)
        return weights, weights
