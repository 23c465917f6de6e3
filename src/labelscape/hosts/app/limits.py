"""Limits that keep one bad file, or one big fit, from taking the machine."""

import gzip
import sys
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CHUNK = 2**20


@dataclass(frozen=True)
class Limits:
    """How much the app takes in.

    Attributes
    ----------
    upload : int
        Bytes of a file.
    unpacked : int
        Bytes of its content, when it is compressed.
    columns : int
        Columns of a table.
    queue : int
        Runs that wait or are being fitted.
    memory : int or None
        Bytes that a fit may take; None: what the machine has.
    """

    upload: int = 2**30
    unpacked: int = 4 * 2**30
    columns: int = 100_000
    queue: int = 50
    memory: int | None = None


def limit_memory(size: int) -> None:
    """Let this process take at most so many more bytes than it has now."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        now = _address_space()
        resource.setrlimit(resource.RLIMIT_AS, (now + size, now + size))


def check_size(path: Path, limits: Limits) -> None:
    """Refuse a file whose content is far larger than it looks.

    Raises
    ------
    ValueError
        With the size that is allowed.
    """
    name = path.name.lower()
    if name.endswith(".gz"):
        _check_gzip(path, limits)
    elif name.endswith(".npz"):
        _check_zip(path, limits)
    elif name.endswith((".csv", ".tsv", ".txt")):
        with path.open("rb") as file:
            _check_first_line(file.read(CHUNK * 16), limits)


def _check_gzip(path: Path, limits: Limits) -> None:
    size = 0
    try:
        with gzip.open(path) as file:
            head = file.read(CHUNK * 16)
            size = len(head)
            while chunk := file.read(CHUNK):
                size += len(chunk)
                if size > limits.unpacked:
                    raise _too_large(path, limits)
    except (OSError, EOFError) as error:
        raise ValueError(f"'{path.name}' is no whole gzip file ({error}).") from error
    _check_first_line(head, limits)


def _check_zip(path: Path, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(path) as file:
            size = sum(part.file_size for part in file.infolist())
    except zipfile.BadZipFile as error:
        raise ValueError(f"'{path.name}' is no whole npz file ({error}).") from error
    if size > limits.unpacked:
        raise _too_large(path, limits)


def _check_first_line(head: bytes, limits: Limits) -> None:
    line = head.partition(b"\n")[0]
    columns = 1 + max(line.count(sign) for sign in (b",", b";", b"\t", b"|"))
    if columns > limits.columns:
        raise ValueError(
            f"The table has {columns:,} columns or more, and the app takes at most "
            f"{limits.columns:,}. Choose fewer, or use the library."
        )


def _too_large(path: Path, limits: Limits) -> ValueError:
    return ValueError(
        f"'{path.name}' holds more than {limits.unpacked / 2**30:.3g} GB when it is "
        "unpacked, and the app takes no more."
    )


def _address_space() -> int:
    """Return the bytes of address space that this process has."""
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return pages * resource.getpagesize()
    return 2 * 2**30  # what the libraries take elsewhere, roughly
