"""Honesty: how much of the separation on a map is there for objects it has not seen.

A supervised map is fitted to labels, so of course it separates them. Here it is fitted
to a half of the units, several times, and asked about the other half.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array

from labelscape._core.arguments import arguments
from labelscape._core.checks import check_finite, check_labels, numbers_in
from labelscape._core.fits.progress import Progress
from labelscape._core.rules import COMMON, either, number, one_of, whole
from labelscape.quality._refits import in_turn, with_transform
from labelscape.quality.certificate.judging import judged_by_fit
from labelscape.quality.certificate.leaks import MUCH, Judgement, Leak, find_leaks
from labelscape.quality.certificate.measured import Measured
from labelscape.quality.certificate.problem import (
    Fit,
    Judged,
    Problem,
    units_per_class,
)
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.certificate.scores import Tally
from labelscape.quality.certificate.splits import some_units
from labelscape.quality.certificate.units import units_of
from labelscape.quality.certificate.verdict import Verdict

# With fewer shuffles no p-value, twice a mean, can be as small as 0.05.
FEWEST_PERMUTATIONS = 39

_RULES = {
    "n_splits": whole(1, limit=10_000),
    "n_permutations": whole(FEWEST_PERMUTATIONS, limit=10_000_000),
    "n_refits": whole(0, limit=10_000),
    "k": whole(1),
    "test_size": number(above=0.0, below=1.0),
    "max_objects": either(whole(20), one_of(None)),
    **COMMON,
}


@arguments(**_RULES)
def honesty(
    estimator,
    X,
    y,
    groups=None,
    *,
    n_splits=5,
    n_permutations=999,
    n_refits=3,
    k=5,
    test_size=0.5,
    max_objects=None,
    feature_names=None,
    n_jobs=None,
    random_state=None,
    verbose=False,
    callback=None,
):
    """Measure how much of the separation on a map is real, and how much it keeps.

    Parameters
    ----------
    estimator : map with ``fit``
        Fitted to (X, y) of a part of the data; ``transform`` never sees a label. A map
        without ``transform`` gets that of :class:`~labelscape.embeddings.KernelMap`.
    X : array-like of shape (n, d)
        Objects, in the order of the table that they come from. Rows that are equal
        stay together in all splits.
    y : array-like of shape (n,)
        Class labels.
    groups : array-like of shape (n,), optional
        What each row belongs to: a patient, a plate, a document. Rows of one group stay
        together in all splits. A row without a value (None, NaN) stands alone.
    n_splits : int, default=5
        Number of random splits into fitted and held-out units.
    n_permutations : int, default=999
        Number of shuffles behind the p-value. They need no fits. The smallest p-value
        that can come out is ``2 / (1 + n_permutations)``.
    n_refits : int, default=3
        Number of fits to shuffled labels, which show what the method makes of nothing.
    k : int, default=5
        Number of neighbours that vote, or as many units as the smallest class has.
    test_size : float, default=0.5
        Share of units held out. Half: both scores are then means over equally many.
    max_objects : int, optional
        Of more objects than this, units are drawn at random for all fits. Of a rare
        class more than its share stay.
    feature_names : sequence of str, optional
        What features are called in warnings; by default as in a data frame, or "x0".
    n_jobs : int, optional
        Number of processes; -1 for all cores.
    random_state : int, RandomState instance or None, default=None
        Seed of splits and shuffles, and of the estimator where it has none of its
        own. The result does not depend on ``n_jobs``.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each fit with a dict (``fit``, ``seen``, ``unseen``). Returning
        True begins no further fits.

    Returns
    -------
    HonestyReport
        With the ``verdict`` as a record that prints as a sentence.

    Notes
    -----
    The p-value is exact: the labels of held-out units are shuffled among units of the
    same size, which the map has never seen. Splits overlap, so their p-values are
    combined by twice their mean, which is valid under any dependence.

    A class of fewer than two units is left out, by name. With fewer than ten units in
    all, or with one class left, the verdict is "untested".

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from labelscape.quality import honesty
    >>> X, y = load_wine(return_X_y=True)
    >>> found = honesty(LinearDiscriminantAnalysis(), X, y, random_state=0)
    >>> found.verdict.real, found.verdict.kept, found.p_value
    ('yes', 'all', 0.002)
    """
    estimator = with_transform(estimator, owner="honesty")
    names = getattr(X, "columns", None) if feature_names is None else feature_names
    rng = check_random_state(random_state)
    table = _table(X, y, groups, max_objects, rng)
    names = [f"x{j}" for j in range(table.X.shape[1])] if names is None else names
    problem = table.problem
    if problem.why_not:
        verdict = Verdict("untested", None, why=problem.why_not)
        nobody = Tally(*np.zeros((2, len(table.X)), dtype=np.intp))
        return HonestyReport(verdict, points=nobody, **table.about)

    splits = [problem.split(test_size, rng) for _ in range(n_splits)]
    k = problem.n_voters(k, splits)
    plan = [Fit(split, problem.codes, _seed(rng)) for split in splits]
    for i in range(n_refits):
        split = splits[i % n_splits]
        plan.append(Fit(split, problem.shuffled(split, rng), _seed(rng)))

    with Progress("honesty", len(plan), verbose, callback) as bar:
        found = _run(estimator, problem, plan, k, n_jobs, bar)
    true, null = found[:n_splits], found[n_splits:]

    measured = Measured(problem, true)
    p_value, intervals = measured.p_value(n_permutations, rng), measured.intervals(rng)
    verdict = measured.verdict(p_value, intervals)
    null_scores = [fit.scores(judged, problem.n_classes) for fit, judged in null]
    alone = Judgement(problem.codes, problem.units, problem.n_classes, k, splits)
    leaks = find_leaks(
        problem.X, table.rows, names, alone, verdict.original, n_permutations, rng
    )
    verdict = replace(verdict, given_away=_giving_away(leaks))
    return HonestyReport(
        verdict,
        points=measured.tallies["unseen"].in_table(table.rows, len(table.X)),
        k=k,
        p_value=p_value,
        null_seen=_mean([scores.seen for scores in null_scores]),
        null_unseen=_mean([scores.unseen for scores in null_scores]),
        unseen_interval=intervals["unseen"],
        gap_interval=intervals["gap"],
        by_class=measured.by_class,
        confusion=measured.confusion,
        warnings=leaks,
        splits=[fit.scores(one, problem.n_classes) for fit, one in measured.fits],
        null_splits=null_scores,
        **table.about,
    )


def _giving_away(leaks: list[Leak]) -> str:
    """Return the first column that is not a measurement, but the class in disguise."""
    for leak in leaks:
        if leak.kind in ("copy", "counter") and leak.figure >= MUCH:
            return str(leak.column)
    return ""


class _Table(NamedTuple):
    """What was given, and the part of it that is judged."""

    X: NDArray[Any]
    rows: NDArray[np.intp]
    problem: Problem
    about: dict[str, Any]


def _table(
    X: Any, y: Any, groups: Any, max_objects: int | None, rng: RandomState
) -> _Table:
    with numbers_in(X, owner="honesty"):
        X = check_array(X, dtype=[np.float64, np.float32], ensure_all_finite=False)
    check_finite(X, owner="honesty")
    classes, codes = check_labels(y, len(X), owner="honesty")
    units = units_of(X, groups, codes=codes)
    is_judged = units_per_class(codes, units.of_row, len(classes)) >= 2
    rows = np.flatnonzero(is_judged[codes])
    if max_objects is not None and len(rows) > max_objects:
        rows = rows[some_units(codes[rows], units.of_row[rows], max_objects, rng)]
    problem = Problem.of(X, rows, codes, units.of_row, classes, is_judged)
    about = {
        "classes": problem.classes,
        "left_out": classes[~is_judged].tolist(),
        "units": units,
        "n_judged": len(rows),
    }
    return _Table(X, rows, problem, about)


def _run(
    estimator: Any, problem: Problem, plan: list[Fit], k: int, n_jobs: Any, bar: Any
) -> list[tuple[Fit, Judged]]:
    """Return each fit with what it found, until there are no more or it is stopped."""

    def told(i: int, judged: Judged) -> bool:
        scores = plan[i].scores(judged, problem.n_classes)
        news = {"seen": scores.seen, "unseen": scores.unseen}
        return bool(bar.step(i + 1, fit=i + 1, **news))

    orders = (delayed(judged_by_fit)(estimator, problem, fit, k) for fit in plan)
    # Fewer than planned where it was stopped.
    found = zip(in_turn(orders, n_jobs, told), plan, strict=False)
    return [(fit, judged) for judged, fit in found]


def _seed(rng: RandomState) -> int:
    return int(rng.randint(np.iinfo(np.int32).max))


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None
