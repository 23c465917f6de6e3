"""Stands in for what `labelscape.jobs` and `labelscape.datasets` are to offer.

It goes when they do: `Reading` comes from `labelscape.datasets`, all else from
`labelscape.jobs`; `as_begin` and `by_name` are needed no more.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np

from labelscape import jobs
from labelscape._core.rules import Rule, either, flag, number, one_of, rules_of, whole
from labelscape.datasets import ColumnInfo, Table, describe_columns, read_table

StepName = Literal[
    "reading",
    "loading",
    "fitting",
    "training",
    "measuring",
    "judging",
    "picturing",
    "drawing",
]
Group = Literal["map", "prototypes", "classifier"]


@dataclass(frozen=True)
class Step:
    """What a job begins to do."""

    name: StepName
    subject: str = ""
    total: int | None = None

    def __str__(self) -> str:
        return _WORDS[self.name].format(self.subject)


_WORDS = {
    "reading": "Reading {}",
    "loading": "Loading {}",
    "fitting": "Fitting {}",
    "training": "Training {}",
    "measuring": "Measuring quality",
    "judging": "Asking how honest {} is",
    "picturing": "Making its picture",
    "drawing": "Drawing",
}
Begin = Callable[[Step], Callable[..., Any]]


def as_begin(begin: Begin) -> Callable[[str, int | None], Callable[..., Any]]:
    """Let a job that still says words begin a step."""

    def begun(words: str, total: int | None) -> Callable[..., Any]:
        for name, pattern in _WORDS.items():
            start, _, end = pattern.partition("{}")
            if words.startswith(start) and words.endswith(end):
                subject = words[len(start) : len(words) - len(end)]
                return begin(Step(name, subject, total))  # type: ignore[arg-type]
        raise AssertionError(words)

    return begun


@dataclass(frozen=True)
class Reading:
    """How a file is written, and which columns are what."""

    label: str | int | None = None
    id: str | int | None = None
    drop: tuple[str | int, ...] = ()
    nominal: tuple[str | int, ...] = ()
    decimal: str = "."
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing_values: tuple[str, ...] = ()
    unlabelled: str = "error"
    missing: str = "impute"

    def read(self, source: Any, name: str | None = None) -> Table:
        """Return the table of a file."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        table = read_table(source, **given)
        record = dict(vars(table)) | ({} if name is None else {"name": name})
        return Table(**record)

    def describe(self, source: Any) -> list[ColumnInfo]:
        """Return what is in a file."""
        return describe_columns(
            source,
            delimiter=self.delimiter,
            decimal=self.decimal,
            encoding=self.encoding,
            header=self.header,
            missing_values=self.missing_values,
        )

    def code(self, file: str) -> str:
        """Return the call that reads a file in this way."""
        plain = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self._changed(missing="error").items()
        }
        given = "".join(f", {name}={value!r}" for name, value in plain.items())
        return f"read_table({file!r}{given})"

    def _changed(self, **usual: Any) -> dict[str, Any]:
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != usual.get(field.name, field.default)
        }


@dataclass(frozen=True)
class Method:
    """A method by its name."""

    name: str
    title: str
    group: Group
    room: str
    estimator: str
    keeps: str
    uses_labels: bool = True
    is_start: bool = False

    @property
    def kind(self) -> type:
        """The class of the estimator."""
        found: type = getattr(import_module(self.room), self.estimator)
        return found

    def rules(self) -> dict[str, Rule]:
        """Return the rules of the parameters that people set."""
        if self.name in _FOREIGN:
            return _FOREIGN[self.name]
        kind: Any = self.kind
        of_old = hasattr(kind, "_rules") and callable(kind._rules)
        found = kind()._rules() if of_old else rules_of(kind)
        return {name: rule for name, rule in found.items() if name not in _TECHNICAL}


_TECHNICAL = {
    "callback",
    "copy",
    "metric",
    "missing",
    "n_components",
    "n_jobs",
    "random_state",
    "verbose",
    "warm_start",
    "weights",
}
_FOREIGN: dict[str, dict[str, Rule]] = {
    "lda": {"shrinkage": either(number(0.0, 1.0), one_of("auto", None))},
    "nca": {"max_iter": whole(1)},
    "pca": {"whiten": flag()},
    "svm": {
        "C": number(above=0.0),
        "kernel": one_of("linear", "poly", "rbf", "sigmoid"),
        "gamma": either(one_of("scale", "auto"), number(0.0)),
    },
    "forest": {"n_estimators": whole(1), "max_depth": either(whole(1), one_of(None))},
    "logistic": {"C": number(above=0.0)},
}
_MAPS = {
    "liram": (
        "The plane in which the classes part best, with prototypes and the features "
        "that count."
    ),
    "local-liram": (
        "The same plane with a measure of its own for each class: borders may bend."
    ),
    "lfda": "A linear plane that parts the classes and keeps the groups inside each.",
    "lda": "The classical linear plane: class means far apart, classes narrow.",
    "nca": "A linear plane in which nearest neighbours have the same class.",
    "pca": "The linear plane with the largest spread. A first, neutral look.",
    "wmds": "Keeps distances, relative to their size.",
    "sammon": "Keeps all distances, the short ones most of all.",
    "cca": "Keeps distances that are short on the map, and lets the others tear.",
    "ddhds": "Keeps neighbourhoods of data with very many features.",
    "classimap": (
        "Keeps distances, and puts unavoidable errors where they do not mix classes."
    ),
    "xom": "Sorts the data into a simple shape, neighbours side by side.",
    "nexom": "Keeps neighbourhoods, from large to small.",
    "tsne": "Keeps close neighbours together, forms islands; new rows can be placed.",
    "fisher-tsne": (
        "The same islands, by distances that count only what changes the class."
    ),
    "fisher-mds": "Keeps distances that count what changes the class.",
}
_PROTOTYPES = {
    "gmlvq": (
        "GMLVQ",
        "Matrix LVQ",
        "Prototypes with one learned measure: which features count.",
    ),
    "pag": (
        "PushAndGrow",
        "Push and Grow",
        "As few prototypes as explain the classes, in plain units.",
    ),
    "lvqag": (
        "LVQAndGrow",
        "LVQ and Grow",
        "Prototypes that grow in number where classes need it.",
    ),
    "kmeans": (
        "KMeansPrototypes",
        "k-means per class",
        "The centres of each class, by k-means.",
    ),
    "icf": (
        "ICF",
        "Iterative case filtering",
        "Real objects of the table as prototypes; the others fall away.",
    ),
}
_CLASSIFIERS = {
    "svm": ("Support vector machine", "A smooth border that few objects hold up."),
    "forest": ("Random forest", "The vote of many decision trees."),
    "logistic": ("Logistic regression", "A straight border, with probabilities."),
}


@cache
def methods_of() -> tuple[Method, ...]:
    """Return all methods, in the order of the cards."""
    maps = [
        Method(
            old.name,
            old.title,
            "map",
            old.room,
            old.estimator,
            _MAPS[old.name],
            old.uses_labels,
            old.name in ("liram", "pca"),
        )
        for old in jobs.METHODS
    ]
    prototypes = [
        Method(name, title, "prototypes", "labelscape.prototypes", kind, keeps)
        for name, (kind, title, keeps) in _PROTOTYPES.items()
    ]
    classifiers = [
        Method(name, title, "classifier", *jobs.CLASSIFIERS[name], keeps)
        for name, (title, keeps) in _CLASSIFIERS.items()
    ]
    return (*maps, *prototypes, *classifiers)


@dataclass(frozen=True)
class PrototypeResult:
    """Prototypes of a table."""

    table: Table
    method: str
    model: Any
    accuracy: float
    seconds: dict[str, float]

    def __str__(self) -> str:
        return (
            f"{len(self.model[-1].prototypes_)} prototypes; right for "
            f"{self.accuracy:.1%} of the rows it was fitted to."
        )


def prototype_table(
    table: Table,
    method: str = "pag",
    *,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    begin: Begin,
    callback: Any = None,
) -> PrototypeResult:
    """Fit prototypes to a table."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    start = perf_counter()
    kind = next(one.kind for one in methods_of() if one.name == method)
    estimator = kind(**(parameters or {}))
    begin(Step("fitting", kind.__name__))
    names = estimator.get_params()
    if "random_state" in names:
        estimator.set_params(random_state=seed)
    if "callback" in names:
        estimator.set_params(callback=callback)
    model = make_pipeline(StandardScaler(), estimator).fit(table.X, table.y)
    if "callback" in names:
        estimator.set_params(callback=None)
    accuracy = float(np.mean(model.predict(table.X) == table.y))
    seconds = {"fit": perf_counter() - start}
    return PrototypeResult(table, method, model, accuracy, seconds)


def prototype_scene(found: PrototypeResult, *, seed: int = 0) -> Any:
    """Return what the page of prototypes shows."""
    from labelscape.scene import build_scene

    table = found.table
    return build_scene(
        found.model,
        table.X,
        table.y,
        feature_names=table.feature_names,
        feature_kinds=table.encoder.feature_kinds,
        imputed=table.imputed,
        ids=None if table.ids is None else table.ids.tolist(),
        title=f"{table.name}: {type(found.model[-1]).__name__}",
        random_state=seed,
    )


def by_name(words: str, names: Mapping[str, str]) -> str:
    """Return the words of an error that does not say yet what it means by a file."""
    for path, name in names.items():
        ours = f"{re.escape(path)}|{re.escape(Path(path).name)}"
        words = re.sub(ours, name.replace("\\", r"\\"), words)
    return words
