"""Data sets by name: built-in, generated, and used in papers.

``catalog.csv`` lists them. Data sets of papers are read from a local folder, or else
from OpenML.
"""

import csv
import os
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Self, cast

import numpy as np

from labelscape._core.errors import Function, InputError
from labelscape.datasets import _generated as generated
from labelscape.datasets._columns import Column, in_words
from labelscape.datasets._read import table_of
from labelscape.datasets._reading import Reading, read_table
from labelscape.datasets._table import Table
from labelscape.datasets.files.arrays import array_columns
from labelscape.datasets.files.frames import read_columns


@dataclass(frozen=True)
class DatasetInfo:
    """Name, origin and size of one data set, as listed by `available`.

    ``origin`` is "embedded" (comes with scikit-learn), "generated" (computed when
    loaded, always the same) or "papers" (used in papers; read from a folder or OpenML,
    see `load`). ``n_features`` is the number of columns before encoding.

    Examples
    --------
    >>> from labelscape.datasets import available
    >>> available()[0].name
    'iris'
    """

    name: str
    origin: str
    n_rows: int
    n_features: int
    n_classes: int
    description: str

    @classmethod
    def named(cls, name: str) -> Self:
        """Return the record of a data set; raise an error if the name is unknown."""
        names = {name: info for name, (info, *_) in _catalog().items()}
        wanted = str(name).lower()
        for spelling in (wanted, wanted.replace("_", "-"), wanted.replace("-", "_")):
            if spelling in names:
                return cast(Self, names[spelling])
        near = get_close_matches(wanted, names, n=3, cutoff=0.5)
        raise InputError(
            f"There is no data set {name!r}. ",
            f"Did you mean {in_words(near)}? " if near else "",
            Function("labelscape.datasets.available"),
            " lists all data sets.",
        )


def available() -> list[DatasetInfo]:
    """List the data sets that `load` knows.

    Returns
    -------
    list of DatasetInfo
        Name, origin, numbers of rows, features and classes, and a description.

    Examples
    --------
    >>> for info in available()[:2]:
    ...     print(info.name, info.n_rows, info.description)
    iris 150 Sepals and petals of three species of iris.
    wine 178 Chemistry of wines from three growers.
    """
    return [info for info, *_ in _catalog().values()]


def load(name: str) -> Table:
    """Return a data set by its name.

    Parameters
    ----------
    name : str
        One of the names that `available` lists.

    Returns
    -------
    Table
        The data. Missing values are imputed, see `read_table`; nothing is scaled.

    Raises
    ------
    ValueError
        If there is no data set of this name.
    OSError
        If a data set with the origin "papers" is neither in the folder set by the
        environment variable ``LABELSCAPE_DATA``, nor available from OpenML.

    Examples
    --------
    >>> load("breast_cancer")
    Table 'breast_cancer': 569 rows, 30 features, 2 classes (benign 357, malignant 212)
    """
    info = DatasetInfo.named(name)
    if info.origin == "papers":
        return _of_the_papers(info.name)
    names: list[str] | None = None
    if info.origin == "embedded":
        from sklearn import datasets as embedded  # slow to import

        data = getattr(embedded, f"load_{info.name}")()
        names = [str(feature) for feature in data.feature_names]
        X, y = data.data, np.asarray(data.target_names)[data.target]
    else:
        X, y = getattr(generated, f"make_{info.name}")(info.n_rows, random_state=0)
    if info.name == "satellite":
        names = [f"band_{i + 1}" for i in range(X.shape[1])]
        y = np.array(list(generated.LAND_COVER))[y]
    columns = [*array_columns(X, names), *array_columns(y[:, np.newaxis], ["class"])]
    return table_of(columns, Reading(label="class", missing="impute"), info.name)


@cache
def _catalog() -> dict[str, tuple[DatasetInfo, tuple[str, ...], tuple[str, int]]]:
    """Return each data set with its files, and its name and version on OpenML."""
    with Path(__file__).with_name("catalog.csv").open(encoding="utf-8") as file:
        next(file)  # the header
        return {
            name: (
                DatasetInfo(name, origin, int(n), int(d), int(k), about),
                tuple(files.split()),
                (openml, int(version or 0)),
            )
            for name, origin, n, d, k, about, files, openml, version in csv.reader(file)
        }


def _of_the_papers(name: str) -> Table:
    """Return a data set that papers use, from the local folder or from OpenML."""
    info, files, (openml, version) = _catalog()[name]
    folder = os.environ.get("LABELSCAPE_DATA")
    paths = [Path(folder, file) for file in files] if folder else []
    if paths and all(path.is_file() for path in paths):
        return _from_files(name, paths)
    state = f"not in the folder {folder!r}" if folder else "not on this machine"
    advice = f"Set LABELSCAPE_DATA to the folder that contains {files[0]!r}."
    if not openml:
        raise OSError(
            f"Data set {name!r} is {state}, and OpenML does not have it. {advice}"
        )
    from sklearn.datasets import fetch_openml

    try:
        # The frame has the names of categories; without pandas, scikit-learn raises an
        # error.
        data = fetch_openml(openml, version=version, as_frame=True, n_retries=1)
    except OSError as error:
        raise OSError(
            f"Data set {name!r} is {state}, and OpenML cannot be reached ({error}). "
            f"{advice}"
        ) from error
    if data.data.shape != (info.n_rows, info.n_features):
        raise OSError(
            f"OpenML's {openml!r} has {data.data.shape} rows and features instead of "
            f"{info.n_rows, info.n_features}, so it is not the data set of the papers. "
            f"{advice}"
        )
    table = read_table(data.frame, label=data.target_names[0], missing="impute")
    return replace(table, name=name)


def _from_files(name: str, paths: list[Path]) -> Table:
    label = "y" if paths[0].suffix == ".npz" else "class"
    reading = Reading(label=label, missing="impute")
    parts = [read_columns(path, reading) for path in paths]
    columns = [
        Column(same[0].name, same[0].kind, np.concatenate([c.values for c in same]))
        for same in zip(*parts, strict=True)
    ]
    return table_of(columns, reading, name)
