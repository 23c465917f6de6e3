"""The maps of a scene: points, prototypes, regions and quality of each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.checks import named_as, numbers_argument
from labelscape._core.errors import InputError
from labelscape._core.estimator import what_it_keeps
from labelscape.quality import QualityReport
from labelscape.scene._classes import Labeled
from labelscape.scene._guides import (
    Placing,
    border_rows,
    feature_arrows,
    is_quick,
    made_map,
)
from labelscape.scene._inputs import Decisions, SceneRoles, Unwrapped, is_places, unwrap
from labelscape.scene._regions import (
    Frame,
    Votes,
    approximate_regions,
    far_as_pictured,
    frame_of,
    has_plane,
    pictured_regions,
    plane_regions,
    voted_regions,
)
from labelscape.scene._trust import (
    GIVEN_PLACES,
    NOT_MEASURED,
    Measured,
    judged_map,
)
from labelscape.scene._units import Matrix
from labelscape.scene.scene import (
    Arrows,
    Codes,
    Depth,
    Regions,
    SceneMap,
    SceneModel,
    Singles,
    two_columns,
)
from labelscape.scene.subject import JudgedMap, Subject, Trust

# Where the points are on a map, and a sentence about what the map preserves.

GIVEN = "Places as they were given."
SOLID = (
    " It has three dimensions: drag to turn it. Where it lies flat, it shows the first "
    "two of 3 dimensions."
)


class Places(NamedTuple):
    """A map: its name, its sentence, and where the points are (n, 2).

    ``depths`` (n) is the third coordinate of a map that has three, and ``is_all`` says
    whether the map has no more dimensions than these.
    """

    name: str
    words: str
    positions: Singles
    is_all: bool = True
    depths: Singles | None = None

    @property
    def columns(self) -> Singles:
        """All coordinates that are shown (n, 2 or 3)."""
        if self.depths is None:
            return self.positions
        return np.column_stack([self.positions, self.depths])


def given_places(name: str, Z: Any, n_points: int) -> Places:
    """Return places that were given as an array."""
    return _flat(name, GIVEN, Z, n_points)


def fitted_places(name: str, subject: Unwrapped, known: Any = None) -> Places | None:
    """Return where a fitted map puts the points; None if it does not place any.

    ``known`` are the places if they are known already.
    """
    estimator, n = subject.estimator, len(subject.shown)
    Z = getattr(estimator, "embedding_", None) if known is None else known
    if known is None and (Z is None or len(Z) != n):
        if not hasattr(estimator, "transform"):
            if Z is None:
                return None
            raise InputError(
                f"{subject.name} was fitted to {len(Z)} objects, X has "
                f"{n}, and it cannot place new ones. Pass the X it was fitted to, or "
                "wrap it in a KernelMap.",
                owner="build_scene",
            )
        Z = estimator.transform(subject.data)
    return _flat(name, _kept_by(estimator), Z, n)


def _kept_by(estimator: Any) -> str:
    """Return what a map keeps; of a picture, what the map under it does."""
    under = getattr(estimator, "projection", None)
    estimator = getattr(estimator, "cross_fitted_", None) or estimator
    if under is None:
        return what_it_keeps(type(estimator))
    if hasattr(under, "__array__") or isinstance(under, list | tuple):
        return GIVEN
    return what_it_keeps(type(under[-1] if hasattr(under, "steps") else under))


def _flat(name: str, words: str, Z: Any, n_points: int) -> Places:
    try:
        Z = numbers_argument("build_scene", name, Z)
    except InputError:
        raise InputError(
            f"the map {name!r} holds no numbers.", owner="build_scene"
        ) from None
    if Z.ndim != 2 or Z.shape[1] == 0:
        raise InputError(
            f"the map {name!r} must have one row of coordinates per "
            f"point, got an array of shape {Z.shape}.",
            owner="build_scene",
        )
    if len(Z) != n_points:
        raise InputError(
            f"the map {name!r} has {len(Z)} points, but there are "
            f"{n_points} objects. All maps of a scene show the same objects.",
            owner="build_scene",
        )
    flat = _finite(name, two_columns(Z))
    if Z.shape[1] == 3:
        depths = _finite(name, two_columns(Z[:, 2:]))[:, 0].copy()
        return Places(name, words + SOLID, flat, depths=depths)
    if Z.shape[1] == 1:
        words += " It has one dimension; the height of a point means nothing."
    if Z.shape[1] > 2:
        words += f" Shown are the first two of {Z.shape[1]} dimensions."
    return Places(name, words, flat, Z.shape[1] <= 2)


def _finite(name: str, flat: Singles) -> Singles:
    lost = np.flatnonzero(~np.isfinite(flat).all(axis=1))
    if len(lost):
        points = "1 point" if len(lost) == 1 else f"{len(lost)} points"
        raise InputError(
            f"the map {name!r} has no place for {points}, the first in "
            f"row {lost[0]}: coordinates are NaN or too large. Fit it again, or leave "
            "such points out.",
            owner="build_scene",
        )
    return flat


def _like(places: Places, Z: Matrix) -> Singles:
    """Return other places in as many columns as those of the points have."""
    if places.depths is None:
        return two_columns(Z)
    return Z.astype(np.float32)


class Ground(NamedTuple):
    """A map before anything is drawn on it, and who made it."""

    places: Places
    prototypes: Singles | None = None
    maker: Unwrapped | None = None
    # Places objects as the model sees them, where it is no estimator that does.
    place: Placing | None = None


@dataclass(frozen=True, eq=False)
class Maps:
    """Draws the maps of a scene."""

    # The estimators by their roles.
    roles: SceneRoles
    # What the classifier says.
    found: Decisions | None
    # Classes and labels.
    labeled: Labeled
    # The prototype model.
    record: SceneModel | None
    # What maps are compared with; None to leave that out.
    measured: Measured | None
    # Cells of regions along the longer side of the points; None for no regions. Or
    # points that vote.
    resolution: int | Votes | None
    # Seed of everything random.
    seed: int
    # What is shown.
    subject: Subject
    # (n,) Predictions in place of those of the classifier.
    predictions: Codes | None = None

    def main(self, subject: Subject, trust: Trust, words: Sequence[str]) -> SceneMap:
        """Return the first map, with the reports that are known of it."""
        ground = self._main_ground(subject.model_or_map)
        if subject.name is not None:
            ground = ground._replace(places=ground.places._replace(name=subject.name))
        drawn = self._drawn(ground, trust)
        return replace(drawn, words=" ".join([drawn.words, *filter(None, words)]))

    def further(self, name: str, thing: Any, X: Any) -> SceneMap:
        """Return another map of the same points."""
        trust = Trust()
        if isinstance(thing, JudgedMap):
            thing, trust = thing
        if is_places(thing):
            ground = Ground(given_places(name, thing, self.roles.n_points))
        else:
            maker = unwrap(thing, X, None)
            places = fitted_places(name, maker)
            if places is None:
                raise TypeError(
                    f"build_scene: the map {name!r} is a {maker.name}, which places no "
                    "points. Give a fitted map, or an array of places."
                )
            ground = Ground(places, maker=maker)
        return self._drawn(ground, trust)

    def _main_ground(self, thing: Any) -> Ground:
        subject, n = self.roles.subject, self.roles.n_points
        if subject.estimator is None:
            return Ground(given_places("Map", thing, n))
        places = fitted_places(subject.name, subject, self.subject.embedding)
        if places is not None:
            return Ground(places, maker=subject)
        if subject.prototypes is not None:
            made = data_map(subject, self.seed)
            return Ground(made.places, made.prototypes, place=made.place)
        if subject.classifier is not None:
            maker = subject.pictured(self.seed)
            places = fitted_places(maker.name, maker)
            assert places is not None  # a ClassifierMap places what it was fitted to
            return Ground(places._replace(name=subject.name), maker=maker)
        raise TypeError(
            f"build_scene: {subject.name} is neither a map nor a classifier. Give a "
            "fitted map, a fitted classifier, or an array of places."
        )

    def _drawn(self, ground: Ground, trust: Trust) -> SceneMap:
        places = ground.places
        Z, measured = places.positions, self.measured
        W = self._prototypes(ground)
        shown, distortion = None, None
        if measured is not None:
            known = trust.quality if isinstance(trust.quality, QualityReport) else None
            shown, distortion = measured.trust(
                places.columns, known, is_all=places.is_all
            )
        drawn = SceneMap(
            name=places.name,
            words=places.words,
            positions=Z,
            prototypes=None if W is None else W[:, :2],
            distortion=distortion,
            quality=shown,
        )
        drawn = self._solid(drawn, ground, W) or self._plane(drawn, ground)
        why = GIVEN_PLACES if ground.maker is None else NOT_MEASURED
        return judged_map(drawn, trust, why, self.labeled.classes)

    @staticmethod
    def _solid(drawn: SceneMap, ground: Ground, W: Singles | None) -> SceneMap | None:
        """Return a map with its third dimension; None where it has none."""
        depths = ground.places.depths
        if depths is None:
            return None
        own = None if W is None else W[:, 2].copy()
        return replace(drawn, depth=Depth(depths, own))

    def _plane(self, drawn: SceneMap, ground: Ground) -> SceneMap:
        """Return a map with what belongs to a plane: regions, arrows, its stretch."""
        frame = frame_of(drawn.positions, drawn.prototypes)
        return replace(
            drawn,
            words=f"{drawn.words} {frame.words}".rstrip(),
            regions=self._regions(ground, frame),
            stretch=frame.stretch,
            arrows=self._arrows(ground, frame),
            borders=self._borders(ground),
        )

    def _arrows(self, ground: Ground, frame: Frame) -> Arrows | None:
        """Return the arrows of features; none on a line, where all would be one."""
        maker, reader = ground.maker, self.roles.features_from
        if maker is None or frame.is_line:
            return None
        # Of the data as they were given, the reader knows the names.
        is_given = maker.units.from_start and reader.units.from_start
        same = is_given and len(maker.names) == len(reader.names)
        names = reader.names if same else maker.names
        return feature_arrows(maker, names, ground.places.positions, frame.stretch)

    def _prototypes(self, ground: Ground) -> Singles | None:
        """Return where the prototypes are: placed by the map, or at their medoids."""
        model, record = self.roles.model, self.record
        if ground.prototypes is not None or model is None or record is None:
            return ground.prototypes
        Z = self._placed(ground, model.prototypes.prototypes_)
        if Z is not None:
            return Z
        return ground.places.columns[self._objects_instead(model, record)]

    def _borders(self, ground: Ground) -> Singles | None:
        """Return where explained objects would be another class; None if unknown."""
        model, record, maker = self.roles.model, self.record, ground.maker
        if model is None or record is None or (maker and not is_quick(maker.estimator)):
            return None
        rows = border_rows(model, record)
        if rows is None:
            return None
        known = np.isfinite(rows).all(axis=1)
        Z = self._placed(ground, rows[known]) if known.any() else None
        if Z is None:
            return None
        borders = np.full((len(rows), 2), np.nan, dtype=np.float32)
        borders[known] = Z
        return borders

    def _placed(self, ground: Ground, rows: Matrix) -> Singles | None:
        """Return the places of rows as the model sees them; None if it is not known."""
        maker, model = ground.maker, self.roles.model
        if ground.place is not None:
            return _like(ground.places, ground.place(rows))
        if maker is None or model is None or not hasattr(maker.estimator, "transform"):
            return None
        seen = maker.seen(model, rows)
        if seen is None:
            return None
        Z = maker.estimator.transform(named_as(maker.estimator, seen))
        return _like(ground.places, np.asarray(Z))

    @staticmethod
    def _objects_instead(model: Unwrapped, record: SceneModel) -> Matrix:
        """Return the medoid of each prototype; the nearest object if it has none."""
        objects = record.prototypes.medoids.copy()
        alone = np.flatnonzero(objects < 0)
        if len(alone):
            metric = model.prototypes.metric_
            D = metric.by_blocks(model.X, lambda D: D[:, alone])
            objects[alone] = D.argmin(axis=0)
        return objects

    def _regions(self, ground: Ground, frame: Frame) -> Regions | None:
        """Return where what is decided, and by what."""
        Z, classes = ground.places.positions, self.labeled.classes
        if isinstance(self.resolution, Votes):
            return voted_regions(self.resolution, Z, frame, classes, self.predictions)
        regions, decider = self._decided(ground, frame), self.subject.decider
        if regions is None:
            return None
        if ground.maker is not None and ground.maker.picture is not None:
            regions = far_as_pictured(regions, ground.maker.picture)
        if decider is None:
            return regions
        if self.predictions is not None and self.found is not None:
            wrong = classes.codes(self.found.labels) != self.predictions
            regions = replace(
                regions,
                contradicts=wrong.astype(np.uint8),
                agreement=1.0 - float(wrong.mean()),
            )
        return replace(regions, by=decider.title, accuracy=decider.accuracy)

    def _decided(self, ground: Ground, frame: Frame) -> Regions | None:
        """Return the regions of the classifier."""
        decider, found, maker = self.roles.classifier, self.found, ground.maker
        if not isinstance(self.resolution, int) or decider is None or found is None:
            return None
        labels, classes = found.labels, self.labeled.classes
        Z, size = ground.places.positions, self.resolution
        own = maker is not None and maker.estimator is decider.estimator
        if own and has_plane(decider.estimator):
            return plane_regions(decider.estimator, Z, frame, labels, classes, size)
        if maker is not None and maker.pictures(decider):
            return pictured_regions(maker.picture, Z, frame, labels, classes, size)
        X = decider.X
        if X is None or decider.is_precomputed or not np.isfinite(X).all():
            return None
        classifier = decider.classifier
        return approximate_regions(
            classifier, X, Z, frame, labels, classes, size, self.seed
        )


# A map of the data for models that have none. No label has a say in it.


class DataMap(NamedTuple):
    """Objects and prototypes on one map; prototypes without features have no place."""

    places: Places
    prototypes: Singles | None
    place: Placing | None


def data_map(subject: Unwrapped, seed: int) -> DataMap:
    """Return a map of the data that a prototype model was given."""
    X = subject.X
    assert X is not None  # a prototype model was fitted to numbers
    prototypes = None if subject.is_precomputed else subject.prototypes.prototypes_
    made = made_map(X, prototypes, seed)
    places = given_places(made.name, two_columns(made.objects), len(X))
    others = None if made.others is None else two_columns(made.others)
    return DataMap(places._replace(words=made.words), others, made.place)
