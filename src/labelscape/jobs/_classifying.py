"""A classifier and its picture: how good it is, and how far to believe the picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape._core.arguments import arguments, labels_argument, optional, text
from labelscape._core.arguments import path as path_rule
from labelscape._core.errors import FileName, InputError
from labelscape._model_file import load
from labelscape.datasets import Table
from labelscape.jobs._mapping import JOB, constant_features_named
from labelscape.jobs._steps import Begin, Step, silent
from labelscape.jobs.methods import classifier_named

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
    accuracy : float
        Share of right answers on these rows.
    picture : ClassifierMap
        The picture.
    agreement : float
        For which share of these rows the picture shows what the classifier says.
    note : str
        What the reader of the numbers should know.
    seconds : dict of str to float
        How long each step took.
    """

    table: Table
    name: str
    classifier: Any
    held_out: NDArray[np.bool_]
    accuracy: float
    picture: Any
    agreement: float
    note: str
    seconds: dict[str, float]

    def __str__(self) -> str:
        n = int(self.held_out.sum())
        lines = [
            f"{self.name}: right for {self.accuracy:.1%} of {n} held-out rows.",
            f"The picture shows what it says for {self.agreement:.1%} of them; "
            f"{self.picture.share_far_from_data_:.0%} of the picture is far from data.",
            self.note,
        ]
        return "\n".join(lines).rstrip()

    __repr__ = __str__

    def record(self) -> dict[str, Any]:
        """Return the numbers as one plain record, for scripts."""
        return {
            "classifier": self.name,
            "held_out": int(self.held_out.sum()),
            "accuracy": self.accuracy,
            "agreement": self.agreement,
            "share_far_from_data": self.picture.share_far_from_data_,
            "note": self.note or None,
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
        Parameters of what is trained that are not to keep their defaults.
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
    from labelscape.boundary import ClassifierMap

    begin = begin or silent
    X, y = table.X, table.y
    if y is None:
        raise ValueError(f"{table.name!r} has no classes, and a classifier needs them.")
    fitted, held_out = _split(y, seed)
    if model is None and (len(fitted) < FEWEST or len(np.unique(y[fitted])) < 2):
        raise ValueError(
            f"{table.name!r} has {len(y)} rows: too few to train a classifier on 70 % "
            f"of them, which takes {FEWEST} rows of two classes at least. Give more."
        )
    start = perf_counter()
    if model is None:
        wanted = classifier_named(classifier)
        begin(Step("training", wanted.estimator))
        chosen = make_pipeline(StandardScaler(), wanted.new(parameters or {}, seed))
        with constant_features_named(X[fitted], table.feature_names):
            chosen.fit(X[fitted], y[fitted])
        note = ""
    else:
        begin(Step("loading", str(model)))
        chosen = _loaded(model, X.shape[1])
        _check_classes(chosen, y)
        note = (
            "The model came from a file: it may have been trained on these rows, "
            "and then its accuracy says little."
        )
    accuracy = float(np.mean(chosen.predict(X[held_out]) == y[held_out]))
    trained = perf_counter()

    begin(Step("picturing"))
    picture = ClassifierMap(chosen, random_state=seed)
    some = fitted[:PICTURED]
    picture.fit(X[some], y[some])
    agreement = picture.score(X[held_out[:PICTURED]])
    done = perf_counter()

    last = chosen[-1] if hasattr(chosen, "steps") else chosen
    return ClassifyResult(
        table=table,
        name=type(last).__name__,
        classifier=chosen,
        held_out=np.isin(np.arange(len(X)), held_out),
        accuracy=accuracy,
        picture=picture,
        agreement=agreement,
        note=note,
        seconds={"fit": round(trained - start, 3), "picture": round(done - trained, 3)},
    )


def can_stratify(y: Any) -> bool:
    """Whether each class can be on both sides of a split."""
    y = labels_argument("can_stratify", "y", y)
    counts = np.unique(y, return_counts=True)[1]
    return bool(counts.min() > 1 and len(counts) <= TEST_SIZE * len(y))


def _split(y: NDArray[Any], seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return rows to train on and rows to hold out, in random order."""
    fitted, held_out = train_test_split(
        np.arange(len(y)),
        test_size=TEST_SIZE,
        stratify=y if can_stratify(y) else None,
        random_state=seed,
    )
    return fitted, held_out


def _loaded(path: str | Path, n_features: int) -> Any:
    model = load(path)
    if not hasattr(model, "predict"):
        raise InputError(
            FileName(Path(path), whole=True),
            f" holds a {type(model).__name__}, which is not a classifier.",
        )
    wanted = getattr(model, "n_features_in_", n_features)
    if wanted != n_features:
        raise InputError(
            "The model in ",
            FileName(Path(path), whole=True),
            f" was trained on {wanted} feature{'s' * (wanted != 1)}, and these data "
            f"have {n_features}. Give the data in the form it was trained on.",
        )
    return model


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
