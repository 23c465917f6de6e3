"""Base of SNE and ClassNeRV: parameters, optimization, and positions of new samples."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from labelscape._core.checks import check_intact
from labelscape._core.estimator import Progress, shared_parameters
from labelscape._core.learned import Learned
from labelscape._core.numerics import minimize_lbfgs
from labelscape._core.params import either, finite, number, one_of, whole
from labelscape._core.rows.answers import lazy
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array
from labelscape.embeddings._base import (
    MAP_TEXTS,
    ComparingMap,
    on_principal_axes,
    rows_of_new,
    separated,
    straight_map,
)
from labelscape.embeddings.tsne._base import usual_perplexity

TEXTS = MAP_TEXTS | {
    "perplexity": """
    perplexity : float or "auto", default="auto"
        Effective number of neighbors, at most n - 1. "auto" is 30, or (n - 1) / 3 if
        that is smaller.""",
    "descent": """
    max_iter : int, default=300
        Maximum number of L-BFGS iterations at each perplexity.
    tol : float, default=1e-5
        If an iteration lowers the stress by less than tol, continue with the next
        perplexity.""",
    "callback": """
    callback : callable or None, default=None
        Called after every iteration with a dict of ``iteration``, ``stress``,
        ``perplexity`` and ``embedding`` (the map before rotation). Returning
        ``True`` stops the fit.""",
    "attributes": """
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, centered and on its principal axes, in the units of the data.
    stress_ : float
        The minimized cost, at the last perplexity.
    loss_curve_ : list of float
        The cost after every iteration at the last perplexity.
    n_iter_ : int
        Number of iterations, at all perplexities.
    perplexity_ : float
        The last perplexity.""",
}
_RUN = ("perplexity", "metric", "descent", "verbose", "callback")
TEXTS["run"] = "".join(TEXTS[name] for name in _RUN)


@dataclass(eq=False, repr=False, kw_only=True)
class SoftNeighborMap(ComparingMap):
    """Base of maps that preserve soft neighbors."""

    # A subclass defines ``_costs(y, given)``, which returns classes and the costs tau
    # inside and between them, and ``_map_w``, the width on the map (None: as in the
    # data).
    perplexity: float | str = "auto"
    max_iter: int = 300
    tol: float = 1e-5

    _rules: ClassVar = {
        "perplexity": either(one_of("auto"), number(low=1)),
        "max_iter": whole(1),
        "tol": number(low=0),
    }
    _learned: ClassVar[Learned] = {
        "perplexity_": finite(low=1),
    }

    @lazy
    @shared_parameters(TEXTS)
    def transform(self, X) -> Array:
        """Place new samples on the map; fitted samples stay where they are.

        A new sample starts at the position of its nearest neighbor and moves to
        minimize its own stress. New samples have no class, so :class:`ClassNeRV`
        uses ``tau_inter`` for all their pairs. A copy of a fitted sample gets the
        position of that sample.

        Parameters
        ----------
        {new_X}

        {places}
        """
        X, rows = rows_of_new(self, X)
        how = (self.embedding_, self.perplexity_, self._new_tau, self._map_w)
        return placed_among(rows, len(X), *how)

    def _map_of(self, given, y):
        costs = self._costs(y, given)
        if given.n < 2:
            raise self._error(
                f"the map needs at least two samples, got n_samples = {given.n}."
            )
        self.perplexity_ = self._chosen_perplexity(given.n)
        start = separated(straight_map(given, self.n_components))
        Z = self._descend(np.ascontiguousarray(start.T), given, costs)
        return on_principal_axes(Z.T)

    def _on_map(self, neighbors):
        """Return the neighbors, with the widths that the map uses."""
        return neighbors

    def _chosen_perplexity(self, n):
        """Return the perplexity for n samples; raise an error if n is too small."""
        if isinstance(self.perplexity, str):
            return float(usual_perplexity(n))
        if self.perplexity > n - 1:
            raise self._error(
                "perplexity must be at most the number of other samples "
                f"({n - 1}), got {self.perplexity:g}. Lower it, leave it at 'auto', or "
                "fit more samples.",
                "perplexity",
            )
        return float(self.perplexity)

    def _descend(self, Z, given, costs):
        """Return the map (q, n), optimized from Z, and store the loss curve."""
        n, perplexities = given.n, narrowing(self.perplexity_, given.n)
        self.n_iter_ = 0
        with Progress.of(self, self.max_iter * len(perplexities)) as progress:
            for perplexity in perplexities:
                shares = soft_neighbors(given.rows, np.arange(n), n, perplexity)
                neighbors = self._on_map(shares)
                Z, stopped = self._narrowed(Z, neighbors, costs, perplexity, progress)
                if stopped:
                    break
        return Z

    def _narrowed(self, Z, neighbors, costs, perplexity, progress):
        """Return the optimized map (q, n) at one perplexity, and whether to stop."""
        # In units of sigma, the first step has the right size for any unit of X.
        unit = np.sqrt(0.5 / np.median(neighbors.w))
        self.loss_curve_: list[float] = []

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

        lowest = minimize_lbfgs(
            objective,
            Z.ravel() / unit,
            max_iter=self.max_iter,
            tol=self.tol,
            on_iteration=after,
        )
        self.stress_ = lowest.value
        return lowest.x.reshape(Z.shape) * unit, lowest.stopped


# Bytes of rows in a block: so few that 1000 samples fill two threads.
BLOCK_BYTES = 4 * 2**20


class SoftNeighbors(NamedTuple):
    """Soft neighbors of m samples among n: ``w`` (m,) and ``log_beta`` (m, n)."""

    w: np.ndarray
    log_beta: np.ndarray


def narrowing(perplexity, n):
    """Return the perplexities of a fit: n/2, n/4, ..., down to ``perplexity``."""
    halvings = max(1, int(np.ceil(np.log2(n / perplexity))))
    return [max(n / 2.0**k, perplexity) for k in range(1, halvings + 1)]


def soft_neighbors(rows, own, n, perplexity):
    """Return soft neighbors of m samples among n; ``own`` (m,) is their index or -1."""
    from labelscape.embeddings.nerv._kernels import soft_neighbors_of_rows

    shares = SoftNeighbors(np.empty(len(own)), np.empty((len(own), n)))

    def fill(block):
        parts = shares.w[block], shares.log_beta[block]
        D = np.ascontiguousarray(rows(block))
        soft_neighbors_of_rows(D, own[block], perplexity, *parts)

    map_blocks(fill, row_blocks(len(own), 8 * n, BLOCK_BYTES))
    return shares


def stress_and_slope(Z, neighbors, labels, taus):
    """Return the mean stress of the map Z (q, n) with labels (n,), and its gradient."""
    from labelscape.embeddings.nerv._kernels import stress_of_rows

    n = Z.shape[1]

    def block(rows):
        slope = np.zeros(Z.shape)
        span = rows.start, rows.stop
        return stress_of_rows(Z, *neighbors, labels, taus, *span, slope), slope

    parts = map_blocks(block, row_blocks(n, 8 * n, BLOCK_BYTES))
    return sum(part[0] for part in parts) / n, sum(part[1] for part in parts) / n


def placed_among(dissimilarities, n_new, Z, perplexity, tau, map_w=None):
    """Return the positions (n_new, q) of new samples on the map Z (n, q)."""
    # All pairs have the cost ``tau``. The width on the map is ``map_w`` (None: as in
    # the data).
    from labelscape.embeddings.nerv._kernels import settle

    n, images = len(Z), np.ascontiguousarray(Z.T)

    def place(rows):
        D = dissimilarities(rows)
        check_intact(D.shape[1] == n, "embedding_ and training_X_")
        w, log_beta = soft_neighbors(D.__getitem__, np.full(len(D), -1), n, perplexity)
        w = w if map_w is None else np.full(len(D), map_w)
        places = Z[D.argmin(axis=1)]
        for i in np.flatnonzero(D.min(axis=1) > 0.0):
            settle(places[i], w[i], log_beta[i], images, tau)
        return places

    return np.concatenate(map_blocks(place, row_blocks(n_new, 8 * n, 2**20)))
