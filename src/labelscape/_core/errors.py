"""Errors and warnings as records, which are turned into text when they are shown.

A message is a sequence of parts. Most parts are plain text. A `Wording` turns
`Setting`, `FileName` and `Function` into text for one interface: Python code by
default, options on the command line, the names of the user's files in the app.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np


@dataclass(frozen=True)
class Setting:
    """A parameter of the library, either its name alone or with a suggested value."""

    parameter: str
    value: Any = ...


@dataclass(frozen=True)
class FileName:
    """A file that the user passed; ``whole`` shows its path as well."""

    path: Path
    whole: bool = False


@dataclass(frozen=True)
class Function:
    """A function of the library that a message recommends, by its full name."""

    name: str


Part = str | Setting | FileName | Function


class Wording:
    """Text of message parts for Python; other interfaces change some parts."""

    def words(self, part: Part) -> str:
        """Return one part of a message as text."""
        if isinstance(part, Setting):
            return self.setting(part)
        if isinstance(part, FileName):
            return self.file(part)
        return f"{part.name}()" if isinstance(part, Function) else part

    def owner(self, owner: str) -> str:
        """Return the prefix of a message: the class or function that raised it."""
        return f"{owner}: "

    def setting(self, setting: Setting) -> str:
        """Return a parameter as text, with its value if there is one."""
        if setting.value is ...:
            return setting.parameter
        return f"{setting.parameter}={setting.value!r}"

    def remedy(self, setting: Setting) -> str:
        """Return advice to change a parameter, as text."""
        return self.before_setting("pass ") + self.setting(setting)

    def before_setting(self, text: str) -> str:
        """Return the text before a parameter, which may end in "pass"."""
        return text

    def file(self, file: FileName) -> str:
        """Return the name of a file."""
        return repr(str(file.path) if file.whole else file.path.name)


PYTHON = Wording()
_SURROGATES = re.compile("[\ud800-\udfff]")
# Characters that move the cursor, set colors and titles, or turn text around. A line
# break is none of them, except for one that only returns to the start of the line.
CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)"
)


class Message:
    """Content of an error or a warning, as a sequence of parts."""

    owner: str | None = None  # the class or function that raised it
    parameter: str | None = None  # the parameter that is wrong
    # The value that was passed, and the allowed values.
    value: Any = None
    wanted: str | None = None
    parts: tuple[Part, ...]  # the message without the name of the class or function

    @property
    def advice(self) -> tuple[Setting, ...]:
        """Parameters that the message suggests changing."""
        settings = (part for part in self.parts if isinstance(part, Setting))
        return tuple(setting for setting in settings if setting.value is not ...)

    def render(self, wording: Wording = PYTHON) -> str:
        """Return the message as text for one interface."""
        start = "" if self.owner is None else wording.owner(self.owner)
        words = [wording.words(part) for part in self.parts]
        for k, part in enumerate(self.parts[1:]):
            if isinstance(part, Setting):
                words[k] = wording.before_setting(words[k])
        return readable(start + "".join(words))

    def __str__(self) -> str:
        return self.render()


class InputError(Message, ValueError):
    """Error: a value from the user is invalid."""

    def __init__(
        self, *parts: Part, owner: str | None = None, parameter: str | None = None
    ) -> None:
        super().__init__(*parts)  # so that another process can create it again
        self.parts, self.owner, self.parameter = parts, owner, parameter


class InputTypeError(InputError, TypeError):
    """Error: a value from the user has a wrong type."""


class InputWarning(Message, UserWarning):
    """Warning: a value from the user is accepted, but may be a mistake."""

    def __init__(self, *parts: Part) -> None:
        super().__init__(*parts)
        self.parts = parts


class ParameterError(InputError):
    """Error: the value of a parameter is not allowed."""

    def __init__(self, owner: str, parameter: str, value: Any, wanted: str) -> None:
        super().__init__(
            Setting(parameter),
            f" must be {wanted}, got {shown(value)}.",
            owner=owner,
            parameter=parameter,
        )
        self.value, self.wanted = value, wanted
        self.args = (owner, parameter, value, wanted)


def missing_extra(package: str, extra: str, purpose: str) -> NoReturn:
    """Raise an ImportError with the command that installs the package."""
    raise ImportError(
        f"{purpose} needs {package}, which is not installed. "
        f'Install it with: pip install "labelscape[{extra}]"'
    )


def sentence(error: BaseException | Warning, wording: Wording = PYTHON) -> str:
    """Return an error or a warning as text on one line, for one interface."""
    text = error.render(wording) if isinstance(error, Message) else str(error)
    return " ".join(text.split())


def readable(text: str) -> str:
    """Return text that is safe to print, whatever names and file names are in it."""
    if text.isprintable():
        return text
    text = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
    return CONTROLS.sub(lambda sign: ascii(sign[0])[1:-1], text)


def shown(value: Any) -> str:
    """Return a value as messages show it: short, on one line."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, np.generic):
        value = value.item()  # 3 rather than np.int64(3)
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
