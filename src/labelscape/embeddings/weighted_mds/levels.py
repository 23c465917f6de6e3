"""Maps of one decision, and of all classes (Kriegel and Schubert)."""

from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from labelscape._core.checks import (
    check_dissimilarities,
    check_finite,
    check_spread,
    matrix_argument,
    numbers_argument,
)
from labelscape._core.errors import InputError, ParameterError
from labelscape._core.labels import labels_argument
from labelscape._core.numerics import minimize_lbfgs
from labelscape._core.params import arguments, number, one_of, whole
from labelscape._core.threads import one_blas_thread, one_openmp_thread
from labelscape._core.types import Array
from labelscape.embeddings._base import classical_mds
from labelscape.embeddings.weighted_mds._pairs import FLOOR
from labelscape.embeddings.weighted_mds.estimator import WeightedMDS
from labelscape.embeddings.weighted_mds.weights import LIGHT, prototype_weights

N_STARTS = 8


class ObjectLayout(NamedTuple):
    """One sample, at the origin, and the prototypes around it."""

    prototypes: np.ndarray
    angles: np.ndarray
    stress: float


class ClassLayout(NamedTuple):
    """The prototypes of a model and some samples on one map."""

    prototypes: np.ndarray
    samples: np.ndarray
    stress: float
    agreement: float | None


@arguments(power=number(above=0))
def object_layout(distances, prototype_distances, *, power=2) -> ObjectLayout:
    """Draw one sample and the nearest prototype of each class at exact distances.

    The sample is the origin. Each prototype is drawn at its exact distance from the
    sample, so the nearest prototype on the map is the nearest for the classifier. The
    directions show the distances between prototypes approximately.

    Parameters
    ----------
    distances : array-like of shape (n_classes,)
        Distance from the sample to the nearest prototype of each class.
    prototype_distances : array-like of shape (n_classes, n_classes)
        Distances between these prototypes.
    power : float, default=2
        Distances are raised to this power.

    Returns
    -------
    layout : ObjectLayout
        ``prototypes``, positions of shape (n_classes, 2), with the nearest prototype to
        the right and the next one above the axis; ``angles`` in radians; and
        ``stress``, the error of the distances between prototypes (0 if exact).

    Examples
    --------
    >>> from labelscape.embeddings import object_layout
    >>> layout = object_layout([3, 4], [[0, 5], [5, 0]], power=1)
    >>> layout.prototypes.round(3) + 0
    array([[3., 0.],
           [0., 4.]])
    """
    radii = numbers_argument("object_layout", "distances", distances)
    D = check_dissimilarities(prototype_distances, owner="object_layout")
    if radii.shape != (len(D),) or not np.isfinite(radii).all() or (radii < 0).any():
        raise InputError(
            "distances must have one finite number of at least 0 for each of the "
            f"{len(D)} prototypes, got shape {radii.shape}.",
            owner="object_layout",
            parameter="distances",
        )
    check_finite(radii[None, :], owner="object_layout", name="distances")
    unit = max(D.max(initial=0.0), radii.max(initial=0.0)) or 1.0
    with np.errstate(over="ignore"):
        scale = np.power(unit, float(power))
    if not np.isfinite(scale):
        raise ParameterError(
            "object_layout",
            "power",
            power,
            f"small enough that {unit:g} to this power is finite",
        )
    radii, T = (radii / unit) ** power, (D / unit) ** power

    stress, angles = 0.0, np.zeros(len(D))
    if len(D) > 1:
        drawn = np.random.default_rng(0).uniform(-np.pi, np.pi, (N_STARTS, len(D)))
        minima = [
            minimize_lbfgs(
                lambda a: angle_stress(a, radii, T), start, max_iter=300, tol=1e-12
            )
            for start in (_straight_angles(radii, T), *drawn)
        ]
        best = min(minima, key=lambda minimum: minimum.value)
        stress, angles = best.value, _turned(best.x, radii)
    places = radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    return ObjectLayout(places * scale, angles, stress)


def angle_stress(angles, radii, T):
    """Return the stress between prototypes at these angles, and its gradient (C,)."""
    # sum_{k<l} (d_kl - T_kl)^2 / T_kl over sum_{k<l} T_kl; k is at r_k exp(i a_k).
    z = radii * np.exp(1j * angles)
    gaps = z[:, None] - z[None, :]
    d = np.abs(gaps)
    V = 1.0 / np.maximum(T, FLOOR * T.mean()) if T.any() else np.ones(T.shape)
    V = V / (T.sum() or 1.0)  # every pair occurs twice in both sums
    np.fill_diagonal(V, 0.0)
    error = d - T
    pull = np.divide(error, d, out=np.zeros(d.shape), where=d > 0)
    # z_k rotates in the direction i z_k.
    slopes = 4.0 * np.sum(V * pull * (np.conj(1j * z)[:, None] * gaps).real, axis=1)
    return float(np.sum(V * error**2)), slopes


@arguments(
    weights=one_of("prototype", "uniform", "object"),
    same_class=number(0.0),
    power=number(above=0),
    n_init=whole(1),
)
def class_layout(
    prototypes,
    prototype_labels,
    samples=None,
    sample_labels=None,
    *,
    weights="prototype",
    same_class=LIGHT,
    power=2,
    metric="euclidean",
    n_init=4,
    random_state=None,
) -> ClassLayout:
    """Draw the prototypes of a model, and some samples among them.

    The map preserves the distances that matter for the classifier: between samples
    and prototypes, and between prototypes of different classes.

    Parameters
    ----------
    prototypes : array-like of shape (n_prototypes, n_features)
        The prototypes, in the space in which the classifier measures distances; for a
        model with a matrix, their projections.
    prototype_labels : array-like of shape (n_prototypes,)
        Classes of the prototypes.
    samples : array-like of shape (n_samples, n_features), default=None
        Samples to show among the prototypes.
    sample_labels : array-like of shape (n_samples,), default=None
        The classes that the classifier predicts for these samples.
    weights : {"prototype", "uniform", "object"}, default="prototype"
        Distances to preserve. "prototype": between samples and prototypes, and between
        prototypes of different classes. "object": only between samples and prototypes.
        "uniform": all distances equally.
    same_class : float, default=1e-4
        Weight of pairs of prototypes of one class, if ``weights`` is "prototype"; 1
        also shows the arrangement of the prototypes of a class.
    power : float, default=2
        Distances are raised to this power.
    metric : {"euclidean"}, callable or object, default="euclidean"
        As in :class:`WeightedMDS`.
    n_init : int, default=4
        As in :class:`WeightedMDS`.
    random_state : int, RandomState or None, default=None
        Seed of the random starts.

    Returns
    -------
    layout : ClassLayout
        ``prototypes`` and ``samples``, their positions; the ``stress`` of the map; and
        ``agreement``, the share of samples whose nearest prototype on the map has the
        predicted class (None without samples).

    Examples
    --------
    >>> from labelscape.embeddings import class_layout
    >>> prototypes, samples = [[0, 0, 0], [4, 0, 0], [0, 4, 1]], [[1, 0, 0], [0, 3, 1]]
    >>> layout = class_layout(
    ...     prototypes, ["a", "b", "c"], samples, ["a", "c"], random_state=0
    ... )
    >>> layout.agreement
    1.0
    """
    owner = "class_layout"
    if (samples is None) != (sample_labels is None):
        raise InputError(
            "give both samples and sample_labels, or neither to draw only the "
            "prototypes.",
            owner=owner,
        )
    W = matrix_argument(owner, "prototypes", prototypes)
    labels = labels_argument(owner, "prototype_labels", prototype_labels, size=len(W))
    X = W
    if samples is not None:
        others = matrix_argument(owner, "samples", samples, n_columns=W.shape[1])
        given = labels_argument(owner, "sample_labels", sample_labels, size=len(others))
        X, labels = np.vstack([W, others]), np.concatenate([labels, given])
    is_prototype = np.arange(len(X)) < len(W)
    if weights == "prototype" and same_class != LIGHT:
        weights = prototype_weights(labels, is_prototype, same_class=same_class)
    mds = WeightedMDS(
        weights=weights,
        power=power,
        metric=metric,
        n_init=n_init,
        random_state=random_state,
    ).fit(X, labels, is_prototype=is_prototype)
    return ClassLayout(
        mds.embedding_[is_prototype],
        mds.embedding_[~is_prototype],
        mds.stress_,
        mds.agreement_,
    )


def _straight_angles(radii, T):
    """Return the angles of the prototypes around the sample by classical MDS."""
    n = len(T) + 1
    squares = np.zeros((n, n))
    squares[1:, 1:] = T**2
    squares[0, 1:] = squares[1:, 0] = radii**2
    Z = classical_mds(lambda rows: squares[rows], n, 2)
    return np.arctan2(*(Z[1:] - Z[0]).T[::-1])


def _turned(angles, radii):
    """Return the angles, rotated so that the nearest prototype is at 0."""
    order = np.argsort(radii, kind="stable")
    order = order[radii[order] > 0.0]  # a prototype at the sample has no direction
    if len(order) == 0:
        return np.zeros(len(angles))
    angles = angles - angles[order[0]]
    angles = np.arctan2(np.sin(angles), np.cos(angles))
    height = (radii * np.sin(angles))[order]
    beside = height[np.abs(height) > 1e-9 * radii.max()]
    return -angles if len(beside) and beside[0] < 0 else angles


# A large data set reduced to fewer points, for the view of the feature space.


class CompressedClasses(NamedTuple):
    """Centers of groups in each class, and the number of samples of each center."""

    centers: Array
    labels: Array
    sizes: Array


@arguments(fraction=number(above=0, high=1))
def compress_classes(X, y, fraction=0.1, *, random_state=None) -> CompressedClasses:
    """Replace each class with the centers of its groups.

    k-means runs in every class with the same fraction of centers, so small classes
    remain visible and each group has samples of one class only.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        Class labels of the samples.
    fraction : float, default=0.1
        Number of centers per sample: ``max(1, round(fraction * n_c))`` centers in a
        class of n_c samples, but at most one per distinct sample.
    random_state : int, RandomState or None, default=None
        Seed of k-means.

    Returns
    -------
    compressed : CompressedClasses
        ``centers`` of shape (n_centers, n_features), their ``labels``, and ``sizes``,
        the number of samples of each center.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import compress_classes
    >>> X, y = load_iris(return_X_y=True)
    >>> compressed = compress_classes(X, y, random_state=0)
    >>> compressed.centers.shape, int(compressed.sizes.sum())
    ((15, 4), 150)
    """
    X = matrix_argument("compress_classes", "X", X)
    check_spread(X, owner="compress_classes")
    y = labels_argument("compress_classes", "y", y, size=len(X))
    random_state = check_random_state(random_state)
    centers, labels, sizes = [], [], []
    for label in np.unique(y):
        Xc = X[y == label]
        k = min(max(1, round(fraction * len(Xc))), len(np.unique(Xc, axis=0)))
        # With several threads, the order of sums in k-means would vary.
        with one_blas_thread(), one_openmp_thread():
            group = KMeans(k, n_init=4, random_state=random_state).fit_predict(Xc)
        groups, counts = np.unique(group, return_counts=True)
        centers += [Xc[group == g].mean(axis=0) for g in groups]
        sizes.append(counts)
        labels.append(np.full(len(groups), label))
    return CompressedClasses(
        np.array(centers), np.concatenate(labels), np.concatenate(sizes)
    )
