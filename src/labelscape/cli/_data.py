"""The DATA of a verb: a file, or the name of a data set."""

import os
from dataclasses import replace
from pathlib import Path

from labelscape._core.errors import InputError, Setting, readable
from labelscape.datasets import Reading, Table, available, load
from labelscape.datasets._internal import check_enough_rows


def table_from(data: str, reading: Reading, *, counters: str = "drop") -> Table:
    """Return a labelled table from a file or by the name of a data set.

    A file comes first: ``./wine`` is a file even without an extension. Files need a
    label; data sets by name have their own, and take no options of files. Missing
    values are filled in; nothing is scaled. ``counters`` says whether columns that
    count the rows of a file are features.
    """
    if not _looks_like_file(data):
        # Whoever says nothing of a decimal sign wants it to be found out.
        _refuse(data, replace(reading, decimal=reading.decimal or "."))
        return load(data)
    path = Path(data)
    if not path.exists():
        raise FileNotFoundError(
            f"There is no file {data!r}. 'labelscape datasets' lists the data sets "
            "that have a name."
        )
    if reading.label is None:
        columns = sorted(reading.describe(path), key=lambda one: one.role != "label")
        names = [column.name for column in columns if column.name]  # likely ones first
        raise InputError(
            f"{path.name} needs a column with the classes. Pass ",
            Setting("label"),
            f" with one of: {_some(names)}.",
            parameter="label",
        )
    name = path.name.removesuffix(".gz").split(".")[0] or "table"
    table = replace(reading, counters=counters).read(path, readable(name))
    check_enough_rows(table)
    return table


def _looks_like_file(data: str) -> bool:
    names = {info.name for info in available()}
    if data.lower() in names and not Path(data).is_file():
        return False
    return os.sep in data or "." in data or Path(data).exists()


def _refuse(data: str, reading: Reading) -> None:
    """Refuse options of files for a data set that has a name."""
    for parameter in reading.to_json():
        raise InputError(
            f"The data set {data!r} has its own classes and columns: leave out ",
            Setting(parameter),
            f". To read a file of this name, write ./{data}.",
            parameter=parameter,
        )


def _some(names: list[str], at_most: int = 8) -> str:
    shown = ", ".join(names[:at_most])
    return f"{shown}, …" if len(names) > at_most else shown
