"""Honesty: how much of the separation on a map is valid for held-out samples.

A supervised map is fitted to labels, so it separates classes. Here it is fitted to half
of the independent rows or groups, several times, and tested on the other half.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.random import RandomState
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError, shown
from labelscape._core.estimator import Progress
from labelscape._core.labels import check_labels
from labelscape._core.params import COMMON, arguments, either, one_of, whole
from labelscape._core.types import Array, Ints
from labelscape._resampling.refits import (
    drawn_seed,
    in_turn,
    share_threads,
    with_transform,
)
from labelscape._resampling.units import checked_rows, named_features, units_of
from labelscape._resampling.voters import Tally
from labelscape.quality.certificate.dependence import place_of
from labelscape.quality.certificate.fits import (
    N_KNOWN,
    OWNER,
    JudgedFit,
    Problem,
    evaluate,
    judged_fit,
)
from labelscape.quality.certificate.gaps import (
    as_good_by_recipe,
    find_gaps,
    looks_computed,
)
from labelscape.quality.certificate.leaks import MUCH, far_cell_findings, find_leaks
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.certificate.verdict import Verdict
from labelscape.quality.records import Finding

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
    labels_from=None,
    n_jobs=None,
    random_state=None,
    verbose=False,
    callback=None,
) -> HonestyReport:
    """Test whether the separation on a map is real, and how much of it is shown.

    Parameters
    ----------
    estimator : map with ``fit``
        The map to test. It is fitted to parts of X and y; labels are not passed to
        ``transform``. A map without ``transform`` is wrapped in
        :class:`~labelscape.embeddings.KernelMap`.
    X : array-like of shape (n, d)
        Samples, in the order of their table. Equal rows stay together in all splits.
    y : array-like of shape (n,)
        Class labels.
    groups : array-like of shape (n,), optional
        The group of each row, such as a patient, a plate or a document. Rows of one
        group stay together in all splits. A row without a value (None, NaN) is its own
        group.
    n_splits : int, default=5
        Number of random splits into a half for the fit and a held-out half.
    n_refits : int, default=3
        Number of fits to shuffled labels, which show artifacts of the method.
    max_samples : int, optional
        If there are more samples, about this many are drawn at random for all fits,
        with a larger share of rare classes.
    feature_names : sequence of str, optional
        Names of features in warnings; by default from a data frame, or "x0", "x1".
    labels_from : estimator with ``fit_predict``, optional
        The clustering that made the labels, such as ``KMeans(8)``. It is applied to
        simulated data without groups, with the distributions and correlations of the
        features of X. The verdict states how often simulated gaps are at least as deep.
    n_jobs : int, optional
        Number of processes; -1 for all cores. By default, fits of estimators of
        Labelscape run in threads, and other fits run one after the other.
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
        Its ``verdict`` is printed as two or three sentences.

    Notes
    -----
    A unit is a row, or all rows that stay together. The p-value is exact, because only
    labels of held-out units are shuffled, which were not used to fit the map. It is the
    p-value of the first split, or the median of all splits if the median is larger.
    Five neighbors vote, or fewer if the smallest class has fewer units.

    If groups share classes, such as donors that all have several cell types, each group
    is left out in turn. Then ``unseen`` is the accuracy for a new group, and
    ``verdict.known`` the accuracy for new rows of known groups. For the p-values,
    labels are shuffled inside groups, and each block of groups is tested with a map
    that was fitted to the blocks before it.

    A class with fewer than two units is omitted and reported. If fewer than ten units
    or only one class remain, the verdict is "untested".

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
    trial = TableTrial.of_table(
        X,
        y,
        groups,
        rng,
        most=max_samples,
        feature_names=feature_names,
        owner=OWNER,
        recipe=labels_from,
    )
    if trial.problem.why_not:
        return trial.untested()
    bar = partial(Progress, OWNER, verbose=verbose, callback=callback)
    return trial.report(
        partial(judged_fit, estimator),
        rng,
        bar,
        n_splits=n_splits,
        n_refits=n_refits,
        n_jobs=n_jobs,
        share_threads=share_threads(estimator),
    )


# Called with the number of voters, the tested samples, a split, classes and a seed.
Judge = Callable[..., JudgedFit]


class TableTrial(NamedTuple):
    """The tested part of a table, its test for leaks, and fields of the report."""

    problem: Problem
    # Called with the accuracy of all features; returns the leaks of the whole table.
    leaks: Callable[[float], list[Finding]]
    about: dict[str, Any]
    recipe: Any
    owner: str
    cells: list[Finding]  # impossible values

    @classmethod
    def of_table(
        cls,
        X: Any,
        y: Any,
        groups: Any,
        rng: RandomState,
        *,
        most: int | None,
        feature_names: Any,
        owner: str,
        recipe: Any = None,
    ) -> "TableTrial":
        """Return the tested part of a table, after checks."""
        given, X = X, checked_rows(X, owner=owner)
        names = named_features(given, feature_names, X.shape[1])
        classes, codes = check_labels(y, len(X), owner=owner)
        units = units_of(X, groups, codes=codes, owner=owner)
        problem = Problem.of_table(X, codes, units, classes, most, rng)
        tested = problem.classes.tolist()
        about = {
            "classes": problem.classes,
            "left_out": [label for label in classes.tolist() if label not in tested],
            "units": units,
            "n_judged": len(problem.rows),
        }
        if recipe is not None and not _is_clustering(recipe):
            raise InputError(
                "labels_from must be the clustering that made the labels, with "
                f"fit_predict and get_params, such as KMeans(8); got {shown(recipe)}.",
                owner=owner,
                parameter="labels_from",
            )
        leaks = partial(find_leaks, X, names, classes, codes, units)
        cells = far_cell_findings(problem.X, problem.rows, names)
        return cls(problem, leaks, about, recipe, owner, cells)

    def untested(self) -> HonestyReport:
        """Return the report of a table that cannot be tested, with the reason."""
        n = len(self.about["units"].of_row)
        none = Tally(*np.zeros((2, n), dtype=np.intp))
        verdict = Verdict("untested", None, why=self.problem.why_not, gaps=())
        return HonestyReport(verdict, points=none, **self.about)

    def report(
        self,
        judge: Judge,
        rng: RandomState,
        bar: Any,
        *,
        n_splits: int,
        n_refits: int = 0,
        n_jobs: int | None = None,
        share_threads: bool = False,
    ) -> HonestyReport:
        """Run all tests with the function ``judge``; return the report."""
        problem = self.problem
        splits = problem.splits(n_splits, rng)
        chain, known = problem.chain(rng), []
        if problem.inner is not None:  # rows of the same crossed groups
            known = problem.by_row.splits(N_KNOWN, rng)
        k = problem.n_voters([*splits, *chain, *known])
        plan = [(problem, split, problem.codes, drawn_seed(rng)) for split in splits]
        for i in range(n_refits):
            split = splits[i % len(splits)]
            codes = problem.shuffled(split, rng)
            plan.append((problem, split, codes, drawn_seed(rng)))
        for tested, others in ((problem, chain), (problem.by_row, known)):
            plan += [(tested, one, tested.codes, drawn_seed(rng)) for one in others]
        with bar(len(plan)) as progress:
            step = partial(_step, progress, problem.n_classes)
            orders = (delayed(judge)(k, *planned) for planned in plan)
            fits = iter(in_turn(orders, n_jobs, step, share_threads=share_threads))
        counts = (len(splits), n_refits, len(chain), len(known))
        true, null, of_chain, of_known = (list(islice(fits, n)) for n in counts)
        return self._concluded(k, true, null, of_chain, of_known, rng)

    def _concluded(
        self,
        k: int,
        true: list[JudgedFit],
        null: list[JudgedFit],
        of_chain: list[JudgedFit],
        of_known: list[JudgedFit],
        rng: RandomState,
    ) -> HonestyReport:
        """Return the report of the fits, with the verdict, leaks and all numbers."""
        problem = self.problem
        known_scores = [fit.scores(problem.n_classes).unseen for fit in of_known]
        evaluation = evaluate(problem, true, of_chain, rng)
        verdict, points = evaluation.pop("verdict"), evaluation.pop("points")
        leaks = self.leaks(verdict.original)
        giving_away = (
            leak.subjects[0]
            for leak in leaks
            if leak.code in ("copy", "counter") and (leak.figure or 0.0) >= MUCH
        )
        gaps = find_gaps(
            problem.X, problem.codes, problem.independent, problem.classes, rng
        )
        if not {"counter", "copy"} & {leak.code for leak in leaks}:
            computed = looks_computed(problem.X, problem.codes, gaps)
            if computed:  # then no class overlaps another one
                gaps = tuple(replace(gap, kind="cut") for gap in gaps)
            leaks += computed
        as_good = None
        if self.recipe is not None:
            as_good = as_good_by_recipe(
                self.recipe, problem.X, gaps, rng, owner=self.owner
            )
        n = len(self.about["units"].of_row)
        return HonestyReport(
            replace(
                verdict,
                gaps=gaps,
                looks_computed=any(leak.code == "computed" for leak in leaks),
                recipe=type(self.recipe).__name__,
                as_good=as_good,
                given_away=next(giving_away, ""),
                alike_near=place_of(leaks),
                known=float(np.mean(known_scores)) if known_scores else None,
            ),
            points=points.in_table(problem.rows, n),
            place_errors=_place_errors(true, problem.rows, n),
            k=k,
            warnings=leaks + self.cells,
            null_splits=[fit.scores(problem.n_classes) for fit in null],
            **evaluation,
            **self.about,
        )


def _is_clustering(recipe: Any) -> bool:
    """Return whether a recipe is an estimator (no class) that makes clusters."""
    names = ("fit_predict", "get_params")
    return not isinstance(recipe, type) and all(hasattr(recipe, n) for n in names)


def _step(bar: Any, n_classes: int, i: int, fit: JudgedFit) -> bool:
    """Show a fit in the progress bar; return whether to stop."""
    scores = fit.scores(n_classes)
    return bool(bar.step(i + 1, fit=i + 1, seen=scores.seen, unseen=scores.unseen))


def _place_errors(fits: list[JudgedFit], rows: Ints, n: int) -> Array | None:
    """Return the mean error of the predicted positions of each row; NaN if untested."""
    total, tried = np.zeros((2, n))
    for fit in fits:
        if fit.place_errors is None:
            return None
        total[rows[fit.split.unseen]] += fit.place_errors
        tried[rows[fit.split.unseen]] += 1.0
    with np.errstate(invalid="ignore"):
        return np.asarray(total / tried)
