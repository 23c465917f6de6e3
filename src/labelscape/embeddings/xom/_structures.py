"""Structures: where sampling vectors come from, and which objects belong to which."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from labelscape._core.checks import numbers_argument
from labelscape._core.errors import InputError
from labelscape._core.rules import array, either, number, one_of, whole
from labelscape._core.threads import map_blocks, row_blocks

# Standard deviation of a Gaussian, as a part of the way to the next centre.
SPREAD = 0.25
NAMES = ("box", "disc", "lattice", "gaussians")
# What the parameters of a structure may be, where one must be given.
RULES = {
    "structure": either(one_of(*NAMES), array(2)),
    "n_sites": either(whole(1, limit=10**6), one_of(None)),
    "spread": either(number(low=0), one_of(None)),
}


class Structure(NamedTuple):
    """What a map should fill.

    ``sample(random_state, count)`` draws sampling vectors (count, q). A first map whose
    points lie within ``radius`` of ``center`` lies among them. ``sites()`` returns the
    points (m, q) that sampling vectors stand at or around; there are ``n_sites``, none
    where sampling vectors are everywhere.
    """

    sample: Callable[[Any, int], np.ndarray]
    center: np.ndarray
    radius: float
    n_sites: int = 0
    sites: Callable[[], np.ndarray] | None = None


def structure_of(given, n_components, n_objects, n_sites, spread, *, owner):
    """Return the structure that the parameters of an estimator describe.

    Shapes: given (m, q).
    """
    if not isinstance(given, str):
        sites = checked_sites(given, n_components, owner)
        return mixture(sites, spread or 0.0)
    if given == "box":
        return box(n_components)
    if given == "disc":
        return disc(n_components)
    if given == "lattice":
        return lattice(n_components, n_sites or n_objects)
    if n_sites is None:
        raise InputError(
            "structure='gaussians' needs n_sites, the number of clusters to "
            "arrange the objects in. For centres of your own pass them as structure.",
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
    """Return the regular lattice in the unit cube with about ``n_sites`` sites.

    Sites are the centres of equal cells, so a fine lattice is the box.
    """
    side = max(2, round(n_sites ** (1.0 / n_components)))

    def sample(random_state, count):
        cell = random_state.randint(side, size=(count, n_components))
        return (cell + 0.5) / side

    def sites():
        cells = np.indices((side,) * n_components).reshape(n_components, -1).T
        return (cells + 0.5) / side

    middle, radius = _middle(n_components), 0.5 - 0.5 / side
    return Structure(sample, middle, radius, side**n_components, sites)


def gaussians(n_components, n_sites, spread=None):
    """Return a mixture of ``n_sites`` equal Gaussians in the unit cube.

    Their centres are the corners of a regular polygon on the first two axes; on a line
    they are evenly spaced.
    """
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
    """Return sampling at ``sites`` (m, q), each as likely, with Gaussian ``spread``."""
    center = sites.mean(axis=0)
    radius = np.sqrt(np.mean(np.sum((sites - center) ** 2, axis=1)) + spread**2)

    def sample(random_state, count):
        drawn = sites[random_state.randint(len(sites), size=count)]
        return drawn + spread * random_state.normal(size=drawn.shape)

    return Structure(sample, center, float(radius), len(sites), lambda: sites)


def fitted_into(structure, Z):
    """Return the map Z (n, q) moved to the centre of a structure and fitted into it."""
    Z = Z - Z.mean(axis=0)
    size = np.linalg.norm(Z, axis=1).max()
    return structure.center + Z * (structure.radius / size if size > 0.0 else 0.0)


class ReceptiveFields(NamedTuple):
    """Which objects belong to which site of a structure (eq. 1)."""

    # (n_sites, n_components) The sites.
    sites: np.ndarray
    # (n_samples,) The number of the site that each object's image is nearest to; the
    # first of several.
    nearest: np.ndarray

    def members(self, site):
        """Return the numbers of the objects in the field of a site, by its number."""
        return np.flatnonzero(self.nearest == site)


def fields_of(sites, Z):
    """Return the receptive fields of sites (m, q) on a map Z (n, q)."""
    blocks = row_blocks(len(Z), 8 * len(sites))
    nearest = map_blocks(lambda rows: cdist(Z[rows], sites).argmin(axis=1), blocks)
    return ReceptiveFields(sites, np.concatenate(nearest))


def _middle(n_components):
    return np.full(n_components, 0.5)


def checked_sites(given, n_components, owner, parameter="structure"):
    """Return given points (m, q) as numbers."""
    sites = numbers_argument(owner, parameter, given)
    if sites.shape[1] != n_components or not len(sites) or not np.isfinite(sites).all():
        raise InputError(
            f"{parameter} must hold finite points with one column per component "
            f"({n_components}), got an array of shape {sites.shape}.",
            owner=owner,
            parameter=parameter,
        )
    return sites
