"""The door for other rooms: what they may use of this one that is not public."""

from labelscape.datasets._catalog import info_named
from labelscape.datasets._codes import are_names
from labelscape.datasets._decimals import as_decimals_tell
from labelscape.datasets._encoder import EncodedRows, UnknownCategory, encoded_rows
from labelscape.datasets._kinds import ColumnError
from labelscape.datasets._read_table import check_enough_rows, classes_in, ids_in
from labelscape.datasets._reading import csv_options
from labelscape.datasets._sampled import (
    Rows,
    Sampled,
    rows_in_pieces,
    table_in_pieces,
)
from labelscape.datasets._shown import (
    continued,
    image_paths,
    shown_columns,
    shown_in,
    shown_values,
)
from labelscape.datasets._source import is_text
from labelscape.datasets.files.parsed import ParsedText

__all__ = [
    "ColumnError",
    "EncodedRows",
    "ParsedText",
    "Rows",
    "Sampled",
    "UnknownCategory",
    "are_names",
    "as_decimals_tell",
    "check_enough_rows",
    "classes_in",
    "continued",
    "csv_options",
    "encoded_rows",
    "ids_in",
    "image_paths",
    "info_named",
    "is_text",
    "rows_in_pieces",
    "shown_columns",
    "shown_in",
    "shown_values",
    "table_in_pieces",
]
