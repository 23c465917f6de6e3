"""The suspects: a ranking of all rows, and a list whose chances keep a stated rate."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape.auditing._lapses import Lapses
from labelscape.quality._internal import LabelShuffle

# Labels carry signal if shuffled ones fit the held-out probabilities so rarely.
SIGNIFICANT, N_SHUFFLES = 0.05, 999
# If more labels than this seem to be wrong, none can be judged by the others.
MOST_WRONG = 0.5
# A label that is more likely right than wrong is not listed.
LIKELY_WRONG = 0.5
# Where no list is promised, chances are those of the smallest plausible share of wrong
# labels, and of this one at least.
USUAL = 0.01
# Classes are clearly separated where the natural chance of another class is below this
# part of the share of wrong labels; so it must be for a share FLOOR of the rows. Where
# no label stands out, errors of a share VISIBLE would.
BELOW, FLOOR, VISIBLE = 0.25, 0.3, 0.05


class Discoveries(NamedTuple):
    """Rows in the order of suspicion, and how many of them are listed."""

    # (n,) All rows, the most suspicious first.
    ranking: NDArray[np.intp]
    # How many of them are suspects.
    n_flagged: int
    # (n,) The estimated chance of each label to be wrong.
    chance_wrong: NDArray[np.float64]
    # The share of wrong labels: the lower end of its interval.
    share: float
    # The mean chance of the suspects to be labeled correctly.
    expected_false: float
    # Whether wrong labels can be distinguished from hard rows.
    can_tell: bool
    # Whether the features say anything about the labels.
    has_signal: bool


def discoveries(p, codes, units, is_judged, rate, random_state):
    """Rank rows by the odds that their labels are wrong, and list the first of them.

    Shapes: p (n, C), codes (n,), units (n,), is_judged (n,).
    """
    signal = classes_with_signal(p, codes, units, random_state)
    has_signal = bool(signal.any())
    is_judged = is_judged & (signal[codes] if has_signal else True)
    weights = is_judged / np.bincount(units)[units]
    lapses = Lapses(p, codes, weights)
    best = lapses.best()
    low = lapses.low(best)
    likely = p.argmax(axis=1)
    is_asked = is_judged & (likely != codes)
    chance = np.where(is_asked, lapses.chances(low), 0.0)
    ranking = np.lexsort((-chance, ~is_asked, ~is_judged))

    def is_separated(fit, share):
        clear = 1.0 - lapses.sureness(fit)[is_judged] < BELOW * share
        return bool(len(clear)) and clear.mean() >= FLOOR

    n_flagged = 0
    if has_signal and best.e < MOST_WRONG and is_separated(low, low.e):
        n_flagged = listed(chance[ranking], rate)
    # Where disagreement has a floor and yet no list, hard rows can't be excluded.
    can_tell = n_flagged > 0 or (
        has_signal and low.e == 0.0 and is_separated(low, max(best.e, VISIBLE))
    )
    if not n_flagged:
        usual = best._replace(e=max(low.e, USUAL))
        chance = np.where(is_asked, lapses.chances(usual), 0.0)
        ranking = np.lexsort((-chance, ~is_asked, ~is_judged))
    return Discoveries(
        ranking,
        n_flagged,
        chance,
        low.e,
        float(1.0 - chance[ranking[:n_flagged]].mean()) if n_flagged else 0.0,
        bool(can_tell),
        has_signal,
    )


def listed(chances, rate):
    """Return how many rows can be listed if a share ``rate`` of them may be false."""
    false = np.cumsum(1.0 - chances) / np.arange(1, len(chances) + 1)
    kept = np.flatnonzero((false <= rate) & (chances >= LIKELY_WRONG))
    return int(kept[-1]) + 1 if len(kept) else 0


def classes_with_signal(p, codes, units, random_state):
    """Return which classes the held-out probabilities recognize better than chance.

    By how much probability rows of a class get for it, against labels that are shuffled
    between units. None does if all classes together do not.
    """
    n_classes = p.shape[1]
    shuffle, rows = LabelShuffle(codes, units), np.arange(len(codes))

    def recognized(labels):
        each = np.bincount(labels, p[rows, labels], minlength=n_classes)
        return np.append(each, each.sum())

    actual = recognized(codes)
    as_good = np.zeros(n_classes + 1)
    for _ in range(N_SHUFFLES):
        as_good += recognized(shuffle.draw(random_state)) >= actual - 1e-9
    chance = (1.0 + as_good) / (1.0 + N_SHUFFLES)
    return (chance[:-1] * n_classes <= SIGNIFICANT) & (chance[-1] <= SIGNIFICANT)
