"""What the pages of the verbs show."""

import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

import labelscape
from labelscape._core.errors import InputError, Wording
from labelscape.boundary._internal import decision_changes
from labelscape.datasets import Table
from labelscape.jobs.audit import audit_or_reason
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
    scene,
)
from labelscape.scene._internal import Classes, has_plane, scene_audit

# A classifier is asked about at most this many changes of rows in one column.
MOST_CHANGED = 200_000

NO_MODEL = (
    "Maps are compared as maps: no model decides here, so there are no regions and no "
    "prototypes. “labelscape map DATA -m METHOD” shows one map with both."
)


def map_scene(
    result: MapResult, seed: int, explains: Explaining | None, wording: Wording
) -> Scene:
    """Return what the page of one map shows."""
    method, table = method_named(result.method), result.table
    explains = explaining(result, seed=seed) if explains is None else explains
    is_own = explains.model is result.model
    in_plane = is_own and has_plane(result.model[-1])
    if explains.model is None:
        prototypes: Any = False
    else:
        prototypes = None if is_own else explains.model
    return build_scene(
        Subject(
            result.model,
            name=method.title,
            embedding=result.embedding,
            prototypes=prototypes,
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
    shown: Scene,
    table: Table,
    wanted: bool | AuditReport | None,
    seed: int,
    begin: Begin,
    wording: Wording,
) -> Scene:
    """Return a scene with the audit of its table, or why there is none."""
    report, why_not = audit_or_reason(table, wanted, seed=seed, begin=begin)
    if report is None:
        return replace(shown, audit_note=why_not)
    audit = scene_audit(report, classes_of(table), shown.n_points, wording)
    return replace(shown, audit=audit)


def comparison_scene(found: Comparison, seed: int) -> Scene:
    """Return what the page of a comparison shows: all maps of the same points."""
    if not found.maps:
        raise InputError(
            "no method could map the table, so there is nothing to show.",
            owner="comparison_scene",
        )
    first, *others = _recommended_first(found)
    return build_scene(
        Subject(
            first.model,
            name=method_named(first.method).title,
            # A model of one of the maps would explain nothing on the others.
            prototypes=False,
            maps={
                method_named(one.method).title: JudgedMap(one.model, _trust(one))
                for one in others
            },
        ),
        _data(found.table),
        _trust(first),
        title=f"{found.table.name}: {counted(len(found.maps), 'map')}",
        comparison=_compared(found),
        regions=False,
        random_state=seed,
    )


def classifier_scene(found: ClassifyResult, seed: int) -> Scene:
    """Return what the page of a classifier shows: its regions under all rows."""
    model = found.classifier
    last = model[-1] if isinstance(model, Pipeline) else model
    explains = hasattr(last, "prototypes_")
    return build_scene(
        Subject(
            found.picture,
            name=found.name,
            prototypes=model if explains else None,
            decider=Decider(found.name, found.verdict.accuracy),
            changes=None if explains else _changes(found),
        ),
        replace(_data(found.table), held_out=found.held_out),
        Trust(honesty=found.verdict),
        title=f"{found.table.name}: what {found.name} decides",
        random_state=seed,
    )


def _changes(found: ClassifyResult) -> scene.DecisionChanges | None:
    """Return what would change decisions, of as many rows as there is time for.

    Held-out rows come first: there the classifier decides as it does for new ones.
    """
    columns, column_of = np.unique(
        found.table.encoder.feature_columns, return_inverse=True
    )
    n, most = len(found.table.X), MOST_CHANGED // len(columns)
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
    return scene.DecisionChanges(
        columns=tuple(columns.tolist()),
        other=other.astype(np.uint32),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
        taken=np.array([j for one in changes.taken for j in one], dtype=np.uint32),
        answers=classes.codes(answers),
    )


def prototype_scene(found: PrototypeResult, seed: int) -> Scene:
    """Return what the page of a prototype model shows."""
    title = method_named(found.method, "prototypes").title
    return build_scene(
        Subject(
            found.model,
            decider=Decider(title, found.verdict.accuracy),
        ),
        _data(found.table),
        Trust(honesty=found.verdict),
        title=f"{found.table.name}: {title}",
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


def _recommended_first(found: Comparison) -> list[MapResult]:
    """Return the maps as the page shows them: first the one to look at first."""
    best = found.recommended
    return sorted(found.maps, key=lambda one: best is None or one.method != best.method)


def _compared(found: Comparison) -> scene.ComparisonTable:
    """Return the table that the terminal shows, with the names that people read."""
    header, rows = found._table()
    best = found.recommended
    taken = "" if best is None else str(best)
    words = [taken, LEGEND.replace("\n", " "), found.reasons, found.note, NO_MODEL]
    return scene.ComparisonTable(
        columns=("map", *header[1:]),
        rows=tuple((method_named(method).title, *row) for method, *row in rows),
        words=tuple(part for part in words if part),
        recommended="" if best is None else method_named(best.method).title,
    )


# How a map was made, in words for a paper.

# Where an estimator of another library says nothing of its own.
SCIKIT_LEARN = (
    "F. Pedregosa et al. Scikit-learn: machine learning in Python. JMLR 12, 2011."
)

_REFERENCES = re.compile(r"^References\n-+\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


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
    settings = _settings(estimator, [*method.rules()])
    yield f"Settings: {', '.join([*settings, f'seed {seed}'])}."
    if result.honesty is not None:
        yield f"{result.honesty.verdict}"
    if (report := result.audit) is not None:
        yield (
            "Labels were audited with models that had not seen the row, at a stated "
            f"false-discovery rate of {report.rate:.0%}: {len(report.suspects):,} of "
            f"{len(report.given):,} labels were suspected."
        )
    yield f"Reference: {reference_of(type(estimator))}"


def _settings(estimator: Any, names: Sequence[str]) -> Iterator[str]:
    """Yield the parameters that people set, as they were."""
    for name, value in estimator.get_params().items():
        if name in names and isinstance(value, int | float | str):
            yield f"{name} = {value}"


def reference_of(kind: type[Any]) -> str:
    """Return what the docstring of an estimator cites."""
    ours = (one for one in kind.__mro__ if one.__module__.startswith("labelscape."))
    for one in ours:  # a variant of a method may leave the source to it
        found = _REFERENCES.search(inspect.cleandoc(one.__doc__ or ""))
        if found:
            return " ".join(found[1].split())
    return SCIKIT_LEARN
