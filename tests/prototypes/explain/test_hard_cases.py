"""Explanations at ties, at far offsets and in extreme units, for every model."""

import inspect

import numpy as np
import pytest
from sklearn.datasets import load_iris

from labelscape import prototypes
from labelscape.prototypes import GMLVQ, LocalLiRaMLVQ, LVQAndGrow

PUBLIC = [getattr(prototypes, name) for name in prototypes.__all__]
MODELS = [one for one in PUBLIC if hasattr(one, "fit")]


def settings(model, rng):
    wanted = {
        "random_state": 0,
        "max_iter": 3,
        "prototypes_per_class": rng.integers(1, 4),
        "k": rng.integers(1, 4),
    }
    return {k: v for k, v in wanted.items() if k in inspect.signature(model).parameters}


def fitted(model, rng):
    """Return a model of data in some unit, some way from the origin."""
    y = np.arange(30) % 3
    unit = 10.0 ** rng.integers(-9, 10)
    X = rng.normal(size=(30, 3)) + y[:, None] * [1.5, 0.0, -1.5]
    X = (np.round(X) + 10.0 ** rng.choice([-9, 6, 9])) * unit
    return model(**settings(model, rng)).fit(X, y), unit


def made_even(model, rng):
    """Put two prototypes, often of two classes, in one place."""
    one, other = rng.choice(len(model.prototypes_), 2, replace=False)
    model.prototypes_ = model.prototypes_.copy()
    model.prototypes_[one] = model.prototypes_[other]


def objects(model, rng):
    """Return objects on prototypes, between two, and at corners between them."""
    one, other = model.prototypes_[rng.integers(len(model.prototypes_), size=2)]
    return one, (one + other) / 2, np.where(rng.random(len(one)) < 0.5, one, other)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Class .* prototypes_per_class", "ignore:.*converge")
@pytest.mark.parametrize("model", MODELS)
def test_what_an_explanation_says_is_what_the_model_does(model):
    rng = np.random.default_rng(0)
    for case in range(4):
        trained, unit = fitted(model, rng)
        if case % 2:
            made_even(trained, rng)
        for x in objects(trained, rng):
            limits = {
                "fixed": [int(rng.integers(3))],
                "lower": x - rng.choice([0.5, 4.0]) * unit,
                "upper": x + rng.choice([0.0, 4.0]) * unit,
            }
            chosen = {name: limits[name] for name in limits if rng.random() < 0.4}
            check(trained, x, chosen, rng, unit)


def check(model, x, limits, rng, unit):
    found = model.explain(x, **limits)
    (label,) = model.predict(x[None])
    assert found.prediction == label
    z = found.counterfactual
    low, high = limits.get("lower", -np.inf), limits.get("upper", np.inf)
    held = limits.get("fixed", [])
    if z is not None:
        (flipped,) = model.predict(z[None])
        assert flipped == found.counterfactual_prediction != label
        assert np.all((low <= z) & (z <= high) & (z[held] == x[held]).all())
    if found.exact:
        reach = found.counterfactual_distance
        nothing_shorter(model, x, reach, low, high, held, rng, unit)


def nothing_shorter(model, x, reach, low, high, held, rng, unit):
    """Look for a smaller change among many allowed ones."""
    rounding = 1e3 * np.spacing(np.abs(x).max())
    length = (reach - rounding) * (1 - 1e-6) if np.isfinite(reach) else 5 * unit
    if length <= 0.0:
        return
    steps = rng.normal(size=(100, len(x)))
    steps *= length * rng.random((100, 1)) / np.linalg.norm(steps, axis=1)[:, None]
    Z = np.clip(x + steps, low, high)
    Z[:, held] = x[held]
    nearer = np.linalg.norm(Z - x, axis=1) < length
    assert (model.predict(Z[nearer]) == model.predict(x[None])).all()


def test_an_object_is_decided_in_its_own_precision():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 5)).astype(np.float32) + 100, np.arange(60) % 2
    model = GMLVQ(max_iter=3, random_state=0).fit(X, y)
    middle = model.prototypes_.mean(axis=0)
    near = middle + 1e-6 * rng.normal(size=(200, 5)).astype(np.float32)
    for x in near.astype(np.float32):
        assert model.explain(x).prediction == model.predict(x[None])[0]


def test_local_models_that_find_no_change_do_not_claim_that_there_is_none():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.arange(30) % 2
    model = LocalLiRaMLVQ(max_iter=3, random_state=0).fit(X, y)
    found = model.explain(X[0], fixed=[0, 1])
    assert (found.counterfactual, found.exact) == (None, False)


def test_a_change_is_found_however_long_the_way_is_in_its_unit():
    X, y = load_iris(return_X_y=True)
    model = LVQAndGrow(random_state=0).fit(X, y)
    far = {"upper": X.max(axis=0), "scale": np.full(4, 1e30)}
    found = model.explain(X[0] + 1e6, **far)
    assert found.counterfactual is None or np.isfinite(found.counterfactual).all()
