"""Asymmetric dissimilarities, D[i, j] from the winner i to the sample j that moves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist
from scipy.special import kl_div

from labelscape.embeddings import NEXOM, XOM, NEXOMVariant
from labelscape.embeddings.xom._base import box
from labelscape.embeddings.xom._neighborhoods import sampled_vectors

rng = np.random.default_rng(0)
N = 14
D = rng.uniform(0.5, 4.0, size=(N, N))
np.fill_diagonal(D, 0.0)
START = rng.uniform(size=(N, 2))
HISTOGRAMS = rng.dirichlet(np.full(6, 2.0), size=40)


def divergence(p, q):
    """The generalized Kullback-Leibler divergence (eq. 6)."""
    return kl_div(p, q).sum()


def neighborhoods(sigma):
    """Return h(d(x_i, x_j)) in row i: the neighborhood of the winner i."""
    return np.array([[np.exp(-((d / sigma) ** 2) / 2) for d in row] for row in D])


def slow_winner(h, Y, s, gamma, method, winner):
    squares = np.sum((Y - s) ** 2, axis=1)
    if winner == "nearest":  # eq. 2
        return np.argmin(squares)
    if method == "xom":  # eq. 4
        costs = [sum(h[i, j] * squares[j] for j in range(N)) for i in range(N)]
    else:  # eq. 8
        g = np.exp(-squares / (2 * gamma**2))
        costs = [np.sum(h[i] * np.log(h[i] / g) - h[i] + g) for i in range(N)]
    return np.argmin(costs)


def slow_map(method, S, eta, sigma, gamma, winner):
    """Steps of eq. 3 or 9 on START (n, 2), from points S or near given samples."""
    Y = START.copy()
    for s, rate, width, narrow in zip(S, eta, sigma, gamma, strict=True):
        h = neighborhoods(width)
        if isinstance(s, tuple):  # without a structure: the winner and the noise
            best, s = s[0], Y[s[0]] + s[1]
        else:
            best = slow_winner(h, Y, s, narrow, method, winner)
        for k in range(N):
            if method == "xom":
                c = min(2 * rate * h[best, k], 1.0)
            else:
                g = np.exp(-np.sum((Y[k] - s) ** 2) / (2 * narrow**2))
                c = np.clip(2 * rate * (h[best, k] - g), -0.5, 0.5)
            Y[k] = Y[k] - c * (Y[k] - s)
    return Y


SETTINGS = {"metric": "precomputed", "sigma": 3.0, "sigma_end": 0.8, "random_state": 5}


@pytest.mark.parametrize("winner", ["nearest", "heskes"])
def test_xom_follows_rows_of_an_asymmetric_matrix(winner):
    xom = XOM(winner=winner, init=START, n_steps=60, **SETTINGS).fit(D)
    S = np.random.RandomState(5).uniform(size=(60, 2))
    eta, sigma = np.geomspace(0.5, 0.01, 60), np.geomspace(3.0, 0.8, 60)
    expected = slow_map("xom", S, eta, sigma, sigma, winner)
    assert_allclose(xom.embedding_, expected, atol=1e-9)
    h, Y, costs = neighborhoods(0.8), xom.embedding_, []
    for s in sampled_vectors(box(2)):
        best = slow_winner(h, Y, s, None, "xom", winner)
        costs.append(np.sum(h[best] * np.sum((Y - s) ** 2, axis=1)))  # eq. 5
    assert xom.loss_curve_[-1] == pytest.approx(np.mean(costs))


@pytest.mark.parametrize("winner", ["nearest", "heskes"])
def test_nexom_in_a_structure_follows_rows_of_an_asymmetric_matrix(winner):
    nexom = NEXOM(
        structure="box",
        variant=NEXOMVariant(winner=winner),
        init=START,
        max_iter=2,
        **SETTINGS,
    ).fit(D)
    random_state = np.random.RandomState(5)
    S = np.concatenate([random_state.uniform(size=(N, 2)) for _ in range(2)])
    eta, sigma = np.geomspace(0.5, 0.05, 2 * N), np.geomspace(3.0, 0.8, 2 * N)
    gamma = START.std(axis=0).max() * np.geomspace(0.5, 0.1, 2 * N)
    expected = slow_map("nexom", S, eta, sigma, gamma, winner)
    # h enters as float32.
    assert_allclose(nexom.embedding_, expected, atol=2e-5)


def test_nexom_without_a_structure_follows_rows_of_an_asymmetric_matrix():
    def fit(matrix):
        variant = NEXOMVariant(rescale=False)
        nexom = NEXOM(init=START, variant=variant, max_iter=2, **SETTINGS)
        return nexom.fit(matrix)

    random_state, S = np.random.RandomState(5), []
    gamma = START.std(axis=0).max() * np.geomspace(0.5, 0.1, 2 * N)
    for epoch in range(2):
        order, unit = random_state.permutation(N), random_state.normal(size=(N, 2))
        noise = 0.1 * gamma[epoch * N : (epoch + 1) * N, None] * unit
        S += list(zip(order, noise, strict=True))
    eta, sigma = np.geomspace(0.5, 0.05, 2 * N), np.geomspace(3.0, 0.8, 2 * N)
    expected = slow_map("nexom", S, eta, sigma, gamma, None)
    # The fit starts from START in units of its deviation, and turns the map at the end.
    expected = pdist(expected) / START.std(axis=0).max()
    assert_allclose(pdist(fit(D).embedding_), expected, rtol=1e-4)
    for wrong in (D.T, (D + D.T) / 2):
        assert np.abs(pdist(fit(wrong).embedding_) - expected).max() > 0.05


@pytest.mark.parametrize("model", [NEXOM(), XOM(n_steps=500), NEXOM(structure="disc")])
def test_a_divergence_and_its_matrix_give_the_same_map(model):
    model.set_params(random_state=0)
    given = np.array([[divergence(p, q) for q in HISTOGRAMS] for p in HISTOGRAMS])
    assert np.abs(given - given.T).max() > 0.1
    Z = model.set_params(metric=divergence).fit_transform(HISTOGRAMS)
    new = np.random.default_rng(1).dirichlet(np.full(6, 2.0), size=5)
    placed = model.transform(new)
    assert_array_equal(model.set_params(metric="precomputed").fit_transform(given), Z)
    # New samples move: the fitted ones are the winners.
    to_new = np.array([[divergence(p, q) for p in HISTOGRAMS] for q in new])
    assert_array_equal(model.transform(to_new), placed)
    h = np.exp(-((to_new / model.neighbor_width_) ** 2) / 2)
    assert_allclose(placed, (h @ Z) / h.sum(axis=1, keepdims=True), rtol=1e-9)


@pytest.mark.parametrize("model", [NEXOM(), XOM(n_steps=1000)])
def test_the_stress_is_that_of_the_mean_of_both_directions(model):
    big = np.random.default_rng(2).uniform(1.0, 2.0, size=(250, 250))
    np.fill_diagonal(big, 0.0)
    model.set_params(metric="precomputed", random_state=0).fit(big)
    delta = ((big + big.T) / 2)[np.triu_indices(250, 1)]
    d = pdist(model.embedding_)
    d *= d.sum() / np.sum(d**2 / delta)
    expected = np.sum((delta - d) ** 2 / delta) / delta.sum()
    assert model.stress_ == pytest.approx(expected)


@pytest.mark.parametrize("model", [NEXOM(), XOM(n_steps=500)])
def test_samples_at_distance_0_from_all_others_do_not_count_as_near(model):
    one_way = np.triu(np.ones((9, 9)), 1)
    one_way[2:] = 0.0  # most samples are at 0 from all others, in this direction
    model.set_params(metric="precomputed", random_state=0).fit(one_way)
    assert model.neighbor_width_ == 0.5
    assert np.isfinite(model.embedding_).all()


def test_a_metric_object_must_be_symmetric():
    class Uneven:
        def fit(self, X, y=None):
            return self

        def pairwise(self, X, Y=None):
            return np.triu(np.ones((len(X), len(X))), 1)

        def get_params(self, deep=True):
            return {}

    with pytest.raises(ValueError, match="NEXOM: dissimilarities must be symmetric"):
        NEXOM(metric=Uneven()).fit(START)
