"""Directions that separate labels, and removal of those that separate batches."""

import copy
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.utils import check_random_state

from labelscape._core.checks import ConstantFeatures, listed, matrix_argument
from labelscape._core.errors import InputError, InputWarning
from labelscape._core.labels import check_labels, labels_argument
from labelscape._core.learned import Attribute, declares, numbers
from labelscape._core.output import Printed
from labelscape._core.params import COMMON, arguments, finite, optional, whole
from labelscape._core.threads import ignored, map_blocks, one_blas_thread
from labelscape._core.types import Array
from labelscape._resampling.chance import Interval, cramers_v, interval_of
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape._resampling.sampling import some_units
from labelscape._resampling.trial import dealt_folds
from labelscape._resampling.units import numbered, units_of, units_per_class
from labelscape._resampling.voters import Voters, balanced_accuracy

# Settings of the models of one round: folds, rows of matrices, iterations.
N_FOLDS, RANK, STEPS = 3, 10, 60
MOST_ROWS = 3000  # at most about this many rows are used
# At this Cramér's V, nuisance and classes cannot be distinguished.
CONFOUNDED = 0.9
FALL = 0.05  # a larger loss of class accuracy is reported
# Number of voting neighbors, and accuracy above chance at which a batch remains.
VOTES, LEFT = 10, 0.05
OWNER = "nuisance_directions"


def _check_directions(name, value, fit):
    """Check that the directions are finite numbers; there may be none."""
    numbers(len(value), "features").check(name, value, fit)


@declares(
    directions=Attribute(_check_directions),
    accuracies=numbers("rounds", low=0, high=1),
    intervals=numbers("rounds", 2, low=0, high=1),
    chance=finite(0, 1),
    center=numbers("features"),
)
@dataclass(frozen=True, eq=False, repr=False)
class Directions(Printed):
    """Directions that separate labels, the most discriminative first.

    Attributes
    ----------
    directions : ndarray of shape (k, n_features)
        Orthogonal unit vectors.
    accuracies : ndarray of shape (k + 1,)
        Balanced accuracy for held-out samples before each direction is removed, and
        after all directions are removed.
    intervals : ndarray of shape (k + 1, 2)
        The 95% intervals of these accuracies.
    chance : float
        The accuracy of guessing.
    center : ndarray of shape (n_features,)
        Mean of the samples.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import discriminative_directions
    >>> X, y = load_iris(return_X_y=True)
    >>> result = discriminative_directions(X, y, random_state=0)
    >>> result.remove(X).shape
    (150, 4)
    """

    directions: np.ndarray
    accuracies: np.ndarray
    intervals: np.ndarray
    chance: float
    center: np.ndarray

    @property
    def is_at_chance(self):
        """Whether, after removal, labels are predicted no better than by chance."""
        return bool(self.intervals[-1, 0] <= self.chance)

    def remove(self, X) -> Array:
        """Return samples without the directions: (I - V V^T)(x - center) + center.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        size = len(self.center)
        X = matrix_argument("Directions.remove", "X", X, n_columns=size)
        # Row by row, because a matrix product would round a single row differently.
        for v in self.directions:
            X = X - ((X - self.center) * v).sum(axis=1, keepdims=True) * v
        return X

    def _parts_shown(self):
        header = ["direction", "held-out accuracy", "95% interval"]
        names = [*map(str, range(1, len(self.accuracies))), "the rest"]
        values = zip(names, self.accuracies, self.intervals, strict=True)
        rows = [[n, f"{a:.1%}", str(Interval(*ends))] for n, a, ends in values]
        return [(header, rows), f"Guessing: {self.chance:.1%}"]


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
    rows = _some_rows(codes, units, rng)
    most = X.shape[1] if max_directions is None else max_directions
    return _iterated(X[rows], codes[rows], units[rows], most, rng, owner)


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
    X = matrix_argument(OWNER, "X", X)
    classes, codes = check_labels(y, len(X), owner=OWNER)
    _check_design(classes, codes, *_checked_nuisance(correct_for, len(X)))
    X, codes, batch, units, rng = _some(X, y, correct_for, groups, random_state)
    # If a class occurs in one batch only, the two effects cannot be separated.
    shared = _is_shared(codes, batch)
    Z = _without_classes(X[shared], codes[shared], batch[shared])
    parts = numbered(batch[shared]), numbered(units[shared])
    result = _iterated(Z, *parts, X.shape[1] // 2, rng, OWNER, by_shifts=True)
    result = Directions(**vars(result) | {"center": X.mean(axis=0)})
    _warn(result, X, codes, units, rng)
    return result


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
    names, batch = _checked_nuisance(correct_for, len(X), owner)
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
    *parts, rng = _some(X, y, correct_for, groups, random_state)
    shared = _is_shared(parts[1], parts[2])
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
    return _checked_nuisance(correct_for, len(X))[1]


def _some(X, y, correct_for, groups, random_state):
    """Return some samples, their classes, batches and units, and a random generator."""
    codes = check_labels(y, len(X), owner=OWNER)[1]
    names, batch = _checked_nuisance(correct_for, len(X))
    rng = copy.deepcopy(check_random_state(random_state))  # the fit draws its own seed
    units = units_of(X, groups, codes=codes, owner=OWNER).of_row
    if units_per_class(batch, units, len(names)).min() < 2:
        units = units_of(X, codes=codes, owner=OWNER).of_row
    rows = _some_rows(batch, units, rng)
    return X[rows], codes[rows], batch[rows], numbered(units[rows]), rng


def _checked_nuisance(correct_for, n, owner=OWNER):
    """Return the distinct batches, and each sample's index among them."""
    labels = labels_argument(owner, "correct_for", correct_for, size=n)
    names, batch = np.unique(labels, return_inverse=True)
    words = ""
    if len(names) < 2:
        words = (
            f"correct_for has the same value {names.tolist()[0]!r} for all samples, so "
            "there is nothing to correct. Leave it out."
        )
    elif 2 * len(names) > n:
        words = (
            f"correct_for has {len(names)} values for {n} samples. Give labels that "
            "several samples share, such as plates; divide numbers into a few bins."
        )
    if words:
        raise InputError(words, owner=owner, parameter="correct_for")
    return names, batch


def _check_design(classes, codes, names, batch):
    """Raise an error if classes and batches (nearly) determine each other."""
    n_classes, n = len(classes), len(classes) + len(names)
    edges = coo_array((np.ones(len(codes)), (codes, n_classes + batch)), shape=(n, n))
    n_parts, part = connected_components(edges, directed=False)
    remedy = (
        "Measure some classes in several batches, or fit without correct_for and do "
        "not interpret the separation as a difference of classes."
    )
    if n_parts > 1:
        own, held = part[:n_classes] == part[-1], part[n_classes:] == part[-1]
        raise InputError(
            f"batches and classes are confounded: {listed(names[held].tolist())} and "
            f"the other batches have no class in common (these contain only "
            f"{listed(classes[own].tolist())}), so a difference between them can come "
            f"from the batches or from the classes. {remedy}",
            owner=OWNER,
            parameter="correct_for",
        )
    if (v := cramers_v(codes, batch)) > CONFOUNDED:
        raise InputError(
            f"batches and classes nearly determine each other (Cramér's V = {v:.2f}), "
            f"so their effects cannot be distinguished. {remedy}",
            owner=OWNER,
            parameter="correct_for",
        )


def _some_rows(codes, units, rng):
    if len(codes) <= MOST_ROWS:
        return np.arange(len(codes))
    return some_units(codes, units, MOST_ROWS, rng)


def _is_shared(codes, batch):
    """Return for each sample (n,) whether its class occurs in several batches."""
    return units_per_class(codes, batch, int(codes.max()) + 1)[codes] > 1


def _without_classes(X, codes, batch):
    """Return samples minus the class effects of a least-squares fit with batches."""
    codes, batch = numbered(codes), numbered(batch)
    C, B = np.eye(codes.max() + 1)[codes], np.eye(batch.max() + 1)[batch]
    effects = np.linalg.lstsq(np.hstack([C, B[:, 1:]]), X, rcond=None)[0]
    return X - effects[codes]


def _iterated(X, codes, units, most, rng, owner, *, by_shifts=False):
    """Return directions that separate classes, at most ``most`` of them.

    With ``by_shifts``, the first C - 1 directions are differences between class means,
    because a model prefers directions of small variance and would miss some of these.
    """
    n_classes, center = int(codes.max()) + 1, X.mean(axis=0)
    fold = dealt_folds(codes, numbered(units), N_FOLDS, rng, owner=owner)
    if any(len(np.unique(codes[fold != k])) < 2 for k in range(fold.max() + 1)):
        raise InputError(
            "at least two labels must have two samples each that are not copies of "
            "each other and not in the same group.",
            owner=owner,
        )
    seed, rest = rng.randint(2**31 - 1), X - center
    # With fewer directions left, the rest would be rounding errors.
    most = min(most, np.linalg.matrix_rank(rest) - 1)
    V, accuracies, intervals = np.empty((0, X.shape[1])), [], []
    with one_blas_thread():
        while True:
            answers, omegas = _held_out(rest, codes, fold, seed)
            accuracies.append(balanced_accuracy(answers, codes, n_classes))
            draws = np.random.RandomState(seed)
            right = answers == codes
            intervals.append(interval_of(right, codes, units, n_classes, draws))
            if len(V) >= most or intervals[-1].low <= 1.0 / n_classes:
                break
            # The mean relevance matrix of all folds is Omega^T Omega.
            Omega = np.vstack(omegas)
            if by_shifts and len(V) < n_classes - 1:
                v = _leading_shift(rest, codes, Omega)
            else:
                v = np.linalg.svd(Omega, full_matrices=False)[2][0]
            v = v - V.T @ (V @ v)
            v /= np.linalg.norm(v) * np.sign(v[np.abs(v).argmax()])
            V = np.vstack([V, v])
            rest = rest - np.outer(rest @ v, v)
    ends = np.array(intervals)
    return Directions(V, np.array(accuracies), ends, 1.0 / n_classes, center)


def _leading_shift(X, codes, Omega):
    """Return the difference between class means that is largest in the metric Omega."""
    sums = np.zeros((int(codes.max()) + 1, X.shape[1]))
    np.add.at(sums, codes, X)
    means = sums / np.bincount(codes)[:, None]
    shifts = means - means.mean(axis=0)
    return np.linalg.svd(shifts @ Omega.T, full_matrices=False)[0][:, 0] @ shifts


def _held_out(X, codes, fold, seed):
    """Return the held-out prediction of each sample, and the Omega of each model."""
    from labelscape.prototypes.lvq.gmlvq import GMLVQ  # it imports this file

    def of_fold(k):
        model = GMLVQ(
            class_weight="balanced",
            n_components=min(RANK, X.shape[1]),
            max_iter=STEPS,
            random_state=seed,
        )
        model.fit(X[fold != k], codes[fold != k])
        return model.predict(X[fold == k]), model.omega_

    answers = np.empty(len(X), dtype=codes.dtype)
    # Fits to parts of the samples repeat warnings.
    with ignored(ConstantFeatures, LabelsSayNothing):
        fits = map_blocks(of_fold, range(fold.max() + 1))
    for k, (predicted, _) in enumerate(fits):
        answers[fold == k] = predicted
    return answers, [omega for _, omega in fits]


def _warn(result, X, codes, units, rng):
    """Warn if batches remain predictable after removal, or if classes are removed."""
    count, n_features = result.directions.shape
    if not result.is_at_chance:
        warnings.warn(
            InputWarning(
                "correct_for can still be predicted for "
                f"{result.accuracies[-1]:.0%} of held-out samples ({result.chance:.0%} "
                f"by guessing) after removing {count} of {n_features} directions (the "
                "maximum), because its effect is not a shift along a few directions."
            ),
            stacklevel=4,
        )
    if not count:
        return
    fold = dealt_folds(codes, units, N_FOLDS, rng, owner=OWNER)
    seed, n_classes = rng.randint(2**31 - 1), int(codes.max()) + 1
    before, after = (
        balanced_accuracy(_held_out(Z, codes, fold, seed)[0], codes, n_classes)
        for Z in (X, result.remove(X))
    )
    if before - after > FALL:
        warnings.warn(
            InputWarning(
                f"correct_for removed {count} of {n_features} directions, which also "
                "reduces class differences: their held-out accuracy falls from "
                f"{before:.0%} to {after:.0%}. Compare with a fit without correct_for."
            ),
            stacklevel=4,
        )
