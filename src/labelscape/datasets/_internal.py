"""Internal names of this package, for other packages of the library."""

from labelscape.datasets._describe import continued, shown_columns
from labelscape.datasets.files.arrays import npy_array
from labelscape.datasets.files.pieces import Pieces
from labelscape.datasets.files.text import ParsedText

__all__ = [
    "ParsedText",
    "Pieces",
    "continued",
    "npy_array",
    "shown_columns",
]
