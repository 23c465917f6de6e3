"""Hyperbolic focus: a map in a disc, enlarged near the focus and compressed elsewhere.

This is the mapping of Kriegel and Schubert, section 5.4, with the focus at the center
and without mirroring.
"""

import numpy as np

from labelscape._core.checks import matrix_argument, vector_argument
from labelscape._core.errors import InputError
from labelscape._core.params import arguments, number, optional
from labelscape._core.types import Array

STRENGTH = number(above=0.0)
# tanh(x) rounds to 1 for x > 19, but points at distance 1 cannot be mapped back.
RIM = 1.0 - 1e-12


@arguments(strength=optional(STRENGTH))
def hyperbolic_focus(X, focus=None, strength=None) -> Array:
    """Map points into the unit disc, with the focus at its center.

    The directions from the focus and the order of distances to it are preserved. Near
    the focus, the result is the flat map, magnified by ``strength``.

    Parameters
    ----------
    X : array-like of shape (n, q)
        Points of a map.
    focus : array-like of shape (q,), default=None
        The point to focus on. None means the mean.
    strength : float, default=None
        Magnification at the focus. None: :func:`hyperbolic_strength`, so that half
        of the points lie within 0.6 of the center.

    Returns
    -------
    Z : ndarray of shape (n, q)
        Points of length below 1.

    Notes
    -----
    ``tau_F(x) = tanh(s |x - F|) (x - F) / |x - F|``, and 0 at F. With s = 1/2, flat
    distances from the focus equal hyperbolic distances (Poincaré disc). To move the
    focus, call this function again, which keeps distances from the focus exact, or
    :func:`mobius_refocus`, which keeps shapes while the focus is dragged. Draw borders
    with many points, because straight lines become curves.

    Examples
    --------
    >>> from labelscape.embeddings import hyperbolic_focus
    >>> hyperbolic_focus([[0, 0], [1, 0], [0, 100]], focus=[0, 0], strength=1).round(3)
    array([[0.   , 0.   ],
           [0.762, 0.   ],
           [0.   , 1.   ]])
    """
    X, F = _points("hyperbolic_focus", X, focus)
    s = hyperbolic_strength(X, F) if strength is None else strength
    return _with_length(X - F, lambda r: np.minimum(np.tanh(s * r), RIM))


@arguments(strength=STRENGTH)
def hyperbolic_unfocus(Z, focus, strength) -> Array:
    """Map points of the disc back to the map, for example to find a clicked point.

    Parameters
    ----------
    Z : array-like of shape (n, q)
        Points of length below 1.
    focus : array-like of shape (q,)
        The focus of the mapping.
    strength : float
        The strength of the mapping.

    Returns
    -------
    X : ndarray of shape (n, q)
        Points of the map: ``F + artanh(|z|) / s`` in the direction of z.

    Examples
    --------
    >>> from labelscape.embeddings import hyperbolic_focus, hyperbolic_unfocus
    >>> Z = hyperbolic_focus([[2, 1]], focus=[1, 1], strength=0.5)
    >>> hyperbolic_unfocus(Z, focus=[1, 1], strength=0.5)
    array([[2., 1.]])
    """
    Z = matrix_argument("hyperbolic_unfocus", "Z", Z)
    F = vector_argument("hyperbolic_unfocus", "focus", focus, size=Z.shape[1])
    return F + _with_length(Z, lambda r: np.arctanh(np.minimum(r, RIM)) / strength)


def hyperbolic_strength(X, focus) -> float:
    """Return the strength at which half of the points lie within 0.6 of the center.

    Parameters
    ----------
    X : array-like of shape (n, q)
        Points of a map.
    focus : array-like of shape (q,)
        The point to focus on.

    Returns
    -------
    strength : float
        ``artanh(0.6) / median |x - F|``; 1 if half of the points are at the focus.

    Examples
    --------
    >>> from labelscape.embeddings import hyperbolic_strength
    >>> round(hyperbolic_strength([[1, 0], [0, 2], [3, 0]], focus=[0, 0]), 4)
    0.3466
    """
    X, F = _points("hyperbolic_strength", X, focus)
    middle = float(np.median(np.linalg.norm(X - F, axis=1)))
    return float(np.arctanh(0.6)) / middle if middle > 0 else 1.0


def mobius_refocus(Z, center) -> Array:
    """Move a point of the disc to the center, by a rigid hyperbolic motion.

    Hyperbolic distances are preserved and circles stay circles, so shapes move
    continuously while the focus is dragged. The inverse is ``mobius_refocus(Z,
    -center)``.

    Parameters
    ----------
    Z : array-like of shape (n, 2)
        Points of length below 1.
    center : array-like of shape (2,)
        The point that moves to the center of the disc.

    Returns
    -------
    moved : ndarray of shape (n, 2)
        ``(z - a) / (1 - conj(a) z)``, with points as complex numbers.

    Examples
    --------
    >>> from labelscape.embeddings import mobius_refocus
    >>> mobius_refocus([[0.5, 0.0], [0.0, 0.0]], [0.5, 0.0])
    array([[ 0. ,  0. ],
           [-0.5,  0. ]])
    """
    Z = matrix_argument("mobius_refocus", "Z", Z, n_columns=2)
    center = vector_argument("mobius_refocus", "center", center, size=2)
    z, a = Z[:, 0] + 1j * Z[:, 1], complex(*center)
    if max(np.abs(z).max(initial=0.0), abs(a)) >= 1.0:
        raise InputError(
            "all points and the center must lie inside the unit disc. "
            "Map them with hyperbolic_focus first.",
            owner="mobius_refocus",
        )
    moved = (z - a) / (1.0 - np.conj(a) * z)
    return np.column_stack([moved.real, moved.imag])


def _points(owner, X, focus):
    """Return points of a map and the focus; None means the mean of the points."""
    X = matrix_argument(owner, "X", X)
    if focus is None:
        return X, X.mean(axis=0)
    return X, vector_argument(owner, "focus", focus, size=X.shape[1])


def _with_length(gaps, length):
    """Return the vectors, rescaled from length r to ``length(r)``."""
    r = np.linalg.norm(gaps, axis=1, keepdims=True)
    return np.divide(length(r), r, out=np.zeros(r.shape), where=r > 0) * gaps
