"""A table from standard input, as a file that readers can open."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

# What files of other formats begin with; all others are text.
_BEGINNINGS = {
    b"PK": ".xlsx",
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"\x93NUMPY": ".npy",
    b"\x1f\x8b": ".csv.gz",
}


@contextmanager
def file_of(data: str) -> Iterator[str]:
    """Return the file of DATA; for ``-`` one that holds what came, for a while."""
    if data != "-":
        yield data
        return
    if sys.stdin.isatty():
        raise ValueError(
            "- reads a table from standard input, which is a terminal here. Pipe one "
            "in: cat table.csv | labelscape map - --label COLUMN."
        )
    with TemporaryDirectory(prefix="labelscape-") as folder:
        path = Path(folder, "stdin")
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield str(path.rename(path.with_name(f"stdin{_ending(path)}")))


def _ending(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    if not start:
        raise ValueError("Nothing came from standard input. Pipe a table in.")
    return next((e for b, e in _BEGINNINGS.items() if start.startswith(b)), ".csv")
