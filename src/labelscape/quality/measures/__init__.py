"""Measures of a map's quality: one record for each.

A new measure is a function in one of the files here and a record in `MEASURES`, which
reports, scenes and comparisons of methods read.

==============  ========================================================================
neighborhoods   what each neighborhood lost and gained, for one size k
ranks           trustworthiness and continuity, of maps and of single points
curves          rank measures for all sizes
distances       stress, and correlations of distances
labels          nearest neighbors as a classifier, and how separate classes are
==============  ========================================================================
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape.quality.measures.curves import RankCurves
from labelscape.quality.measures.distances import (
    Pairs,
    pearson_of,
    sammon_of,
    spearman_of,
)
from labelscape.quality.measures.labels import separation_lost
from labelscape.quality.measures.neighborhoods import Neighborhoods


@dataclass(frozen=True, eq=False)
class MapAndData:
    """What measures are computed from: both spaces, and what a pass over them counted.

    ``codes`` are the classes, None without labels.
    """

    original: Any
    shown: Any
    codes: NDArray[np.int64] | None
    counted: Neighborhoods
    curves: RankCurves
    pairs: Pairs

    @cached_property
    def separation_lost(self) -> NDArray[np.float64]:
        """Separation in the data minus that on the map, for each pair of classes."""
        lost: NDArray[np.float64] = separation_lost(
            self.original, self.shown, self.codes
        )
        return lost


@dataclass(frozen=True)
class Measure:
    """A measure of a map's quality.

    Attributes
    ----------
    name : str
        Its name, as attribute of a `QualityReport`.
    label, meaning : str
        What a page calls it, and what it says, in a few words.
    value : callable
        Returns its value for a `MapAndData`.
    best : float, default=1.0
        Its value for a perfect map.
    needs_labels : bool, default=False
        Whether it is measured only if there are class labels.
    in_data : callable, optional
        Returns its value in the data, where it makes sense there.
    of_points : callable, optional
        Returns what each point adds to it, from `Neighborhoods`, if it is a mean over
        points: then a random sample of points gives it an interval.
    head : str, default=""
        Its column head in comparisons of methods; empty: not compared by default.
    """

    name: str
    label: str
    meaning: str
    value: Callable[[MapAndData], float]
    best: float = 1.0
    needs_labels: bool = False
    in_data: Callable[[MapAndData], float] | None = None
    of_points: Callable[[Neighborhoods], NDArray[np.float64]] | None = None
    head: str = ""


_ALL = (
    Measure(
        "trustworthiness",
        "Trustworthiness",
        "neighbors on the map are neighbors in the data",
        lambda map_: map_.counted.trustworthiness,
        of_points=lambda c: c.of_points(c.false_within, c.false_between),
        head="T",
    ),
    Measure(
        "continuity",
        "Continuity",
        "neighbors in the data stay neighbors on the map",
        lambda map_: map_.counted.continuity,
        of_points=lambda c: c.of_points(c.tears_within, c.tears_between),
        head="C",
    ),
    Measure(
        "auc_log_rnx",
        "Neighborhoods of all sizes",
        "neighborhoods of all sizes, 0 = random",
        lambda map_: map_.curves.auc_log_rnx,
        head="R_NX",
    ),
    Measure(
        "sammon_stress",
        "Sammon stress",
        "errors of distances, 0 = none (map at its best size)",
        lambda map_: sammon_of(map_.pairs),
        best=0.0,
    ),
    Measure(
        "sammon_stress_unscaled",
        "Sammon stress, unscaled",
        "the same for the map as it is",
        lambda map_: sammon_of(map_.pairs, scaled=False),
        best=0.0,
    ),
    Measure(
        "spearman_rho",
        "Rank correlation of distances",
        "order of all distances",
        lambda map_: spearman_of(map_.pairs),
    ),
    Measure(
        "pearson_r",
        "Correlation of distances",
        "distances in proportion",
        lambda map_: pearson_of(map_.pairs),
    ),
    Measure(
        "class_trustworthiness",
        "Trustworthiness between classes",
        "no false neighbors of another class",
        lambda map_: map_.counted.score(map_.counted.false_between),
        needs_labels=True,
        of_points=lambda c: c.of_points(c.false_between),
        head="class T",
    ),
    Measure(
        "class_continuity",
        "Continuity within classes",
        "no class torn apart",
        lambda map_: map_.counted.score(map_.counted.tears_within),
        needs_labels=True,
        of_points=lambda c: c.of_points(c.tears_within),
    ),
    Measure(
        "label_trustworthiness",
        "Label trustworthiness",
        "classes not pushed together",
        lambda map_: float(1.0 - np.maximum(0.0, map_.separation_lost).mean()),
        needs_labels=True,
    ),
    Measure(
        "label_continuity",
        "Label continuity",
        "classes not torn further apart than they are",
        lambda map_: float(1.0 - np.maximum(0.0, -map_.separation_lost).mean()),
        needs_labels=True,
    ),
    Measure(
        "knn_accuracy",
        "Nearest neighbor agrees",
        "nearest neighbor has the same class",
        lambda map_: float(map_.counted.first_map.mean()),
        needs_labels=True,
        in_data=lambda map_: float(map_.counted.first_original.mean()),
        of_points=lambda c: 1.0 * c.first_map,
        head="1-NN",
    ),
    Measure(
        "neighborhood_hit",
        "Neighbors of the same class",
        "share of neighbors of the same class",
        lambda map_: float(map_.counted.same_map.mean() / map_.counted.k),
        needs_labels=True,
        in_data=lambda map_: float(map_.counted.same_original.mean() / map_.counted.k),
        of_points=lambda c: c.same_map / c.k,
    ),
)
MEASURES = {measure.name: measure for measure in _ALL}


def point_scores(
    counted: Neighborhoods, has_classes: bool
) -> dict[str, NDArray[np.float64]]:
    """Return for the measures that are means over points what each point gives (m,)."""
    return {
        name: measure.of_points(counted)
        for name, measure in MEASURES.items()
        if measure.of_points is not None and (has_classes or not measure.needs_labels)
    }
