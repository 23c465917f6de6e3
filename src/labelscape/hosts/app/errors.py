"""Errors of the app and of the disk, as messages for the user."""

import errno
import os
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from labelscape._core.errors import FileName, Message, Setting, Wording, sentence
from labelscape.datasets import Reading


class UnknownError(LookupError):
    """The requested object does not exist."""


class RefusedError(ValueError):
    """The request is invalid; ``parameter`` is the invalid part."""

    def __init__(self, words: str, parameter: str | None = None) -> None:
        super().__init__(words)
        self.parameter = parameter


class BusyError(RefusedError):
    """The request is not possible now."""


@dataclass(frozen=True)
class TaskFailure:
    """Why a task failed: a message, and the invalid parameter, if any."""

    words: str
    parameter: str | None = None


# The verb before a setting, as in "Pass the encoding of the file, such as ". Names of
# the user's columns are never between them, because they are in quotation marks.
_PASS = re.compile(r"(^|\s)([Pp]ass)( [a-z, ]*)$")
_CHOOSE = {"pass": "choose", "Pass": "Choose"}


class PageWording(Wording):
    """Wording of messages: files as the user named them, settings as on the page."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def file(self, file: FileName) -> str:
        """Return the name that the user gave a file, not its path on this machine."""
        return repr(self.names.get(str(file.path), file.path.name))

    def setting(self, setting: Setting) -> str:
        """Return a setting as the page names it, with its value if there is one."""
        option = Reading.options().get(setting.parameter)
        values = setting.value if isinstance(setting.value, list) else [setting.value]
        if option is not None and option.role:
            role = f"“{option.role}”"
            if setting.value is False:
                return f"no column as {role}"
            named = [repr(one) for one in values if isinstance(one, str)]
            return f"{role} for {', '.join(named)}" if named else role
        if option is None or not option.page:
            return super().setting(setting)
        known = option.page_values
        value = ", ".join(str(known.get(one, one)) for one in values if one is not ...)
        return f"“{option.page}”" + (f": {value}" if value else "")

    def owner(self, owner: str) -> str:
        """Return the prefix of a message; functions are unknown to users."""
        return "" if owner.islower() else super().owner(owner)

    def before_setting(self, text: str) -> str:
        """Return the text before a setting: settings are chosen on the page."""
        return _PASS.sub(lambda found: f"{found[1]}{_CHOOSE[found[2]]}{found[3]}", text)


def failure_of(error: Exception, wording: PageWording) -> TaskFailure:
    """Return an error of a task as a message for the user."""
    if isinstance(error, Message):
        return TaskFailure(sentence(error, wording), error.parameter)
    if isinstance(error, OSError):
        return TaskFailure(disk_words(error))
    return TaskFailure(sentence(error) or type(error).__name__)


# Errors of a full disk, from the system and from SQLite. The second code of SQLite is
# for the index of its log.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SQLITE_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)


def is_full(error: Exception) -> bool:
    """Whether an error means that the disk is full."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return getattr(error, "sqlite_errorcode", None) in _SQLITE_FULL


def disk_words(error: Exception) -> str:
    """Return a message, without paths, about an error of the disk or the catalog."""
    if is_full(error):
        return "The disk is full. Delete some files, then try again."
    words = str(error)
    if isinstance(error, OSError):  # its own text may contain paths
        words = os.strerror(error.errno) if error.errno else type(error).__name__
    return (
        f"The workspace cannot be used ({words}). Check its disk and its permissions."
    )
