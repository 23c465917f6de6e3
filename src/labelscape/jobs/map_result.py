"""The result of a map: its words, its record, its page, its methods paragraph."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.pipeline import Pipeline

import labelscape
from labelscape._core.errors import PYTHON, Wording
from labelscape._core.types import Floats, Ints
from labelscape._resampling.voters import balanced_accuracy, vote_weights
from labelscape.datasets import Table
from labelscape.jobs.audit import NOT_REQUESTED as NOT_AUDITED
from labelscape.jobs.audit import audit_record
from labelscape.jobs.choose import Choice
from labelscape.jobs.explain import Explaining
from labelscape.jobs.methods import method_named
from labelscape.jobs.scenes import classes_of, codes_of, data_of
from labelscape.jobs.words import (
    counted,
    honesty_record,
    islands_record,
    relevances_record,
    relevances_text,
)
from labelscape.quality import HonestyReport, IslandReport, QualityReport, Verdict
from labelscape.quality.audit import AuditReport
from labelscape.scene import (
    Decider,
    Predictions,
    Scene,
    Subject,
    Trust,
    build_scene,
)
from labelscape.scene import scene as records
from labelscape.scene._internal import Votes, has_plane


@dataclass(frozen=True, kw_only=True)
class MapResult:
    """A fitted map of a table, with its quality, test results and audit.

    Attributes
    ----------
    table : Table
        The data.
    method : str
        Name of the method.
    model : Pipeline
        Standardization, followed by the fitted map.
    embedding : ndarray of shape (n_rows, n_components)
        The position of each row on the map.
    quality : QualityReport
        What the map preserves of the standardized data.
    honesty : HonestyReport or None
        Whether the separation is real, and how much of it the map shows; None if it was
        not tested.
    honesty_note : str
        Why the map was not tested, or a note about the test.
    seconds : dict of str to float
        Duration of each step.
    choice : Choice or None
        Why this method was chosen; None if the method was given.
    islands : IslandReport or None
        The clusters on the map, and which of them are stable; None if not requested.
    fitted : ndarray of int or None
        The rows used to fit the map; the others were placed on it. None: all rows.
    audit : AuditReport or None
        Labels that look wrong, and other problems; None if there was no audit.
    audit_note : str
        Why there is no audit.
    explains : Explaining
        The prototype model that explains the classes on the page.
    """

    table: Table
    method: str
    model: Pipeline
    embedding: Floats
    quality: QualityReport
    honesty: HonestyReport | None
    honesty_note: str
    seconds: dict[str, float]
    explains: Explaining
    choice: Choice | None = None
    islands: IslandReport | None = None
    fitted: Ints | None = None
    audit: AuditReport | None = None
    audit_note: str = NOT_AUDITED

    @property
    def fitted_words(self) -> str:
        """A sentence on the number of fitted rows and the precision of the scores."""
        if self.fitted is None:
            return ""
        n, fitted = len(self.embedding), len(self.fitted)
        words = f"Fitted to {fitted:,} of {n:,} rows; the others were placed on the map"
        if self.quality.within:
            words += f". The quality scores are accurate to ± {self.quality.within:.2g}"
        return f"{words}."

    @property
    def verdict(self) -> Verdict:
        """The verdict on the map; "untested", with the reason, if not tested."""
        if self.honesty is None:
            return Verdict("untested", None, why=self.honesty_note)
        verdict: Verdict = self.honesty.verdict
        return verdict

    @property
    def choice_words(self) -> str:
        """Why this method was chosen; empty if the method was given."""
        is_real = self.verdict.real != "no"
        return "" if self.choice is None else self.choice.words(is_real=is_real)

    @property
    def relevances(self) -> dict[str, Any] | None:
        """Relevance of each feature, with its interval; None if there are none."""
        explains = self.explains
        is_own = explains.model is self.model
        return relevances_record(
            self.model[-1],
            self.table.feature_names,
            explains.relevance_intervals if is_own else None,
        )

    @property
    def accuracy(self) -> float | None:
        """The balanced accuracy of neighbors on the map for held-out rows."""
        return accuracy_of(self.honesty)

    @property
    def relevance_words(self) -> str:
        """The most relevant features with their intervals, in a sentence."""
        return relevances_text(self.relevances)

    def record(self) -> dict[str, Any]:
        """Return all results as plain values, for scripts."""
        fitted = self.embedding if self.fitted is None else self.fitted
        return {
            "method": self.method,
            "choice": None if self.choice is None else self.choice.record(),
            "fitted_rows": len(fitted),
            "quality": self.quality.scores,
            "quality_original": self.quality.original,
            "quality_intervals": self.quality.intervals,
            "honesty": honesty_record(self.honesty),
            "note": self.honesty_note or None,
            "relevances": self.relevances,
            "islands": None if self.islands is None else islands_record(self.islands),
            "audit": audit_record(self.audit, self.table) if self.audit else None,
            "seconds": self.seconds,
        }

    def methods_paragraph(self, *, seed: int = 0) -> str:
        """Describe how the map was made, for the methods section of a paper."""
        return methods_paragraph(self, seed)

    def scene(self, *, seed: int = 0, wording: Wording = PYTHON) -> Scene:
        """Return the scene that the page of the map shows.

        Parameters
        ----------
        seed : int, default=0
            Random seed.
        wording : Wording, default=PYTHON
            Names of options in messages: as in Python or on the command line.

        Returns
        -------
        Scene

        Examples
        --------
        >>> from labelscape.datasets import load
        >>> from labelscape.jobs import map_table
        >>> map_table(load("iris"), "lda", judge=False).scene().title
        'iris: Linear discriminant'
        """
        return map_scene(self, seed, wording)

    def with_relabeling_note(self, n_relabeled: int) -> Self:
        """Return the result, with a note about the number of changed labels, if any."""
        if not n_relabeled:
            return self
        many = "1 label was" if n_relabeled == 1 else f"{n_relabeled:,} labels were"
        words = (
            f"{many} changed by hand. Labels that are changed to agree with a map make "
            "the map look better than it is."
        )
        return replace(self, honesty_note=f"{self.honesty_note} {words}".strip())


def accuracy_of(honest: HonestyReport | None) -> float | None:
    """Return the balanced accuracy of neighbors on a map for held-out rows."""
    if honest is None:
        return None
    return honest.unseen if honest.placed is None else honest.placed.unseen


def map_scene(result: MapResult, seed: int, wording: Wording) -> Scene:
    """Return the scene of the page of one map."""
    method, table = method_named(result.method), result.table
    explains = result.explains
    is_own = explains.model is result.model
    in_plane = is_own and has_plane(result.model[-1])
    predictions = predictions_of(result, explains)
    words, bar = "", result.accuracy
    if explains.accuracy is not None:
        words = f"The model is right for {explains.accuracy:.0%} of held-out rows"
        words += (
            "." if bar is None else (f"; neighbors on the map are right for {bar:.0%}.")
        )
    return build_scene(
        Subject(
            result.model,
            name=method.title,
            embedding=result.embedding,
            prototypes=None if is_own else explains.model or False,
            decider=Decider(
                explains.title, explains.accuracy, words, explains.relevance_intervals
            ),
            model_note=explains.note,
            layouts=explains.layouts,
        ),
        data_of(table),
        replace(
            trust_of(result),
            quality=result.quality,
            audit=result.audit,
            audit_note="" if result.audit else result.audit_note,
            wording=wording,
            predictions=predictions,
        ),
        title=f"{table.name}: {method.title}",
        words=(result.choice_words, result.fitted_words, table.group_words),
        methods=methods_paragraph(result, seed),
        regions=in_plane or votes_of(result, predictions),
        random_state=seed,
    )


def trust_of(result: MapResult) -> Trust:
    """Return the test results of a map."""
    return Trust(
        honesty=result.honesty, note=result.honesty_note, islands=result.islands
    )


# Description of a map for a paper.


def methods_paragraph(result: MapResult, seed: int) -> str:
    """Return a description of the map for the methods section of a paper."""
    return " ".join(_sentences(result, seed))


def _sentences(result: MapResult, seed: int) -> Iterator[str]:
    method = method_named(result.method)
    scaler, estimator = result.model[0], result.model[-1]
    n_rows, n_features = result.table.X.shape
    n_classes = len(np.unique(np.asarray(result.table.y)))
    yield (
        f"The map of {result.table.name} ({n_rows:,} rows, {n_features:,} features, "
        f"{n_classes:,} classes) was made with Labelscape {labelscape.__version__} by "
        f"{method.title} ({method.estimator})."
    )
    if n_missing := sum(result.table.missing.values()):
        values = counted(n_missing, "missing value")
        were = "was" if n_missing == 1 else "were"
        yield f"{values} {were} replaced by the mean of the column."
    yield (
        "Features were standardized to a mean of 0 and a standard deviation of 1."
        if scaler.with_std
        else "Features were centered to a mean of 0."
    )
    if result.embedding.shape[1] > 2:
        yield f"The map has {result.embedding.shape[1]} dimensions."
    if result.choice is not None:
        yield "The method was chosen by its accuracy on held-out rows."
    names = method.rules()
    settings = [
        f"{name} = {value}"
        for name, value in estimator.get_params().items()
        if name in names and isinstance(value, int | float | str)
    ]
    yield f"Settings: {', '.join([*settings, f'seed {seed}'])}."
    if result.honesty is not None:
        yield f"{result.honesty.verdict}"
    if (report := result.audit) is not None:
        yield (
            "Each label was checked by models that were fitted without its row, at a "
            f"false-discovery rate of {report.rate:.0%}: {len(report.suspects):,} of "
            f"{len(report.given):,} labels look wrong."
        )
    yield f"Reference: {method.reference}"


# Predictions on the page of a map: its regions, points and explanations.

NEIGHBORS = 5  # number of voting neighbors if there is no certificate


def predictions_of(result: MapResult, explains: Explaining) -> Predictions | bool:
    """Return held-out predictions of all rows; False if there are none."""
    # Predictions by the models of a cross-fitted map, or by the model that explains the
    # map. If a cross-fitted map was not fitted to a row, its neighbors on the map vote.
    votes = _out_of_fold(result)
    if votes is not None:
        P = votes.weights
        if result.fitted is not None:
            P = votes.at(result.embedding)
            P[result.fitted] = votes.weights
        note = "by cross-fitted models that were fitted without the row"
        return Predictions(P.argmax(axis=1), P.max(axis=1).astype(np.float32), note)
    answers = explains.answers
    return False if explains.model is None or answers is None else answers


def _out_of_fold(result: MapResult) -> Votes | None:
    """Return the held-out predictions of a cross-fitted map."""
    cross_fit = getattr(getattr(result.model[-1], "metric_", None), "cross_fit_", None)
    probabilities = getattr(cross_fit, "probabilities_", ())
    positions = result.embedding
    if result.fitted is not None:
        positions = positions[result.fitted]
    if cross_fit is None or len(probabilities) != len(positions):
        return None
    classes = classes_of(result.table)
    P = np.zeros((len(probabilities), len(classes)))
    P[:, classes.codes(cross_fit.classes_)] = probabilities
    return Votes(positions, P, _neighbors(result))


def votes_of(result: MapResult, predictions: Predictions | bool) -> Votes:
    """Return the points whose classes determine the regions of a map."""
    # On a cross-fitted map, their held-out predictions determine the regions. The
    # accuracy is that of the shown predictions, and not of the votes near each row: its
    # neighbors were predicted by models that were fitted to this row.
    classes, codes = classes_of(result.table), codes_of(result.table)
    votes, k = _out_of_fold(result), _neighbors(result)
    if votes is None:
        rows = slice(None) if result.fitted is None else result.fitted
        n = len(classes)
        return Votes(
            records.two_columns(result.embedding)[rows],
            np.eye(n)[codes[rows]] * vote_weights(codes[rows], n),
            k,
            f"The most frequent class among the {k} nearest points on the map.",
            f"the {k} nearest points",
            result.accuracy,
        )
    assert isinstance(predictions, Predictions)
    return votes._replace(
        positions=votes.positions[:, :2],
        words=f"The class with the highest mean probability for the {k} nearest points "
        "on the map, by models that were fitted without these points.",
        by="cross-fitted models",
        accuracy=balanced_accuracy(predictions.codes, codes, len(classes)),
    )


def _neighbors(result: MapResult) -> int:
    return (result.honesty and result.honesty.k) or NEIGHBORS
