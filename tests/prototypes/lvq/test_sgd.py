"""The online training, update by update, against the slow reference."""

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
from tests.prototypes.lvq.reference import copied, distances, mean_cost, rates, sgd_step

from labelscape._core.estimator import Progress
from labelscape.prototypes import SGD, LiRaMLVQ, LocalLiRaMLVQ
from labelscape.prototypes.lvq._training import CostSettings, train_sgd

RATES = {
    "a1": 0.01, "da1": 0.3, "a2": 0.005, "da2": 0.3, "a3": 0.005, "da3": 0.3, "t_M": 2,
}  # fmt: skip
APART = RATES | {"da2": 0.7, "a3": 0.02, "da3": 0.1}


def both_trained(
    case, *, X=None, y=None, epochs=3, scale=1.0, clip=False, slope=0.0, weights=None,
    sgd=None, timing=RATES, **settings,
):  # fmt: skip
    """Train the library and the reference with the same order of objects."""
    if X is None:
        X, y = blobs(90)
    model = random_model(*case)
    model["W"] *= scale
    slow = copied(model)
    data = as_training_set(X, y, weights)
    form, layout, variables = as_variables(model, data.center)
    if sgd is None:
        sgd = SGD(decay=RATES["da1"], matrix_epoch=RATES["t_M"], clip_step=clip)
    fast = train_sgd(
        form,
        layout,
        data,
        variables,
        CostSettings(slope=slope, **settings),
        lambda epoch: sgd._rates(epoch, RATES["a1"], RATES["a2"]),
        max_iter=epochs,
        early_stopping="none",
        rng=np.random.RandomState(0),
        progress=Progress("test", epochs),
    )
    rng = np.random.RandomState(0)
    counts = data.shares * len(X)
    for t in range(1, epochs + 1):
        now = rates(t, **timing)
        for i in rng.permutation(len(X)):
            sgd_step(
                slow, X[i], y[i], *now, weight=counts[i], clip=clip, slope=slope,
                **settings,
            )  # fmt: skip
    return fast, slow, data


def assert_same(fast, slow, data, tolerance=1e-9):
    near = {"rtol": tolerance, "atol": tolerance}
    np.testing.assert_allclose(fast.variables.W + data.center, slow["W"], **near)
    if "omega" in slow:
        np.testing.assert_allclose(fast.variables.Omega, slow["omega"], **near)
    if "local" in slow:
        np.testing.assert_allclose(fast.variables.Psi, np.stack(slow["local"]), **near)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_three_epochs_equal_the_reference_update_by_update(case):
    assert_same(*both_trained(case))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_weights_and_the_logistic_slope_enter_every_update(case):
    weights = np.random.default_rng(2).uniform(0.0, 2.0, size=90)
    assert_same(*both_trained(case, weights=weights, slope=4.0))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_clipped_step_ends_at_the_object(case):
    X, y = blobs(90)
    small = {"X": 0.02 * X[:40], "y": y[:40], "scale": 0.02, "epochs": 1}
    clipped = both_trained(case, clip=True, **small)
    assert_same(*clipped)
    free = both_trained(case, **small)[0]
    assert not np.allclose(clipped[0].variables.W, free.variables.W)


@pytest.mark.parametrize("case", CASES[2:], ids=NAMES[2:])
def test_the_penalty_is_part_of_every_update(case):
    assert_same(*both_trained(case, theta=0.1, local_theta=0.05))


@pytest.mark.parametrize("case", CASES[4:], ids=NAMES[4:])
def test_local_matrices_are_normalised_only_where_asked(case):
    fast, slow, data = both_trained(
        case, normalize_local=False, local_theta=0.05, clip=True
    )
    assert_same(fast, slow, data)
    assert np.ptp(np.linalg.norm(fast.variables.Psi, axis=(1, 2))) > 1e-4
    kept = both_trained(case)[0].variables.Psi
    np.testing.assert_allclose(np.linalg.norm(kept, axis=(1, 2)), 1.0)


@pytest.mark.parametrize("case", CASES[1:], ids=NAMES[1:])
def test_matrices_rest_until_their_start(case):
    fast, _, data = both_trained(case, epochs=1)
    _, _, start = as_variables(random_model(*case), data.center)
    for learned, before in zip(fast.variables[1:], start[1:], strict=True):
        np.testing.assert_array_equal(learned, before)
    assert not np.array_equal(fast.variables.W, start.W)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_loss_curve_is_the_mean_cost_after_each_epoch(case):
    fast, slow, data = both_trained(case, slope=2.0)
    expected = mean_cost(slow, data.X, data.codes, slope=2.0)
    assert len(fast.loss_curve) == 3
    np.testing.assert_allclose(fast.loss_curve[-1], expected, rtol=1e-9)


@pytest.mark.parametrize(
    "apart",
    [{}, {"a3": 0.02}, {"da2": 0.7, "da3": 0.7}, {"da2": 0.7, "a3": 0.0, "da3": 0.1}],
)
def test_each_group_of_parameters_has_its_own_rate_and_decay(apart):
    names = {"da2": "matrix_decay", "a3": "local_learning_rate", "da3": "local_decay"}
    named = {names[key]: value for key, value in apart.items()}
    sgd = SGD(decay=0.3, matrix_epoch=2, **named)
    timing = RATES | apart
    shared = ("shared", 2, "class")
    assert_same(*both_trained(shared, sgd=sgd, timing=timing))
    assert sgd._rates(7, 0.01, 0.005)[:3] == pytest.approx(
        rates(7, **timing), rel=1e-14
    )


def test_sgd_gives_rates_to_each_group_of_parameters():
    details = {"matrix_decay": 0.7, "local_learning_rate": 0.02, "local_decay": 0.1}
    model = LocalLiRaMLVQ(matrix_learning_rate=0.005)
    sgd = SGD(decay=0.3, matrix_epoch=2, **details)
    for t in (1, 2, 9):
        assert model._rates(sgd, t)[:3] == pytest.approx(rates(t, **APART))
    one_decay = model._rates(SGD(decay=0.3, matrix_epoch=2), 9)
    assert one_decay.local == one_decay.matrices


def test_rates_follow_equations_18_and_19():
    model, sgd = LiRaMLVQ(), SGD()
    same = {"a2": 1e-3, "da2": 1e-4, "a3": 1e-3, "da3": 1e-4}
    for t in (1, 2, 99, 100, 101, 1000):
        expected = rates(t, a1=0.01, da1=1e-4, **same, t_M=100)
        assert model._rates(sgd, t)[:3] == pytest.approx(expected, rel=1e-14)
    assert model._rates(sgd, 1).prototypes == 0.01
    assert model._rates(sgd, 99).matrices == 0.0
    assert model._rates(sgd, 100).matrices == 1e-3


def test_an_object_on_a_right_and_a_wrong_prototype_moves_nothing():
    for case in CASES:
        model = random_model(*case)
        model["W"][:] = 0.3
        data = as_training_set(np.full((6, 5), 0.3), np.arange(6) % 3)
        form, layout, variables = as_variables(model, data.center)
        still = train_sgd(
            form,
            layout,
            data,
            variables,
            CostSettings(resolution=1e-15),
            lambda epoch: SGD(decay=0.0, matrix_epoch=1)._rates(epoch, 0.1, 0.1),
            max_iter=1,
            early_stopping="none",
            rng=np.random.RandomState(0),
            progress=Progress("test", 1),
        )
        np.testing.assert_allclose(still.variables.W, variables.W, atol=1e-15)
        assert still.loss_curve == [0.0]


def test_fit_is_these_updates_and_then_the_canonical_form():
    X, y = blobs(90)
    model = random_model("matrix", 2, "class")
    ours = LiRaMLVQ(
        prototypes_per_class={0: 2, 2: 3},
        solver=SGD(decay=0.3, matrix_epoch=2),
        max_iter=3,
        learning_rate=0.01,
        matrix_learning_rate=0.005,
        early_stopping="none",
        prototype_init=model["W"],
        matrix_init=model["omega"],
        random_state=0,
    ).fit(X, y)
    _, slow, _ = both_trained(("matrix", 2, "class"))
    np.testing.assert_allclose(ours.prototypes_, slow["W"], atol=1e-9)
    np.testing.assert_allclose(ours.metric_.distances(X), distances(slow, X), atol=1e-9)
