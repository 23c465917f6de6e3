"""``labelscape map`` for tables that are read in pieces."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from labelscape.cli.main import app
from labelscape.datasets.files import pieces

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_a_folder_is_read_in_pieces_and_a_sample_is_mapped(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "MOST_ROWS", 80)
    rng = np.random.default_rng(0)
    (tmp_path / "trees").mkdir()
    for i in range(2):
        y = np.arange(100) % 2
        X = rng.normal(size=(100, 3)) + 3 * y[:, None]
        columns = {f"x{j}": X[:, j] for j in range(3)}
        table = pa.table(columns | {"kind": np.array(["ash", "elm"])[y]})
        pq.write_table(table, tmp_path / "trees" / f"{i}.parquet")
    target = tmp_path / "trees.html"
    given = ["map", str(tmp_path / "trees"), "--label", "kind", "--chunked"]
    given += ["--method", "lda", "--no-honesty", "--json", "-o", str(target)]
    found = CliRunner().invoke(app, given)
    assert found.exit_code == 0, found.output
    assert "A random sample of 80 of 200 rows was read." in found.stderr
    assert json.loads(found.stdout)["rows"] == 80
    assert target.exists()


def test_all_rows_have_a_place_and_the_certificate_is_that_of_all(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(pieces, "MOST_ROWS", 300)
    rng = np.random.default_rng(0)
    y = np.arange(1000) % 2
    X = rng.normal(size=(1000, 3)) + 2 * y[:, None]
    columns = {f"x{j}": X[:, j] for j in range(3)}
    table = pa.table(columns | {"kind": np.array(["ash", "elm"])[y]})
    pq.write_table(table, tmp_path / "trees.parquet")
    given = ["map", str(tmp_path / "trees.parquet"), "--label", "kind", "--chunked"]
    given += ["--method", "lda", "--landmarks", "100", "--no-audit", "--json"]
    given += ["--positions", str(tmp_path / "places.csv")]
    found = CliRunner().invoke(app, [*given, "-o", str(tmp_path / "trees.html")])
    assert found.exit_code == 0, found.output
    record = json.loads(found.stdout)
    assert (record["rows"], record["fitted_rows"]) == (300, 100)
    whole = record["honesty"]["placed"]
    assert (whole["n"], whole["n_judged"]) == (900, 200)
    low, high = whole["interval"]
    assert low < whole["unseen"] < high
    lines = (tmp_path / "places.csv").read_text().splitlines()
    assert lines[0] == "id,class,x"
    assert len(lines) == 1001
    assert [line.split(",")[1] for line in lines[1:5]] == ["ash", "elm"] * 2
    assert lines[-1].startswith("999,elm,")
