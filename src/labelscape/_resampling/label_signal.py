"""A quick test of whether labels can be predicted, used by all supervised maps.

There are three statistics: how often neighbors have the same label, and how well a
linear model and the best single feature predict the labels. For shuffled labels, the
distribution of each statistic is known in closed form.
"""

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, ndtri

from labelscape._core.points.distances import squared_distances
from labelscape._core.rows.rows import equal_steps
from labelscape._core.threads import one_blas_thread

# Maximum number of samples to compare, and minimum number of samples for a test.
MOST_COMPARED, FEWEST = 1000, 20
N_NEIGHBORS = 5
# Ridge penalty of the linear model, as a share of the mean variance of the principal
# axes.
RIDGE = 0.1
# Standard deviations above the mean of shuffled labels, reached by less than 1% of
# random labels. Iris, wine and digits reach at least 10 with 30 samples, 47 with all.
CHANCE = 3.5
LEAST_PROBABILITY = 1e-300
ROUNDING = 1e-9  # distances that differ by a smaller share are ties

Matrix = NDArray[np.float64]


class LabelsSayNothing(UserWarning):
    """The labels cannot be predicted from the data better than by chance.

    Supervised maps and prototype models give this warning when they are fitted. Then
    any separation of the training samples on the map is an artifact.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> from labelscape.embeddings import LFDA, LabelsSayNothing
    >>> X, y = np.random.default_rng(0).normal(size=(60, 5)), np.arange(60) % 2
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", LabelsSayNothing)
    ...     LFDA(n_components=1).fit_transform(X, y).shape
    (60, 1)
    """


def warn_if_labels_say_nothing(
    X: NDArray[np.floating],
    class_of: NDArray[np.integer],
    *,
    owner: str,
    precomputed: bool = False,
    stacklevel: int = 3,
) -> None:
    """Warn if the labels (n,) of the training samples do not depend on X (n, d)."""
    # No test is needed if the first matching filter ignores this warning everywhere.
    filters = (one for one in warnings.filters if issubclass(LabelsSayNothing, one[2]))
    if next(filters, ("", None))[:2] == ("ignore", None):
        return
    n_classes = len(np.unique(class_of))
    if len(class_of) < FEWEST or not 1 < n_classes < len(class_of):
        return
    if label_signal(X, class_of, precomputed) < CHANCE:
        others = "" if precomputed else ", linear models and single features"
        warnings.warn(
            f"{owner}: the labels cannot be predicted from the data: "
            f"neighbors{others} predict them no better than chance. Any separation "
            "of the training samples on this map is an artifact of the method. Test "
            "the map with labelscape.quality.honesty(model, X, y).",
            LabelsSayNothing,
            stacklevel=stacklevel + 1,
        )


def label_signal(
    X: NDArray[np.floating], class_of: NDArray[np.integer], precomputed: bool = False
) -> float:
    """Return the largest of the three statistics, in standard deviations."""
    some = evenly_spaced(class_of, MOST_COMPARED)
    if precomputed:
        D = np.asarray(X[some][:, some], dtype=np.float64)
        return excess_agreement(_near(D), class_of[some])
    Z = _standardized(X[some])
    with one_blas_thread():
        near, predicted = _near(squared_distances(Z, Z)), _linear(Z)
    return max(
        excess_agreement(near, class_of[some]),
        excess_agreement(predicted, class_of[some]),
        best_feature(Z, class_of[some]),
    )


def evenly_spaced(codes: NDArray[np.integer], most: int) -> NDArray[np.intp]:
    """Return at most ``most`` sorted indices, evenly spaced within the classes."""
    few = codes.astype(np.uint16) if codes.max(initial=0) < 2**16 else codes
    by_class = np.argsort(few, kind="stable")  # short integers are sorted faster
    return np.sort(by_class[equal_steps(len(codes), most)])


def excess_agreement(M: Matrix, class_of: NDArray[np.integer]) -> float:
    """Return the standardized Mantel statistic of similarity and equal labels."""
    # Mean and variance of sum_{i != j} M_ij [c_i = c_j] over all permutations of the
    # labels are known (N. Mantel 1967).
    np.fill_diagonal(M, 0.0)
    sizes = np.bincount(class_of).astype(np.float64)
    pairs = (sizes * (sizes - 1)).sum()  # of samples with equal labels
    together = sum(M[np.ix_(c, c)].sum() for c in _members(class_of))

    squares = np.einsum("ij,ij->", M, M)  # without a table of all pairs
    given = _pair_sums(M.sum(), squares, np.square(M.sum(axis=1)).sum())
    labels = _pair_sums(pairs, pairs, (sizes * (sizes - 1) ** 2).sum())
    n = len(M)
    ways = np.cumprod(np.array([n, n - 1, n - 2, n - 3], dtype=np.float64))[1:]
    orders = np.array([2.0, 4.0, 1.0])  # ways to share 2, 1 or 0 samples
    mean = M.sum() * pairs / ways[0]
    variance = (orders * given * labels / ways).sum() - mean**2
    if variance <= ROUNDING * mean**2:  # all values are equal
        return 0.0
    return float((together - mean) / np.sqrt(variance))


def best_feature(Z: Matrix, class_of: NDArray[np.integer]) -> float:
    """Return how far the best of d features is from chance, in standard deviations."""
    # For shuffled labels, the statistic H of Kruskal and Wallis is nearly chi-squared.
    # The p-value is multiplied by d.
    from scipy.stats import rankdata

    ranks = rankdata(Z, axis=0) - (len(Z) + 1) / 2.0
    spread = np.square(ranks).sum(axis=0)
    members = _members(class_of)
    between = sum(ranks[c].sum(axis=0) ** 2 / len(c) for c in members)
    H = (len(Z) - 1) * np.max(between / np.where(spread > 0.0, spread, 1.0))
    probability = min(Z.shape[1] * chdtrc(len(members) - 1, H), 1.0)
    return float(-ndtri(max(probability, LEAST_PROBABILITY)))


def _pair_sums(total: float, squares: float, row_squares: float) -> Matrix:
    """Return sums of M_ij M_kl over pairs that share two, one or no samples."""
    shared = row_squares - squares
    return np.array([squares, shared, total**2 - 2.0 * squares - 4.0 * shared])


def _members(class_of: NDArray[np.integer]) -> list[NDArray[np.intp]]:
    return [np.flatnonzero(class_of == c) for c in np.unique(class_of)]


def _standardized(X: NDArray[np.floating]) -> Matrix:
    """Return features with mean 0 and variance 1, and 0 for missing values."""
    Z = np.array(X, dtype=np.float64)
    missing = np.isnan(Z)
    counts = np.maximum((~missing).sum(axis=0), 1)
    Z[missing] = 0.0
    Z = _divided(Z, np.abs(Z).max(axis=0))  # squares of large numbers would overflow
    Z -= Z.sum(axis=0) / counts
    Z[missing] = 0.0
    return _divided(Z, np.sqrt(np.square(Z).sum(axis=0) / counts))


def _divided(Z: Matrix, units: Matrix) -> Matrix:
    """Return columns divided by their units; zeros where a unit is 0."""
    return np.divide(Z, units, out=np.zeros_like(Z), where=units > 0.0)


def _near(D: Matrix) -> Matrix:
    """Return the weights of each sample's neighbors (n, n); each row adds up to 1."""
    np.fill_diagonal(D, np.inf)
    k = min(N_NEIGHBORS, len(D) - 1)
    reach = np.partition(D, k - 1, axis=1)[:, k - 1 : k]
    near = np.greater_equal(reach * (1.0 + ROUNDING), D, out=D)
    near /= near.sum(axis=1, keepdims=True)
    return near + near.T


def _linear(Z: Matrix) -> Matrix:
    """Return the hat matrix of a ridge regression on the features."""
    n, d = Z.shape
    ridge = RIDGE * np.square(Z).sum() / min(n, d)
    if ridge == 0.0:  # all features are constant
        return np.zeros((n, n))
    if d <= n:
        return np.asarray(Z @ np.linalg.solve(Z.T @ Z + ridge * np.eye(d), Z.T))
    gram = Z @ Z.T
    solved: Matrix = np.linalg.solve(gram + ridge * np.eye(n), gram)
    return (solved + solved.T) / 2.0
