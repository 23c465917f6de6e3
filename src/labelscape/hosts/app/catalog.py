"""The catalogue of a workspace: which tables, models and runs there are."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, Protocol

from labelscape.hosts.app.errors import is_full
from labelscape.hosts.app.records import ModelAbout, RunResult, Settings, TableAbout

STOPPED = "The app was stopped before this run had finished. Start it again."
ENDED = ("finished", "failed", "cancelled", "interrupted")


@dataclass(frozen=True)
class TableEntry:
    """A table that was loaded: ``about`` describes its columns."""

    id: str
    name: str
    file: str
    created: float
    about: TableAbout


@dataclass(frozen=True)
class ModelEntry:
    """A model file that was loaded."""

    id: str
    name: str
    created: float
    about: ModelAbout


@dataclass(frozen=True)
class RunEntry:
    """A fit: what was asked for, how it stands, and what came out of it.

    ``table_name`` is the table's, and is not stored with the run.
    """

    id: str
    name: str
    table_id: str
    settings: Settings
    created: float
    state: str = "queued"
    words: str = ""
    started: float | None = None
    ended: float | None = None
    result: RunResult = field(default_factory=RunResult)
    table_name: str = ""


# Descriptions of wide tables are long, and a list shows none of them.
_TABLES = """
    SELECT id, name, file, created, json_object(
        'n_rows', json_extract(about, '$.n_rows'),
        'n_columns', json_array_length(about, '$.columns'),
        'embedded', json_extract(about, '$.embedded')) AS about
    FROM tables ORDER BY created DESC
"""
_RUNS = """
    SELECT runs.id, runs.name, table_id, settings, runs.created, state, words, started,
        ended, result, tables.name AS table_name
    FROM runs JOIN tables ON tables.id = runs.table_id
"""


class Catalog:
    """Entries in SQLite. One process owns it; its threads take turns."""

    def __init__(self, path: Path) -> None:
        self._turn = RLock()
        try:
            self._database = _opened(path)
        except sqlite3.DatabaseError as error:
            if is_full(error):
                raise
            raise ValueError(
                f"The catalogue '{path}' can not be read ({error}). Restore it from a "
                "copy, or move the file away: runs stay in the folder 'runs'."
            ) from error

    def close(self) -> None:
        """Close the file."""
        with self._turn:
            self._database.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._turn:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled it back already, or only stopped COMMIT.
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        with self._turn:
            return [dict(row) for row in self._database.execute(query, values)]

    def add_table(self, entry: TableEntry) -> None:
        """Enter a table."""
        with self._change() as database:
            database.execute(
                "INSERT INTO tables (id, name, file, created, about) "
                "VALUES (?, ?, ?, ?, ?)",
                (entry.id, entry.name, entry.file, entry.created, _text(entry.about)),
            )

    def tables(self) -> list[TableEntry]:
        """Return all tables, the newest first, without their columns."""
        rows = self._rows(_TABLES)
        return [TableEntry(**_read(row, about=TableAbout)) for row in rows]

    def table(self, id: str) -> TableEntry | None:
        """Return one table."""
        rows = self._rows("SELECT * FROM tables WHERE id = ?", id)
        return TableEntry(**_read(rows[0], about=TableAbout)) if rows else None

    def describe_table(self, id: str, about: TableAbout) -> None:
        """Note what is in a table that was read in another way."""
        with self._change() as database:
            database.execute(
                "UPDATE tables SET about = ? WHERE id = ?", (_text(about), id)
            )

    def remove_table(self, id: str) -> bool:
        """Take a table out, unless a run needs it; return whether it is out."""
        with self._change() as database:
            used = database.execute(
                "SELECT 1 FROM runs WHERE table_id = ? LIMIT 1", (id,)
            ).fetchone()
            if used is None:
                database.execute("DELETE FROM tables WHERE id = ?", (id,))
            return used is None

    def add_model(self, entry: ModelEntry) -> None:
        """Enter a model."""
        with self._change() as database:
            database.execute(
                "INSERT INTO models (id, name, created, about) VALUES (?, ?, ?, ?)",
                (entry.id, entry.name, entry.created, _text(entry.about)),
            )

    def models(self) -> list[ModelEntry]:
        """Return all models, the newest first."""
        rows = self._rows("SELECT * FROM models ORDER BY created DESC")
        return [ModelEntry(**_read(row, about=ModelAbout)) for row in rows]

    def model(self, id: str) -> ModelEntry | None:
        """Return one model."""
        rows = self._rows("SELECT * FROM models WHERE id = ?", id)
        return ModelEntry(**_read(rows[0], about=ModelAbout)) if rows else None

    def remove_model(self, id: str) -> bool:
        """Take a model out, unless a run needs it; return whether it is out."""
        with self._change() as database:
            used = database.execute(
                "SELECT 1 FROM runs WHERE json_extract(settings, '$.model') = ? "
                "LIMIT 1",
                (id,),
            ).fetchone()
            if used is None:
                database.execute("DELETE FROM models WHERE id = ?", (id,))
            return used is None

    def add_run(self, entry: RunEntry) -> None:
        """Enter a run."""
        with self._change() as database:
            database.execute(
                "INSERT INTO runs (id, name, table_id, settings, state, words, created,"
                " started, ended, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    entry.id,
                    entry.name,
                    entry.table_id,
                    _text(entry.settings),
                    entry.state,
                    entry.words,
                    entry.created,
                    entry.started,
                    entry.ended,
                    _text(entry.result),
                ),
            )

    def runs(self) -> list[RunEntry]:
        """Return all runs, the newest first."""
        rows = self._rows(f"{_RUNS} ORDER BY runs.created DESC")
        return [_run(row) for row in rows]

    def run(self, id: str) -> RunEntry | None:
        """Return one run."""
        rows = self._rows(f"{_RUNS} WHERE runs.id = ?", id)
        return _run(rows[0]) if rows else None

    def rename_run(self, id: str, name: str) -> None:
        """Give a run another name."""
        with self._change() as database:
            database.execute("UPDATE runs SET name = ? WHERE id = ?", (name, id))

    def decisions(self, id: str) -> dict[int, str]:
        """Return the label that each row of a run was given, in the order of time."""
        rows = self._rows("SELECT decisions FROM runs WHERE id = ?", id)
        pairs = json.loads(rows[0]["decisions"]) if rows else []
        return dict(pairs)

    def decide(self, id: str, decisions: Mapping[int, str]) -> None:
        """Keep the label that each row of a run was given."""
        with self._change() as database:
            database.execute(
                "UPDATE runs SET decisions = ? WHERE id = ?",
                (json.dumps([*decisions.items()]), id),
            )

    def start_run(self, id: str) -> None:
        """Note that the fit has begun."""
        with self._change() as database:
            database.execute(
                "UPDATE runs SET state = 'running', started = ? "
                "WHERE id = ? AND state = 'queued'",
                (time.time(), id),
            )

    def end_run(
        self,
        id: str,
        state: str,
        words: str = "",
        result: RunResult | None = None,
    ) -> bool:
        """Note how a run ended; return False if it had ended before."""
        with self._change() as database:
            changed = database.execute(
                "UPDATE runs SET state = ?, words = ?, ended = ?, result = ? "
                "WHERE id = ? AND state IN ('queued', 'running')",
                (state, words, time.time(), _text(result or RunResult()), id),
            )
            return changed.rowcount == 1

    def remove_run(self, id: str) -> bool:
        """Take an ended run out; return whether it is out."""
        with self._change() as database:
            gone = database.execute(
                f"DELETE FROM runs WHERE id = ? AND state IN {ENDED}", (id,)
            )
            return gone.rowcount == 1

    def interrupt_unfinished(self) -> None:
        """Note that whatever was queued or running when the server died is lost."""
        with self._change() as database:
            database.execute(
                "UPDATE runs SET state = 'interrupted', ended = ?, words = ? "
                "WHERE state IN ('queued', 'running')",
                (time.time(), STOPPED),
            )


def _opened(path: Path) -> sqlite3.Connection:
    if not path.exists():
        path.touch(mode=0o600)  # which SQLite's log takes over
    database = sqlite3.connect(path, check_same_thread=False)
    try:
        database.isolation_level = None  # transactions are written out above
        database.execute("PRAGMA journal_mode = WAL")
        # A finished run is on the disk when the page says so.
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        _prepare(database)
    except BaseException:
        database.close()
        raise
    database.row_factory = sqlite3.Row
    return database


class _Record(Protocol):
    """What becomes JSON, and is made of it again."""

    def to_json(self) -> dict[str, Any]: ...

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Any: ...


def _text(record: _Record) -> str:
    return json.dumps(record.to_json())


def _read(row: dict[str, Any], **kinds: type[_Record]) -> dict[str, Any]:
    """Return a row whose texts are made records of their kinds again."""
    return row | {k: kind.from_json(json.loads(row[k])) for k, kind in kinds.items()}


def _run(row: dict[str, Any]) -> RunEntry:
    return RunEntry(**_read(row, settings=Settings, result=RunResult))


VERSION = 1
SCHEMA = """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        created REAL NOT NULL,
        about TEXT NOT NULL
    );
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        table_id TEXT NOT NULL REFERENCES tables (id),
        settings TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN (
            'queued', 'running', 'finished', 'failed', 'cancelled', 'interrupted')),
        words TEXT NOT NULL DEFAULT '',
        created REAL NOT NULL,
        started REAL,
        ended REAL,
        result TEXT NOT NULL DEFAULT '{}',
        decisions TEXT NOT NULL DEFAULT '[]'
    );
    CREATE INDEX runs_by_time ON runs (created);
    CREATE TABLE models (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created REAL NOT NULL,
        about TEXT NOT NULL
    );
"""


def _prepare(connection: sqlite3.Connection) -> None:
    """Create the tables of a new catalog, in one piece, or check their version."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        # executescript commits what is open and would not roll back: so BEGIN inside.
        connection.executescript(
            f"BEGIN IMMEDIATE;{SCHEMA}PRAGMA user_version = {VERSION};COMMIT;"
        )
    elif version != VERSION:
        raise ValueError(
            f"This workspace was written by another version of Labelscape (format "
            f"{version}, this one knows {VERSION}). Use that version, or choose "
            "another workspace."
        )
