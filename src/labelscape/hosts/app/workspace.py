"""A folder of tables, models and runs that remains consistent after a crash."""

import os
import re
import secrets
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from html import escape
from pathlib import Path
from typing import TypeVar

from labelscape.hosts.app.catalog import Catalog
from labelscape.hosts.app.errors import UnknownError, disk_words, is_full
from labelscape.hosts.app.records import LoadedModel, Run, StoredTable

_ID = re.compile(r"[0-9a-f]{12}")
# File name for an example data set; never used for uploaded files.
EMBEDDED = "embedded.json"
KINDS = ("tables", "models", "runs")
CATALOG, LOCK = "catalogue.sqlite", "lock.sqlite"
# Deleted to free space when something is removed from a full disk.
RESERVE = "reserve"
RESERVE_BYTES = 2**18
# Redirects this user's browser to the app.
DOOR = "open.html"
_BESIDE = ("", "-wal", "-shm", "-journal")
OURS = {
    *(*KINDS, "incoming", RESERVE, DOOR),
    *(name + ending for name in (CATALOG, LOCK) for ending in _BESIDE),
}

Answer = TypeVar("Answer")


class Workspace:
    """The folder of the app's data."""

    # catalogue.sqlite lists the entries; tables, models and runs contain a folder for
    # each. An entry is written to incoming. When it is complete and on the disk, it is
    # moved to its place, and then added to the catalog. So a folder without an entry
    # is incomplete, and is removed at the start.
    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        # Everything is closed again if one of these steps fails.
        with _disk_in_words(self.folder), ExitStack() as opened:
            self._make_folders()
            lock = _locked(self.folder / LOCK)
            opened.callback(lock.close)
            self.catalog = Catalog(self.folder / CATALOG)
            opened.callback(self.catalog.close)
            self._tidy()
            self._fill_reserve()
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close the catalog, so that another app can open the folder."""
        (self.folder / DOOR).unlink(missing_ok=True)
        self._opened.close()

    def _make_folders(self) -> None:
        """Create the folders; make the workspace private if it has no other files."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in (*KINDS, "incoming"):
            (self.folder / name).mkdir(mode=0o700, exist_ok=True)
        there = {path.name for path in self.folder.iterdir()}
        if there <= OURS:
            close_to_others(self.folder)
        for name in there & OURS:
            close_to_others(self.folder / name, inside=True)

    def path(self, kind: str, id: str, file: str = "") -> Path:
        """Return the path of an entry, or of one of its files."""
        entry = self.folder / kind / id
        path = entry / file
        inside = _ID.fullmatch(id) and path.resolve().is_relative_to(entry.resolve())
        if not inside or entry.is_symlink() or path.is_symlink() or not path.exists():
            raise UnknownError(f"There is no file {file!r} in {kind}/{id}.")
        return path

    @contextmanager
    def incoming(self, id: str) -> Iterator[Path]:
        """Yield a folder for a new entry; it is removed unless `keep` has moved it."""
        folder = self.folder / "incoming" / id
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, folder: Path, kind: str) -> None:
        """Move the folder of a new entry into place once all its files are on disk."""
        close_to_others(folder, inside=True)
        for path in folder.rglob("*"):
            _to_disk(path)
        _to_disk(folder)
        os.rename(folder, self.folder / kind / folder.name)
        _to_disk(self.folder / kind)

    def remove(self, kind: str, id: str) -> None:
        """Delete the folder, if any, of an entry that was removed from the catalog."""
        with suppress(UnknownError):
            shutil.rmtree(self.path(kind, id), ignore_errors=True)
        self._fill_reserve()

    def even_if_full(self, change: Callable[[], Answer]) -> Answer:
        """Change the catalog; if the disk is full, free the reserved space first."""
        try:
            return change()
        except sqlite3.OperationalError as error:
            if not is_full(error):
                raise
        (self.folder / RESERVE).unlink(missing_ok=True)
        try:
            return change()
        finally:
            self._fill_reserve()

    def _fill_reserve(self) -> None:
        """Reserve disk space, as far as possible."""
        path = self.folder / RESERVE
        with suppress(OSError), open(path, "ab", 0, opener=for_owner) as file:
            while file.tell() < RESERVE_BYTES:
                # Random bytes, because some disks do not store zeros.
                file.write(secrets.token_bytes(4096))

    def door(self, link: str) -> Path:
        """Write a page that redirects to the link; only this user can read it."""
        page = self.folder / DOOR
        page.unlink(missing_ok=True)
        with open(page, "x", encoding="utf-8", opener=for_owner) as file:
            file.write(
                '<!doctype html><html lang="en"><meta charset="utf-8">'
                f'<meta http-equiv="refresh" content="0; url={escape(link)}">'
                f'<title>Labelscape</title><a href="{escape(link)}">Open Labelscape</a>'
                "</html>\n"
            )
        return page

    def _tidy(self) -> None:
        self.catalog.interrupt_unfinished()
        (self.folder / DOOR).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "incoming", ignore_errors=True)
        (self.folder / "incoming").mkdir(mode=0o700, exist_ok=True)
        named = {
            "tables": {entry.id for entry in self.catalog.all(StoredTable)},
            "models": {entry.id for entry in self.catalog.all(LoadedModel)},
            "runs": {r.id for r in self.catalog.all(Run) if r.state == "finished"},
        }
        for kind, ids in named.items():
            for path in (self.folder / kind).iterdir():
                # Files of the user are not deleted.
                if _ID.fullmatch(path.name) and path.name not in ids:
                    shutil.rmtree(path, ignore_errors=True)


def new_id() -> str:
    """Return an id that cannot be guessed."""
    return secrets.token_hex(6)


def _locked(path: Path) -> sqlite3.Connection:
    """Lock the folder; the system unlocks it when the process ends or crashes."""
    if not path.exists():
        path.touch(mode=0o600)
    lock = sqlite3.connect(path, timeout=0, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        raise ValueError(
            f"Another Labelscape app has the workspace '{path.parent}' open. Close the "
            "app, or choose another workspace with --workspace."
        ) from error
    return lock


@contextmanager
def _disk_in_words(folder: Path) -> Iterator[None]:
    """Convert errors of the disk to messages for the user."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        if isinstance(error, OSError) and not is_full(error):
            raise
        raise ValueError(
            f"The workspace '{folder}' cannot be opened. {disk_words(error)}"
        ) from error


def for_owner(path: str, flags: int) -> int:
    """Open a file that only its owner can read (``opener`` of `open`)."""
    return os.open(path, flags, 0o600)


def close_to_others(path: Path, *, inside: bool = False) -> None:
    """Let only the owner use a file or folder; with ``inside``, also its content."""
    about = path.lstat()
    if stat.S_ISLNK(about.st_mode):
        return
    is_ours = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    if is_ours and about.st_mode & 0o077:
        with suppress(OSError):  # some disks have no such permissions
            path.chmod(stat.S_IMODE(about.st_mode) & 0o700)
    if inside and stat.S_ISDIR(about.st_mode):
        for one in path.iterdir():
            close_to_others(one, inside=True)


def _to_disk(path: Path) -> None:
    with suppress(PermissionError):  # some systems cannot open folders
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# The files of a run: names in the folder of the run, endings of the names under which
# users save them, and media types.
FILES = {
    "scene": ("scene.lscn", ".lscn", "application/octet-stream"),
    "page": ("page.html", ".html", "text/html; charset=utf-8"),
    "positions": ("positions.csv", "-positions.csv", "text/csv; charset=utf-8"),
    "placed": ("placed.csv", "-placed.csv", "text/csv; charset=utf-8"),
    "model": ("model.labelscape", ".labelscape", "application/zip"),
    "code": ("repeat.py", "-repeat.py", "text/x-python; charset=utf-8"),
}
# Extensions of tables, which are removed from the names of runs and saved files.
_TABLE = re.compile(r"\.(csv|tsv|txt|xlsx|parquet|feather|arrow|npy|npz)(\.gz)?$", re.I)
_LONGEST = 80


def file_name(run: Run, file: str) -> str:
    """Return the file name under which a user saves a file of a run."""
    if file == "model" and run.settings.model_name:
        return run.settings.model_name
    return plain(run.name) + FILES[file][1]


def without_ending(name: str) -> str:
    """Return the name of a table without the extension of its file."""
    return _TABLE.sub("", name)


def plain(name: str) -> str:
    """Return a name without characters that some file systems reject."""
    words = re.sub(r"[^\w.]+", "-", without_ending(name))
    return words[:_LONGEST].strip("-._") or "run"
