"""What XOM and NE-XOM share: the frame of a fit, and places for new objects."""

from typing import ClassVar

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X
from labelscape._core.chunks.lazy import lazy
from labelscape._core.errors import InputError
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.learned import Learned, curve
from labelscape._core.fits.papers import AsInPaper
from labelscape._core.rules import (
    array,
    check_argument,
    check_params,
    either,
    finite,
    number,
    one_of,
    whole,
)
from labelscape.embeddings._base import MapEstimator, fitted_objects, is_given
from labelscape.embeddings._out_of_sample import placed, rows_of_new
from labelscape.embeddings.stress._weights import inverse_weights
from labelscape.embeddings.xom._neighborhoods import neighborhood_means, reaches
from labelscape.embeddings.xom._structures import (
    RULES,
    checked_sites,
    fields_of,
    structure_of,
)

POSITIVE = number(above=0)
POSITIVE_OR_NONE = either(POSITIVE, one_of(None))
# The winner of Heskes takes n^2 exponentials in every step.
LARGEST_FOR_HESKES = 500
# Receptive fields are told of so many sites at most.
MOST_SITES = 10**6


class ExploratoryMap(AsInPaper, MapEstimator):
    """Base of the maps that sampling vectors arrange.

    A subclass writes ``_explored(given, judge, wide, nearest)``, which returns the map
    (n, q) and counts ``n_iter_``; and ``_one_place(n)``, the map of n objects that are
    all the same. ``wide`` and ``nearest`` are the reaches of the objects.
    """

    # What the model remembers of its objects; model files leave it out.
    _training_data = ("embedding_", "training_X_")
    _rules: ClassVar = RULES | {
        "winner": one_of("nearest", "heskes"),
        "learning_rate": POSITIVE,
        "learning_rate_end": POSITIVE,
        "sigma_end": POSITIVE_OR_NONE,
        "init": either(one_of("pca", "random"), array(2)),
    }
    _learned: ClassVar[Learned] = {
        "training_X_": fitted_objects,
        "neighbour_width_": POSITIVE,
        "_scale": POSITIVE,
        "_short": POSITIVE,
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
            Class labels, if the metric uses them.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        given = self._space(X, y)
        judge = SampledStress(given)
        self.loss_curve_, self.n_iter_ = [], 0
        if len(judge.delta):
            wide, nearest = reaches(given)
            self.neighbour_width_ = float(0.5 * np.median(nearest))
            Z = self._explored(given, judge, wide, nearest)
        else:
            self.neighbour_width_ = 1.0  # any is right
            Z = self._one_place(given.n)
        self.embedding_, self.stress_ = Z, judge.stress(Z)
        # For the pivot rule: the unit of the map, and which distances count as short.
        self._scale = judge.scale(Z)
        self._short = float(np.quantile(judge.delta, 0.05)) if len(judge.delta) else 1.0
        self.training_X_ = None if is_given(self.metric) else check_X(self, X)
        return self.embedding_

    @lazy
    def transform(self, X, *, method="neighbours"):
        """Place new objects on the map; those fitted stay where they are.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New objects; if ``metric="precomputed"``, their dissimilarities to the
            fitted ones, of shape (n_new, n_samples).
        method : {"neighbours", "pivot"}, default="neighbours"
            "neighbours": the mean of all images, weighted by a neighbourhood in the
            data of width ``neighbour_width_``. "pivot": where distances to all fitted
            objects fit best, as in :class:`Sammon`; fewer neighbours are kept then.

        Returns
        -------
        Z : ndarray of shape (n_new, n_components)
            Their places.
        """
        methods = one_of("neighbours", "pivot")
        check_argument(type(self).__name__, "method", method, methods)
        X, rows = rows_of_new(self, X)
        Z = self.embedding_
        if method == "neighbours":
            return neighborhood_means(rows, len(X), Z, self.neighbour_width_)
        weights = inverse_weights(self._short / self._scale, len(Z))
        return placed(
            lambda new: rows(new) / self._scale, len(X), Z, weights, (1.0, 1.0)
        )

    def receptive_fields(self, sites=None):
        """Return which fitted objects belong to which site of the structure.

        An object belongs to the site that its image is nearest to (eq. 1). What an
        object of a field has in common with the others, the site stands for.

        Parameters
        ----------
        sites : array-like of shape (n_sites, n_components), default=None
            Points of the map. None: the sites of a lattice, the centres of Gaussians,
            or the points given as ``structure``.

        Returns
        -------
        ReceptiveFields
            With ``sites``; ``nearest``, for each object the number of its site; and
            ``members(site)``, the objects in the field of one.
        """
        name = type(self).__name__
        check_is_fitted(self)
        if "embedding_" not in vars(self):
            raise InputError(
                "receptive_fields looks at the images of the fitted objects, and the "
                "model was saved without them. Use save(model, path, "
                "include_data=True), or fit again.",
                owner=name,
            )
        Z = self.embedding_
        if sites is not None:
            check_argument(name, "sites", sites, array(2))
            return fields_of(checked_sites(sites, Z.shape[1], name, "sites"), Z)
        structure = None if self.structure is None else self._shape(len(Z))
        if structure is None or not 1 <= structure.n_sites <= MOST_SITES:
            count = 0 if structure is None else structure.n_sites
            raise InputError(
                f"structure={self.structure!r} has {count or 'no'} sites for objects "
                "to belong to. Pass points of the map as sites, or fit with "
                "structure='lattice' and fewer n_sites.",
                owner=name,
                parameter="sites",
            )
        return fields_of(structure.sites(), Z)

    def _shape(self, n):
        """Return the structure that n objects should fill."""
        return structure_of(
            self.structure,
            self.n_components,
            n,
            self.n_sites,
            self.spread,
            owner=type(self).__name__,
        )

    def _check_heskes(self, n):
        if self.winner == "heskes" and n > LARGEST_FOR_HESKES:
            raise InputError(
                "winner='heskes' takes n^2 operations a step and is offered for "
                f"up to {LARGEST_FOR_HESKES} objects, got {n}. Use winner='nearest'.",
                owner=type(self).__name__,
                parameter="winner",
            )

    def _report(self, progress, judge, Y, epoch, cost, **rates):
        """Keep the cost of one epoch and tell who watches; return whether to stop."""
        self.loss_curve_.append(cost)
        return progress.watched and progress.step(
            epoch,
            cost,
            named="cost",
            epoch=epoch,
            stress=judge.stress(Y.T),
            **rates,
            embedding=Y.T,
        )


# Sammon's stress of a map of any scale, on a sample of the objects.

LARGEST_SAMPLE = 2000


class SampledStress:
    """Judges maps of the same objects, all of them up to 2000, else 2000 at random.

    Pairs at dissimilarity 0 have no weight in Sammon's stress and are left out. The
    sample is always the same, so watching a fit does not change it.
    """

    def __init__(self, space):
        n = space.n
        chosen = np.random.default_rng(0).permutation(n)[:LARGEST_SAMPLE]
        self.objects = np.sort(chosen)
        delta = space.subset(self.objects).condensed()
        self._differ = delta > 0.0
        self.delta = delta[self._differ]

    def stress(self, Z):
        """Return ``1 - (sum d)^2 / (sum d^2/delta * sum delta)``: 0 is exact.

        That is the stress of the map after its best scaling, ``scale(Z)``.
        """
        first, second = self._sums(Z)
        if second == 0.0:  # all in one place: right if nothing differs
            return float(len(self.delta) > 0)
        return float(1.0 - first * (first / second) / self.delta.sum())

    def scale(self, Z):
        """Return the factor ``b = sum d / sum(d^2/delta)`` that fits Z to the data."""
        first, second = self._sums(Z)
        return float(first / second) if second > 0.0 else 1.0

    def _sums(self, Z):
        d = pdist(Z[self.objects])[self._differ]
        return d.sum(), (d * (d / self.delta)).sum()
