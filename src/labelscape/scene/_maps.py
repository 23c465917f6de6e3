"""The maps of a scene: points, prototypes, regions and quality of each."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.column_names import named_as
from labelscape.quality import HonestyReport, QualityReport
from labelscape.scene._cast import Cast, is_places
from labelscape.scene._decisions import Decisions
from labelscape.scene._default_map import data_map
from labelscape.scene._frame import Frame, frame_of
from labelscape.scene._honesty import shown_honesty
from labelscape.scene._labelled import Labelled
from labelscape.scene._numbers import Matrix
from labelscape.scene._places import (
    Places,
    fitted_places,
    given_places,
    two_columns,
)
from labelscape.scene._quality import Measured
from labelscape.scene._regions import (
    approximate_regions,
    has_plane,
    pictured_regions,
    plane_regions,
)
from labelscape.scene._subject import Subject, opened
from labelscape.scene.scene import Regions, SceneMap, SceneModel, Singles


class Ground(NamedTuple):
    """A map before anything is drawn on it, and who made it."""

    places: Places
    prototypes: Singles | None = None
    maker: Subject | None = None


@dataclass(frozen=True, eq=False)
class Maps:
    """Draws maps of one cast.

    Attributes
    ----------
    cast : Cast
        Who plays which part.
    found : Decisions or None
        What the decider says.
    labelled : Labelled
        Classes and labels.
    record : SceneModel or None
        The prototype model.
    measured : Measured or None
        What maps are compared with; None to leave that out.
    resolution : int or None
        Cells of regions along the longer side of the points; None for no regions.
    seed : int
        Of all that is drawn by lot.
    """

    cast: Cast
    found: Decisions | None
    labelled: Labelled
    record: SceneModel | None
    measured: Measured | None
    resolution: int | None
    seed: int

    def main(
        self, thing: Any, quality: QualityReport | None, honesty: HonestyReport | None
    ) -> SceneMap:
        """Return the first map, with the reports that are known of it."""
        return self._drawn(self._main_ground(thing), quality, honesty)

    def further(self, name: str, thing: Any, X: Any) -> SceneMap:
        """Return another map of the same points."""
        if is_places(thing):
            ground = Ground(given_places(name, thing, self.cast.n_points))
        else:
            maker = opened(thing, X, None)
            places = fitted_places(name, maker)
            if places is None:
                raise TypeError(
                    f"build_scene: the map {name!r} is a {maker.name}, which places no "
                    "points. Give a fitted map, or an array of places."
                )
            ground = Ground(places, maker=maker)
        return self._drawn(ground, None, None)

    def _main_ground(self, thing: Any) -> Ground:
        subject, n = self.cast.subject, self.cast.n_points
        if subject.estimator is None:
            return Ground(given_places("Map", thing, n))
        places = fitted_places(subject.name, subject)
        if places is not None:
            return Ground(places, maker=subject)
        if subject.prototypes is not None:
            return Ground(*data_map(subject, self.seed))
        if subject.classifier is not None:
            maker = subject.pictured(self.seed)
            places = fitted_places(maker.name, maker)
            assert places is not None  # a ClassifierMap places what it was fitted to
            return Ground(places._replace(name=subject.name), maker=maker)
        raise TypeError(
            f"build_scene: {subject.name} is neither a map nor a classifier. Give a "
            "fitted map, a fitted classifier, or an array of places."
        )

    def _drawn(
        self,
        ground: Ground,
        quality: QualityReport | None,
        honesty: HonestyReport | None,
    ) -> SceneMap:
        places = ground.places
        Z, measured = places.positions, self.measured
        prototypes = self._prototypes(ground)
        frame = frame_of(Z, prototypes)
        return SceneMap(
            name=places.name,
            words=f"{places.words} {frame.words}".rstrip(),
            positions=Z,
            prototypes=prototypes,
            distortion=None if measured is None else measured.distortion(Z),
            regions=self._regions(ground, frame),
            quality=None if measured is None else measured.quality(Z, quality),
            honesty=None if honesty is None else shown_honesty(honesty),
            stretch=frame.stretch,
        )

    def _prototypes(self, ground: Ground) -> Singles | None:
        """Return where the prototypes stand: placed by the map, or at their medoids."""
        model, record = self.cast.model, self.record
        if ground.prototypes is not None or model is None or record is None:
            return ground.prototypes
        maker = ground.maker
        if maker is not None and hasattr(maker.estimator, "transform"):
            W = maker.seen(model)
            if W is not None:
                Z = maker.estimator.transform(named_as(maker.estimator, W))
                return two_columns(np.asarray(Z))
        return ground.places.positions[self._objects_instead(model, record)]

    @staticmethod
    def _objects_instead(model: Subject, record: SceneModel) -> Matrix:
        """Return the medoid of each prototype; the nearest object if it has none."""
        objects = record.prototypes.medoids.copy()
        alone = np.flatnonzero(objects < 0)
        if len(alone):
            D = model.prototypes._by_blocks(model.data, lambda D: D[:, alone])
            objects[alone] = D.argmin(axis=0)
        return objects

    def _regions(self, ground: Ground, frame: Frame) -> Regions | None:
        decider, found, maker = self.cast.decider, self.found, ground.maker
        if self.resolution is None or decider is None or found is None:
            return None
        Z, classes = ground.places.positions, self.labelled.classes
        own = maker is not None and maker.estimator is decider.estimator
        if own and has_plane(decider.estimator):
            return plane_regions(
                decider.estimator, Z, frame, found.labels, classes, self.resolution
            )
        if maker is not None and maker.pictures(decider):
            return pictured_regions(maker.picture, frame, classes, self.resolution)
        X = decider.X
        if X is None or decider.is_precomputed or not np.isfinite(X).all():
            return None
        return approximate_regions(
            decider.classifier, X, Z, frame, classes, self.resolution, self.seed
        )
