"""The door for other rooms: what they may use of this one that is not public."""

from labelscape.datasets._catalog import info_named
from labelscape.datasets._codes import are_names
from labelscape.datasets._csv import CsvOptions
from labelscape.datasets._parsed import ParsedText
from labelscape.datasets._read_table import classes_in, ids_in
from labelscape.datasets._reading import csv_options
from labelscape.datasets._source import is_text

__all__ = [
    "CsvOptions",
    "ParsedText",
    "are_names",
    "classes_in",
    "csv_options",
    "ids_in",
    "info_named",
    "is_text",
]
