"""The search for directions that separate labels, and for those of batches.

`GMLVQ` removes directions of batches that are found by models of the same class, so
functions here take this class as an argument.
"""

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
from labelscape._core.params import finite
from labelscape._core.threads import ignored, map_blocks, one_blas_thread
from labelscape._core.types import Array
from labelscape._resampling.chance import Interval, cramers_v, interval_of
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape._resampling.sampling import some_units
from labelscape._resampling.trial import dealt_folds
from labelscape._resampling.units import numbered, units_of, units_per_class
from labelscape._resampling.voters import balanced_accuracy

# Settings of the models of one round: folds, rows of matrices, iterations.
N_FOLDS, RANK, STEPS = 3, 10, 60
MOST_ROWS = 3000  # at most about this many rows are used
# At this Cramér's V, nuisance and classes cannot be distinguished.
CONFOUNDED = 0.9
FALL = 0.05  # a larger loss of class accuracy is reported
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


def nuisance_of(model, X, y, correct_for, groups, random_state):
    """Return what `nuisance_directions` returns; ``model`` is the class `GMLVQ`."""
    X = matrix_argument(OWNER, "X", X)
    classes, codes = check_labels(y, len(X), owner=OWNER)
    _check_design(classes, codes, *checked_nuisance(correct_for, len(X)))
    X, codes, batch, units, rng = some_samples(X, y, correct_for, groups, random_state)
    # If a class occurs in one batch only, the two effects cannot be separated.
    shared = is_shared(codes, batch)
    Z = _without_classes(X[shared], codes[shared], batch[shared])
    parts = numbered(batch[shared]), numbered(units[shared])
    result = iterated(model, Z, *parts, X.shape[1] // 2, rng, OWNER, by_shifts=True)
    result = Directions(**vars(result) | {"center": X.mean(axis=0)})
    _warn(model, result, X, codes, units, rng)
    return result


def some_samples(X, y, correct_for, groups, random_state):
    """Return some samples, their classes, batches and units, and a random generator."""
    codes = check_labels(y, len(X), owner=OWNER)[1]
    names, batch = checked_nuisance(correct_for, len(X))
    rng = copy.deepcopy(check_random_state(random_state))  # the fit draws its own seed
    units = units_of(X, groups, codes=codes, owner=OWNER).of_row
    if units_per_class(batch, units, len(names)).min() < 2:
        units = units_of(X, codes=codes, owner=OWNER).of_row
    rows = some_rows(batch, units, rng)
    return X[rows], codes[rows], batch[rows], numbered(units[rows]), rng


def checked_nuisance(correct_for, n, owner=OWNER):
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


def some_rows(codes, units, rng):
    """Return the indices of at most `MOST_ROWS` rows, or of few more, by units."""
    if len(codes) <= MOST_ROWS:
        return np.arange(len(codes))
    return some_units(codes, units, MOST_ROWS, rng)


def is_shared(codes, batch):
    """Return for each sample (n,) whether its class occurs in several batches."""
    return units_per_class(codes, batch, int(codes.max()) + 1)[codes] > 1


def _without_classes(X, codes, batch):
    """Return samples minus the class effects of a least-squares fit with batches."""
    codes, batch = numbered(codes), numbered(batch)
    C, B = np.eye(codes.max() + 1)[codes], np.eye(batch.max() + 1)[batch]
    effects = np.linalg.lstsq(np.hstack([C, B[:, 1:]]), X, rcond=None)[0]
    return X - effects[codes]


def iterated(model, X, codes, units, most, rng, owner, *, by_shifts=False):
    """Return directions that separate classes, at most ``most`` of them.

    With ``by_shifts``, the first C - 1 directions are differences between class means,
    because a model prefers directions of small variance and would miss some of these.
    """
    n_classes, center = int(codes.max()) + 1, X.mean(axis=0)
    fold = dealt_folds(codes, units, N_FOLDS, rng, owner=owner)
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
            answers, omegas = _held_out(model, rest, codes, fold, seed)
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


def _held_out(model, X, codes, fold, seed):
    """Return the held-out prediction of each sample, and the Omega of each model."""

    def of_fold(k):
        fitted = model(
            class_weight="balanced",
            n_components=min(RANK, X.shape[1]),
            max_iter=STEPS,
            random_state=seed,
        )
        fitted.fit(X[fold != k], codes[fold != k])
        return fitted.predict(X[fold == k]), fitted.omega_

    answers = np.empty(len(X), dtype=codes.dtype)
    # Fits to parts of the samples repeat warnings.
    with ignored(ConstantFeatures, LabelsSayNothing):
        fits = map_blocks(of_fold, range(fold.max() + 1))
    for k, (predicted, _) in enumerate(fits):
        answers[fold == k] = predicted
    return answers, [omega for _, omega in fits]


def _warn(model, result, X, codes, units, rng):
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
            stacklevel=5,
        )
    if not count:
        return
    fold = dealt_folds(codes, units, N_FOLDS, rng, owner=OWNER)
    seed, n_classes = rng.randint(2**31 - 1), int(codes.max()) + 1
    before, after = (
        balanced_accuracy(_held_out(model, Z, codes, fold, seed)[0], codes, n_classes)
        for Z in (X, result.remove(X))
    )
    if before - after > FALL:
        warnings.warn(
            InputWarning(
                f"correct_for removed {count} of {n_features} directions, which also "
                "reduces class differences: their held-out accuracy falls from "
                f"{before:.0%} to {after:.0%}. Compare with a fit without correct_for."
            ),
            stacklevel=5,
        )
