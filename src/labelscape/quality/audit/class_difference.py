"""Differences between two groups of samples: ordered features, and separation."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import rankdata

from labelscape._core.errors import InputError
from labelscape._core.types import Array, Bools, Ints
from labelscape._resampling.classifiers import answers_of_two
from labelscape._resampling.trial import draw_split
from labelscape._resampling.voters import balanced_accuracy
from labelscape.quality.records import Printed

# Number of splits of units into halves, and maximum number of combined features.
N_SPLITS, HALF, MOST_FEATURES = 5, 0.5, 3
# Maximum number of samples, and of features (those with the largest effects).
MOST_ROWS, MOST_TRIED = 5000, 50
SHOWN = 5  # number of features to print


@dataclass(frozen=True)
class Effect:
    """How one feature differs between two groups of samples.

    Attributes
    ----------
    feature : str
        Name of the feature.
    effect : float
        From -1 (all values of the second group are higher) to 1 (all values of the
        first group are higher).
    median_a, median_b : float
        Medians of the feature in both groups.
    """

    feature: str
    effect: float
    median_a: float
    median_b: float


@dataclass(frozen=True, eq=False, repr=False)
class ClassDifference(Printed):
    """The features that separate two groups of samples, A and B.

    Attributes
    ----------
    a, b : str
        The names of the groups.
    effects : tuple of Effect
        All features, sorted by the size of the difference (largest first).
    best : tuple of tuple of str
        The best one, two and three features, chosen one after the other.
    accuracy : tuple of float
        The balanced accuracy of each choice on held-out samples. The features are
        chosen again without the held-out samples, so the choice does not bias the
        accuracy.
    by_chance : float
        The accuracy that is 2.5 standard deviations above chance (0.5).
    """

    a: str
    b: str
    effects: tuple[Effect, ...]
    best: tuple[tuple[str, ...], ...]
    accuracy: tuple[float, ...]
    by_chance: float

    @property
    def is_better_than_chance(self) -> bool:
        """Whether the features separate held-out rows better than chance."""
        return bool(self.accuracy) and self.accuracy[-1] > self.by_chance

    def record(self) -> dict[str, Any]:
        """Return the record in plain values."""
        return asdict(replace(self, effects=self.effects[:SHOWN]))

    def _parts_shown(self):
        header = ["feature", "effect", f"median of {self.a}", f"of {self.b}"]
        rows = [
            [e.feature, f"{e.effect:+.2f}", f"{e.median_a:g}", f"{e.median_b:g}"]
            for e in self.effects[:SHOWN]
        ]
        sentences = [
            f"{', '.join(names)}: {accuracy:.0%} accuracy on held-out rows."
            for names, accuracy in zip(self.best, self.accuracy, strict=True)
        ]
        if not self.is_better_than_chance:
            sentences.append(f"No better than chance (50% to {self.by_chance:.0%}).")
        return [(header, rows), *sentences]


def class_difference(
    X: Array,
    is_a: Bools,
    units: Ints,
    names: list[str],
    called: tuple[str, str],
    random_state: np.random.RandomState,
) -> ClassDifference:
    """Compare the rows ``is_a`` with the other rows."""
    codes = is_a.astype(np.intp)
    n_units = [len(np.unique(units[codes == c])) for c in (0, 1)]
    n_splits = N_SPLITS if len(codes) else 0
    splits = [draw_split(codes, units, HALF, random_state) for _ in range(n_splits)]
    splits = [s for s in splits if all(len(np.unique(codes[p])) == 2 for p in s)]
    if min(n_units) < 2 or not splits:
        raise InputError(
            f"{called[0]} and {called[1]} need two independent rows each, one to fit "
            "and one to hold out. Suspects are not used. Equal rows, or rows of one "
            "group, count as one row.",
            owner="compare_classes",
            parameter="a",
        )
    values = effects_of(X, is_a)
    order = np.argsort(-np.abs(values), kind="stable")
    medians = np.median(X[is_a], axis=0), np.median(X[~is_a], axis=0)
    effects = tuple(
        Effect(names[j], float(values[j]), float(medians[0][j]), float(medians[1][j]))
        for j in order
    )
    chosen = forward_choice(X, is_a, MOST_FEATURES)
    scores = [_held_out(X, codes, split, len(chosen)) for split in splits]
    best = (tuple(names[j] for j in chosen[: m + 1]) for m in range(len(chosen)))
    accuracy = tuple(np.mean(scores, axis=0).tolist())
    # 2.5 standard deviations above 0.5, with half of the units held out once.
    variance = sum(0.25 / max(n // 2, 1) for n in n_units) / 4.0
    by_chance = min(1.0, 0.5 + 2.5 * float(np.sqrt(variance)))
    return ClassDifference(*called, effects, tuple(best), accuracy, by_chance)


def effects_of(X, is_a):
    """Return P(a > b) - P(a < b) of each feature, for values a in A and b in B."""
    n_a, n_b = int(is_a.sum()), int((~is_a).sum())
    ranks = rankdata(X, axis=0)[is_a].sum(axis=0)
    return 2.0 * (ranks - n_a * (n_a + 1) / 2.0) / (n_a * n_b) - 1.0


def forward_choice(X, is_a, most):
    """Choose features one by one; each explains most of what is still unexplained."""
    # Least squares on the indicator of A: chosen features are projected out of it and
    # out of the other features.
    spread = X.std(axis=0)
    usable = np.flatnonzero(spread > 0)
    effects = np.abs(effects_of(X[:, usable], is_a))
    usable = usable[np.argsort(-effects, kind="stable")[:MOST_TRIED]]
    weight = np.where(is_a, 0.5 / is_a.sum(), 0.5 / (~is_a).sum())
    rest = np.where(is_a, 1.0, -1.0)
    Z = X[:, usable] - weight @ X[:, usable]
    scale = weight @ Z**2
    chosen = []
    for _ in range(min(most, len(usable))):
        left = weight @ Z**2
        covered = (weight * rest) @ Z
        # A feature that is a combination of chosen features is 0 after the projection.
        gain = np.where(
            left > 1e-9 * scale, covered**2 / np.maximum(left, 1e-300), -1.0
        )
        j = int(gain.argmax())
        if gain[j] < 0:
            break
        chosen.append(int(usable[j]))
        z = Z[:, j] / np.sqrt(left[j])
        rest = rest - ((weight * rest) @ z) * z
        Z = Z - np.outer(z, (weight * z) @ Z)
    return chosen


def _held_out(X, codes, split, most):
    """Return balanced accuracies of one, two and three features on held-out samples."""
    fitted, unseen = split
    chosen = forward_choice(X[fitted], codes[fitted] == 1, most)
    if not chosen:
        return [0.5] * most
    scores = []
    for m in range(1, most + 1):
        seen, new = (X[np.ix_(rows, chosen[:m])] for rows in split)
        answers = answers_of_two(seen, codes[fitted], new)
        scores.append(balanced_accuracy(answers, codes[unseen], 2))
    return scores
