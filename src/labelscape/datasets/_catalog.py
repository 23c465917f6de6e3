"""The data sets that can be loaded by name, and where each of them comes from."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import Function, InputError
from labelscape.datasets import _generated as generated
from labelscape.datasets._columns import in_words
from labelscape.datasets._generated import LAND_COVER, make_satellite
from labelscape.datasets._papers import PAPER_SETS, load_paper_set
from labelscape.datasets._read_table import table_from_columns
from labelscape.datasets._table import Table
from labelscape.datasets.files.arrays import array_columns


class DatasetInfo(NamedTuple):
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
    info = info_named(name)
    if info.origin == "papers":
        return load_paper_set(info.name)
    if info.origin == "embedded":
        return _embedded_table(info.name)
    X, y, names = _GENERATORS[info.name]()
    return _table(info.name, X, y, names)


def info_named(name: str) -> DatasetInfo:
    """Return what is known of a data set, or say which there are."""
    names = {info.name: info for info in _CATALOG}
    wanted = str(name).lower()
    for spelling in (wanted, wanted.replace("_", "-"), wanted.replace("-", "_")):
        if spelling in names:
            return names[spelling]
    near = get_close_matches(wanted, names, n=3, cutoff=0.5)
    raise InputError(
        f"There is no data set {name!r}. ",
        f"Did you mean {in_words(near)}? " if near else "",
        Function("labelscape.datasets.available"),
        " lists them.",
    )


def _embedded_table(name: str) -> Table:
    from sklearn import datasets as embedded  # slow to import

    data = getattr(embedded, f"load_{name}")()
    names = [str(feature) for feature in data.feature_names]
    return _table(name, data.data, np.asarray(data.target_names)[data.target], names)


def _table(
    name: str, X: NDArray[Any], y: NDArray[Any], names: list[str] | None
) -> Table:
    columns = [*array_columns(X, names), *array_columns(y[:, np.newaxis], ["class"])]
    return table_from_columns(columns, name=name, label="class")


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
