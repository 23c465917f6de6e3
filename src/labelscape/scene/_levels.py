"""The other levels of a model's picture: its classes, and the data in fewer points."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape.prototypes._internal import PrototypeMetric
from labelscape.scene._classes import Classes
from labelscape.scene._features import members
from labelscape.scene._units import Matrix
from labelscape.scene.scene import ClassLevel, Codes, Compressed, SceneMap

# Objects among the prototypes of the class level, and prototypes that it can show.
MOST_OBJECTS, MOST_PROTOTYPES = 200, 500
# Centres of the compressed data, and objects that are compressed.
MOST_CENTERS, MOST_COMPRESSED = 300, 20_000
# Numbers that k-means may look at in one step: a few seconds in all.
MOST_WORK = 200_000_000


def class_level(
    model: Any, X: Matrix, predictions: Matrix, wrong: Matrix, seed: int
) -> ClassLevel | None:
    """Return all prototypes and some objects as the model sees them.

    Errors are shown before other objects: they are what one looks for here.
    """
    from labelscape.embeddings import class_layout

    if len(model.prototypes_) > MOST_PROTOTYPES:
        return None
    metric = model.metric_
    known = np.flatnonzero(np.isfinite(X).all(axis=1))
    objects = known[_errors_and_others(predictions[known], wrong[known], seed)]
    layout = class_layout(
        _images(metric, metric.prototypes),
        model.prototype_labels_,
        _images(metric, X[objects]) if len(objects) else None,
        predictions[objects] if len(objects) else None,
        random_state=seed,
    )
    return ClassLevel(
        objects=objects.astype(np.uint32),
        object_positions=layout.objects.astype(np.float32),
        prototype_positions=layout.prototypes.astype(np.float32),
        agreement=None if layout.agreement is None else float(layout.agreement),
    )


def turned(level: ClassLevel, drawn: SceneMap) -> ClassLevel:
    """Return the class level turned, or seen from behind, to lie as the map does.

    Both have objects in common, and prototypes if these are on the map. Distances in
    the picture stay as they are.
    """
    pairs = [(level.object_positions, drawn.positions[level.objects])]
    if drawn.prototypes is not None:
        pairs.append((level.prototype_positions, drawn.prototypes))
    own, wanted = (
        np.vstack(side).astype(np.float64) for side in zip(*pairs, strict=True)
    )
    known = np.isfinite(wanted).all(axis=1)
    if not known.any():
        return level
    own, wanted = own[known], wanted[known] * drawn.stretch
    cross = (own - own.mean(axis=0)).T @ (wanted - wanted.mean(axis=0))
    U, _, Vt = np.linalg.svd(cross)
    return replace(
        level,
        object_positions=(level.object_positions @ (U @ Vt)).astype(np.float32),
        prototype_positions=(level.prototype_positions @ (U @ Vt)).astype(np.float32),
    )


def compressed(
    X: Matrix, codes: Codes, classes: Classes, fraction: float, seed: int
) -> Compressed | None:
    """Return class-wise centres of the data on a map of their own.

    ``fraction`` is how many centres there are for each object, if these are not too
    many.
    """
    from labelscape.embeddings import WeightedMDS, compress_classes

    most = min(MOST_CENTERS, MOST_WORK // max(X.size, 1))
    if len(X) > MOST_COMPRESSED or len(classes) > most or not np.isfinite(X).all():
        return None
    fraction = min(fraction, most / len(X))
    groups = compress_classes(X, codes, fraction, random_state=seed)
    mds = WeightedMDS(power=2, random_state=seed)
    places = np.asarray(mds.fit_transform(groups.centers))
    return Compressed(
        positions=places.astype(np.float32),
        labels=groups.labels.astype(classes.dtype),
        counts=groups.sizes.astype(np.uint32),
        member_of=members(
            _nearest_of_class(X, codes, groups.centers, groups.labels),
            len(groups.centers),
        ),
    )


def _errors_and_others(codes: Matrix, wrong: Matrix, seed: int) -> Matrix:
    _, codes = np.unique(codes, return_inverse=True)
    if len(codes) <= MOST_OBJECTS:
        return np.arange(len(codes))
    errors, others = np.flatnonzero(wrong), np.flatnonzero(~wrong)
    errors = errors[spread_sample(codes[errors], MOST_OBJECTS // 2, seed)]
    left = MOST_OBJECTS - len(errors)
    others = others[spread_sample(codes[others], left, seed)]
    return np.sort(np.concatenate([errors, others]))


def _images(metric: PrototypeMetric, X: Matrix) -> Matrix:
    """Return objects in a space in which the model's distances are Euclidean.

    Where each class has a metric of its own there is no such space. Their mean is
    the metric then, and agreement tells how much that costs.
    """
    if metric.has_common_space:
        return metric.images(X)
    factors = np.vstack(metric.factors) / np.sqrt(len(metric.prototypes))
    means: Matrix = np.asarray(X, dtype=np.float64) @ factors.T
    return means


def _nearest_of_class(
    X: Matrix, codes: Matrix, centers: Matrix, owner: Matrix
) -> Matrix:
    """Return the nearest centre of its own class for each object."""
    from labelscape._core.points.distances import squared_distances

    member_of = np.empty(len(X), dtype=np.uint32)
    middle = centers.mean(axis=0)
    for c in np.unique(owner):
        own = np.flatnonzero(owner == c)
        rows = codes == c
        D = squared_distances(X[rows] - middle, centers[own] - middle)
        member_of[rows] = own[D.argmin(axis=1)]
    return member_of


# Some of many objects, with every class among them.


def spread_sample(codes: NDArray[Any], n_chosen: int, seed: int) -> NDArray[np.intp]:
    """Return indices of some objects, ascending, with classes in their proportions.

    Of every class there is one at least, as far as ``n_chosen`` goes.
    """
    from labelscape._core.sampling import spread_over

    _, small = np.unique(codes, return_inverse=True)
    n_chosen = min(n_chosen, len(codes))
    if n_chosen == 0:
        return np.empty(0, dtype=np.intp)
    chosen: NDArray[np.intp] = spread_over(small, n_chosen, np.random.RandomState(seed))
    return chosen
