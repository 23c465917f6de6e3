import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from labelscape._core import threads
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape.embeddings import NCA
from labelscape.embeddings.nca import loss_and_gradient
from labelscape.quality import knn_accuracy


def slow_loss(T, X, y):
    """Return the objective as the formula has it, pair by pair."""
    Z, logs = X @ T.T, []
    for i in range(len(X)):
        near = {j: np.exp(-((Z[i] - Z[j]) ** 2).sum()) for j in range(len(X)) if j != i}
        own = sum(value for j, value in near.items() if y[j] == y[i])
        if own > 0:
            logs.append(np.log(own / sum(near.values())))
    return -sum(logs) / len(X)


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    y = np.append(np.arange(24) % 3, 3)  # the last one is alone in its class
    return rng.normal(size=(25, 5)) + 1.5 * np.eye(5)[y], y


def test_the_objective_is_that_of_the_formula_and_the_gradient_its_slope(table):
    X, y = table
    T = np.random.default_rng(1).normal(size=(2, 5)) / 2
    loss, gradient = loss_and_gradient(T, X, y)
    assert_allclose(loss, slow_loss(T, X, y), rtol=1e-12)
    step = 1e-6
    for place in np.ndindex(T.shape):
        shift = np.zeros_like(T)
        shift[place] = step
        slope = (slow_loss(T + shift, X, y) - slow_loss(T - shift, X, y)) / (2 * step)
        assert_allclose(gradient[place], slope, rtol=1e-6, atol=1e-9)


def test_a_sample_far_from_its_class_still_has_a_slope():
    X, y = np.array([[0.0], [40.0], [41.0], [0.5]]), np.array([0, 0, 1, 1])
    loss, gradient = loss_and_gradient(np.ones((1, 1)), X, y)
    assert np.isfinite(loss)
    assert abs(gradient[0, 0]) > 1.0


def test_blocks_of_rows_change_nothing(table, monkeypatch):
    X, y = table
    T = np.eye(2, 5)
    whole = loss_and_gradient(T, X, y)
    cut = [slice(i, min(i + 4, 25)) for i in range(0, 25, 4)]
    monkeypatch.setattr("labelscape.embeddings.nca.row_blocks", lambda *_: cut)
    for one, other in zip(whole, loss_and_gradient(T, X, y), strict=True):
        assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize(("name", "length"), [("srbct50", 3), ("nci50", 10)])
def test_tumors_are_free_of_errors_at_the_papers_length(name, length, paper_table):
    X, y = paper_table(name)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    for seed in range(5):
        nca = NCA.as_in_paper(max_iter=length, random_state=seed).fit(X, y)
        assert knn_accuracy(nca.transform(X), y) == 1.0


def test_the_loss_falls_and_the_scale_of_features_changes_nothing(table):
    X, y = table
    nca = NCA(max_iter=20).fit(X, y)
    assert np.all(np.diff(nca.loss_curve_) <= 0)
    assert nca.n_iter_ == len(nca.loss_curve_) <= 20
    scaled = NCA(max_iter=20).fit(1000 * X + 5, y)
    assert_allclose(scaled.loss_curve_, nca.loss_curve_, rtol=1e-6)


def test_one_and_two_threads_give_the_same_bits(table, monkeypatch):
    X, y = (np.repeat(a, 30, axis=0) for a in table)
    X = X + np.random.default_rng(0).normal(size=X.shape)
    maps = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        maps.append(NCA(max_iter=3).fit(X, y).components_)
    assert_array_equal(*maps)


def test_a_callback_ends_the_fit(table):
    nca = NCA(callback=lambda news: news["iteration"] == 2).fit(*table)
    assert nca.n_iter_ == 2


def test_a_start_of_more_axes_than_samples_is_possible():
    X, y = np.random.default_rng(0).normal(size=(6, 9)), np.arange(6) % 2
    assert NCA(8, max_iter=2).fit(X, y).components_.shape == (8, 9)


def test_wrong_parameters_and_labels_that_say_nothing_are_named(table):
    X, y = table
    with pytest.raises(ValueError, match="NCA: n_components must be at most"):
        NCA(6).fit(X, y)
    with pytest.raises(ValueError, match="NCA: init must be"):
        NCA(init="lda").fit(X, y)
    rng = np.random.default_rng(3)
    with pytest.warns(LabelsSayNothing, match="NCA: the labels cannot be predicted"):
        NCA(max_iter=1).fit(rng.normal(size=(80, 20)), rng.integers(2, size=80))
