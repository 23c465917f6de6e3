"""What a scene is made of: a subject, its data, and how far it can be trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns import Categories
from labelscape._core.errors import PYTHON, Wording
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
from labelscape._core.types import Array
from labelscape.quality import (
    ClassifierVerdict,
    HonestyReport,
    IslandReport,
    QualityReport,
)
from labelscape.quality.audit import AuditReport
from labelscape.scene.scene import DecisionChanges

OWNER = "build_scene"


class Decider(NamedTuple):
    """What decides in the regions of a map, and how often it is right."""

    title: str
    accuracy: float | None = None
    words: str = ""  # more to say of a prototype model


class Predictions(NamedTuple):
    """Predictions of all points: indices of classes, certainty, and by which model."""

    codes: Array
    certainty: NDArray[np.float32]
    note: str


@dataclass(frozen=True, eq=False)
class Subject:
    """What a scene shows: a model or a map, and what belongs to it.

    Attributes
    ----------
    model_or_map : estimator, Pipeline or array-like of shape (n_samples, 2 or 3)
        A prototype classifier, a map of Labelscape, scikit-learn, openTSNE or UMAP, a
        ClassifierMap, any fitted classifier, a pipeline that ends in one of them, or
        the positions of the points. A map of three dimensions can be rotated.
    name : str or None
        The name of the map. None: that of its class.
    embedding : array-like of shape (n_samples, 2 or 3) or None
        Where the map puts the samples, if that is known, which saves time.
    prototypes : prototype classifier, Pipeline, False or None
        The model to show where the subject is a map. None: the map itself, if it is
        one; False: no model.
    classifier : estimator, Pipeline or None
        Whose decisions and regions to show. None: those of the model.
    maps : dict of str to array or fitted map, or None
        More maps of the same samples, to switch to.
    decider : Decider or None
        The title of what decides, and how often it is right for held-out samples.
    model_note : str
        Why no model explains the classes.
    changes : DecisionChanges or None
        What would change the decisions of a classifier.
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

    def __post_init__(self) -> None:
        _check(self, maps=optional(mapping()))


@dataclass(frozen=True, eq=False)
class Data:
    """The samples of a scene, and what is shown of each.

    Attributes
    ----------
    X : array-like of shape (n_samples, n_features) or None
        The samples, as they were given to the model or pipeline. May be left out if
        positions are given.
    y : array-like of shape (n_samples,) or None
        Their classes; None or NaN for a sample without one.
    feature_names : sequence of str or None
        Names of the features. None: those the data or the model know.
    feature_kinds : sequence of {"date", "truth", None} or None
        What the numbers of each feature represent: days since 1970, no (0) and yes (1),
        or just numbers (None). The view shows them so.
    imputed : dict of str to array-like of int or None
        For features by name, the rows whose value was missing and is assumed, as in
        ``Table.imputed``. The view shows these values as missing.
    categories : sequence of Categories or None
        Columns of categories that features of X represent, as in ``Table.categories``.
        The view shows, searches and colors by the column. Those of a data frame that
        goes into a pipeline are detected.
    columns : data frame, dict of str to array-like, list or None
        Columns that are shown with the samples and are not features: numbers, dates,
        truth values, categories or texts, one value per sample. A list holds records
        as in ``Table.shown``.
    ids, texts : sequence or None
        The name of each sample, and the text behind it.
    images : sequence of path or None
        A PNG, JPEG, GIF or WebP file of each sample; None for none.
    thumbnails : array-like of shape (n_samples, height, width[, 3]) or None
        A small picture of each sample.
    groups : array-like of shape (n_samples,) or None
        What each sample belongs to (a patient, a plate): samples of one group are kept
        together when honesty is measured.
    held_out : array-like of bool of shape (n_samples,) or None
        Which samples the map or classifier was not fitted to. They measure how good a
        classifier is, and are marked in the view.
    """

    X: Any = None
    y: Any = None
    feature_names: Sequence[str] | None = None
    feature_kinds: Sequence[str | None] | None = None
    imputed: Mapping[str, Any] | None = None
    categories: Sequence[Categories] | None = None
    columns: Any = None
    ids: Any = None
    texts: Any = None
    images: Any = None
    thumbnails: Any = None
    groups: Any = None
    held_out: Any = None

    def __post_init__(self) -> None:
        paths = either(several("paths", anything()), having("ndim", "a list of paths"))
        _check(
            self,
            feature_names=optional(several("names", anything())),
            feature_kinds=optional(several("kinds", anything())),
            imputed=optional(mapping()),
            categories=optional(several("Categories", instance(Categories))),
            ids=optional(iterable()),
            texts=optional(iterable()),
            images=optional(paths),
        )


@dataclass(frozen=True, eq=False)
class Trust:
    """How far the first map of a scene, its decisions and its labels can be trusted.

    Attributes
    ----------
    quality : bool or QualityReport
        Whether to measure what the maps preserve; or the report of the first map.
    honesty : bool, HonestyReport, ClassifierVerdict or None
        How much of the separation on the first map is real. True measures it, with 8
        new fits; otherwise the view says that it was not tested. A classifier may have
        a verdict.
    note : str
        Why honesty was not measured, or how it was.
    islands : IslandReport or None
        The groups on the map that are stable.
    audit : AuditReport or None
        The report of `labelscape.audit` on the same rows: labels that look wrong,
        classes that are mixed up, and problems of the table.
    audit_note : str
        Why there is no audit.
    wording : Wording
        How the host calls the settings that correct a table.
    predictions : bool or Predictions
        Whether to show those of the classifier; or others.
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
    """A further map of a scene, with its own certificate."""

    model_or_map: Any
    trust: Trust


def _check(record: Any, **rules: Any) -> None:
    for name, rule in rules.items():
        check_argument(OWNER, name, getattr(record, name), rule)


def described(
    model_or_map: Any, X: Any, y: Any, options: Mapping[str, Any]
) -> tuple[Subject, Data, Trust, dict[str, Any]]:
    """Return the records of options by name, and the other options."""
    rest = dict(options)

    def own(kind: type[Any]) -> dict[str, Any]:
        names = [field.name for field in fields(kind) if field.name in rest]
        return {name: rest.pop(name) for name in names}

    subject = Subject(model_or_map, **own(Subject))
    return subject, Data(X, y, **own(Data)), Trust(**own(Trust)), rest
