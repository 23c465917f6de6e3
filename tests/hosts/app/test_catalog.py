"""The catalog: short lists, and a full disk."""

import sqlite3
from contextlib import closing

import pytest

from labelscape.datasets import ColumnInfo
from labelscape.hosts.app.catalog import Catalog
from labelscape.hosts.app.records import StoredTable


def column(name):
    return ColumnInfo(name, "number", 7, 0, 7, ["1", "2"], "feature")


def entry(key, *names):
    return StoredTable(
        id=key,
        name="trees",
        created=1.0,
        n_rows=7,
        n_columns=len(names),
        columns=[*map(column, names)],
        file="source.csv",
    )


def test_a_change_that_a_full_disk_stopped_is_undone_and_the_next_one_works(tmp_path):
    catalog = Catalog(tmp_path / "catalogue.sqlite")
    catalog.add(entry("a"))
    (pages,) = catalog._database.execute("PRAGMA page_count").fetchone()
    catalog._database.execute(f"PRAGMA max_page_count = {pages + 2}")
    for key in ("b", "c"):
        with pytest.raises(sqlite3.OperationalError, match="full"):
            catalog.add(entry(key, "x" * 100_000))
    catalog._database.execute(f"PRAGMA max_page_count = {pages + 2000}")
    catalog.add(entry("d", "x" * 100_000))
    assert {table.id for table in catalog.all(StoredTable)} == {"a", "d"}
    catalog.close()


def test_an_interrupted_change_leaves_nothing(tmp_path):
    catalog = Catalog(tmp_path / "catalogue.sqlite")

    def interrupted():
        with catalog._change() as database:
            database.execute("INSERT INTO tables VALUES ('a', 1.0, '{}')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert catalog.all(StoredTable) == []
    catalog.add(entry("a"))
    catalog.close()


def test_a_list_of_tables_does_not_unpack_their_columns(tmp_path):
    catalog = Catalog(tmp_path / "catalogue.sqlite")
    catalog.add(entry("a", "height", "leaf"))
    (listed,) = catalog.all(StoredTable)
    assert (listed.n_rows, listed.n_columns, listed.columns) == (7, 2, [])
    assert catalog.get(StoredTable, "a") == entry("a", "height", "leaf")
    catalog.close()


def test_a_refused_catalogue_is_closed(tmp_path, monkeypatch):
    made = []

    def connect(*given, connect=sqlite3.connect, **more):
        made.append(connect(*given, **more))
        return made[-1]

    path = tmp_path / "catalogue.sqlite"
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 99")
    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(ValueError, match="another version of Labelscape"):
        Catalog(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        made[0].execute("SELECT 1")
