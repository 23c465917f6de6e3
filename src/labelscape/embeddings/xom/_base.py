"""Base of XOM and NE-XOM: the fit, new samples, and structures."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist, pdist

from labelscape._core.checks import numbers_argument
from labelscape._core.errors import InputError
from labelscape._core.estimator import AsInPaper, shared_parameters
from labelscape._core.learned import Learned
from labelscape._core.params import array, check_argument, either, number, one_of, whole
from labelscape._core.rows.answers import lazy
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array
from labelscape.embeddings._base import (
    MAP_TEXTS,
    ComparingMap,
    check_remembers,
    rows_of_new,
)
from labelscape.embeddings.stress._descent import placed
from labelscape.embeddings.stress._weights import inverse_weights
from labelscape.embeddings.xom._neighborhoods import neighborhood_means, reaches

# Standard deviation of a Gaussian, relative to the distance to the next center.
SPREAD = 0.25
NAMES = ("box", "disc", "lattice", "gaussians")
# Allowed values of ``structure``, if it is required.
RULES = {
    "structure": either(one_of(*NAMES), array(2)),
    "n_sites": either(whole(1, limit=10**6), one_of(None)),
    "spread": either(number(low=0), one_of(None)),
    "winner": one_of("nearest", "heskes"),
}
POSITIVE = number(above=0)
POSITIVE_OR_NONE = either(POSITIVE, one_of(None))
# With ``winner="heskes"``, every step needs n^2 exponentials.
LARGEST_FOR_HESKES = 500
XOM_TEXTS = MAP_TEXTS | {
    "metric": """
    metric : {"euclidean", "precomputed"}, callable or object, default="euclidean"
        How distances are measured. "precomputed" means that X is a matrix of
        dissimilarities. A function takes two samples and returns a number, as in
        scikit-learn. Dissimilarities may be asymmetric: ``X[i, j]`` or ``metric(x_i,
        x_j)`` is used if sample i attracts sample j. In ``transform``, fitted samples
        attract new samples. The initial map, global quantiles and ``stress_`` use the
        mean of the two directions. An object must have ``fit`` and
        ``pairwise``, such as ``FisherMetric()``; its fitted copy is ``metric_``.""",
    "n_sites": """
    n_sites : int or None, default=None
        Number of sites of the structure "lattice" (None: about one per sample) or
        "gaussians" (required).
    spread : float or None, default=None
        Standard deviation of each Gaussian of the structure. None means a quarter of
        the distance to the next Gaussian, or 0 if ``structure`` is an array.""",
    "stress": """
    stress_ : float
        Sammon stress of the map at its best scale, on at most 2000 samples.""",
    "width": """
    neighbor_width_ : float
        Width of the neighborhoods that ``transform`` uses: half the median distance to
        the nearest neighbor.""",
}
MOST_SITES = 10**6  # receptive fields are reported for at most this many sites


@dataclass(eq=False, repr=False, kw_only=True)
class ExploratoryMap(AsInPaper, ComparingMap):
    """Base of XOM and NE-XOM, which move samples toward random points.

    A subclass implements ``_explored(given, pairs, wide, nearest)``, which returns the
    map (n, q) and sets ``n_iter_``; and ``_one_place(n)``, the map of n equal samples.
    ``wide`` and ``nearest`` are distances of the samples, see `reaches`.
    """

    structure: Any = "box"
    learning_rate: float = 0.5
    learning_rate_end: float = 0.01
    sigma: Any = None
    sigma_end: float | None = None
    init: Any = "pca"
    random_state: Any = None

    _symmetric = False  # eqs. 2 to 9 use one direction only
    _rules: ClassVar = RULES | {
        "learning_rate": POSITIVE,
        "learning_rate_end": POSITIVE,
        "sigma_end": POSITIVE_OR_NONE,
        "init": either(one_of("pca", "random"), array(2)),
    }
    _learned: ClassVar[Learned] = {
        "neighbor_width_": POSITIVE,
        "_scale": POSITIVE,
        "_short": POSITIVE,
    }

    def _map_of(self, given, y):
        pairs = SampledStress(given)
        self.loss_curve_, self.n_iter_ = [], 0
        if len(pairs.delta):
            wide, nearest = reaches(given)
            self.neighbor_width_ = float(0.5 * np.median(nearest))
            Z = self._explored(given, pairs, wide, nearest)
        else:
            self.neighbor_width_ = 1.0  # any width is right: all samples are equal
            Z = self._one_place(given.n)
        self.stress_ = pairs.stress(Z)
        # For the pivot rule: the unit of the map, and the limit of short distances.
        self._scale = pairs.scale(Z)
        self._short = float(np.quantile(pairs.delta, 0.05)) if len(pairs.delta) else 1.0
        return Z

    @lazy
    @shared_parameters(MAP_TEXTS)
    def transform(self, X, *, method="neighbors") -> Array:
        """Place new samples on the map; fitted samples stay where they are.

        Parameters
        ----------
        {new_X}
        method : {"neighbors", "pivot"}, default="neighbors"
            "neighbors" uses the mean of fitted positions, weighted by a Gaussian of
            width ``neighbor_width_`` in the data. "pivot" uses the position that fits
            the distances to all fitted samples best, but preserves fewer neighbors.

        {places}
        """
        methods = one_of("neighbors", "pivot")
        check_argument(type(self).__name__, "method", method, methods)
        X, rows = rows_of_new(self, X)
        Z = self.embedding_
        if method == "neighbors":
            return neighborhood_means(rows, len(X), Z, self.neighbor_width_)
        weights = inverse_weights(self._short / self._scale, len(Z))
        return placed(
            lambda new: rows(new) / self._scale, len(X), Z, weights, (1.0, 1.0)
        )

    def receptive_fields(self, sites=None) -> Array:
        """Return the fitted samples that belong to each site of the structure.

        A sample belongs to the site nearest to its position on the map (eq. 1).

        Parameters
        ----------
        sites : array-like of shape (n_sites, n_components), default=None
            Points of the map. None means the sites of a lattice, the centers of
            Gaussians, or the points given as ``structure``.

        Returns
        -------
        ReceptiveFields
            Contains ``sites``; ``nearest``, the index of the site of each sample; and
            ``members(site)``, the samples of one site.
        """
        name = type(self).__name__
        check_remembers(self, ["embedding_"], "receptive_fields needs the positions of")
        Z = self.embedding_
        if sites is not None:
            check_argument(name, "sites", sites, array(2))
            return fields_of(checked_sites(sites, Z.shape[1], name, "sites"), Z)
        structure = None if self.structure is None else self._shape(len(Z))
        if structure is None or not 1 <= structure.n_sites <= MOST_SITES:
            count = 0 if structure is None else structure.n_sites
            raise self._error(
                f"structure={self.structure!r} has {count or 'no'} sites, but 1 to "
                f"{MOST_SITES} are needed. Pass positions on the map as sites, or fit "
                "with structure='lattice' and a smaller n_sites.",
                "sites",
            )
        return fields_of(structure.sites(), Z)

    @property
    def _choices(self):
        """The map or variant that has ``n_sites``, ``spread`` and ``winner``."""
        return self

    def _shape(self, n):
        """Return the structure that the map of n samples should fill."""
        wanted, name = (
            (self._choices.n_sites, self._choices.spread),
            type(self).__name__,
        )
        return structure_of(self.structure, self.n_components, n, *wanted, owner=name)

    def _check_heskes(self, n):
        if self._choices.winner == "heskes" and n > LARGEST_FOR_HESKES:
            raise self._error(
                "winner='heskes' takes n^2 operations per step and is limited to "
                f"{LARGEST_FOR_HESKES} samples, got {n}. Use winner='nearest'.",
                "winner",
            )

    def _report(self, progress, pairs, Y, epoch, cost, **rates):
        """Store and report the cost of one epoch; return whether to stop."""
        self.loss_curve_.append(cost)
        return progress.watched and progress.step(
            epoch,
            cost,
            named="cost",
            epoch=epoch,
            stress=pairs.stress(Y.T),
            **rates,
            embedding=Y.T,
        )


# Sammon's stress of a map of any scale, on some of the samples.

LARGEST_SAMPLE = 2000


class SampledStress:
    """Sammon's stress of maps, for all samples or for 2000 random ones."""

    # Pairs with dissimilarity 0 are omitted. The random sample is always the same, so
    # that a callback does not change the fit.

    def __init__(self, space):
        n = space.n
        self.samples = np.sort(np.random.default_rng(0).permutation(n)[:LARGEST_SAMPLE])
        delta = space.subset(self.samples).mean_of_directions().condensed()
        self._differ = delta > 0.0
        self.delta = delta[self._differ]

    def stress(self, Z):
        """Return 1 - (sum d)^2 / (sum d^2/delta * sum delta): stress at best scale."""
        first, second = self._sums(Z)
        if second == 0.0:  # all points coincide: exact if all samples are equal
            return float(len(self.delta) > 0)
        return float(1.0 - first * (first / second) / self.delta.sum())

    def scale(self, Z):
        """Return the factor ``b = sum d / sum(d^2/delta)`` that fits Z to the data."""
        first, second = self._sums(Z)
        return float(first / second) if second > 0.0 else 1.0

    def _sums(self, Z):
        d = pdist(Z[self.samples])[self._differ]
        return d.sum(), (d * (d / self.delta)).sum()


# Structures: the distribution of random points, and the samples of each site.


class Structure(NamedTuple):
    """The shape that a map should fill; initial maps are scaled to ``radius``."""

    sample: Callable[[Any, int], np.ndarray]  # draws random points (count, q)
    center: np.ndarray
    radius: float
    n_sites: int = 0  # 0 if random points can be anywhere
    sites: Callable[[], np.ndarray] | None = None  # (m, q), centers of random points


def structure_of(given, n_components, n_samples, n_sites, spread, *, owner):
    """Return the structure for the parameters of an estimator."""
    if not isinstance(given, str):
        return mixture(checked_sites(given, n_components, owner), spread or 0.0)
    if given == "box":
        return box(n_components)
    if given == "disc":
        return disc(n_components)
    if given == "lattice":
        return lattice(n_components, n_sites or n_samples)
    if n_sites is None:
        raise InputError(
            "structure='gaussians' needs n_sites, the number of Gaussians. To use your "
            "own centers, pass them as structure.",
            owner=owner,
            parameter="n_sites",
        )
    return gaussians(n_components, n_sites, spread)


def box(n_components):
    """Return the structure that is uniform in the unit cube."""

    def sample(random_state, count):
        return random_state.uniform(size=(count, n_components))

    return Structure(sample, _middle(n_components), 0.5)


def disc(n_components):
    """Return the structure that is uniform in the ball inside the unit cube."""

    def sample(random_state, count):
        direction = random_state.normal(size=(count, n_components))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        # The volume within r grows as r^q.
        r = random_state.uniform(size=(count, 1)) ** (1.0 / n_components)
        return 0.5 + 0.5 * r * direction

    return Structure(sample, _middle(n_components), 0.5)


def lattice(n_components, n_sites):
    """Return the lattice of about ``n_sites`` equal cells of the unit cube."""
    side = max(2, round(n_sites ** (1.0 / n_components)))

    def sample(random_state, count):
        return (random_state.randint(side, size=(count, n_components)) + 0.5) / side

    def sites():
        cells = np.indices((side,) * n_components).reshape(n_components, -1).T
        return (cells + 0.5) / side

    middle, radius = _middle(n_components), 0.5 - 0.5 / side
    return Structure(sample, middle, radius, side**n_components, sites)


def gaussians(n_components, n_sites, spread=None):
    """Return a mixture of equal Gaussians on a regular polygon, or evenly on a line."""
    centers = np.full((n_sites, n_components), 0.5)
    if n_sites > 1 and n_components == 1:
        centers[:, 0] = np.linspace(0.0, 1.0, n_sites)
    elif n_sites > 1:
        angle = 2.0 * np.pi * np.arange(n_sites) / n_sites
        centers[:, 0] += 0.5 * np.cos(angle)
        centers[:, 1] += 0.5 * np.sin(angle)
    if spread is None:
        gap = np.linalg.norm(centers[1] - centers[0]) if n_sites > 1 else 1.0
        spread = SPREAD * gap
    return mixture(centers, spread)


def mixture(sites, spread):
    """Return a mixture of Gaussians of width ``spread`` around ``sites`` (m, q)."""
    center = sites.mean(axis=0)
    radius = np.sqrt(np.mean(np.sum((sites - center) ** 2, axis=1)) + spread**2)

    def sample(random_state, count):
        drawn = sites[random_state.randint(len(sites), size=count)]
        return drawn + spread * random_state.normal(size=drawn.shape)

    return Structure(sample, center, float(radius), len(sites), lambda: sites)


def fitted_into(structure, Z):
    """Return the map Z (n, q), moved and scaled to fit into a structure."""
    Z = Z - Z.mean(axis=0)
    size = np.linalg.norm(Z, axis=1).max()
    return structure.center + Z * (structure.radius / size if size > 0.0 else 0.0)


class ReceptiveFields(NamedTuple):
    """The site of a structure to which each sample belongs (eq. 1)."""

    sites: np.ndarray  # (n_sites, n_components) the sites
    # (n_samples,) Index of the site nearest to each sample; the first in a tie.
    nearest: np.ndarray

    def members(self, site):
        """Return the indices of the samples that belong to the site with this index."""
        return np.flatnonzero(self.nearest == site)


def fields_of(sites, Z):
    """Return the samples that belong to each of the sites (m, q) on a map Z (n, q)."""
    blocks = row_blocks(len(Z), 8 * len(sites))
    nearest = map_blocks(lambda rows: cdist(Z[rows], sites).argmin(axis=1), blocks)
    return ReceptiveFields(sites, np.concatenate(nearest))


def _middle(n_components):
    return np.full(n_components, 0.5)


def checked_sites(given, n_components, owner, parameter="structure"):
    """Check given points (m, q), and return them as an array of numbers."""
    sites = numbers_argument(owner, parameter, given)
    if sites.shape[1] != n_components or not len(sites) or not np.isfinite(sites).all():
        raise InputError(
            f"{parameter} must contain finite points with one column per component "
            f"({n_components}), got an array of shape {sites.shape}.",
            owner=owner,
            parameter=parameter,
        )
    return sites
