"""How wide the kernels of a map are (spec 5)."""

import numpy as np

from labelscape._core.points.normalized_kernels import coefficients, kernel_weights

# Widths that are tried, in units of the typical distance to the nearest neighbour.
FACTORS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
FOLDS = 5
# A point that lands farther from its place than its neighbours up to this one are is
# lost, and how far it is lost does not matter.
NEIGHBORHOOD = 10
# Squared distances below this share of the typical one are rounding: the points are
# copies. Some rows suffice to know what is typical.
ROUNDING, SOME = 1e-20, 100


def nearest_others(squares):
    """Return the distance (m,) of each point to the nearest one in another place.

    ``squares`` (m, m) holds squared distances. Copies of a point are passed over: that
    they are near says nothing of the data. Where there is no other place it is 0.
    """
    others = np.where(_are_copies(squares), np.inf, squares)
    nearest = others.min(axis=1)
    return np.sqrt(np.where(nearest < np.inf, nearest, 0.0))


def places(squares):
    """Return how many different places points have, and which one each has (m,)."""
    first_copy = _are_copies(squares).argmax(axis=1)
    first, place = np.unique(first_copy, return_inverse=True)
    return len(first), place


def _are_copies(squares):
    # The median, because one point very far away does not move it.
    typical = np.median(squares[:: -(-len(squares) // SOME)])
    return squares <= ROUNDING * typical


def global_width(nearest):
    """Return the typical distance to the nearest other place: the median.

    Where all points are in one place any width will do, and 1 is returned.
    """
    return float(np.median(nearest)) or 1.0


def point_widths(nearest):
    """Return each point's own distance, or 1 where all points are in one place."""
    return np.where(nearest > 0.0, nearest, 1.0)


def best_factor(squares, Y, ridge, random_state):
    """Return which of ``FACTORS`` places held-out points best.

    Shapes: squares (m, m), Y (m, q).
    """
    if places(squares)[0] < 3:  # nothing to compare
        return FACTORS[1]
    errors = held_out_errors(squares, Y, ridge, random_state)
    return FACTORS[int(np.argmin(errors))]


def held_out_errors(squares, Y, ridge, random_state):
    """Return the summed error (n_factors,) of places of held-out points.

    Squared distances, but not more than the square of a neighbourhood on the map: else
    wide kernels would win, which put a point in doubt between two islands, where
    nothing belongs, because that is nearest to both on average.
    """
    enough = neighborhood_square(Y)
    n_places, place = places(squares)
    # A held-out copy of a kept point would test nothing.
    fold = (random_state.permutation(n_places) % min(FOLDS, n_places))[place]
    errors = np.zeros(len(FACTORS))
    for k in range(fold.max() + 1):
        kept, left = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        inner, outer = squares[np.ix_(kept, kept)], squares[np.ix_(left, kept)]
        unit = global_width(nearest_others(inner))
        for i, factor in enumerate(FACTORS):
            widths = np.full(len(kept), factor * unit)
            Phi = kernel_weights(inner, widths)
            alpha = coefficients(Phi.__getitem__, Y[kept], len(kept), ridge)
            gaps = kernel_weights(outer, widths) @ alpha - Y[left]
            errors[i] += np.minimum(np.square(gaps).sum(axis=1), enough).sum()
    return errors


def neighborhood_square(Y):
    """Return the median squared distance from a place to its 10th neighbour."""
    k = min(NEIGHBORHOOD, len(Y) - 1)
    squares = sum(np.square(column[:, None] - column) for column in Y.T)
    squares.partition(k, axis=1)  # the first is the place itself
    return float(np.median(squares[:, k])) or np.inf
