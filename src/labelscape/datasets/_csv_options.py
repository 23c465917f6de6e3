"""What a user says about a text file, checked."""

from collections.abc import Sequence

from labelscape._core.checks import Rule, check_argument, one_of
from labelscape.datasets._csv import CsvOptions
from labelscape.datasets._text_file import check_encoding

DELIMITER = Rule(
    "one character",
    lambda value: (
        value is None
        or (isinstance(value, str) and len(value) == 1 and value not in '\r\n"')
    ),
)
LIST = Rule(
    "a list",
    lambda value: not isinstance(value, str) and isinstance(value, Sequence),
)


def checked_options(
    owner: str,
    delimiter: str | None,
    decimal: str,
    encoding: str | None,
    header: bool | None,
    missing_values: Sequence[str] = (),
) -> CsvOptions:
    """Return how a text file is written, or say what cannot be."""
    check_argument(owner, "decimal", decimal, one_of(".", ","))
    check_argument(owner, "delimiter", delimiter, DELIMITER)
    check_argument(owner, "header", header, one_of(None, True, False))
    check_argument(owner, "missing_values", missing_values, LIST)
    check_encoding(encoding)
    if delimiter == decimal:
        raise ValueError(
            f"{owner}: delimiter and decimal are both {decimal!r}. Give two different "
            "signs."
        )
    return CsvOptions(delimiter, decimal, encoding, header, tuple(missing_values))
