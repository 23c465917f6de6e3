"""Cost and gradient of the whole training set, against reference and differences."""

import numpy as np
import pytest
from tests.prototypes.lvq.cases import (
    CASES,
    NAMES,
    as_training_set,
    as_variables,
    blobs,
    random_model,
)
from tests.prototypes.lvq.reference import (
    central_difference,
    mean_cost,
    mean_gradient,
    mu_and_gammas,
    penalty,
    penalty_gradient,
    winners,
)

from labelscape.prototypes.lvq._training import CostSettings, evaluate, log_det_penalty

FREE = {"normalize_local": False}
COSTS = {
    "identity": {},
    "logistic": {"slope": 5.0},
    "jitter": {"variance": 0.3},
    "both": {"slope": 5.0, "variance": 0.3},
}
every_case = pytest.mark.parametrize("case", CASES, ids=NAMES)
every_cost = pytest.mark.parametrize("cost", COSTS.values(), ids=COSTS.keys())


def evaluated(model, X, y, weights=None, allow_nan=False, **settings):
    data = as_training_set(X, y, weights, allow_nan)
    form, layout, variables = as_variables(model, data.center)
    return evaluate(form, layout, data, variables, CostSettings(**settings))


def assert_gradients_equal(ours, expected, **near):
    np.testing.assert_allclose(ours.W, expected["W"], **near)
    if "omega" in expected:
        np.testing.assert_allclose(ours.Omega, expected["omega"], **near)
    if "local" in expected:
        np.testing.assert_allclose(ours.Psi, np.stack(expected["local"]), **near)


@every_cost
@every_case
def test_cost_and_gradient_equal_the_reference(case, cost):
    X, y = blobs(60)
    weights = np.random.default_rng(3).uniform(0.1, 2.0, size=60)
    model = random_model(*case) | {"blur": cost.get("variance", 0.0)}
    slope = cost.get("slope", 0.0)
    found = evaluated(model, X, y, weights, **cost, **FREE)
    assert found.cost == pytest.approx(mean_cost(model, X, y, weights, slope), rel=1e-9)
    expected = mean_gradient(model, X, y, weights, slope)
    assert_gradients_equal(found.gradient, expected, rtol=1e-9, atol=1e-11)


@every_cost
@every_case
def test_the_gradient_is_the_slope_of_the_cost(case, cost):
    X, y = blobs(40, seed=4)
    data = as_training_set(X, y)
    form, layout, variables = as_variables(random_model(*case), data.center)
    settings = CostSettings(theta=0.03, local_theta=0.02, **cost)
    if case[0] == "diagonal":  # has no penalty
        settings = settings._replace(theta=0.0)
    vector = variables.packed()

    def cost_here():
        return evaluate(form, layout, data, variables.unpacked(vector), settings).cost

    found = evaluate(form, layout, data, variables, settings).gradient.packed()
    slopes = central_difference(cost_here, vector)
    assert np.abs(found - slopes).max() <= 1e-6 * np.abs(slopes).max()


def eighths(values):
    return np.round(8.0 * np.asarray(values)) / 8.0


def in_eighths(model):
    numbers = model.keys() & {"W", "omega", "local"}
    return model | {name: eighths(model[name]) for name in numbers}


@every_case
def test_with_ties_and_duplicates_the_gradient_is_that_of_the_first_winner(case):
    X, y = blobs(30, seed=5)
    # The order of summation depends on the processor. Distances between eighths are
    # exact in any order, so ties are ties on all processors.
    X, model = eighths(X), in_eighths(random_model(*case))
    model["W"][1] = model["W"][0]  # two prototypes of one class coincide
    model["W"][5] = model["W"][2]  # and two of different classes
    if "local" in model:
        model["local"][model["group"][1]] = model["local"][model["group"][0]]
        model["local"][model["group"][5]] = model["local"][model["group"][2]]
    X = np.vstack([X, X[:10], model["W"]])  # duplicates, and objects on prototypes
    y = np.concatenate([y, (y[:10] + 1) % 3, model["c"]])  # some with another label
    found = evaluated(model, X, y, resolution=1e-15, **FREE)
    assert np.isfinite(found.cost)
    assert found.cost == pytest.approx(mean_cost(model, X, y), abs=1e-12)
    assert_gradients_equal(
        found.gradient, mean_gradient(model, X, y), rtol=1e-9, atol=1e-9
    )


@every_case
def test_an_object_on_a_right_and_a_wrong_prototype_has_cost_0_and_no_slope(case):
    model = random_model(*case)
    model["W"][:] = 0.3
    found = evaluated(model, np.full((6, 5), 0.3), np.arange(6) % 3, resolution=1e-15)
    assert found.cost == 0.0
    assert not found.gradient.packed().any()


def test_an_object_on_its_own_prototype_has_mu_minus_1_and_no_slope():
    model = random_model("plain", 5, "class")
    found = evaluated(model, model["W"][:1], model["c"][:1])
    assert found.cost == pytest.approx(-1.0)
    np.testing.assert_allclose(found.gradient.W, 0.0, atol=1e-15)
    assert mu_and_gammas(0.0, 2.0) == (-1.0, 1.0, 0.0)


@every_case
def test_the_reported_accuracy_is_the_weighted_share_of_right_decisions(case):
    X, y = blobs(60)
    weights = np.random.default_rng(3).uniform(0.1, 2.0, size=60)
    model = random_model(*case)
    right = []
    for x, c in zip(X, y, strict=True):
        _, _, d_J, d_K = winners(model, x, c)
        right.append(d_J < d_K)
    expected = np.average(right, weights=weights)
    assert evaluated(model, X, y, weights).accuracy == pytest.approx(expected)


@pytest.mark.parametrize("case", CASES[1:4], ids=NAMES[1:4])
def test_mu_is_blind_to_the_length_of_omega(case):
    X, y = blobs(60)
    model = random_model(*case)
    at_one = evaluated(model, X, y, variance=0.2)
    for factor in (1e-3, 7.0, 1e3):
        scaled = evaluated(
            model | {"omega": factor * model["omega"]}, X, y, variance=0.2
        )
        assert scaled.cost == pytest.approx(at_one.cost, rel=1e-12)
        np.testing.assert_allclose(
            scaled.gradient.W, at_one.gradient.W, rtol=1e-9, atol=1e-12
        )


@every_cost
@pytest.mark.parametrize("case", CASES[1:], ids=NAMES[1:])
def test_the_slope_along_omega_itself_is_0(case, cost):
    X, y = blobs(60)
    model = random_model(*case)
    found = evaluated(model, X, y, theta=0.1 * (case[0] != "diagonal"), **cost)
    if found.gradient.Omega is not None:
        assert abs(np.sum(found.gradient.Omega * model["omega"])) < 1e-13
    if found.gradient.Psi is not None:  # each is divided by its norm
        along = np.einsum("gms,gms->g", found.gradient.Psi, np.stack(model["local"]))
        np.testing.assert_allclose(along, 0.0, atol=1e-13)


@pytest.mark.parametrize("case", CASES[4:], ids=NAMES[4:])
def test_normalised_local_matrices_cost_the_same_at_any_length(case):
    X, y = blobs(60)
    model = random_model(*case)
    longer = model | {"local": [(g + 2.0) * m for g, m in enumerate(model["local"])]}
    at_one, scaled = evaluated(model, X, y), evaluated(longer, X, y)
    assert scaled.cost == pytest.approx(at_one.cost, rel=1e-12)
    factors = np.arange(len(model["local"]))[:, None, None] + 2.0
    np.testing.assert_allclose(
        scaled.gradient.Psi * factors, at_one.gradient.Psi, rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("shape", [(2, 5), (5, 5), (1, 4)])
def test_the_penalty_and_its_slope_are_those_of_the_formula(shape):
    matrix = np.random.default_rng(6).normal(size=shape)
    value, slope = log_det_penalty(matrix)
    assert value == pytest.approx(penalty(matrix, 1.0), abs=1e-12)
    np.testing.assert_allclose(slope, penalty_gradient(matrix, 1.0), atol=1e-12)
    numeric = central_difference(lambda: penalty(matrix, 1.0), matrix)
    np.testing.assert_allclose(slope, numeric, rtol=1e-6, atol=1e-6)


def test_the_penalty_of_a_lost_rank_is_large_but_a_number():
    value, slope = log_det_penalty(np.ones((2, 5)))
    assert value > 20.0
    assert np.isfinite(slope).all()


@every_case
def test_missing_features_are_left_out_and_the_rest_scaled_up(case):
    X, y = blobs(20)
    X[np.random.default_rng(7).random(X.shape) < 0.2] = np.nan
    model = random_model(*case) | {"blur": 0.3}

    def slow_cost():
        return mean_cost(model, X, y, slope=5.0)

    settings = COSTS["both"] | FREE
    found = evaluated(model, X, y, allow_nan=True, **settings)
    assert found.cost == pytest.approx(slow_cost(), rel=1e-9)

    for name in ("W", "omega"):
        if name in model:
            ours = found.gradient.W if name == "W" else found.gradient.Omega
            slopes = central_difference(slow_cost, model[name])
            assert np.abs(ours - slopes).max() <= 1e-6 * np.abs(slopes).max()
