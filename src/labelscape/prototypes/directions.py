"""Directions that separate labels, and removal of those that separate batches."""

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import matrix_argument
from labelscape._core.labels import check_labels
from labelscape._core.params import COMMON, arguments, optional, whole
from labelscape._core.types import Array
from labelscape._resampling.chance import interval_of
from labelscape._resampling.units import numbered, units_of
from labelscape._resampling.voters import Voters, balanced_accuracy
from labelscape.prototypes._directions import (
    Directions,
    checked_nuisance,
    is_shared,
    iterated,
    nuisance_of,
    some_rows,
    some_samples,
)
from labelscape.prototypes.lvq.gmlvq import GMLVQ

# Number of voting neighbors, and accuracy above chance at which a batch remains.
VOTES, LEFT = 10, 0.05


@arguments(max_directions=optional(whole(0)), random_state=COMMON["random_state"])
def discriminative_directions(
    X, y, groups=None, *, max_directions=None, random_state=None
) -> Directions:
    """Find all directions that separate classes, the most discriminative first.

    In iterated relevance matrix analysis (IRMA), GMLVQ learns the classes, and its
    leading direction is removed from the samples. This is repeated until GMLVQ predicts
    held-out samples no better than chance.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples, with features on one scale. At most about 3,000 are used.
    y : array-like of shape (n_samples,)
        Class labels.
    groups : array-like of shape (n_samples,), optional
        The group of each sample, such as a patient. Groups are held out as a whole.
    max_directions : int, optional
        Maximum number of directions. By default, the rank of the data minus one.
    random_state : int, RandomState instance or None, default=None
        Seed of folds and starts.

    Returns
    -------
    Directions
        Directions and accuracies, which are printed as a table.

    References
    ----------
    S. Lövdal, M. Biehl: Iterated relevance matrix analysis (IRMA) for the
    identification of class-discriminative subspaces. Neurocomputing 577 (2024).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import discriminative_directions
    >>> X, y = load_iris(return_X_y=True)
    >>> result = discriminative_directions(X, y, max_directions=1, random_state=0)
    >>> result.directions.shape
    (1, 4)
    >>> bool(result.accuracies[0] > 0.9)
    True
    """
    owner = "discriminative_directions"
    X = matrix_argument(owner, "X", X)
    _, codes = check_labels(y, len(X), owner=owner)
    rng = check_random_state(random_state)
    units = units_of(X, groups, codes=codes, owner=owner).of_row
    rows = some_rows(codes, units, rng)
    most = X.shape[1] if max_directions is None else max_directions
    return iterated(GMLVQ, X[rows], codes[rows], units[rows], most, rng, owner)


@arguments(random_state=COMMON["random_state"])
def nuisance_directions(
    X, y, correct_for, groups=None, random_state=None
) -> Directions:
    """Find directions that predict the batch, or a similar variable, within classes.

    Directions are found as by :func:`discriminative_directions`, but for batches.
    The class means are subtracted before the search, so that the directions found do
    not contain differences between the classes. At most half of all directions are
    removed. ``fit(X, y, correct_for=...)`` of `GMLVQ`, `LiRaMLVQ` and
    :class:`labelscape.embeddings.CrossFittedTSNE` removes them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples, with features on one scale. At most about 3,000 are used.
    y : array-like of shape (n_samples,)
        Class labels.
    correct_for : array-like of shape (n_samples,)
        Nuisance labels: batch, plate or scanner of each sample. Classes must occur in
        several batches.
    groups : array-like of shape (n_samples,), optional
        The group of each sample, such as a patient. Samples of one group are held out
        together, if each batch has at least two groups.
    random_state : int, RandomState instance or None, default=None
        Seed of folds and starts.

    Returns
    -------
    Directions
        ``remove(X)`` returns samples without these directions. If the batch cannot
        be predicted, there are no directions.

    References
    ----------
    R. van Veen et al.: Subspace corrected relevance learning with application in
    neuroimaging. Artificial Intelligence in Medicine 149 (2024).

    Examples
    --------
    >>> import numpy as np
    >>> from labelscape.prototypes import nuisance_directions
    >>> rng = np.random.default_rng(0)
    >>> y, batch = np.arange(120) % 2, np.arange(120) // 60
    >>> X = rng.normal(size=(120, 4))
    >>> X[:, 0] += 4 * y
    >>> X[:, 1] += 4 * batch
    >>> result = nuisance_directions(X, y, batch, random_state=0)
    >>> np.abs(result.directions).round(1)[0].tolist()
    [0.0, 1.0, 0.0, 0.0]
    """
    return nuisance_of(GMLVQ, X, y, correct_for, groups, random_state)


@arguments(random_state=COMMON["random_state"])
def center_batches(X, correct_for, groups=None, random_state=None) -> Array:
    """Give all batches the same mean, if the features predict the batch.

    Use this for complete batches without labels, such as rows of a new scanner. Pass
    the training rows and the new rows together. Each batch must have about the same
    proportions of classes; otherwise, differences between classes are removed as well.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples of all batches, with features on one scale.
    correct_for : array-like of shape (n_samples,)
        The batch, plate or scanner of each sample.
    groups : array-like of shape (n_samples,), optional
        The group of each sample, as for :func:`discriminative_directions`.
    random_state : int, RandomState instance or None, default=None
        Seed of the test whether batches can be predicted.

    Returns
    -------
    ndarray of shape (n_samples, n_features)
        The samples with equal batch means; unchanged if the batch of held-out samples
        is predicted no better than by chance.

    Examples
    --------
    >>> import numpy as np
    >>> from labelscape.prototypes import center_batches
    >>> rng = np.random.default_rng(0)
    >>> X, batch = rng.normal(size=(120, 4)), np.arange(120) // 60
    >>> bool(np.array_equal(center_batches(X, batch, random_state=0), X))
    True
    >>> Z = center_batches(X + 4 * batch[:, None], batch, random_state=0)
    >>> bool(np.allclose(Z[:60].mean(axis=0), Z[60:].mean(axis=0)))
    True
    """
    owner = "center_batches"
    X = matrix_argument(owner, "X", X)
    names, batch = checked_nuisance(correct_for, len(X), owner)
    known = {"max_directions": 0, "random_state": random_state}
    if discriminative_directions(X, batch, groups, **known).is_at_chance:
        return X
    means = np.array([X[batch == b].mean(axis=0) for b in range(len(names))])
    return X - means[batch] + X.mean(axis=0)


def remaining_batches(X, y, correct_for, groups=None, random_state=None):
    """Return the batch (n,) of each sample if neighbors can predict it, otherwise None.

    Neighbors of the same class vote, and all batches of a class have equal weight, so
    that different class proportions are not mistaken for a batch effect.
    """
    *parts, rng = some_samples(X, y, correct_for, groups, random_state)
    shared = is_shared(parts[1], parts[2])
    some, codes, batch, units = (part[shared] for part in parts)
    units = numbered(units)
    cells = numbered(codes * (int(batch.max()) + 1) + batch)
    n_cells, right, chances = int(cells.max()) + 1, np.empty(len(cells), dtype=bool), []
    for c in np.unique(codes):
        rows = np.flatnonzero(codes == c)
        own, unit = numbered(batch[rows]), numbered(units[rows])
        n = int(own.max()) + 1
        answers = Voters(some[rows], own, unit, n, VOTES).judge_themselves()
        right[rows] = answers == own
        chances += [1.0 / n] * n
    accuracy = balanced_accuracy(np.where(right, cells, -1), cells, n_cells)
    low = interval_of(right, cells, units, n_cells, rng).low
    if min(low, accuracy - LEFT) <= np.mean(chances):
        return None
    return checked_nuisance(correct_for, len(X))[1]
