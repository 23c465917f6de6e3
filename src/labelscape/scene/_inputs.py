"""Input of a scene: estimators extracted from pipelines, with their roles."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from labelscape._core.columns import Categories
from labelscape._core.errors import InputError, shown
from labelscape._core.types import Array
from labelscape.prototypes._internal import PrototypeClassifier
from labelscape.scene._features import checked_categories
from labelscape.scene._units import Units, can_be_undone, first_text, numbers
from labelscape.scene.scene import scene_error
from labelscape.scene.subject import Data, Labeled, Subject, labeled

# A fitted estimator extracted from its pipeline, with its input data.


@dataclass(frozen=True, eq=False)
class Unwrapped:
    """A fitted estimator, the last step of its pipeline, with its data."""

    estimator: Any  # a map, a classifier or both; None for given positions
    data: Any  # (n, N) input of the estimator
    X: Array | None  # (n, N) the input as numbers
    features: Array  # (n, d) the features in the units of the user
    names: list[str]  # names of the features
    units: Units = field(default_factory=Units)  # from X to ``features``
    # Categorical columns that some of the features represent.
    categories: tuple[Categories, ...] = ()

    @property
    def name(self) -> str:
        return type(self.estimator).__name__

    @property
    def prototypes(self) -> Any:
        """The estimator if it is a prototype classifier of this library, else None."""
        is_ours = isinstance(self.estimator, PrototypeClassifier)
        return self.estimator if is_ours else None

    @property
    def picture(self) -> Any:
        """The estimator if it is a ClassifierMap, else None."""
        return self.estimator if hasattr(self.estimator, "regions_") else None

    @property
    def classifier(self) -> Any:
        """The estimator, or the classifier in a ClassifierMap; None if neither."""
        if self.picture is not None:
            return self.picture.classifier
        return self.estimator if _decides(self.estimator) else None

    @property
    def is_precomputed(self) -> bool:
        """Whether X contains dissimilarities, which are not features."""
        metric = getattr(self.estimator, "metric", None)
        return isinstance(metric, str) and metric == "precomputed"

    def rows_of(self, model: "Unwrapped", rows: Array) -> Array | None:
        """Return input rows of a model as input of this estimator; None if unknown."""
        if model.is_precomputed or self.is_precomputed:
            return None
        if model.estimator is self.estimator or model.X is self.X:
            return np.asarray(rows)
        if not (model.units.from_start and self.units.from_start):
            return None
        return self.units.to_model(model.units.to_data(rows))


def unwrap(
    thing: Any,
    X: Any,
    feature_names: Sequence[str] | None,
    categories: Sequence[Categories] = (),
) -> Unwrapped:
    """Return a fitted estimator or pipeline with its data and categorical columns."""
    steps, estimator = _steps(thing)
    if hasattr(estimator, "__sklearn_tags__"):  # others cannot be checked
        check_is_fitted(estimator)
    stages = [X]
    for step in steps:
        stages.append(step.transform(stages[-1]))
    tables = [numbers(stage) for stage in stages]
    first = len(steps)
    while first > 0 and _only_scales(steps, tables, first):
        first -= 1
    features = tables[first]
    if features is None:
        raise _not_numbers(stages[first])
    subject = Unwrapped(estimator, stages[-1], tables[-1], features, [])
    if subject.is_precomputed:
        return replace(subject, features=features[:, :0])
    names = _names(feature_names, thing, stages, first, features.shape[1])
    units = Units(tuple(steps[first:]), first == 0)
    if first == 0:
        of_features = checked_categories(categories, features.shape[1])
        subject = replace(subject, categories=of_features)
    return replace(subject, names=names, units=units)


def plain(
    X: Any,
    feature_names: Sequence[str] | None,
    n_points: int,
    categories: Sequence[Categories] = (),
) -> Unwrapped:
    """Return data without an estimator; X may be None."""
    if X is None:
        return Unwrapped(None, None, None, np.empty((n_points, 0)), [])
    table = numbers(X)
    if table is None:
        raise _not_numbers(X)
    names = _names(feature_names, None, [X], 0, table.shape[1])
    of_table = checked_categories(categories, table.shape[1])
    return Unwrapped(None, X, table, table, names, categories=of_table)


def _steps(thing: Any) -> tuple[list[Any], Any]:
    """Return the transformers of a pipeline, and its last step."""
    if not isinstance(thing, Pipeline):
        return [], thing
    *before, (_, last) = thing.steps
    steps = [step for _, step in before if step not in (None, "passthrough")]
    inner, estimator = _steps(last)
    return [*steps, *inner], estimator


def _only_scales(steps: list[Any], tables: list[Array | None], stage: int) -> bool:
    """Return whether a step only changes the units of features."""
    before, after = tables[stage - 1], tables[stage]
    return (
        can_be_undone(steps[stage - 1])
        and before is not None
        and after is not None
        and before.shape == after.shape
    )


def _decides(estimator: Any) -> bool:
    if not hasattr(estimator, "predict"):
        return False
    if not hasattr(estimator, "__sklearn_tags__"):  # from another library
        return hasattr(estimator, "classes_")
    return bool(is_classifier(estimator))


def _names(
    given: Sequence[str] | None, thing: Any, stages: list[Any], first: int, d: int
) -> list[str]:
    """Return the given feature names, or those of the data or the model."""
    if given is not None:
        if len(given) != d:
            raise scene_error(
                f"feature_names needs {d} names for {d} features, got {len(given)}.",
                "feature_names",
            )
        return [str(name) for name in given]
    known = getattr(stages[first], "columns", None)
    if known is None and first == 0:
        known = getattr(thing, "feature_names_in_", None)
    if known is None and first > 0:
        with suppress(AttributeError, ValueError, TypeError):
            known = thing[:first].get_feature_names_out()
    if known is None or len(known) != d:
        return [f"x{j + 1}" for j in range(d)]
    return [str(name) for name in known]


def _not_numbers(X: Any) -> InputError:
    try:
        shape = np.shape(X)
    except ValueError:
        return scene_error("the rows of X have different lengths.")
    if len(shape) != 2:
        return scene_error(
            f"X must be a table with one row per point, got an array of shape {shape}."
        )
    return scene_error(
        f"column {first_text(X)} of X contains values that are not numbers. Turn it "
        "into numbers first, for example with datasets.TableEncoder in a Pipeline."
    )


# The roles in a scene: the map, the prototype model, the classifier.


@dataclass(frozen=True, eq=False)
class SceneRoles:
    """The estimators of a scene by their roles."""

    subject: Unwrapped  # the subject, or the data alone if positions were given
    model: Unwrapped | None  # the prototype model that is shown
    classifier: Unwrapped | None  # the classifier whose decisions are shown
    n_points: int  # number of points

    @property
    def features_from(self) -> Unwrapped:
        """The estimator whose input features are shown: the model, or the subject."""
        return self.subject if self.model is None else self.model


def roles_of(subject: Subject, data: Data) -> SceneRoles:
    """Return the role of each estimator."""
    thing, X, names = subject.model_or_map, data.X, data.feature_names
    n = _n_points(thing, X)
    categories = data.categories or ()
    model = None
    if subject.prototypes is not None and subject.prototypes is not False:
        model, names = unwrap(subject.prototypes, X, names, categories), None
        if model.prototypes is None:
            raise TypeError(
                "build_scene: prototypes must be a fitted classifier of "
                "labelscape.prototypes, or a pipeline that ends in one; got "
                f"{model.name}."
            )
    if is_positions(thing):
        main = plain(X, names, n, categories)
    else:
        main = unwrap(thing, X, names, categories)
    if subject.prototypes is False:
        return SceneRoles(main, None, None, n)
    if model is None and main.prototypes is not None:
        model = main
    decider = model if model is not None else main
    if subject.classifier is not None:
        decider = unwrap(subject.classifier, X, None)
        if decider.classifier is None:
            raise TypeError(
                "build_scene: classifier must be a fitted classifier, got "
                f"{decider.name}."
            )
    decides = decider.classifier is not None
    return SceneRoles(main, model, decider if decides else None, n)


def is_positions(thing: Any) -> bool:
    """Return whether an object is an array of positions, not an estimator."""
    if isinstance(thing, np.ndarray | list | tuple):
        return True
    return hasattr(thing, "__array__") and not hasattr(thing, "fit")


def _n_points(thing: Any, X: Any) -> int:
    if isinstance(thing, type) or not (is_positions(thing) or hasattr(thing, "fit")):
        raise TypeError(
            "build_scene: the first argument must be a fitted model or map, or an "
            f"array of positions with one row per point; got {shown(thing)}."
        )
    rows = thing if X is None and is_positions(thing) else X
    if rows is None:
        raise scene_error(
            f"X is missing. {type(thing).__name__} is shown with the data "
            "it was fitted to, or with similar data: pass them as X."
        )
    shape = getattr(rows, "shape", None)
    if shape is None:
        shape = (len(rows),) if hasattr(rows, "__len__") else ()
    if isinstance(rows, type) or not shape:
        raise scene_error(
            f"X must be a table with one row per point, got {shown(rows)}.", "X"
        )
    if shape[0] == 0:
        raise scene_error("there are no points to show.")
    return int(shape[0])


# The predictions of a classifier, and their certainty.


class Decisions(NamedTuple):
    """Labels (n,) that a classifier predicts, and its certainty (n,) from 0 to 1."""

    labels: Array
    certainty: NDArray[np.float32]
    classes: list[Any]
    # (n, C) probability of each class, if the classifier has probabilities
    probabilities: Array | None = None


def decisions(subject: Unwrapped) -> Decisions:
    """Return the predictions of a classifier for the points."""
    model = subject.prototypes
    if model is not None:
        labels = model.predict(subject.data)
        P = model.predict_proba(subject.data)
        certainty = P.max(axis=1).astype(np.float32)
        return Decisions(labels, certainty, model.classes_.tolist(), P)
    from labelscape.boundary._internal import ClassScores

    scores = ClassScores(subject.classifier)
    r = scores.values(subject.X)
    labels, certainty = scores.labels(r), scores.certainty(r)
    P = r if scores.kind == "probability" else None
    certainty = certainty.astype(np.float32)
    return Decisions(labels, certainty, scores.classes_.tolist(), P)


class Cast(NamedTuple):
    """The estimators of a scene by roles, their predictions, and the classes."""

    roles: SceneRoles
    decided: Decisions | None  # by the classifier
    of_model: Decisions | None  # by the prototype model
    points: Labeled


def cast_of(subject: Subject, data: Data) -> Cast:
    """Return the estimators of a scene, and what they predict."""
    roles = roles_of(subject, data)
    model = roles.model
    decided = None if roles.classifier is None else decisions(roles.classifier)
    is_other = model is not None and model is not roles.classifier
    of_model = decisions(model) if model is not None and is_other else decided
    known = [*getattr(decided, "classes", ()), *getattr(of_model, "classes", ())]
    return Cast(roles, decided, of_model, labeled(data.y, roles.n_points, known))
