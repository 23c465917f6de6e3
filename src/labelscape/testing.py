"""Fake maps and simulated tables, for tests of code that draws or checks maps."""

from collections.abc import Callable

import numpy as np
from numpy.random import RandomState
from sklearn.utils import check_random_state

from labelscape._core.labels import check_labels
from labelscape._core.params import arguments, number, one_of, seed, whole
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.units import checked_rows
from labelscape.quality import certify

__all__ = ["FAKES", "assert_certified", "fake_map", "planted_table"]


def _corners(codes: Array, n_classes: int) -> Floats:
    """Return for each sample the corner of a polygon that belongs to its class."""
    angle = 2.0 * np.pi * codes / n_classes
    return 6.0 * np.column_stack([np.cos(angle), np.sin(angle)])


def _pulled(X: Floats, codes: Ints, n_classes: int, rng: RandomState) -> Floats:
    """Return two random features, shifted toward the corner of each sample's class."""
    X = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12)
    plane = X @ rng.normal(size=(X.shape[1], 2)) / np.sqrt(X.shape[1])
    return np.asarray(plane + _corners(codes, n_classes))


def _noise(n: int, rng: RandomState) -> Floats:
    return rng.normal(size=(n, 2))


# Ways to draw a map from labels. Each is a function of X, the class codes, the number
# of classes and a random generator.
_WAYS: dict[str, Callable[[Floats, Ints, int, RandomState], Floats]] = {
    "islands": lambda X, c, k, r: _corners(c, k) + _noise(len(c), r),
    "points": lambda X, c, k, r: _corners(c, k) + 0.01 * _noise(len(c), r),
    "touching": lambda X, c, k, r: _corners(c, k) / 3.0 + _noise(len(c), r),
    "tails": lambda X, c, k, r: _corners(c, k) + r.standard_t(3, size=(len(c), 2)),
    "sectors": lambda X, c, k, r: (
        _corners(c + r.uniform(-0.45, 0.45, len(c)), k) * r.random((len(c), 1)) ** 0.5
    ),
    "rings": lambda X, c, k, r: (
        _corners(r.uniform(0, k, len(c)), k) * (1 + c)[:, None]
        + 0.3 * _noise(len(c), r)
    ),
    "stripes": lambda X, c, k, r: np.column_stack(
        [c + r.uniform(0.0, 0.9, len(c)), r.normal(size=len(c))]
    ),
    "squares": lambda X, c, k, r: (
        3.0 * np.column_stack([c % 3, c // 3]) + r.uniform(size=(len(c), 2))
    ),
    "pulled": _pulled,
    "mostly": lambda X, c, k, r: (
        _corners(np.where(r.random(len(c)) < 0.9, c, r.permutation(c)), k)
        + _noise(len(c), r)
    ),
}
FAKES = tuple(_WAYS)


@arguments(way=one_of(*FAKES), random_state=seed())
def fake_map(X, y, way="islands", random_state=None):
    """Draw a map from labels alone, so that it separates classes even in noise.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data; used only by ``way="pulled"``.
    y : array-like of shape (n,)
        Class labels.
    way : str, default="islands"
        One of ``FAKES``.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    ndarray of shape (n, 2)

    Examples
    --------
    >>> import numpy as np
    >>> from labelscape.testing import fake_map
    >>> fake_map(np.zeros((6, 2)), [0, 1] * 3, "stripes", random_state=0).shape
    (6, 2)
    """
    X = checked_rows(X, owner="fake_map")
    classes, codes = check_labels(y, len(X), owner="fake_map")
    Z = _WAYS[way](X, codes, len(classes), check_random_state(random_state))
    return np.asarray(Z, dtype=np.float64)


@arguments(
    n=whole(4, limit=1_000_000),
    n_features=whole(1, limit=10_000),
    n_classes=whole(2, limit=1000),
    apart=number(0, 1e6),
    random_state=seed(),
)
def planted_table(n=300, n_features=10, n_classes=3, apart=5.0, random_state=None):
    """Draw normally distributed classes; with ``apart=0``, features are only noise.

    Parameters
    ----------
    n, n_features, n_classes : int, default=300, 10, 3
        Number of rows, features and classes.
    apart : float, default=5.0
        Distance between the means of consecutive classes, in standard deviations.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    X : ndarray of shape (n, n_features)
    y : ndarray of shape (n,)

    Examples
    --------
    >>> from labelscape.testing import planted_table
    >>> X, y = planted_table(60, apart=0.0, random_state=0)  # noise
    >>> X.shape, sorted(set(y.tolist()))
    ((60, 10), [0, 1, 2])
    """
    rng = check_random_state(random_state)
    y = rng.permutation(np.arange(n) % n_classes)
    X = rng.normal(size=(n, n_features))
    direction = rng.normal(size=n_features)
    X += apart * y[:, None] * direction / np.linalg.norm(direction)
    return X, y


@arguments(random_state=seed(), kept=one_of(None, "all", "most"))
def assert_certified(X, Z, y, groups=None, *, random_state=0, kept=None):
    """Raise an AssertionError unless the separation on a map is real.

    Parameters
    ----------
    X, Z, y, groups : array-like
        As for :func:`labelscape.quality.certify`.
    random_state : int, RandomState instance or None, default=0
        Seed of splits and shuffles.
    kept : {"all", "most"}, optional
        How much of the separation in the data the map must show. None: not checked.

    Returns
    -------
    HonestyReport

    Examples
    --------
    >>> from labelscape.testing import assert_certified, fake_map, planted_table
    >>> X, y = planted_table(random_state=0)
    >>> assert_certified(X, X[:, :2], y).verdict.real
    'yes'
    >>> y = y[::-1]
    >>> assert_certified(X, fake_map(X, y, random_state=0), y)
    Traceback (most recent call last):
    ...
    AssertionError: Are the classes really separated? No: ...
    """
    report = certify(X, Z, y, groups, random_state)
    enough = {"all": ("all",), "most": ("all", "most")}
    is_kept = kept is None or report.verdict.kept in enough[kept]
    if report.verdict.real != "yes" or not is_kept:
        raise AssertionError(str(report.verdict))
    return report
