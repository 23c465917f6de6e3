"""Files of cells (.h5ad): what they may hold, and what is refused before it is read."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csc_array, csr_array

from labelscape._core.checks import check_sparse
from labelscape.datasets import read_table

reason = "anndata is not installed: it wants an older pandas than the tests"
N = 30


@pytest.fixture
def cells(tmp_path):
    """Return a function that writes a file of cells and opens it for changes."""
    anndata = pytest.importorskip("anndata", reason=reason)
    import h5py

    def written(X=None):
        r = np.random.default_rng(0)
        kind = pd.Categorical(np.array(["a", "b"])[np.arange(N) % 2])
        obs = pd.DataFrame({"t": kind, "size": r.normal(size=N)})
        obs.index = [f"cell{i}" for i in range(N)]
        X = csr_array(r.poisson(1.0, (N, 5)).astype(float)) if X is None else X
        vectors = {"X_pca": r.normal(size=(N, 3)), "Z": r.normal(size=(N, 2))}
        made = anndata.AnnData(X, obs=obs, obsm=vectors, uns={"note": "by hand"})
        made.write_h5ad(tmp_path / "cells.h5ad")
        return h5py.File(tmp_path / "cells.h5ad", "r+")

    written.path = tmp_path / "cells.h5ad"
    written.read = lambda **how: read_table(written.path, label="t", group=False, **how)
    return written


def column(file, name, **options):
    """Add a column of obs."""
    made = file.create_dataset(f"obs/{name}", **options)
    made.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
    file["obs"].attrs["column-order"] = ["t", "size", name]


def test_a_file_is_read_as_the_object_in_it(cells):
    import anndata

    cells().close()
    whole = anndata.read_h5ad(cells.path)
    for rep in (None, "Z", "X"):
        ours = cells.read(rep=rep)
        theirs = read_table(whole, label="t", group=False, rep=rep)
        assert np.array_equal(ours.X, theirs.X)
        assert ours.feature_names == theirs.feature_names
        assert ours.ids.tolist() == theirs.ids.tolist()
        assert ours.shown[0].values.tolist() == theirs.shown[0].values.tolist()


def test_a_file_of_the_first_versions_is_read(cells):
    with cells() as file:
        for name in ("obs", "var", "obsm", "uns", "X"):
            del file[name]
        obs = np.zeros(N, dtype=[("index", "S9"), ("t", "i1"), ("size", "f4")])
        obs["index"] = [f"c{i}" for i in range(N)]
        obs["t"] = np.arange(N) % 2
        file["obs"], file["uns/t_categories"] = obs, np.array([b"left", b"right"])
        file["var"] = np.array([(b"g1",), (b"g2",)], dtype=[("index", "S4")])
        file["X"] = np.arange(2.0 * N).reshape(N, 2)
        vectors = np.zeros(N, dtype=[("X_pca", "f4", (3,)), ("Z", "f4", (2,))])
        vectors["X_pca"] = np.arange(3.0 * N).reshape(N, 3)
        file["obsm"] = vectors
        for name in list(file.attrs):
            del file.attrs[name]
    table = cells.read()
    assert set(table.y) == {"left", "right"}
    assert table.ids[1] == "c1"
    assert np.array_equal(table.X, np.arange(3.0 * N).reshape(N, 3))
    assert cells.read(rep="X").feature_names == ["g1", "g2"]


@pytest.mark.parametrize(
    ("trick", "words"),
    [
        ("storage", "whose values are in another file"),
        ("virtual", "whose values are in another file"),
        ("external link", "a link in place of '/obs/leak'"),
        ("soft link", "a link in place of '/uns/loop'"),
        ("circle", "two names for the group"),
        ("references", "references in '/uns/leak'"),
        ("filter", "packed by filter 32015"),
        ("path", "the path '/uns/note' in '/obs'"),
        ("large", "but would need 8,000,00.* bytes of memory"),
        ("same word", "bytes of memory, unlike any real table"),
    ],
)
def test_what_is_not_in_the_file_is_refused(cells, tmp_path, trick, words):
    import h5py

    (tmp_path / "secret").write_bytes(bytes(range(200)))
    with h5py.File(tmp_path / "secret.h5", "w") as other:
        other["secret"] = np.arange(N)
    long = None
    with cells() as file:
        if trick == "storage":
            parts = [(str(tmp_path / "secret"), 0, N)]
            column(file, "leak", shape=(N,), dtype="u1", external=parts)
        elif trick == "virtual":
            layout = h5py.VirtualLayout(shape=(N,), dtype="i8")
            layout[:] = h5py.VirtualSource(str(tmp_path / "secret.h5"), "secret", (N,))
            file.create_virtual_dataset("uns/leak", layout)
        elif trick == "external link":
            file["obs/leak"] = h5py.ExternalLink("secret.h5", "secret")
        elif trick == "soft link":
            file["uns/loop"] = h5py.SoftLink("/uns")
        elif trick == "circle":
            file["uns/loop"] = file["uns"]
        elif trick == "references":
            file.create_dataset("uns/leak", (3,), dtype=h5py.ref_dtype)
        elif trick == "filter":
            plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plan.set_chunk((4,))
            plan.set_filter(32015, h5py.h5z.FLAG_OPTIONAL)
            space = h5py.h5s.create_simple((4,))
            h5py.h5d.create(file["uns"].id, b"z", h5py.h5t.STD_I8LE, space, plan)
        elif trick == "path":
            file["obs"].attrs["column-order"] = ["t", "/uns/note"]
        elif trick == "large":
            column(file, "leak", shape=(10**9,), dtype="u1", chunks=(1000,))
        else:
            column(file, "leak", data=["@" * 300_000] + ["@"] * 3999)
            long = file["obs/leak"].id.get_offset()
    if long is not None:  # all words are the first one
        content = cells.path.read_bytes()
        after = content[long + 16 * 4000 :]
        cells.path.write_bytes(
            content[:long] + content[long : long + 16] * 4000 + after
        )
    with pytest.raises(ValueError, match=rf"'cells\.h5ad' .*{words}"):
        cells.read()


def test_a_heap_without_end_is_refused(cells):
    """HDF5 reads an empty entry without an index again and again."""
    cells().close()
    content = bytearray(cells.path.read_bytes())
    at = content.find(b"GCOL\1\0\0\0") + 16
    content[at : at + 16] = bytes(16)
    cells.path.write_bytes(bytes(content))
    with pytest.raises(ValueError, match="HDF5 would never end reading it"):
        cells.read()


@pytest.mark.parametrize("make", [csr_array, csc_array])
@pytest.mark.parametrize("odd", [9_999_999, -1])
def test_sparse_genes_out_of_range_are_refused(cells, make, odd):
    with cells(make(np.eye(N, 5))) as file:
        file["X/indices"][2] = odd
    with pytest.raises(ValueError, match=r"shape \(30, 5\) is damaged"):
        cells.read(rep="X")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (np.zeros((N, 2, 3)), r"X_pca must be a table of real numbers .* \(30, 2, 3\)"),
        (np.zeros(N), r"got values of type float64 and shape \(30,\)"),
        (np.zeros((N, 0)), r"shape \(30, 0\)"),
        (np.zeros((N - 1, 2)), r"one row for each of the 30 cells.* \(29, 2\)"),
        (np.full((N, 2), 1 + 2j), "real numbers .* complex128"),
        (np.full((N, 2), "a", dtype=object), "real numbers .* object"),
    ],
)
def test_vectors_that_are_no_table_are_described(cells, rows, words):
    import anndata

    with cells() as file:
        del file["obsm/X_pca"]
        anndata.io.write_elem(file["obsm"], "X_pca", rows)
    with pytest.raises(ValueError, match=words):
        cells.read()


def changed(X, **parts):
    for name, values in parts.items():
        setattr(X, name, np.asarray(values))
    return X


def unit(make=csr_array):
    return make(np.eye(3, 4))


@pytest.mark.parametrize(
    "X",
    [
        changed(unit(), indices=[0, 1, 4]),
        changed(unit(), indices=[0, -1, 2]),
        changed(unit(), indptr=[0, 1, 2, 9]),
        changed(unit(), indptr=[0, 2, 1, 3]),
        changed(unit(), indptr=[0, 3]),
        changed(unit(), data=[1.0]),
        changed(unit(csc_array), indices=[0, 1, 3]),
        changed(unit(coo_array), coords=((0, 1, 3), (0, 1, 2))),
    ],
)
def test_damaged_sparse_matrices_are_refused(X):
    with pytest.raises(ValueError, match=r"of shape \(3, 4\) is damaged"):
        check_sparse(X)


def test_whole_sparse_matrices_are_left_as_they_are():
    for X in (unit(), unit(csc_array), unit(coo_array), unit().tobsr((1, 2)), "words"):
        check_sparse(X)
    check_sparse(csr_array((0, 3)))
