"""Errors as a person at a terminal wants them: one sentence, no traceback."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from labelscape._core.errors import Function, Part, Setting, Wording, sentence

WRONG_INPUT, INTERRUPTED = 2, 130

# The option of each setting of `read_table` that has one.
_OPTIONS = {
    name: f"--{name}"
    for name in (
        "label",
        "id",
        "group",
        "drop",
        "keep",
        "nominal",
        "show",
        "image",
        "text",
        "decimal",
        "delimiter",
        "encoding",
        "skip",
        "sheet",
        "method",
        "tolerance",
    )
} | {
    "n_components": "--dimensions",
    "n_landmarks": "--landmarks",
    "header": "--header",
    "skip_footer": "--skip-footer",
    "missing_values": "--missing-value",
    "unlabelled": "--drop-unlabelled",
    "merge_classes": "--merge-classes",
    "copies": "--drop-copies",
}
# For these, the option alone says the value.
_VALUES = {
    ("group", False): "--no-group",
    ("header", True): "--header",
    ("header", False): "--no-header",
    ("unlabelled", "drop"): "--drop-unlabelled",
    ("copies", "drop"): "--drop-copies",
}
_VERBS = {"labelscape.datasets.available": "'labelscape datasets'"}
_READERS = ("read_table", "describe_columns")


class OptionWording(Wording):
    """Says settings as options, and functions as verbs of the command line."""

    def words(self, part: Part) -> str:
        """Return one part as text."""
        if isinstance(part, Function) and part.name in _VERBS:
            return _VERBS[part.name]
        return super().words(part)

    def owner(self, owner: str) -> str:
        """Return how a message begins: who reads the table goes without saying."""
        return "" if owner in _READERS else super().owner(owner)

    def setting(self, setting: Setting) -> str:
        """Return an option, with its value if there is one."""
        option, value = _OPTIONS.get(setting.parameter), setting.value
        if option is None:
            return super().setting(setting)
        if value is ...:
            return option
        if isinstance(value, bool | str) and (setting.parameter, value) in _VALUES:
            return _VALUES[setting.parameter, value]
        values = value if isinstance(value, list) else [value]
        return " ".join(f"{option} {one!r}" for one in values)


OPTIONS = OptionWording()


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the errors of our own checks into one sentence on stderr and exit code 2.

    Warnings become one line each. Other errors are ours to mend: they keep their
    traceback.
    """
    said: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        known = message if isinstance(message, Warning) else UserWarning(message)
        words = sentence(known, OPTIONS)
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
    return sentence(error, OPTIONS) or f"{type(error).__name__}."
