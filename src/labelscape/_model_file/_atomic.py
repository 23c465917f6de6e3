"""Writing a file so that a crash at any moment leaves the old one whole."""

import contextlib
import os
import secrets
import shutil
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` beside ``path``, bring it to the disk, and rename it to ``path``.

    The file gets the permissions of the one it replaces, or those of any new file. A
    symbolic link stays, and the file that it points to is replaced.
    """
    target = Path(os.path.realpath(path))
    folder = target.parent
    if not folder.is_dir():
        raise FileNotFoundError(
            f"save: there is no folder '{path.parent}' to write '{path.name}' into. "
            "Create it first, or choose another path."
        )
    temporary = folder / f".labelscape-{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as file:
            if target.exists():
                shutil.copymode(target, temporary)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:  # a KeyboardInterrupt too must leave nothing behind
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    """Bring the new name to the disk as well, where the system knows how.

    The file is whole by now, so that a system which can not do this is no error.
    """
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
