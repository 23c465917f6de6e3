"""The scenes that the pages of all jobs show."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from sklearn.pipeline import Pipeline

import labelscape
from labelscape._core.errors import InputError, Wording
from labelscape._resampling.voters import balanced_accuracy, vote_weights
from labelscape.datasets import Table
from labelscape.jobs.audit import audit_or_reason
from labelscape.jobs.changes import decision_changes
from labelscape.jobs.classify import ClassifyResult, PrototypeResult
from labelscape.jobs.compare import LEGEND, Comparison
from labelscape.jobs.explain import Explaining, classes_of, codes_of
from labelscape.jobs.map import MapResult
from labelscape.jobs.methods import method_named
from labelscape.jobs.words import Begin, counted
from labelscape.quality.audit import AuditReport
from labelscape.scene import (
    Data,
    Decider,
    JudgedMap,
    Predictions,
    Scene,
    Subject,
    Trust,
    build_scene,
)
from labelscape.scene import scene as records
from labelscape.scene._internal import Classes, Votes, has_plane, scene_audit

# Maximum number of rows times columns for which changes of decisions are computed.
MOST_CHANGED = 200_000

NO_MODEL = (
    "A comparison has no regions and no prototypes, because they belong to one model. "
    "“labelscape map DATA -m METHOD” shows regions and prototypes."
)


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
        ),
        data_of(table),
        replace(
            _trust(result),
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


def with_audit(
    scene: Scene,
    table: Table,
    wanted: bool | AuditReport | None,
    seed: int,
    begin: Begin,
    wording: Wording,
) -> Scene:
    """Return a scene with the audit of its table, or the reason why there is none."""
    report, why_not = audit_or_reason(table, wanted, seed=seed, begin=begin)
    audit = scene_audit(report, classes_of(table), scene.n_points, wording)
    return replace(scene, audit=audit, audit_note=why_not)


def comparison_scene(comparison: Comparison, seed: int) -> Scene:
    """Return the scene of a comparison: all maps of the same points."""
    if not comparison.maps:
        raise InputError(
            "no method could map the table, so there is nothing to show.",
            owner="comparison_scene",
        )
    table, best = comparison.table, comparison.recommended
    titles = {one.method: method_named(one.method).title for one in comparison.results}
    # The recommended map is the first.
    first, *others = sorted(
        comparison.maps, key=lambda one: best is None or one.method != best.method
    )
    header, rows = comparison.cells()
    notes = [LEGEND.replace("\n", " "), comparison.reasons, comparison.note, NO_MODEL]
    return build_scene(
        Subject(
            first.model,
            name=titles[first.method],
            # A model of one map would explain nothing on the others.
            prototypes=False,
            maps={
                titles[one.method]: JudgedMap(one.model, _trust(one)) for one in others
            },
        ),
        data_of(table),
        _trust(first),
        title=f"{table.name}: {counted(len(comparison.maps), 'map')}",
        comparison=records.ComparisonTable(
            columns=("map", *header[1:]),
            rows=tuple((titles[method], *row) for method, *row in rows),
            words=tuple(filter(None, [str(best or ""), *notes])),
            recommended="" if best is None else titles[best.method],
        ),
        regions=False,
        random_state=seed,
    )


def classifier_scene(result: ClassifyResult, seed: int) -> Scene:
    """Return the scene of a classifier: its regions and all rows."""
    model = result.classifier
    last = model[-1] if isinstance(model, Pipeline) else model
    explains = hasattr(last, "prototypes_")
    return build_scene(
        Subject(
            result.picture,
            name=result.name,
            prototypes=model if explains else None,
            decider=Decider(result.name, result.verdict.accuracy),
            changes=None if explains else _changes(result),
        ),
        replace(data_of(result.table), held_out=result.held_out),
        Trust(honesty=result.verdict),
        title=f"{result.table.name}: what {result.name} decides",
        random_state=seed,
    )


def _changes(result: ClassifyResult) -> records.DecisionChanges | None:
    """Return, for some rows, which values to change to get another prediction."""
    # Held-out rows first, because the classifier was not fitted to them.
    table, predict = result.table, result.picture.predict
    columns, column_of = np.unique(table.encoder.feature_columns, return_inverse=True)
    n, most = len(table.X), MOST_CHANGED // len(columns)
    rows = np.sort(np.argsort(~result.held_out, kind="stable")[:most])
    changes = decision_changes(predict, table.X, column_of, rows)
    if changes is None:
        return None
    other, sizes = np.arange(n), np.zeros(n, dtype=np.intp)
    other[changes.rows] = changes.other
    sizes[changes.rows] = [len(one) for one in changes.taken]
    answers = np.asarray(predict(table.X))
    answers[changes.rows] = changes.answers
    labels = np.unique(np.asarray(table.y)).tolist()
    classes = Classes([*labels, *result.picture.classes_.tolist()])
    return records.DecisionChanges(
        columns=tuple(columns.tolist()),
        other=other.astype(np.uint32),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
        taken=np.array([j for one in changes.taken for j in one], dtype=np.uint32),
        answers=classes.codes(answers),
    )


def prototype_scene(result: PrototypeResult, seed: int) -> Scene:
    """Return the scene of a prototype model."""
    title = method_named(result.method, "prototypes").title
    return build_scene(
        Subject(result.model, decider=Decider(title, result.verdict.accuracy)),
        data_of(result.table),
        Trust(honesty=result.verdict),
        title=f"{result.table.name}: {title}",
        random_state=seed,
    )


def data_of(table: Table) -> Data:
    """Return the scene data of the rows of a table."""
    return Data(
        table.X,
        table.y,
        feature_names=table.feature_names,
        feature_kinds=table.encoder.feature_kinds,
        imputed=table.imputed,
        categories=table.categories,
        vectors=table.encoder.vectors,
        ids=table.ids,
        texts=table.texts,
        columns=table.shown or None,
        **table.pictures(),
    )


def _trust(result: MapResult) -> Trust:
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
    if explains.model is None or explains.answers is None:
        return False
    return explains.answers._replace(
        note=f"by {explains.title}, fitted without this row"
    )


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
