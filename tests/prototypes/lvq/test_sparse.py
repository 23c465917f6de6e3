"""A sparse matrix is learned as its dense copy is, without ever being one."""

import numpy as np
import pytest
from scipy import sparse

from labelscape._core.rows.rows import Rows
from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    LiRaMLVQ,
    LocalLiRaMLVQ,
)

FAMILY = [GLVQ, GRLVQ, GMLVQ, LiRaMLVQ, LGMLVQ, LocalLiRaMLVQ]


def words(n=150, n_features=30, seed=0):
    """Return counts of words in texts of three topics, sparse."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    rates = 0.1 + 0.9 * (np.arange(n_features) % 3 == y[:, None])
    return sparse.csr_array(rng.poisson(rates).astype(float)), y


@pytest.mark.parametrize("model", FAMILY)
@pytest.mark.parametrize("prototypes", [1, 2])
def test_sparse_and_dense_give_the_same_model(model, prototypes):
    X, y = words()
    options = {"max_iter": 12, "random_state": 0, "prototypes_per_class": prototypes}
    a, b = model(**options).fit(X, y), model(**options).fit(X.toarray(), y)
    np.testing.assert_allclose(a.loss_curve_, b.loss_curve_, rtol=1e-6)
    np.testing.assert_allclose(a.prototypes_, b.prototypes_, atol=1e-5)
    np.testing.assert_array_equal(a.predict(X), b.predict(X.toarray()))
    np.testing.assert_allclose(a.temperature_, b.temperature_, rtol=1e-5)


@pytest.mark.parametrize(
    "kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array]
)
def test_any_kind_of_sparse_matrix_will_do(kind):
    X, y = words()
    model = LiRaMLVQ(max_iter=5, random_state=0)
    expected = model.fit(X, y).prototypes_
    np.testing.assert_array_equal(model.fit(kind(X), y).prototypes_, expected)


@pytest.mark.slow
@pytest.mark.parametrize("model", [LiRaMLVQ, GMLVQ, LocalLiRaMLVQ])
def test_a_wide_sparse_matrix_is_never_dense_as_a_whole(model, monkeypatch):
    rng = np.random.default_rng(1)
    n, N = 3000, 3000
    y = np.arange(n) % 3
    topic = rng.integers(0, N // 3, size=(n, 12)) * 3 + y[:, None]
    rows = np.repeat(np.arange(n), 12)
    X = sparse.csr_array((np.ones(n * 12), (rows, topic.ravel())), shape=(n, N))
    largest = []
    dense = Rows.block

    def noted(self, which):
        found = dense(self, which)
        largest.append(found.nbytes)
        return found

    monkeypatch.setattr(Rows, "block", noted)
    options = {"max_iter": 3, "n_components": 2, "random_state": 0}
    fitted = model(**options).fit(X, y)
    assert max(largest) < X.shape[0] * X.shape[1] * 8 / 2.5
    assert fitted.score(X, y) > 0.9


def test_weights_of_zero_leave_sparse_objects_out():
    X, y = words()
    weights = (np.arange(len(y)) % 5 > 0) * 1.0
    model = LiRaMLVQ(max_iter=5, random_state=0)
    a = model.fit(X, y, sample_weight=weights).prototypes_
    b = model.fit(X[weights > 0], y[weights > 0]).prototypes_
    np.testing.assert_allclose(a, b)


def test_a_stream_of_sparse_chunks_is_learned():
    X, y = words()
    a, b = LiRaMLVQ(random_state=0), LiRaMLVQ(random_state=0)
    for start in range(0, 150, 50):
        chunk = slice(start, start + 50)
        a.partial_fit(X[chunk], y[chunk], classes=[0, 1, 2])
        b.partial_fit(X[chunk].toarray(), y[chunk], classes=[0, 1, 2])
    np.testing.assert_allclose(a.prototypes_, b.prototypes_, atol=1e-8)


@pytest.mark.parametrize("options", [{"solver": "sgd"}, {"missing": "ignore"}])
def test_what_needs_dense_objects_says_what_to_do(options):
    X, y = words()
    with pytest.raises(TypeError, match=r"a sparse X needs solver='lbfgs'.*toarray"):
        GLVQ(**options).fit(X, y)


def test_an_object_of_its_own_class_is_known_as_one():
    X, y = words(31)
    y[30] = 7
    model = GLVQ(max_iter=1, tol=1e9, random_state=0).fit(X, y)
    dense = GLVQ(max_iter=1, tol=1e9, random_state=0).fit(X.toarray(), y)
    np.testing.assert_array_equal(model._is_sample, dense._is_sample)
