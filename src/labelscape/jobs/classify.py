"""A classifier with its decision regions, or a prototype model, and their accuracy."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline

from labelscape._core.errors import FileName, InputError
from labelscape._core.estimator import Callback
from labelscape._core.params import arguments, optional, text
from labelscape._core.params import path as path_rule
from labelscape._core.plain import attributes
from labelscape._core.types import Array, Bools, Ints
from labelscape._model_file import load
from labelscape._resampling.trial import Problem, draw_split
from labelscape._resampling.units import units_of
from labelscape.datasets import Table
from labelscape.jobs.changes import decision_changes
from labelscape.jobs.fitting import (
    Clock,
    OfColumns,
    constant_features_named,
    scaler_for,
    watched,
)
from labelscape.jobs.map import NOT_REQUESTED
from labelscape.jobs.methods import PICTURE, classifier_named, method_named, split
from labelscape.jobs.order import RunOrder
from labelscape.jobs.scenes import data_of
from labelscape.jobs.words import Begin, Step, counted, silent, verdict_record
from labelscape.quality import ClassifierVerdict
from labelscape.quality._internal import judge_classifier
from labelscape.scene import Decider, Layouts, Scene, Subject, Trust, build_scene
from labelscape.scene import scene as records
from labelscape.scene._internal import Classes, layouts_of

TEST_SIZE = 0.3
# Attributes of the verdict that are written to JSON.
NUMBERS = ("accuracy", "accuracy_interval", "agreement", "agreement_interval")
FEWEST = 4  # minimum number of rows
# Maximum number of random rows to fit the picture to, and to test it on.
PICTURED = 5000
# Maximum number of rows times columns for which changes of decisions are computed.
MOST_CHANGED = 200_000


@dataclass(frozen=True, eq=False, repr=False)
class ClassifyResult:
    """A classifier, its accuracy, and a picture of its decision regions.

    Attributes
    ----------
    table : Table
        The data.
    name : str
        Name of the classifier.
    classifier : estimator
        The fitted classifier, with standardization if it was not loaded from a file.
    held_out : ndarray of bool of shape (n_rows,)
        Rows that were not used to fit the map of the classifier, nor the classifier if
        it was not loaded from a file.
    verdict : ClassifierVerdict
        How accurate the classifier and its map are on the held-out rows.
    picture : ClassifierMap
        The map of the classifier, with its decision regions.
    seconds : dict of str to float
        Duration of each step.
    layouts : Layouts or None
        Further maps that the page shows; None: they are fitted with its scene.
    """

    table: Table
    name: str
    classifier: Any
    held_out: Bools
    verdict: ClassifierVerdict
    picture: Any
    seconds: dict[str, float]
    layouts: Layouts | None = None

    @property
    def accuracy(self) -> float | None:
        """The balanced accuracy on held-out rows."""
        return self.verdict.accuracy

    @property
    def agreement(self) -> float | None:
        """The share of held-out rows that lie in a region of their predicted class."""
        return self.verdict.agreement

    def __str__(self) -> str:
        return (
            f"{self.name}, {int(self.held_out.sum())} rows held out.\n{self.verdict}\n"
            f"{self.picture.share_far_from_data_:.0%} of the map is extrapolation "
            "(no data nearby)."
        )

    __repr__ = __str__

    def record(self) -> dict[str, Any]:
        """Return the results as plain values, for scripts."""
        return {
            "classifier": self.name,
            "held_out": int(self.held_out.sum()),
            **attributes(self.verdict, (*NUMBERS, "chance")),
            **verdict_record(self.verdict),
            "share_far_from_data": self.picture.share_far_from_data_,
            "seconds": self.seconds,
        }

    @property
    def _subject(self) -> Subject:
        model = self.classifier
        last = model[-1] if isinstance(model, Pipeline) else model
        return Subject(
            self.picture,
            name=self.name,
            prototypes=model if hasattr(last, "prototypes_") else None,
            decider=Decider(self.name, self.verdict.accuracy),
            layouts=self.layouts,
        )

    def scene(self, *, seed: int = 0) -> Scene:
        """Return the scene of the page; ``seed`` is the random seed."""
        subject = self._subject
        changes = None if subject.prototypes is not None else _changes(self)
        return build_scene(
            replace(subject, changes=changes),
            replace(data_of(self.table), held_out=self.held_out),
            Trust(honesty=self.verdict),
            title=f"{self.table.name}: what {self.name} decides",
            random_state=seed,
        )


def _changes(result: ClassifyResult) -> records.DecisionChanges | None:
    """Return, for some rows, which values to change to get another prediction."""
    # Held-out rows first, because the classifier was not fitted to them.
    table, predict = result.table, result.picture.predict
    columns, column_of = np.unique(table.encoder.feature_columns, return_inverse=True)
    n, most = len(table.X), MOST_CHANGED // len(columns)
    rows = np.sort(np.argsort(~result.held_out, kind="stable")[:most])
    changes = decision_changes(predict, table.X, column_of, rows)
    if changes is None:
        return None
    other, sizes = np.arange(n), np.zeros(n, dtype=np.intp)
    other[changes.rows] = changes.other
    sizes[changes.rows] = [len(one) for one in changes.taken]
    answers = np.asarray(predict(table.X))
    answers[changes.rows] = changes.answers
    labels = np.unique(np.asarray(table.y)).tolist()
    classes = Classes([*labels, *result.picture.classes_.tolist()])
    return records.DecisionChanges(
        columns=tuple(columns.tolist()),
        other=other.astype(np.uint32),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
        taken=np.array([j for one in changes.taken for j in one], dtype=np.uint32),
        answers=classes.codes(answers),
    )


@arguments(classifier=text(), model=optional(path_rule()), **RunOrder.rules("classify"))
def classify_table(
    table: Table,
    classifier: str = "svm",
    *,
    model: str | Path | None = None,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    begin: Begin | None = None,
) -> ClassifyResult:
    """Train or load a classifier, and draw its decision regions.

    Parameters
    ----------
    table : Table
        Labeled data.
    classifier : str, default="svm"
        Name of the classifier to train on 70% of the rows, as on the command line.
    model : path, default=None
        File of a trained classifier, written by `labelscape.save`, to use instead.
    parameters : mapping of str to object, default=None
        Parameters of the classifier that differ from their defaults. Parameters of the
        `ClassifierMap` begin with ``picture__``, such as ``picture__lambda2``;
        ``picture__projection`` is the method of the map on which regions are drawn.
    seed, begin
        As for `map_table`.

    Returns
    -------
    ClassifyResult

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> result = classify_table(load("iris"), "logistic")
    >>> result.accuracy > 0.9, result.agreement > 0.9
    (True, True)
    """
    begin, clock = begin or silent, Clock()
    of_picture, own = split(PICTURE.name, parameters or {})
    X, y = table.X, table.y
    if y is None:
        raise ValueError(f"{table.name!r} has no classes, but a classifier needs them.")
    fitted, held_out = held_out_rows(X, y, table.groups, seed)
    if model is None:
        estimator = _trained(classifier, table, fitted, own, seed, begin)
    else:
        begin(Step("loading", str(model)))
        estimator = _loaded(model, table)
    clock.lap("fit")

    begin(Step("picturing"))
    picture = _picture(estimator, X, y, fitted, of_picture, seed)
    verdict = _verdict(estimator, picture, table, held_out[:PICTURED], seed)
    if model is not None:  # its training rows are unknown
        why = "the model came from a file and may have been trained on these rows"
        if verdict.accuracy is not None:
            why += f" (it is right for {verdict.accuracy:.0%} of them)"
        verdict = replace(
            verdict, real="untested", accuracy=None, accuracy_interval=None, why=why
        )
    clock.lap("picture")

    last = estimator.model if isinstance(estimator, OfColumns) else estimator
    last = last[-1] if hasattr(last, "steps") else last
    result = ClassifyResult(
        table=table,
        name=type(last).__name__,
        classifier=estimator,
        held_out=np.isin(np.arange(len(X)), held_out),
        verdict=verdict,
        picture=picture,
        seconds=clock.seconds,
    )
    if result._subject.prototypes is None:
        return result
    layouts = layouts_of(result._subject, data_of(table), random_state=seed)
    return replace(result, layouts=layouts)


def _trained(
    name: str,
    table: Table,
    rows: Ints,
    parameters: Mapping[str, Any],
    seed: int,
    begin: Begin,
) -> Pipeline:
    """Return a classifier trained on some rows of a table."""
    X, y = table.X[rows], np.asarray(table.y)[rows]
    if len(rows) < FEWEST or len(np.unique(y)) < 2:
        raise ValueError(
            f"{table.name!r} has {len(table.X)} rows, too few to train a classifier on "
            f"70% of them. Training needs at least {FEWEST} rows and two classes."
        )
    method = classifier_named(name)
    begin(Step("training", method.estimator))
    scaler = scaler_for(X, table.encoder)
    model = make_pipeline(scaler, method.new(parameters, seed))
    with constant_features_named(X, table.feature_names):
        return model.fit(X, y)


def _verdict(
    classifier: Any, picture: Any, table: Table, rows: Ints, seed: int
) -> ClassifierVerdict:
    """Return the accuracy of a classifier and its map on held-out rows."""
    X, y = table.X, np.asarray(table.y)
    # Rows of classes that were not in its training data are not counted.
    rows = rows[np.isin(y[rows], getattr(classifier, "classes_", y))]
    groups = None if table.groups is None else table.groups[rows]
    return judge_classifier(
        y[rows],
        classifier.predict(X[rows]),
        picture.agrees(X[rows]),
        units_of(X[rows], groups).of_row,
        np.random.RandomState(seed),
    )


def _picture(
    classifier: Any,
    X: Array,
    y: Array,
    rows: Ints,
    settings: Mapping[str, Any],
    seed: int,
) -> Any:
    """Return the map of a classifier, fitted to some of these rows."""
    from labelscape.boundary import ClassifierMap

    of_map, own = split("projection", settings)
    for unknown in own.keys() - set(PICTURE.parameters):
        raise InputError(
            f"the map of a classifier has no parameter {unknown!r}. "
            f"Available: {', '.join(PICTURE.parameters)}.",
            owner="classify_table",
            parameter="parameters",
        )
    name = own.get("projection")
    method = method_named(name) if name else None
    most = method.fits_rows if method and method.fits_rows else PICTURED
    X, y = X[rows[: min(PICTURED, most)]], y[rows[: min(PICTURED, most)]]
    if method is not None:
        n_classes = len(np.unique(y))
        method.check_dimensions(2, X.shape[1], n_classes)
        projection = method.set_parameters(
            method.make(2, len(X), n_classes, seed), of_map
        )
        own["projection"] = make_pipeline(scaler_for(X), projection)
    return ClassifierMap(classifier, random_state=seed, **own).fit(X, y)


def held_out_rows(X: Array, y: Array, groups: Any, seed: int) -> tuple[Ints, Ints]:
    """Split the rows into 70% for training and 30% held out; groups stay together."""
    rng = np.random.RandomState(seed)
    _, codes = np.unique(y, return_inverse=True)
    units = units_of(X, groups, codes=codes, owner="classify_table").of_row
    split = draw_split(codes, units, TEST_SIZE, rng)
    return rng.permutation(split.fitted), rng.permutation(split.unseen)


def _loaded(path: str | Path, table: Table) -> Any:
    """Load a classifier, and check that it fits the features or columns of a table."""
    model, n_features = load(path), len(table.feature_names)
    if not hasattr(model, "predict"):
        raise InputError(
            FileName(Path(path), whole=True),
            f" contains a {type(model).__name__}, which is not a classifier.",
        )
    names = [str(name) for name in getattr(model, "feature_names_in_", ())]
    columns = table.encoder.column_names
    # A classifier that was trained on columns, and encodes them itself, gets the
    # columns.
    of_columns = names and names != table.feature_names and {*names} <= {*columns}
    wanted = getattr(model, "n_features_in_", n_features)
    if not of_columns and wanted != n_features:
        absent = [repr(name) for name in names if name not in columns]
        more = f" and {len(absent) - 3} more" if absent[3:] else ""
        lacks = f" and lack {', '.join(absent[:3])}{more}" if absent else ""
        raise InputError(
            "The model in ",
            FileName(Path(path), whole=True),
            f" was trained on {counted(wanted, 'feature')}, but these data have "
            f"{n_features}{lacks}. Use data with the features of the training data.",
        )
    y = np.asarray(table.y)
    known = {str(label) for label in getattr(model, "classes_", y)}
    given = {str(label) for label in np.unique(y)}
    if not known & given:
        raise ValueError(
            f"The model has the classes {', '.join(sorted(known)[:5])}, but the data "
            f"have {', '.join(sorted(given)[:5])}: none in common. Use data with the "
            "classes of the training data."
        )
    return OfColumns(model, table.encoder) if of_columns else model


# A few prototypes that represent the classes of a table.

FOLDS = 5


@dataclass(frozen=True, eq=False, repr=False)
class PrototypeResult:
    """A prototype model of a table.

    Attributes
    ----------
    table : Table
        The data.
    method : str
        Name of the method.
    model : Pipeline
        Standardization, followed by the fitted model.
    verdict : ClassifierVerdict
        The accuracy of this kind of model on held-out rows.
    seconds : dict of str to float
        Duration of the fit.
    layouts : Layouts or None
        The maps that the page shows; None: they are fitted with its scene.
    """

    table: Table
    method: str
    model: Pipeline
    verdict: ClassifierVerdict
    seconds: dict[str, float]
    layouts: Layouts | None = None

    def __str__(self) -> str:
        return f"{len(self.model[-1].prototypes_)} prototypes. {self.verdict}"

    __repr__ = __str__

    def scene(self, *, seed: int = 0) -> Scene:
        """Return the scene of the page; ``seed`` is the random seed."""
        title = method_named(self.method, "prototypes").title
        return build_scene(
            Subject(
                self.model,
                decider=Decider(title, self.verdict.accuracy),
                layouts=self.layouts,
            ),
            data_of(self.table),
            Trust(honesty=self.verdict),
            title=f"{self.table.name}: {title}",
            random_state=seed,
        )


@arguments(**RunOrder.rules("prototypes"))
def prototype_table(
    table: Table,
    method: str = "pag",
    *,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    judge: bool = True,
    begin: Begin | None = None,
    callback: Callback | None = None,
) -> PrototypeResult:
    """Standardize a table and fit prototypes that represent its classes.

    Parameters
    ----------
    table : Table
        Labeled data.
    method : str, default="pag"
        Name of a prototype method, as in the app.
    parameters : mapping of str to object, default=None
        Parameters of the method that differ from their defaults.
    judge : bool, default=True
        Whether to measure the accuracy on held-out rows, which takes five fits.
    seed, begin, callback
        As for `map_table`.

    Returns
    -------
    PrototypeResult

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> result = prototype_table(load("iris"), "kmeans")
    >>> len(result.model[-1].prototypes_), result.verdict.accuracy > 0.9
    (15, True)
    """
    chosen = method_named(method, "prototypes")
    if table.y is None:
        raise InputError(f"{table.name!r} has no classes, but prototypes need them.")
    begin, clock = begin or silent, Clock()
    estimator = chosen.new(parameters or {}, seed)
    begin(Step("fitting", chosen.estimator))
    model = make_pipeline(scaler_for(table.X, table.encoder), estimator)
    with watched(estimator, callback, table):
        model.fit(table.X, table.y)
    clock.lap("fit")
    verdict = ClassifierVerdict("untested", None, why=NOT_REQUESTED)
    if judge:
        step = begin(Step("judging", chosen.estimator, FOLDS))
        verdict = _cross_validated(model, table, seed, step)
    clock.lap("honesty")
    begin(Step("drawing"))
    layouts = layouts_of(Subject(model), data_of(table), random_state=seed)
    return PrototypeResult(table, chosen.name, model, verdict, clock.seconds, layouts)


def _cross_validated(
    model: Any, table: Table, seed: int, step: Callable[..., Any]
) -> ClassifierVerdict:
    """Return the accuracy of this kind of model on held-out rows."""
    X, y = table.X, np.asarray(table.y)
    classes, codes = np.unique(y, return_inverse=True)
    units, rng = units_of(X, table.groups, codes=codes), np.random.RandomState(seed)
    problem = Problem.of_table(X, codes, units, classes, None, rng)
    if problem.n_classes < len(classes):
        return ClassifierVerdict(
            "untested", None, why="a class has fewer than two independent rows"
        )
    folds = min(FOLDS, problem.fewest_units)
    answers, _ = problem.predictions(model, X, folds, rng, step)
    rng = np.random.RandomState(seed)
    return judge_classifier(y, answers, None, units.of_row, rng)
