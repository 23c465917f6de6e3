"""Cells with annotations: AnnData objects and their files (.h5ad), as columns."""

import warnings
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.errors import FileName, InputError, Setting
from labelscape.datasets._columns import Column, check_unique
from labelscape.datasets.files.arrays import array_columns, with_vectors

CELLS = ".h5ad"
NAMES = "obs_names"  # the column of cell names
_USUAL, _GENES = "X_pca", "X"
_MOST_VALUES = 200_000_000  # limit for genes, at 8 bytes per value


def is_cells(source: Any) -> bool:
    """Whether an object is an AnnData object."""
    return all(hasattr(source, name) for name in ("obs", "obsm", "obs_names"))


def read_cells(path: Path) -> Any:
    """Return the content of a file; genes are only read when needed."""
    try:
        import anndata
    except ImportError:
        missing_extra("anndata", "anndata", "A file of cells (.h5ad)")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # for files of older versions
            return anndata.read_h5ad(path, backed="r")
    except Exception as error:  # HDF5 and AnnData raise many kinds of errors
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise InputError(
            FileName(path),
            f" is not a readable h5ad file ({reason}). Write it again, with "
            "adata.write_h5ad.",
        ) from error


def cell_columns(
    cells: Any, rep: str | None, annotations: list[Column]
) -> list[Column]:
    """Return a representation of cells, cell names, and columns of ``cells.obs``."""
    # One entry of ``cells.obsm`` as a vector column, or X as one column per gene.
    known = [str(name) for name in cells.obsm]
    rep = rep or (_USUAL if _USUAL in known else _GENES)
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
        rows = _dense(cells.obsm[rep]).astype(np.float64)
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
    n_cells, n_genes = X.shape
    if n_cells * n_genes > _MOST_VALUES:
        instead = ", such as " + " or ".join(known) if known else ""
        raise InputError(
            f"X has {n_cells:,} cells × {n_genes:,} genes, more than "
            f"{_MOST_VALUES:,} numbers. Pass a representation with fewer features as ",
            Setting("rep"),
            f"{instead}; scanpy.pp.pca computes X_pca.",
            parameter="rep",
        )
    if not isinstance(X, np.ndarray) and not hasattr(X, "toarray"):
        X = X[:]  # still in the file
    return array_columns(_dense(X), [str(name) for name in cells.var_names])


def _dense(values: Any) -> NDArray[Any]:
    """Return a dense or sparse array as a dense array."""
    return np.asarray(values.toarray() if hasattr(values, "toarray") else values)
