"""Data sets by name: embedded, generated, and those of the papers.

Those of the papers come from a folder on this machine, else from OpenML.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import Function, InputError
from labelscape.datasets import _generated as generated
from labelscape.datasets._columns import Column, in_words
from labelscape.datasets._generated import LAND_COVER, make_satellite
from labelscape.datasets._read import read_table, table_of
from labelscape.datasets._reading import Reading
from labelscape.datasets._table import Table
from labelscape.datasets.files.arrays import array_columns
from labelscape.datasets.files.frames import read_columns


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
    reading = Reading(label=wanted.label, missing="impute")
    parts = [read_columns(path, reading, [wanted.label]) for path in paths]
    columns = [
        Column(same[0].name, same[0].kind, np.concatenate([c.values for c in same]))
        for same in zip(*parts, strict=True)
    ]
    return table_of(columns, reading, name)


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


@dataclass(frozen=True)
class DatasetInfo:
    """What `available` says about one data set.

    ``origin`` is "embedded" (comes with scikit-learn), "generated" (made when asked
    for, always the same) or "papers" (from a folder or OpenML, see `load`).
    ``n_features`` counts the columns, before nominal ones are spread over several.

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
        """Return what is known of a data set, or say which there are."""
        names = {info.name: info for info in _CATALOG}
        wanted = str(name).lower()
        for spelling in (wanted, wanted.replace("_", "-"), wanted.replace("-", "_")):
            if spelling in names:
                return cast(Self, names[spelling])
        near = get_close_matches(wanted, names, n=3, cutoff=0.5)
        raise InputError(
            f"There is no data set {name!r}. ",
            f"Did you mean {in_words(near)}? " if near else "",
            Function("labelscape.datasets.available"),
            " lists them.",
        )


def available() -> list[DatasetInfo]:
    """List the data sets that `load` knows.

    Returns
    -------
    list of DatasetInfo
        Name, origin, numbers of rows, features and classes, and one sentence.

    Examples
    --------
    >>> for info in available()[:2]:
    ...     print(info.name, info.n_rows, info.description)
    iris 150 Sepals and petals of three species of iris.
    wine 178 Chemistry of wines from three growers.
    """
    return list(_CATALOG)


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
        If a data set of the papers is neither in the folder that the environment
        variable ``LABELSCAPE_DATA`` names, nor to be had from OpenML.

    Examples
    --------
    >>> load("breast_cancer")
    Table 'breast_cancer': 569 rows, 30 features, 2 classes (benign 357, malignant 212)
    """
    info = DatasetInfo.named(name)
    if info.origin == "papers":
        return load_paper_set(info.name)
    if info.origin == "embedded":
        return _embedded_table(info.name)
    X, y, names = _GENERATORS[info.name]()
    return _table(info.name, X, y, names)


def _embedded_table(name: str) -> Table:
    from sklearn import datasets as embedded  # slow to import

    data = getattr(embedded, f"load_{name}")()
    names = [str(feature) for feature in data.feature_names]
    return _table(name, data.data, np.asarray(data.target_names)[data.target], names)


def _table(
    name: str, X: NDArray[Any], y: NDArray[Any], names: list[str] | None
) -> Table:
    columns = [*array_columns(X, names), *array_columns(y[:, np.newaxis], ["class"])]
    return table_of(columns, Reading(label="class", missing="impute"), name)


def _satellite() -> tuple[NDArray[Any], NDArray[Any], list[str]]:
    X, y = make_satellite(20_000, random_state=0)
    return X, np.array(list(LAND_COVER))[y], [f"band_{i + 1}" for i in range(6)]


_GENERATORS: dict[str, Callable[[], tuple[NDArray[Any], NDArray[Any], Any]]] = {
    "modes": lambda: (*generated.make_modes(random_state=0), None),
    "gaussians": lambda: (*generated.make_gaussians(random_state=0), None),
    "noise": lambda: (*generated.make_noise(random_state=0), None),
    "xor": lambda: (*generated.make_xor(random_state=0), None),
    "checkerboard": lambda: (*generated.make_checkerboard(random_state=0), None),
    "satellite": _satellite,
}

_CATALOG = (
    DatasetInfo(
        "iris", "embedded", 150, 4, 3, "Sepals and petals of three species of iris."
    ),
    DatasetInfo(
        "wine", "embedded", 178, 13, 3, "Chemistry of wines from three growers."
    ),
    DatasetInfo(
        "digits", "embedded", 1797, 64, 10, "Handwritten digits, 8 × 8 pixels."
    ),
    DatasetInfo(
        "breast_cancer", "embedded", 569, 30, 2, "Cell nuclei of breast tumours."
    ),
    DatasetInfo(
        "modes", "generated", 600, 2, 3, "Three classes of two modes, two overlap."
    ),
    DatasetInfo("gaussians", "generated", 600, 10, 3, "Overlapping Gaussian classes."),
    DatasetInfo("noise", "generated", 600, 50, 2, "Pure noise with random labels."),
    DatasetInfo("xor", "generated", 400, 2, 2, "Exact XOR: the class means coincide."),
    DatasetInfo("checkerboard", "generated", 1000, 2, 2, "A board of 4 × 4 tiles."),
    DatasetInfo(
        "satellite", "generated", 20000, 6, 14, "Land covers in six bands, unbalanced."
    ),
    *(
        DatasetInfo(
            name, "papers", of.n_rows, of.n_features, of.n_classes, of.description
        )
        for name, of in PAPER_SETS.items()
    ),
)
