"""A map of cells (AnnData), written back to the slots that scanpy uses."""

import json
from typing import Any

import numpy as np

from labelscape._core.params import arguments, either, having, one_of, optional, text
from labelscape.datasets import Reading
from labelscape.jobs.map import MapResult, map_table
from labelscape.jobs.methods import AUTO

KEY = "labelscape"


@arguments(
    cells=having("obsm", "an AnnData object"),
    label=text(),
    groups=optional(either(text(), one_of(False))),
    rep=optional(text()),
)
def map_cells(
    cells: Any,
    label: str,
    *,
    groups: Any = None,
    rep: str | None = None,
    method: str = AUTO,
    **settings: Any,
) -> MapResult:
    """Map cells by their labels, and write the result back to them.

    Parameters
    ----------
    cells : AnnData
        The cells. Those without a label are not on the map.
    label : str
        The column of ``cells.obs`` with the classes.
    groups : str, False or None, default=None
        The column of ``cells.obs`` with donors or batches: their cells are held out
        together. None detects a column of subjects; False: cells are independent.
    rep : str, default=None
        The features: a name in ``cells.obsm``, or "X" for the genes. None: "X_pca" if
        there is one, else "X".
    method : str, default="auto"
        Name of the method, as for `map_table`.
    **settings
        Other arguments of `map_table`, such as ``seed``, ``judge`` and ``audit``; by
        default, at most 5,000 cells are audited.

    Returns
    -------
    MapResult
        Also written to ``cells``: ``obsm["X_labelscape"]`` is the map (NaN for cells
        without a label), ``obs["LABEL_suspect"]`` says which labels look wrong, if
        there was an audit, and ``uns["labelscape"]`` has the certificate and all
        figures as JSON.
    """
    reading = Reading(
        label=label, group=groups, rep=rep, unlabelled="drop", row_numbers="drop"
    )
    table = reading.read(cells, "cells")
    result = map_table(table, method, **({"audit": None} | settings))
    rows = np.flatnonzero(~cells.obs[label].isna().to_numpy())
    positions = np.full((len(cells.obs), result.embedding.shape[1]), np.nan)
    positions[rows] = result.embedding
    cells.obsm[f"X_{KEY}"] = positions
    if result.audit is not None:
        is_suspect = np.zeros(len(positions), dtype=bool)
        is_suspect[rows[result.audit.suspects]] = True
        cells.obs[f"{label}_suspect"] = is_suspect
    cells.uns[KEY] = json.dumps(result.record())
    return result
