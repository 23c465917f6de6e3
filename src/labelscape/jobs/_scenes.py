"""What the pages of the verbs show."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from labelscape._core.arguments import arguments, instance, optional
from labelscape._core.arguments import seed as seed_rule
from labelscape._core.errors import PYTHON, InputError, Wording
from labelscape.auditing import AuditReport
from labelscape.boundary._internal import decision_changes
from labelscape.datasets import Table
from labelscape.jobs._classifying import ClassifyResult
from labelscape.jobs._comparing import LEGEND, Comparison
from labelscape.jobs._explaining import (
    Explaining,
    Predictions,
    accuracy_of,
    classes_of,
    explaining,
    explaining_model,
    predictions_of,
    with_predictions,
    with_votes,
)
from labelscape.jobs._mapping import MapResult
from labelscape.jobs._methods_words import methods_paragraph
from labelscape.jobs._prototypes import PrototypeResult
from labelscape.jobs.methods import method_named
from labelscape.scene import Scale, Scene, build_scene
from labelscape.scene._internal import (
    Classes,
    Codes,
    ComparisonTable,
    DecisionChanges,
    SceneMap,
    has_plane,
    judged_map,
    shown_audit,
    shown_islands,
    shown_verdict,
)

# A classifier is asked about so many changes of rows in one column, at most.
MOST_CHANGED = 200_000

NO_MODEL = (
    "Maps are compared as maps: no model decides here, so there are no regions and no "
    "prototypes. “labelscape map DATA -m METHOD” shows one map with both."
)


@arguments(
    result=instance(MapResult),
    seed=seed_rule(),
    explains=optional(instance(Explaining)),
    wording=instance(Wording),
)
def map_scene(
    result: MapResult,
    *,
    seed: int = 0,
    explains: Explaining | None = None,
    wording: Wording = PYTHON,
) -> Scene:
    """Return what the page of one map shows.

    Parameters
    ----------
    result : MapResult
        What `map_table` returned.
    seed : int, default=0
        Seed of everything random.
    explains : Explaining, default=None
        What `explaining` returned, if it is known already.
    wording : Wording, default=PYTHON
        How the host calls the settings that mend a table.

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import map_scene, map_table
    >>> map_scene(map_table(load("iris"), "lda", judge=False)).title
    'iris: Linear discriminant'
    """
    chosen = method_named(result.method)
    explains = explaining(result, seed=seed) if explains is None else explains
    is_own = explains.model is result.model
    in_plane = is_own and has_plane(result.model[-1])
    scene = build_scene(
        result.model,
        result.table.X,
        result.table.y,
        **_about(result.table),
        title=f"{result.table.name}: {chosen.title}",
        embedding=result.embedding,
        prototypes=None if is_own else explains.model,
        regions=in_plane,
        quality=result.quality,
        scale=_scale(result.model),
        random_state=seed,
    )
    first = replace(scene.maps[0], name=chosen.title)
    if explains.model is None:
        first = replace(first, prototypes=None, borders=None)
    known = predictions_of(result, explains)
    if in_plane:
        first = _decided_by(first, explains.title, explains.accuracy)
        first = _contradicted(first, scene.predictions, known)
    elif first.depth is None:
        first = with_votes(first, result, known)
    keeps = chosen.keeps if chosen.is_cross_fitted else first.words
    words = [keeps, "" if result.choice is None else str(result.choice)]
    words += [result.fitted_words, result.table.group_words]
    words = [part for part in words if part]
    first = _with_certificate(replace(first, words=" ".join(words)), result)
    scene = replace(
        with_predictions(scene, known),
        maps=(first,),
        model=explaining_model(scene.model, explains, accuracy_of(result)),
        model_note=explains.note,
        methods=methods_paragraph(result, seed=seed),
    )
    return with_audit(scene, result.table, result.audit, result.audit_note, wording)


def with_audit(
    scene: Scene,
    table: Table,
    report: AuditReport | None,
    why_not: str,
    wording: Wording = PYTHON,
) -> Scene:
    """Return a scene with the audit of its table, or why there is none."""
    if report is None:
        return replace(scene, audit_note=why_not)
    found = shown_audit(report, classes_of(table), scene.n_points, wording)
    return replace(scene, audit=found)


@arguments(found=instance(Comparison), seed=seed_rule())
def comparison_scene(found: Comparison, *, seed: int = 0) -> Scene:
    """Return what the page of a comparison shows: all maps of the same points.

    Parameters
    ----------
    found : Comparison
        What `compare_methods` returned, with one map at least.
    seed : int, default=0
        Seed of everything random.

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import compare_methods, comparison_scene
    >>> found = compare_methods(load("iris"), ["lda", "pca"], judge=False)
    >>> [one.name for one in comparison_scene(found).maps]
    ['Linear discriminant', 'Principal components']
    """
    if not found.maps:
        raise InputError(
            "no method could map the table, so there is nothing to show.",
            owner="comparison_scene",
        )
    first, *others = shown_maps = _recommended_first(found)
    scene = build_scene(
        first.model,
        found.table.X,
        found.table.y,
        **_about(found.table),
        title=f"{found.table.name}: {counted(len(found.maps), 'map')}",
        maps={result.method: result.model for result in others},
        regions=False,
        random_state=seed,
    )
    return replace(
        scene,
        # A model of one of the maps would explain nothing on the others.
        model=None,
        predictions=None,
        certainty=None,
        maps=tuple(
            _judged(shown, result)
            for shown, result in zip(scene.maps, shown_maps, strict=True)
        ),
        comparison=_compared(found),
    )


@arguments(found=instance(ClassifyResult), seed=seed_rule())
def classifier_scene(found: ClassifyResult, *, seed: int = 0) -> Scene:
    """Return what the page of a classifier shows: its regions under all rows.

    Parameters
    ----------
    found : ClassifyResult
        What `classify_table` returned.
    seed : int, default=0
        Seed of everything random.

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import classifier_scene, classify_table
    >>> scene = classifier_scene(classify_table(load("iris"), "logistic"))
    >>> scene.n_points, scene.maps[0].regions is not None
    (150, True)
    """
    model = found.classifier
    last = model[-1] if isinstance(model, Pipeline) else model
    scene = build_scene(
        found.picture,
        found.table.X,
        found.table.y,
        **_about(found.table),
        title=f"{found.table.name}: what {found.name} decides",
        prototypes=model if hasattr(last, "prototypes_") else None,
        held_out=found.held_out,
        scale=_scale(model),
        random_state=seed,
    )
    right = found.verdict.accuracy
    shown = _decided_by(scene.maps[0], found.name, right)
    honest = shown_verdict(found.verdict)
    model = scene.model and replace(scene.model, accuracy=right)
    if shown.regions is not None:
        # One figure for the terminal and the page.
        far = found.picture.share_far_from_data_
        shown = replace(shown, regions=replace(shown.regions, share_far=far))
    return replace(
        scene,
        maps=(replace(shown, name=found.name, honesty=honest),),
        model=model,
        changes=None if model is not None else _changes(found, scene),
    )


def _changes(found: ClassifyResult, scene: Scene) -> DecisionChanges | None:
    """Return what would change decisions, of as many rows as there is time for.

    Held-out rows come first: there the classifier decides as it does for new ones.
    """
    columns, column_of = np.unique(
        found.table.encoder.feature_columns, return_inverse=True
    )
    n, most = scene.n_points, MOST_CHANGED // len(columns)
    rows = np.sort(np.argsort(~found.held_out, kind="stable")[:most])
    changes = decision_changes(found.picture.predict, found.table.X, column_of, rows)
    if changes is None:
        return None
    other, sizes = np.arange(n), np.zeros(n, dtype=np.intp)
    other[changes.rows] = changes.other
    sizes[changes.rows] = [len(one) for one in changes.taken]
    answers = np.asarray(found.picture.predict(found.table.X))
    answers[changes.rows] = changes.answers
    labels = np.unique(np.asarray(found.table.y)).tolist()
    classes = Classes([*labels, *found.picture.classes_.tolist()])
    return DecisionChanges(
        columns=tuple(columns.tolist()),
        other=other.astype(np.uint32),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
        taken=np.array([j for one in changes.taken for j in one], dtype=np.uint32),
        answers=classes.codes(answers),
    )


@arguments(found=instance(PrototypeResult), seed=seed_rule())
def prototype_scene(found: PrototypeResult, *, seed: int = 0) -> Scene:
    """Return what the page of a prototype model shows: all rows as the model sees them.

    Parameters
    ----------
    found : PrototypeResult
        What `prototype_table` returned.
    seed : int, default=0
        Seed of everything random.

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import prototype_scene, prototype_table
    >>> scene = prototype_scene(prototype_table(load("iris"), "kmeans"))
    >>> scene.title, scene.model.unit
    ('iris: k-means per class', 'standard_deviation')
    """
    title = method_named(found.method, "prototypes").title
    scene = build_scene(
        found.model,
        found.table.X,
        found.table.y,
        **_about(found.table),
        title=f"{found.table.name}: {title}",
        scale=_scale(found.model),
        random_state=seed,
    )
    right = found.verdict.accuracy
    judged = _decided_by(scene.maps[0], title, right)
    return replace(
        scene,
        maps=(replace(judged, honesty=shown_verdict(found.verdict)),),
        model=scene.model and replace(scene.model, name=title, accuracy=right),
    )


def _scale(model: Any) -> Scale | None:
    """Return what the jobs' standardisation does; None for models made otherwise."""
    if not isinstance(model, Pipeline) or len(model.steps) != 2:
        return None
    scaler = model[0]
    if not isinstance(scaler, StandardScaler) or scaler.scale_ is None:
        return None
    offsets = 0.0 * scaler.scale_ if scaler.mean_ is None else scaler.mean_
    return Scale(scaler.scale_, offsets, "standard_deviation")


def _about(table: Table) -> dict[str, Any]:
    return {
        "feature_names": table.feature_names,
        "feature_kinds": table.encoder.feature_kinds,
        "imputed": table.imputed,
        "categories": table.categories,
        "ids": table.ids,
        "texts": table.texts,
        "images": table.images,
        "columns": table.shown or None,
    }


def _decided_by(shown: SceneMap, title: str, accuracy: float | None) -> SceneMap:
    """Return a map whose regions say what decides, and how often that is right."""
    if shown.regions is None:
        return shown
    return replace(shown, regions=replace(shown.regions, by=title, accuracy=accuracy))


def _contradicted(
    shown: SceneMap, decided: Codes | None, known: Predictions | None
) -> SceneMap:
    """Return a map that marks points whose prediction is not their region's class."""
    if shown.regions is None or decided is None or known is None:
        return shown
    wrong = decided != known.codes
    regions = replace(
        shown.regions,
        contradicts=wrong.astype(np.uint8),
        agreement=1.0 - float(wrong.mean()),
    )
    return replace(shown, regions=regions)


def _judged(shown: SceneMap, result: MapResult) -> SceneMap:
    """Return a map of a scene with what is known about it."""
    named = replace(shown, name=method_named(result.method).title, prototypes=None)
    return _with_certificate(named, result)


def _with_certificate(shown: SceneMap, result: MapResult) -> SceneMap:
    classes = classes_of(result.table)
    judged = judged_map(shown, result.honesty, result.honesty_note, classes)
    known, note = judged.honesty, result.honesty_note
    if known is not None and result.honesty is not None and note:
        judged = replace(judged, honesty=replace(known, notes=(*known.notes, note)))
    if result.islands is None:
        return judged
    return replace(judged, islands=shown_islands(result.islands))


def _recommended_first(found: Comparison) -> list[MapResult]:
    """Return the maps as the page shows them: first the one to look at first."""
    best = found.recommended
    return sorted(found.maps, key=lambda one: best is None or one.method != best.method)


def _compared(found: Comparison) -> ComparisonTable:
    """Return the table that the terminal shows, with the names that people read."""
    header, rows = found._table()
    best = found.recommended
    taken = "" if best is None else str(best)
    words = [taken, LEGEND.replace("\n", " "), found.reasons, found.note, NO_MODEL]
    return ComparisonTable(
        columns=("map", *header[1:]),
        rows=tuple((method_named(method).title, *row) for method, *row in rows),
        words=tuple(part for part in words if part),
        recommended="" if best is None else method_named(best.method).title,
    )


def counted(n: int, word: str) -> str:
    """Return a number of things."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"
