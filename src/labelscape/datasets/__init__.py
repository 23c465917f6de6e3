"""Data to work on: embedded, generated, the papers' own, and the user's tables."""

from labelscape._core.columns.shown import ShownColumn
from labelscape.datasets._catalog import DatasetInfo, available, load
from labelscape.datasets._describe import ColumnInfo, describe_columns
from labelscape.datasets._encoder import TableEncoder
from labelscape.datasets._generated import (
    make_checkerboard,
    make_gaussians,
    make_modes,
    make_noise,
    make_satellite,
    make_xor,
)
from labelscape.datasets._read_table import read_table
from labelscape.datasets._reading import Reading
from labelscape.datasets._table import Table

__all__ = [
    "ColumnInfo",
    "DatasetInfo",
    "Reading",
    "ShownColumn",
    "Table",
    "TableEncoder",
    "available",
    "describe_columns",
    "load",
    "make_checkerboard",
    "make_gaussians",
    "make_modes",
    "make_noise",
    "make_satellite",
    "make_xor",
    "read_table",
]
