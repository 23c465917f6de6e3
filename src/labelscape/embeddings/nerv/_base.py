"""What maps of soft neighbours share: rules, the descent, and places of new objects."""

from typing import ClassVar

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.errors import InputError
from labelscape._core.fits.learned import Learned, curve
from labelscape._core.fits.progress import Progress
from labelscape._core.optimize import minimize_lbfgs
from labelscape._core.rules import either, finite, number, one_of, whole
from labelscape.embeddings._base import MapEstimator, fitted_objects, is_given
from labelscape.embeddings._initialization import (
    on_principal_axes,
    parted,
    straight_map,
)
from labelscape.embeddings.nerv._stress import (
    narrowing,
    soft_neighbors,
    stress_and_slope,
)
from labelscape.embeddings.tsne._engine import usual_perplexity


class SoftNeighborMap(MapEstimator):
    """Base of the maps whose images should have the soft neighbours of their objects.

    A subclass calls ``_map_of(X, given, labels, taus)`` in its fit. Where widths on the
    map are other ones than in the data, it writes ``_on_map(neighbors)``.
    """

    # What the model remembers of its objects; model files leave it out.
    _training_data = ("embedding_", "training_X_")
    _rules: ClassVar = {
        "perplexity": either(one_of("auto"), number(low=1)),
        "max_iter": whole(1),
        "tol": number(low=0),
    }
    _learned: ClassVar[Learned] = {
        "training_X_": fitted_objects,
        "perplexity_": finite(low=1),
        "stress_": finite(),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

    def _map_of(self, X, given, labels, taus):
        """Return the map of a space, and keep what the fit learned."""
        if given.n < 2:
            raise InputError(
                f"neighbours need at least two objects, got n_samples = {given.n}.",
                owner=type(self).__name__,
            )
        self.perplexity_ = self._chosen_perplexity(given.n)
        start = parted(straight_map(given, self.n_components))
        Z = self._descend(np.ascontiguousarray(start.T), given, (labels, taus))
        self.training_X_ = None if is_given(self.metric) else check_X(self, X)
        self.embedding_ = on_principal_axes(Z.T)
        return self.embedding_

    def _on_map(self, neighbors):
        """Return the neighbours with the widths that they have on the map."""
        return neighbors

    def _chosen_perplexity(self, n):
        """Return the perplexity for n objects, or say that they are too few for it."""
        if isinstance(self.perplexity, str):
            return float(usual_perplexity(n))
        if self.perplexity > n - 1:
            raise InputError(
                "perplexity must be at most the number of other objects "
                f"({n - 1}), got {self.perplexity:g}. Lower it, leave it at 'auto', or "
                "fit more objects.",
                owner=type(self).__name__,
                parameter="perplexity",
            )
        return float(self.perplexity)

    def _descend(self, Z, given, costs):
        """Return the map (q, n) below Z, and keep the story of the descent."""
        perplexities, own = narrowing(self.perplexity_, given.n), np.arange(given.n)
        total = self.max_iter * len(perplexities)
        self.n_iter_ = 0
        with Progress.of(self, total) as progress:
            for perplexity in perplexities:
                neighbors = self._on_map(
                    soft_neighbors(given.rows, own, given.n, perplexity)
                )
                Z, stopped = self._narrowed(Z, neighbors, costs, perplexity, progress)
                if stopped:
                    break
        return Z

    def _narrowed(self, Z, neighbors, costs, perplexity, progress):
        """Return the map (q, n) below Z at one perplexity, and whether to stop."""
        # In units of sigma, so that the first step is about right in any unit of X.
        unit = np.sqrt(0.5 / np.median(neighbors.w))
        self.loss_curve_ = []

        def objective(z):
            map_ = z.reshape(Z.shape) * unit
            stress, slope = stress_and_slope(map_, neighbors, *costs)
            return stress, slope.ravel() * unit

        def after(z, stress):
            self.n_iter_ += 1
            self.loss_curve_.append(stress)
            return progress.watched and progress.step(
                self.n_iter_,
                stress,
                named="stress",
                perplexity=float(perplexity),
                embedding=z.reshape(Z.shape).T * unit,
            )

        found = minimize_lbfgs(
            objective,
            Z.ravel() / unit,
            max_iter=self.max_iter,
            tol=self.tol,
            on_iteration=after,
        )
        self.stress_ = found.value
        return found.x.reshape(Z.shape) * unit, found.stopped
