"""Input of a scene: a subject, its data, and its tests."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns import Categories
from labelscape._core.errors import PYTHON, Wording, shown
from labelscape._core.labels import exact_labels, is_label
from labelscape._core.params import (
    anything,
    check_argument,
    either,
    flag,
    having,
    instance,
    iterable,
    mapping,
    one_of,
    optional,
    several,
)
from labelscape._core.types import Array, Bools, Ints
from labelscape.quality import (
    ClassifierVerdict,
    HonestyReport,
    IslandReport,
    QualityReport,
)
from labelscape.quality.audit import AuditReport
from labelscape.scene.scene import (
    MANY_CLASSES,
    ClassLevel,
    Codes,
    Compressed,
    DecisionChanges,
    scene_error,
)

OWNER = "build_scene"


class Decider(NamedTuple):
    """The model that predicts the regions of a map, and its accuracy."""

    title: str
    accuracy: float | None = None
    words: str = ""  # further notes about a prototype model
    # (n_features, 2) Intervals of the relevances of a prototype model.
    relevance_intervals: Array | None = None


class Predictions(NamedTuple):
    """Predictions of all points: class indices, certainty, and their model."""

    codes: Array
    certainty: NDArray[np.float32]
    note: str


Placing = Callable[[Array], Array]


class DataMap(NamedTuple):
    """A map of samples and prototypes, its description, and how to place new rows."""

    name: str
    words: str
    samples: Array
    prototypes: Array | None
    place: Placing | None


class Layouts(NamedTuple):
    """Maps that are fitted for a scene, besides the map that it shows."""

    class_levels: tuple[ClassLevel, ...] = ()  # maps of the prototypes
    compressed: Compressed | None = None  # a map of class centers
    data_map: DataMap | None = None  # a map of the data, if the model is no map


@dataclass(frozen=True, eq=False)
class Subject:
    """The subject of a scene: a model or a map, with its options.

    Attributes
    ----------
    model_or_map : estimator, Pipeline or array-like of shape (n_samples, 2 or 3)
        A prototype classifier, a map of Labelscape, scikit-learn, openTSNE or UMAP, a
        ClassifierMap, any fitted classifier, a pipeline that ends in one of them, or
        the positions of the points. A map of three dimensions can be rotated.
    name : str or None
        The name of the map. None: the name of its class.
    embedding : array-like of shape (n_samples, 2 or 3) or None
        The positions of the samples, if they are known, to save time.
    prototypes : prototype classifier, Pipeline, False or None
        The prototype model to show with a map. None: the map itself, if it is a
        prototype model; False: no model.
    classifier : estimator, Pipeline or None
        The classifier whose predictions and regions are shown. None: the model.
    maps : dict of str to array or fitted map, or None
        More maps of the same samples, which the view can show instead.
    decider : Decider or None
        The model that predicts the regions, with its accuracy on held-out samples.
    model_note : str
        Why no model explains the classes.
    changes : DecisionChanges or None
        What would change the decisions of a classifier.
    layouts : Layouts or None
        Further maps that were fitted before. None: they are fitted with the scene.
    """

    model_or_map: Any
    name: str | None = None
    embedding: Any = None
    prototypes: Any = None
    classifier: Any = None
    maps: Mapping[str, Any] | None = None
    decider: Decider | None = None
    model_note: str = ""
    changes: DecisionChanges | None = None
    layouts: Layouts | None = None

    def __post_init__(self) -> None:
        _check(self, maps=optional(mapping()))


@dataclass(frozen=True, eq=False)
class Data:
    """The samples of a scene, and what the view shows for each sample.

    Attributes
    ----------
    X : array-like of shape (n_samples, n_features) or None
        The samples, as they were given to the model or pipeline. May be left out if
        positions are given.
    y : array-like of shape (n_samples,) or None
        Class of each sample; None or NaN for a sample without a class.
    feature_names : sequence of str or None
        Names of the features. None: the names in the data or the model.
    feature_kinds : sequence of {"date", "truth", None} or None
        The meaning of the numbers of each feature. "date": days since 1970; "truth": 0
        for no and 1 for yes; None: plain numbers.
    imputed : dict of str to array-like of int or None
        For each feature name, the rows whose value was missing and imputed, as in
        ``Table.imputed``. The view shows these values as missing.
    categories : sequence of Categories or None
        Columns of categories that features of X represent, as in ``Table.categories``.
        The view shows these columns instead of the features. In a data frame for a
        pipeline, such columns are detected.
    vectors : dict of str to sequence of str or None
        Columns of vectors, with the names of their features: each is one column of the
        view, whose relevance is the sum over its features.
    columns : data frame, dict of str to array-like, list or None
        Columns that are shown with the samples and are not features: numbers, dates,
        truth values, categories or texts, one value per sample. A list contains records
        as in ``Table.shown``.
    ids, texts : sequence or None
        The name of each sample, and its text, such as a document.
    images : sequence of path or None
        A PNG, JPEG, GIF or WebP file for each sample; None for a sample without one.
    thumbnails : array-like of shape (n_samples, height, width[, 3]) or None
        A small image of each sample.
    groups : array-like of shape (n_samples,) or None
        The group of each sample, such as a patient or a plate. Samples of one group
        stay together in the test of the map.
    held_out : array-like of bool of shape (n_samples,) or None
        The samples that were not used to fit the map or classifier. A classifier is
        tested on these samples, and the view marks them.
    class_points : array-like or None
        Samples to show among the prototypes on the map of classes: a mask, or up to
        1,000 indices. None: up to 200 samples, misclassified ones first.
    """

    X: Any = None
    y: Any = None
    feature_names: Sequence[str] | None = None
    feature_kinds: Sequence[str | None] | None = None
    imputed: Mapping[str, Any] | None = None
    categories: Sequence[Categories] | None = None
    vectors: Mapping[str, Sequence[str]] | None = None
    columns: Any = None
    ids: Any = None
    texts: Any = None
    images: Any = None
    thumbnails: Any = None
    groups: Any = None
    held_out: Any = None
    class_points: Any = None

    def __post_init__(self) -> None:
        paths = either(several("paths", anything()), having("ndim", "a list of paths"))
        _check(
            self,
            feature_names=optional(several("names", anything())),
            feature_kinds=optional(several("kinds", anything())),
            imputed=optional(mapping()),
            categories=optional(several("Categories", instance(Categories))),
            vectors=optional(mapping()),
            ids=optional(iterable()),
            texts=optional(iterable()),
            images=optional(paths),
        )


@dataclass(frozen=True, eq=False)
class Trust:
    """Tests of the first map of a scene, of its predictions and of its labels.

    Attributes
    ----------
    quality : bool or QualityReport
        Whether to measure what the maps preserve; or the report of the first map.
    honesty : bool, HonestyReport, ClassifierVerdict or None
        The test of whether the separation on the first map is real. True runs the test,
        which takes 8 fits; otherwise the view shows "Not tested". Positions that were
        given with their data and classes are certified, unless this is False.
    note : str
        Why the map was not tested, or a note about the test.
    islands : IslandReport or None
        The clusters on the map, and which of them are stable.
    audit : AuditReport or None
        The report of `labelscape.audit` for the same rows: labels that look wrong,
        confused classes, and problems in the table.
    audit_note : str
        Why there is no audit.
    wording : Wording
        Names of the options that correct a table, in Python or on the command line.
    predictions : bool or Predictions
        Whether to show the predictions of the classifier; or other predictions to show.
    """

    quality: bool | QualityReport = True
    honesty: bool | HonestyReport | ClassifierVerdict | None = None
    note: str = ""
    islands: IslandReport | None = None
    audit: AuditReport | None = None
    audit_note: str = ""
    wording: Wording = PYTHON
    predictions: bool | Predictions = True

    def __post_init__(self) -> None:
        known = either(instance(HonestyReport), instance(ClassifierVerdict))
        _check(
            self,
            quality=either(flag(), instance(QualityReport)),
            honesty=either(flag(), one_of(None), known),
            audit=optional(instance(AuditReport)),
        )


class JudgedMap(NamedTuple):
    """Another map of a scene, with its own test results."""

    model_or_map: Any
    trust: Trust


def _check(record: Any, **rules: Any) -> None:
    for name, rule in rules.items():
        check_argument(OWNER, name, getattr(record, name), rule)


def described(
    model_or_map: Any, X: Any, y: Any, options: Mapping[str, Any]
) -> tuple[Subject, Data, Trust, dict[str, Any]]:
    """Return the records of keyword options, and the remaining options."""
    rest = dict(options)

    def own(kind: type[Any]) -> dict[str, Any]:
        names = [field.name for field in fields(kind) if field.name in rest]
        return {name: rest.pop(name) for name in names}

    subject = Subject(model_or_map, **own(Subject))
    return subject, Data(X, y, **own(Data)), Trust(**own(Trust)), rest


# Labels as class indices, for labels of the data and of models.

MOST_CLASSES = 65535  # indices must fit in 16 bits, with one value for "none"


class Classes:
    """The classes of a scene, sorted."""

    def __init__(self, labels: Sequence[Any]) -> None:
        different = list(dict.fromkeys(labels))
        try:
            self.labels = sorted(different)
        except TypeError:  # numbers and texts cannot be sorted together
            self.labels = sorted(
                different, key=lambda one: (type(one).__name__, str(one))
            )
        if len(self.labels) >= MOST_CLASSES:
            raise scene_error(
                f"y contains {len(self.labels):,} different labels, but a scene shows "
                f"at most {MOST_CLASSES - 1:,} classes. Does y really contain classes?"
            )
        # The labels as texts; whole numbers have no decimal point.
        self.names = tuple(
            str(int(one) if isinstance(one, float) and one.is_integer() else one)
            for one in self.labels
        )
        self._index = {label: c for c, label in enumerate(self.labels)}

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def dtype(self) -> type[np.uint8] | type[np.uint16]:
        """The type of class indices."""
        return np.uint8 if len(self) < MANY_CLASSES else np.uint16

    @property
    def none(self) -> int:
        """The index that means "none"."""
        return int(np.iinfo(self.dtype).max)

    def name(self, label: Any) -> str:
        """Return the name of a label in the view, even if it is not a class."""
        code = int(self.codes([label])[0])
        return str(label) if code == self.none else self.names[code]

    def codes(self, labels: Any) -> Codes:
        """Return the index of each label; the index "none" if it is not a class."""
        known, inverse = distinct(labels)
        index = [self._index.get(label, self.none) for label in known]
        codes: Any = np.array(index, dtype=self.dtype)[inverse]
        return codes  # type: ignore[no-any-return]


def distinct(labels: Any) -> tuple[list[Any], Ints]:
    """Return the distinct labels (also None and NaN), and the index of each label."""
    array = exact_labels(labels)
    if array.dtype.kind != "O":
        known, inverse = np.unique(array, return_inverse=True)
        return known.tolist(), inverse
    index: dict[Any, int] = {}
    inverse = np.array(
        [index.setdefault(label, len(index)) for label in array.tolist()], dtype=np.intp
    )
    return list(index), inverse


# The classes of a scene, and the label of each point among them.


class Labeled(NamedTuple):
    """Classes, and the class of each point; ``codes`` is None without labels."""

    classes: Classes
    codes: Codes | None

    def is_wrong(self, predictions: Codes) -> Bools:
        """Return whether each prediction differs from the class, if it is known."""
        if self.codes is None:
            return np.zeros(len(predictions), dtype=bool)
        wrong: Bools = (self.codes != self.classes.none) & (self.codes != predictions)
        return wrong

    def indices(self, codes: Codes) -> Ints:
        """Return codes as signed integers, with -1 for none."""
        return np.where(codes == self.classes.none, -1, codes.astype(np.intp))

    @property
    def all_known(self) -> Codes | None:
        """The codes; None if a class is missing or all points have the same class."""
        if self.codes is None or (self.codes == self.classes.none).any():
            return None
        return self.codes if len(np.unique(self.codes)) > 1 else None


def labeled(y: Any, n_points: int, more: list[Any]) -> Labeled:
    """Return the classes of y and of models (``more``), with the codes of y."""
    if y is None:
        return Labeled(Classes(more), None)
    try:
        labels = exact_labels(y)
    except ValueError:  # lists of different lengths
        labels = np.empty((len(y), 0))
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (n_points,):
        raise scene_error(
            f"there are {n_points} points but y has shape {labels.shape}. "
            "Give one label per point."
        )
    for row, label in enumerate(labels.tolist()):
        if not isinstance(label, Hashable):
            raise scene_error(
                f"y must contain one label per point, got {shown(label)} in row {row}.",
                "y",
            )
    known, _ = distinct(labels)
    classes = Classes([*(label for label in known if is_label(label)), *more])
    return Labeled(classes, classes.codes(labels))
