"""A folder of tables, models and runs that survives a crash at any moment."""

import os
import re
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from labelscape.hosts.app.catalog import Catalog, RunEntry

_ID = re.compile(r"[0-9a-f]{12}")
# In place of the file of an embedded data set. No file of a user is stored as this.
EMBEDDED = "embedded.json"
KINDS = ("tables", "models", "runs")


class Workspace:
    """A folder that holds all that the app knows.

    ``catalogue.sqlite`` says what there is; ``tables``, ``models`` and ``runs`` hold a
    folder for each entry. What is being written lies in ``incoming`` until it is whole
    and on the disk, then one rename brings it to its place, and only then the catalogue
    names it. So a folder without an entry is a leftover, and is removed at the start.

    Parameters
    ----------
    folder : Path
        Where it is. Folders are made as needed.

    Raises
    ------
    ValueError
        If another app has it open, or a newer version wrote it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     workspace = Workspace(Path(folder))
    ...     print(workspace.catalog.runs())
    ...     workspace.close()
    []
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        for name in (*KINDS, "incoming"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        with ExitStack() as opened:  # closed again if anything of this fails
            lock = _locked(self.folder / "lock.sqlite")
            opened.callback(lock.close)
            self.catalog = Catalog(self.folder / "catalogue.sqlite")
            opened.callback(self.catalog.close)
            self._tidy()
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close the catalogue, and let another app open the folder."""
        self._opened.close()

    def path(self, kind: str, id: str, file: str = "") -> Path:
        """Return where an entry, or one of its files, is.

        Raises
        ------
        FileNotFoundError
            If there is none, or the name leads out of the entry's folder.
        """
        entry = self.folder / kind / id
        path = entry / file
        inside = _ID.fullmatch(id) and path.resolve().is_relative_to(entry.resolve())
        if not inside or entry.is_symlink() or path.is_symlink() or not path.exists():
            raise FileNotFoundError(f"There is no file {file!r} of {kind} {id!r}.")
        return path

    @contextmanager
    def incoming(self, id: str) -> Iterator[Path]:
        """Give a folder to write an entry into; it goes if the writing fails."""
        folder = self.folder / "incoming" / id
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, folder: Path, kind: str) -> None:
        """Bring an incoming folder to its place: whole, and on the disk."""
        for path in folder.rglob("*"):
            _to_disk(path)
        _to_disk(folder)
        os.rename(folder, self.folder / kind / folder.name)
        _to_disk(self.folder / kind)

    def remove(self, kind: str, id: str) -> None:
        """Delete the folder of an entry that the catalogue no longer names."""
        folder = self.path(kind, id)
        shutil.rmtree(folder, ignore_errors=True)

    def _tidy(self) -> None:
        self.catalog.interrupt_unfinished()
        shutil.rmtree(self.folder / "incoming", ignore_errors=True)
        (self.folder / "incoming").mkdir(exist_ok=True)
        named = {
            "tables": {entry.id for entry in self.catalog.tables()},
            "models": {entry.id for entry in self.catalog.models()},
            "runs": {r.id for r in self.catalog.runs() if r.state == "finished"},
        }
        for kind, ids in named.items():
            for path in (self.folder / kind).iterdir():
                # Only what we made: a user's own file in here stays.
                if _ID.fullmatch(path.name) and path.name not in ids:
                    shutil.rmtree(path, ignore_errors=True)


def new_id() -> str:
    """Return a name that nobody can guess, for an entry."""
    return secrets.token_hex(6)


def _locked(path: Path) -> sqlite3.Connection:
    """Hold a lock that the system lets go of when the process ends, however it ends."""
    lock = sqlite3.connect(path, timeout=0, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise ValueError(
            f"Another Labelscape app has the workspace '{path.parent}' open. Close it, "
            "or choose another with --workspace."
        ) from error
    return lock


def _to_disk(path: Path) -> None:
    with suppress(PermissionError):  # some systems can not open folders
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# Under which names the files of a run are saved.

# What follows the name of the run.
ENDINGS = {
    "scene.lscn": ".lscn",
    "page.html": ".html",
    "positions.csv": "-positions.csv",
    "model.labelscape": ".labelscape",
    "repeat.py": "-repeat.py",
}
# A run is called after its table, and "LDA of trees.csv" is no CSV file.
_TABLE = re.compile(r"\.(csv|tsv|txt|parquet|feather|arrow|npy|npz)(\.gz)?$", re.I)
_LONGEST = 80


def file_name(run: RunEntry, file: str) -> str:
    """Return the name under which a file of a run is saved: the run's own.

    A model that the user gave keeps the name that it came with, by which the code of
    the run loads it.
    """
    given = run.settings.model_name
    if file == "model.labelscape" and given:
        return given
    return plain(run.name) + ENDINGS[file]


def plain(name: str) -> str:
    """Return a name without what a file system may refuse.

    Examples
    --------
    >>> plain("LiRaM LVQ of größe/a.csv")
    'LiRaM-LVQ-of-größe-a'
    """
    words = re.sub(r"[^\w.]+", "-", _TABLE.sub("", name))
    return words[:_LONGEST].strip("-._") or "run"
