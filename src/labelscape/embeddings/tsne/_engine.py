"""What the t-SNE maps share over openTSNE: all but where neighbours come from."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError
from labelscape._core.fits.learned import Learned
from labelscape._core.fits.progress import Progress
from labelscape._core.points.spaces import Points
from labelscape._core.rules import array, either, finite, number, one_of, whole
from labelscape._core.threads import n_workers
from labelscape.embeddings._initialization import initial_map

# Neighbours that count, softly, where there are objects enough.
USUAL_PERPLEXITY = 30
# openTSNE looks for the width of a Gaussian from 1 on, and does not get very far.
SHORTEST, LONGEST = 1e-10, 1e10
# Where t-SNE begins: small, so that points can pass each other (Kobak, Berens 2019).
INITIAL_SPREAD = 1e-4
# Up to so many objects, threads of openTSNE wait longer than they work.
FEW_OBJECTS = 1000
# Steps of a finished map whose neighbours have changed a little.
MORE_STEPS = 30

TSNE_TEXTS = {
    "tsne": """
    n_components : {1, 2}, default=2
        Dimensions of the map.
    perplexity : float or "auto", default="auto"
        How many neighbours count, softly; below a third of the objects. "auto" is 30,
        or what fewer than 91 objects allow.""",
    "optimization": """
    init : {"pca", "spectral", "random"} or array, default="pca"
        Where the map begins: PCA scores of X, eigenvectors of the affinities, chance,
        or the given places, of shape (n_samples, n_components). Only their shape
        counts: they are scaled down to a standard deviation of 1e-4.
    early_exaggeration : float, default=12
        Factor on all attractions in the first iterations.
    early_exaggeration_iter : int, default=250
        Number of these.
    exaggeration : float or None, default=None
        Factor on all attractions afterwards; values above 1 give denser clusters.
    learning_rate : float or "auto", default="auto"
        Length of steps; "auto" is n divided by the exaggeration.
    max_iter : int, default=500
        Iterations after the early ones.
    n_jobs : int or None, default=1
        Threads of openTSNE, at most one per core; -1 for all cores, None for one. Up to
        1,000 objects it is one.""",
    "callback": """
    callback : callable or None, default=None
        Called after every iteration with a dict of ``iteration``, ``kl_divergence`` and
        ``embedding``. Returning ``True`` stops the fit.""",
    "tsne_attributes": """
    embedding_ : ndarray of shape (n_samples, n_components)
        The map.
    kl_divergence_ : float
        What t-SNE minimises: how badly neighbours on the map tell those in the data.
    n_iter_ : int
        Iterations, early ones included.
    perplexity_ : float
        How many neighbours counted.""",
}


class TSNEMap:
    """Mixin of the t-SNE maps: a subclass finds the neighbours of its objects.

    It has the parameters that this class has rules for, ``random_state``, ``verbose``
    and ``callback``.
    """

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
        """Choose the perplexity for n objects; return how many neighbours it needs."""
        owner = type(self).__name__
        self.perplexity_ = chosen_perplexity(self.perplexity, n, owner=owner)
        return n_tsne_neighbors(self.perplexity_, n)

    def _tsne_map(self, X, distances, indices):
        """Return the t-SNE map (n, q) of objects whose neighbours are known.

        Sets ``kl_divergence_`` and ``n_iter_``.

        Shapes: X (n, d), distances, indices (n, k).
        """
        import openTSNE

        name, random_state = type(self).__name__, check_random_state(self.random_state)
        P = affinities(distances, indices, self.perplexity_)
        Z = initial_places(self.init, X, P, self.n_components, random_state, owner=name)
        total = self.early_exaggeration_iter + self.max_iter
        with Progress.of(self, total) as progress:
            watch = _Watch(progress)
            tsne = openTSNE.TSNE(
                n_components=Z.shape[1],
                **repulsion(len(Z)),
                early_exaggeration=self.early_exaggeration,
                early_exaggeration_iter=self.early_exaggeration_iter,
                exaggeration=self.exaggeration,
                learning_rate=self.learning_rate,
                n_iter=self.max_iter,
                n_jobs=threads_for(len(Z), self.n_jobs),
                callbacks=watch if progress.watched else None,
                callbacks_every_iters=1,
                random_state=random_state,
            )
            # openTSNE scales P in place, so it gets a matrix of its own.
            given = openTSNE.affinity.PrecomputedAffinities(P, normalize=False)
            embedding = tsne.fit(affinities=given, initialization=Z)
        return self._settled(embedding, watch, total)

    def _moved_map(self, Z, distances, indices):
        """Return a finished map (n, q) after a few steps among other neighbours."""
        from openTSNE import TSNEEmbedding
        from openTSNE.affinity import PrecomputedAffinities

        P = affinities(distances, indices, self.perplexity_)
        with Progress.of(self, MORE_STEPS) as progress:
            watch = _Watch(progress)
            embedding = TSNEEmbedding(
                Z.copy(),
                PrecomputedAffinities(P, normalize=False),
                **repulsion(len(Z)),
                exaggeration=self.exaggeration,
                learning_rate=self.learning_rate,
                n_jobs=threads_for(len(Z), self.n_jobs),
                callbacks=watch if progress.watched else None,
                callbacks_every_iters=1,
            ).optimize(MORE_STEPS)
        return self._settled(embedding, watch, MORE_STEPS)

    def _settled(self, embedding, watch, total):
        """Keep how far the map came, and return its places."""
        stopped = 0 < watch.iteration < total
        self.kl_divergence_ = watch.error if stopped else float(embedding.kl_divergence)
        self.n_iter_ = watch.iteration if stopped else total
        return np.array(embedding, dtype=np.float64)


def threads_for(n, n_jobs):
    """Return how many threads work on a map of n objects: one on few objects.

    A step has several parts, and after each the threads wait for each other.
    """
    return n_workers(n_jobs) if n > FEW_OBJECTS else 1


def repulsion(n):
    """Return how openTSNE is to sum up the repulsion of n objects.

    It takes a tree below 10,000, and the Fourier transform from there on. Up to 20,000
    a tree on two cores is faster still, because wide maps need a large grid, and comes
    nearer to the exact sum.
    """
    if 10_000 <= n <= 20_000:
        return {"negative_gradient_method": "bh", "theta": 0.8}
    return {}


def usual_perplexity(n):
    """Return the perplexity for n objects of which nobody has said another."""
    return min(USUAL_PERPLEXITY, max(1.0, (n - 1) / 3))


def chosen_perplexity(perplexity, n, *, owner):
    """Return the perplexity for n objects, or say that they are too few for it."""
    is_open = isinstance(perplexity, str)
    if is_open and n < 4:
        raise InputError(
            f"t-SNE needs at least 4 objects (n_samples = {n}).", owner=owner
        )
    if is_open:
        perplexity = usual_perplexity(n)
    if perplexity >= n / 3:
        raise InputError(
            "perplexity must be below a third of the objects "
            f"(n_samples = {n}), got {perplexity:g}. Lower it, leave it at 'auto', or "
            "fit more objects.",
            owner=owner,
            parameter="perplexity",
        )
    return perplexity


def n_tsne_neighbors(perplexity, n):
    """Return how many of n - 1 neighbours a perplexity needs."""
    return min(n - 1, int(np.ceil(3 * perplexity)))


def affinities(distances, indices, perplexity):
    """Return t-SNE's symmetric affinities P (n, n), sparse, from given neighbours.

    Gaussians of the distances (n, k), each with the width that gives the perplexity.
    """
    from openTSNE.affinity import joint_probabilities_nn

    # Each object has its own width, so that the unit of its distances is free.
    units = distances.mean(axis=1, keepdims=True)
    usual = (units == 0.0) | ((units > SHORTEST) & (units < LONGEST))
    if not usual.all():
        distances = distances / np.where(usual, 1.0, units)
    return joint_probabilities_nn(indices, distances, [perplexity]).tocsr()


def initial_places(init, X, P, n_components, random_state, *, owner):
    """Return where t-SNE begins (n, q): the places that ``init`` asks for, shrunk."""
    if isinstance(init, str) and init == "spectral":
        from openTSNE.initialization import spectral

        Z = spectral(P, n_components, random_state=random_state)
    else:
        given = Points(X)
        Z = initial_map(init, given, n_components, random_state, owner=owner)
    spread = Z[:, 0].std()
    if spread == 0.0:  # all objects are the same: chance parts them
        Z, spread = random_state.normal(size=Z.shape), 1.0
    return Z * (INITIAL_SPREAD / spread)


class _Watch:
    """Counts iterations over both phases, and tells the user of each."""

    def __init__(self, progress):
        self.progress, self.iteration, self.error = progress, 0, np.inf

    def __call__(self, iteration, error, embedding):
        self.iteration += 1
        self.error = float(error)
        return self.progress.step(
            self.iteration,
            self.error,
            named="kl_divergence",
            embedding=np.array(embedding),
        )
