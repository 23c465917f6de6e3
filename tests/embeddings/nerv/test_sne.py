import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime, minimize
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.datasets import load_iris

import labelscape
from labelscape import load, quality, save
from labelscape._core import threads
from labelscape.embeddings import SNE, ClassNeRV
from labelscape.embeddings.nerv import _base as _stress

rng = np.random.default_rng(0)
X = rng.normal(size=(36, 6))
NEW = rng.normal(size=(8, 6))
IRIS, SPECIES = load_iris(return_X_y=True)


def slow_probabilities(squares, perplexity):
    """p of Hinton and Roweis: each width by bisection, straight from the entropy."""
    p = np.zeros_like(squares)
    widths = np.zeros(len(squares))
    for i, row in enumerate(squares):
        others = np.arange(squares.shape[1]) != i
        low, high = 0.1, 1e3
        for _ in range(200):
            sigma = np.sqrt(low * high)
            shares = np.exp(-row[others] / (2 * sigma**2))
            shares /= shares.sum()
            known = shares[shares > 0.0]
            entropy = -(known * np.log(known)).sum()
            low, high = (sigma, high) if entropy < np.log(perplexity) else (low, sigma)
        p[i, others], widths[i] = shares, sigma
    return p, widths


def slow_cost(Z, p, gamma):
    """Their cost, the mean over the objects, for a map Z (n, q)."""
    q = np.exp(-(cdist(Z, Z) ** 2) / (2 * gamma**2))
    np.fill_diagonal(q, 0.0)
    q /= q.sum(axis=1, keepdims=True)
    off = p > 0.0
    return (p[off] * np.log(p[off] / q[off])).sum() / len(Z)


def test_the_stress_is_the_cost_of_the_paper():
    sne = SNE(perplexity=7).fit(X)
    p, widths = slow_probabilities(cdist(X, X) ** 2, 7.0)
    assert sne.map_width_ == pytest.approx(np.median(widths), rel=0.02)
    cost = slow_cost(sne.embedding_, p, sne.map_width_)
    assert sne.stress_ == pytest.approx(cost, rel=1e-8)
    assert sne.loss_curve_[-1] == sne.stress_


def test_the_slope_is_that_of_the_cost():
    p, _ = slow_probabilities(cdist(X, X) ** 2, 7.0)
    own = np.arange(36)
    model = SNE()
    neighbors = model._on_map(
        _stress.soft_neighbors(cdist(X, X).__getitem__, own, 36, 7.0)
    )
    Z = np.ascontiguousarray(rng.normal(size=(2, 36)))
    stress, slope = _stress.stress_and_slope(Z, neighbors, 0 * own, (1.0, 1.0))
    assert stress == pytest.approx(slow_cost(Z.T, p, model.map_width_), rel=1e-8)

    def cost(z):
        return slow_cost(z.reshape(2, 36).T, p, model.map_width_)

    assert_allclose(slope.ravel(), approx_fprime(Z.ravel(), cost), atol=1e-6)


def test_the_map_is_a_bottom_of_the_cost():
    sne = SNE(perplexity=7, tol=0.0, max_iter=2000).fit(X)
    p, _ = slow_probabilities(cdist(X, X) ** 2, 7.0)

    def cost(z):
        return slow_cost(z.reshape(36, 2), p, sne.map_width_)

    assert np.abs(approx_fprime(sne.embedding_.ravel(), cost)).max() < 1e-4


def test_with_equal_widths_it_is_nerv_without_a_price_for_false_neighbors():
    # All objects of a ring have one width, and then both methods are one.
    angle = 2 * np.pi * np.arange(24) / 24
    ring = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(24)])
    sne = SNE(perplexity=5).fit(ring)
    nerv = ClassNeRV(tau_intra=1, tau_inter=1, perplexity=5).fit(ring, [0, 1] * 12)
    assert_allclose(pdist(sne.embedding_), pdist(nerv.embedding_), rtol=1e-3)
    assert sne.stress_ == pytest.approx(nerv.stress_, abs=1e-6)


def test_neighbors_of_flowers_are_kept():
    Z = SNE().fit_transform(IRIS)
    assert quality.trustworthiness(IRIS, Z) > 0.97
    assert quality.continuity(IRIS, Z) > 0.97


def test_labels_have_no_say():
    assert_array_equal(
        SNE().fit_transform(X, np.arange(36) % 2), SNE().fit_transform(X)
    )


def test_the_bits_are_the_same_with_one_thread_and_two(monkeypatch):
    monkeypatch.setattr(_stress, "BLOCK_BYTES", 5 * 8 * 36)
    maps = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        maps.append(SNE().fit_transform(X))
    assert_array_equal(*maps)


def test_the_unit_of_the_data_is_that_of_the_map():
    model, large = SNE().fit(X), SNE().fit(X * 1024.0)
    assert_allclose(large.embedding_, model.embedding_ * 1024.0, rtol=1e-6)
    assert_allclose(
        large.transform(NEW * 1024.0), model.transform(NEW) * 1024.0, rtol=1e-3
    )


def test_dissimilarities_will_do():
    D = squareform(pdist(X))
    model = SNE(metric="precomputed").fit(D)
    assert model.stress_ == pytest.approx(SNE().fit(X).stress_, rel=0.05)
    assert model.training_X_ is None
    assert_array_equal(model.transform(D[:3]), model.embedding_[:3])


@pytest.mark.parametrize(
    "data",
    [
        np.zeros((6, 3)),
        np.arange(6.0)[:, None],
        np.eye(6),
        np.vstack([np.zeros((5, 2)), np.ones((1, 2))]),
        np.vstack([rng.normal(size=(9, 2)), [[1e9, 0.0]]]),
        rng.normal(size=(9, 2)) * 1e-150,
    ],
    ids=["one place", "one feature", "all as far", "one apart", "one far", "tiny"],
)
def test_odd_data_have_a_map(data):
    model = SNE().fit(data)
    assert np.isfinite(model.embedding_).all()
    assert np.isfinite(model.stress_)
    assert np.isfinite(model.transform(data + 0.3)).all()


def test_a_new_object_goes_to_a_bottom_of_its_own_cost():
    sne = SNE(perplexity=7).fit(X)
    places, D = sne.transform(NEW), cdist(NEW, X)

    def cost(z, p):
        q = np.exp(-((z - sne.embedding_) ** 2).sum(axis=1) / (2 * sne.map_width_**2))
        return (p * np.log(p / (q / q.sum()))).sum()

    for i, place in enumerate(places):
        # A column for the object itself, which has no share.
        row = np.concatenate([[[0.0]], D[i : i + 1] ** 2], axis=1)
        p = slow_probabilities(row, 7.0)[0][0, 1:]
        assert cost(place, p) < cost(sne.embedding_[D[i].argmin()], p)
        assert np.linalg.norm(minimize(cost, place, args=(p,)).x - place) < 0.05


def test_fitted_objects_keep_their_place_and_others_do_not_matter():
    sne = SNE().fit(X)
    assert_array_equal(sne.transform(X[::-1]), sne.embedding_[::-1])
    together = sne.transform(NEW)
    assert_array_equal(np.vstack([sne.transform(one[None]) for one in NEW]), together)


def test_held_out_flowers_land_among_their_own():
    sne = SNE().fit(IRIS[::2])
    gaps = cdist(sne.transform(IRIS[1::2]), sne.embedding_)
    assert np.mean(SPECIES[::2][gaps.argmin(axis=1)] == SPECIES[1::2]) > 0.9


def test_a_saved_model_places_as_before(tmp_path):
    sne = SNE(perplexity=5).fit(X)
    save(sne, tmp_path / "whole", include_data=True)
    assert_array_equal(load(tmp_path / "whole").transform(NEW), sne.transform(NEW))
    save(sne, tmp_path / "bare")
    with pytest.raises(ValueError, match="saved without them"):
        load(tmp_path / "bare").transform(NEW)


def test_a_callback_hears_of_every_iteration_and_may_stop():
    heard = []

    def listen(news):
        heard.append(news)
        return len(heard) == 5

    sne = SNE(perplexity=5, callback=listen).fit(X)
    assert sne.n_iter_ == 5
    assert heard[-1]["stress"] == heard[-1]["loss"] == sne.stress_
    assert heard[0]["perplexity"] == 18.0
    plain = SNE().fit_transform(X)
    assert_array_equal(SNE(callback=lambda _: None).fit_transform(X), plain)


def test_more_neighbors_than_objects_are_refused():
    with pytest.raises(ValueError, match=r"at least two samples, got n_samples = 1"):
        SNE().fit(X[:1])
    with pytest.raises(ValueError, match=r"SNE: perplexity .* \(35\), got 36"):
        SNE(perplexity=36).fit(X)


def test_a_width_whose_square_is_0_is_refused_when_loaded(tmp_path):
    model = SNE(max_iter=5).fit(X)
    model.map_width_ = 1e-300
    labelscape.save(model, tmp_path / "sne")
    with pytest.raises(ValueError, match="map_width_ must be"):
        labelscape.load(tmp_path / "sne")
