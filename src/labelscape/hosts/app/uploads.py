"""Limits that keep one bad file, or one big fit, from taking the machine."""

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
    """How much the app takes in."""

    # About a million rows of 100 numbers as CSV.
    # Bytes of a file.
    upload: int = 2**30
    # While it is read there may be two of it, which fit into 8 GB.
    # Bytes of its content, when it is compressed.
    unpacked: int = 4 * 2**30
    # Far more than can be looked at; each is described to the page.
    # Columns of a table.
    columns: int = 100_000
    # More than a person starts by hand.
    # Runs that wait or are being fitted.
    queue: int = 50
    # Bytes that a fit may take; None: what the machine has.
    memory: int | None = None
    # The largest CSV file takes 85 on a machine of two cores.
    # How long a file may take to be read.
    reading_seconds: float = 120.0
    # Two readers: 16 of the server's 40 threads may wait, the others answer.
    # Files that wait to be read, each with a request that waits for it.
    reading_queue: int = 8

    @property
    def reading_memory(self) -> int:
        """Bytes that reading a file may take: never all that the machine has."""
        if self.memory is not None:
            return self.memory
        if not hasattr(os, "sysconf"):
            return 2 * self.unpacked
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def limit_memory(size: int) -> None:
    """Let this process take at most so many more bytes than it has now."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        now = _address_space()
        resource.setrlimit(resource.RLIMIT_AS, (now + size, now + size))


def check_size(path: Path, limits: Limits) -> None:
    """Refuse a file whose content is far larger than it looks."""
    with path.open("rb") as file:
        head = file.read(CHUNK * 16)
    if head.startswith(b"\x1f\x8b"):  # whatever it is called: readers look here too
        _check_gzip(path, limits)
    elif path.suffix in (".npz", *EXCEL):
        _check_zip(path, limits)
    elif path.suffix == ".parquet":
        _check_parquet(path, limits)
    elif path.suffix in ARROW:
        _check_arrow(path, limits, as_file=head.startswith(b"ARROW1"))
    elif path.suffix != ".npy":
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
        raise _not_whole(path, f"gzip file ({error})") from error
    _check_first_line(head, limits)


def _check_zip(path: Path, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(path) as file:
            size = sum(part.file_size for part in file.infolist())
    except zipfile.BadZipFile as error:
        kind = "npz" if path.suffix == ".npz" else "Excel"
        raise _not_whole(path, f"{kind} file ({error})") from error
    if size > limits.unpacked:
        raise _too_large(path, limits)


def _check_parquet(path: Path, limits: Limits) -> None:
    """Refuse by what the file says of itself: runs of equal values take no room."""
    import polars as pl

    try:
        n_columns = len(pl.read_parquet_schema(path))
        n_rows = pl.scan_parquet(path).select(pl.len()).collect().item()
    except (Exception, pl.exceptions.PanicException) as error:
        raise _not_whole(path, "Parquet file") from error
    check_columns(n_columns, limits)
    if n_rows * n_columns * 8 > limits.unpacked:
        raise _too_large(path, limits)


def _check_arrow(path: Path, limits: Limits, *, as_file: bool) -> None:
    """Read no more rows than may be there: the file says nothing of its whole size.

    A cell counts 8 bytes at least: columns of nulls or of few words take less in the
    file than when they are read.
    """
    import polars as pl

    read = pl.read_ipc if as_file else pl.read_ipc_stream
    try:
        n_columns = read(path, n_rows=1).width
        most = limits.unpacked // (8 * max(n_columns, 1))
        table = read(path, n_rows=most + 1) if n_columns <= limits.columns else None
    except (Exception, pl.exceptions.PanicException) as error:
        raise _not_whole(path, f"{path.suffix[1:]} file") from error
    check_columns(n_columns, limits)
    if table is not None and (
        len(table) > most or table.estimated_size() > limits.unpacked
    ):
        raise _too_large(path, limits)


def _check_first_line(head: bytes, limits: Limits) -> None:
    line = head.partition(b"\n")[0]
    check_columns(1 + max(line.count(s) for s in (b",", b";", b"\t", b"|")), limits)


def check_columns(columns: int, limits: Limits) -> None:
    """Refuse a table that is too wide to be looked at."""
    if columns > limits.columns:
        raise InputError(
            f"The table has {columns:,} columns or more, and the app takes at most "
            f"{limits.columns:,}. Choose fewer, or use the library."
        )


def _too_large(path: Path, limits: Limits) -> InputError:
    return InputError(
        FileName(path),
        f" holds more than {limits.unpacked / 2**30:.3g} GB when it is unpacked, and "
        "the app takes no more.",
    )


def _not_whole(path: Path, what: str) -> InputError:
    return InputError(FileName(path), f" is incomplete: it is not a whole {what}.")


def _address_space() -> int:
    """Return the bytes of address space that this process has."""
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return pages * resource.getpagesize()
    return 2 * 2**30  # what the libraries take elsewhere, roughly
