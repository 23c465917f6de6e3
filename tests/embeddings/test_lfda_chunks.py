"""LFDA on chunks: the axes of a fit in memory, found pair of chunks by pair."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_wine

from labelscape.embeddings import LFDA, LabelsSayNothing

da = pytest.importorskip("dask.array", reason="labelscape[dask] is not installed")


def wine():
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    return X[order] / X.std(axis=0), y[order]


@pytest.mark.parametrize("chunks", [(178,), (60, 60, 58), (1, 100, 0, 70, 7)])
@pytest.mark.parametrize("n_neighbors", [1, 7, 500])
def test_axes_are_those_of_a_fit_in_memory(chunks, n_neighbors):
    X, y = wine()
    expected = LFDA(n_neighbors=n_neighbors).fit(X, y)
    table = da.from_array(X, chunks=(chunks, 13))
    found = LFDA(n_neighbors=n_neighbors).fit(table, da.from_array(y, chunks=50))
    assert_allclose(found.eigenvalues_, expected.eigenvalues_, rtol=1e-8)
    assert_allclose(found.components_, expected.components_, rtol=1e-6, atol=1e-9)
    assert found.ridge_ == expected.ridge_ == 0.0
    assert found.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("n_neighbors", [1, 7])
def test_copies_and_classes_of_one_object_do_no_harm(n_neighbors):
    X, y = wine()
    X[:30], y[:30], y[0] = X[30:60], y[30:60], 9
    expected = LFDA(n_neighbors=n_neighbors).fit(X, y)
    found = LFDA(n_neighbors=n_neighbors).fit(da.from_array(X, chunks=(40, 13)), y)
    assert_allclose(found.components_, expected.components_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("n_neighbors", [1, 2, 4, 9])
@pytest.mark.filterwarnings("ignore::labelscape.embeddings.LabelsSayNothing")
def test_copies_in_other_chunks_count_once(n_neighbors):
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, (90, 3)).astype(float), rng.integers(0, 2, 90)
    expected = LFDA(n_neighbors=n_neighbors).fit(X, y)
    found = LFDA(n_neighbors=n_neighbors).fit(da.from_array(X, chunks=(20, 3)), y)
    assert_allclose(found.eigenvalues_, expected.eigenvalues_, rtol=1e-8)


def test_what_is_wrong_is_said_as_in_memory():
    X, y = wine()
    table = da.from_array(X, chunks=(50, 13))
    with pytest.raises(ValueError, match="n_components must be at most the number"):
        LFDA(n_components=14).fit(table, y)
    with pytest.raises(ValueError, match="no class has two different samples"):
        LFDA().fit(da.from_array(np.arange(4.0)[:, None].repeat(2, 1)), np.arange(4))
    with pytest.warns(LabelsSayNothing):
        LFDA().fit(table, np.random.default_rng(0).permutation(y))
