"""Batches: whether they can be predicted, and are confounded with classes."""

from dataclasses import dataclass

import numpy as np

from labelscape._resampling.chance import LabelShuffle, cramers_v
from labelscape._resampling.splits import some_units
from labelscape._resampling.voters import balanced_accuracy
from labelscape.crossfit import CrossFit, RandomFeatureClassifier

# At most about this many rows are used.
MOST_ROWS = 3000
N_SHUFFLES = 999
# A batch is detected if it is this many standard deviations above chance.
DEVIATIONS = 3.0


@dataclass(frozen=True)
class Batches:
    """Whether there is a batch effect, and whether it is confounded with classes.

    Attributes
    ----------
    accuracy : float
        Accuracy of predicting the batch of held-out samples; batches count the same.
    chance : float
        The accuracy of guessing.
    is_detected : bool
        Whether ``accuracy`` is better than chance.
    confounding : float
        Association of batches and classes (Cramér's V), from 0 to 1.
    p : float
        The p-value of ``confounding``, by shuffled labels.
    left : float
        ``accuracy`` after the means of batches within classes were removed; equal to
        ``accuracy`` if no batch effect is detected.
    """

    accuracy: float
    chance: float
    is_detected: bool
    confounding: float
    p: float
    left: float


def judged_batches(places, batch, codes, units, random_state):
    """Return the batch effect; ``batch`` and ``codes`` (n,) are numbers."""
    # It is detected if the accuracy is 3 standard deviations above chance, 1 / B, with
    # the variance (1 / B^2) sum_b (1 / B) (1 - 1 / B) / n_b of B batches of n_b rows.
    n_batches = int(batch.max()) + 1
    rows = np.arange(len(batch))
    if len(rows) > MOST_ROWS:
        rows = some_units(batch, units, MOST_ROWS, random_state)
    seed = random_state.randint(2**31 - 1)

    def predicted(Z):
        model = CrossFit(RandomFeatureClassifier(), random_state=seed)
        p = model.fit(Z[rows], batch[rows], groups=units[rows]).probabilities_
        answers = model.classes_[p.argmax(axis=1)]
        return float(balanced_accuracy(answers, batch[rows], n_batches))

    accuracy, chance = predicted(places), 1.0 / n_batches
    sizes = np.maximum(np.bincount(batch[rows], minlength=n_batches), 1)
    deviation = np.sqrt(np.mean(chance * (1 - chance) / sizes)) / np.sqrt(n_batches)
    is_detected = bool(accuracy > chance + DEVIATIONS * deviation)
    rest = without_batches(places, batch, codes, units) if is_detected else None
    left = accuracy if rest is None else predicted(rest)
    confounding = cramers_v(batch, codes)
    shuffle = LabelShuffle(codes, units)
    drawn = [cramers_v(batch, shuffle.draw(random_state)) for _ in range(N_SHUFFLES)]
    as_large = sum(one >= confounding - 1e-12 for one in drawn)
    p = (1 + as_large) / (1 + N_SHUFFLES)
    return Batches(accuracy, chance, is_detected, confounding, p, left)


def without_batches(Z, batch, codes, units):
    """Return samples minus the shift of their batch, by least squares with classes."""
    # In five folds: a shift to which a sample has contributed would reveal its batch.
    B, C = (np.eye(int(of.max()) + 1)[of] for of in (batch, codes))
    both, rest, part = np.hstack([C, B[:, 1:]]), np.empty_like(Z), units % 5
    for k in range(5):
        others, own = part != k, part == k
        shifts = np.linalg.lstsq(both[others], Z[others], rcond=None)[0][C.shape[1] :]
        rest[own] = Z[own] - B[own, 1:] @ shifts
    return rest
