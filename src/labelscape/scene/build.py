"""A scene from a fitted model or map: what to look at, gathered in one place."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

import labelscape
from labelscape._core.checks import mask_argument
from labelscape._core.class_colors import N_COLORS, class_looks
from labelscape._core.columns import ShownColumn
from labelscape._core.params import arguments, either, flag, instance, number, whole
from labelscape._resampling.units import units_of
from labelscape.scene._classes import Classes, Labeled, labeled
from labelscape.scene._features import (
    Shown,
    category_columns,
    check_categories,
    check_length,
    given_columns,
    looked_at,
    shown_features,
    shown_images,
    shown_texts,
    shown_thumbnails,
    stored,
)
from labelscape.scene._guides import data_neighbors, turned
from labelscape.scene._inputs import (
    Decisions,
    SceneRoles,
    Unwrapped,
    decisions,
    roles_of,
    unwrap,
)
from labelscape.scene._maps import Maps
from labelscape.scene._model import scene_model, shown_relevances
from labelscape.scene._regions import RESOLUTION, Votes
from labelscape.scene._trust import (
    Measured,
    measured_honesty,
    shown_audit,
    shown_classifier,
    untested,
)
from labelscape.scene._units import numbers
from labelscape.scene.scene import (
    Audit,
    Bytes,
    Codes,
    ComparisonTable,
    Scaled,
    Scene,
    SceneColumn,
    SceneMap,
    SceneModel,
    Singles,
)
from labelscape.scene.subject import OWNER, Data, Predictions, Subject, Trust, described

MOST_FEATURES = 1000
# Probabilities of all points and classes are shown if there are no more than these.
MOST_PROBABILITIES = 1_000_000
# As in the paper's example (003, section 5.3).
COMPRESSION = 0.1
NO_DATA, NO_TRUST = Data(), Trust()


@arguments(
    subject=instance(Subject),
    data=instance(Data),
    trust=instance(Trust),
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
    comparison: ComparisonTable | None = None,
    regions: bool | int | Votes = True,
    max_features: int = MOST_FEATURES,
    compression: float = COMPRESSION,
    random_state: Any = None,
) -> Scene:
    """Return what a view shows of a fitted model or map.

    Parameters
    ----------
    subject : Subject
        The model or map, and what belongs to it.
    data : Data, default=Data()
        The samples, and what is shown of each.
    trust : Trust, default=Trust()
        What is known of how far to trust it, and what is to be measured.
    title : str, default=None
        What is above the view. None: the name of the model, or of the first map.
    words : sequence of str, default=()
        More sentences about the first map.
    methods : str, default=""
        How it was made, in words for a paper.
    comparison : ComparisonTable, default=None
        The maps side by side in numbers.
    regions : bool, int or Votes, default=True
        Whether to color the plane by decisions; a number is the cells along the longer
        side of the points (200). Or by points that vote.
    max_features : int, default=1000
        How many features are shown at most. Of more, those that say most about the
        classes; many points leave room for fewer.
    compression : float, default=0.1
        Centers for each sample where few points stand for many: k-means inside each
        class, as in :func:`labelscape.embeddings.compress_classes`; 300 at most.
    random_state : int, RandomState or None, default=None
        Draws samples, and is the seed of maps made here.

    Returns
    -------
    Scene
        See ``scene/README.md`` for what each part is.

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
    parts = roles_of(subject, data)
    n, reader, model = parts.n_points, parts.features_from, parts.model
    found = None if parts.classifier is None else decisions(parts.classifier)
    is_other = model is not None and model is not parts.classifier
    of_model = decisions(model) if model is not None and is_other else found
    named = labeled(data.y, n, _classes_of(found) + _classes_of(of_model))
    features = _features(parts, named, max_features, data)
    record = None
    if model is not None and of_model is not None:
        settings = (seed, compression, subject.decider)
        record = scene_model(model, of_model, named, features, *settings)
    out = _mask(data.held_out, n)
    predicted = _predictions(trust, named, found)
    drawn = Maps(
        roles=parts,
        found=found,
        labeled=named,
        record=record,
        measured=None if trust.quality is False else _measured(parts, named, seed),
        resolution=_resolution(regions),
        seed=seed,
        subject=subject,
        predictions=None if trust.predictions is True else predicted.codes,
    )
    trust = _measured_trust(trust, subject, data, parts, seed)
    first = drawn.main(subject, trust, words)
    if found is not None and not trust.honesty:
        first = _judged(parts, named, found, first, out, seed)
    others = [drawn.further(*one, data.X) for one in (subject.maps or {}).items()]
    return Scene(
        title=_title(parts, first.name) if title is None else str(title),
        subtitle=_counted(n, reader.shown.shape[1], len(named.classes)),
        created_by=f"Labelscape {labelscape.__version__}",
        n_points=n,
        classes=named.classes.names,
        labels=named.codes,
        predictions=predicted.codes,
        certainty=predicted.certainty,
        held_out=out,
        ids=shown_texts("ids", data.ids, n),
        texts=shown_texts("texts", data.texts, n),
        thumbnails=shown_thumbnails(data.thumbnails, n),
        images=shown_images(data.images, n),
        features=features.features,
        n_features=reader.shown.shape[1],
        maps=(first, *others),
        model=_turned(record, first),
        comparison=comparison,
        audit=_audited(trust, named.classes, n, reader.names),
        audit_note=trust.audit_note,
        methods=methods,
        neighbors=data_neighbors(_seen(parts), reader, features),
        columns=_columns(reader, data, features),
        looks=_looks(named, found, first),
        probabilities=_probabilities(parts, named, found),
        changes=subject.changes,
        model_note=subject.model_note,
        predictions_note=predicted.note,
    )


def scene_of(model_or_map: Any, X: Any = None, y: Any = None, **options: Any) -> Scene:
    """Return the scene of options by name, as `labelscape.explore` takes them."""
    subject, data, trust, rest = described(model_or_map, X, y, options)
    return build_scene(subject, data, trust, **rest)


def _measured_trust(
    trust: Trust, subject: Subject, data: Data, parts: SceneRoles, seed: int
) -> Trust:
    """Return the trust with honesty, measured if that is wanted."""
    if trust.honesty is not True:
        return trust
    honest = measured_honesty(subject.model_or_map, parts.subject, data, seed)
    return replace(trust, honesty=honest)


class _Predicted(NamedTuple):
    """Predictions as a scene holds them."""

    codes: Codes | None = None
    certainty: Singles | Scaled | None = None
    note: str = ""


def _predictions(trust: Trust, named: Labeled, found: Decisions | None) -> _Predicted:
    """Return the predictions of the classifier, or those that are known."""
    classes, given = named.classes, trust.predictions
    if isinstance(given, Predictions):
        codes: Any = given.codes.astype(classes.dtype)
        return _Predicted(codes, stored(given.certainty), given.note)
    if found is None or given is False:
        return _Predicted()
    return _Predicted(classes.codes(found.labels), stored(found.certainty))


def _audited(
    trust: Trust, classes: Classes, n_points: int, names: Sequence[str]
) -> Audit | None:
    if trust.audit is None:
        return None
    return shown_audit(trust.audit, classes, n_points, trust.wording, names)


def _probabilities(parts: SceneRoles, named: Labeled, found: Decisions | None) -> Any:
    """Return how likely each class is for each point, where a classifier is shown."""
    if found is None or found.probabilities is None or not _is_decider(parts):
        return None
    n, n_classes = len(found.labels), len(named.classes)
    if n * n_classes > MOST_PROBABILITIES:
        return None
    P = np.zeros((n, n_classes), dtype=np.float32)
    P[:, named.indices(named.classes.codes(found.classes))] = found.probabilities
    return P


def _looks(named: Labeled, found: Decisions | None, first: SceneMap) -> Codes | None:
    """Return colours and shapes of many classes, by who is near on the first map."""
    codes, classes = named.codes, named.classes
    if codes is None and found is not None:
        codes = classes.codes(found.labels)
    if codes is None or len(classes) <= N_COLORS:
        return None
    Z: Any = first.positions * np.array(first.stretch, dtype=np.float32)
    if first.depth is not None:
        Z = np.column_stack([Z, first.depth.points])
    looks: Any = class_looks(Z, named.indices(codes), len(classes))
    return looks.astype(classes.dtype)  # type: ignore[no-any-return]


def _turned(record: SceneModel | None, first: SceneMap) -> SceneModel | None:
    """Return the record with its class levels turned as the first map lies."""
    if record is None:
        return None
    levels = tuple(turned(level, first) for level in record.class_levels)
    return replace(record, class_levels=levels)


def _columns(reader: Unwrapped, data: Data, features: Shown) -> tuple[SceneColumn, ...]:
    """Return columns of categories, then those that are only shown.

    What a pipeline makes of a data frame may tell nothing of its columns: then they
    are shown, too.
    """
    X, categories = data.X, data.categories or ()
    shown: Sequence[ShownColumn] = given_columns(data.columns, len(reader.shown))
    assumed = {
        int(j): feature.imputed
        for j, feature in zip(features.columns, features.features, strict=True)
        if feature.imputed is not None
    }
    found = category_columns(reader.categories, reader.shown, features, assumed)
    is_known = bool(reader.categories) or reader.is_precomputed
    table = None if is_known or not categories else numbers(X)
    if table is not None:
        check_categories(categories, table.shape[1])
        found += category_columns(categories, table, None, {})
    if hasattr(X, "columns") and numbers(X) is None:
        named = {*reader.names, *(one.name for one in shown)}
        frame = given_columns(X, len(reader.shown))
        shown = [*(one for one in frame if one.name not in named), *shown]
    known = {one.name for one in found}
    return (*found, *(looked_at(one) for one in shown if one.name not in known))


def _title(parts: SceneRoles, first_map: str) -> str:
    """Return what the scene is of: the model, even if the map is one of the data."""
    is_model = parts.subject.prototypes is not None
    return parts.subject.name if is_model else first_map


def _is_decider(parts: SceneRoles) -> bool:
    """Return whether the main thing is a classifier, or the picture of one."""
    subject = parts.subject
    is_map = hasattr(subject.estimator, "transform") and subject.picture is None
    return subject.classifier is not None and not is_map


def _judged(
    parts: SceneRoles,
    named: Labeled,
    found: Decisions,
    first: SceneMap,
    held_out: Bytes | None,
    seed: int,
) -> SceneMap:
    """Return the first map, judged as the picture of the classifier, if it is one."""
    if held_out is None and not _is_decider(parts):
        return first
    if named.codes is None:
        return replace(first, honesty=untested("no sample has a class"))
    X, units = parts.features_from.X, np.arange(parts.n_points)
    if X is not None and X.size and np.isfinite(X).all():
        units = units_of(X).of_row
    judged = shown_classifier(
        named.indices(named.codes),
        named.indices(named.classes.codes(found.labels)),
        None if first.regions is None else first.regions.contradicts,
        None if held_out is None else held_out == 1,
        units,
        seed,
    )
    return replace(first, honesty=judged)


def _classes_of(found: Decisions | None) -> list[Any]:
    return [] if found is None else found.classes


def _features(
    parts: SceneRoles, named: Labeled, max_features: int, data: Data
) -> Shown:
    kinds, imputed = data.feature_kinds, data.imputed
    reader, relevances = parts.features_from, None
    if reader.mixed is not None:
        kinds = reader.mixed.kinds if kinds is None else kinds
        imputed = reader.mixed.imputed if imputed is None else imputed
    if reader.prototypes is not None and not reader.is_precomputed:
        relevances = shown_relevances(reader.prototypes)
    return shown_features(
        reader.shown,
        reader.names,
        named.all_known,
        relevances,
        max_features,
        kinds,
        imputed,
        [column.features for column in reader.categories],
    )


def _seen(parts: SceneRoles) -> Unwrapped:
    """Return the subject with the data as its map sees them."""
    subject = parts.subject
    if subject.picture is None:
        return subject
    # Its map is one of what the classifier sees, after the scaling in a pipeline.
    return unwrap(subject.picture.classifier, subject.data, None)


def _measured(parts: SceneRoles, named: Labeled, seed: int) -> Measured | None:
    subject = _seen(parts)
    X = subject.X
    metric = "precomputed" if subject.is_precomputed else "euclidean"
    if X is None or X.shape[1] == 0 or (metric != "euclidean" and len(X) != X.shape[1]):
        return None
    return Measured(X, named.all_known, metric, seed)


def _resolution(regions: bool | int | Votes) -> int | Votes | None:
    if isinstance(regions, bool | np.bool_):
        return RESOLUTION if regions else None
    return regions if isinstance(regions, Votes) else int(regions)


def _mask(held_out: Any, n_points: int) -> Bytes | None:
    if held_out is None:
        return None
    if hasattr(held_out, "__len__") and not issparse(held_out):
        check_length("held_out", held_out, n_points)
    mask = mask_argument(OWNER, "held_out", held_out, size=n_points)
    return mask.astype(np.uint8)


def _counted(n_points: int, n_features: int, n_classes: int) -> str:
    counts = [
        (n_points, "point", "points"),
        (n_features, "feature", "features"),
        (n_classes, "class", "classes"),
    ]
    return ", ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in counts if n)
