"""A prototype model in a scene: its prototypes, and what it says of the points."""

from dataclasses import replace
from typing import Any

import numpy as np

from labelscape.scene._behind import objects_behind
from labelscape.scene._classes import Classes
from labelscape.scene._decisions import Decisions
from labelscape.scene._explanations import chosen_objects, explanations, n_explained
from labelscape.scene._features import Shown
from labelscape.scene._labelled import Labelled
from labelscape.scene._levels import class_level, compressed
from labelscape.scene._metric import measures_squares, shown_metric, shown_relevances
from labelscape.scene._nearest import Nearest, nearest_prototypes
from labelscape.scene._numbers import Matrix
from labelscape.scene._stored import members, stored
from labelscape.scene._subject import Subject
from labelscape.scene.scene import Explanations, Prototypes, SceneModel

# Distances between prototypes are kept for this many of them.
MOST_PROTOTYPES = 1000


def scene_model(
    subject: Subject, found: Decisions, named: Labelled, features: Shown, seed: int
) -> SceneModel:
    """Return the record of a prototype model."""
    classes = named.classes
    predictions = classes.codes(found.labels)
    own = predictions
    if named.codes is not None:
        own = np.where(named.codes == classes.none, predictions, named.codes)
    wrong = own != predictions
    near = nearest_prototypes(subject, own, classes)
    k = len(subject.prototypes.prototypes_)
    sureness = np.where(wrong, -found.certainty, found.certainty)
    record = SceneModel(
        name=subject.name,
        words=_words(subject.prototypes),
        prototypes=_prototypes(subject, near, sureness, classes, features.columns),
        member_of=members(near.of_all, k),
        class_distances=None if near.distances is None else stored(near.distances),
        class_nearest=None if near.prototypes is None else members(near.prototypes, k),
        squared=measures_squares(subject.prototypes),
    )
    model, X, codes = subject.prototypes, subject.X, named.codes
    if X is None or subject.is_precomputed:  # nothing is known of features
        return record
    relevances = shown_relevances(model)
    return replace(
        record,
        relevances=None if relevances is None else relevances[features.columns],
        metric=shown_metric(model, subject.units) if features.are_all else None,
        explanations=_explained(subject, wrong, found, classes, features, seed),
        class_level=class_level(model, X, found.labels, wrong, seed),
        compressed=None if codes is None else compressed(X, codes, classes, seed),
    )


def _prototypes(
    subject: Subject,
    near: Nearest,
    sureness: Matrix,
    classes: Classes,
    columns: Matrix,
) -> Prototypes:
    model = subject.prototypes
    k = len(model.prototypes_)
    values = np.empty((k, 0))
    if not subject.is_precomputed:
        values = subject.units.shown(model.prototypes_)[:, columns]
    return Prototypes(
        values=np.ascontiguousarray(values, dtype=np.float64),
        labels=classes.codes(model.prototype_labels_),
        n_members=np.bincount(near.of_all, minlength=k).astype(np.uint32),
        **objects_behind(model, near, sureness)._asdict(),
        distances=_between(model),
    )


def _between(model: Any) -> Matrix:
    """Return distances between prototypes, the mean of both ways where they differ."""
    k = len(model.prototypes_)
    if k > MOST_PROTOTYPES or getattr(model, "metric", None) == "precomputed":
        return np.empty((0, 0))
    D = np.asarray(model._distances(model.prototypes_), dtype=np.float64)
    return (D + D.T) / 2


def _explained(
    subject: Subject,
    wrong: Matrix,
    found: Decisions,
    classes: Classes,
    features: Shown,
    seed: int,
) -> Explanations | None:
    model, X = subject.prototypes, subject.X
    assert X is not None
    whole = np.flatnonzero(np.isfinite(X).all(axis=1))
    chosen = chosen_objects(
        wrong[whole],
        found.certainty[whole],
        classes.codes(found.labels[whole]),
        n_explained(model, len(whole)),
        seed,
    )
    if len(chosen) == 0:
        return None
    return explanations(subject, whole[chosen], features.columns, classes)


def _words(model: Any) -> str:
    k, n_classes = len(model.prototypes_), len(model.classes_)
    return f"{k} prototypes stand for {n_classes} classes; the nearest one decides."
