"""Detection of files whose samples are in columns, as laboratories write them."""

from collections.abc import Sequence
from pathlib import Path

from labelscape._core.errors import FileName, InputError, Setting
from labelscape.datasets._columns import Column
from labelscape.datasets._kinds import is_number
from labelscape.datasets._options import ColumnKey

_FEWEST = 4  # samples and features; a smaller table may have another layout


def refuse_samples_in_columns(
    columns: Sequence[Column], path: Path, label: ColumnKey | None
) -> None:
    """Raise an InputError if the samples of a file are likely to be in columns.

    In such a file, the first row below the names contains the class of each sample. All
    other rows contain the name of a feature and its values.
    """
    names, *samples = columns
    if min(len(samples), len(names.values)) < _FEWEST or not names.holds_words:
        return
    if not all(_is_sample(column) for column in samples):
        return
    classes = {column.values[0] for column in samples}
    if not 2 <= len(classes) <= len(samples) / 2:
        return
    row = names.values[0]
    is_label_given = label is not None or row is None
    raise InputError(
        FileName(path),
        f" seems to have its samples in columns: the row {row or ''!r} contains "
        f"{len(classes)} different words in {len(samples)} columns, and the "
        f"{len(names.values) - 1:,} rows below it contain numbers. Pass ",
        Setting("transpose", True),
        *(() if is_label_given else (" and ", Setting("label", row))),
        ", or ",
        Setting("transpose", False),
        " if its rows are the samples.",
        parameter="transpose",
    )


def _is_sample(column: Column) -> bool:
    """Whether a column begins with a word and then has only numbers."""
    first, *rest = column.values if column.kind == "text" else [None]
    is_word = first is not None and not is_number(first)
    return is_word and all(
        word is None or is_number(word.replace(",", ".")) for word in rest
    )
