"""The data sets of the papers: from a folder on this machine, else from OpenML."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from labelscape.datasets._columns import Column
from labelscape.datasets._read_table import read_table, table_from_columns
from labelscape.datasets._source import read_columns
from labelscape.datasets._table import Table
from labelscape.datasets.files.delimited import CsvOptions


class PaperSet(NamedTuple):
    """Where a data set of the papers is kept, and what it holds."""

    files: tuple[str, ...]
    n_rows: int
    n_features: int
    n_classes: int
    description: str
    openml: tuple[str, int] | None = None  # name and version there
    label: str = "class"


PAPER_SETS = {
    "segmentation": PaperSet(
        ("segmentation_train.csv", "segmentation_test.csv"),
        *(
            2310,
            19,
            7,
            "Patches of outdoor images: 210 to train on, then 2100 to test.",
        ),
        openml=("segment", 1),
    ),
    "segmentation_train": PaperSet(
        ("segmentation_train.csv",), 210, 19, 7, "The training rows of segmentation."
    ),
    "segmentation_test": PaperSet(
        ("segmentation_test.csv",), 2100, 19, 7, "The test rows of segmentation."
    ),
    "satimage": PaperSet(
        ("satimage_train.csv.gz", "satimage_test.csv.gz"),
        *(6435, 36, 6, "Landsat patches of 3 × 3 pixels: 4435 to train, 2000 to test."),
    ),
    "satimage_train": PaperSet(
        ("satimage_train.csv.gz",), 4435, 36, 6, "The training rows of satimage."
    ),
    "satimage_test": PaperSet(
        ("satimage_test.csv.gz",), 2000, 36, 6, "The test rows of satimage."
    ),
    "srbct": PaperSet(
        ("srbct50.csv",), 83, 50, 4, "Small round blue cell tumours, 50 genes."
    ),
    "srbct_2308": PaperSet(
        ("srbct_2308.npz",), 83, 2308, 4, "The same tumours, all 2308 genes.", label="y"
    ),
    "nci": PaperSet(("nci50.csv",), 61, 50, 8, "Cancer cell lines, 50 genes."),
    "nci60": PaperSet(
        ("nci60_6830.npz",), 64, 6830, 14, "Cancer cell lines, 6830 genes.", label="y"
    ),
    "usps": PaperSet(
        ("usps.npz",), 11000, 256, 10, "Handwritten digits, 16 × 16 pixels.", label="y"
    ),
    "balance-scale": PaperSet(
        ("balance-scale.csv",),
        *(625, 4, 3, "To which side a balance tips."),
        openml=("balance-scale", 1),
    ),
    "breast-w": PaperSet(
        ("breast-w.csv",),
        *(699, 9, 2, "Breast tumours seen under a microscope."),
        openml=("breast-w", 1),
    ),
    "colic": PaperSet(
        ("colic.csv",),
        *(368, 22, 2, "Horses with colic, many values missing."),
        openml=("colic", 2),
    ),
    "credit-g": PaperSet(
        ("credit-g.csv",), 1000, 20, 2, "Credit risks in Germany.", ("credit-g", 1)
    ),
    "diabetes": PaperSet(
        ("diabetes.csv",), 768, 8, 2, "Diabetes among Pima women.", ("diabetes", 1)
    ),
    "hepatitis": PaperSet(
        ("hepatitis.csv",), 155, 19, 2, "Patients with hepatitis.", ("hepatitis", 1)
    ),
    "ionosphere": PaperSet(
        ("ionosphere.csv",),
        *(351, 34, 2, "Radar echoes from the ionosphere."),
        openml=("ionosphere", 1),
    ),
    "labor": PaperSet(
        ("labor.csv",), 57, 16, 2, "Labour contracts in Canada.", ("labor", 1)
    ),
    "sonar": PaperSet(
        ("sonar.csv",), 208, 60, 2, "Sonar echoes of mines and rocks.", ("sonar", 1)
    ),
    "soybean": PaperSet(
        ("soybean.csv",), 683, 35, 19, "Diseases of soybeans.", ("soybean", 1)
    ),
}


def load_paper_set(name: str) -> Table:
    """Return a data set of the papers: from the folder of data, else from OpenML."""
    wanted = PAPER_SETS[name]
    folder = os.environ.get("LABELSCAPE_DATA")
    paths = [Path(folder, file) for file in wanted.files] if folder else []
    if paths and all(path.is_file() for path in paths):
        return _from_files(name, wanted, paths)
    looked = f"not in the folder {folder!r}" if folder else "not on this machine"
    if wanted.openml is None:
        raise OSError(
            f"Data set {name!r} is {looked}, and OpenML does not have it. Set "
            f"LABELSCAPE_DATA to the folder that holds {wanted.files[0]!r}."
        )
    return _from_openml(name, wanted, wanted.openml, looked)


def _from_files(name: str, wanted: PaperSet, paths: Sequence[Path]) -> Table:
    parts = [read_columns(path, CsvOptions(), [wanted.label]) for path in paths]
    columns = [
        Column(same[0].name, same[0].kind, np.concatenate([c.values for c in same]))
        for same in zip(*parts, strict=True)
    ]
    return table_from_columns(columns, name=name, label=wanted.label)


def _from_openml(
    name: str, wanted: PaperSet, openml: tuple[str, int], looked: str
) -> Table:
    from sklearn.datasets import fetch_openml

    there, version = openml
    try:
        # The frame keeps the names of categories; scikit-learn says if it lacks pandas.
        data = fetch_openml(there, version=version, as_frame=True, n_retries=1)
    except OSError as error:
        raise OSError(
            f"Data set {name!r} is {looked}, and OpenML cannot be reached ({error}). "
            f"Set LABELSCAPE_DATA to the folder that holds {wanted.files[0]!r}."
        ) from error
    if data.data.shape != (wanted.n_rows, wanted.n_features):
        raise OSError(
            f"OpenML's {there!r} has {data.data.shape} rows and features instead of "
            f"{wanted.n_rows, wanted.n_features}: not the data of the papers. "
            f"Set LABELSCAPE_DATA to the folder that holds {wanted.files[0]!r}."
        )
    table = read_table(data.frame, label=data.target_names[0], missing="impute")
    return replace(table, name=name)
