"""A scene from a fitted model or map: what to look at, gathered in one place."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

import labelscape
from labelscape._core.arguments import (
    anything,
    arguments,
    having,
    instance,
    iterable,
    mask_argument,
    optional,
    several,
)
from labelscape._core.columns.categories import Categories
from labelscape._core.columns.shown import ShownColumn
from labelscape._core.looks import N_COLORS, class_looks
from labelscape._core.rules import either, flag, mapping, number, one_of, whole
from labelscape.auditing import AuditReport
from labelscape.quality import HonestyReport, QualityReport
from labelscape.quality._internal import units_of
from labelscape.scene._classes import Labeled, labeled
from labelscape.scene._features import Shown, shown_features, stored
from labelscape.scene._inputs import (
    Cast,
    Decisions,
    Subject,
    cast,
    decisions,
    opened,
)
from labelscape.scene._levels import turned
from labelscape.scene._maps import Maps
from labelscape.scene._media import (
    check_length,
    shown_images,
    shown_texts,
    shown_thumbnails,
)
from labelscape.scene._model import scene_model, shown_relevances
from labelscape.scene._regions import RESOLUTION
from labelscape.scene._trust import (
    Measured,
    measured_honesty,
    shown_classifier,
    untested,
)
from labelscape.scene._units import Scale, numbers
from labelscape.scene.audit.shown import shown_audit
from labelscape.scene.columns.given import given_columns
from labelscape.scene.columns.shown import (
    category_columns,
    check_categories,
    looked_at,
)
from labelscape.scene.guides.neighbors import data_neighbors
from labelscape.scene.scene import (
    Bytes,
    Codes,
    Honesty,
    Scene,
    SceneColumn,
    SceneMap,
    SceneModel,
)

OWNER = "build_scene"
MOST_FEATURES = 1000
# Probabilities of all points and classes are shown if there are no more than these.
MOST_PROBABILITIES = 1_000_000
# As in the paper's example (003, section 5.3).
COMPRESSION = 0.1


@arguments(
    feature_names=optional(several("names", anything())),
    feature_kinds=optional(several("kinds", anything())),
    imputed=optional(mapping()),
    categories=optional(several("Categories", instance(Categories))),
    ids=optional(iterable()),
    texts=optional(iterable()),
    images=optional(
        either(several("paths", anything()), having("ndim", "a list of paths"))
    ),
    maps=optional(mapping()),
    regions=either(flag(), whole(2)),
    quality=either(flag(), instance(QualityReport)),
    honesty=either(flag(), one_of(None), instance(HonestyReport)),
    audit=optional(instance(AuditReport)),
    scale=optional(instance(Scale)),
    max_features=whole(0),
    compression=number(above=0, high=1),
)
def build_scene(
    model_or_map: Any,
    X: Any = None,
    y: Any = None,
    *,
    feature_names: Sequence[str] | None = None,
    feature_kinds: Sequence[str | None] | None = None,
    imputed: Mapping[str, Any] | None = None,
    categories: Sequence[Categories] | None = None,
    columns: Any = None,
    ids: Sequence[Any] | None = None,
    texts: Sequence[Any] | None = None,
    images: Sequence[str | os.PathLike[str] | None] | None = None,
    thumbnails: Any = None,
    title: str | None = None,
    maps: Mapping[str, Any] | None = None,
    embedding: Any = None,
    prototypes: Any = None,
    classifier: Any = None,
    regions: bool | int = True,
    quality: bool | QualityReport = True,
    honesty: bool | HonestyReport | None = None,
    audit: AuditReport | None = None,
    groups: Any = None,
    held_out: Any = None,
    scale: Scale | None = None,
    max_features: int = MOST_FEATURES,
    compression: float = COMPRESSION,
    random_state: Any = None,
) -> Scene:
    """Return what a view shows of a fitted model or map.

    Parameters
    ----------
    model_or_map : estimator, Pipeline or array-like of shape (n_samples, 2 or 3)
        A prototype classifier, a map of Labelscape, scikit-learn, openTSNE or UMAP, a
        ClassifierMap, any fitted classifier, a pipeline that ends in one of them, or
        the places of the points. A map of three dimensions can be turned.
    X : array-like of shape (n_samples, n_features), default=None
        The objects, as they were given to the model or pipeline. May be left out if
        places are given.
    y : array-like of shape (n_samples,), default=None
        Their classes; None or NaN for an object without one.
    feature_names : sequence of str, default=None
        Names of the features. None: those the data or the model know.
    feature_kinds : sequence of {"date", "truth", None}, default=None
        What the numbers of each feature stand for: days since 1970, no (0) and yes (1),
        or just numbers (None). The view shows them so.
    imputed : dict of str to array-like of int, default=None
        For features by name, the rows whose value was missing and is assumed, as in
        ``Table.imputed``. The view shows these values as missing.
    categories : sequence of Categories, default=None
        Columns of categories that features of X stand for, as in ``Table.categories``.
        The view shows, searches and colours by the column. Those of a data frame that
        goes into a pipeline are found out.
    columns : data frame, dict of str to array-like or list, default=None
        Columns that are shown with the objects and are no features: numbers, dates,
        truth values, categories or texts, one value per object. A list holds records
        as in ``Table.shown``.
    ids, texts : sequence, default=None
        What each object is called, and the text that it stands for.
    images : sequence of path, default=None
        A PNG, JPEG, GIF or WebP file of each object; None for none.
    thumbnails : array-like of shape (n_samples, height, width[, 3]), default=None
        A small picture of each object.
    title : str, default=None
        What stands above the view. None: the name of the model, or of the first map.
    maps : dict of str to array or fitted map, default=None
        More maps of the same objects, to switch to.
    embedding : array-like of shape (n_samples, 2 or 3), default=None
        Where the map puts the objects, if that is known: it is not asked then, which
        saves time where there are many.
    prototypes : prototype classifier or Pipeline, default=None
        The model to show where the main thing is a map.
    classifier : estimator or Pipeline, default=None
        Whose decisions and regions to show. None: those of the model.
    regions : bool or int, default=True
        Whether to colour the plane by decisions; a number is the cells along the longer
        side of the points (200).
    quality : bool or QualityReport, default=True
        Whether to measure what the maps preserve; or the report of the first map.
    honesty : bool, HonestyReport or None, default=None
        How much of the separation on the first map is real. True measures it, with 8
        new fits; otherwise the view says that it was not tested.
    audit : AuditReport, default=None
        What `labelscape.audit` found of the same rows: labels that seem to be wrong,
        classes that are mixed up, and what is odd about the table.
    groups : array-like of shape (n_samples,), default=None
        What each object belongs to (a patient, a plate): objects of one group are kept
        together when honesty is measured.
    held_out : array-like of bool of shape (n_samples,), default=None
        Which objects the map or classifier was not fitted to. They tell how good a
        classifier is, and are marked in the view.
    scale : Scale, default=None
        What the scalers of a pipeline do, that of ``prototypes`` included, if you know.
        None finds out.
    max_features : int, default=1000
        How many features are shown at most. Of more, those that say most about the
        classes; many points leave room for fewer.
    compression : float, default=0.1
        Centres for each object where few points stand for many: k-means inside each
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
    >>> from labelscape.scene import build_scene
    >>> X, y = load_wine(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LiRaMLVQ(random_state=0)).fit(X, y)
    >>> scene = build_scene(model, X, y, quality=False, random_state=0)
    >>> scene.subtitle
    '178 points, 13 features, 3 classes'
    >>> scene.model.prototypes.values.shape, scene.maps[0].regions.agreement
    ((3, 13), 1.0)
    """
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    known = categories or ()
    parts = cast(model_or_map, X, feature_names, prototypes, classifier, scale, known)
    n, reader, model = parts.n_points, parts.reader, parts.model
    found = None if parts.decider is None else decisions(parts.decider)
    of_model = found
    if model is not None and model is not parts.decider:
        of_model = decisions(model)
    named = labeled(y, n, _classes_of(found) + _classes_of(of_model))
    features = _features(parts, named, max_features, feature_kinds, imputed)
    record = None
    if model is not None and of_model is not None:
        record = scene_model(model, of_model, named, features, seed, compression)
    drawn = Maps(
        cast=parts,
        found=found,
        labeled=named,
        record=record,
        measured=None if quality is False else _measured(parts, named, seed),
        resolution=_resolution(regions),
        seed=seed,
        embedding=embedding,
    )
    if honesty is True:
        honesty = measured_honesty(model_or_map, parts.subject, X, y, groups, seed)
    out = _mask(held_out, n)
    first = drawn.main(
        model_or_map,
        quality if isinstance(quality, QualityReport) else None,
        honesty or None,
    )
    if found is not None and not honesty and (out is not None or _is_decider(parts)):
        first = replace(first, honesty=_judged(parts, named, found, first, out, seed))
    others = [drawn.further(name, thing, X) for name, thing in (maps or {}).items()]
    return Scene(
        title=_title(parts, first.name) if title is None else str(title),
        subtitle=_counted(n, reader.shown.shape[1], len(named.classes)),
        created_by=f"Labelscape {labelscape.__version__}",
        n_points=n,
        classes=named.classes.names,
        labels=named.codes,
        predictions=None if found is None else named.classes.codes(found.labels),
        certainty=None if found is None else stored(found.certainty),
        held_out=out,
        ids=shown_texts("ids", ids, n),
        texts=shown_texts("texts", texts, n),
        thumbnails=shown_thumbnails(thumbnails, n),
        images=shown_images(images, n),
        features=features.features,
        n_features=reader.shown.shape[1],
        maps=(first, *others),
        model=_turned(record, first),
        audit=None
        if audit is None
        else shown_audit(audit, named.classes, n, feature_names=reader.names),
        neighbors=data_neighbors(_seen(parts), reader, features),
        columns=_columns(reader, X, features, known, given_columns(columns, n)),
        looks=_looks(named, found, first),
        probabilities=_probabilities(parts, named, found),
    )


def _probabilities(parts: Cast, named: Labeled, found: Decisions | None) -> Any:
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
    """Return the record with its class level turned as the first map lies."""
    if record is None or record.class_level is None:
        return record
    return replace(record, class_level=turned(record.class_level, first))


def _columns(
    reader: Subject,
    X: Any,
    features: Shown,
    categories: Sequence[Categories],
    shown: Sequence[ShownColumn],
) -> tuple[SceneColumn, ...]:
    """Return columns of categories, then those that are only shown.

    What a pipeline makes of a data frame may tell nothing of its columns: then they
    are shown, too.
    """
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


def _title(parts: Cast, first_map: str) -> str:
    """Return what the scene is of: the model, even if the map is one of the data."""
    is_model = parts.subject.prototypes is not None
    return parts.subject.name if is_model else first_map


def _is_decider(parts: Cast) -> bool:
    """Return whether the main thing is a classifier, or the picture of one."""
    subject = parts.subject
    is_map = hasattr(subject.estimator, "transform") and subject.picture is None
    return subject.classifier is not None and not is_map


def _judged(
    parts: Cast,
    named: Labeled,
    found: Decisions,
    first: SceneMap,
    held_out: Bytes | None,
    seed: int,
) -> Honesty:
    """Return how far to believe the classifier and the first map as its picture."""
    if named.codes is None:
        return untested("no object has a class")
    X, units = parts.reader.X, np.arange(parts.n_points)
    if X is not None and X.size and np.isfinite(X).all():
        units = units_of(X).of_row
    return shown_classifier(
        named.indices(named.codes),
        named.indices(named.classes.codes(found.labels)),
        None if first.regions is None else first.regions.contradicts,
        None if held_out is None else held_out == 1,
        units,
        seed,
    )


def _classes_of(found: Decisions | None) -> list[Any]:
    return [] if found is None else found.classes


def _features(
    parts: Cast,
    named: Labeled,
    max_features: int,
    kinds: Sequence[str | None] | None,
    imputed: Mapping[str, Any] | None,
) -> Shown:
    reader, relevances = parts.reader, None
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


def _seen(parts: Cast) -> Subject:
    """Return the subject with the data as its map sees them."""
    subject = parts.subject
    if subject.picture is None:
        return subject
    # Its map is one of what the classifier sees, after the scaling in a pipeline.
    return opened(subject.picture.classifier, subject.data, None)


def _measured(parts: Cast, named: Labeled, seed: int) -> Measured | None:
    subject = _seen(parts)
    X = subject.X
    metric = "precomputed" if subject.is_precomputed else "euclidean"
    if X is None or X.shape[1] == 0 or (metric != "euclidean" and len(X) != X.shape[1]):
        return None
    return Measured(X, named.all_known, metric, seed)


def _resolution(regions: bool | int) -> int | None:
    if isinstance(regions, bool | np.bool_):
        return RESOLUTION if regions else None
    return int(regions)


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
