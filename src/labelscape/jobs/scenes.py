"""What the pages of the jobs show."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from sklearn.pipeline import Pipeline

import labelscape
from labelscape._core.errors import InputError, Wording
from labelscape.datasets import Table
from labelscape.jobs.audit import audit_or_reason
from labelscape.jobs.changes import decision_changes
from labelscape.jobs.classify import ClassifyResult, PrototypeResult
from labelscape.jobs.compare import LEGEND, Comparison
from labelscape.jobs.explain import (
    Explaining,
    classes_of,
    decider_of,
    explaining,
    predictions_of,
    votes_of,
)
from labelscape.jobs.map import MapResult
from labelscape.jobs.methods import method_named
from labelscape.jobs.steps import Begin
from labelscape.jobs.words import counted
from labelscape.quality.audit import AuditReport
from labelscape.scene import (
    Data,
    Decider,
    JudgedMap,
    Scene,
    Subject,
    Trust,
    build_scene,
)
from labelscape.scene import scene as records
from labelscape.scene._internal import Classes, has_plane, scene_audit

# A classifier predicts at most this many changes of rows in one column.
MOST_CHANGED = 200_000

NO_MODEL = (
    "A comparison has no regions and no prototypes, because they belong to one model. "
    "“labelscape map DATA -m METHOD” shows one map with both."
)


def map_scene(
    result: MapResult, seed: int, explains: Explaining | None, wording: Wording
) -> Scene:
    """Return what the page of one map shows."""
    method, table = method_named(result.method), result.table
    explains = explaining(result, seed=seed) if explains is None else explains
    is_own = explains.model is result.model
    in_plane = is_own and has_plane(result.model[-1])
    return build_scene(
        Subject(
            result.model,
            name=method.title,
            embedding=result.embedding,
            prototypes=None if is_own else explains.model or False,
            decider=decider_of(result, explains),
            model_note=explains.note,
        ),
        _data(table),
        replace(
            _trust(result),
            quality=result.quality,
            audit=result.audit,
            audit_note="" if result.audit else result.audit_note,
            wording=wording,
            predictions=predictions_of(result, explains),
        ),
        title=f"{table.name}: {method.title}",
        words=(str(result.choice or ""), result.fitted_words, table.group_words),
        methods=methods_paragraph(result, seed),
        regions=in_plane or votes_of(result),
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
    """Return a scene with the audit of its table, or why there is none."""
    report, why_not = audit_or_reason(table, wanted, seed=seed, begin=begin)
    audit = scene_audit(report, classes_of(table), scene.n_points, wording)
    return replace(scene, audit=audit, audit_note=why_not)


def comparison_scene(comparison: Comparison, seed: int) -> Scene:
    """Return what the page of a comparison shows: all maps of the same points."""
    if not comparison.maps:
        raise InputError(
            "no method could map the table, so there is nothing to show.",
            owner="comparison_scene",
        )
    table, best = comparison.table, comparison.recommended
    titles = {one.method: method_named(one.method).title for one in comparison.results}
    # First the map to look at first.
    first, *others = sorted(
        comparison.maps, key=lambda one: best is None or one.method != best.method
    )
    header, rows = comparison.cells()
    notes = [LEGEND.replace("\n", " "), comparison.reasons, comparison.note, NO_MODEL]
    return build_scene(
        Subject(
            first.model,
            name=titles[first.method],
            # A model of one of the maps would explain nothing on the others.
            prototypes=False,
            maps={
                titles[one.method]: JudgedMap(one.model, _trust(one)) for one in others
            },
        ),
        _data(table),
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
    """Return what the page of a classifier shows: its regions under all rows."""
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
        replace(_data(result.table), held_out=result.held_out),
        Trust(honesty=result.verdict),
        title=f"{result.table.name}: what {result.name} decides",
        random_state=seed,
    )


def _changes(result: ClassifyResult) -> records.DecisionChanges | None:
    """Return what would change decisions, of as many rows as there is time for.

    Held-out rows come first: there the classifier decides as it does for new ones.
    """
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
    """Return what the page of a prototype model shows."""
    title = method_named(result.method, "prototypes").title
    return build_scene(
        Subject(result.model, decider=Decider(title, result.verdict.accuracy)),
        _data(result.table),
        Trust(honesty=result.verdict),
        title=f"{result.table.name}: {title}",
        random_state=seed,
    )


def _data(table: Table) -> Data:
    return Data(
        table.X,
        table.y,
        feature_names=table.feature_names,
        feature_kinds=table.encoder.feature_kinds,
        imputed=table.imputed,
        categories=table.categories,
        ids=table.ids,
        texts=table.texts,
        images=table.images,
        columns=table.shown or None,
    )


def _trust(result: MapResult) -> Trust:
    """Return what is known of a map by new fits of it."""
    return Trust(
        honesty=result.honesty, note=result.honesty_note, islands=result.islands
    )


# How a map was made, in words for a paper.


def methods_paragraph(result: MapResult, seed: int) -> str:
    """Return how a map was made, in words for the methods section of a paper."""
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
        yield f"{n_missing:,} missing values were replaced by the mean of their column."
    yield (
        "Features were standardized to a mean of 0 and a standard deviation of 1."
        if scaler.with_std
        else "Features were moved to a mean of 0."
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
            "Labels were audited with models that had not seen the row, at a stated "
            f"false-discovery rate of {report.rate:.0%}: {len(report.suspects):,} of "
            f"{len(report.given):,} labels were suspected."
        )
    yield f"Reference: {method.reference}"
