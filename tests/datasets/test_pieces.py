"""Samples of tables that are read in pieces."""

import numpy as np
import polars as pl
import pytest

from labelscape.datasets import Reading
from labelscape.datasets.files import pieces
from labelscape.datasets.files.pieces import Pieces, drawn_from, joined

KEPT = Reading(label="kind", keep=("row",))


def rows(n=900, start=0):
    at = np.arange(start, start + n)
    kind = np.where(at % 300 == 7, "rare", np.where(at % 2, "ash", "elm"))
    wide = np.random.default_rng(start).normal(size=n)
    return pl.DataFrame({"row": at * 1.5, "width": wide, "kind": kind})


@pytest.fixture
def folder(tmp_path):
    for i in range(3):
        rows(300, 300 * i).write_parquet(tmp_path / f"part-{i}.parquet")
    rows(0).write_parquet(tmp_path / "part-empty.parquet")
    return tmp_path


def test_a_folder_is_one_table(folder):
    table, n = Pieces(str(folder), KEPT).sample("trees")
    assert (n, len(table.X), table.name) == (900, 900, "trees")
    assert sorted(set(table.y)) == ["ash", "elm", "rare"]
    np.testing.assert_array_equal(table.X[:, 0], np.arange(900) * 1.5)


def test_text_is_read_as_it_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "ROWS", 200)
    lines = [f"{a:.3f};1;{b}".replace(".", ",") for a, b in zip(
        np.arange(900) / 7, np.where(np.arange(900) % 3, "ash", "elm"), strict=True
    )]  # fmt: skip
    file = tmp_path / "trees.csv"
    file.write_text("\n".join(["size;one;kind", *lines]).replace("1,000;", "weiß;", 1))
    reading = Reading(
        label="kind", delimiter=";", decimal=",", missing_values=("weiß",)
    )
    told = []
    table, n = Pieces(str(file), reading).sample(
        "trees", begin=lambda n: told.append(n) or told.append
    )
    assert n == 900
    assert table.X[8, 0] == pytest.approx(8 / 7, abs=1e-3)
    assert told[0] == sum(told[1:]) == file.stat().st_size
    assert len(told) > 2


def test_a_sample_has_rows_of_every_class_and_its_seed_decides(folder):
    reading = KEPT
    first, again, other = (
        Pieces(str(folder), reading).sample("t", most=100, seed=seed)[0]
        for seed in (0, 0, 1)
    )
    assert 100 <= len(first.X) <= 103
    assert (first.y == "rare").sum() == 3
    np.testing.assert_array_equal(first.X, again.X)
    assert first.X.tolist() != other.X.tolist()
    assert np.all(np.diff(first.X[:, 0]) > 0)  # in the order of the files


def test_the_sample_of_pieces_is_the_one_of_the_whole(monkeypatch):
    monkeypatch.setattr(pieces, "FEWEST_OF_CLASS", 2)
    parts = [drawn_from(rows(300, 300 * i), "kind", 40, (0, i)) for i in range(3)]
    left = joined(joined(parts[0], parts[1]), parts[2])
    right = joined(parts[0], joined(parts[1], parts[2]))
    assert left.rows.equals(right.rows)
    assert left.n == 900
    assert 40 <= len(left.rows) <= 46


def test_what_cannot_be_read_in_pieces_is_refused(folder, tmp_path):
    def read(path, **how):
        return Pieces(str(path), Reading(**how)).sample("t")

    with pytest.raises(ValueError, match="needs the name of the column with the cla"):
        read(folder)
    with pytest.raises(ValueError, match=r"There is no column 'kin'.* row, width"):
        read(folder, label="kin")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read(folder / "none", label="kind")
    rows(10).write_csv(folder / "other.csv")
    with pytest.raises(ValueError, match="contains several kinds of files"):
        read(folder, label="kind")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ValueError, match="contains no file that can be read in pieces"):
        read(empty, label="kind")
    odd = empty / "odd.csv"
    odd.write_text("size,kind\n" + "1,ash\n" * 10 + "1,2,3\n")
    with pytest.raises(ValueError, match=r"'odd\.csv' cannot be read in pieces"):
        read(odd, label="kind")


def test_a_cluster_that_is_not_there_is_named(folder):
    pytest.importorskip("distributed", reason="labelscape[dask] is not installed")
    with pytest.raises(ValueError, match="There is no Dask scheduler at 'nowhere'"):
        Pieces(str(folder), Reading(label="kind")).sample("t", cluster="nowhere")


def test_all_rows_come_again_with_the_features_of_the_sample(folder, monkeypatch):
    monkeypatch.setattr(pieces, "ROWS", 128)
    table = Pieces(str(folder), KEPT).sample("t", most=100)[0]
    told = []
    found = list(
        Pieces(str(folder), KEPT).rows(table, lambda n: told.append(n) or told.append)
    )
    assert [len(part.X) for part in found] == [128, 128, 44] * 3
    X = np.concatenate([part.X for part in found])
    np.testing.assert_array_equal(X[:, 0], np.arange(900) * 1.5)
    labels = np.concatenate([part.labels for part in found])
    assert (
        labels.tolist()
        == np.concatenate(
            [rows(300, 300 * i)["kind"].to_list() for i in range(3)]
        ).tolist()
    )
    assert found[0].ids is None
    assert sum(told[1:]) == sum(file.stat().st_size for file in folder.glob("part-*"))
    named = Reading(label="kind", id="row")
    assert next(iter(Pieces(str(folder), named).rows(table))).ids[1] == "1.5"


def test_text_in_pieces_may_have_a_title_or_no_names(tmp_path):
    lines = [f"{i % 5},{i % 7},{'ab'[i % 2]}" for i in range(60)]
    titled, bare = tmp_path / "titled.csv", tmp_path / "bare.csv"
    titled.write_text("\n".join(["Trees of a wood", "size,age,kind", *lines]))
    bare.write_text("\n".join(lines))
    table, n = Pieces(str(titled), Reading(label="kind", skip=1)).sample("t")
    assert (n, table.feature_names) == (60, ["size", "age"])
    how = Reading(label="x3", header=False)
    table, n = Pieces(str(bare), how).sample("t")
    assert (n, table.feature_names) == (60, ["x1", "x2"])
    placed = Pieces(str(bare), how).rows(table)
    assert sum(len(part.X) for part in placed) == 60
    for option in ({"skip_footer": 1}, {"sheet": "two"}):
        with pytest.raises(
            ValueError, match=r"cannot be used for a table .* in pieces"
        ):
            Pieces(str(titled), Reading(label="kind", **option))
