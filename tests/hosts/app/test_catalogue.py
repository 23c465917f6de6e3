"""The catalogue when the disk takes no more."""

import sqlite3

import pytest

from labelscape.hosts.app.catalogue import Catalogue, TableEntry


def entry(key, size=0):
    return TableEntry(key, "trees", "source.csv", 1.0, {"columns": ["x" * size]})


def test_a_change_that_a_full_disk_stopped_is_undone_and_the_next_one_works(tmp_path):
    catalogue = Catalogue(tmp_path / "catalogue.sqlite")
    catalogue.add_table(entry("a"))
    (pages,) = catalogue._database.execute("PRAGMA page_count").fetchone()
    catalogue._database.execute(f"PRAGMA max_page_count = {pages + 2}")
    for key in ("b", "c"):
        with pytest.raises(sqlite3.OperationalError, match="full"):
            catalogue.add_table(entry(key, size=100_000))
    catalogue._database.execute(f"PRAGMA max_page_count = {pages + 2000}")
    catalogue.add_table(entry("d", size=100_000))
    assert {table.id for table in catalogue.tables()} == {"a", "d"}
    catalogue.close()


def test_an_interrupted_change_leaves_nothing(tmp_path):
    catalogue = Catalogue(tmp_path / "catalogue.sqlite")

    def interrupted():
        with catalogue._change() as database:
            database.execute("INSERT INTO tables VALUES ('a', 'b', 'c', 1.0, '{}')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert catalogue.tables() == []
    catalogue.add_table(entry("a"))
    catalogue.close()
