from ._catalog import DatasetInfo, available, load
from ._describe import ColumnInfo, ShownColumn
from ._encoder import TableEncoder
from ._generated import (
    make_checkerboard,
    make_gaussians,
    make_modes,
    make_noise,
    make_satellite,
    make_xor,
)
from ._reading import Reading, describe_columns, read_table
from ._table import Table

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
