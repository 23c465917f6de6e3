"""NE-XOM with a structure, its cost and its divergences, against slow references."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from labelscape import load, quality, save
from labelscape.embeddings import NEXOM, XOM, NEXOMVariant
from labelscape.embeddings.xom import _kernels
from labelscape.embeddings.xom._base import box, disc
from labelscape.embeddings.xom._neighborhoods import (
    MoveRule,
    few_samples,
    sampled_vectors,
)

rng = np.random.default_rng(0)
X = rng.normal(size=(15, 4))
START = rng.uniform(size=(15, 2))
D = cdist(X, X)


def log_on_map(gaps, gamma, kernel):
    if kernel == "gaussian":
        return -gaps / (2 * gamma**2)
    return -np.log(1 + gaps / gamma**2)


def log_in_data(sigma):
    return -(D**2) / (2 * np.asarray(sigma).reshape(-1, 1) ** 2)


def divergence(log_h, log_g, tau=1.0):
    h, g = np.exp(log_h), np.exp(log_g)
    lost = h * (log_h - log_g) - h + g
    false = g * (log_g - log_h) - g + h
    return np.sum(tau * lost + (1 - tau) * false)


def slow_winner(log_H, Y, s, gamma, winner, kernel, tau):
    gaps = np.sum((Y - s) ** 2, axis=1)
    if winner == "nearest":  # eq. 2
        return np.argmin(gaps)
    log_g = log_on_map(gaps, gamma, kernel)
    return np.argmin([divergence(log_h, log_g, tau) for log_h in log_H])  # eq. 8


def slow_fit(S, eta, sigma, gamma, clip, winner, kernel, tau):
    """NE-XOM from eqs. 8 and 9, with the slope of any divergence, for Y (n, q)."""
    Y = START.copy()
    for s, rate, widths, width in zip(S, eta, sigma, gamma, strict=True):
        log_H = log_in_data(widths)
        best = slow_winner(log_H, Y, s, width, winner, kernel, tau)
        for i in range(len(Y)):
            log_h = log_H[best, i]
            log_g = log_on_map(np.sum((Y[i] - s) ** 2), width, kernel)
            h, g = np.exp(log_h), np.exp(log_g)
            slope = tau * (h - g) + (1 - tau) * g * (log_h - log_g)
            if kernel == "t":
                slope *= 2 * g
            Y[i] = Y[i] - np.clip(2 * rate * slope, -clip, clip) * (Y[i] - s)
    return Y


def slow_cost(S, Y, sigma, gamma, winner, kernel="gaussian", tau=1.0):
    """Eq. 7 as a mean over sampling vectors."""
    log_H = log_in_data(sigma)
    total = 0.0
    for s in S:
        best = slow_winner(log_H, Y, s, gamma, winner, kernel, tau)
        log_g = log_on_map(np.sum((Y - s) ** 2, axis=1), gamma, kernel)
        total += divergence(log_H[best], log_g, tau)
    return total / len(S)


@pytest.mark.parametrize("winner", ["nearest", "heskes"])
@pytest.mark.parametrize(
    ("kernel", "tau"), [("gaussian", "kl"), ("t", "kl"), ("gaussian", 0.7), ("t", 0.0)]
)
def test_a_fit_in_a_structure_is_its_draws_winners_and_steps(winner, kernel, tau):
    nexom = NEXOM(
        structure="box",
        variant=NEXOMVariant(winner=winner),
        kernel=kernel,
        divergence=tau,
        sigma=4.0,
        sigma_end=1.0,
        init=START,
        max_iter=2,
        metric="precomputed",
        random_state=5,
    ).fit(D)
    random_state = np.random.RandomState(5)
    S = np.concatenate([random_state.uniform(size=(15, 2)) for _ in range(2)])
    unit = START.std(axis=0).max()
    eta, sigma = np.geomspace(0.5, 0.05, 30), np.geomspace(4.0, 1.0, 30)
    gamma, part = unit * np.geomspace(0.5, 0.1, 30), 1.0 if tau == "kl" else tau
    widths = np.repeat(sigma[:, None], 15, axis=1)
    expected = slow_fit(S, eta, widths, gamma, 0.5, winner, kernel, part)
    # h, or its logarithm, goes in as float32.
    assert_allclose(nexom.embedding_, expected, atol=2e-4)
    cost = slow_cost(
        sampled_vectors(box(2)), expected, widths[-1], gamma[-1], winner, kernel, part
    )
    assert len(nexom.loss_curve_) == 2
    assert nexom.loss_curve_[-1] == pytest.approx(cost, rel=0.01)


def test_each_winner_has_the_width_of_its_own():
    settings = {"structure": "disc", "init": START, "max_iter": 1, "random_state": 1}
    nexom = NEXOM(variant=NEXOMVariant(winner="heskes"), sigma_end=1.0, **settings).fit(
        X
    )
    drawn = disc(2).sample(np.random.RandomState(1), 15)
    others = ~np.eye(15, dtype=bool)
    first = np.quantile(D[others].reshape(15, 14), 0.8, axis=1)
    sigma = first * (1.0 / first) ** np.linspace(0, 1, 15)[:, None]
    gamma = START.std(axis=0).max() * np.geomspace(0.5, 0.1, 15)
    expected = slow_fit(
        drawn, np.geomspace(0.5, 0.05, 15), sigma, gamma, 0.5, "heskes", "gaussian", 1.0
    )
    assert_allclose(nexom.embedding_, expected, atol=2e-4)


@pytest.mark.parametrize("kernel", ["gaussian", "t"])
@pytest.mark.parametrize("tau", [0.0, 0.4, 0.999])
def test_a_small_step_goes_down_the_slope_of_any_divergence(kernel, tau):
    log_h = np.log(rng.uniform(0.1, 1.0, size=(1, 15))).astype(np.float32)
    gamma, s = 1.3, START[4]

    def cost(Y):
        log_g = log_on_map(np.sum((Y - s) ** 2, axis=1), gamma, kernel)
        return divergence(log_h.astype(float), log_g, tau)

    slope = np.zeros_like(START)
    for entry in np.ndindex(START.shape):
        nudge = np.zeros_like(START)
        nudge[entry] = 1e-5
        slope[entry] = (cost(START + nudge) - cost(START - nudge)) / 2e-5
    Y, rate = np.ascontiguousarray(START.T), np.array([1e-3])
    steps = getattr(_kernels, f"{kernel}_tau_steps")
    at = np.array([4]), log_h, np.zeros((1, 2)), rate, np.array([gamma])
    steps(Y, *at, 1.0, tau)
    assert_allclose(START - Y.T, rate * gamma**2 * slope, atol=1e-10)


@pytest.mark.parametrize("kernel", ["gaussian", "t"])
def test_with_all_of_kullback_and_leibler_both_kernels_are_one(kernel):
    own, noise = np.arange(15), 0.01 * rng.normal(size=(15, 2))
    schedule = noise, np.full(15, 0.3), np.full(15, 0.2), 0.5
    log_H = log_in_data(1.5).astype(np.float32)
    plain, general = np.ascontiguousarray(START.T), np.ascontiguousarray(START.T)
    getattr(_kernels, f"{kernel}_steps")(plain, own, np.exp(log_H), *schedule)
    getattr(_kernels, f"{kernel}_tau_steps")(general, own, log_H, *schedule, 1.0)
    assert_allclose(general, plain, atol=1e-5)


def test_a_price_for_false_neighbors_leaves_fewer_of_them(paper_table):
    data, _ = paper_table("wine")
    data = (data - data.mean(axis=0)) / data.std(axis=0)
    kl, both, reverse = (
        quality.trustworthiness(
            data, NEXOM(divergence=name, random_state=0).fit_transform(data)
        )
        for name in ("kl", 0.8, "reverse_kl")
    )
    assert kl < both < reverse


def test_without_a_structure_the_cost_is_that_of_the_calling_objects():
    widths = {"sigma": 4.0, "sigma_end": 1.0, "gamma": 3.0, "gamma_end": 2.0}
    nexom = NEXOM(
        **widths,
        init=START,
        max_iter=2,
        variant=NEXOMVariant(rescale=False),
        random_state=0,
    )
    Y, log_H = nexom.fit_transform(X), log_in_data(1.0)
    costs = [
        divergence(
            log_H[j], log_on_map(np.sum((Y - Y[j]) ** 2, axis=1), 2.0, "gaussian")
        )
        for j in range(15)
    ]
    assert nexom.loss_curve_[-1] == pytest.approx(np.mean(costs), rel=1e-6)


@pytest.mark.parametrize("winner", ["nearest", "heskes"])
def test_the_cost_of_xom_is_that_of_the_formula(winner):
    xom = XOM(
        winner=winner, sigma=3.0, sigma_end=0.8, init=START, n_steps=100, random_state=0
    ).fit(X)
    S, H, Y = sampled_vectors(box(2)), np.exp(log_in_data(0.8)), xom.embedding_
    total = 0.0
    for s in S:
        gaps = np.sum((Y - s) ** 2, axis=1)
        best = np.argmin(gaps if winner == "nearest" else H @ gaps)
        total += np.sum(H[best] * gaps)  # eq. 5
    assert len(xom.loss_curve_) == 50
    assert xom.loss_curve_[-1] == pytest.approx(total / len(S), rel=1e-9)


def test_a_cost_is_told_of_few_objects_where_there_are_many():
    assert_array_equal(few_samples(7), np.arange(7))
    some = few_samples(5000)
    assert len(set(some)) == 100
    assert_array_equal(some, few_samples(5000))


def test_the_logarithm_of_a_neighborhood_is_that_of_its_formula():
    gaps = np.linspace(0.0, 4.0, 9)
    for kernel in ("gaussian", "t"):
        found = MoveRule(kernel, 1.0, 0.5).log_g(gaps, 0.7)
        assert_allclose(found, log_on_map(gaps, 0.7, kernel))


@pytest.mark.parametrize("structure", ["box", "disc", "lattice", START])
def test_maps_fill_the_structure_and_stay_in_its_coordinates(structure):
    data = np.random.default_rng(1).normal(size=(60, 3))
    Z = NEXOM(structure=structure, random_state=0).fit_transform(data)
    assert np.isfinite(Z).all()
    assert -0.2 < Z.min() < 0.3
    assert 0.7 < Z.max() < 1.2


def test_data_and_their_distances_and_units_give_the_same_map_in_a_structure():
    settings = {"structure": "box", "init": START, "max_iter": 3, "random_state": 0}
    for winner in ("nearest", "heskes"):
        variant = NEXOMVariant(winner=winner)
        Z = NEXOM(variant=variant, **settings).fit_transform(X)
        large = NEXOM(variant=variant, **settings).fit_transform(1024.0 * X)
        given = NEXOM(variant=variant, metric="precomputed", **settings).fit_transform(
            D
        )
        assert_allclose(large, Z, atol=1e-9)
        assert_allclose(given, Z, atol=1e-4)


def test_objects_that_are_one_share_the_centre_of_the_structure():
    nexom = NEXOM(structure="box").fit(np.ones((4, 3)))
    assert_array_equal(nexom.embedding_, np.full((4, 2), 0.5))


def test_too_many_objects_for_heskes_are_an_error_with_a_way_out():
    nexom = NEXOM(structure="box", variant=NEXOMVariant(winner="heskes"))
    with pytest.raises(ValueError, match=r"NEXOM: .* limited to 500 samples, got 501"):
        nexom.fit(np.arange(501.0)[:, None])
    # Without a structure there is nothing to win.
    NEXOM(variant=NEXOMVariant(winner="heskes"), max_iter=1).fit(
        np.arange(501.0)[:, None]
    )


# Receptive fields (eq. 1).


def test_an_object_belongs_to_the_site_that_its_image_is_nearest_to():
    sites = np.array([[0.2, 0.2], [0.8, 0.2], [0.5, 0.9]])
    for model in (
        XOM(structure=sites, spread=0.1),
        NEXOM(structure=sites, variant=NEXOMVariant(spread=0.1)),
    ):
        fields = model.set_params(random_state=0).fit(X).receptive_fields()
        assert_array_equal(fields.sites, sites)
        expected = np.argmin(cdist(model.embedding_, sites), axis=1)
        assert_array_equal(fields.nearest, expected)
        assert_array_equal(
            np.sort(np.concatenate([fields.members(site) for site in range(3)])),
            np.arange(15),
        )


def test_lattices_and_gaussians_have_sites_and_any_points_will_do():
    xom = XOM(structure="lattice", n_sites=9, random_state=0).fit(X)
    sites = xom.receptive_fields().sites
    thirds = (np.arange(3) + 0.5) / 3
    assert_allclose(sites, [(a, b) for a in thirds for b in thirds])
    corners = XOM(structure="gaussians", n_sites=4, random_state=0).fit(X)
    assert corners.receptive_fields().sites.shape == (4, 2)
    assert_array_equal(NEXOM().fit(X).receptive_fields([[0.0, 0.0]]).nearest, 0)


def test_fields_without_sites_or_images_are_refused_with_a_way_out(tmp_path):
    many = XOM(20, structure="lattice", n_steps=1)
    for model, words in (
        (many, "'lattice' has 1048576 sites"),
        (XOM(), "structure='box' has no sites"),
        (NEXOM(), "structure=None has no sites"),
    ):
        with pytest.raises(ValueError, match=words):
            model.fit(X).receptive_fields()
    with pytest.raises(ValueError, match=r"must contain finite points .* \(15, 4\)"):
        model.receptive_fields(X)
    with pytest.raises(TypeError, match="sites must be an array of numbers"):
        model.receptive_fields([[object(), 1.0]])
    save(model, tmp_path / "bare")
    with pytest.raises(ValueError, match="saved without them"):
        load(tmp_path / "bare").receptive_fields([[0.0, 0.0]])
