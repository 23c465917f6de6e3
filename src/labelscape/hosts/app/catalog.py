"""The catalog of a workspace: its tables, models and runs."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from labelscape.hosts.app.errors import is_full
from labelscape.hosts.app.records import (
    LIVE,
    Entry,
    LoadedModel,
    Run,
    RunResult,
    State,
    StoredTable,
)

STOPPED = "The app was stopped before this run had finished. Start it again."

Kind = TypeVar("Kind", bound=Entry)

VERSION = 2
# An entry is a JSON record. Columns computed from it are used in queries.
SCHEMA = """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, created REAL NOT NULL, record TEXT NOT NULL
    );
    CREATE TABLE models (
        id TEXT PRIMARY KEY, created REAL NOT NULL, record TEXT NOT NULL
    );
    CREATE TABLE runs (
        id TEXT PRIMARY KEY, created REAL NOT NULL, record TEXT NOT NULL,
        decisions TEXT NOT NULL DEFAULT '[]',
        state TEXT NOT NULL AS (json_extract(record, '$.state')),
        table_id TEXT NOT NULL AS (json_extract(record, '$.table')) STORED
            REFERENCES tables (id),
        model_id TEXT AS (json_extract(record, '$.settings.model'))
    );
    CREATE INDEX runs_by_time ON runs (created);
"""
# Conditions under which an entry may be removed.
_FREE: dict[type[Entry], str] = {
    StoredTable: "NOT EXISTS (SELECT 1 FROM runs WHERE table_id = tables.id)",
    LoadedModel: "NOT EXISTS (SELECT 1 FROM runs WHERE model_id = models.id)",
    Run: f"state NOT IN {LIVE}",
}


class Catalog:
    """The entries in SQLite; only one thread of the process uses them at a time."""

    def __init__(self, path: Path) -> None:
        self._turn = RLock()
        try:
            self._database = _opened(path)
        except sqlite3.DatabaseError as error:
            if is_full(error):
                raise
            raise ValueError(
                f"The catalog '{path}' cannot be read ({error}). Restore it from a "
                "copy, or move it away. The files of all runs are in the folder 'runs'."
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
                # On a full disk, the transaction may be rolled back already, or only
                # COMMIT may have failed.
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _changed(self, query: str, *values: Any) -> bool:
        """Change entries; return whether any changed."""
        with self._change() as database:
            return database.execute(query, values).rowcount > 0

    def _rows(self, query: str, *values: Any) -> list[str]:
        with self._turn:
            return [text for (text,) in self._database.execute(query, values)]

    def add(self, entry: Entry) -> None:
        """Add a table, a model or a run."""
        self._changed(
            f"INSERT INTO {entry.kinds} (id, created, record) VALUES (?, ?, ?)",
            entry.id,
            entry.created,
            entry.model_dump_json(),
        )

    def all(self, kind: type[Kind]) -> list[Kind]:
        """Return all entries of a kind, the newest first, without their columns."""
        short = f"SELECT json_remove(record, '$.columns') FROM {kind.kinds}"
        rows = self._rows(f"{short} ORDER BY created DESC")
        return [kind.model_validate_json(row) for row in rows]

    def get(self, kind: type[Kind], id: str) -> Kind | None:
        """Return one entry."""
        rows = self._rows(f"SELECT record FROM {kind.kinds} WHERE id = ?", id)
        return kind.model_validate_json(rows[0]) if rows else None

    def replace(self, entry: Entry) -> None:
        """Replace the record of an entry."""
        self._changed(
            f"UPDATE {entry.kinds} SET record = ? WHERE id = ?",
            entry.model_dump_json(),
            entry.id,
        )

    def remove(self, kind: type[Entry], id: str) -> bool:
        """Remove an entry that no run needs, or a run that has ended."""
        free = _FREE[kind]
        return self._changed(f"DELETE FROM {kind.kinds} WHERE id = ? AND {free}", id)

    def decisions(self, id: str) -> dict[int, str]:
        """Return the corrected labels of rows of a run, the oldest first."""
        rows = self._rows("SELECT decisions FROM runs WHERE id = ?", id)
        return dict(json.loads(rows[0])) if rows else {}

    def decide(self, id: str, decisions: Mapping[int, str]) -> None:
        """Store the corrected labels of rows of a run."""
        pairs = json.dumps([*decisions.items()])
        self._changed("UPDATE runs SET decisions = ? WHERE id = ?", pairs, id)

    def rename_run(self, id: str, name: str) -> None:
        """Rename a run."""
        self._update("id = ?", id, name=name)

    def start_run(self, id: str) -> None:
        """Record that the fit has begun."""
        self._update(
            "id = ? AND state = 'queued'", id, state="running", started=time.time()
        )

    def end_run(
        self, id: str, state: State, words: str = "", result: RunResult | None = None
    ) -> bool:
        """Record how a run ended; return False if it had already ended."""
        return self._update(
            f"id = ? AND state IN {LIVE}",
            id,
            state=state,
            words=words,
            ended=time.time(),
            result=(result or RunResult()).model_dump(mode="json"),
        )

    def interrupt_unfinished(self) -> None:
        """Mark unfinished runs as interrupted, because the server stopped."""
        ended = {"state": "interrupted", "words": STOPPED, "ended": time.time()}
        self._update(f"state IN {LIVE}", **ended)

    def _update(self, which: str, *values: Any, **changes: Any) -> bool:
        """Change fields of runs; None resets a field to its default."""
        query = f"UPDATE runs SET record = json_patch(record, ?) WHERE {which}"
        return self._changed(query, json.dumps(changes), *values)


def _opened(path: Path) -> sqlite3.Connection:
    if not path.exists():
        path.touch(mode=0o600)  # which SQLite's log replaces
    database = sqlite3.connect(path, check_same_thread=False)
    try:
        database.isolation_level = None  # transactions are written explicitly
        database.execute("PRAGMA journal_mode = WAL")
        # A finished run must be on the disk before the page reports it.
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == 0:  # a new catalog, whose tables are created in one transaction
            # executescript commits open transactions and does not roll back, so its
            # text contains BEGIN.
            database.executescript(
                f"BEGIN IMMEDIATE;{SCHEMA}PRAGMA user_version = {VERSION};COMMIT;"
            )
        elif version != VERSION:
            raise ValueError(
                f"This workspace was written by another version of Labelscape. It has "
                f"format {version}, but this version reads format {VERSION}. Use the "
                "version that wrote it, or choose another workspace."
            )
    except BaseException:
        database.close()
        raise
    return database
