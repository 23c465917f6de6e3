"""How many of the suspects are false alarms: what wrong labels look like, by decoys.

With F the distribution of the scores of labels as they are, and F1 that of wrong ones,
F = (1 - pi) F0 + pi F1. So the share of wrong labels is at most

    pi = min_t F(t) / F1(t),

and of those who score below t, a share of 1 - pi F1(t) / F(t) is labelled rightly.
F1 is known from decoys: objects with a label that is not theirs, as often as members of
their class seem to be given it. Models never see the object that they judge, so that
what they would say of a decoy is known without a fit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from labelscape.auditing._scores import (
    doubted_labels,
    label_scores,
    plain_scores,
    wrong_labels,
)

# The share of wrong labels is looked for where so many of them score as low: deeper
# than this, a handful of objects decides.
DEEPEST = 0.5
# Here nearly all wrong labels score as low, and hard objects begin to do so.
NEARLY_ALL = 0.95
# Which labels are doubted, and what is mistaken for what, is known better each time.
ROUNDS = 4
# If more labels than this seem to be wrong, they say nothing about the objects.
MOST_WRONG = 0.5
# Where so many wrong labels score lower, right ones must be rarer than wrong ones would
# be, by this factor: else a label that does not fit is no evidence.
LAST_OF_WRONG, OVERLAP = (0.7, 0.9), 0.5
# Of fewer suspects than this, no share can be promised.
FEWEST = 3
# Draws of units, and the share of draws in which the promise is to be kept.
DRAWS, CAREFUL = 200, 0.85


class Discoveries(NamedTuple):
    """Objects in the order of suspicion, and how many of them to believe.

    Attributes
    ----------
    ranking : ndarray of int of shape (n,)
        All objects, the most suspicious first.
    n_flagged : int
        How many of them are suspects.
    chance_wrong : ndarray of shape (n,)
        The chance that the label of an object is wrong.
    share : float
        The share of labels that are wrong, rather too small than too large.
    expected_false : float
        The share of the suspects that are labelled rightly; 0 without any.
    can_tell : bool
        Whether wrong labels can be told from hard objects at all.
    """

    ranking: NDArray[np.intp]
    n_flagged: int
    chance_wrong: NDArray[np.float64]
    share: float
    expected_false: float
    can_tell: bool = True


class Tails(NamedTuple):
    """Objects and decoys, by the place of their score among those of the objects.

    Attributes
    ----------
    order : ndarray of int of shape (n,)
        The objects, lowest score first.
    places : ndarray of int of shape (n, C)
        How many objects score lower than each would with each label.
    """

    order: NDArray[np.intp]
    places: NDArray[np.intp]

    @classmethod
    def of(cls, scores, codes):
        """Return the places of scores with any label (n, C) among the given ones."""
        own = scores[np.arange(len(codes)), codes]
        order = np.argsort(own, kind="stable")
        return cls(order, np.searchsorted(own[order], scores, side="left"))

    def labels(self, counts):
        """Return the share of objects that score at most as low as each, in order."""
        return np.cumsum(counts[self.order]) / counts.sum()

    def decoys(self, weights):
        """Return the share of decoys that score no higher than the object after each.

        A list ends somewhere between two objects: as well before the next one.
        """
        n = len(self.order)
        found = np.bincount(self.places.ravel(), weights.ravel(), minlength=n + 1)
        # Without any decoy nothing is known of wrong labels.
        return np.cumsum(found)[1:] / (found.sum() or 1.0)


def share_wrong(F, F1, n):
    """Return the largest share of wrong labels that scores allow: min F / F1.

    The least of many figures is too small by chance, so in place of each count stands
    what it may be by one standard deviation (Gehrels 1986: that of 0 is 1.87).

    Examples
    --------
    >>> import numpy as np
    >>> F, F1 = np.array([0.1, 0.2, 0.6, 1.0]), np.array([0.5, 1.0, 1.0, 1.0])
    >>> round(share_wrong(F, F1, 10_000), 3)
    0.205
    """
    known = F1 >= DEEPEST
    if not known.any():
        return 0.0
    F, F1 = F[known], F1[known]
    counts = n * F
    return float(min(1.0, ((counts + 1.0 + np.sqrt(counts + 0.75)) / (n * F1)).min()))


def careful_share(F, F1, n):
    """Return the share of wrong labels less what is left of hard objects in it.

    Where nearly all decoys score as low, a share k of the objects is labelled rightly
    by the bound. If that falls by the same factor down to where the bound was read, a
    share of k^2 is left there, and so much of the bound is no wrong label.

    Examples
    --------
    >>> import numpy as np
    >>> F1 = np.linspace(0, 1, 1001)
    >>> apart, mixed = 0.1 * F1, 0.1 * F1 + 0.9 * F1**3
    >>> [round(careful_share(F, F1, 1e9), 2) for F in (apart, mixed)]
    [0.1, 0.19]
    """
    share = share_wrong(F, F1, n)
    i = min(int(np.searchsorted(F1, NEARLY_ALL)), len(F) - 1)
    right = max(0.0, 1.0 - share * F1[i] / max(F[i], 1e-12))
    return float(share * (1.0 - right**2))


def overlap(F, F1, share):
    """Return how dense right labels are, in densities of wrong ones, near their end.

    The share of false alarms is known from labels that score so low that right ones
    hardly do. Where right labels are still dense when most of the wrong ones have been
    passed, they are among those, too, and nobody knows how many.

    Examples
    --------
    >>> import numpy as np
    >>> F1 = np.linspace(0, 1, 1001)
    >>> apart, mixed = 0.1 * F1, 0.1 * F1 + 0.9 * F1**2
    >>> [round(overlap(F, F1, 0.1), 2) for F in (apart, mixed)]
    [0.0, 1.6]
    """
    first, last = np.minimum(np.searchsorted(F1, LAST_OF_WRONG), len(F) - 1)
    density = (F[last] - F[first]) / max(F1[last] - F1[first], 1e-12)
    return float((density - share) / max(1.0 - share, 1e-12))


def false_alarms(F, F1, share):
    """Return the share of right labels among those that score as low as each."""
    return 1.0 - np.minimum(1.0, share * F1 / np.maximum(F, 1e-12))


def discoveries(p, codes, units, is_judged, rate, random_state):
    """Rank objects by the odds of their labels, and tell how many are suspects.

    Parameters
    ----------
    p : ndarray of shape (n, C)
        Class probabilities by models that never saw the object.
    codes : ndarray of int of shape (n,)
        The labels.
    units : ndarray of int of shape (n,)
        What is drawn together.
    is_judged : ndarray of bool of shape (n,)
        Whose labels can be judged; others are never suspected.
    rate : float
        The share of false alarms that is allowed.
    random_state : RandomState
        Draws units.

    Returns
    -------
    Discoveries
    """
    likely = p.argmax(axis=1)
    doubt = (likely != codes).astype(np.float64)
    plain = Tails.of(_judged(plain_scores(p), is_judged), codes)
    for _ in range(ROUNDS):
        weights = decoys(likely, codes, doubt, p.shape[1])
        doubt = _doubt(plain, weights, share_wrong)
        doubt[likely == codes] = 0.0
    tails = Tails.of(_judged(label_scores(p, codes, doubt), is_judged), codes)
    weights = decoys(likely, codes, doubt, p.shape[1])
    disagree = (likely != codes)[tails.order]
    most = len(codes) if disagree.all() else int(disagree.argmin())
    bound, low = careful(tails, weights, units, most, random_state)
    can_tell = low <= MOST_WRONG and _overlap(tails, weights) <= OVERLAP
    kept = np.flatnonzero(bound <= rate) if can_tell else []
    n_flagged = int(kept[-1]) + 1 if len(kept) and kept[-1] + 1 >= FEWEST else 0
    expected = float(bound[n_flagged - 1]) if n_flagged else 0.0
    wrong = _doubt(tails, weights, careful_share)
    return Discoveries(tails.order, n_flagged, wrong, low, expected, can_tell)


def _judged(scores, is_judged):
    """Return scores that are as high as can be where nothing can be told."""
    return np.where(is_judged[:, None], scores, np.inf)


def decoys(likely, codes, doubt, n_classes):
    """Return how often each object stands for a decoy with each label (n, C).

    Objects whose labels are believed do, with labels that others of their class seem
    to be given by mistake.
    """
    counts = doubted_labels(likely, codes, doubt, n_classes)
    return (1.0 - doubt)[:, None] * wrong_labels(counts)[codes]


def _doubt(tails, weights, share_of):
    """Return the chance of each object to be labelled wrongly."""
    once = np.ones(len(weights))
    F, F1 = tails.labels(once), tails.decoys(weights)
    return chances(F1, share_of(F, F1, len(once)), tails.order)


def _overlap(tails, weights):
    once = np.ones(len(weights))
    F, F1 = tails.labels(once), tails.decoys(weights)
    return overlap(F, F1, share_wrong(F, F1, len(once)))


def chances(F1, share, order):
    """Return the chance of each object to be labelled wrongly (n,).

    So many wrong labels are expected between one score and the next; in the mean over
    neighbours in the order, so that chances fall.
    """
    n = len(order)
    expected = n * share * np.diff(F1, prepend=0.0)
    falling = isotonic_regression(expected, increasing=False).x
    wrong = np.empty(n)
    wrong[order] = np.clip(falling, 0.0, 1.0)
    return wrong


def careful(tails, weights, units, most, random_state):
    """Return bounds of the share of false alarms (most,), and of that of wrong labels.

    Units are drawn with replacement: in most draws, there are fewer false alarms.
    """
    n_units = int(units.max()) + 1
    bounds, shares = np.empty((DRAWS, most)), np.empty(DRAWS)
    for b in range(DRAWS):
        drawn = random_state.randint(n_units, size=n_units)
        counts = np.bincount(drawn, minlength=n_units)[units].astype(np.float64)
        F, F1 = tails.labels(counts), tails.decoys(weights * counts[:, None])
        shares[b] = careful_share(F, F1, len(units))
        bounds[b] = false_alarms(F[:most], F1[:most], shares[b])
    low = float(np.quantile(shares, 1.0 - CAREFUL))
    return np.quantile(bounds, CAREFUL, axis=0), low
