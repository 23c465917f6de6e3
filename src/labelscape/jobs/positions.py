"""A map from another program: read from a file or from columns, and tested."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from labelscape._core.checks import listed
from labelscape._core.errors import PYTHON, FileName, InputError, Part, Wording
from labelscape._core.params import arguments
from labelscape._core.types import Bools, Floats, Ints
from labelscape.datasets import Reading, Table
from labelscape.datasets._internal import npy_array
from labelscape.jobs.order import RunOrder
from labelscape.jobs.scenes import data_of
from labelscape.jobs.words import Begin, Step, honesty_record, silent
from labelscape.quality import HonestyReport, Verdict, certify
from labelscape.quality._internal import with_shown_places
from labelscape.scene import Scene, Subject, Trust, build_scene

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class GivenMap:
    """A map from another program: the position of each row, and the test result."""

    table: Table
    embedding: Floats
    honesty: HonestyReport

    @property
    def verdict(self) -> Verdict:
        """The verdict on the map."""
        return self.honesty.verdict

    def record(self) -> dict[str, Any]:
        """Return the test result as plain values, for scripts."""
        return honesty_record(self.honesty) or {}

    def scene(self, name: str, seed: int, wording: Wording = PYTHON) -> Scene:
        """Return the scene of the map's page."""
        return build_scene(
            Subject(self.embedding, name=name),
            data_of(self.table),
            Trust(honesty=self.honesty, wording=wording),
            title=f"{self.table.name}: {name}",
            random_state=seed,
        )


@arguments(**RunOrder.rules("certify"))
def certify_table(
    table: Table,
    positions: Any,
    *,
    seed: int = 0,
    begin: Begin | None = None,
    labeled: Bools | None = None,
) -> GivenMap:
    """Test whether the separation on a map from another program is real.

    Parameters
    ----------
    table : Table
        The data, with labels.
    positions : array-like, path or str
        The map: an array with the positions of the rows, a file that contains them, or
        the names of columns in ``table.shown``, such as "umap_1, umap_2". If the file
        has the column ``table.id_column``, its rows are matched by their ids.
    seed : int, default=0
        Random seed.
    begin : callable, optional
        Called at the start of each step, as for `map_table`.
    labeled : array-like of bool, optional
        Which rows of the file are in the table, if rows without a label are left out.

    Returns
    -------
    GivenMap
        The test result is in its attribute ``honesty``.

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> table = load("iris")
    >>> certify_table(table, table.X[:, 2:]).honesty.verdict.real
    'yes'
    """
    shown = list(table.shown)
    if isinstance(positions, str | Path):
        drawn = named_columns(str(positions))
        shown = [column for column in shown if column.name not in drawn]
        positions = read_positions(positions, table, labeled)
    (begin or silent)(Step("judging", "the map"))
    report = certify(table.X, positions, table.y, table.groups, seed)
    report = with_shown_places(report, table.X, table.y, table.feature_names, shown)
    return GivenMap(table, positions, report)


def named_columns(positions: str) -> list[str]:
    """Return the names of the columns in ``positions``; empty if it is a file."""
    is_file = "," not in positions or Path(positions).exists()
    return [] if is_file else [name.strip() for name in positions.split(",")]


def labeled_rows(source: Any, reading: Reading) -> Bools | None:
    """Return a mask of the labeled rows in a file; None if every row needs a label."""
    if reading.unlabelled != "drop" or reading.label is None:
        return None
    words = reading.words_in(source, reading.label)
    return None if words is None else np.array([word is not None for word in words])


def read_positions(
    source: str | Path, table: Table, labeled: Bools | None = None
) -> Floats:
    """Return the positions of the rows, from columns of the table or from a file."""
    path, is_joined = Path(source), False
    if names := named_columns(str(source)):
        name: Part = repr(str(source))
        Z = _in_columns(names, table)
    elif not path.exists():
        raise _wrong(
            f"There is no file {str(source)!r}. Pass a file with positions, or "
            "columns of the table such as umap_1,umap_2.",
        )
    elif path.suffix.lower() == ".npy":
        Z, name = npy_array(path), FileName(path)
        if Z.dtype.kind not in "biuf":
            raise _wrong(name, f" has no array of real numbers, but of {Z.dtype}.")
    else:
        (Z, is_joined), name = _in_table(path, table, labeled), FileName(path)
    if Z.ndim != 2 or not 2 <= Z.shape[1] <= len(AXES):
        size = " × ".join(f"{size:,}" for size in Z.shape)
        raise _wrong(name, f" must have two or three columns of positions, got {size}.")
    if labeled is not None and len(Z) == len(labeled) and not is_joined:
        Z = Z[labeled]
    if len(Z) != len(table.X):
        n_rows = f"{len(table.X):,}"
        raise _wrong(
            name, f" has {len(Z):,} positions, but the table has {n_rows} rows."
        )
    if (n_without := np.sum(has_gap := ~np.isfinite(Z).all(axis=1))) > 0:
        rows = "1 row has" if n_without == 1 else f"{n_without:,} rows have"
        first = f"row {np.argmax(has_gap) + 1:,}). Remove them, also from the table."
        raise _wrong(name, f": {rows} no position (the first is {first}")
    return np.asarray(Z, dtype=np.float64)


def _in_columns(names: Sequence[str], table: Table) -> Floats:
    """Return the positions in columns of the table."""
    shown = {column.name: column for column in table.shown}
    if unknown := [name for name in names if name not in shown]:
        raise _wrong(f"The table has no column {unknown[0]!r}.")
    if words := [name for name in names if shown[name].kind != "number"]:
        raise _wrong(f"Column {words[0]!r} has values that are not numbers.")
    return np.column_stack([shown[name].values for name in names])


def _in_table(path: Path, table: Table, labeled: Bools | None) -> tuple[Floats, bool]:
    """Return the positions in a file, and whether they were joined to the table by ids.

    They are the columns x and y, or its numeric columns.
    """
    try:
        reading, columns = Reading().detected(path)
    except InputError:  # the first line may contain data
        reading, columns = Reading(header=False).detected(path)
    key = table.id_column
    numbers = [one for one in columns if one.kind == "number" and one.name != key]
    used = [column.name for column in numbers if column.name in AXES]
    if len(used) < 2:
        used = [column.name for column in numbers if not column.counts_rows]
    if not 2 <= len(used) <= len(AXES):
        names = ", ".join(column.name for column in columns)
        raise _wrong(
            FileName(path),
            " must have two or three columns of positions, or columns x and y; it has: "
            f"{names}.",
        )
    # Read as shown columns, because features cannot have missing values.
    Z = np.column_stack([column.values for column in reading.shown_in(path, used)])
    if not key or key not in [column.name for column in columns]:
        return Z, False
    return Z[_places(reading.ids_in(path, key), table, path, labeled)], True


def _places(ids: Any, table: Table, path: Path, labeled: Bools | None) -> Ints:
    """Return the row of a map for each row of the table, by their ids."""
    theirs, ours = ids.astype(str), np.asarray(table.ids).astype(str)
    same = np.arange(len(theirs))
    if labeled is not None and len(labeled) == len(theirs):
        same = same[labeled]
    if np.array_equal(theirs[same], ours):  # ids may repeat
        return same
    which = f"ids in column {table.id_column!r}"
    whose: tuple[Part, ...] = (FileName(path), "The table")
    for owner, words in zip(whose, (theirs, ours), strict=True):
        values, counts = np.unique(words, return_counts=True)
        if len(repeated := values[counts > 1]):
            raise _wrong(
                owner,
                f" has repeated {which}: {listed(repeated)}. Then the rows must be in "
                "the same order in both.",
            )
    if len(absent := ours[~np.isin(ours, theirs)]):
        raise _wrong(
            FileName(path),
            f" has other {which} than the table: it lacks {listed(absent)}. Pass the "
            "map of these rows.",
        )
    order = np.argsort(theirs)
    return order[np.searchsorted(theirs, ours, sorter=order)]


def _wrong(*parts: Part) -> InputError:
    return InputError(*parts, parameter="positions")
