"""Creation of a scene from a fitted model or map."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

import labelscape
from labelscape._core.checks import mask_argument
from labelscape._core.class_colors import N_COLORS, class_looks
from labelscape._core.columns import ShownColumn
from labelscape._core.params import (
    arguments,
    either,
    flag,
    instance,
    number,
    several,
    text,
    whole,
)
from labelscape._resampling.units import units_of
from labelscape.scene import scene as records
from labelscape.scene._features import (
    ShownFeatures,
    category_columns,
    check_length,
    checked_categories,
    given_columns,
    scene_features,
    scene_images,
    scene_texts,
    scene_thumbnails,
    shown_only,
    stored,
)
from labelscape.scene._guides import aligned, data_neighbors
from labelscape.scene._inputs import (
    Decisions,
    SceneRoles,
    Unwrapped,
    cast_of,
    unwrap,
)
from labelscape.scene._layouts import fitted_layouts
from labelscape.scene._maps import Maps
from labelscape.scene._model import mean_relevances, scene_model
from labelscape.scene._regions import RESOLUTION, Votes
from labelscape.scene._trust import (
    Measured,
    classifier_honesty,
    scene_audit,
    untested,
    with_measured_honesty,
)
from labelscape.scene._units import numbers
from labelscape.scene.scene import Bytes, Codes, Scene
from labelscape.scene.subject import (
    OWNER,
    Data,
    Labeled,
    Layouts,
    Predictions,
    Subject,
    Trust,
    described,
)

MOST_FEATURES = 1000
# Probabilities are shown up to this number of points times classes.
MOST_PROBABILITIES = 1_000_000
# The value of an example by Kriegel and Schubert, section 5.3.
COMPRESSION = 0.1
NO_DATA, NO_TRUST = Data(), Trust()


@arguments(
    subject=instance(Subject),
    data=instance(Data),
    trust=instance(Trust),
    words=several("texts", text()),
    regions=either(flag(), whole(2), instance(Votes)),
    max_features=whole(0),
    compression=number(above=0, high=1),
)
def build_scene(
    subject: Subject,
    data: Data = NO_DATA,
    trust: Trust = NO_TRUST,
    *,
    title: str | None = None,
    words: Sequence[str] = (),
    methods: str = "",
    comparison: records.ComparisonTable | None = None,
    regions: bool | int | Votes = True,
    max_features: int = MOST_FEATURES,
    compression: float = COMPRESSION,
    random_state: Any = None,
) -> Scene:
    """Return the scene of a fitted model or map, which a view shows.

    Parameters
    ----------
    subject : Subject
        The model or map.
    data : Data, default=Data()
        The samples, and what the view shows for each sample.
    trust : Trust, default=Trust()
        Reports about the map, and which of them to compute.
    title : str, default=None
        Title of the view. None: the name of the model, or of the first map.
    words : sequence of str, default=()
        Additional sentences about the first map.
    methods : str, default=""
        How the map was made, for the methods section of a paper.
    comparison : ComparisonTable, default=None
        A table that compares the maps.
    regions : bool, int or Votes, default=True
        Whether to color the plane by predictions. A number sets the number of cells
        along the longer side (default 200). Votes: points that vote for the regions.
    max_features : int, default=1000
        Maximum number of features to show: those that differ most between classes.
    compression : float, default=0.1
        Number of class centers per sample, by k-means inside each class, as in
        :func:`labelscape.embeddings.compress_classes`; at most 300 centers.
    random_state : int, RandomState or None, default=None
        Seed of random samples, and of maps that are computed here.

    Returns
    -------
    Scene
        The scene; ``scene/README.md`` explains its parts.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from labelscape.prototypes import LiRaMLVQ
    >>> from labelscape.scene import Data, Subject, Trust, build_scene
    >>> X, y = load_wine(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LiRaMLVQ(random_state=0)).fit(X, y)
    >>> scene = build_scene(
    ...     Subject(model), Data(X, y), Trust(quality=False), random_state=0
    ... )
    >>> scene.subtitle
    '178 points, 13 features, 3 classes'
    >>> scene.model.prototypes.values.shape, scene.maps[0].regions.agreement
    ((3, 13), 1.0)
    """
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    roles, decided, of_model, points = cast = cast_of(subject, data)
    n, reader, model = roles.n_points, roles.features_from, roles.model
    features = _features(roles, points, max_features, data)
    layouts = subject.layouts or fitted_layouts(subject, data, cast, compression, seed)
    record = None
    if model is not None and of_model is not None:
        settings = (points, features, seed, subject.decider, layouts)
        record = scene_model(model, of_model, *settings)
    predicted = _predictions(trust, points, decided)
    drawn = Maps(
        subject=subject,
        roles=roles,
        decisions=decided,
        labeled=points,
        record=record,
        measured=None if trust.quality is False else _measured(roles, points, seed),
        resolution=_resolution(regions),
        seed=seed,
        predictions=None if trust.predictions is True else predicted["predictions"],
        data_map=layouts.data_map,
    )
    trust = with_measured_honesty(trust, subject, roles.subject, data, seed)
    held_out = _held_out(data, n)
    first = drawn.main(trust, words)
    if decided is not None and not trust.honesty:
        first = _tested(roles, points, decided, first, held_out, seed)
    others = [drawn.further(*one, data.X) for one in (subject.maps or {}).items()]
    name = first.name if roles.subject.prototypes is None else roles.subject.name
    return Scene(
        title=name if title is None else str(title),
        subtitle=_counted(n, reader.features.shape[1], len(points.classes)),
        created_by=f"Labelscape {labelscape.__version__}",
        n_points=n,
        classes=points.classes.names,
        labels=points.codes,
        **predicted,
        held_out=held_out,
        ids=scene_texts("ids", data.ids, n),
        texts=scene_texts("texts", data.texts, n),
        thumbnails=scene_thumbnails(data.thumbnails, n),
        images=scene_images(data.images, n),
        features=features.features,
        n_features=reader.features.shape[1],
        maps=(first, *others),
        model=record and _aligned(record, first),
        comparison=comparison,
        audit=scene_audit(trust.audit, points.classes, n, trust.wording, reader.names),
        audit_note=trust.audit_note,
        methods=methods,
        neighbors=data_neighbors(_map_data(roles), reader, features),
        columns=_columns(reader, data, features),
        looks=_class_looks(points, decided, first),
        probabilities=_probabilities(roles, points, decided),
        changes=subject.changes,
        model_note=subject.model_note,
    )


def layouts_of(subject: Subject, data: Data, *, random_state: Any = None) -> Layouts:
    """Fit what `build_scene` fits, if it is called with the same arguments."""
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    return fitted_layouts(subject, data, cast_of(subject, data), COMPRESSION, seed)


def scene_of(model_or_map: Any, X: Any = None, y: Any = None, **options: Any) -> Scene:
    """Return the scene for keyword options, as `labelscape.explore` accepts them."""
    subject, data, trust, rest = described(model_or_map, X, y, options)
    return build_scene(subject, data, trust, **rest)


def _predictions(
    trust: Trust, points: Labeled, decided: Decisions | None
) -> dict[str, Any]:
    """Return the scene fields of predictions, by the classifier or from the user."""
    classes, given, note = points.classes, trust.predictions, ""
    codes: Any = None
    certainty: Any = None
    if isinstance(given, Predictions):
        codes, certainty = given.codes.astype(classes.dtype), stored(given.certainty)
        note = given.note
    elif decided is not None and given is not False:
        codes, certainty = classes.codes(decided.labels), stored(decided.certainty)
    return {"predictions": codes, "certainty": certainty, "predictions_note": note}


def _aligned(record: records.SceneModel, first: records.SceneMap) -> records.SceneModel:
    """Return the model with its maps of classes rotated to match the first map."""
    levels = tuple(aligned(level, first) for level in record.class_levels)
    return replace(record, class_levels=levels)


def _probabilities(
    roles: SceneRoles, points: Labeled, decided: Decisions | None
) -> Any:
    """Return class probabilities of each point, if a classifier is shown."""
    if decided is None or decided.probabilities is None or not _is_decider(roles):
        return None
    n, n_classes = len(decided.labels), len(points.classes)
    if n * n_classes > MOST_PROBABILITIES:
        return None
    P = np.zeros((n, n_classes), dtype=np.float32)
    P[:, points.indices(points.classes.codes(decided.classes))] = decided.probabilities
    return P


def _class_looks(
    points: Labeled, decided: Decisions | None, first: records.SceneMap
) -> Codes | None:
    """Return colors and shapes of many classes, different for classes that are near."""
    codes, classes = points.codes, points.classes
    if codes is None and decided is not None:
        codes = classes.codes(decided.labels)
    if codes is None or len(classes) <= N_COLORS:
        return None
    Z: Any = first.positions * np.array(first.stretch, dtype=np.float32)
    if first.depth is not None:
        Z = np.column_stack([Z, first.depth.points])
    looks: Any = class_looks(Z, points.indices(codes), len(classes))
    return looks.astype(classes.dtype)  # type: ignore[no-any-return]


def _columns(
    reader: Unwrapped, data: Data, features: ShownFeatures
) -> tuple[records.SceneColumn, ...]:
    """Return categorical columns, then columns that are only shown."""
    # Columns of a data frame that are not features are shown, too.
    X, categories = data.X, data.categories or ()
    n = len(reader.features)
    others: Sequence[ShownColumn] = given_columns(data.columns, n)
    coded = category_columns(reader.categories, reader.features, features)
    is_known = bool(reader.categories) or reader.is_precomputed
    table = None if is_known or not categories else numbers(X)
    if table is not None:
        checked_categories(categories, table.shape[1])
        coded += category_columns(categories, table, None)
    if hasattr(X, "columns") and numbers(X) is None:
        named = {*reader.names, *(one.name for one in others)}
        frame = given_columns(X, n)
        others = [*(one for one in frame if one.name not in named), *others]
    coded += _vector_columns(data, features)
    known = {one.name for one in coded}
    return (*coded, *(shown_only(one) for one in others if one.name not in known))


def _vector_columns(data: Data, shown: ShownFeatures) -> list[records.SceneColumn]:
    """Return columns of vectors, with their shown features."""
    index = {feature.name: k for k, feature in enumerate(shown.features)}
    columns = []
    for name, features in (data.vectors or {}).items():
        if own := [index[one] for one in features if one in index]:
            at = np.array(own, dtype=np.uint32)
            columns.append(records.SceneColumn(name, features=at))
    return columns


def _is_decider(roles: SceneRoles) -> bool:
    """Return whether the subject is a classifier or a ClassifierMap."""
    subject = roles.subject
    is_map = hasattr(subject.estimator, "transform") and subject.picture is None
    return subject.classifier is not None and not is_map


def _tested(
    roles: SceneRoles,
    points: Labeled,
    decided: Decisions,
    first: records.SceneMap,
    held_out: Bytes | None,
    seed: int,
) -> records.SceneMap:
    """Return the first map; if it shows a classifier, the classifier is tested."""
    if held_out is None and not _is_decider(roles):
        return first
    if points.codes is None:
        return replace(first, honesty=untested("no row has a class"))
    X, units = roles.features_from.X, np.arange(roles.n_points)
    if X is not None and X.size and np.isfinite(X).all():
        units = units_of(X).of_row
    honest = classifier_honesty(
        points.indices(points.codes),
        points.indices(points.classes.codes(decided.labels)),
        None if first.regions is None else first.regions.contradicts,
        None if held_out is None else held_out == 1,
        units,
        seed,
    )
    return replace(first, honesty=honest)


def _features(
    roles: SceneRoles, points: Labeled, max_features: int, data: Data
) -> ShownFeatures:
    reader, relevances = roles.features_from, None
    if reader.prototypes is not None and not reader.is_precomputed:
        relevances = mean_relevances(reader.prototypes)
    return scene_features(
        reader.features,
        reader.names,
        points.all_known,
        relevances,
        max_features,
        data.feature_kinds,
        data.imputed,
        [column.features for column in reader.categories],
    )


def _map_data(roles: SceneRoles) -> Unwrapped:
    """Return the subject with the input data of its map."""
    subject = roles.subject
    if subject.picture is None:
        return subject
    # The map of a ClassifierMap uses the input of the classifier, after scaling.
    return unwrap(subject.picture.classifier, subject.data, None)


def _measured(roles: SceneRoles, points: Labeled, seed: int) -> Measured | None:
    subject = _map_data(roles)
    X, is_square = subject.X, subject.is_precomputed
    if X is None or X.shape[1] == 0 or (is_square and len(X) != X.shape[1]):
        return None
    metric = "precomputed" if is_square else "euclidean"
    return Measured(X, points.all_known, metric, seed)


def _resolution(regions: bool | int | Votes) -> int | Votes | None:
    if isinstance(regions, bool | np.bool_):
        return RESOLUTION if regions else None
    return regions if isinstance(regions, Votes) else int(regions)


def _held_out(data: Data, n_points: int) -> Bytes | None:
    given = data.held_out
    if given is None:
        return None
    if hasattr(given, "__len__") and not issparse(given):
        check_length("held_out", given, n_points)
    return mask_argument(OWNER, "held_out", given, size=n_points).astype(np.uint8)


def _counted(n_points: int, n_features: int, n_classes: int) -> str:
    counts = [
        (n_points, "point", "points"),
        (n_features, "feature", "features"),
        (n_classes, "class", "classes"),
    ]
    return ", ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in counts if n)
