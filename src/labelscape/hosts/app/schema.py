"""The tables of the catalogue, and how old catalogues become new ones."""

import sqlite3

# Each entry brings a catalogue from version i to i + 1. Entries are never changed, only
# added: workspaces of every older version must still open.
MIGRATIONS = (
    """
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
        result TEXT NOT NULL DEFAULT '{}'
    );
    CREATE INDEX runs_by_time ON runs (created);
    """,
    # Uploaded models came with version 2.
    """
    CREATE TABLE models (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created REAL NOT NULL,
        about TEXT NOT NULL
    );
    """,
)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the catalogue to the version of this program, each step in one piece."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise ValueError(
            f"This workspace was written by a newer Labelscape (format {version}, this "
            f"one knows {len(MIGRATIONS)}). Update Labelscape, or choose another "
            "workspace."
        )
    for number in range(version, len(MIGRATIONS)):
        # executescript commits what is open and would not roll back: so BEGIN inside.
        connection.executescript(
            f"BEGIN IMMEDIATE;{MIGRATIONS[number]}"
            f"PRAGMA user_version = {number + 1};COMMIT;"
        )
