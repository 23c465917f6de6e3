"""What the app refuses, and what a disk objects to: a sentence for the user each."""

import errno
import os

# What the app refuses, by kind; the message is a sentence for the user.


class UnknownError(LookupError):
    """Something was asked for that is not there."""


class RefusedError(ValueError):
    """Something was asked for that makes no sense."""


class BusyError(RefusedError):
    """Something was asked for that is not possible now."""


# What a disk objects to, in words and without the paths of this machine.

# What the system says when a file takes no more.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def disk_words(error: Exception) -> str:
    """Return what a disk or a catalogue objects to, and what to do about it.

    Examples
    --------
    >>> disk_words(OSError(errno.ENOSPC, "No space left on device"))
    'The disk is full. Make room, then try again.'
    """
    is_full = isinstance(error, OSError) and error.errno in FULL
    if is_full or "disk is full" in str(error):  # the latter is SQLite's
        return "The disk is full. Make room, then try again."
    words = str(error)
    if isinstance(error, OSError):  # whose own words may hold paths
        words = os.strerror(error.errno) if error.errno else type(error).__name__
    return f"The workspace can not be used ({words}). Look at its disk and its rights."
