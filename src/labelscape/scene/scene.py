"""The records of a scene, which contain all data of a view (see README.md).

n points, C classes, d shown features, k prototypes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError
from labelscape.quality import Light
from labelscape.quality.audit import Against as Against
from labelscape.quality.audit import ClassDifference, MixedPair, Suspect
from labelscape.quality.audit import Effect as Effect

Bytes = NDArray[np.uint8]
Indices = NDArray[np.uint32]
Points = NDArray[np.int32]
Singles = NDArray[np.float32]
Doubles = NDArray[np.float64]
# Class indices; the largest value of the type means "none".
Codes = NDArray[np.uint8] | NDArray[np.uint16]
# Indices of prototypes or centers, in the smallest type; the largest value means
# "none".
Members = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]

MANY_CLASSES = 255  # a class index is one byte below this many classes
# Codes of `Scaled` are 0 to STEPS; the next one means missing.
STEPS, MISSING = 65534, 65535


def scene_error(words: str, parameter: str | None = None) -> InputError:
    """Return an error of `build_scene`."""
    return InputError(words, owner="build_scene", parameter=parameter)


def two_columns(Z: NDArray[Any]) -> Singles:
    """Return the first two columns; a missing second column becomes 0."""
    flat = np.zeros((len(Z), 2), dtype=np.float32)
    with np.errstate(over="ignore"):  # infinity is reported later, with its row
        flat[:, : min(2, Z.shape[1])] = Z[:, :2]
    return flat


@dataclass_transform(frozen_default=True, eq_default=False)
class SceneRecord:
    """A part of a scene. Subclasses are frozen dataclasses; `==` compares identity."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False)(cls)


class Texts(SceneRecord):
    """Many texts as one array of bytes, decoded one at a time."""

    offsets: Indices  # (n + 1,) start of each text, and end of the last one
    bytes: Bytes  # all texts in UTF-8

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Texts":
        """Return the record of these texts."""
        # An unpaired surrogate is not a character, but must not cause an error.
        parts = [text.encode("utf-8", "replace") for text in texts]
        ends = np.cumsum([0, *(len(part) for part in parts)], dtype=np.uint64)
        if ends[-1] > np.iinfo(np.uint32).max:
            raise scene_error(
                f"the texts take {ends[-1] / 1e9:.1f} GB, but a scene "
                "contains at most 4 GB. Shorten the texts."
            )
        joined = np.frombuffer(b"".join(parts), dtype=np.uint8)
        return cls(ends.astype(np.uint32), joined)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        start, stop = self.offsets[index], self.offsets[index + 1]
        return self.bytes[start:stop].tobytes().decode("utf-8")


class Scaled(SceneRecord):
    """Numbers in 16 bits: ``low + code (high - low) / 65534``; 65535 is missing."""

    codes: NDArray[np.uint16]
    low: float
    high: float

    @property
    def numbers(self) -> Singles:
        """The numbers; NaN where one is missing."""
        step = (self.high - self.low) / STEPS
        numbers = (self.low + self.codes * step).astype(np.float32)
        numbers[self.codes == MISSING] = np.nan
        return numbers


class Thumbnails(SceneRecord):
    """Small images of equal size: (n, height, width, channels)."""

    pixels: Bytes


class Images(SceneRecord):
    """Image files, one after the other; an empty file means no image."""

    offsets: Indices
    bytes: Bytes


# Kind of a feature's numbers: days since 1970, or no (0) and yes (1).
FeatureKind = Literal["date", "truth"]


class Feature(SceneRecord):
    """One feature of all points, with the range of its values."""

    name: str
    low: float
    high: float
    values: Singles | Scaled
    kind: FeatureKind | None = None
    imputed: Indices | None = None  # points with an imputed value


class SceneColumn(SceneRecord):
    """A column of the user's table: categories, or a column that is only shown."""

    name: str
    numbers: Feature | None = None
    words: tuple[str, ...] = ()
    codes: Codes | None = None
    texts: Texts | None = None
    features: Indices | None = None
    patterns: Singles | None = None


class Distortion(SceneRecord):
    """Errors of the neighborhood of each point, from 0 to 1."""

    false_neighbours: Singles
    tears: Singles


class PlaceErrors(SceneRecord):
    """Distance of each point from its predicted position; NaN if not tested.

    The unit is the median distance between points. ``misplaced`` are the points with
    unreliable positions, the worst first.
    """

    errors: Singles
    misplaced: Indices


class Regions(SceneRecord):
    """The predicted class of each cell of a grid; row 0 is at the bottom, y0."""

    box: tuple[float, float, float, float]
    labels: Codes
    certainty: Bytes
    support: Bytes
    agreement: float | None
    share_far: float
    words: str
    # 1 if a point is in the region of a class that is not its prediction
    contradicts: Bytes | None = None
    # The model that predicts, in a few words, and its balanced accuracy on held-out
    # points.
    by: str = ""
    accuracy: float | None = None


class QualityRow(SceneRecord):
    """One measure of a map, and its value in the data if it has one."""

    name: str
    label: str
    value: float | None
    original: float | None
    meaning: str


class Curve(SceneRecord):
    """R_NX, trustworthiness and continuity at up to 200 neighborhood sizes."""

    k: Indices
    r_nx: Singles
    trustworthiness: Singles | None = None
    continuity: Singles | None = None


class Shepard(SceneRecord):
    """Distances of sampled pairs in the data and on the map."""

    original: Singles
    shown: Singles


class Quality(SceneRecord):
    """The quality of a map: its measures and curves."""

    rows: tuple[QualityRow, ...]
    note: str
    curve: Curve | None
    shepard: Shepard | None


Real = Literal["yes", "partly", "no", "untested"]
Kept = Literal["all", "most", "little"]
LightState = Literal["good", "fair", "bad", "none"]


class HonestyRow(SceneRecord):
    """One number of the certificate, its interval, and its expected value by chance."""

    name: str
    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    shuffled: float | None = None


class Honesty(SceneRecord):
    """The test of a map, or of a classifier."""

    verdict: str
    finding: str = ""
    reason: str = ""
    real: Real | None = None
    kept: Kept | None = None
    lights: tuple[Light, ...] = ()
    rows: tuple[HonestyRow, ...] = ()
    notes: tuple[str, ...] = ()
    by_class: tuple[float | None, ...] = ()
    pairs: tuple[MixedPair, ...] = ()
    k: int | None = None


class SceneIsland(SceneRecord):
    """An island (cluster) of a map, and whether it is stable."""

    state: LightState
    answer: str
    words: str
    holds: str
    stability: float
    members: Indices


class Islands(SceneRecord):
    """The islands of a map, largest first, with sentences about them."""

    islands: tuple[SceneIsland, ...]
    words: tuple[str, ...]


class Arrows(SceneRecord):
    """The longest feature arrows of a linear map."""

    origin: tuple[float, float]
    features: tuple[str, ...]
    vectors: Singles


class Depth(SceneRecord):
    """The third coordinate of points (n) and prototypes (k) of a 3-D map."""

    points: Singles
    prototypes: Singles | None = None


class SceneMap(SceneRecord):
    """One map of all points."""

    name: str
    words: str
    positions: Singles
    prototypes: Singles | None = None
    distortion: Distortion | None = None
    regions: Regions | None = None
    quality: Quality | None = None
    honesty: Honesty | None = None
    stretch: tuple[float, float] = (1.0, 1.0)
    warnings: tuple[str, ...] = ()  # sentences to show beside the map
    # Share of correct held-out predictions of each point; NaN if never held out.
    judged_right: Singles | None = None
    place_errors: PlaceErrors | None = None  # for given positions
    islands: Islands | None = None  # if requested
    arrows: Arrows | None = None  # for linear maps
    depth: Depth | None = None  # for 3-D maps
    # Position of each explained point after its smallest change to another class.
    borders: Singles | None = None


class Prototypes(SceneRecord):
    """The prototypes, and the samples that represent them."""

    values: Doubles
    labels: Codes
    n_members: Indices
    medoids: Points
    typical: Points
    hardest: Points
    distances: Doubles


class Metric(SceneRecord):
    """The metric of a model, in units of the data."""

    kind: Literal["euclidean", "diagonal", "factor", "local"]
    factors: Doubles | None


class Explanations(SceneRecord):
    """Explanations of the predictions for some points."""

    objects: Indices
    contributions: Singles
    changes: Singles
    change_distances: Singles
    change_classes: Codes


Weighting = Literal["prototype", "same_class", "object", "uniform"]


class ClassLevel(SceneRecord):
    """All prototypes and some points, in the space of the model."""

    weighting: Weighting
    objects: Indices
    object_positions: Singles
    prototype_positions: Singles
    agreement: float | None


class Compressed(SceneRecord):
    """Centers of groups within each class, on their own map."""

    positions: Singles
    labels: Codes
    counts: Indices
    member_of: Members


class SceneModel(SceneRecord):
    """A prototype model and its predictions."""

    name: str
    words: str
    prototypes: Prototypes
    member_of: Members
    relevances: Doubles | None = None
    relevance_intervals: Doubles | None = None
    class_distances: Singles | Scaled | None = None
    class_nearest: Members | None = None
    squared: bool | None = None
    metric: Metric | None = None
    unit: Literal["data", "standard_deviation", "model"] | None = None
    explanations: Explanations | None = None
    class_levels: tuple[ClassLevel, ...] = ()
    compressed: Compressed | None = None
    # Balanced accuracy on held-out points.
    accuracy: float | None = None


class Neighbors(SceneRecord):
    """The neighbors of points in the data, with the distances that the map uses.

    A distance is the length of the vector of feature differences times ``weights`` (d).
    If ``weights`` is None, ``nearest`` (n, k) and ``distances`` (n, k) list the nearest
    neighbors of each point.
    """

    unit: Literal["data", "standard_deviation", "model"] | None
    weights: Doubles | None
    nearest: Members | None = None
    distances: Scaled | None = None


class ComparisonTable(SceneRecord):
    """A table that compares maps, as texts; the first column names the maps."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    recommended: str = ""


class TableFinding(SceneRecord):
    """A problem in the table, the columns or rows concerned, and a remedy."""

    code: str
    words: str
    subjects: tuple[str, ...]
    sure: Literal["certain", "likely"]
    count: int
    rows: Indices
    remedy: tuple[str, ...]


class Audit(SceneRecord):
    """Labels that look wrong, confused classes, and findings about the table."""

    rate: float
    expected_false: float
    share_wrong: float
    summary: str
    suspects: tuple[Suspect, ...]
    pairs: tuple[MixedPair, ...]
    class_differences: tuple[ClassDifference, ...]
    findings: tuple[TableFinding, ...]
    taken_for: Codes
    can_tell: bool = True
    look_first: tuple[Suspect, ...] = ()
    assumed: str = ""
    # Lines of a summary: labels, confused classes, separating features.
    lights: tuple[Light, ...] = ()


class DecisionChanges(SceneRecord):
    """Changes of a row that would change a classifier's prediction."""

    columns: tuple[str, ...]
    other: Indices
    starts: Indices
    taken: Indices
    answers: Codes


class NewRowsLine(SceneRecord):
    """A sentence about new rows, and the points that it is about."""

    state: LightState
    words: str
    rows: Indices
    feature: str | None = None


class NewRows(SceneRecord):
    """New points on an existing map; they are marked as held out."""

    name: str
    lines: tuple[NewRowsLine, ...]


class Scene(SceneRecord):
    """The content of a view.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.scene import Data, Subject, build_scene
    >>> X, y = load_iris(return_X_y=True)
    >>> scene = build_scene(Subject(X[:, 2:]), Data(X, y))
    >>> scene.n_points, scene.classes, scene.maps[0].positions.shape
    (150, ('0', '1', '2'), (150, 2))
    """

    title: str
    subtitle: str
    created_by: str
    n_points: int
    classes: tuple[str, ...]
    labels: Codes | None
    predictions: Codes | None
    certainty: Singles | Scaled | None
    held_out: Bytes | None
    ids: Texts | None
    texts: Texts | None
    thumbnails: Thumbnails | None
    images: Images | None
    features: tuple[Feature, ...]
    n_features: int
    maps: tuple[SceneMap, ...]
    model: SceneModel | None
    comparison: ComparisonTable | None = None
    # The audit if it was requested, otherwise why there is none.
    audit: Audit | None = None
    audit_note: str = ""
    methods: str = ""  # how the map was made, as a text for a paper
    new_rows: NewRows | None = None  # if new rows were placed on a map
    neighbors: Neighbors | None = None  # if distances in the data are known
    # Categorical columns in the order of the table, then columns that are only shown.
    columns: tuple[SceneColumn, ...] = ()
    # Color and shape of each class, if there are more classes than colors.
    looks: Codes | None = None
    # Class probabilities of each point (n, n_classes), from a classifier.
    probabilities: Singles | None = None
    changes: DecisionChanges | None = None
    model_note: str = ""  # why no model explains the classes, if that was tried
    # The model of the predictions, and whether it was fitted to these points.
    predictions_note: str = ""
