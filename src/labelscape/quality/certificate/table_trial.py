"""The test of a map of a table: fits, votes, leaks and gaps, and the report on them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState

from labelscape._core.errors import InputError, shown
from labelscape._core.labels import check_labels
from labelscape._core.types import Array, Ints
from labelscape._resampling.refits import in_turn
from labelscape._resampling.trial import Fit, Problem
from labelscape._resampling.units import checked_rows, named_features, units_of
from labelscape._resampling.voters import Tally
from labelscape.quality.certificate.dependence import place_of
from labelscape.quality.certificate.fits import JudgedFit, evaluate
from labelscape.quality.certificate.gaps import (
    as_good_by_recipe,
    find_gaps,
    looks_computed,
)
from labelscape.quality.certificate.leaks import MUCH, far_cell_findings, find_leaks
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.certificate.verdict import Verdict
from labelscape.quality.records import Finding

N_KNOWN = 3  # number of splits with known groups

# Called with the number of voters and a fit.
Judge = Callable[[int, Fit], JudgedFit]


class TableTrial(NamedTuple):
    """The tested part of a table, its test for leaks, and fields of the report."""

    problem: Problem
    # Called with the accuracy of all features; returns the leaks of the whole table.
    leaks: Callable[[float], list[Finding]]
    about: dict[str, Any]
    recipe: Any
    cells: list[Finding]  # impossible values
    is_given: bool = False  # whether the map cannot be fitted again

    @classmethod
    def of_table(
        cls,
        X: Any,
        y: Any,
        groups: Any,
        rng: RandomState,
        owner: str,
        most: int | None,
        feature_names: Any = None,
        *,
        recipe: Any = None,
    ) -> "TableTrial":
        """Return the tested part of a table, after checks."""
        given, X = X, checked_rows(X, owner=owner)
        names = named_features(given, feature_names, X.shape[1])
        classes, codes = check_labels(y, len(X), owner=owner)
        units = units_of(X, groups, codes=codes, owner=owner)
        problem = Problem.of_table(X, codes, units, classes, most, rng, owner)
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
        return cls(problem, leaks, about, recipe, cells)

    def untested(self) -> HonestyReport:
        """Return the report of a table that cannot be tested, with the reason."""
        none = Tally.of(len(self.about["units"].of_row))
        verdict = Verdict("untested", None, why=self.problem.why_not, gaps=())
        return HonestyReport(verdict, points=none, **self.about)

    def report(
        self,
        judge: Judge,
        rng: RandomState,
        bar: Any,
        n_splits: int,
        n_refits: int = 0,
        **workers: Any,
    ) -> HonestyReport:
        """Run all tests with the function ``judge``; return the report."""
        problem = self.problem
        splits = problem.halves(n_splits, rng)
        chain, known = problem.chain(rng), []
        if problem.inner is not None:  # rows of the same crossed groups
            known = problem.by_row.halves(N_KNOWN, rng)
        k = problem.n_voters([*splits, *chain, *known])
        plan = [
            problem.fits(splits, rng),
            problem.null_fits([*islice(cycle(splits), n_refits)], rng),
            problem.fits(chain, rng),
            problem.by_row.fits(known, rng),
        ]
        fits = [fit for part in plan for fit in part]
        with bar(len(fits)) as progress:
            step, make = partial(_step, progress, problem.n_classes), partial(judge, k)
            made = iter(in_turn(make, fits, step, **workers))
        return self._concluded(k, [[*islice(made, len(p))] for p in plan], rng)

    def _concluded(
        self, k: int, fits: list[list[JudgedFit]], rng: RandomState
    ) -> HonestyReport:
        """Return the report of the fits, with the verdict, leaks and all numbers."""
        problem, (true, null, of_chain, of_known) = self.problem, fits
        known_scores = [fit.scores(problem.n_classes).unseen for fit in of_known]
        evaluation = evaluate(problem, true, of_chain, rng, is_given=self.is_given)
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
                self.recipe, problem.X, gaps, rng, owner=problem.owner
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
