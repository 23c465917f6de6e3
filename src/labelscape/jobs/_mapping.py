"""The main job: fit a map to a table, and find out how far to believe it."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline, make_pipeline

from labelscape._core.arguments import (
    arguments,
    dict_like,
    instance,
    optional,
    text,
)
from labelscape._core.arguments import seed as seed_rule
from labelscape._core.errors import ParameterError
from labelscape._core.fits.progress import Callback
from labelscape._core.rules import either, flag, function, number, whole
from labelscape.auditing import AuditReport
from labelscape.datasets import Table
from labelscape.embeddings._internal import FIRST_LANDMARKS, N_LANDMARKS, Growth
from labelscape.jobs._auditing import NOT_ASKED as NOT_AUDITED
from labelscape.jobs._auditing import audit_or_reason
from labelscape.jobs._choosing import Choice, as_chosen, choose_method
from labelscape.jobs._scaling import scaler_for
from labelscape.jobs._steps import Begin, Step, silent
from labelscape.jobs.fitting.around import (
    Clock,
    constant_features_named,
    watched,
)
from labelscape.jobs.fitting.rows import (
    TOLERANCE,
    by_landmarks,
    growth_words,
    mapped,
)
from labelscape.jobs.methods import AUTO, DIMENSIONS, Method, method_named
from labelscape.quality import (
    HonestyReport,
    IslandReport,
    QualityReport,
    Verdict,
    honesty,
    report,
)
from labelscape.quality import islands as islands_of
from labelscape.quality._internal import judged_whole


class Effort(NamedTuple):
    """How much work it is worth to judge the honesty of a map."""

    # Number of fits with true and with shuffled labels.
    n_splits: int
    n_refits: int
    # A larger table is judged on about this many random rows.
    rows: int


NOT_ASKED = "honesty was not asked for"
THOROUGH = Effort(n_splits=5, n_refits=3, rows=3000)
# Of more rows, quality is measured on some: their figures differ in the third digit.
MANY_ROWS, SAMPLED = 5000, {"n_samples": 2000, "max_pairs": 4_000_000}
# Slow methods are judged on so many: cross-fitting, for instance, is six fits.
FEWER_ROWS = 1500
# Halves on which islands are looked for.
N_RESAMPLES = 10
# A fit that takes longer than this, in seconds, is worth a process for each core.
SLOW = 2.0


@dataclass(frozen=True)
class MapResult:
    """A fitted map of a table, with all that is known about its quality.

    Attributes
    ----------
    table : Table
        The data.
    method : str
        Name of the method.
    model : Pipeline
        Standardisation, then the fitted map.
    embedding : ndarray of shape (n_rows, n_components)
        The map.
    quality : QualityReport
        What the map preserves of the standardised data.
    honesty : HonestyReport or None
        How much of the separation is real, and how much of it is kept; None if it was
        not measured.
    honesty_note : str
        Why honesty was not measured, or what to know about how it was.
    seconds : dict of str to float
        How long each step took.
    choice : Choice or None
        Why this method was taken; None if it was asked for.
    islands : IslandReport or None
        The groups that can be seen on the map, and which of them are stable; None if
        they were not asked for.
    fitted : ndarray of int or None
        The rows that the map was fitted to, where the others were placed; None: all.
    audit : AuditReport or None
        Labels that seem to be wrong, and what else is odd; None if it was not made.
    audit_note : str
        Why there is no audit.
    growth : tuple of Growth
        How landmarks became more, where the map was fitted to landmarks.
    """

    table: Table
    method: str
    model: Pipeline
    embedding: NDArray[np.float64]
    quality: QualityReport
    honesty: HonestyReport | None
    honesty_note: str
    seconds: dict[str, float]
    choice: Choice | None = None
    islands: IslandReport | None = None
    fitted: NDArray[np.intp] | None = None
    audit: AuditReport | None = None
    audit_note: str = NOT_AUDITED
    growth: tuple[Growth, ...] = ()

    @property
    def fitted_words(self) -> str:
        """Which rows the map was fitted to, and within what it shows the whole."""
        if self.fitted is None:
            return growth_words(self.growth)
        n, fitted = len(self.embedding), len(self.fitted)
        words = f"Fitted to {fitted:,} of {n:,} rows; the others were placed on the map"
        if self.quality.within:
            words += f", and the whole is shown within ± {self.quality.within:.2g}"
        return f"{words}. {growth_words(self.growth)}".rstrip()


# What many jobs are given.
JOB = {
    "table": instance(Table),
    "seed": seed_rule(),
    "begin": optional(function()),
    "parameters": optional(dict_like()),
    "callback": optional(function()),
}


@arguments(
    method=text(),
    judge=flag(),
    islands=flag(),
    audit=optional(either(flag(), instance(AuditReport))),
    effort=instance(Effort),
    n_landmarks=optional(N_LANDMARKS),
    n_whole=optional(whole(1)),
    tolerance=optional(number(above=0)),
    **JOB,
)
def map_table(
    table: Table,
    method: str = AUTO,
    *,
    seed: int = 0,
    judge: bool = True,
    islands: bool = False,
    audit: bool | AuditReport | None = False,
    effort: Effort = THOROUGH,
    n_landmarks: int | str | None = None,
    tolerance: float | None = None,
    n_whole: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    begin: Begin | None = None,
    callback: Callback | None = None,
) -> MapResult:
    """Standardise a table, fit a map to it, and measure how far to believe it.

    Parameters
    ----------
    table : Table
        Labelled data, from `labelscape.datasets.read_table` or ``load``.
    method : str, default="auto"
        Name of the method, as on the command line. "auto": what `choose_method` finds.
    seed : int, default=0
        Seed of everything random: the same seed gives the same map.
    judge : bool, default=True
        Whether to measure honesty, which takes 8 fits.
    islands : bool, default=False
        Whether to ask which groups on the map are stable, which takes 10 fits.
    audit : bool, AuditReport or None, default=False
        Whether to ask which labels seem to be wrong, which classes are mixed up and
        what is odd about the table. None: if it has 5,000 rows at most. What
        `audit_table` returned for these rows is taken as it is.
    effort : Effort, default=THOROUGH
        How many fits judge its honesty, and on how many rows at most.
    n_landmarks : int, "auto" or None, default=None
        How many rows the map is fitted to, drawn from each class and from its sparse
        regions more often; the others are placed. "auto": as many as it takes, see
        :class:`labelscape.embeddings.LandmarkMap`. None: all, or 5,000 at most where
        the method takes long.
    tolerance : float, default=None
        Within what measures of the whole shall be known. None: 0.02 for landmarks; else
        what 2,000 random rows tell.
    n_whole : int, default=None
        Of how many rows the table is a random sample. What is said of rows that the map
        was not fitted to is said of all of them. None: the table is the whole.
    parameters : mapping of str to object, default=None
        Parameters of the method that are not to keep their defaults. ``n_components``
        is 2; with 3 the map can be turned in the view.
    begin : callable, default=None
        Told what begins: ``begin(step)`` gets a `Step`, and returns a function that is
        called after each part of it.
    callback : callable, default=None
        Told of each iteration of the fit, where the method has a callback.

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
    begin = begin or silent
    choice, clock = None, Clock()
    if method != AUTO:
        method_named(method)
    X, y = table.X, table.y
    if y is None:
        raise ValueError(f"{table.name!r} has no classes, and a map needs them.")
    if n_whole is not None and n_whole < len(X):
        wanted = f"at least the number of rows of the table, {len(X):,}"
        raise ParameterError("map_table", "n_whole", n_whole, wanted)
    asked = (parameters or {}).get(DIMENSIONS, 2)
    if method == AUTO:
        choice = choose_method(table, dimensions=asked, seed=seed, begin=begin)
        method = choice.method
        clock.lap("choice")
    chosen = method_named(method)
    if DIMENSIONS in (parameters or {}):
        chosen.check_dimensions(asked, X.shape[1], len(np.unique(y)))
    n_fitted = _count_fitted(chosen, n_landmarks, len(X))
    estimator = chosen.make(min(2, X.shape[1]), n_fitted, len(np.unique(y)), seed)
    if n_landmarks is not None and "train_size" in estimator.get_params():
        estimator.set_params(train_size=None)  # all landmarks
    chosen._set(estimator, parameters or {})

    begin(Step("fitting", chosen.estimator))
    scaler = scaler_for(X).fit(X)
    X = scaler.transform(X)
    named = constant_features_named(table.X, table.feature_names)
    growth: tuple[Growth, ...] = ()
    with named, watched(estimator, callback):
        if n_landmarks is None:
            Z, fitted = mapped(estimator, X, table, chosen.fits_rows, seed)
        else:
            tolerance = tolerance or TOLERANCE
            estimator, Z, fitted, growth = by_landmarks(
                estimator, X, table, n_landmarks, tolerance, seed
            )
    clock.lap("fit")

    begin(Step("measuring"))
    quality = measured(X, Z, y, seed, tolerance=tolerance)
    clock.lap("quality")

    known = judged_and_audited(
        estimator,
        X,
        Z,
        table,
        chosen,
        fitted,
        clock,
        seed=seed,
        judge=judge,
        islands=islands,
        audit=audit,
        effort=effort,
        n_whole=n_whole,
        begin=begin,
    )
    model = make_pipeline(scaler, estimator)
    return MapResult(
        table,
        chosen.name,
        model,
        Z,
        quality,
        seconds=clock.seconds,
        choice=choice,
        fitted=fitted,
        growth=growth,
        **known,
    )


def judged_and_audited(
    estimator: Any,
    X: NDArray[np.float64],
    Z: NDArray[np.float64],
    table: Table,
    chosen: Method,
    fitted: NDArray[np.intp] | None,
    clock: Clock,
    *,
    seed: int,
    judge: bool,
    islands: bool,
    audit: bool | AuditReport | None,
    effort: Effort = THOROUGH,
    n_whole: int | None = None,
    begin: Begin = silent,
) -> dict[str, Any]:
    """Return what is known of a fitted map beside its quality, as `MapResult` has it.

    ``X`` are the standardised rows, and the clock knows how long the fit took.
    """
    if chosen.is_slow:
        effort = effort._replace(rows=min(effort.rows, FEWER_ROWS))
    honest, note = None, NOT_ASKED
    n_jobs = -1 if clock.seconds["fit"] > SLOW else 1
    judged = as_chosen(estimator)
    if judge:
        step = begin(
            Step("judging", chosen.estimator, effort.n_splits + effort.n_refits)
        )
        honest, note = _judged(judged, X, table, seed, effort, n_jobs, step)
        if honest is not None and fitted is not None:
            honest = _judged_whole(honest, Z, table.y, fitted, seed, n_whole)
        clock.lap("honesty")
    found = None
    if islands:
        step = begin(Step("resampling", chosen.estimator, N_RESAMPLES))
        found = _islands(judged, X, Z, table, seed, effort.rows, n_jobs, step)
        clock.lap("islands")
    audited, why = audit_or_reason(table, audit, seed=seed, begin=begin)
    if audited is not None and audited is not audit:
        clock.lap("audit")
    return {
        "honesty": honest,
        "honesty_note": note,
        "islands": found,
        "audit": audited,
        "audit_note": why,
    }


def measured(
    X: NDArray[np.float64],
    Z: NDArray[np.float64],
    y: Any,
    seed: int,
    *,
    sampled: Mapping[str, int] = SAMPLED,
    tolerance: float | None = None,
) -> QualityReport:
    """Return what a map preserves of standardised rows; of many, on some of them.

    With a tolerance, on as many as it takes to know the whole so well.
    """
    some: dict[str, Any] = dict(sampled) if len(X) > MANY_ROWS else {}
    if some and tolerance is not None:
        some |= {"n_samples": None, "tolerance": tolerance}
    found: QualityReport = report(X, Z, y, random_state=seed, **some)
    return found


def _count_fitted(method: Method, n_landmarks: int | str | None, n: int) -> int:
    """Return to how many rows a map is fitted, at first where these grow."""
    if n_landmarks is None:
        return min(n, method.fits_rows or n)
    return min(n, FIRST_LANDMARKS if isinstance(n_landmarks, str) else n_landmarks)


@arguments(result=instance(MapResult))
def verdict_of(result: MapResult) -> Verdict:
    """Return the verdict on a map; "untested", with the reason, if there is none."""
    if result.honesty is None:
        return Verdict("untested", None, why=result.honesty_note)
    found: Verdict = result.honesty.verdict
    return found


def _judged(
    estimator: Any,
    X: NDArray[np.float64],
    table: Table,
    seed: int,
    effort: Effort,
    n_jobs: int,
    step: Callable[..., Any],
) -> tuple[HonestyReport | None, str]:
    """Return the honesty of a map and how it was found, or None and why it has none."""
    note = ""
    if not hasattr(estimator, "transform"):
        note = "New objects were placed by a kernel map."
    try:
        with warnings.catch_warnings():
            # What the first fit has warned of, the others need not say again.
            warnings.simplefilter("ignore")
            found = honesty(
                estimator,
                X,
                table.y,
                table.groups,
                n_splits=effort.n_splits,
                n_refits=effort.n_refits,
                max_objects=effort.rows,
                feature_names=table.feature_names,
                n_jobs=n_jobs,
                random_state=seed,
                callback=step,
            )
    except ValueError as error:  # a method that fails on half of the rows
        return None, " ".join(str(error).split()).rstrip(".")
    return found, note


def _judged_whole(
    honest: HonestyReport,
    Z: NDArray[np.float64],
    y: Any,
    fitted: NDArray[np.intp],
    seed: int,
    n_whole: int | None,
) -> HonestyReport:
    """Return a certificate that tells of all rows that the map was not fitted to."""
    if honest.k is None:
        return honest
    codes = np.unique(np.asarray(y), return_inverse=True)[1]
    rng = np.random.RandomState(seed)
    units = honest.units.of_row
    found = judged_whole(Z, codes, units, fitted, honest.k, rng, n_whole=n_whole)
    return replace(honest, whole=found)


def _islands(
    estimator: Any,
    X: NDArray[np.float64],
    Z: NDArray[np.float64],
    table: Table,
    seed: int,
    most: int,
    n_jobs: int,
    step: Callable[..., Any],
) -> IslandReport:
    """Return the islands of a map, or why they can not be judged."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report: IslandReport = islands_of(
                estimator,
                X,
                table.y,
                table.groups,
                embedding=Z,
                n_resamples=N_RESAMPLES,
                max_objects=most,
                n_jobs=n_jobs,
                random_state=seed,
                callback=step,
            )
    except ValueError as error:  # a method that fails on half of the rows
        why = " ".join(str(error).split()).rstrip(".")
        return IslandReport((), np.full(len(X), -1), 0, len(X), why)
    return report
