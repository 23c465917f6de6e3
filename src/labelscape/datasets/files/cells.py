"""Cells with annotations: AnnData objects and their files (.h5ad), as columns."""

import math
import warnings
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import check_sparse
from labelscape._core.errors import FileName, InputError, Setting, missing_extra
from labelscape.datasets._columns import Column, check_unique
from labelscape.datasets.files.arrays import array_columns, with_vectors
from labelscape.datasets.files.hdf5 import (
    bytes_in_memory,
    check_expanded,
    check_words,
    data_sets,
)

CELLS = ".h5ad"
NAMES = "obs_names"  # the column of cell names
_USUAL, _GENES = "X_pca", "X"
_MOST_VALUES = 200_000_000  # limit for genes, at 8 bytes per value


def is_cells(source: Any) -> bool:
    """Whether an object is an AnnData object."""
    return all(hasattr(source, name) for name in ("obs", "obsm", "obs_names"))


def read_cells(path: Path, rep: str | None) -> Any:
    """Return the annotations of a file and one representation, like an AnnData object.

    Nothing else is read, because the file may come from a stranger.
    """
    try:
        import anndata  # noqa: F401
        import h5py
    except ImportError:
        missing_extra("anndata", "anndata", "A file of cells (.h5ad)")
    try:
        with h5py.File(path, "r") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # for files of older versions
            return _content(file, path, rep)
    except InputError:
        raise
    except Exception as error:  # HDF5 and AnnData raise many kinds of errors
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise InputError(
            FileName(path),
            f" is not a readable h5ad file ({reason}). Write it again, with "
            "adata.write_h5ad.",
        ) from error


def _content(file: Any, path: Path, rep: str | None) -> Any:
    from anndata.io import read_elem, sparse_dataset

    inside, obsm = data_sets(file, path), file.get("obsm", {})
    # Before anndata 0.7, all representations were one data set.
    is_old = hasattr(obsm, "dtype")
    known = list(obsm.dtype.names if is_old else obsm)
    rep, genes = _used(rep, known), f"/{_GENES}"
    used = {"/obs", "/obsm" if is_old else f"/obsm/{rep}"}
    used |= {"/var", genes} if rep == _GENES else set()
    used |= {"/uns"} if "/obs" in inside else set()
    check_expanded(bytes_in_memory(_in(used, inside)), path)
    check_words(_in(used, inside), path)
    cells = SimpleNamespace(obs=_frame(file, "obs"), obsm=dict.fromkeys(known), X=None)
    cells.obs_names = cells.obs.index
    if rep in known:
        cells.obsm[rep] = read_elem(obsm)[rep] if is_old else read_elem(obsm[rep])
    elif rep == _GENES and any(item.shape for item in _in({genes}, inside)):
        X = file[genes]
        X = X if hasattr(X, "dtype") else sparse_dataset(X)
        _check_genes(X.shape, known)
        check_expanded(8 * math.prod(X.shape), path)
        cells.X, cells.var_names = read_elem(file[genes]), _frame(file, "var").index
    return cells


def _in(parts: Collection[str], inside: Mapping[str, Any]) -> list[Any]:
    """Return the data sets in some parts of a file."""
    return [
        item
        for name, item in inside.items()
        if any(f"{name}/".startswith(f"{part}/") for part in parts)
    ]


def _frame(file: Any, name: str) -> Any:
    """Return the table ``obs`` or ``var``."""
    from anndata.io import read_elem

    frame = read_elem(file[name])
    if not isinstance(frame, np.ndarray):
        return frame
    # Before anndata 0.7: one data set, with the categories of its codes elsewhere.
    import pandas as pd

    frame = pd.DataFrame.from_records(frame, index=frame.dtype.names[0])
    frame.index = [n.decode() if isinstance(n, bytes) else n for n in frame.index]
    for column in frame:
        if (at := f"uns/{column}_categories") in file:
            words = np.atleast_1d(read_elem(file[at]))
            frame[column] = pd.Categorical.from_codes(frame[column], words)
    return frame


def cell_columns(
    cells: Any, rep: str | None, annotations: list[Column]
) -> list[Column]:
    """Return a representation of cells, cell names, and columns of ``cells.obs``."""
    # One entry of ``cells.obsm`` as a vector column, or X as one column per gene.
    known = [str(name) for name in cells.obsm]
    rep = _used(rep, known)
    if rep == _GENES:
        features = _genes(cells, known)
    elif rep not in known:
        raise InputError(
            Setting("rep"),
            f": there is no representation {rep!r}. Available: "
            f"{', '.join([*known, _GENES])}.",
            parameter="rep",
        )
    else:
        rows = _numbers(cells.obsm[rep], rep, (len(cells.obs_names), None))
        features = [with_vectors(rep, rows, np.ones(len(rows), dtype=bool))]
    names = np.array([str(name) for name in cells.obs_names], dtype=object)
    aside = [Column(NAMES, "nominal", names), *annotations]
    columns = [*features, *(replace(one, is_annotation=True) for one in aside)]
    check_unique([column.name for column in columns], "The table of cells")
    return columns


def _genes(cells: Any, known: list[str]) -> list[Column]:
    X = None
    with suppress(KeyError):  # raised for a file without X
        X = cells.X
    if X is None:
        raise InputError("The AnnData object has no X. Pass ", Setting("rep"), ".")
    _check_genes(X.shape, known)
    if not isinstance(X, np.ndarray) and not hasattr(X, "toarray"):
        X = X[:]  # still in the file
    names = [str(name) for name in cells.var_names]
    return array_columns(_numbers(X, _GENES, (len(cells.obs_names), len(names))), names)


def _used(rep: str | None, known: Collection[str]) -> str:
    return rep or (_USUAL if _USUAL in known else _GENES)


def _check_genes(shape: tuple[int, ...], known: Sequence[str]) -> None:
    """Raise an error if a matrix of genes is too large to be read."""
    n_cells, n_genes = shape
    if n_cells * n_genes > _MOST_VALUES:
        instead = ", such as " + " or ".join(known) if known else ""
        raise InputError(
            f"X has {n_cells:,} cells × {n_genes:,} genes, more than "
            f"{_MOST_VALUES:,} numbers. Pass a representation with fewer features as ",
            Setting("rep"),
            f"{instead}; scanpy.pp.pca computes X_pca.",
            parameter="rep",
        )


def _numbers(values: Any, name: str, size: tuple[int, int | None]) -> NDArray[Any]:
    """Return a dense or sparse matrix of cells as an array, after checks."""
    check_sparse(values)
    rows = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    n_columns = rows.shape[1] if rows.ndim == 2 else 0
    wanted = (size[0], n_columns if size[1] is None else size[1])
    if rows.dtype.kind not in "biuf" or rows.shape != wanted or not n_columns:
        raise InputError(
            f"{name} must be a table of real numbers with one row for each of the "
            f"{size[0]:,} cells, got values of type {rows.dtype} and shape "
            f"{rows.shape}. Convert it, or pass another representation as ",
            Setting("rep"),
            ".",
            parameter="rep",
        )
    return rows
