"""Measures of a map's quality, one record for each.

A new measure is a function in one of the files here and a record in `MEASURES`.
Reports, scenes and comparisons of methods use these records.

==============  ========================================================================
neighborhoods   what each neighborhood lost and gained, for one size k
ranks           trustworthiness and continuity, of maps and of single points
curves          rank measures for all sizes
distances       stress, and correlations of distances
labels          accuracy of nearest neighbors, and separation of classes
==============  ========================================================================
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.types import Floats
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
    """The input of a measure: data, map and neighbor counts.

    ``codes`` are the classes, None without labels.
    """

    original: Any
    mapped: Any
    codes: NDArray[np.int64] | None
    counted: Neighborhoods
    curves: RankCurves
    pairs: Pairs

    @cached_property
    def separation_lost(self) -> Floats:
        """Separation of pairs of classes that is in the data but not on the map."""
        return np.asarray(separation_lost(self.original, self.mapped, self.codes))


@dataclass(frozen=True)
class Measure:
    """A measure of a map's quality.

    Attributes
    ----------
    name : str
        Name of the measure, as attribute of a `QualityReport`.
    label, meaning : str
        Name and meaning of the measure on pages.
    value : callable
        Returns the value for a `MapAndData`.
    best : float, default=1.0
        The value for a perfect map.
    needs_labels : bool, default=False
        Whether the measure needs class labels.
    in_data : callable, optional
        Function that returns the value in the data, where it is defined.
    of_points : callable, optional
        Returns the value of each point, from `Neighborhoods`, for measures that are
        means over points. A random sample of points then gives an interval.
    head : str, default=""
        The column header in comparisons of methods; empty if not compared by default.
    """

    name: str
    label: str
    meaning: str
    value: Callable[[MapAndData], float]
    best: float = 1.0
    needs_labels: bool = False
    in_data: Callable[[MapAndData], float] | None = None
    of_points: Callable[[Neighborhoods], Floats] | None = None
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
        "neighborhoods of all sizes are preserved; 0 = random",
        lambda map_: map_.curves.auc_log_rnx,
        head="R_NX",
    ),
    Measure(
        "sammon_stress",
        "Sammon stress",
        "distance error after rescaling; 0 = perfect",
        lambda map_: sammon_of(map_.pairs),
        best=0.0,
    ),
    Measure(
        "sammon_stress_unscaled",
        "Sammon stress, unscaled",
        "distance error without rescaling; 0 = perfect",
        lambda map_: sammon_of(map_.pairs, scaled=False),
        best=0.0,
    ),
    Measure(
        "spearman_rho",
        "Rank correlation of distances",
        "rank order of all distances is preserved",
        lambda map_: spearman_of(map_.pairs),
    ),
    Measure(
        "pearson_r",
        "Correlation of distances",
        "distances are proportional",
        lambda map_: pearson_of(map_.pairs),
    ),
    Measure(
        "class_trustworthiness",
        "Trustworthiness between classes",
        "neighbors of another class are neighbors in the data",
        lambda map_: map_.counted.score(map_.counted.false_between),
        needs_labels=True,
        of_points=lambda c: c.of_points(c.false_between),
        head="class T",
    ),
    Measure(
        "class_continuity",
        "Continuity within classes",
        "rows of a class stay together (1 = always)",
        lambda map_: map_.counted.score(map_.counted.tears_within),
        needs_labels=True,
        of_points=lambda c: c.of_points(c.tears_within),
    ),
    Measure(
        "label_trustworthiness",
        "Label trustworthiness",
        "classes are not closer together than in the data",
        lambda map_: float(1.0 - np.maximum(0.0, map_.separation_lost).mean()),
        needs_labels=True,
    ),
    Measure(
        "label_continuity",
        "Label continuity",
        "classes are not farther apart than in the data",
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


def point_scores(counted: Neighborhoods, has_classes: bool) -> dict[str, Floats]:
    """Return the values of each point (m,) for measures that are means over points."""
    return {
        name: measure.of_points(counted)
        for name, measure in MEASURES.items()
        if measure.of_points is not None and (has_classes or not measure.needs_labels)
    }
