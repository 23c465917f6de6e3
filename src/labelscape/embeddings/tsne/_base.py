"""Base of the t-SNE maps: parameters, iterations, and fits to some samples."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError
from labelscape._core.estimator import (
    Printed,
    Progress,
)
from labelscape._core.labels import check_labels
from labelscape._core.learned import Learned, indices, numbers
from labelscape._core.params import (
    array,
    either,
    finite,
    number,
    one_of,
    whole,
)
from labelscape._core.points.spaces import Points
from labelscape._core.threads import one_blas_thread
from labelscape._resampling.sampling import drawn_by_class
from labelscape.embeddings._base import (
    initial_map,
)
from labelscape.embeddings.kernel_map._placement import KERNEL_TEXTS, PlacingMap
from labelscape.embeddings.tsne._descent import Descent

USUAL_PERPLEXITY = 30  # default perplexity, if there are enough samples
# openTSNE searches for the width of a Gaussian, from 1 and within a limited range.
SHORTEST, LONGEST = 1e-10, 1e10
# Size of the initial map: small, so that points can pass each other (Kobak, Berens
# 2019).
INITIAL_SPREAD = 1e-4
MORE_STEPS = 30  # iterations after small changes of neighbors on a finished map

TSNE_TEXTS = KERNEL_TEXTS | {
    "tsne": """
    n_components : {1, 2}, default=2
        Dimensions of the map.
    perplexity : float or "auto", default="auto"
        Effective number of neighbors, below a third of the number of samples. "auto" is
        30, or (n - 1) / 3 for fewer than 91 samples.""",
    "optimization": """
    init : {"pca", "spectral", "random"} or array, default="pca"
        Initial map: PCA scores of X, eigenvectors of the affinities, random positions,
        or an array of shape (n_samples, n_components). Each is rescaled to a standard
        deviation of 1e-4.
    early_exaggeration : float, default=12
        Factor by which attractions are multiplied in the first iterations.
    early_exaggeration_iter : int, default=250
        Number of iterations with early exaggeration.
    exaggeration : float or None, default=None
        Factor by which attractions are multiplied afterwards; values above 1 give
        denser clusters.
    learning_rate : float or "auto", default="auto"
        Step size; "auto" is n divided by the exaggeration.
    max_iter : int, default=500
        Number of iterations after those with early exaggeration.
    n_jobs : int or None, default=1
        1 and None use one thread; any other number uses all cores.""",
    "callback": """
    callback : callable or None, default=None
        Called after every iteration with a dict of ``iteration``, ``kl_divergence`` and
        ``embedding``. Returning ``True`` stops the fit.""",
    "tsne_attributes": """
    embedding_ : ndarray of shape (n_samples, n_components)
        The map.
    kl_divergence_ : float
        The minimized divergence between neighbors in the data and on the map.
    n_iter_ : int
        Number of iterations, including the early ones.
    perplexity_ : float
        The perplexity that was used.""",
    "train_size": """
    train_size : int, float, "auto" or None, default=None
        Number or fraction of samples to which the map is fitted; with labels, the same
        fraction of each class. Samples that are not fitted are placed like new ones,
        without labels. None means all samples, "auto" at most 5000.""",
    "partly_fitted": """
    train_indices_ : ndarray of shape (n_fitted,)
        Indices of the fitted samples. ``embedding_`` has a row for
        each sample, fitted or placed.
    training_X_ : ndarray of shape (n_fitted, n_features)
        The fitted samples.""",
    "fisher": """
    metric : FisherMetric or None, default=None
        The metric; a copy of it is fitted to the labels. None means
        ``FisherMetric(regularization=0.3)``.""",
    "fisher_attributes": """
    metric_ : FisherMetric
        The fitted metric.""",
    "labeled": """
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        Class labels; None only if the metric has a fitted estimator.""",
}
_RUN = ("optimization", "seed", "verbose", "callback")
TSNE_TEXTS["run"] = "".join(TSNE_TEXTS[name] for name in _RUN)


@dataclass(eq=False, repr=False, kw_only=True)
class TSNEMap:
    """Mixin of the t-SNE maps; a subclass finds the neighbors of its samples."""

    n_components: int = field(default=2, kw_only=False)
    perplexity: float | str = field(default="auto", kw_only=False)
    init: Any = "pca"
    early_exaggeration: float = 12
    early_exaggeration_iter: int = 250
    exaggeration: float | None = None
    learning_rate: float | str = "auto"
    max_iter: int = 500
    n_jobs: int | None = 1
    # As in all estimators.
    random_state: Any = None
    verbose: bool = False
    callback: Any = None

    _rules: ClassVar = {
        "n_components": whole(1, 2),
        "perplexity": either(one_of("auto"), number(low=1)),
        "init": either(one_of("pca", "spectral", "random"), array(2)),
        "early_exaggeration": number(low=1),
        "early_exaggeration_iter": whole(0),
        "exaggeration": either(one_of(None), number(low=1)),
        "learning_rate": either(one_of("auto"), number(above=0)),
        "max_iter": whole(1),
    }
    _learned: ClassVar[Learned] = {
        "perplexity_": finite(above=0),
        "kl_divergence_": finite(),
        "n_iter_": whole(0),
    }

    def _count_neighbors(self, n):
        """Choose the perplexity for n samples; return the number of neighbors."""
        owner = type(self).__name__
        self.perplexity_ = chosen_perplexity(self.perplexity, n, owner=owner)
        return n_tsne_neighbors(self.perplexity_, n)

    def _tsne_map(self, X, P, copy=slice(None)):
        """Return the map of X from affinities P (n, n)."""
        name, random_state = type(self).__name__, check_random_state(self.random_state)
        Z = initial_places(self.init, X, P, self.n_components, random_state, owner=name)
        phases = (
            (self.early_exaggeration_iter, self.early_exaggeration),
            (self.max_iter, self.exaggeration),
        )
        return self._descended(Z, P, phases, copy)

    def _moved_map(self, Z, P, copy):
        """Continue from a finished map (n, q) for a few steps with new affinities."""
        return self._descended(Z, P, [(MORE_STEPS, self.exaggeration)], copy)

    def _descended(self, Z, P, phases, copy):
        """Return the map after phases of iterations, each with its exaggeration."""
        total, points = sum(n for n, _ in phases), Descent(Z, P, self.n_jobs)
        with Progress.of(self, total) as progress, one_blas_thread():
            watch = _StepWatch(progress, copy)
            for n_iter, exaggeration in phases:
                watched = watch if progress.watched else None
                if points.run(n_iter, exaggeration, self.learning_rate, watched):
                    break
        stopped = 0 < watch.iteration < total
        self.kl_divergence_ = watch.error if stopped else points.divergence()
        self.n_iter_ = watch.iteration if stopped else total
        return points.places[copy]


def usual_perplexity(n):
    """Return the default perplexity for n samples."""
    return min(USUAL_PERPLEXITY, max(1.0, (n - 1) / 3))


def chosen_perplexity(perplexity, n, *, owner):
    """Return the perplexity for n samples; raise an error if n is too small."""
    is_open = isinstance(perplexity, str)
    if is_open and n < 4:
        raise InputError(
            f"t-SNE needs at least 4 samples (n_samples = {n}).", owner=owner
        )
    if is_open:
        perplexity = usual_perplexity(n)
    if perplexity >= n / 3:
        raise InputError(
            f"perplexity must be below n_samples / 3 (n_samples = {n}), got "
            f"{perplexity:g}. Lower it, leave it at 'auto', or fit more samples.",
            owner=owner,
            parameter="perplexity",
        )
    return perplexity


def n_tsne_neighbors(perplexity, n):
    """Return the number of neighbors for a perplexity, at most n - 1."""
    return min(n - 1, int(np.ceil(3 * perplexity)))


def affinities(distances, indices, perplexity, **options):
    """Return t-SNE's affinities P (n, n), sparse, from distances and indices (n, k).

    Options are passed to openTSNE's ``joint_probabilities_nn``.
    """
    from openTSNE.affinity import joint_probabilities_nn

    # Each sample has its own width, so the unit of distances does not matter.
    units = distances.mean(axis=1, keepdims=True)
    usual = (units == 0.0) | ((units > SHORTEST) & (units < LONGEST))
    if not usual.all():
        distances = distances / np.where(usual, 1.0, units)
    return joint_probabilities_nn(indices, distances, [perplexity], **options).tocsr()


def initial_places(init, X, P, n_components, random_state, *, owner):
    """Return the rescaled initial positions (n, q) of t-SNE."""
    if isinstance(init, str) and init == "spectral":
        from openTSNE.initialization import spectral

        Z = spectral(P, n_components, random_state=random_state)
    else:
        Z = initial_map(init, Points(X), n_components, random_state, owner=owner)
    spread = Z[:, 0].std()
    if spread == 0.0:  # all samples are the same: start at random
        Z, spread = random_state.normal(size=Z.shape), 1.0
    return Z * (INITIAL_SPREAD / spread)


class _StepWatch:
    """Counts and reports the iterations of both phases."""

    def __init__(self, progress, copy):
        self.progress, self.copy, self.iteration, self.error = progress, copy, 0, np.inf

    def __call__(self, iteration, error, embedding):
        self.iteration += 1
        self.error = float(error)
        return self.progress.step(
            self.iteration,
            self.error,
            named="kl_divergence",
            embedding=np.array(embedding)[self.copy],
        )


# Maps fitted to some of the samples, which place the others.

# This many samples are mapped in seconds, and are enough to show the structure.
QUICK = 5000


KERNELS_IN_PAPER = {
    "train_size": Printed(
        0.1, "All samples are fitted; the paper uses a tenth to save time."
    ),
    "bandwidth": Printed(
        "global", "Cross-validation chooses the best of seven widths."
    ),
    "ridge": Printed(0.0, "A small ridge penalty prevents extreme positions."),
}


@dataclass(eq=False, repr=False, kw_only=True)
class PartlyFitted(TSNEMap, PlacingMap):
    """Base of maps fitted to ``train_size`` samples, listed in ``train_indices_``."""

    train_size: int | float | str | None = None

    _rules: ClassVar = {
        "train_size": either(one_of("auto", None), whole(3), number(above=0, below=1))
    }
    _learned: ClassVar[Learned] = {
        "embedding_": numbers("mapped samples", "components"),
        "train_indices_": indices("samples", of="mapped samples"),
    }

    def _with_others(self, X, Z, fitted):
        """Place the samples that were not fitted; store and return the whole map."""
        self.train_indices_ = fitted
        self.embedding_ = np.empty((len(X), Z.shape[1]))
        self.embedding_[fitted] = Z
        others = np.delete(np.arange(len(X)), fitted)
        if len(others):
            self.embedding_[others] = self._placed_by_parts(X[others])
        return self.embedding_

    def _fitted_places(self):
        return self.embedding_[self.train_indices_]


def drawn_samples(train_size, y, n, random_state, *, owner):
    """Return sorted indices of the samples to fit; class proportions are preserved."""
    if train_size is None:
        return np.arange(n)
    count = train_size
    if isinstance(train_size, str):
        count = min(n, QUICK)
    elif isinstance(train_size, float | np.floating):
        count = int(np.ceil(train_size * n))
    if count > n:
        raise InputError(
            f"train_size={train_size} is more than the {n} samples in X. Give a "
            "smaller number, a share between 0 and 1, or None for all.",
            owner=owner,
            parameter="train_size",
        )
    class_of = np.zeros(n, dtype=int)
    if y is not None:
        class_of = check_labels(y, n, owner=owner)[1]
    return drawn_by_class(class_of, count, check_random_state(random_state))
