"""Batch effects: whether batches can be predicted, and swapped names in a batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from labelscape._resampling.chance import LabelShuffle, cramers_v
from labelscape._resampling.classifiers import discriminant
from labelscape._resampling.sampling import some_units
from labelscape._resampling.voters import balanced_accuracy
from labelscape.crossfit import CrossFit, RandomFeatureClassifier

# At most about this many rows are used.
MOST_ROWS = 3000
N_SHUFFLES = 999  # for a p-value; more if many batches are tested for swaps
# A batch effect is detected at this many standard deviations above chance.
DEVIATIONS = 3.0


@dataclass(frozen=True)
class Batches:
    """Results of the tests for a batch effect and for its confounding with classes.

    Attributes
    ----------
    accuracy : float
        Balanced accuracy of predicting the batch of held-out samples.
    chance : float
        The accuracy of guessing.
    is_detected : bool
        Whether ``accuracy`` is better than chance.
    confounding : float
        Association of batches and classes (Cramér's V), from 0 to 1.
    p : float
        The p-value of ``confounding``, by shuffled labels.
    left : float
        ``accuracy`` after the batch means within classes are removed; the same as
        ``accuracy`` if no batch effect is detected.
    """

    accuracy: float
    chance: float
    is_detected: bool
    confounding: float
    p: float
    left: float


def judged_batches(places, batch, codes, units, random_state):
    """Return the batch effect; ``batch`` and ``codes`` (n,) are indices."""
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
    """Return samples minus the batch effects of a least-squares fit with classes."""
    # In five folds, because a shift that was fitted to a sample would reveal the batch
    # of this sample.
    B, C = (np.eye(int(of.max()) + 1)[of] for of in (batch, codes))
    both, rest, part = np.hstack([C, B[:, 1:]]), np.empty_like(Z), units % 5
    for k in range(5):
        others, own = part != k, part == k
        shifts = np.linalg.lstsq(both[others], Z[others], rcond=None)[0][C.shape[1] :]
        rest[own] = Z[own] - B[own, 1:] @ shifts
    return rest


# Swapped class names: labels that were exchanged within one batch. Models fitted to all
# batches learn the exchange, so models of the other batches check each batch.

FEWEST_BATCHES = 3  # with two batches, the wrong one cannot be determined
# Probability of a false report in a table, and of a cycle of names in a batch.
LEVEL, CYCLE_LEVEL = 0.01, 0.05
MOST_PARTS = 10  # batches are checked in at most this many parts
LEAST = 1e-3  # smaller probabilities are unreliable


@dataclass(frozen=True)
class Swap:
    """Class names that look swapped in one batch.

    Attributes
    ----------
    batch : object
        The batch.
    classes : tuple
        The classes whose names look swapped: two classes, or a cycle of more classes.
    rows : ndarray of int
        The rows of these classes in the batch.
    n_agree : int
        Number of these rows for which models of the other batches predict the new name.
    p : float
        The share of shuffles of the labels whose best renaming fits at least as well.
    """

    batch: Any
    classes: tuple[Any, ...]
    rows: NDArray[np.intp]
    n_agree: int
    p: float


def swapped_names(places, codes, batch, copies, random_state):
    """Return swaps with indices of batches and classes, the clearest swap first."""
    # Shapes: places (n, q); codes, batch and copies (n,), copies of a row share a
    # number. With l_i(k) the log probability of class k for row i by models of other
    # batches, the renaming pi of the classes in a batch maximizes sum_i l_i(pi(y_i)),
    # an assignment problem. The maximum is compared with that of shuffled labels of the
    # batch. The clearest swap is undone before the search for the next one, because
    # models of other batches have learned it.
    codes, swaps = codes.copy(), list[Swap]()
    pairs = np.unique(np.c_[batch, codes], axis=0)
    crossed = np.flatnonzero(np.bincount(pairs[:, 0]) > 1).tolist()
    if len(crossed) < FEWEST_BATCHES:
        return swaps
    level = LEVEL / len(crossed)
    seed = random_state.randint(2**31 - 1)
    while crossed:
        logs = _judged_by_others(places, codes, batch, seed)
        b, p = _clearest(logs, codes, batch, copies, crossed, level, random_state)
        if b is None:
            break
        crossed.remove(b)
        rows = np.flatnonzero(batch == b)
        renaming = best_renaming(logs[rows], codes[rows])[1]
        for cycle in cycles_of(renaming):
            some = rows[np.isin(codes[rows], cycle)]
            among = logs[np.ix_(some, cycle)]
            among = among - np.log(np.exp(among).sum(axis=1, keepdims=True))
            own = np.searchsorted(cycle, codes[some])
            shuffles = (N_SHUFFLES, random_state)
            if renamed_p_value(among, own, copies[some], *shuffles) > CYCLE_LEVEL:
                continue
            codes[some] = [renaming[c] for c in codes[some]]
            agree = np.array(cycle)[among.argmax(axis=1)] == codes[some]
            swaps.append(Swap(b, tuple(cycle), some, int(agree.sum()), p))
    return swaps


def _clearest(logs, codes, batch, copies, crossed, level, random_state):
    """Return the batch with the largest gain per row by renaming, and its p-value."""
    n_shuffles = max(N_SHUFFLES, int(2 / level))
    gains = {b: best_renaming(logs[batch == b], codes[batch == b])[0] for b in crossed}
    for b in sorted(crossed, key=lambda b: -gains[b] / np.sum(batch == b)):
        if gains[b] > 0:
            logs_b, codes_b, copies_b = (v[batch == b] for v in (logs, codes, copies))
            p = renamed_p_value(logs_b, codes_b, copies_b, n_shuffles, random_state)
            if p <= level:
                return b, p
    return None, 1.0


def _judged_by_others(places, codes, batch, seed):
    """Return log probabilities (n, C) of all rows from models of other batches."""
    part = np.random.RandomState(seed).permutation(batch.max() + 1)[batch] % MOST_PARTS
    logs = np.full((len(codes), int(codes.max()) + 1), np.log(LEAST))
    for k in np.unique(part):
        out = part == k
        known = np.unique(codes[~out])
        if len(known) < 2:
            continue
        models = (
            discriminant(),
            RandomFeatureClassifier(random_state=seed),
        )
        p = [
            model.fit(places[~out], codes[~out]).predict_proba(places[out])
            for model in models
        ]
        logs[np.ix_(out, known)] = np.log(np.mean(p, axis=0) + LEAST)
    return logs


def best_renaming(logs, codes):
    """Return the gain of the best renaming, and the new name of each class."""
    # max_pi sum_i l_i(pi(y_i)) - l_i(y_i), pi a permutation of the classes that occur.
    present, index = np.unique(codes, return_inverse=True)
    fit = np.zeros((len(present), len(present)))
    np.add.at(fit, index, logs[:, present])
    _, after = linear_sum_assignment(fit, maximize=True)
    gain = fit[np.arange(len(present)), after].sum() - np.trace(fit)
    names = zip(present.tolist(), present[after].tolist(), strict=True)
    return gain, {old: new for old, new in names if old != new}


def renamed_p_value(logs, codes, copies, n_shuffles, random_state):
    """Return the share of label shuffles whose best renaming fits at least as well."""
    shuffle, rows = LabelShuffle(codes, copies), np.arange(len(codes))

    def fit(labels):
        gain = best_renaming(logs, labels)[0]
        return gain + logs[rows, labels].sum() if gain > 0 else -np.inf

    observed = fit(codes) - 1e-9
    as_good = sum(
        fit(shuffle.draw(random_state)) >= observed for _ in range(n_shuffles)
    )
    return (1 + as_good) / (1 + n_shuffles)


def cycles_of(renaming):
    """Return the cycles of a permutation, each as a sorted tuple."""
    left, cycles = dict(renaming), []
    while left:
        old, new = left.popitem()
        cycle = [old]
        while new != old:
            cycle.append(new)
            new = left.pop(new)
        cycles.append(sorted(cycle))
    return cycles
