"""The fits of a certificate: votes on the map and in the data, and their evaluation."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState

from labelscape._core.types import Array, Ints
from labelscape._resampling.chance import (
    chained,
    confirmed,
    split_p_value,
    unit_intervals,
)
from labelscape._resampling.classifiers import linear_answers
from labelscape._resampling.trial import Fit, Problem, Split
from labelscape._resampling.voters import Tally, balanced_accuracy
from labelscape.quality.certificate.verdict import verdict_of

N_SPLITS = 5  # default number of splits


class Scores(NamedTuple):
    """Balanced accuracies of a fit: on the map (fitted, held out), and in the data."""

    seen: float
    unseen: float
    original: float


class JudgedFit(NamedTuple):
    """One fit, and the predicted classes of its samples.

    Predictions come from neighbors on the map (seen, unseen), from neighbors in the
    data (original), and from a linear model of the data (linear). All except seen
    are for held-out samples. ``codes`` are the labels of the fit, true or shuffled.
    """

    split: Split
    codes: Ints
    seen: Ints
    unseen: Ints
    original: Ints
    linear: Any  # None for shuffled labels
    place_errors: Array | None = None  # with predicted positions

    def scores(self, n_classes: int) -> Scores:
        """Return the balanced accuracies."""
        seen, unseen = (self.codes[part] for part in self.split)
        return Scores(
            balanced_accuracy(self.seen, seen, n_classes),
            balanced_accuracy(self.unseen, unseen, n_classes),
            balanced_accuracy(self.original, unseen, n_classes),
        )


def judged_fit(estimator: Any, k: int, fit: Fit) -> JudgedFit:
    """Fit a map; return the neighbors' predictions for all samples."""
    X, X_new = fit.data
    _, Z, Z_new = fit.placed(estimator)
    on_map = fit.voters(Z, k)
    return JudgedFit(
        fit.split,
        fit.codes,
        seen=on_map.judge_themselves(),
        unseen=on_map.judge(Z_new),
        original=on_map._replace(Z=X).judge(X_new),
        linear=None if fit.is_null else linear_answers(X, on_map.codes, X_new),
    )


def evaluate(
    problem: Problem,
    fits: Sequence[JudgedFit],
    chain: Sequence[JudgedFit],
    rng: RandomState,
    *,
    is_given: bool,
) -> dict[str, Any]:
    """Return the fields of a report from fits to true labels, the verdict first.

    With r_c the share of correct predictions in class c over all splits, a score is the
    mean of r_c over classes. The score in the data is that of neighbors or of the
    linear model, whichever is higher. ``is_given``: the map was not fitted again.
    """
    codes, n_classes = problem.codes, problem.n_classes
    tallies = {name: _tally(fits, name) for name in (*Scores._fields, "linear")}
    recalls = {name: t.recalls(codes, n_classes) for name, t in tallies.items()}
    scores = {name: float(np.nanmean(recall)) for name, recall in recalls.items()}
    linear, by_model = scores.pop("linear"), tallies.pop("linear")
    is_linear = linear > scores["original"]
    p_value = _p_value(problem, fits, chain, rng)
    if is_given:
        # The map may be fitted to all labels, but the data do not depend on labels.
        p_data = min(
            _p_value(problem, fits, chain, rng, name) for name in ("original", "linear")
        )
        p_value = max(p_value, min(1.0, 2.0 * p_data))
    if is_linear:
        fits = [fit._replace(original=fit.linear) for fit in fits]
        scores["original"], tallies["original"] = linear, by_model
    intervals = unit_intervals(tallies, codes, problem.independent, n_classes, rng)
    chance = 1.0 / n_classes
    above = ((recalls["unseen"] - chance) / (1.0 - chance)).tolist()
    confusion = np.zeros((n_classes, n_classes), dtype=np.intp)
    for fit in fits:
        np.add.at(confusion, (codes[fit.split.unseen], fit.unseen), 1)
    return {
        "verdict": verdict_of(
            chance=chance,
            p_value=p_value,
            interval=intervals["unseen"],
            original_interval=intervals["original"],
            is_linear=is_linear,
            n_rows=len(codes),
            is_given=is_given,
            **scores,
        ),
        "gap_interval": intervals["gap"],
        "by_class": dict(zip(problem.classes.tolist(), above, strict=True)),
        "confusion": confusion,
        "points": tallies["unseen"],
        "splits": [fit.scores(n_classes) for fit in fits],
    }


def _p_value(
    problem: Problem,
    fits: Sequence[JudgedFit],
    chain: Sequence[JudgedFit],
    rng: RandomState,
    name: str = "unseen",
) -> float:
    """Return the p-value of splits into halves, or of a chain of splits by group."""
    p_values, n_moving = [], []
    for fit in chain or fits:
        rows = fit.split.unseen
        codes, shuffle = problem.codes[rows], problem.shuffle(rows)
        how = (shuffle, problem.n_classes, rng)
        p_values.append(split_p_value(getattr(fit, name), codes, *how))
        n_moving.append(shuffle.n_moving)
    return chained(p_values, n_moving) if chain else confirmed(p_values)


def _tally(fits: Sequence[JudgedFit], name: str) -> Tally:
    """Return the numbers of right predictions and of all predictions per sample."""
    tally = Tally.of(len(fits[0].codes))
    for fit in fits:
        part = fit.split.fitted if name == "seen" else fit.split.unseen
        tally.add(part, getattr(fit, name) == fit.codes[part])
    return tally
