"""The door for other rooms: what they may use of this one that is not public."""

from labelscape.datasets._columns import are_names
from labelscape.datasets._describe import continued, shown_columns, shown_values
from labelscape.datasets._encoder import UnknownCategory
from labelscape.datasets.files.pieces import Pieces, TablePiece
from labelscape.datasets.files.text import ParsedText

__all__ = [
    "ParsedText",
    "Pieces",
    "TablePiece",
    "UnknownCategory",
    "are_names",
    "continued",
    "shown_columns",
    "shown_values",
]
