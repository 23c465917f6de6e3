"""Errors as a person at a terminal wants them: one sentence, no traceback."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

WRONG_INPUT, INTERRUPTED = 2, 130


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the errors of our own checks into one sentence on stderr and exit code 2.

    Warnings become one line each. Other errors are ours to mend: they keep their
    traceback.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            warnings.simplefilter("once", UserWarning)
            yield
    except (ValueError, OSError, ImportError) as error:
        typer.echo(f"labelscape: {_sentence(error)}", err=True)
        raise typer.Exit(WRONG_INPUT) from error
    except KeyboardInterrupt as error:
        typer.echo("labelscape: stopped.", err=True)
        raise typer.Exit(INTERRUPTED) from error


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.strerror}: {error.filename!r}."
    return _in_options(" ".join(str(error).split())) or f"{type(error).__name__}."


def _in_options(words: str) -> str:
    """Return what a function advises in the words of the command line.

    Examples
    --------
    >>> _in_options("Pass id='name' or drop=['name'].")
    "Pass --id 'name' or --drop 'name'."
    """
    words = re.sub(r"\b(drop|nominal)=\[('[^']*'|\d+)\]", r"--\1 \2", words)
    return re.sub(r"\b(id|label|decimal)=('[^']*')", r"--\1 \2", words)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    typer.echo(f"Note: {' '.join(str(message).split())}", err=True)
