"""The main job: read, choose, fit, certify, audit, explain and draw a map of a table.

`datasets.read_table` reads the table, `map_table` takes the five steps in between, and
`MapResult.scene` draws the map. `README.md` has a picture.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape._core.errors import ParameterError
from labelscape._core.estimator import Callback
from labelscape._core.params import (
    arguments,
    either,
    flag,
    instance,
    optional,
    whole,
)
from labelscape._core.threads import ignored
from labelscape._core.types import Floats, Ints
from labelscape._resampling.refits import share_threads
from labelscape.datasets import Table
from labelscape.jobs.audit import audit_or_reason
from labelscape.jobs.choose import choose_method
from labelscape.jobs.explain import Explaining, explaining, unexplained
from labelscape.jobs.fitting import (
    Clock,
    as_chosen,
    by_landmarks,
    mapped,
    scaler_for,
    watched,
)
from labelscape.jobs.map_result import MapResult, accuracy_of
from labelscape.jobs.methods import AUTO, DIMENSIONS, Method, method_named
from labelscape.jobs.order import RunOrder
from labelscape.jobs.words import (
    Begin,
    Step,
    silent,
)
from labelscape.quality import (
    HonestyReport,
    IslandReport,
    QualityReport,
    honesty,
    report,
)
from labelscape.quality import islands as islands_of
from labelscape.quality._internal import score_placed_rows, with_shown_places
from labelscape.quality.audit import AuditReport


class Effort(NamedTuple):
    """The numbers of fits and rows in the test of a map."""

    # Number of fits with true and with shuffled labels.
    n_splits: int
    n_refits: int
    rows: int  # maximum number of rows in the test, drawn at random


NOT_REQUESTED = "the test was not requested"
THOROUGH = Effort(n_splits=5, n_refits=3, rows=3000)
# With more rows, quality is measured on a sample: numbers differ in the third digit.
MANY_ROWS, SAMPLED = 5000, {"n_samples": 2000, "max_pairs": 4_000_000}
# Maximum number of rows to test slow methods, such as cross-fitting with six fits.
FEWER_ROWS = 1500
N_RESAMPLES = 10  # number of random halves in the test of islands
# If a fit takes more seconds than this, the fits of a test run on all cores.
SLOW = 2.0


@arguments(
    explain=flag(),
    effort=instance(Effort),
    n_population=optional(whole(1)),
    **RunOrder.rules("map")
    | {"audit": optional(either(flag(), instance(AuditReport)))},
)
def map_table(
    table: Table,
    method: str = AUTO,
    *,
    seed: int = 0,
    judge: bool = True,
    islands: bool = False,
    audit: bool | AuditReport | None = False,
    explain: bool = True,
    effort: Effort = THOROUGH,
    n_landmarks: int | None = None,
    n_population: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    begin: Begin | None = None,
    callback: Callback | None = None,
) -> MapResult:
    """Standardize a table, fit a map to it, and test the map on held-out rows.

    Parameters
    ----------
    table : Table
        Labeled data, from `labelscape.datasets.read_table` or ``load``.
    method : str, default="auto"
        Name of the method, as on the command line. "auto": see `choose_method`.
    seed : int, default=0
        Random seed: the same seed gives the same map.
    judge : bool, default=True
        Whether to test the map on held-out rows, which takes 8 fits.
    islands : bool, default=False
        Whether to test which clusters on the map are stable, which takes 10 fits.
    audit : bool, AuditReport or None, default=False
        Whether to look for wrong labels, confused classes and problems in the table;
        None: only if the table has at most 5,000 rows. Or pass a report of
        `audit_table` for the same rows.
    explain : bool, default=True
        Whether to fit the prototype model that explains the classes on the page.
    effort : Effort, default=THOROUGH
        Number of fits in the test, and its maximum number of rows.
    n_landmarks : int or None, default=None
        Number of rows used to fit the map; the others are placed on it. See
        :class:`labelscape.embeddings.LandmarkMap`. None: all rows, but at most 5,000
        for ``tsne`` and 2,000 for ``nca``.
    n_population : int, default=None
        Number of rows of the population, if the table is a random sample from it. The
        accuracy of placed rows is then estimated for all rows of the population.
    parameters : mapping of str to object, default=None
        Parameters of the method that differ from their defaults. ``n_components`` is 2
        or 3; a map with 3 dimensions can be rotated in the view.
    begin : callable, default=None
        Called at the start of each step: ``begin(step)`` gets a `Step` and returns a
        function that is called after each part of the step.
    callback : callable, default=None
        Called after each iteration of the fit, if the method supports it.

    Returns
    -------
    MapResult

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> result = map_table(load("iris"), "lda", judge=False)
    >>> result.embedding.shape
    (150, 2)
    """
    begin, clock = begin or silent, Clock()
    if table.y is None:
        raise ValueError(f"{table.name!r} has no classes, but a map needs them.")
    if n_population is not None and n_population < len(table.X):
        wanted = f"at least the number of rows of the table, {len(table.X):,}"
        raise ParameterError("map_table", "n_population", n_population, wanted)
    choice = None
    if method == AUTO:
        dimensions = (parameters or {}).get(DIMENSIONS, 2)
        choice = choose_method(table, dimensions=dimensions, seed=seed, begin=begin)
        clock.lap("choice")
    run = MapRun(
        table,
        method_named(method if choice is None else choice.method),
        seed,
        begin,
        clock,
        judge=judge,
        islands=islands,
        audit=audit,
        explain=explain,
        effort=effort,
        n_population=n_population,
    )
    fitted = run.fitted(parameters or {}, n_landmarks, callback)
    return replace(run.finished(fitted), choice=choice)


class FittedMap(NamedTuple):
    """A fitted map: its model, the standardized rows, and the positions of all rows."""

    scaler: StandardScaler
    estimator: Any
    X: Floats
    Z: Floats
    fitted: Ints | None  # the rows that the map was fitted to; None: all


@dataclass(frozen=True, eq=False)
class MapRun:
    """A map to fit and test: its table, settings and requested reports."""

    table: Table
    method: Method
    seed: int
    begin: Begin
    clock: Clock = field(default_factory=Clock)
    judge: bool = True
    islands: bool = False
    audit: bool | AuditReport | None = False
    explain: bool = True
    effort: Effort = THOROUGH
    n_population: int | None = None

    def fitted(
        self,
        parameters: Mapping[str, Any],
        n_landmarks: int | None,
        callback: Callback | None,
    ) -> FittedMap:
        """Fit the map."""
        X, method, seed = self.table.X, self.method, self.seed
        n_classes = len(np.unique(np.asarray(self.table.y)))
        if DIMENSIONS in parameters:
            method.check_dimensions(parameters[DIMENSIONS], X.shape[1], n_classes)
        n_fitted = min(len(X), n_landmarks or method.fits_rows or len(X))
        estimator = method.make(min(2, X.shape[1]), n_fitted, n_classes, seed)
        if n_landmarks is not None and "train_size" in estimator.get_params():
            estimator.set_params(train_size=None)  # all landmarks
        method.set_parameters(estimator, parameters)
        self.begin(Step("fitting", method.estimator))
        scaler = scaler_for(X, self.table.encoder).fit(X)
        X = scaler.transform(X)
        with watched(estimator, callback, self.table):
            if n_landmarks is not None:
                parts = by_landmarks(estimator, X, self.table, n_landmarks, seed)
                estimator, Z, fitted = parts
            else:
                Z, fitted = mapped(estimator, X, self.table, method.fits_rows, seed)
        return FittedMap(scaler, estimator, X, Z, fitted)

    def finished(
        self,
        fitted: FittedMap,
        sampled: Mapping[str, int] | None = None,
        explained_by: Pipeline | None = None,
    ) -> MapResult:
        """Certify, audit and explain a fitted map; ``sampled`` is for its quality."""
        self.clock.lap("fit")
        model = make_pipeline(fitted.scaler, fitted.estimator)
        quality = self._measured(fitted, sampled)
        honest, note = self._certified(fitted)
        islands = self._islands(fitted)
        audit, why = self._audited()
        explains = self._explained(model, fitted.fitted, honest, explained_by)
        return MapResult(
            table=self.table,
            method=self.method.name,
            model=model,
            embedding=fitted.Z,
            quality=quality,
            honesty=honest,
            honesty_note=note,
            seconds=self.clock.seconds,
            islands=islands,
            fitted=fitted.fitted,
            audit=audit,
            audit_note=why,
            explains=explains,
        )

    def _measured(
        self, fitted: FittedMap, sampled: Mapping[str, int] | None
    ) -> QualityReport:
        """Return what the map preserves of the data."""
        self.begin(Step("measuring"))
        some = sampled or SAMPLED if len(fitted.X) > MANY_ROWS else {}
        y, seed = self.table.y, self.seed
        quality = report(fitted.X, fitted.Z, y, random_state=seed, **some)
        self.clock.lap("quality")
        return quality

    def _certified(self, fitted: FittedMap) -> tuple[HonestyReport | None, str]:
        """Return the honesty report and a note, or None and the reason."""
        if not self.judge:
            return None, NOT_REQUESTED
        table, (n_splits, n_refits, _) = self.table, self.effort
        honest, why = self._tested(
            honesty,
            fitted,
            Step("judging", self.method.estimator, n_splits + n_refits),
            "honesty",
            n_splits=n_splits,
            n_refits=n_refits,
            feature_names=table.feature_names,
        )
        if honest is None:
            return None, why
        how = (table.y, table.feature_names, table.shown)
        honest = with_shown_places(honest, fitted.X, *how)
        if fitted.fitted is not None and honest.k is not None:
            codes = np.unique(np.asarray(table.y), return_inverse=True)[1]
            rows = (fitted.Z, codes, honest.units.of_row, fitted.fitted)
            rng = np.random.RandomState(self.seed)
            placed = score_placed_rows(*rows, honest.k, rng, self.n_population)
            honest = replace(honest, placed=placed)
        is_placed = hasattr(fitted.estimator, "transform")
        return honest, "" if is_placed else "A kernel map placed the held-out rows."

    def _islands(self, fitted: FittedMap) -> IslandReport | None:
        """Return the islands of a map, or an empty report with the reason."""
        if not self.islands:
            return None
        islands, why = self._tested(
            islands_of,
            fitted,
            Step("resampling", self.method.estimator, N_RESAMPLES),
            "islands",
            embedding=fitted.Z,
            n_resamples=N_RESAMPLES,
        )
        if islands is None:
            n = len(fitted.X)
            return IslandReport((), np.full(n, -1), 0, n, why)
        return islands  # type: ignore[no-any-return]

    def _tested(
        self,
        test: Callable[..., Any],
        fitted: FittedMap,
        step: Step,
        lap: str,
        **settings: Any,
    ) -> tuple[Any, str]:
        """Run a test with new fits; return its result, or None and the reason."""
        rows, estimator = self.effort.rows, as_chosen(fitted.estimator)
        alone = self.clock.seconds["fit"] > SLOW and not share_threads(estimator)
        try:
            with ignored(Warning):  # the first fit raised the warnings already
                tested = test(
                    estimator,
                    fitted.X,
                    self.table.y,
                    self.table.groups,
                    max_samples=min(rows, FEWER_ROWS) if self.method.is_slow else rows,
                    n_jobs=-1 if alone else None,  # number of processes
                    random_state=self.seed,
                    callback=self.begin(step),
                    **settings,
                )
        except ValueError as error:  # a method that fails on half of the rows
            return None, " ".join(str(error).split()).rstrip(".")
        finally:
            self.clock.lap(lap)
        return tested, ""

    def _audited(self) -> tuple[AuditReport | None, str]:
        """Return the audit of the table, or None and the reason."""
        audit, why = audit_or_reason(
            self.table, self.audit, seed=self.seed, begin=self.begin
        )
        if audit is not None and audit is not self.audit:
            self.clock.lap("audit")
        return audit, why

    def _explained(
        self,
        model: Pipeline,
        fitted: Ints | None,
        honest: HonestyReport | None,
        known: Pipeline | None,
    ) -> Explaining:
        """Return the model that explains the classes."""
        if not self.explain:
            return unexplained(model)
        if len(self.table.X) <= MANY_ROWS:  # else a fit would take longer than the map
            known = None
        self.begin(Step("explaining"))
        bar = accuracy_of(honest)
        found = explaining(self.table, model, fitted, bar, seed=self.seed, known=known)
        self.clock.lap("explanation")
        return found
