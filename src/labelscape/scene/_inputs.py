"""What was given to be shown, who plays which part, and who decides."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from labelscape._core.columns import Categories
from labelscape._core.errors import InputError, shown
from labelscape.prototypes._internal import PrototypeClassifier
from labelscape.scene._features import check_categories
from labelscape.scene._units import (
    Matrix,
    Mixed,
    Scale,
    Undone,
    Units,
    can_be_undone,
    first_text,
    numbers,
    unmixed,
)
from labelscape.scene.subject import Data, Subject

# A fitted estimator out of its pipeline, and the data as it sees them.


@dataclass(frozen=True, eq=False)
class Unwrapped:
    """A fitted estimator, the last of its pipeline, with its data."""

    # A map, a classifier or both; None for places that were given.
    estimator: Any
    # (n, N) What it is given.
    data: Any
    # (n, N) The same as numbers.
    X: Matrix | None
    # (n, d) The features that a person reads.
    shown: Matrix
    # Their names.
    names: list[str]
    # The way from X to ``shown``.
    units: Units = field(default_factory=Units)
    # Columns that some of the shown features stand for.
    categories: tuple[Categories, ...] = ()
    # What became of a data frame that holds words, if that is so.
    mixed: Mixed | None = None

    @property
    def name(self) -> str:
        """What the estimator is called."""
        return type(self.estimator).__name__

    @property
    def prototypes(self) -> Any:
        """The estimator if it is a prototype classifier of ours, else None."""
        is_ours = isinstance(self.estimator, PrototypeClassifier)
        return self.estimator if is_ours else None

    @property
    def picture(self) -> Any:
        """The estimator if it is a ClassifierMap, else None."""
        return self.estimator if hasattr(self.estimator, "regions_") else None

    @property
    def classifier(self) -> Any:
        """What decides: the estimator, or the classifier it pictures; None if none."""
        if self.picture is not None:
            return self.picture.classifier
        return self.estimator if _decides(self.estimator) else None

    def pictures(self, other: "Unwrapped") -> bool:
        """Return whether this is a picture of the classifier that decides."""
        return self.picture is not None and self.classifier is other.classifier

    def pictured(self, seed: int) -> "Unwrapped":
        """Return a ClassifierMap of the classifier, fitted to the same data.

        Its own grid is as coarse as it can be: a scene covers more of the plane.
        """
        from labelscape.boundary import ClassifierMap

        picture = ClassifierMap(self.estimator, None, 2, random_state=seed)
        return replace(self, estimator=picture.fit(self.X))

    def seen(self, model: "Unwrapped", rows: Matrix) -> Matrix | None:
        """Return rows as a model sees them, as this estimator sees objects.

        None if the way from the one to the other is not known.
        """
        if model.is_precomputed or self.is_precomputed:
            return None
        if model.estimator is self.estimator or model.X is self.X:
            return np.asarray(rows)
        if not (model.units.from_start and self.units.from_start):
            return None
        return self.units.seen(model.units.shown(rows))

    @property
    def seen_categories(self) -> tuple[Categories, ...]:
        """The columns of categories, with their codes as the estimator sees them."""
        usual = np.nan_to_num(self.shown[:1])
        found = []
        for column in self.categories:
            rows = np.repeat(usual, len(column.words), axis=0).astype(np.float64)
            rows[:, column.features] = column.codes
            codes = self.units.seen(rows)[:, column.features]
            found.append(replace(column, codes=np.asarray(codes, dtype=np.float64)))
        return tuple(found)

    @property
    def is_precomputed(self) -> bool:
        """Whether X holds dissimilarities, which are no features."""
        metric = getattr(self.estimator, "metric", None)
        return isinstance(metric, str) and metric == "precomputed"


def unwrap(
    thing: Any,
    X: Any,
    feature_names: Sequence[str] | None,
    scale: Scale | None = None,
    categories: Sequence[Categories] = (),
) -> Unwrapped:
    """Return the subject of a fitted estimator or pipeline.

    ``scale`` is what its scalers do, if known; ``categories`` are
    columns that features of X stand for.
    """
    steps, estimator = _steps(thing)
    if hasattr(estimator, "__sklearn_tags__"):  # those of other libraries cannot tell
        check_is_fitted(estimator)
    stages = [X]
    for step in steps:
        stages.append(step.transform(stages[-1]))
    tables = [numbers(stage) for stage in stages]
    first = len(steps)
    while first > 0 and _shows_as_much(steps, tables, first):
        first -= 1
    shown = tables[first]
    if shown is None:
        raise _not_numbers(stages[first])
    subject = Unwrapped(estimator, stages[-1], tables[-1], shown, [])
    if subject.is_precomputed:
        return _without_features(subject)
    names = _names(feature_names, thing, stages, first, shown.shape[1])
    units = Units(tuple(steps[first:]), first == 0)
    if first > 0 and tables[0] is None and hasattr(X, "columns"):
        mixed = unmixed(steps[:first], X, shown, names)
        if mixed is not None:
            return _in_columns(subject, mixed, units, feature_names)
    of_shown = _checked_categories(categories, shown) if first == 0 else ()
    if scale is not None and units.scalers and units.from_start:
        units = replace(units, scale=_checked(scale, shown.shape[1]))
    return Unwrapped(estimator, stages[-1], tables[-1], shown, names, units, of_shown)


def _in_columns(
    subject: Unwrapped, mixed: Mixed, units: Units, given: Sequence[str] | None
) -> Unwrapped:
    """Return a subject whose features are shown as the columns of a frame are."""
    return replace(
        subject,
        shown=mixed.scale.shown(subject.shown),
        names=mixed.names if given is None else [str(name) for name in given],
        units=replace(units, scalers=(Undone(mixed.scale), *units.scalers)),
        categories=mixed.categories,
        mixed=mixed,
    )


def _checked_categories(
    categories: Sequence[Categories], shown: Matrix
) -> tuple[Categories, ...]:
    check_categories(categories, shown.shape[1])
    return tuple(categories)


def _checked(scale: Scale, n_features: int) -> Scale:
    if not len(scale.slopes) == len(scale.offsets) == n_features:
        raise InputError(
            f"scale must have a slope and an offset for each of the {n_features} "
            f"features, got {len(scale.slopes)} and {len(scale.offsets)}.",
            owner="build_scene",
            parameter="scale",
        )
    return scale


def plain(
    X: Any,
    feature_names: Sequence[str] | None,
    n_points: int,
    categories: Sequence[Categories] = (),
) -> Unwrapped:
    """Return the subject of data without an estimator; X may be None."""
    if X is None:
        nothing = np.empty((n_points, 0))
        return Unwrapped(None, None, None, nothing, [])
    table = numbers(X)
    if table is None:
        raise _not_numbers(X)
    names = _names(feature_names, None, [X], 0, table.shape[1])
    of_table = _checked_categories(categories, table)
    return Unwrapped(None, X, table, table, names, categories=of_table)


def _steps(thing: Any) -> tuple[list[Any], Any]:
    """Return the transformers of a pipeline, and what comes last."""
    if not isinstance(thing, Pipeline):
        return [], thing
    *before, (_, last) = thing.steps
    kept = [step for _, step in before if step is not None and step != "passthrough"]
    inner, estimator = _steps(last)
    return [*kept, *inner], estimator


def _shows_as_much(steps: list[Any], tables: list[Matrix | None], stage: int) -> bool:
    """Return whether the features before a step are those after it, in other units."""
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
    if not hasattr(estimator, "__sklearn_tags__"):  # of another library
        return hasattr(estimator, "classes_")
    return bool(is_classifier(estimator))


def _without_features(subject: Unwrapped) -> Unwrapped:
    return replace(subject, shown=subject.shown[:, :0], names=[])


def _names(
    given: Sequence[str] | None, thing: Any, stages: list[Any], first: int, d: int
) -> list[str]:
    """Return the names given, else those that the data or the model know."""
    if given is not None:
        if len(given) != d:
            raise InputError(
                f"feature_names must name the {d} features, got {len(given)} names.",
                owner="build_scene",
                parameter="feature_names",
            )
        return [str(name) for name in given]
    known = getattr(stages[first], "columns", None)
    if known is None and first == 0:
        known = getattr(thing, "feature_names_in_", None)
    if known is None and first > 0:
        known = _names_after(thing, first)
    if known is None or len(known) != d:
        return [f"x{j + 1}" for j in range(d)]
    return [str(name) for name in known]


def _names_after(pipeline: Any, first: int) -> Any:
    """Return what a pipeline calls its features after some steps, if it can tell."""
    try:
        return pipeline[:first].get_feature_names_out()
    except (AttributeError, ValueError, TypeError):
        return None


def _not_numbers(X: Any) -> InputError:
    try:
        shape = np.shape(X)
    except ValueError:
        return InputError("the rows of X have several lengths.", owner="build_scene")
    if len(shape) != 2:
        return InputError(
            f"X must be a table with one row per point, got an array of shape {shape}.",
            owner="build_scene",
        )
    return InputError(
        f"column {first_text(X)} of X holds something else than numbers. "
        "Turn it into numbers first, for example with datasets.TableEncoder in a "
        "Pipeline.",
        owner="build_scene",
    )


# The roles in a scene: the map, the model with prototypes, the classifier.


@dataclass(frozen=True, eq=False)
class SceneRoles:
    """The estimators of a scene by their roles."""

    # The subject, or the bare data where places were given.
    subject: Unwrapped
    # The prototype model that is shown.
    model: Unwrapped | None
    # The classifier whose decisions are shown.
    classifier: Unwrapped | None
    # Number of points.
    n_points: int

    @property
    def features_from(self) -> Unwrapped:
        """Whose features are shown: the model's, because its prototypes have them."""
        return self.subject if self.model is None else self.model


def roles_of(subject: Subject, data: Data) -> SceneRoles:
    """Return which estimator has which role."""
    thing, X, names = subject.model_or_map, data.X, data.feature_names
    n = _n_points(thing, X)
    about = (subject.scale, data.categories or ())
    model = None
    if subject.prototypes is not None and subject.prototypes is not False:
        model, names = unwrap(subject.prototypes, X, names, *about), None
        if model.prototypes is None:
            raise TypeError(
                "build_scene: prototypes must be a fitted classifier of "
                "labelscape.prototypes, or a pipeline that ends in one; got "
                f"{model.name}."
            )
    if is_places(thing):
        main = plain(X, names, n, about[1])
    else:
        main = unwrap(thing, X, names, *about)
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


def is_places(thing: Any) -> bool:
    """Return whether a thing is an array of places rather than an estimator."""
    if isinstance(thing, np.ndarray | list | tuple):
        return True
    return hasattr(thing, "__array__") and not hasattr(thing, "fit")


def _n_points(thing: Any, X: Any) -> int:
    if isinstance(thing, type) or not (is_places(thing) or hasattr(thing, "fit")):
        raise TypeError(
            "build_scene: the first argument must be a fitted model or map, or an "
            f"array of places with one row per point; got {shown(thing)}."
        )
    rows = thing if X is None and is_places(thing) else X
    if rows is None:
        raise InputError(
            f"X is missing. {type(thing).__name__} is shown with the data "
            "it was fitted to, or with others of their kind: pass them as X.",
            owner="build_scene",
        )
    n = _length(rows)
    if n == 0:
        raise InputError("there are no points to show.", owner="build_scene")
    return int(n)


def _length(rows: Any) -> int:
    shape = getattr(rows, "shape", None)
    if shape is None:
        shape = (len(rows),) if hasattr(rows, "__len__") else ()
    if isinstance(rows, type) or not shape:
        raise InputError(
            f"X must be a table with one row per point, got {shown(rows)}.",
            owner="build_scene",
            parameter="X",
        )
    return int(shape[0])


# What a classifier says of each point, and how sure it is.


class Decisions(NamedTuple):
    """Labels (n,) that a classifier gives, and its certainty (n,) from 0 to 1."""

    labels: NDArray[Any]
    certainty: NDArray[np.float32]
    classes: list[Any]
    # How likely each of the classes is (n, C), where the classifier says so.
    probabilities: NDArray[Any] | None = None


def decisions(subject: Unwrapped) -> Decisions:
    """Return what a classifier says of the points."""
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
