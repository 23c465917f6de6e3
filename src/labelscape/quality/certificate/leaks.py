"""Too good to be true: features and an order of rows that give the labels away."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._core.columns.linear import selected_features
from labelscape._core.features import is_counter
from labelscape.quality._knn import vote
from labelscape.quality.certificate.chance import combined, split_p_value
from labelscape.quality.certificate.scores import balanced_accuracy, vote_weights
from labelscape.quality.certificate.splits import Split
from labelscape.quality.certificate.verdict import SIGNIFICANT

# One feature does it all if it tells so much of what all tell, and that is so much.
NEARLY_ALL, MUCH = 0.95, 0.9
# Single features are judged by all splits, or by fewer if there are many features.
MOST_JUDGED = 200


class Leak(NamedTuple):
    """Something that gives the labels away."""

    # What it is.
    kind: str
    # The feature; None for the order of the rows.
    column: str | None
    # Balanced accuracy on held-out rows by this alone.
    figure: float

    def __str__(self) -> str:
        told = f"it alone tells {self.figure:.0%} of new objects"
        return {
            "counter": f"{self.column!r} counts the rows, and {told}. Leave it out.",
            "copy": f"{self.column!r} is a copy of the classes: {told}. Leave it out.",
            "one feature": f"{self.column!r} does it all: {told}. Is it a result of "
            "the class, or known before?",
            "order": "The class can be told from the number of the row alone "
            f"({self.figure:.0%} of new objects): what changed from row to row while "
            "the table was made looks like a difference of classes.",
        }[self.kind]


class Judgement(NamedTuple):
    """What single features are judged by: as the map is, on the same splits."""

    codes: NDArray[Any]
    units: NDArray[np.intp]
    n_classes: int
    k: int
    splits: Sequence[Split]

    def by_one(self, values: NDArray[Any], split: Split) -> NDArray[np.intp]:
        """Return the classes of unseen objects by neighbours in one feature."""
        known = self.codes[split.fitted]
        nearest = nearest_on_a_line(values[split.fitted], self.k, values[split.unseen])
        return vote(known[nearest], self.n_classes, vote_weights(known, self.n_classes))

    def accuracy(self, values: NDArray[Any], splits: Sequence[Split]) -> float:
        """Return the balanced accuracy of one feature for unseen objects."""
        scores = [
            balanced_accuracy(
                self.by_one(values, split), self.codes[split.unseen], self.n_classes
            )
            for split in splits
        ]
        return float(np.mean(scores))


def find_leaks(
    X: NDArray[Any],
    rows: NDArray[np.intp],
    names: Sequence[str],
    judgement: Judgement,
    original: float,
    n_permutations: int,
    rng: RandomState,
) -> list[Leak]:
    """Return what gives the labels away: features first, then the order of rows.

    ``rows`` are the numbers of the rows in the table that the objects come from.
    """
    # Of many features, those are judged whose class means differ most.
    judged = selected_features(X, judgement.codes, MOST_JUDGED)
    few = judgement.splits[: max(1, MOST_JUDGED // X.shape[1])]
    alone = np.zeros(X.shape[1])
    alone[judged] = [judgement.accuracy(x, few) for x in X[:, judged].T]
    counters = np.array([is_counter(x, rows) for x in X.T])
    copies = np.array([_is_copy(x, judgement) for x in X.T]) & (alone >= MUCH)
    kinds = np.where(counters, "counter", np.where(copies, "copy", ""))
    found = [
        Leak(kinds[j], str(names[j]), float(alone[j]))
        for j in np.flatnonzero(kinds).tolist()
    ]
    best = int(alone.argmax())
    if not kinds[best] and alone[best] >= NEARLY_ALL * original and original >= MUCH:
        found.append(Leak("one feature", str(names[best]), float(alone[best])))
    return found + _order(rows, judgement, n_permutations, rng)


def _is_copy(x: NDArray[Any], judgement: Judgement) -> bool:
    """Whether a feature has few values that repeat, each of one class."""
    values, which = np.unique(x, return_inverse=True)
    if len(values) > 2 * judgement.n_classes or np.bincount(which).min() < 2:
        return False
    pairs = np.unique(which * judgement.n_classes + judgement.codes)
    return len(pairs) == len(values)


def _order(
    rows: NDArray[np.intp],
    judgement: Judgement,
    n_permutations: int,
    rng: RandomState,
) -> list[Leak]:
    place = rows.astype(np.float64)
    p_values = []
    for split in judgement.splits:
        codes, units = judgement.codes[split.unseen], judgement.units[split.unseen]
        judged = judgement.by_one(place, split)
        p_values.append(
            split_p_value(
                judged, codes, units, judgement.n_classes, n_permutations, rng
            )
        )
    if combined(p_values) > SIGNIFICANT:
        return []
    return [Leak("order", None, judgement.accuracy(place, judgement.splits))]


def nearest_on_a_line(
    values: NDArray[Any], k: int, queries: NDArray[Any]
) -> NDArray[np.intp]:
    """Return the k nearest of some numbers for each query, nearest first."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    right = np.searchsorted(ranked, queries)
    window = right[:, None] + np.arange(-k, k)
    outside = (window < 0) | (window >= len(values))
    window = np.clip(window, 0, len(values) - 1)
    distance = np.where(outside, np.inf, np.abs(ranked[window] - queries[:, None]))
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :k]
    return order[np.take_along_axis(window, nearest, axis=1)]
