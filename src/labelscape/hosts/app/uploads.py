"""Limits on files and fits, so that they cannot use up the memory of the machine."""

import gzip
import os
import sys
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from labelscape._core.errors import FileName, InputError

CHUNK = 2**20
ARROW = (".feather", ".arrow", ".ipc")
EXCEL = (".xlsx", ".xlsm")


@dataclass(frozen=True)
class Limits:
    """The limits of the app."""

    upload: int = 2**30  # bytes of a file: about a million rows of 100 numbers as CSV
    # Bytes of a file when it is unpacked. Two such files fit into 8 GB.
    unpacked: int = 4 * 2**30
    columns: int = 100_000  # columns of a table; the page shows a description of each
    queue: int = 50  # runs that are waiting or being fitted
    memory: int | None = None  # memory of a fit in bytes; None: no limit
    # Time to read a file: the largest CSV file takes 85 s on a machine with two cores.
    reading_seconds: float = 120.0
    # Requests that wait for a file. For two readers, these use 16 of 40 threads.
    reading_queue: int = 8

    @property
    def reading_memory(self) -> int:
        """Memory limit in bytes for reading a file; by default half of all memory."""
        if self.memory is not None:
            return self.memory
        if not hasattr(os, "sysconf"):
            return 2 * self.unpacked
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def limit_memory(size: int) -> None:
    """Limit this process to ``size`` more bytes of memory than now."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        now = 2 * 2**30  # approximate address space of the libraries
        if sys.platform == "linux":
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            now = pages * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)  # such as by ulimit
        least = now + size if most == resource.RLIM_INFINITY else min(now + size, most)
        resource.setrlimit(resource.RLIMIT_AS, (least, least))


def check_size(path: Path, limits: Limits) -> None:
    """Raise an error if the content of a file is larger than allowed."""
    with path.open("rb") as file:
        head = file.read(CHUNK * 16)
    if head.startswith(b"\x1f\x8b"):  # detected by its content, as in the readers
        _check_gzip(path, limits)
    elif path.suffix in (".npz", *EXCEL):
        _check_zip(path, limits)
    elif path.suffix == ".parquet":
        _check_parquet(path, limits)
    elif path.suffix in ARROW:
        _check_arrow(path, limits, as_file=head.startswith(b"ARROW1"))
    elif path.suffix not in (".npy", ".h5ad"):
        _check_first_line(head, limits)


def _check_gzip(path: Path, limits: Limits) -> None:
    size = 0
    try:
        with gzip.open(path) as file:
            chunk = head = file.read(CHUNK * 16)
            while chunk:
                size += len(chunk)
                if size > limits.unpacked:
                    raise _too_large(path, limits)
                chunk = file.read(CHUNK)
    except (OSError, EOFError, zlib.error) as error:
        raise _incomplete(path, f"gzip file ({error})") from error
    _check_first_line(head, limits)


def _check_zip(path: Path, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(path) as file:
            size = sum(part.file_size for part in file.infolist())
    except zipfile.BadZipFile as error:
        kind = "npz" if path.suffix == ".npz" else "Excel"
        raise _incomplete(path, f"{kind} file ({error})") from error
    if size > limits.unpacked:
        raise _too_large(path, limits)


def _check_parquet(path: Path, limits: Limits) -> None:
    """Check the unpacked size from the metadata, before reading the file."""
    import polars as pl

    try:
        n_columns = len(pl.read_parquet_schema(path))
        n_rows = pl.scan_parquet(path).select(pl.len()).collect().item()
    except (Exception, pl.exceptions.PanicException) as error:
        raise _incomplete(path, "Parquet file") from error
    check_columns(n_columns, limits)
    if n_rows * n_columns * 8 > limits.unpacked:
        raise _too_large(path, limits)


def _check_arrow(path: Path, limits: Limits, *, as_file: bool) -> None:
    """Check the unpacked size by reading at most the allowed number of rows."""
    import polars as pl

    read = pl.read_ipc if as_file else pl.read_ipc_stream
    try:
        n_columns = read(path, n_rows=1).width
        most = limits.unpacked // (8 * max(n_columns, 1))
        table = read(path, n_rows=most + 1) if n_columns <= limits.columns else None
    except (Exception, pl.exceptions.PanicException) as error:
        raise _incomplete(path, f"{path.suffix[1:]} file") from error
    check_columns(n_columns, limits)
    if table is not None and (
        len(table) > most or table.estimated_size() > limits.unpacked
    ):
        raise _too_large(path, limits)


def _check_first_line(head: bytes, limits: Limits) -> None:
    line = head.partition(b"\n")[0]
    check_columns(1 + max(line.count(s) for s in (b",", b";", b"\t", b"|")), limits)


def check_columns(columns: int, limits: Limits) -> None:
    """Raise an error if a table has too many columns."""
    if columns > limits.columns:
        raise InputError(
            f"The table has at least {columns:,} columns, but the app accepts at most "
            f"{limits.columns:,}. Use fewer columns, or the Python library."
        )


def _too_large(path: Path, limits: Limits) -> InputError:
    return InputError(
        FileName(path),
        f" has more than {limits.unpacked / 2**30:.3g} GB when it is unpacked. "
        "This is the limit of the app.",
    )


def _incomplete(path: Path, what: str) -> InputError:
    return InputError(FileName(path), f" is not a complete {what}.")
