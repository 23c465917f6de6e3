"""A prototype model in a scene: its prototypes, predictions and explanations."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.columns import Categories
from labelscape._core.threads import row_blocks
from labelscape._core.types import Array, Floats
from labelscape.prototypes._internal import explained_rows
from labelscape.scene import scene as records
from labelscape.scene._features import ShownFeatures, members, stored
from labelscape.scene._inputs import Decisions, Unwrapped, unwrap
from labelscape.scene._layouts import spread_sample
from labelscape.scene._units import Units
from labelscape.scene.scene import Codes, Indices, Points, Scene, Singles
from labelscape.scene.subject import Classes, Decider, Labeled, Layouts

MOST_EXPLAINED, FEWEST_EXPLAINED = 1000, 8
# Limits for the number of explanations times the number of values of all prototypes,
# also for local metrics, so that the explanations of a scene take a few seconds.
MOST_WORK, MOST_LOCAL_WORK = 3_000_000, 2_000
# The same limit for explanations times prototypes times categorical columns.
MOST_CATEGORY_WORK = 6_000


def explained_samples(
    subject: Unwrapped, wrong: Array, certainty: Array, codes: Array, seed: int
) -> Array:
    """Return sorted indices of samples to explain; half have uncertain predictions."""
    # Errors first, then the least certain predictions.
    known: Array = np.flatnonzero(np.isfinite(np.asarray(subject.X)).all(axis=1))
    model = subject.prototypes
    most = MOST_LOCAL_WORK if model.metric_.kind == "local" else MOST_WORK
    most //= model.prototypes_.size
    if subject.categories:
        n_choices = len(model.prototypes_) * len(subject.categories)
        most = min(most, MOST_CATEGORY_WORK // n_choices)
    most = int(min(MOST_EXPLAINED, max(FEWEST_EXPLAINED, most)))
    if len(known) <= most:
        return known
    wrong, certainty, codes = wrong[known], certainty[known], codes[known]
    doubtful = np.lexsort((certainty, ~wrong))[: most - most // 2]
    rest = np.setdiff1d(np.arange(len(known)), doubtful)
    others = rest[spread_sample(codes[rest], most // 2, seed)]
    return np.asarray(known[np.sort(np.concatenate([doubtful, others]))])


def explanations(
    subject: Unwrapped, rows: Array, columns: Array, classes: Classes
) -> records.Explanations:
    """Return explanations of the model's predictions for some samples."""
    X = subject.X
    assert X is not None
    explained = explained_rows(subject.prototypes, X[rows], _categories(subject))
    stays = np.array([one.counterfactual is None for one in explained])
    after = [
        one.x if one.counterfactual is None else one.counterfactual for one in explained
    ]
    changes = subject.units.to_data(np.array(after)) - subject.features[rows]
    changes[stays] = 0.0
    return records.Explanations(
        objects=rows.astype(np.uint32),
        contributions=np.array(
            [one.contributions[columns] for one in explained], np.float32
        ),
        changes=changes[:, columns].astype(np.float32),
        change_distances=np.array(
            [one.counterfactual_distance for one in explained], dtype=np.float32
        ),
        change_classes=classes.codes(
            np.array([one.counterfactual_prediction for one in explained], dtype=object)
        ),
    )


def point_explainer(
    model: Any,
    X: Any,
    scene: Scene,
    feature_names: Sequence[str] | None,
    categories: Sequence[Categories],
) -> Callable[[int], records.Explanations]:
    """Return a function that explains the prediction for one point of a scene."""
    subject = unwrap(model, X, feature_names, categories)
    columns, names = [], iter(enumerate(subject.names))
    for feature in scene.features:  # in the order of the data
        columns.append(next(j for j, name in names if name == feature.name))
    own = Classes(list(subject.prototypes.classes_))
    of_scene = np.full(own.none + 1, own.none)
    of_scene[: len(own)] = [scene.classes.index(name) for name in own.names]

    def explain(point: int) -> records.Explanations:
        assert subject.X is not None
        if not np.isfinite(subject.X[point]).all():
            raise ValueError("A point with missing values cannot be explained.")
        one = explanations(subject, np.array([point]), np.array(columns), own)
        return replace(one, change_classes=of_scene[one.change_classes])

    return explain


def _categories(subject: Unwrapped) -> tuple[Categories, ...]:
    """Return the categorical columns, with codes as in the model's input."""
    usual = np.nan_to_num(subject.features[:1])
    columns = []
    for column in subject.categories:
        rows = np.repeat(usual, len(column.words), axis=0).astype(np.float64)
        rows[:, column.features] = column.codes
        codes = subject.units.to_model(rows)[:, column.features]
        columns.append(replace(column, codes=np.asarray(codes, dtype=np.float64)))
    return tuple(columns)


# The nearest prototype of each point: among all, in its own class, in each class.

# Distances to all classes are stored up to this number of values.
MOST_DISTANCES = 2_000_000
NO_PROTOTYPE = np.iinfo(np.uint32).max


class Nearest(NamedTuple):
    """The nearest prototypes of the points, and their distances."""

    of_all: Indices  # (n,) the nearest prototype
    # (n,) the nearest prototype of the point's own class; none for an unknown class
    of_own: Indices
    own_distances: Array  # (n,) its distance
    # (n,) Relative difference (`_leads`) of the distances to the nearest prototypes of
    # other classes and of the own class: negative if another class is predicted.
    leads: Array
    # (n, C) the nearest prototype of each class
    distances: Singles | None
    prototypes: Indices | None


def nearest_prototypes(subject: Unwrapped, own: Codes, classes: Classes) -> Nearest:
    """Return the nearest prototypes of the points; ``own`` is each point's class."""
    X, n, C = subject.X, len(own), len(classes)
    assert X is not None  # a prototype model was fitted to numbers
    of_all, of_own = np.empty(n, dtype=np.uint32), np.empty(n, dtype=np.uint32)
    own_distances, leads = np.empty(n), np.empty(n)
    blocks = []
    for rows in row_blocks(n, 16 * C):
        D, P = _of_each_class(subject, X[rows], classes)
        every = np.arange(len(D))
        of_all[rows] = P[every, D.argmin(axis=1)]
        of_own[rows] = P[every, own[rows]]
        own_distances[rows] = D[every, own[rows]]
        leads[rows] = _leads(D, own[rows])
        if n * C <= MOST_DISTANCES:
            blocks.append((D.astype(np.float32), P))
    if not blocks:
        return Nearest(of_all, of_own, own_distances, leads, None, None)
    distances, prototypes = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return Nearest(of_all, of_own, own_distances, leads, distances, prototypes)


def _leads(D: Array, own: Codes) -> Array:
    """Return (d_K - d_J) / (d_K + d_J); J is the own class, K the nearest other one."""
    every = np.arange(len(D))
    others = D.copy()
    others[every, own] = np.inf
    d_J, d_K = D[every, own], others.min(axis=1)
    # A class without prototypes is infinitely far away.
    known = np.isfinite(d_J) & np.isfinite(d_K) & (d_J + d_K > 0.0)
    leads = np.where(d_J < d_K, 1.0, np.where(d_J > d_K, -1.0, 0.0))
    leads[known] = (d_K[known] - d_J[known]) / (d_K[known] + d_J[known])
    return leads


def _of_each_class(
    subject: Unwrapped, X: Array, classes: Classes
) -> tuple[Array, Array]:
    """Return distances (n, C) to the nearest prototype of each class, and its index."""
    model = subject.prototypes
    owner = np.searchsorted(model.classes_, model.prototype_labels_)
    present, first = np.unique(owner, return_index=True)
    groups = np.split(np.arange(len(owner)), first[1:])

    def reduce(D: Array) -> Array:
        chosen = np.column_stack([g[D[:, g].argmin(axis=1)] for g in groups])
        return np.stack([np.take_along_axis(D, chosen, axis=1), chosen], axis=1)

    nearest = model.metric_.by_blocks(X, reduce)
    D = np.full((len(X), len(classes)), np.inf)
    P = np.full(D.shape, NO_PROTOTYPE, dtype=np.uint32)
    at = classes.codes(model.classes_[present])
    D[:, at], P[:, at] = nearest[:, 0], nearest[:, 1]
    return D, P


MOST_PROTOTYPES = 1000  # with more, distances between prototypes are omitted


def scene_model(
    subject: Unwrapped,
    decided: Decisions,
    named: Labeled,
    features: ShownFeatures,
    seed: int,
    decider: Decider | None,
    layouts: Layouts,
) -> records.SceneModel:
    """Return the record of a prototype model."""
    model, X, classes = subject.prototypes, subject.X, named.classes
    k = len(model.prototypes_)
    words = (
        f"{k} prototypes represent {len(model.classes_)} classes; the nearest one "
        f"decides. {'' if decider is None else decider.words}"
    )
    predictions = classes.codes(decided.labels)
    wrong = named.is_wrong(predictions)
    own = (
        predictions
        if named.codes is None
        else np.where(wrong, named.codes, predictions)
    )
    near = nearest_prototypes(subject, own, classes)
    sureness = np.where(wrong, -decided.certainty, decided.certainty)
    record = records.SceneModel(
        name=subject.name if decider is None else decider.title,
        words=words.rstrip(),
        prototypes=_prototypes(subject, near, sureness, classes, features.columns),
        member_of=members(near.of_all, k),
        class_distances=None if near.distances is None else stored(near.distances),
        class_nearest=None if near.prototypes is None else members(near.prototypes, k),
        squared=model.metric_.is_squared,
        accuracy=None if decider is None else decider.accuracy,
    )
    if X is None or subject.is_precomputed:  # there are no features
        return record
    relevances = mean_relevances(model)
    intervals = None if decider is None else decider.relevance_intervals
    rows = explained_samples(subject, wrong, decided.certainty, predictions, seed)
    return replace(
        record,
        relevances=None if relevances is None else relevances[features.columns],
        relevance_intervals=None if intervals is None else intervals[features.columns],
        metric=scene_metric(model, subject.units) if features.are_all else None,
        unit=subject.units.unit,
        explanations=explanations(subject, rows, features.columns, classes)
        if len(rows)
        else None,
        class_levels=layouts.class_levels,
        compressed=layouts.compressed,
    )


def _prototypes(
    subject: Unwrapped, near: Nearest, sureness: Array, classes: Classes, columns: Array
) -> records.Prototypes:
    model = subject.prototypes
    k = len(model.prototypes_)
    values = np.empty((k, 0))
    if not subject.is_precomputed:
        values = subject.units.to_data(model.prototypes_)[:, columns]
    return records.Prototypes(
        values=np.ascontiguousarray(values, dtype=np.float64),
        labels=classes.codes(model.prototype_labels_),
        n_members=np.bincount(near.of_all, minlength=k).astype(np.uint32),
        **samples_behind(model, near, sureness)._asdict(),
        distances=_between(model),
    )


def _between(model: Any) -> Array:
    """Return distances between prototypes, averaged over both directions."""
    metric = model.metric_
    if len(metric.prototypes) > MOST_PROTOTYPES or metric.kind == "precomputed":
        return np.empty((0, 0))
    D = np.asarray(metric.distances(metric.prototypes), dtype=np.float64)
    return (D + D.T) / 2


# Samples that represent each prototype: nearest, most typical, hardest.


class Behind(NamedTuple):
    """Indices of samples that represent each prototype; -1 if there is none."""

    medoids: Points
    typical: Points
    hardest: Points


def samples_behind(model: Any, near: Nearest, sureness: Array) -> Behind:
    """Return the medoid, the most typical and the hardest sample of each prototype."""
    # ``sureness`` (n,) is negative if the model predicts another class. Among equally
    # certain samples, the one with the larger lead is more typical.
    members = getattr(model, "members_", None)
    if members is not None and sum(map(len, members)) == len(sureness):
        # The samples are the training samples if the medoids of the model are nearest
        # to its prototypes.
        nearest = [m[near.own_distances[m].argmin()] for m in members]
        if np.array_equal(nearest, model.medoids_):
            rows = (model.medoids_, model.typical_, model.hardest_)
            return Behind(*(np.asarray(one, dtype=np.int32) for one in rows))
    k, sure = len(model.prototypes_), (sureness, near.leads)
    scores = ((-near.own_distances,), sure, tuple(-score for score in sure))
    return Behind(*(_best(near.of_own, score, k) for score in scores))


def _best(own: Array, scores: tuple[Array, ...], n_prototypes: int) -> Points:
    """Return the sample of each prototype with the highest score."""
    rows = np.flatnonzero(own != NO_PROTOTYPE)
    # Stable, so that remaining ties go to the lowest index.
    keys = [-score[rows] for score in reversed(scores)]
    order = rows[np.lexsort((*keys, own[rows]))]
    prototypes, starts = np.unique(own[order], return_index=True)
    best = np.full(n_prototypes, -1, dtype=np.int32)
    best[prototypes] = order[starts]
    return best


# The metric of a model, in units of the data.


def scene_metric(model: Any, units: Units) -> records.Metric | None:
    """Return the metric with its factors; None if a scaler is not linear."""
    # A model with input x / s has the distance |Omega (x / s)|: columns of its factor
    # are divided by s.
    slopes = units.slopes(model.prototypes_.shape[1])
    if slopes is None:
        return None
    metric = model.metric_
    if metric.kind == "local":
        return records.Metric("local", np.stack([f / slopes for f in metric.factors]))
    if metric.kind == "euclidean":
        if not units.scalers:
            return records.Metric("euclidean", None)
        return records.Metric("diagonal", 1.0 / slopes)
    return records.Metric(
        "diagonal" if metric.kind == "diagonal" else "factor", metric.shared / slopes
    )


def mean_relevances(model: Any) -> Floats | None:
    """Return the relevance of each feature, averaged over local metrics."""
    relevances = getattr(model, "relevances_", None)
    if relevances is None:
        return None
    mean: Floats = np.atleast_2d(relevances).mean(axis=0, dtype=np.float64)
    total = float(mean.sum())
    return mean / total if total > 0 else mean
