"""Errors and warnings as records; the sentence is made last, for its reader.

A message is a row of parts. Most are plain text; a `Setting`, a `FileName` or a
`Function` says what it means, and a `Wording` says it in the reader's language: Python
by default, options on the command line, the user's own file names in the app.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Setting:
    """A parameter of the library, by its name alone or with a value to give it."""

    parameter: str
    value: Any = ...


@dataclass(frozen=True)
class FileName:
    """A file that the user gave; ``whole`` shows its path, too."""

    path: Path
    whole: bool = False


@dataclass(frozen=True)
class Function:
    """A function of the library that helps, by its full name."""

    name: str


Part = str | Setting | FileName | Function


class Wording:
    """How parts of a message read in Python; other hosts say some otherwise."""

    def words(self, part: Part) -> str:
        """Return one part as text."""
        if isinstance(part, Setting):
            return self.setting(part)
        if isinstance(part, FileName):
            return self.file(part)
        return f"{part.name}()" if isinstance(part, Function) else part

    def owner(self, owner: str) -> str:
        """Return how a message begins that speaks for a class or function."""
        return f"{owner}: "

    def setting(self, setting: Setting) -> str:
        """Return a parameter, with its value if there is one."""
        if setting.value is ...:
            return setting.parameter
        return f"{setting.parameter}={setting.value!r}"

    def remedy(self, setting: Setting) -> str:
        """Return what to do where a setting helps."""
        return f"pass {self.setting(setting)}"

    def file(self, file: FileName) -> str:
        """Return the name of a file."""
        return repr(str(file.path) if file.whole else file.path.name)


PYTHON = Wording()
_SURROGATES = re.compile("[\ud800-\udfff]")


class Message:
    """What an error or a warning says."""

    owner: str | None = None  # the class or function that speaks
    parameter: str | None = None  # the parameter that is wrong
    # What was given, and what is wanted instead.
    value: Any = None
    wanted: str | None = None
    parts: tuple[Part, ...]  # the message, without its owner

    @property
    def advice(self) -> tuple[Setting, ...]:
        """Settings that would help."""
        settings = (part for part in self.parts if isinstance(part, Setting))
        return tuple(setting for setting in settings if setting.value is not ...)

    def render(self, wording: Wording = PYTHON) -> str:
        """Return the message in the language of a host."""
        start = "" if self.owner is None else wording.owner(self.owner)
        return start + "".join(wording.words(part) for part in self.parts)

    def __str__(self) -> str:
        return self.render()


class InputError(Message, ValueError):
    """Something that the user gave makes no sense."""

    def __init__(
        self, *parts: Part, owner: str | None = None, parameter: str | None = None
    ) -> None:
        super().__init__(*parts)  # from which an error is made again in a process
        self.parts, self.owner, self.parameter = parts, owner, parameter


class InputTypeError(InputError, TypeError):
    """Something that the user gave is of a kind that nothing can be made of."""


class InputWarning(Message, UserWarning):
    """Something that the user gave can be used, but perhaps not as it was meant."""

    def __init__(self, *parts: Part) -> None:
        super().__init__(*parts)
        self.parts = parts


class ParameterError(InputError):
    """A parameter breaks its rule."""

    def __init__(self, owner: str, parameter: str, value: Any, wanted: str) -> None:
        super().__init__(
            Setting(parameter),
            f" must be {wanted}, got {shown(value)}.",
            owner=owner,
            parameter=parameter,
        )
        self.value, self.wanted = value, wanted
        self.args = (owner, parameter, value, wanted)


def sentence(error: BaseException | Warning, wording: Wording = PYTHON) -> str:
    """Return what an error or a warning says on one line, in a host's language."""
    text = error.render(wording) if isinstance(error, Message) else str(error)
    return " ".join(text.split())


def readable(text: str) -> str:
    """Return text that can be written: names of files may hold surrogates."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def shown(value: Any) -> str:
    """Return a value as a message shows it: short, on one line."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, np.generic):
        value = value.item()  # 3 rather than np.int64(3)
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
