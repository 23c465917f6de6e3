"""The labeled table that all readers return."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns import Categories, ShownColumn
from labelscape._core.errors import InputError
from labelscape.datasets._columns import FEWEST_ROWS
from labelscape.datasets._describe import image_paths, unshown
from labelscape.datasets._encoder import TableEncoder


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A labeled table: features, classes, names and groups of rows.

    `read_table` and `load` return a `Table`.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The features, float64, without missing values.
    y : ndarray of shape (n_rows,) or None
        The class of each row: integers if all labels are integers, else strings. None
        if no label was given.
    feature_names : list of str
        Names of the features; ``color=red`` is 1 where the column color is red.
    ids : ndarray of shape (n_rows,) or None
        The names of the rows, if a column contains them.
    groups : ndarray of shape (n_rows,) or None
        The group of each row, such as a patient, if a column contains it: rows of one
        group are not independent.
    encoder : TableEncoder
        The fitted preprocessing: ``encoder.transform(new_rows)`` gives the matrix of
        new rows.
    name : str
        Name of the data set, or of the file without its extension.
    missing : dict of str to int
        Number of missing values of each column that had any.
    imputed : dict of str to ndarray of int
        For each feature with imputed values, the sorted row indices of these values.
        They are the same for all features of a nominal column.
    shown : tuple of ShownColumn
        Columns to display, which are not features.
    images, texts : ndarray of shape (n_rows,) or None
        The image file and the text of each row, if the table has such columns; None for
        a row without one.
    group_column : str
        The column that ``groups`` comes from; empty without groups.
    id_column : str
        The column that ``ids`` comes from; empty without ids, or if it has no name.

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> load("wine")
    Table 'wine': 178 rows, 13 features, 3 classes (class_1 71, class_0 59, class_2 48)
    """

    X: NDArray[np.float64]
    y: NDArray[Any] | None
    feature_names: list[str]
    ids: NDArray[Any] | None
    encoder: TableEncoder
    name: str = "table"
    missing: dict[str, int] = field(default_factory=dict)
    imputed: dict[str, NDArray[np.intp]] = field(default_factory=dict)
    groups: NDArray[Any] | None = None
    shown: tuple[ShownColumn, ...] = ()
    images: NDArray[Any] | None = None
    texts: NDArray[Any] | None = None
    group_column: str = ""
    id_column: str = ""

    @property
    def categories(self) -> tuple[Categories, ...]:
        """The categorical and boolean columns, and the features of each."""
        return self.encoder.categories

    def take(self, rows: NDArray[np.intp]) -> "Table":
        """Return a table with only the given rows, including their ids and groups.

        Examples
        --------
        >>> import numpy as np
        >>> from labelscape.datasets import load
        >>> load("iris").take(np.arange(0, 150, 10))
        Table 'iris': 15 rows, 4 features, 3 classes (setosa 5, versicolor 5, ...
        """
        imputed = {
            name: np.flatnonzero(np.isin(rows, at)) for name, at in self.imputed.items()
        }
        aside: dict[str, Any] = {
            name: None if values is None else values[rows]
            for name in ("y", "ids", "groups", "images", "texts")
            for values in [getattr(self, name)]
        }
        return replace(
            self,
            X=self.X[rows],
            imputed={name: at for name, at in imputed.items() if len(at)},
            shown=tuple(column.take(rows) for column in self.shown),
            **aside,
        )

    def check_size(self) -> None:
        """Raise a ValueError if there are too few rows to test a map."""
        if len(self.X) < FEWEST_ROWS:
            rows = "1 row" if len(self.X) == 1 else f"{len(self.X)} rows"
            raise InputError(
                f"{self.name} has {rows} with a class, but at least {FEWEST_ROWS} are "
                "needed. Check that the column of the classes is filled in.",
                parameter="label",
            )

    def with_images(self, folder: Path) -> "Table":
        """Use the paths in the last displayed column as the images of the rows."""
        *others, files = self.shown
        images = image_paths(unshown(files), folder)
        return replace(self, shown=tuple(others), images=images)

    def pictures(self, n_more: int = 0) -> dict[str, Any]:
        """Return the images of rows for a scene, reduced if they are large.

        ``n_more`` rows without an image are appended.
        """
        if self.images is None:
            return {"images": None, "thumbnails": None}
        from labelscape.datasets.files.images import pictures_to_show

        return pictures_to_show([*self.images, *[None] * n_more])

    @property
    def constant_features(self) -> list[str]:
        """The features that have the same value in all rows."""
        same = self.X.min(axis=0) == self.X.max(axis=0)
        return [self.feature_names[i] for i in np.flatnonzero(same)]

    @property
    def n_groups(self) -> int | None:
        """Number of groups; a row without a group is its own group."""
        if self.groups is None:
            return None
        known = [group for group in self.groups.tolist() if group is not None]
        return len(set(known)) + len(self.groups) - len(known)

    @property
    def group_words(self) -> str:
        """One sentence on groups of rows; empty if all rows are independent."""
        n, n_rows = self.n_groups, len(self.X)
        if n is None or n == n_rows:
            return ""
        return (
            f"Rows with the same {self.group_column!r} belong together ({n:,} groups "
            f"in {n_rows:,} rows): they are held out together, and the column is not a "
            "feature."
        )

    def __repr__(self) -> str:
        return f"Table {self.name!r}: {self.summary}"

    @property
    def summary(self) -> str:
        """The number of rows, features, classes and imputed values, in words."""
        n_rows, n_features = self.X.shape
        parts = [f"{n_rows} rows, {n_features} feature" + "s" * (n_features != 1)]
        if self.y is not None:
            parts.append(_classes(self.y))
        if self.n_groups is not None and self.n_groups < n_rows:
            parts.append(f"{self.n_groups} groups by {self.group_column!r}")
        if self.missing:
            n_missing = sum(self.missing.values())
            parts.append(
                f"{n_missing} missing value{'s' * (n_missing > 1)} imputed in "
                f"{len(self.missing)} column{'s' * (len(self.missing) > 1)}"
            )
        return ", ".join(parts)


def _classes(y: NDArray[Any], at_most: int = 5) -> str:
    classes, counts = np.unique(y, return_counts=True)
    largest = np.argsort(-counts, kind="stable")[:at_most]
    shown = ", ".join(f"{classes[i]} {counts[i]}" for i in largest)
    return f"{len(classes)} classes ({shown}{', …' * (len(classes) > at_most)})"
