"""The DATA of a verb: a file, or the name of a data set."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from labelscape.datasets import (
    Table,
    available,
    describe_columns,
    load,
    read_table,
)

# Where the command line has another word for what `read_table` takes.
_OPTIONS = {"missing_values": "missing-value", "unlabelled": "drop-unlabelled"}


def table_from(
    data: str,
    label: str | None = None,
    id: str | None = None,  # noqa: A002
    **reading: Any,
) -> Table:
    """Return a labelled table from a file or by the name of a data set.

    Missing values are imputed, see `labelscape.datasets.read_table`; nothing is scaled.

    Parameters
    ----------
    data : str
        Path of a file, or a name that `labelscape.datasets.available` lists. A file
        comes first: ``./wine`` is a file even without an extension.
    label : str, default=None
        The column with the classes. Files need one; data sets by name have their own.
    id : str, default=None
        The column that names the rows, if there is one.
    **reading
        How to read a file, as for `labelscape.datasets.read_table`: ``drop``,
        ``nominal``, ``decimal``, ``delimiter``, ``encoding``, ``header``,
        ``missing_values``, ``unlabelled``. What is None or empty counts as not given.

    Returns
    -------
    Table

    Examples
    --------
    >>> table_from("breast_cancer")
    Table 'breast_cancer': 569 rows, 30 features, 2 classes (benign 357, malignant 212)
    """
    given = {
        name: value for name, value in reading.items() if value not in (None, "", [])
    }
    if not _looks_like_file(data):
        _refuse(data, {"label": label, "id": id} | given)
        return load(data)
    path = Path(data)
    if not path.exists():
        raise FileNotFoundError(
            f"There is no file {data!r}. 'labelscape datasets' lists the data sets "
            "that have a name."
        )
    if label is None:
        columns = describe_columns(path, **_of_text_files(given))
        names = [column.name for column in columns if column.name]
        raise ValueError(
            f"{path.name} needs a column with the classes. Pass --label with one of: "
            f"{_some(names)}."
        )
    table = read_table(path, label=label, id=id, missing="impute", **given)
    return replace(table, name=path.name.removesuffix(".gz").split(".")[0] or "table")


def _looks_like_file(data: str) -> bool:
    names = {info.name for info in available()}
    if data.lower() in names and not Path(data).is_file():
        return False
    return os.sep in data or "." in data or Path(data).exists()


def _of_text_files(given: dict[str, Any]) -> dict[str, Any]:
    """Return what tells how a text file is written, and not what it holds."""
    wanted = ("delimiter", "decimal", "encoding", "header", "missing_values")
    return {name: given[name] for name in wanted if name in given}


def _refuse(data: str, options: dict[str, Any]) -> None:
    """Refuse options of files for a data set that has a name."""
    usual = {"decimal": "."}
    given = [name for name, value in options.items() if value != usual.get(name)]
    if given:
        option = _OPTIONS.get(given[0], given[0])
        raise ValueError(
            f"The data set {data!r} has its own classes and columns: leave out "
            f"--{option}. To read a file of this name, write ./{data}."
        )


def _some(names: list[str], at_most: int = 8) -> str:
    shown = ", ".join(names[:at_most])
    return f"{shown}, …" if len(names) > at_most else shown
