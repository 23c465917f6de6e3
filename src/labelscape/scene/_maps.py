"""The maps of a scene: points, prototypes, regions and quality of each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.checks import named_as, numbers_argument
from labelscape._core.errors import InputError
from labelscape._core.estimator import what_it_keeps
from labelscape._core.types import Array
from labelscape.boundary._internal import share_far
from labelscape.quality import QualityReport
from labelscape.scene import scene as records
from labelscape.scene._guides import border_rows, feature_arrows
from labelscape.scene._inputs import (
    Decisions,
    SceneRoles,
    Unwrapped,
    is_positions,
    unwrap,
)
from labelscape.scene._regions import (
    COARSEST,
    RESOLUTION,
    Frame,
    Painter,
    Votes,
    frame_of,
    has_plane,
)
from labelscape.scene._trust import (
    GIVEN_POSITIONS,
    NOT_MEASURED,
    Measured,
    with_certificate,
)
from labelscape.scene.scene import Codes, Singles, scene_error, two_columns
from labelscape.scene.subject import (
    DataMap,
    JudgedMap,
    Labeled,
    Placing,
    Subject,
    Trust,
)

GIVEN = "The positions were given."
SOLID = " The map is 3-D: drag to rotate it. Flat views show its first two dimensions."
# Libraries whose maps place samples quickly; maps of other libraries may be slow.
QUICK = ("labelscape", "sklearn")


class Layout(NamedTuple):
    """The positions of a map and its estimator, before regions and arrows are added."""

    name: str
    words: str  # what it preserves, in one sentence
    positions: Singles  # (n, 2) positions of the points
    is_all: bool = True  # whether all dimensions of the map are shown
    # (n,) the third coordinate, if there is one
    depths: Singles | None = None
    prototypes: Singles | None = None
    maker: Unwrapped | None = None
    # Function that places samples, if there is no estimator.
    place: Placing | None = None

    @property
    def columns(self) -> Singles:
        """All coordinates that are shown (n, 2 or 3)."""
        if self.depths is None:
            return self.positions
        return np.column_stack([self.positions, self.depths])

    def like(self, Z: Array) -> Singles:
        """Return positions Z with as many columns as the points have."""
        return two_columns(Z) if self.depths is None else Z.astype(np.float32)


def layout_of(name: str, words: str, Z: Any, n_points: int) -> Layout:
    """Return the map with these positions, after a check."""
    try:
        Z = numbers_argument("build_scene", name, Z)
    except InputError:
        raise scene_error(f"the map {name!r} must be an array of numbers.") from None
    if Z.ndim != 2 or Z.shape[1] == 0:
        raise scene_error(
            f"the map {name!r} must have one row of coordinates per point, got an "
            f"array of shape {Z.shape}."
        )
    if len(Z) != n_points:
        raise scene_error(
            f"the map {name!r} has {len(Z)} points, but there are {n_points} samples. "
            "All maps of a scene show the same samples."
        )
    flat = _finite(name, two_columns(Z))
    if Z.shape[1] == 3:
        depths = _finite(name, two_columns(Z[:, 2:]))[:, 0].copy()
        return Layout(name, words + SOLID, flat, depths=depths)
    if Z.shape[1] == 1:
        words += " The map has one dimension. The height of a point has no meaning."
    if Z.shape[1] > 2:
        words += f" The first two of {Z.shape[1]} dimensions are shown."
    return Layout(name, words, flat, Z.shape[1] <= 2)


def _finite(name: str, flat: Singles) -> Singles:
    lost = np.flatnonzero(~np.isfinite(flat).all(axis=1))
    if len(lost):
        points = "1 point" if len(lost) == 1 else f"{len(lost)} points"
        raise scene_error(
            f"the map {name!r} has no position for {points}, the first in row "
            f"{lost[0]}: coordinates are NaN or too large. Fit the map again, or leave "
            "these points out."
        )
    return flat


def fitted_layout(name: str, maker: Unwrapped, known: Any = None) -> Layout | None:
    """Return the layout of a fitted map, or of ``known`` positions; None if none."""
    estimator, n = maker.estimator, len(maker.features)
    Z = getattr(estimator, "embedding_", None) if known is None else known
    if known is None and (Z is None or len(Z) != n):
        if not hasattr(estimator, "transform"):
            if Z is None:
                return None
            raise scene_error(
                f"X has {n} samples, but {maker.name} was fitted to {len(Z)} and "
                "cannot place new ones. Pass the X it was fitted to, or wrap it in a "
                "KernelMap."
            )
        Z = estimator.transform(maker.data)
    return layout_of(name, _what_is_kept(estimator), Z, n)._replace(maker=maker)


def _what_is_kept(estimator: Any) -> str:
    """Return what a map (or the projection of a ClassifierMap) preserves."""
    under = getattr(estimator, "projection", None)
    if under is None:
        return what_it_keeps(type(estimator))
    if hasattr(under, "__array__") or isinstance(under, list | tuple):
        return GIVEN
    return what_it_keeps(type(under[-1] if hasattr(under, "steps") else under))


@dataclass(frozen=True, eq=False)
class Maps:
    # The subject, and its estimators by roles.
    subject: Subject
    roles: SceneRoles
    decisions: Decisions | None  # predictions of the classifier
    labeled: Labeled  # classes and labels
    record: records.SceneModel | None  # the prototype model, if there is one
    measured: Measured | None  # data for the measures of maps; None: no measures
    # Number of grid cells along the longer side of the points, None for no regions, or
    # points that vote for regions.
    resolution: int | Votes | None
    seed: int  # random seed
    # (n,) predictions to use in place of the classifier's
    predictions: Codes | None = None
    data_map: DataMap | None = None  # a map of the data, if the subject is no map

    def main(self, trust: Trust, words: Sequence[str]) -> records.SceneMap:
        """Return the first map, with the given reports."""
        layout = self._main_layout()
        if self.subject.name is not None:
            layout = layout._replace(name=self.subject.name)
        drawn = self._drawn(layout, trust)
        return replace(drawn, words=" ".join([drawn.words, *filter(None, words)]))

    def further(self, name: str, thing: Any, X: Any) -> records.SceneMap:
        """Return another map of the same points."""
        trust = Trust()
        if isinstance(thing, JudgedMap):
            thing, trust = thing
        if is_positions(thing):
            return self._drawn(
                layout_of(name, GIVEN, thing, self.roles.n_points), trust
            )
        maker = unwrap(thing, X, None)
        layout = fitted_layout(name, maker)
        if layout is None:
            raise TypeError(
                f"build_scene: the map {name!r} is a {maker.name}, which is not a "
                "map. Give a fitted map, or an array of positions."
            )
        return self._drawn(layout, trust)

    def _main_layout(self) -> Layout:
        main, n = self.roles.subject, self.roles.n_points
        if main.estimator is None:
            return layout_of("Map", GIVEN, self.subject.model_or_map, n)
        layout = fitted_layout(main.name, main, self.subject.embedding)
        if layout is not None:
            return layout
        if (made := self.data_map) is not None:
            layout = layout_of(made.name, "", two_columns(made.samples), n)
            W = None if made.prototypes is None else two_columns(made.prototypes)
            return layout._replace(words=made.words, prototypes=W, place=made.place)
        if main.classifier is not None:
            from labelscape.boundary import ClassifierMap

            # The lowest resolution: the scene computes its own, larger grid.
            picture = ClassifierMap(main.estimator, None, 2, random_state=self.seed)
            maker = replace(main, estimator=picture.fit(main.X))
            layout = fitted_layout(main.name, maker)
            assert layout is not None  # a ClassifierMap places its training samples
            return layout
        raise TypeError(
            f"build_scene: {main.name} is neither a map nor a classifier. Give a "
            "fitted map, a fitted classifier, or an array of positions."
        )

    def _drawn(self, layout: Layout, trust: Trust) -> records.SceneMap:
        W, quality, distortion = self._prototypes(layout), None, None
        if self.measured is not None:
            known = trust.quality if isinstance(trust.quality, QualityReport) else None
            quality, distortion = self.measured.quality_of(
                layout.columns, known, is_all=layout.is_all
            )
        drawn = records.SceneMap(
            name=layout.name,
            words=layout.words,
            positions=layout.positions,
            prototypes=None if W is None else W[:, :2],
            distortion=distortion,
            quality=quality,
        )
        if layout.depths is None:
            drawn = self._plane(drawn, layout)
        else:
            own = None if W is None else W[:, 2].copy()
            drawn = replace(drawn, depth=records.Depth(layout.depths, own))
        why = GIVEN_POSITIONS if layout.maker is None else NOT_MEASURED
        return with_certificate(drawn, trust, why, self.labeled.classes)

    def _plane(self, drawn: records.SceneMap, layout: Layout) -> records.SceneMap:
        """Add regions, arrows, borders and the stretch of the axes to a map."""
        frame = frame_of(drawn.positions, drawn.prototypes)
        return replace(
            drawn,
            warnings=(frame.warning,) if frame.warning else (),
            regions=self._regions(layout, frame),
            stretch=frame.stretch,
            arrows=self._arrows(layout, frame),
            borders=self._borders(layout),
        )

    def _arrows(self, layout: Layout, frame: Frame) -> records.Arrows | None:
        """Return the feature arrows; None for a line, where all arrows coincide."""
        maker, reader = layout.maker, self.roles.features_from
        if maker is None or frame.is_line:
            return None
        # If both use the data as given, the reader has the feature names.
        is_given = maker.units.from_start and reader.units.from_start
        same = is_given and len(maker.names) == len(reader.names)
        names = reader.names if same else maker.names
        return feature_arrows(maker, names, layout.positions, frame.stretch)

    def _prototypes(self, layout: Layout) -> Singles | None:
        """Return positions of prototypes, or of their medoids if unknown."""
        model, record = self.roles.model, self.record
        if layout.prototypes is not None or model is None or record is None:
            return layout.prototypes
        Z = self._placed(layout, model.prototypes.prototypes_)
        if Z is not None:
            return Z
        samples = record.prototypes.medoids.copy()
        alone = np.flatnonzero(samples < 0)
        if len(alone):  # the nearest sample of any class
            metric = model.prototypes.metric_
            D = metric.by_blocks(model.X, lambda D: D[:, alone])
            samples[alone] = D.argmin(axis=0)
        return layout.columns[samples]

    def _borders(self, layout: Layout) -> Singles | None:
        """Return positions of explained samples after the change to another class."""
        model, record, maker = self.roles.model, self.record, layout.maker
        if model is None or record is None:
            return None
        if maker and type(maker.estimator).__module__.split(".")[0] not in QUICK:
            return None
        rows = border_rows(model, record)
        if rows is None:
            return None
        known = np.isfinite(rows).all(axis=1)
        Z = self._placed(layout, rows[known]) if known.any() else None
        if Z is None:
            return None
        borders = np.full((len(rows), 2), np.nan, dtype=np.float32)
        borders[known] = Z
        return borders

    def _placed(self, layout: Layout, rows: Array) -> Singles | None:
        """Return the positions of model inputs; None if unknown."""
        maker, model = layout.maker, self.roles.model
        if layout.place is not None:
            return layout.like(layout.place(rows))
        if maker is None or model is None or not hasattr(maker.estimator, "transform"):
            return None
        seen = maker.rows_of(model, rows)
        if seen is None:
            return None
        Z = maker.estimator.transform(named_as(maker.estimator, seen))
        return layout.like(np.asarray(Z))

    def _regions(self, layout: Layout, frame: Frame) -> records.Regions | None:
        """Return the predicted regions and their source."""
        classes = self.labeled.classes
        if isinstance(self.resolution, Votes):
            painter = Painter(layout.positions, frame, classes, self.predictions)
            return painter.by_votes(self.resolution)
        regions, decider = self._decided(layout, frame), self.subject.decider
        if regions is None:
            return None
        if layout.maker is not None and layout.maker.picture is not None:
            # The share that the terminal prints, without the margin that a page adds.
            far = share_far(layout.maker.picture, COARSEST, RESOLUTION)
            regions = replace(regions, share_far=far)
        if decider is None:
            return regions
        if self.predictions is not None and self.decisions is not None:
            wrong = classes.codes(self.decisions.labels) != self.predictions
            regions = replace(
                regions,
                contradicts=wrong.astype(np.uint8),
                agreement=1.0 - float(wrong.mean()),
            )
        return replace(regions, by=decider.title, accuracy=decider.accuracy)

    def _decided(self, layout: Layout, frame: Frame) -> records.Regions | None:
        decider, decisions, maker = self.roles.classifier, self.decisions, layout.maker
        if not isinstance(self.resolution, int) or decider is None or decisions is None:
            return None
        model, classes = decider.estimator, self.labeled.classes
        painter = Painter(
            layout.positions, frame, classes, decisions.labels, self.resolution
        )
        if maker is not None and maker.estimator is model and has_plane(model):
            return painter.by_plane(model)
        if maker and maker.picture and maker.classifier is decider.classifier:
            return painter.by_picture(maker.picture)
        X = decider.X
        if X is None or decider.is_precomputed or not np.isfinite(X).all():
            return None
        return painter.by_classifier(decider.classifier, X, self.seed)
