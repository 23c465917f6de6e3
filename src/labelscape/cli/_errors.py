"""Errors as a person at a terminal wants them: one sentence, no traceback."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

WRONG_INPUT, INTERRUPTED = 2, 130

# How functions name their arguments, and what the command line has for them.
_VALUE = r"""('[^']*'|"[^"]*"|\d+)"""
_OPTIONS = (
    (rf"\b(drop|nominal)=\[{_VALUE}\]", r"--\1 \2"),
    (rf"\b(id|label|decimal|delimiter|encoding)={_VALUE}", r"--\1 \2"),
    (rf"\bmissing_values=\[{_VALUE}\]", r"--missing-value \1"),
    (r"\bunlabelled='drop'", "--drop-unlabelled"),
    (r"\bheader=True\b", "--header"),
    (r"\bheader=False\b", "--no-header"),
    (r"\blabelscape\.datasets\.available\(\) lists", "'labelscape datasets' lists"),
    (r"^(read_table|describe_columns): ", ""),
    (r"^(label|delimiter) and (id|decimal)\b", r"--\1 and --\2"),
    (r"^(label|id|drop|nominal|decimal|delimiter|encoding)\b", r"--\1"),
)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the errors of our own checks into one sentence on stderr and exit code 2.

    Warnings become one line each. Other errors are ours to mend: they keep their
    traceback.
    """
    said: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        words = _in_options(" ".join(str(message).split()))
        if words not in said:
            typer.echo(f"Note: {words}", err=True)
        said.add(words)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = show
            # "once" forgets what was said where others catch warnings in between.
            warnings.simplefilter("always", UserWarning)
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
    for pattern, option in _OPTIONS:
        words = re.sub(pattern, option, words)
    return words
