"""Text and HTML tables, and files that are written completely or not at all."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from labelscape._core.errors import readable

Row = Sequence[str]


def text_table(header: Row, rows: Sequence[Row], left: Sequence[int] = (0,)) -> str:
    """Return a table as text; columns in ``left`` are aligned to the left."""
    # A line break would end the line of the table.
    lines = [
        [readable(cell).replace("\n", r"\n") for cell in line]
        for line in (header, *rows)
    ]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k in left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def html_table(header: Row, rows: Sequence[Row]) -> str:
    """Return a table as HTML, with labels and names escaped."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Printed:
    """Base class of reports that print as sentences and tables, also in a notebook."""

    # Separator between parts of the text.
    _between = "\n"

    def _parts_shown(self) -> Iterable[Any]:
        """Return sentences, and tables as the arguments of `text_table`."""
        raise NotImplementedError

    def __str__(self) -> str:
        return as_text(self._parts_shown(), self._between)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return "".join(
            f"<p>{escape(part)}</p>" if isinstance(part, str) else html_table(*part[:2])
            for part in self._parts_shown()
        )


def as_text(parts: Iterable[Any], between: str) -> str:
    """Return sentences and tables as text."""
    return between.join(
        readable(part) if isinstance(part, str) else text_table(*part) for part in parts
    )


def data_frame(data: Any, **options: Any) -> Any:
    """Return a pandas data frame; raise an error if pandas is not installed."""
    try:
        import pandas as pd
    except ImportError:
        from labelscape._core.errors import missing_extra

        missing_extra("pandas", "dev", "to_frame()")
    return pd.DataFrame(data, **options)


def shortened(name: object, longest: int = 24) -> str:
    """Return a name on one line; a long name is cut in the middle, not at its end."""
    text = readable(" ".join(str(name).split()))
    half = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def write_atomically(
    path: Path, data: bytes | Iterable[bytes], *, make_folders: bool = False
) -> None:
    """Write data to a temporary file beside ``path``, then rename it to ``path``."""
    check_target(path, make_folders=make_folders)
    with _plain_words(path):
        target = Path(os.path.realpath(path))  # a symbolic link is kept
        if make_folders:
            target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".labelscape-{secrets.token_hex(8)}.tmp")
        try:
            with temporary.open("xb") as file:
                if target.exists():
                    shutil.copymode(target, temporary)
                file.writelines([data] if isinstance(data, bytes) else data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:  # also after a KeyboardInterrupt, remove the file
            temporary.unlink(missing_ok=True)
            raise


def check_target(path: Path, *, make_folders: bool = False) -> None:
    """Raise an OSError with a clear message if no file can be written at ``path``."""
    with _plain_words(path):
        if path.is_dir():
            raise IsADirectoryError(
                f"{str(path)!r} is a folder. Give the name of a file to write."
            )
        folder = Path(os.path.realpath(path)).parent
        while make_folders and not folder.exists():
            folder = folder.parent
        if folder.is_file():
            raise NotADirectoryError(
                f"{str(path)!r} cannot be written, because {str(folder)!r} is a file, "
                "not a folder. Choose another path."
            )
        if not folder.is_dir():
            raise FileNotFoundError(
                f"There is no folder '{path.parent}' to write '{path.name}' into. "
                "Create it first, or choose another path."
            )
        if not os.access(folder, os.W_OK):
            raise PermissionError(
                f"{str(path)!r} cannot be written: you have no write permission for "
                f"the folder {str(folder)!r}. Choose another path."
            )


@contextlib.contextmanager
def _plain_words(path: Path) -> Iterator[None]:
    """Replace errors of the operating system by a message about the file."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # the error is our own
            raise
        explained = type(error)(f"{str(path)!r} cannot be written: {error.strerror}.")
        explained.errno = error.errno  # no strerror: it would replace the message
        raise explained from error
