"""Honesty: how much of the separation on a map is there for held-out samples.

A supervised map is fitted to labels, so it separates them. Here it is fitted to half of
the units, several times, and tested on the other half.
"""

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
from joblib import delayed
from sklearn.utils import check_random_state

from labelscape._core.estimator import Progress
from labelscape._core.labels import check_labels
from labelscape._core.params import COMMON, arguments, either, one_of, whole
from labelscape._resampling.refits import drawn_seed, in_turn, with_transform
from labelscape._resampling.units import checked_rows, named_features, units_of
from labelscape._resampling.voters import Tally
from labelscape.quality.certificate.fits import (
    OWNER,
    JudgedFit,
    Problem,
    evaluate,
    judged_fit,
)
from labelscape.quality.certificate.leaks import MUCH, find_leaks
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.certificate.verdict import Verdict

_RULES = {
    "n_splits": whole(1, limit=10_000),
    "n_refits": whole(0, limit=10_000),
    "max_samples": either(whole(20), one_of(None)),
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
    n_refits=3,
    max_samples=None,
    feature_names=None,
    n_jobs=None,
    random_state=None,
    verbose=False,
    callback=None,
):
    """Test whether the separation on a map is real, and how much the map keeps of it.

    Parameters
    ----------
    estimator : map with ``fit``
        Fitted to (X, y) of a part of the data; ``transform`` does not get labels. A map
        without ``transform`` gets that of :class:`~labelscape.embeddings.KernelMap`.
    X : array-like of shape (n, d)
        Samples, in the order of their table. Equal rows stay together in all splits.
    y : array-like of shape (n,)
        Class labels.
    groups : array-like of shape (n,), optional
        The group of each row, such as a patient, a plate or a document. Rows of one
        group stay together in all splits. A row without a value (None, NaN) is a group
        of its own.
    n_splits : int, default=5
        Number of random splits into halves: fitted and held-out units.
    n_refits : int, default=3
        Number of fits to shuffled labels, which show the artifacts of the method.
    max_samples : int, optional
        If there are more samples, units are drawn at random for all fits, more than
        their share of rare classes.
    feature_names : sequence of str, optional
        Names of features in warnings; by default as in a data frame, or "x0".
    n_jobs : int, optional
        Number of processes; -1 for all cores.
    random_state : int, RandomState instance or None, default=None
        Seed of splits and shuffles, and of the estimator if it has none. The result
        does not depend on ``n_jobs``.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each fit with a dict (``fit``, ``seen``, ``unseen``). If it returns
        True, no further fits are started.

    Returns
    -------
    HonestyReport
        With the ``verdict`` as a record that prints as two sentences.

    Notes
    -----
    The p-value is exact: the labels of held-out units are shuffled among units of the
    same size, which the map has never seen. It is that of the first split, or the
    median over all splits where that is larger. Five neighbors vote, or as many as the
    smallest class has units.

    Groups that share classes, as donors that all have several cell types, are left out
    in turn: then ``unseen`` is the accuracy in a new group, and ``verdict.known`` that
    for new rows of known groups. Labels are shuffled inside groups, and p-values come
    from a chain: each part of the groups is tested by a map of the parts before it.

    A class with fewer than two units is left out, and named. With fewer than ten units
    in all, or with one class left, the verdict is "untested".

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from labelscape.quality import honesty
    >>> X, y = load_wine(return_X_y=True)
    >>> report = honesty(LinearDiscriminantAnalysis(), X, y, random_state=0)
    >>> report.verdict.real, report.verdict.kept, report.p_value
    ('yes', 'all', 0.001)
    """
    estimator = with_transform(estimator, owner=OWNER)
    rng = check_random_state(random_state)
    given, X = X, checked_rows(X, owner=OWNER)
    names = named_features(given, feature_names, X.shape[1])
    classes, codes = check_labels(y, len(X), owner=OWNER)
    units = units_of(X, groups, codes=codes)
    problem = Problem.of_table(X, codes, units, classes, max_samples, rng)
    tested = problem.classes.tolist()
    about = {
        "classes": problem.classes,
        "left_out": [label for label in classes.tolist() if label not in tested],
        "units": units,
        "n_judged": len(problem.rows),
    }
    if problem.why_not:
        verdict = Verdict("untested", None, why=problem.why_not)
        none = Tally(*np.zeros((2, len(X)), dtype=np.intp))
        return HonestyReport(verdict, points=none, **about)

    splits = problem.splits(n_splits, rng)
    chain, known = problem.chain(rng), problem.known_splits(rng)
    k = problem.n_voters([*splits, *chain, *known])
    plan = [(problem, split, problem.codes, drawn_seed(rng)) for split in splits]
    for i in range(n_refits):
        split = splits[i % len(splits)]
        codes = problem.shuffled(split, rng)
        plan.append((problem, split, codes, drawn_seed(rng)))
    for tested, others in ((problem, chain), (problem.by_row, known)):
        plan += [(tested, one, tested.codes, drawn_seed(rng)) for one in others]

    with Progress(OWNER, len(plan), verbose, callback) as bar:
        fits = iter(_run(estimator, plan, k, n_jobs, bar))
    true, null, of_chain, of_known = (
        list(islice(fits, count))
        for count in (len(splits), n_refits, len(chain), len(known))
    )
    known_scores = [fit.scores(problem.n_classes).unseen for fit in of_known]
    evaluation = evaluate(problem, true, of_chain, rng)
    verdict, points = evaluation.pop("verdict"), evaluation.pop("points")
    leaks = find_leaks(problem, names, splits, k, verdict.original, rng)
    giving_away = (
        leak.subjects[0]
        for leak in leaks
        if leak.code in ("copy", "counter") and (leak.figure or 0.0) >= MUCH
    )
    return HonestyReport(
        replace(
            verdict,
            given_away=next(giving_away, ""),
            known=float(np.mean(known_scores)) if known_scores else None,
        ),
        points=points.in_table(problem.rows, len(X)),
        k=k,
        warnings=leaks,
        null_splits=[fit.scores(problem.n_classes) for fit in null],
        **evaluation,
        **about,
    )


def _run(
    estimator: Any, plan: list[Any], k: int, n_jobs: Any, bar: Any
) -> list[JudgedFit]:
    """Return the fits of a plan; fewer, if the callback stops it."""
    n_classes = plan[0][0].n_classes

    def report(i: int, fit: JudgedFit) -> bool:
        scores = fit.scores(n_classes)
        return bool(bar.step(i + 1, fit=i + 1, seen=scores.seen, unseen=scores.unseen))

    orders = (delayed(judged_fit)(estimator, k, *planned) for planned in plan)
    return list(in_turn(orders, n_jobs, report))
