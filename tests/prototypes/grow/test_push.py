import numpy as np
import pytest

from labelscape.prototypes.grow._growing import VectorMeans, border_distances
from labelscape.prototypes.grow.push_and_grow import push, reweighted


def slow_push(X, y, group, owner, alpha):
    """The paper's pseudo-code with the specification's corrections."""
    w = np.ones(len(X))

    def prototypes():
        return [
            sum(w[o] * X[o] for o in range(len(X)) if group[o] == i)
            / sum(w[o] for o in range(len(X)) if group[o] == i)
            for i in range(len(owner))
        ]

    def confidence(o, PM):
        own = min(
            (p for p, c in zip(PM, owner, strict=True) if c == y[o]),
            key=lambda p: np.linalg.norm(X[o] - p),
        )
        d_min = min(
            (np.linalg.norm(p - X[o]) ** 2 - np.linalg.norm(own - X[o]) ** 2)
            / (2 * np.linalg.norm(own - p))
            for p, c in zip(PM, owner, strict=True)
            if c != y[o]
        )
        return 1 / (1 + np.exp(-alpha * d_min))

    best_q, best = -np.inf, None
    while True:
        PM = prototypes()
        conf = np.array([confidence(o, PM) for o in range(len(X))])
        if not conf.mean() > best_q + 1e-12:
            return best
        best_q, best = conf.mean(), (PM, w.copy(), conf)
        w = w * (2 - conf)


@pytest.fixture
def groups():
    rng = np.random.default_rng(0)
    owner = np.array([0, 0, 1, 2])
    group = rng.integers(0, 4, 60)
    X = rng.normal(size=(60, 3)) + 2 * rng.normal(size=(4, 3))[group]
    return X, owner[group], group, owner


def settings(**changes):
    usual = {"alpha": 2.0, "measure": border_distances, "max_push": 100, "patience": 0}
    return usual | changes


@pytest.mark.parametrize("alpha", [0.3, 2.0, 20.0])
def test_push_does_what_the_corrected_pseudo_code_says(groups, alpha):
    X, y, group, owner = groups
    PM, w, conf = slow_push(X, y, group, owner, alpha)
    found = push(VectorMeans(X), y, group, owner, **settings(alpha=alpha))
    np.testing.assert_allclose(found.prototypes, PM, rtol=1e-9)
    np.testing.assert_allclose(found.weights, w, rtol=1e-9)
    np.testing.assert_allclose(found.confidences, conf, rtol=1e-9)


def test_more_steps_and_more_patience_never_lower_the_quality(groups):
    X, y, group, owner = groups

    def quality(**changes):
        return push(VectorMeans(X), y, group, owner, **settings(**changes)).quality

    assert quality(max_push=1) <= quality(max_push=3) <= quality()
    assert quality() <= quality(patience=5)


def test_the_first_step_gives_the_plain_means(groups):
    X, y, group, owner = groups
    found = push(VectorMeans(X), y, group, owner, **settings(max_push=1))
    means = [X[group == g].mean(axis=0) for g in range(4)]
    np.testing.assert_allclose(found.prototypes, means, rtol=1e-12)
    assert (found.weights == 1).all()


def test_weights_that_grow_too_large_are_rescaled_inside_their_groups():
    group = np.array([0, 0, 1])
    weights = np.array([1e100, 2e99, 3.0])
    found = reweighted(weights, np.array([0.5, 0.5, 0.9]), group)
    np.testing.assert_allclose(found, [1.0, 0.2, 1.0])
