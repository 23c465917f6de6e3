"""Neighborhoods in the data: widths, rows, costs, and the steps of NE-XOM."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from labelscape._core.points.distances import squared_norms
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks

# Initially, a neighborhood reaches this share of the samples.
WIDE = 0.8
# Bytes of rows in a block: few enough for two threads, many enough for BLAS.
BLOCK_BYTES = 4 * 2**20
LOWEST_EXPONENT = -40.0  # smallest value: exp(-40)
# An error of this size in the exponent of h changes h by 1%.
WORST_EXPONENT = 0.01
# Number of random points in the mean of a cost; each takes a row of n distances.
SAMPLED = 100
ROWS_BYTES = 32 * 2**20  # bytes of the rows of h stored at a time


def reaches(space):
    """Return the 80% quantile and the minimum of each sample's dissimilarities."""
    # Duplicates are ignored, because neighborhoods would end with a width of 0.
    n = space.n
    # The sample itself, at 0, is the first of the n sorted values, so this is the
    # quantile of the n - 1 others.
    level = (1.0 + WIDE * (n - 2)) / (n - 1)

    def block(rows):
        D = space.rows(rows)
        nearest = np.min(D, axis=1, where=D > 0.0, initial=np.inf)
        return np.quantile(D, level, axis=1), nearest

    parts = map_blocks(block, row_blocks(n, 3 * 8 * n))
    wide, nearest = map(np.concatenate, zip(*parts, strict=True))
    return wide, nearest[nearest < np.inf]  # asymmetric rows may be all 0


class DataNeighborhoods:
    """Rows of ``h = exp(-delta^2/(2 sigma^2))``, computed on demand in float32."""

    def __init__(self, space, smallest_sigma):
        self._space = space
        self._columns = None
        if isinstance(space, Points):
            self._prepare_product(space.X, smallest_sigma)

    def _prepare_product(self, X, smallest_sigma):
        """Store columns whose products are the exponents, if this is exact enough.

        [a/s^2, -|a|^2/(2 s^2), -1/(2 s^2)] . [b, 1, |b|^2] = -|a - b|^2/(2 s^2)

        The terms cancel and leave an error of a few eps |x|^2/s^2. In high dimensions,
        where neighbors are far apart, this error is negligible even in float32, which
        halves the time.
        """
        centered = X - X.mean(axis=0)
        self._unit = np.abs(centered).max()  # squares neither overflow nor vanish
        centered /= self._unit
        norms = squared_norms(centered)
        size = 8.0 * norms.max() * (self._unit / smallest_sigma) ** 2
        for dtype in (np.float32, np.float64):
            if size * np.finfo(dtype).eps < WORST_EXPONENT:
                columns = np.column_stack([centered, np.ones(len(X)), norms])
                self._columns = columns.astype(dtype)
                return

    def rows(self, samples, sigma, *, logarithms=False):
        """Return h (b, n) or ln h of some samples, each with its own sigma."""
        n = self._space.n
        H = np.empty((len(samples), n), dtype=np.float32)
        write = np.positive if logarithms else np.exp

        def fill(block):
            exponents = self._exponents(samples[block], sigma[block, None])
            np.clip(exponents, LOWEST_EXPONENT, 0.0, out=exponents)
            write(exponents, out=H[block], casting="same_kind")

        map_blocks(fill, row_blocks(len(samples), 8 * n, budget=BLOCK_BYTES))
        return H

    def _exponents(self, samples, sigma):
        """Return ``-delta^2/(2 sigma^2)`` (b, n)."""
        if self._columns is None:
            exponents = np.square(self._space.rows(samples) / sigma)
            exponents *= -0.5
            return exponents
        precision = (self._unit / sigma) ** 2
        A = self._columns[samples] * precision.astype(self._columns.dtype)
        A[:, -2:] = -0.5 * A[:, [-1, -2]]
        return A @ self._columns.T


def neighborhood_means(dissimilarities, n_new, Z, sigma):
    """Return the positions (n_new, q) of new samples on the map Z (n, q).

    A position is the mean of all fitted positions, with weights ``exp(-delta^2/(2
    sigma^2))`` as in the last step. A sample without a neighbor within sigma gets the
    position of the nearest sample, and so does a copy of a fitted sample.
    """

    def block(rows):
        D = dissimilarities(rows)
        least = D.min(axis=1, keepdims=True)
        # Relative to the nearest, the largest weight is 1 at any distance. The product
        # avoids cancellation if both are large.
        H = np.exp(-0.5 * ((D - least) / sigma) * ((D + least) / sigma))
        H /= H.sum(axis=1, keepdims=True)
        places = np.einsum("bn,nq->bq", H, Z)  # not BLAS, so that rows are independent
        return np.where(least > 0.0, places, Z[D.argmin(axis=1)])

    return np.concatenate(map_blocks(block, row_blocks(n_new, 4 * 8 * len(Z))))


# Costs: means over a few random points, always the same.


def sampled_vectors(structure):
    """Return random points (m, q) of a structure, over which the cost is averaged."""
    return structure.sample(np.random.RandomState(0), SAMPLED)


def few_samples(n):
    """Return the samples over which the cost is averaged if there is no structure."""
    return np.sort(np.random.default_rng(0).permutation(n)[:SAMPLED])


def attraction_cost(S, Z, space, sigma, winner):
    """Return the cost of XOM on a map Z (n, q), the mean over points S (m, q).

    sum_j h_sigma(delta_ij) |s - y_j|^2,   i the winner of s    (eq. 5)
    """
    gaps = cdist(S, Z, "sqeuclidean")
    widths = np.full(space.n, float(sigma))
    if winner == "nearest":
        winners = gaps.argmin(axis=1)
    else:
        with one_blas_thread():
            all_of_them = np.exp(log_neighborhoods(space, np.arange(space.n), widths))
            winners = (gaps @ all_of_them.T).argmin(axis=1)  # eq. 4
    H = np.exp(log_neighborhoods(space, winners, widths))
    return float((H * gaps).sum(axis=1).mean())


def divergence_cost(S, Z, space, sigma, log_g, tau, winner):
    """Return the cost of NE-XOM on a map Z (n, q), the mean over S (m, q).

    sum_j tau (h_ij ln(h_ij / g_j) - h_ij + g_j)              (eq. 7)
              + (1 - tau)(g_j ln(g_j / h_ij) - g_j + h_ij),   i the winner of s

    ``sigma`` (n,) contains the widths in the data. ``log_g`` is a function of squared
    distances that returns the logarithm of the neighborhood on the map. ``winner`` is
    the name of a rule, or an array with the winner of each random point.
    """
    gaps = cdist(S, Z, "sqeuclidean")
    log_G = log_g(gaps)
    if isinstance(winner, np.ndarray):
        winners = winner
    elif winner == "nearest":
        winners = gaps.argmin(axis=1)
    else:
        winners = _least_divergent(log_G, space, sigma, tau)
    log_H = log_neighborhoods(space, winners, sigma)
    H, G, log_ratio = np.exp(log_H), np.exp(log_G), log_H - log_G
    lost, false = H * log_ratio - H + G, H - G - G * log_ratio
    return float((tau * lost + (1.0 - tau) * false).sum(axis=1).mean())


def _least_divergent(log_G, space, sigma, tau):
    """Return the winners (eq. 8); terms that are equal for all samples are omitted."""
    log_H = log_neighborhoods(space, np.arange(space.n), sigma)
    H = np.exp(log_H)
    with one_blas_thread():
        lost = (H * log_H - H).sum(axis=1) - log_G @ H.T
        false = H.sum(axis=1) - np.exp(log_G) @ log_H.T
    return (tau * lost + (1.0 - tau) * false).argmin(axis=1)


def log_neighborhoods(space, samples, sigma):
    """Return ln h (m, n) of some samples; ``sigma`` (n,) has the widths of all."""
    ratios = space.rows(samples) / sigma[samples, None]
    return np.maximum(-0.5 * np.square(ratios), LOWEST_EXPONENT)


# Random points near the positions of samples, or drawn from a structure.


class Steps(NamedTuple):
    """The steps of an epoch: ``t`` (n,) runs from 0 to 1 over the fit."""

    t: np.ndarray
    strength: np.ndarray
    gamma: np.ndarray
    sigma: Callable[..., np.ndarray]


class MoveRule(NamedTuple):
    """Rule of movement; a lost neighbor costs ``tau``, a false neighbor ``1 - tau``."""

    kernel: str
    tau: float
    clip: float

    def move(self, Y, neighbors, own, sigma, schedule):
        """Take one step for each sample in ``own``, from a point near its position."""
        from labelscape.embeddings.xom import _kernels as kernels

        plain = self.tau == 1.0
        H = neighbors.rows(own, sigma, logarithms=not plain)
        if plain:
            take_steps = getattr(kernels, f"{self.kernel}_steps")
            take_steps(Y, own, H, *schedule, self.clip)
        else:
            take_steps = getattr(kernels, f"{self.kernel}_tau_steps")
            take_steps(Y, own, H, *schedule, self.clip, self.tau)

    def log_g(self, gaps, gamma):
        """Return the log of the neighborhood on the map at squared distances."""
        if self.kernel == "gaussian":
            return -0.5 * gaps / gamma**2
        return -np.log1p(gaps / gamma**2)

    def cost(self, places, Z, space, sigma, gamma, winner):
        """Return the cost of a map Z (n, q) with the widths sigma (n,) and gamma."""
        log_g = partial(self.log_g, gamma=gamma)
        return divergence_cost(places, Z, space, sigma, log_g, self.tau, winner)


class Calls:
    """Steps without a structure: in an epoch, each sample attracts neighbors once."""

    def __init__(self, space, rule, noise):
        self._space, self._rule, self._noise = space, rule, noise
        self._few = few_samples(space.n)

    def take_steps(self, Y, neighbors, steps, random_state):
        """Take the steps of one epoch on the map Y (q, n)."""
        n = Y.shape[1]
        order = random_state.permutation(n)
        sigma = steps.sigma(order, steps.t)
        noise = self._noise(random_state, steps.gamma)
        for part in row_blocks(n, 4 * n, ROWS_BYTES):
            schedule = noise[part], steps.strength[part], steps.gamma[part]
            self._rule.move(Y, neighbors, order[part], sigma[part], schedule)

    def cost(self, Z, sigma, gamma):
        """Return the cost of a map Z (n, q): each sample is its own winner."""
        few = self._few
        return self._rule.cost(Z[few], Z, self._space, sigma, gamma, few)


class Draws:
    """Steps with a structure: one random point per sample in each epoch."""

    def __init__(self, space, rule, structure, winner):
        self._space, self._rule = space, rule
        self._structure, self._winner = structure, winner
        self._sampled = sampled_vectors(structure)
        if winner == "heskes":
            D = space.matrix()
            self._unit = D.max()  # squares neither overflow nor vanish
            self._squares = (D / self._unit) ** 2

    def take_steps(self, Y, neighbors, steps, random_state):
        """Take the steps of one epoch on the map Y (q, n)."""
        for k, s in enumerate(self._structure.sample(random_state, self._space.n)):
            sigma = steps.sigma(slice(None), steps.t[k])
            own = np.array([self._won_by(Y, s, sigma, steps.gamma[k])])
            at = slice(k, k + 1)
            schedule = s - Y[:, own].T, steps.strength[at], steps.gamma[at]
            self._rule.move(Y, neighbors, own, sigma[own], schedule)

    def cost(self, Z, sigma, gamma):
        """Return the cost of a map Z (n, q), a mean over points of the structure."""
        winner = self._winner
        return self._rule.cost(self._sampled, Z, self._space, sigma, gamma, winner)

    def _won_by(self, Y, s, sigma, gamma):
        """Return the sample to which a point s belongs, by eq. 2 or 8."""
        from labelscape.embeddings.xom._kernels import least_divergent, nearest_image

        if self._winner == "nearest":
            return nearest_image(Y, s)
        log_g = self._rule.log_g(((Y - s[:, None]) ** 2).sum(axis=0), gamma)
        widths = sigma / self._unit
        return least_divergent(self._squares, widths, log_g, self._rule.tau)
