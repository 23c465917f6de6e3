"""Sampling vectors of NE-XOM: objects call from their images, or a structure does."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from labelscape._core.threads import row_blocks
from labelscape.embeddings.xom._costs import (
    divergence_cost,
    sampled_objects,
    sampled_vectors,
)

# Rows of h that are held at a time.
ROWS_BYTES = 32 * 2**20


class Steps(NamedTuple):
    """The steps of an epoch: when, how far, how wide on the map and in the data.

    ``t`` (n,) runs from 0 to 1 over the whole fit; ``sigma(objects, at)`` are widths of
    some objects at such a time.
    """

    t: np.ndarray
    strength: np.ndarray
    gamma: np.ndarray
    sigma: Callable[..., np.ndarray]


class Rule(NamedTuple):
    """How images move: the neighbourhood on the map, the divergence, the longest step.

    A lost neighbour costs ``tau``, and a false one the rest to 1.
    """

    kernel: str
    tau: float
    clip: float

    def move(self, Y, neighbors, own, sigma, schedule):
        """Take one step for each object in ``own``, from noise off its image."""
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
        """Return the logarithm of the neighbourhood on the map at squared distances."""
        if self.kernel == "gaussian":
            return -0.5 * gaps / gamma**2
        return -np.log1p(gaps / gamma**2)


class Calls:
    """Every object calls once an epoch, from a place near its image."""

    def __init__(self, space, rule, noise):
        self._space, self._rule, self._noise = space, rule, noise
        self._sampled = sampled_objects(space.n)

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
        """Return the cost of a map Z (n, q) with the widths sigma (n,) and gamma."""
        log_g = partial(self._rule.log_g, gamma=gamma)
        places, winners = Z[self._sampled], self._sampled
        tau = self._rule.tau
        return divergence_cost(places, Z, self._space, sigma, log_g, tau, winners)


class Draws:
    """Points are drawn from a structure, as many in an epoch as there are objects."""

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
        """Return the cost of a map Z (n, q) with the widths sigma (n,) and gamma."""
        log_g = partial(self._rule.log_g, gamma=gamma)
        given = self._space, sigma, log_g, self._rule.tau
        return divergence_cost(self._sampled, Z, *given, self._winner)

    def _won_by(self, Y, s, sigma, gamma):
        """Return the object that a point s belongs to, by eq. 2 or 8."""
        from labelscape.embeddings.xom._kernels import least_divergent, nearest_image

        if self._winner == "nearest":
            return nearest_image(Y, s)
        log_g = self._rule.log_g(((Y - s[:, None]) ** 2).sum(axis=0), gamma)
        widths = sigma / self._unit
        return least_divergent(self._squares, widths, log_g, self._rule.tau)
