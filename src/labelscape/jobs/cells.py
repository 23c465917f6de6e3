"""A map of cells (AnnData), stored in the AnnData object as in scanpy."""

import json
from typing import Any

import numpy as np

from labelscape._core.params import arguments, either, having, one_of, optional, text
from labelscape.datasets import Reading
from labelscape.jobs.map import map_table
from labelscape.jobs.map_result import MapResult
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
    """Fit a map to labeled cells, and store the result in the AnnData object.

    Parameters
    ----------
    cells : AnnData
        The cells. Cells without a label are not on the map.
    label : str
        The column of ``cells.obs`` with the classes.
    groups : str, False or None, default=None
        The column of ``cells.obs`` with donors or batches, whose cells are held out
        together. None: a column of donors is detected. False: cells are independent.
    rep : str, default=None
        The features: a name in ``cells.obsm``, or "X" for the genes. None means "X_pca"
        if it exists, otherwise "X".
    method : str, default="auto"
        Name of the method, as for `map_table`.
    **settings
        Other arguments of `map_table`, such as ``seed``, ``judge`` and ``audit``. By
        default, there is an audit if there are at most 5,000 cells.

    Returns
    -------
    MapResult
        The result is also stored in ``cells``: ``obsm["X_labelscape"]`` is the map (NaN
        for cells without a label), ``obs["LABEL_suspect"]`` marks labels that look
        wrong (after an audit), and ``uns["labelscape"]`` has all results as JSON.
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
