"""What the pages of the verbs show."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape._core.arguments import arguments, instance
from labelscape._core.arguments import seed as seed_rule
from labelscape._core.errors import PYTHON, InputError, Wording
from labelscape.auditing import AuditReport
from labelscape.datasets import Table
from labelscape.jobs._classifying import ClassifyResult
from labelscape.jobs._comparing import LEGEND, Comparison
from labelscape.jobs._mapping import MapResult
from labelscape.jobs._methods_words import methods_paragraph
from labelscape.jobs._prototypes import PrototypeResult
from labelscape.jobs._scaling import scaler_for
from labelscape.jobs.fitting.rows import fitted_rows
from labelscape.jobs.methods import method_named
from labelscape.prototypes import PushAndGrow
from labelscape.scene import Scale, Scene, build_scene
from labelscape.scene._internal import (
    Classes,
    ComparisonTable,
    SceneMap,
    judged_map,
    shown_audit,
    shown_islands,
    shown_verdict,
)

# A prototype model beside another map is fitted to all rows if rows times features are
# no more than this; else to so many rows.
MOST_FOR_PROTOTYPES, FEWER_ROWS = 20_000_000, 20_000

NO_MODEL = (
    "Maps are compared as maps: no model decides here, so there are no regions and no "
    "prototypes. “labelscape map DATA -m METHOD” shows one map with both."
)


@arguments(result=instance(MapResult))
def explaining(result: MapResult) -> Any:
    """Return the model that explains the classes on the page of a map.

    A map by a method without prototypes gets those of Push and Grow, so that all
    levels of exploration are there; those of some rows, of a large table.
    """
    has_prototypes = hasattr(result.model[-1], "prototypes_")
    return result.model if has_prototypes else _prototypes(result.table)


@arguments(result=instance(MapResult), seed=seed_rule(), wording=instance(Wording))
def map_scene(
    result: MapResult,
    *,
    seed: int = 0,
    prototypes: Any = None,
    wording: Wording = PYTHON,
) -> Scene:
    """Return what the page of one map shows.

    Parameters
    ----------
    result : MapResult
        What `map_table` returned.
    seed : int, default=0
        Seed of everything random.
    prototypes : estimator, default=None
        What `explaining` returned, if it has been asked already.
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
    model = explaining(result) if prototypes is None else prototypes
    scene = build_scene(
        result.model,
        result.table.X,
        result.table.y,
        **_about(result.table),
        title=f"{result.table.name}: {chosen.title}",
        embedding=result.embedding,
        prototypes=None if model is result.model else model,
        quality=result.quality,
        scale=_scale(result.model),
        random_state=seed,
    )
    first, *others = scene.maps
    if model is not result.model and first.regions is not None:
        # Those of a model that explains the classes are no faults of this map.
        first = replace(first, regions=replace(first.regions, contradicts=None))
    kept = chosen.keeps if chosen.is_cross_fitted else first.words
    known = [kept, "" if result.choice is None else str(result.choice)]
    known += [result.fitted_words]
    count = _count_explaining(result.table)
    if model is not result.model and count < len(result.embedding):
        known += [f"Prototypes were learned from {count:,} random rows."]
    words = " ".join(part for part in known if part)
    first = replace(first, words=words)
    scene = replace(
        scene,
        maps=(_with_certificate(first, result), *others),
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
    found = shown_audit(report, _classes(table), scene.n_points, wording)
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
    shown = scene.maps[0]
    honest = shown_verdict(found.verdict)
    return replace(scene, maps=(replace(shown, name=found.name, honesty=honest),))


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
    ('iris: KMeansPrototypes', 'standard_deviation')
    """
    scene = build_scene(
        found.model,
        found.table.X,
        found.table.y,
        **_about(found.table),
        title=f"{found.table.name}: {type(found.model[-1]).__name__}",
        scale=_scale(found.model),
        random_state=seed,
    )
    first, *others = scene.maps
    judged = replace(first, honesty=shown_verdict(found.verdict))
    return replace(scene, maps=(judged, *others))


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


def _prototypes(table: Table) -> Any:
    """Return a model that explains the classes."""
    rows = fitted_rows(table.y, _count_explaining(table))
    X, y = table.X[rows], np.asarray(table.y)[rows]
    return make_pipeline(scaler_for(X), PushAndGrow()).fit(X, y)


def _count_explaining(table: Table) -> int:
    """Return from how many rows prototypes beside a map are learned."""
    n, d = len(table.X), len(table.feature_names)
    if n * d <= MOST_FOR_PROTOTYPES:
        return n
    return min(n, FEWER_ROWS, MOST_FOR_PROTOTYPES // d)


def _judged(shown: SceneMap, result: MapResult) -> SceneMap:
    """Return a map of a scene with what is known about it."""
    named = replace(shown, name=method_named(result.method).title, prototypes=None)
    return _with_certificate(named, result)


def _with_certificate(shown: SceneMap, result: MapResult) -> SceneMap:
    classes = _classes(result.table)
    judged = judged_map(shown, result.honesty, result.honesty_note, classes)
    known, note = judged.honesty, result.honesty_note
    if known is not None and result.honesty is not None and note:
        judged = replace(judged, honesty=replace(known, notes=(*known.notes, note)))
    if result.islands is None:
        return judged
    return replace(judged, islands=shown_islands(result.islands))


def _classes(table: Table) -> Classes:
    return Classes(np.unique(np.asarray(table.y)).tolist())


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
