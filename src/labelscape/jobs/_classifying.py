"""A classifier and its picture: how good it is, and how far to believe the picture."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.pipeline import make_pipeline
from sklearn.utils.metaestimators import available_if

from labelscape._core.arguments import (
    arguments,
    labels_argument,
    matrix_argument,
    optional,
    text,
)
from labelscape._core.arguments import path as path_rule
from labelscape._core.errors import FileName, InputError
from labelscape._core.rules import whole
from labelscape._model_file import load
from labelscape.datasets import Table, TableEncoder
from labelscape.jobs._mapping import JOB
from labelscape.jobs._records import verdict_record
from labelscape.jobs._scaling import scaler_for
from labelscape.jobs._settable import PICTURE, split
from labelscape.jobs._steps import Begin, Step, silent
from labelscape.jobs.fitting.around import constant_features_named
from labelscape.jobs.methods import classifier_named, method_named
from labelscape.quality._internal import (
    ClassifierVerdict,
    draw_split,
    judged_classifier,
    units_of,
)

TEST_SIZE = 0.3
# A picture of fewer rows would say nothing.
FEWEST = 4
# The picture of a larger table is made from, and judged on, so many random rows.
PICTURED = 5000


@dataclass(frozen=True, eq=False, repr=False)
class ClassifyResult:
    """A classifier, how good it is, and its picture.

    Attributes
    ----------
    table : Table
        The data.
    name : str
        What the classifier is called.
    classifier : estimator
        The fitted classifier; one that was trained here standardises first.
    held_out : ndarray of bool of shape (n_rows,)
        The rows that the picture, and a classifier trained here, have not seen.
    verdict : ClassifierVerdict
        How good it is for these rows, and how far the picture shows what it says.
    picture : ClassifierMap
        The picture.
    seconds : dict of str to float
        How long each step took.
    """

    table: Table
    name: str
    classifier: Any
    held_out: NDArray[np.bool_]
    verdict: ClassifierVerdict
    picture: Any
    seconds: dict[str, float]

    @property
    def accuracy(self) -> float | None:
        """The mean over classes of the share of right answers on held-out rows."""
        return self.verdict.accuracy

    @property
    def agreement(self) -> float | None:
        """For which share of held-out rows the picture shows what it says."""
        return self.verdict.agreement

    def __str__(self) -> str:
        lines = [
            f"{self.name}, {int(self.held_out.sum())} rows held out.",
            str(self.verdict),
            f"{self.picture.share_far_from_data_:.0%} of the picture is far from data.",
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def record(self) -> dict[str, Any]:
        """Return the numbers as one plain record, for scripts."""
        return {
            "classifier": self.name,
            "held_out": int(self.held_out.sum()),
            "accuracy": self.accuracy,
            "accuracy_interval": self.verdict.accuracy_interval,
            "agreement": self.agreement,
            "agreement_interval": self.verdict.agreement_interval,
            "chance": self.verdict.chance,
            **verdict_record(self.verdict),
            "share_far_from_data": self.picture.share_far_from_data_,
            "seconds": self.seconds,
        }


@arguments(classifier=text(), model=optional(path_rule()), **JOB)
def classify_table(
    table: Table,
    classifier: str = "svm",
    *,
    model: str | Path | None = None,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    begin: Begin | None = None,
) -> ClassifyResult:
    """Train a classifier, or load one, and make a picture of what it decides where.

    Parameters
    ----------
    table : Table
        Labelled data.
    classifier : str, default="svm"
        Name of what to train, on 70 % of the rows, as on the command line.
    model : path, default=None
        A file that `labelscape.save` wrote: shown instead of training anything.
    parameters : mapping of str to object, default=None
        Parameters of what is trained that are not to keep their defaults. Those of its
        picture begin with ``picture__``, as ``picture__lambda2`` does; the map under
        it is the method that ``picture__projection`` names.
    seed : int, default=0
        Seed of everything random.
    begin : callable, default=None
        Told what begins, as in `map_table`.

    Returns
    -------
    ClassifyResult

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> found = classify_table(load("iris"), "logistic")
    >>> found.accuracy > 0.9, found.agreement > 0.9
    (True, True)
    """
    begin = begin or silent
    of_picture, own = split(PICTURE.name, parameters or {})
    X, y = table.X, table.y
    if y is None:
        raise ValueError(f"{table.name!r} has no classes, and a classifier needs them.")
    fitted, held_out = held_out_rows(X, y, table.groups, seed)
    if model is None and (len(fitted) < FEWEST or len(np.unique(y[fitted])) < 2):
        raise ValueError(
            f"{table.name!r} has {len(y)} rows: too few to train a classifier on 70 % "
            f"of them, which takes {FEWEST} rows of two classes at least. Give more."
        )
    start = perf_counter()
    if model is None:
        wanted = classifier_named(classifier)
        begin(Step("training", wanted.estimator))
        chosen = make_pipeline(scaler_for(X[fitted]), wanted.new(own, seed))
        with constant_features_named(X[fitted], table.feature_names):
            chosen.fit(X[fitted], y[fitted])
    else:
        begin(Step("loading", str(model)))
        chosen = _loaded(model, table)
        _check_classes(chosen, y)
    trained = perf_counter()

    begin(Step("picturing"))
    some = fitted[: _n_pictured(of_picture)]
    picture = _picture(chosen, X[some], y[some], of_picture, seed)
    picture.fit(X[some], y[some])
    out = held_out[:PICTURED]
    # A class that it does not know is no mistake of its own.
    out = out[np.isin(y[out], getattr(chosen, "classes_", y))]
    verdict = judged_classifier(
        y[out],
        chosen.predict(X[out]),
        picture.agrees(X[out]),
        units_of(X[out], None if table.groups is None else table.groups[out]).of_row,
        np.random.RandomState(seed),
    )
    if model is not None:
        verdict = _of_a_file(verdict)
    done = perf_counter()

    last = chosen.model if isinstance(chosen, OfColumns) else chosen
    last = last[-1] if hasattr(last, "steps") else last
    return ClassifyResult(
        table=table,
        name=type(last).__name__,
        classifier=chosen,
        held_out=np.isin(np.arange(len(X)), held_out),
        verdict=verdict,
        picture=picture,
        seconds={"fit": round(trained - start, 3), "picture": round(done - trained, 3)},
    )


def _n_pictured(settings: Mapping[str, Any]) -> int:
    """Return how many rows a picture is made from, at most."""
    name = settings.get("projection")
    most = method_named(name).fits_rows if name else None
    return min(PICTURED, most or PICTURED)


def _picture(
    classifier: Any,
    X: NDArray[Any],
    y: NDArray[Any],
    settings: Mapping[str, Any],
    seed: int,
) -> Any:
    """Return the picture of a classifier, not yet fitted."""
    from labelscape.boundary import ClassifierMap

    of_map, own = split("projection", settings)
    for unknown in own.keys() - set(PICTURE.parameters):
        raise InputError(
            f"there is no parameter {unknown!r} of the picture. "
            f"There are: {', '.join(PICTURE.parameters)}.",
            owner="classify_table",
            parameter="parameters",
        )
    if name := own.get("projection"):
        method, n_classes = method_named(name), len(np.unique(y))
        method.check_dimensions(2, X.shape[1], n_classes)
        projection = method._set(method.make(2, len(X), n_classes, seed), of_map)
        own["projection"] = make_pipeline(scaler_for(X), projection)
    return ClassifierMap(classifier, random_state=seed, **own)


def _of_a_file(verdict: ClassifierVerdict) -> ClassifierVerdict:
    """Return the verdict on a model of which nobody knows what it was trained on."""
    why = "the model came from a file and may have been trained on these rows"
    if verdict.accuracy is not None:
        why += f", of which it gets {verdict.accuracy:.0%} right"
    return replace(
        verdict, real="untested", accuracy=None, accuracy_interval=None, why=why
    )


@arguments(seed=whole(0, 2**32 - 1))
def held_out_rows(
    X: NDArray[Any], y: NDArray[Any], groups: Any = None, seed: int = 0
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows to train on, 70 %, and rows to hold out, in random order.

    Parameters
    ----------
    X : array of shape (n, d)
        The rows. Equal ones stay on one side.
    y : array of shape (n,)
        Their classes, of which there is a share on both sides.
    groups : array of shape (n,), default=None
        What the rows belong to. Those of one group stay on one side.
    seed : int, default=0
        Seed of the draw.

    Returns
    -------
    fitted, held_out : ndarray of int
        Row numbers.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.arange(20.0).reshape(10, 2), np.repeat(["a", "b"], 5)
    >>> fitted, held_out = held_out_rows(X, y)
    >>> sorted([*fitted, *held_out]) == list(range(10))
    True
    """
    X = matrix_argument("held_out_rows", "X", X)
    y = labels_argument("held_out_rows", "y", y, size=len(X))
    rng = np.random.RandomState(seed)
    _, codes = np.unique(y, return_inverse=True)
    units = units_of(X, groups, codes=codes, owner="held_out_rows").of_row
    split = draw_split(codes, units, TEST_SIZE, rng)
    return rng.permutation(split.fitted), rng.permutation(split.unseen)


def _loaded(path: str | Path, table: Table) -> Any:
    """Return the classifier in a file, for the features of a table.

    One that was trained on the columns, and encodes them itself, gets the columns.
    """
    model, n_features = load(path), len(table.feature_names)
    if not hasattr(model, "predict"):
        raise InputError(
            FileName(Path(path), whole=True),
            f" holds a {type(model).__name__}, which is not a classifier.",
        )
    names = [str(name) for name in getattr(model, "feature_names_in_", ())]
    columns = table.encoder.column_names
    if names and names != table.feature_names and {*names} <= {*columns}:
        return OfColumns(model, table.encoder)
    wanted = getattr(model, "n_features_in_", n_features)
    if wanted != n_features:
        raise InputError(
            "The model in ",
            FileName(Path(path), whole=True),
            f" was trained on {wanted} feature{'s' * (wanted != 1)}, and these data "
            f"have {n_features}{_absent(names, columns)}. Give the data in the form it "
            "was trained on.",
        )
    return model


def _absent(names: Sequence[str], columns: Sequence[str]) -> str:
    """Return which columns of a model the data lack, as a part of a sentence."""
    absent = [name for name in names if name not in columns]
    if not absent:
        return ""
    more = f" and {len(absent) - 3} more" if absent[3:] else ""
    return f", without its {', '.join(map(repr, absent[:3]))}{more}"


def _gives_probabilities(classifier: "OfColumns") -> bool:
    return hasattr(classifier.model, "predict_proba")


class OfColumns:
    """A classifier that takes the columns of a table, for objects as features.

    Features are turned back into columns: numbers, and the category that is nearest.
    Missing values are as the table fills them in.
    """

    def __init__(self, model: Any, encoder: TableEncoder) -> None:
        self.model, self.encoder = model, encoder
        self.n_features_in_ = len(encoder.feature_names)

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes that it knows."""
        classes: NDArray[Any] = self.model.classes_
        return classes

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the class of each object."""
        answers: NDArray[Any] = self.model.predict(self._frame(X))
        return answers

    @available_if(_gives_probabilities)
    def predict_proba(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return how likely each class is for each object."""
        P: NDArray[Any] = self.model.predict_proba(self._frame(X))
        return P

    def _frame(self, X: NDArray[Any]) -> Any:
        """Return objects as a data frame of the columns that the model takes."""
        import pandas as pd  # a model of named columns was fitted to a frame of it

        encoder = self.encoder
        X = np.asarray(X, dtype=np.float64)
        plain = X / encoder.factor + encoder.shift
        known = {one.name: one for one in encoder.categories}
        first = {name: j for j, name in reversed([*enumerate(encoder.feature_columns)])}
        kinds = {code.name: code.kind for code in encoder.codes}
        columns = {}
        for name in map(str, self.model.feature_names_in_):
            values: Any = plain[:, first[name]]
            if kinds[name] == "boolean":
                values = values > 0.5
            elif kinds[name] == "date":
                values = pd.to_datetime(np.round(values * 86400e3), unit="ms")
            elif name in known:
                gaps = cdist(X[:, known[name].features], known[name].codes)
                values = np.array(known[name].words, dtype=object)[gaps.argmin(axis=1)]
                with suppress(ValueError):  # numbers that are categories
                    values = values.astype(np.float64)
            columns[name] = values
        return pd.DataFrame(columns)


def _check_classes(model: Any, y: NDArray[Any]) -> None:
    """Refuse a model none of whose classes the data have."""
    known = {str(label) for label in getattr(model, "classes_", y)}
    given = {str(label) for label in np.unique(y)}
    if not known & given:
        raise ValueError(
            f"The model knows the classes {', '.join(sorted(known)[:5])}, and the data "
            f"have {', '.join(sorted(given)[:5])}: none in common. Give the data or "
            "the column of classes that it was trained on."
        )
