"""Maps that are fitted for a scene: of classes, of class centers, and of the data."""

from typing import Any

import numpy as np

from labelscape._core.errors import shown
from labelscape._core.types import Array, Ints
from labelscape.scene import scene as records
from labelscape.scene._features import members
from labelscape.scene._inputs import Cast
from labelscape.scene.scene import Codes, Weighting, scene_error
from labelscape.scene.subject import Classes, Data, DataMap, Layouts, Subject

# Map of classes: default and maximum number of samples, maximum number of prototypes.
MOST_SHOWN, MOST_CHOSEN, MOST_PROTOTYPES = 200, 1000, 500
# Weights of distances for the map of classes; all but the first have a single start.
WEIGHTINGS: dict[Weighting, dict[str, Any]] = {
    "prototype": {},
    "same_class": {"same_class": 1.0, "n_init": 1},
    "object": {"weights": "object", "n_init": 1},
    "uniform": {"weights": "uniform", "n_init": 1},
}
# Maximum number of centers of the compressed data, and of samples to compress.
MOST_CENTERS, MOST_COMPRESSED = 300, 20_000
# Limit for centers times values of X, so that k-means takes a few seconds.
MOST_CLUSTERED = 200_000_000


def fitted_layouts(
    subject: Subject, data: Data, cast: Cast, compression: float, seed: int
) -> Layouts:
    """Fit the maps that a scene needs, besides those that were given."""
    roles, _, of_model, points = cast
    main, model = roles.subject, roles.model
    layouts, estimator = Layouts(), main.estimator
    is_map = hasattr(estimator, "embedding_") or hasattr(estimator, "transform")
    if main.prototypes is not None and not is_map and subject.embedding is None:
        assert main.X is not None  # a prototype model was fitted to numbers
        W = None if main.is_precomputed else main.prototypes.prototypes_
        layouts = layouts._replace(data_map=data_map(main.X, W, seed))
    if model is None or of_model is None or model.X is None or model.is_precomputed:
        return layouts
    X, labels, codes = model.X, of_model.labels, points.codes
    wrong = points.is_wrong(points.classes.codes(labels))
    centers = None
    if codes is not None:
        centers = compressed(X, codes, points.classes, compression, seed)
    return layouts._replace(
        class_levels=class_levels(
            model.prototypes, X, labels, wrong, data.class_points, seed
        ),
        compressed=centers,
    )


def class_levels(
    model: Any,
    X: Array,
    predictions: Array,
    wrong: Array,
    chosen: Any,
    seed: int,
) -> tuple[records.ClassLevel, ...]:
    """Return one map per weighting, of all prototypes and chosen or random samples."""
    from labelscape.embeddings import class_layout

    if len(model.prototypes_) > MOST_PROTOTYPES:
        return ()
    metric = model.metric_
    known = np.flatnonzero(np.isfinite(X).all(axis=1))
    if chosen is None:
        rows = known[_errors_and_others(predictions[known], wrong[known], seed)]
    else:
        rows = np.intersect1d(known, _chosen(chosen, len(X)))
    given = (
        _images(metric, metric.prototypes),
        model.prototype_labels_,
        _images(metric, X[rows]) if len(rows) else None,
        predictions[rows] if len(rows) else None,
    )
    levels = []
    for weighting, options in WEIGHTINGS.items():
        layout = class_layout(*given, **options, random_state=seed)
        levels.append(
            records.ClassLevel(
                weighting=weighting,
                objects=rows.astype(np.uint32),
                object_positions=layout.samples.astype(np.float32),
                prototype_positions=layout.prototypes.astype(np.float32),
                agreement=None if layout.agreement is None else float(layout.agreement),
            )
        )
    return tuple(levels)


def compressed(
    X: Array, codes: Codes, classes: Classes, fraction: float, seed: int
) -> records.Compressed | None:
    """Return a map of class centers; ``fraction`` is the ratio of centers to rows."""
    from labelscape.embeddings import WeightedMDS, compress_classes

    most = min(MOST_CENTERS, MOST_CLUSTERED // max(X.size, 1))
    if len(X) > MOST_COMPRESSED or len(classes) > most or not np.isfinite(X).all():
        return None
    fraction = min(fraction, most / len(X))
    groups = compress_classes(X, codes, fraction, random_state=seed)
    labels: Any = groups.labels.astype(classes.dtype)
    mds = WeightedMDS(power=2, random_state=seed)
    positions = np.asarray(mds.fit_transform(groups.centers))
    return records.Compressed(
        positions=positions.astype(np.float32),
        labels=labels,
        counts=groups.sizes.astype(np.uint32),
        member_of=members(
            _nearest_of_class(X, codes, groups.centers, groups.labels),
            len(groups.centers),
        ),
    )


def _errors_and_others(codes: Array, wrong: Array, seed: int) -> Array:
    _, codes = np.unique(codes, return_inverse=True)
    if len(codes) <= MOST_SHOWN:
        return np.arange(len(codes))
    errors, others = np.flatnonzero(wrong), np.flatnonzero(~wrong)
    errors = errors[spread_sample(codes[errors], MOST_SHOWN // 2, seed)]
    left = MOST_SHOWN - len(errors)
    others = others[spread_sample(codes[others], left, seed)]
    return np.sort(np.concatenate([errors, others]))


def _chosen(given: Any, n: int) -> Array:
    """Return the samples selected by a mask or by indices."""
    try:
        rows: Array = np.arange(n)[np.asarray(given)]
        is_right = rows.ndim == 1 and len(rows) <= MOST_CHOSEN
    except (IndexError, TypeError, ValueError):
        is_right = False
    if not is_right:
        raise scene_error(
            f"class_points must be a mask of {n} samples or indices from 0 to {n - 1}, "
            f"of at most {MOST_CHOSEN:,} samples, got {shown(given)}.",
            "class_points",
        )
    return rows


def _images(metric: Any, X: Array) -> Array:
    """Return samples in a space in which the model's distances are Euclidean."""
    # If each class has its own metric, the mean metric is used.
    if metric.has_common_space:
        return np.asarray(metric.images(X))
    factors = np.vstack(metric.factors) / np.sqrt(len(metric.prototypes))
    return np.asarray(np.asarray(X, dtype=np.float64) @ factors.T)


def _nearest_of_class(X: Array, codes: Array, centers: Array, owner: Array) -> Array:
    """Return, for each sample, the nearest center of its class."""
    from labelscape._core.points.distances import squared_distances

    member_of = np.empty(len(X), dtype=np.uint32)
    middle = centers.mean(axis=0)
    for c in np.unique(owner):
        own = np.flatnonzero(owner == c)
        rows = codes == c
        D = squared_distances(X[rows] - middle, centers[own] - middle)
        member_of[rows] = own[D.argmin(axis=1)]
    return member_of


def spread_sample(codes: Array, n_chosen: int, seed: int) -> Ints:
    """Return sorted indices of a stratified sample that contains every class."""
    from labelscape._resampling.sampling import spread_over

    _, small = np.unique(codes, return_inverse=True)
    n_chosen = min(n_chosen, len(codes))
    if n_chosen == 0:
        return np.empty(0, dtype=np.intp)
    return spread_over(small, n_chosen, np.random.RandomState(seed))


# A map of the data for models that are not maps. Labels are not used.

# With more samples than this, some are mapped and the others are placed on the map.
MOST_MAPPED = 2000
# Maximum and minimum number of mapped samples; maximum number of distances.
MOST_LANDMARKS, FEWEST_LANDMARKS = 1000, 200
MOST_DISTANCES = 10_000_000
# With more samples than this, the map shows principal components (time linear in n).
MOST_PLACED = 100_000
# With at most this many features, principal components are computed from covariances.
FEW_FEATURES = 500
DISTANCES = "Preserves all distances as far as possible; labels are not used."
VARIANCE = "Shows the directions in which the data vary most; labels are not used."


def data_map(X: Array, prototypes: Array | None, seed: int) -> DataMap:
    """Return a map of X (n, d) and prototypes (k, d), or of dissimilarities X."""
    from labelscape.embeddings import WeightedMDS

    if prototypes is None:
        if X.shape[0] != X.shape[1]:
            raise scene_error(
                "with metric='precomputed', X must be the square matrix of the "
                f"dissimilarities of all samples, got shape {X.shape}. Pass this "
                "matrix, or pass positions and the model as prototypes=…"
            )
        mds = WeightedMDS(n_init=1, metric="precomputed", random_state=seed)
        return DataMap(
            "Distances", DISTANCES, np.asarray(mds.fit_transform(X)), None, None
        )
    missing = np.isnan(X)
    if missing.any():
        X = np.where(missing, np.nanmean(X, axis=0), X)
    rows, n = np.vstack([X, prototypes]), len(X)
    if n > MOST_PLACED:
        return _principal_components(rows, n, seed)
    landmarks = np.arange(n)
    if n > MOST_MAPPED:
        size = int(np.clip(MOST_DISTANCES // n, FEWEST_LANDMARKS, MOST_LANDMARKS))
        drawn = np.random.RandomState(seed).choice(n, size, replace=False)
        landmarks = np.sort(drawn)
    return _by_distances(rows, n, landmarks, seed)


def _by_distances(rows: Array, n: int, mapped: Array, seed: int) -> DataMap:
    """Return a map fitted to some samples and all prototypes; other rows are placed."""
    from labelscape._core.points.distances import exact_squared_distances
    from labelscape.embeddings import WeightedMDS
    from labelscape.embeddings._internal import placed_among

    landmarks = rows[np.concatenate([mapped, np.arange(n, len(rows))])]
    mds = WeightedMDS(n_init=1, random_state=seed)
    Z = np.asarray(mds.fit_transform(landmarks))

    def place(new: Array) -> Array:
        def distances(block: Any) -> Array:
            return np.sqrt(exact_squared_distances(new[block], landmarks))

        return np.asarray(placed_among(distances, len(new), Z))

    samples, words = Z[: len(mapped)], DISTANCES
    if len(mapped) < n:
        words += (
            f" {len(mapped):,} of {n:,} rows were mapped. The other rows were placed "
            "by their distances to the mapped rows."
        )
        samples = np.empty((n, Z.shape[1]))
        rest = np.setdiff1d(np.arange(n), mapped)
        samples[mapped], samples[rest] = Z[: len(mapped)], place(rows[rest])
    return DataMap("Distances", words, samples, Z[len(mapped) :], place)


def _principal_components(rows: Array, n: int, seed: int) -> DataMap:
    """Return all rows projected on the principal components of the first n rows."""
    from sklearn.decomposition import PCA

    d = rows.shape[1]
    solver = "covariance_eigh" if d <= FEW_FEATURES else "randomized"
    pca = PCA(min(2, d), svd_solver=solver, random_state=seed).fit(rows[:n])
    pca.set_output(transform="default")  # regardless of the user's global settings
    Z: Array = pca.transform(rows)
    return DataMap("Principal components", VARIANCE, Z[:n], Z[n:], pca.transform)
