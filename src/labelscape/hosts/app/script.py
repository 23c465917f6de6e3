"""A run as Python code: whoever has the table gets the same places again."""

import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from labelscape.datasets import Table

HEAD = '''"""{title}

Repeats a run of the Labelscape app (version {version}): writes the places of all rows
to {written}.
"""

import csv

import numpy as np
{imports}

table = {table}
X, y = table.X, table.y

{fit}
names = range(len(y)) if table.ids is None else table.ids
with open("{written}", "w", newline="", encoding="utf-8") as file:
    rows = csv.writer(file)
    rows.writerow(["id", "class", {axes}])
    for name, label, place in zip(names, y, positions):
        rows.writerow([name, label, *map(float, place)])
print(f"Written: {written}, {{len(positions)}} rows")
'''

# Not the name of the positions that are saved from the page: both may be wanted.
WRITTEN = "positions-repeated.csv"

MAP = """model = {model}
positions = model.fit_transform(X, y{groups})"""

# Of a method that can not hold as many rows.
MAP_OF_SOME = """model = {model}
rows = fitted_rows(y, {most}, seed={seed})
X = model[0].fit_transform(X)
positions = model[-1].fit(X[rows], y[rows]).transform(X)"""
# Fitted rows stand where the fit put them, not where kernels would.
AS_FITTED = "\npositions[rows] = model[-1].embedding_"

# Of a map with one dimension, such as LDA for two classes.
ON_A_LINE = "\npositions = np.pad(positions, ((0, 0), (0, 1)))"

# Of a map that was fitted again to labels that a person had decided on.
REFIT = """again = refit_table(
    table, {decisions}, {method!r}, seed={seed}, parameters={parameters}
)
y, positions = again.table.y, again.embedding"""
REFIT_FROM = """first = map_table(
    table, {method!r}, seed={seed}, judge=False, parameters={parameters}
)
""" + REFIT.replace("{method!r}, seed", "{method!r}, model=first.model, seed")

PROTOTYPES = """model = {model}
model.fit(X, y)
scene = build_scene(model, X, y, random_state={seed})
positions = scene.maps[0].positions"""

CLASSIFIER = """# Some rows are held out, as the app did.
fitted, held_out = held_out_rows(X, y, table.groups, seed={seed})
classifier = {classifier}
picture = {picture}
picture.fit(X[fitted[:{rows}]], y[fitted[:{rows}]])
scene = build_scene(picture, X, y, random_state={seed})
positions = scene.maps[0].positions"""


# New rows on a map: by the jobs that the app did, so that all else is the same.
PLACING = '''"""{title}

Repeats a run of the Labelscape app (version {version}): writes the places of new rows
to {written}.
"""

{imports}

table = {table}
found = map_table(table, {method!r}, seed={seed}, judge=False{parameters})
placed = place_rows(kept_map(found, seed={seed}), {rows})
with open("{written}", "w", newline="", encoding="utf-8") as file:
    file.write(placement_csv(placed))
print(f"Written: {written}, {{len(placed.placement.positions)}} rows")
'''
PLACED = "placed-repeated.csv"
JOBS = "from labelscape.jobs import kept_map, map_table, place_rows, placement_csv"


def pipeline(model: Pipeline) -> str:
    """Return a pipeline as code, for instance of a scaler and an estimator."""
    return f"make_pipeline({', '.join(constructor(step) for _, step in model.steps)})"


def constructor(estimator: BaseEstimator) -> str:
    """Return an estimator as code: its class and what differs from the defaults."""
    inside = ", ".join(f"{k}={_code(v)}" for k, v in _changed(estimator).items())
    return f"{type(estimator).__name__}({inside})"


def picture(of: BaseEstimator) -> str:
    """Return the picture of a classifier as code, which calls it ``classifier``."""
    settings = {k: v for k, v in _changed(of).items() if k != "classifier"}
    inside = [f"{name}={_code(value)}" for name, value in settings.items()]
    return f"{type(of).__name__}({', '.join(['classifier', *inside])})"


def _changed(estimator: BaseEstimator) -> dict[str, Any]:
    """Return the parameters that are not what they are by default."""
    usual = inspect.signature(type(estimator)).parameters
    return {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if name != "callback"
        and value is not usual[name].default
        and value != usual[name].default
    }


def _code(value: Any) -> str:
    if isinstance(value, Pipeline):
        return pipeline(value)
    return constructor(value) if isinstance(value, BaseEstimator) else repr(value)


def imports_of(estimator: BaseEstimator) -> list[str]:
    """Return the lines that import an estimator, and those it is given."""
    inside = estimator.get_params(deep=False).values()
    parts = [one for one in inside if isinstance(one, BaseEstimator)]
    found = [import_of(type(estimator))]
    return found + [line for part in parts for line in imports_of(part)]


def groups_of(estimator: BaseEstimator, table: Table) -> str:
    """Return how a pipeline tells its last step which rows belong together."""
    if table.groups is None:
        return ""
    if "groups" not in inspect.signature(estimator.fit).parameters:
        return ""
    return f", {type(estimator).__name__.lower()}__groups=table.groups"


def import_of(kind: type) -> str:
    """Return the line that imports a class from the room where users find it."""
    room = ".".join(kind.__module__.split(".")[:2])
    return f"from {room} import {kind.__name__}"


class Reader(NamedTuple):
    """How a script gets its table: a function of datasets if it needs one, the call."""

    function: str
    call: str


def code(
    *,
    title: str,
    version: str,
    imports: list[str],
    reader: Reader,
    fit: str,
    n_axes: int = 2,
) -> str:
    """Return the whole script; imports are sorted as people sort them.

    ``fit`` are the lines that follow after the table was read, ``n_axes`` how many
    coordinates the places have that they make.
    """
    imports = [f"from labelscape.datasets import {reader.function}", *imports]
    groups = [
        sorted(line for line in set(imports) if line.startswith("from labelscape")),
        sorted(line for line in set(imports) if not line.startswith("from labelscape")),
    ]
    lines = "\n".join([*groups[1], *groups[0]])
    return HEAD.format(
        title=_safe(title),
        version=version,
        imports=lines,
        table=reader.call,
        fit=fit,
        axes=", ".join(f'"{axis}"' for axis in "xyz"[:n_axes]),
        written=WRITTEN,
    )


def placing_code(
    *,
    title: str,
    version: str,
    reader: Reader,
    rows: Reader,
    method: str,
    parameters: Mapping[str, Any],
    seed: int,
) -> str:
    """Return the script that places new rows; ``rows`` is the code that gives them."""
    given = f", parameters={dict(parameters)!r}" if parameters else ""
    names = ", ".join(sorted({reader.function, rows.function} - {""}))
    return PLACING.format(
        title=_safe(title),
        version=version,
        imports=f"from labelscape.datasets import {names}\n{JOBS}",
        table=reader.call,
        method=method,
        parameters=given,
        seed=seed,
        rows=rows.call,
        written=PLACED,
    )


def _safe(title: str) -> str:
    """Return a name that does not end the docstring it stands in, nor break it."""
    shown = title.replace("\\", " ").replace('"', "'")
    return "".join(sign if sign.isprintable() else " " for sign in shown)
