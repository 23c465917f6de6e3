"""Cells in and out: AnnData objects, their files, and what is written back."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import labelscape
from labelscape.datasets import describe_columns, read_table
from labelscape.jobs import map_cells
from labelscape.jobs.fitting import scaler_for


def made(n=60, make=SimpleNamespace, seed=0):
    """Cells of three types from four donors, with what AnnData objects have."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n) % 3
    X = rng.poisson(1.0 + 3.0 * np.eye(3)[kind][:, [0, 1, 2, 0, 1, 2]]).astype(float)
    obs = pd.DataFrame(
        {
            "cell_type": pd.Categorical(np.array(["B", "NK", "T"])[kind]),
            "donor_id": rng.integers(0, 4, n).astype(str),
            "n_counts": X.sum(axis=1),
        },
        index=[f"cell{i}" for i in range(n)],
    )
    names = pd.Index([f"gene{j}" for j in range(6)])
    parts = {"obs": obs, "obsm": {"X_pca": (X - X.mean(axis=0))[:, :4], "Z": X[:, :2]}}
    if make is not SimpleNamespace:
        return make(X=csr_array(X), var=pd.DataFrame(index=names), **parts)
    known = {"obs_names": obs.index, "var_names": names, "uns": {}}
    return make(X=csr_array(X), **parts, **known)


def test_a_representation_holds_the_features_and_annotations_are_shown():
    cells = made()
    table = read_table(cells, label="cell_type", group="donor_id")
    assert np.array_equal(table.X, cells.obsm["X_pca"])
    assert table.feature_names[0] == "X_pca[0]"
    assert set(table.y) == {"B", "NK", "T"}
    assert table.ids.tolist() == cells.obs_names.tolist()
    assert (table.group_column, table.n_groups) == ("donor_id", 4)
    assert [column.name for column in table.shown] == ["n_counts"]
    assert read_table(cells, label="cell_type", group=False, rep="Z").X.shape == (60, 2)


def test_donors_are_detected_and_a_feature_can_be_kept():
    with pytest.warns(UserWarning, match="Rows with the same 'donor_id' belong togeth"):
        table = read_table(made(), label="cell_type", keep=["n_counts"])
    assert table.group_column == "donor_id"
    assert table.feature_names[-1] == "n_counts"


def test_genes_are_features_by_their_names_also_where_they_are_sparse():
    cells = made()
    table = read_table(cells, label="cell_type", group=False, rep="X")
    assert table.feature_names == [f"gene{j}" for j in range(6)]
    assert np.array_equal(table.X, cells.X.toarray())
    del cells.obsm["X_pca"]
    usual = read_table(cells, label="cell_type", group=False)
    assert np.array_equal(usual.X, table.X)


def test_what_cells_do_not_have_is_named():
    with pytest.raises(ValueError, match="there is no representation 'X_umap'"):
        read_table(made(), label="cell_type", rep="X_umap")
    with pytest.raises(ValueError, match="Did you mean 'cell_type'"):
        read_table(made(), label="celltype")
    empty = made()
    empty.X = None
    with pytest.raises(ValueError, match="The AnnData object has no X"):
        read_table(empty, label="cell_type", rep="X")
    wide = made()
    wide.X = SimpleNamespace(shape=(100_000, 30_000))
    with pytest.raises(ValueError, match="100,000 cells × 30,000 genes"):
        read_table(wide, label="cell_type", rep="X")


def test_columns_of_cells_are_described():
    roles = {one.name: one.role for one in describe_columns(made())}
    assert roles == {
        "X_pca": "feature",
        "obs_names": "id",
        "cell_type": "label",
        "donor_id": "group",
        "n_counts": "show",
    }


def test_a_representation_keeps_its_units():
    cells = made()
    cells.obsm["X_pca"] *= [9.0, 3.0, 1.0, 0.1]
    table = read_table(cells, label="cell_type", group=False)
    assert not scaler_for(table.X, table.encoder).with_std
    more = read_table(cells, label="cell_type", group=False, keep=["n_counts"])
    assert scaler_for(more.X, more.encoder).with_std


def test_a_map_of_cells_is_written_back_to_them():
    cells = made()
    cells.obs.loc["cell5", "cell_type"] = np.nan
    with pytest.warns(UserWarning, match="Left out: 1 row without a class"):
        result = map_cells(cells, "cell_type", groups="donor_id", method="lda")
    positions = cells.obsm["X_labelscape"]
    assert np.isnan(positions[5]).all()
    assert np.array_equal(np.delete(positions, 5, axis=0), result.embedding)
    suspects = np.flatnonzero(cells.obs["cell_type_suspect"].to_numpy())
    expected = np.delete(np.arange(60), 5)[result.audit.suspects]
    assert np.array_equal(suspects, np.sort(expected))
    record = json.loads(cells.uns["labelscape"])
    assert record["method"] == "lda"
    assert record["honesty"]["real"] == result.verdict.real


def test_wrong_labels_of_cells_are_marked():
    cells = made(181)
    wrong = np.arange(0, 180, 10)  # of all types
    kind = np.arange(181) % 3
    cells.obs.iloc[wrong, 0] = np.array(["B", "NK", "T"])[(kind[wrong] + 1) % 3]
    cells.obs.iloc[1, 0] = np.nan
    cells.obsm["X_pca"] = 8.0 * np.eye(3)[kind]
    cells.obsm["X_pca"] += np.random.default_rng(1).normal(size=(181, 3))
    with pytest.warns(UserWarning, match="Left out: 1 row"):
        map_cells(cells, "cell_type", groups=False, method="lda", judge=False)
    marked = np.flatnonzero(cells.obs["cell_type_suspect"])
    assert marked.tolist() == wrong.tolist()


def test_cells_are_explored():
    cells = made()
    view = labelscape.explore(
        cells, label="cell_type", groups="donor_id", rep="X_pca", method="lda"
    )
    assert view.scene.n_points == 60
    assert [column.name for column in view.scene.columns] == ["X_pca", "n_counts"]
    assert "X_labelscape" in cells.obsm
    with pytest.raises(ValueError, match="pass the names of the classes"):
        labelscape.explore(cells, cells.obsm["X_pca"])
    with pytest.raises(ValueError, match="pass the names of the classes"):
        labelscape.explore(cells)


def test_a_file_of_cells_needs_anndata(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "anndata", None)
    path = tmp_path / "cells.h5ad"
    path.write_bytes(b"\x89HDF\r\n")
    with pytest.raises(ImportError, match=r"pip install \"labelscape\[anndata\]\""):
        read_table(path, label="cell_type")


def test_a_file_of_cells_is_read_as_the_cells_are(tmp_path):
    reason = "anndata wants an older pandas than the tests have"
    anndata = pytest.importorskip("anndata", reason=reason)
    cells, path = made(make=anndata.AnnData), tmp_path / "cells.h5ad"
    cells.write_h5ad(path)
    for rep in ("X_pca", "X"):
        one, other = (
            read_table(source, label="cell_type", group="donor_id", rep=rep)
            for source in (cells, path)
        )
        assert np.array_equal(one.X, other.X)
        assert np.array_equal(one.y, other.y)
        assert one.ids.tolist() == other.ids.tolist()
        assert np.array_equal(one.encoder.transform(path), one.X)
    map_cells(cells, "cell_type", groups="donor_id", method="lda", judge=False)
    cells.write_h5ad(path)
    assert "X_labelscape" in anndata.read_h5ad(path).obsm
    cells.X = None
    cells.write_h5ad(path)
    bare = read_table(path, label="cell_type", group="donor_id")
    assert np.array_equal(bare.X, cells.obsm["X_pca"])
    with pytest.raises(ValueError, match="The AnnData object has no X"):
        read_table(path, label="cell_type", rep="X")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match="is not a readable h5ad file"):
        read_table(path, label="cell_type")
