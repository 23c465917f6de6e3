import numpy as np
import pytest

from labelscape._core.threads import map_blocks
from labelscape.prototypes.grow._growing import (
    VectorMeans,
    border_distances,
    confidence,
    literal_border_distances,
    margin_scale,
    margins,
    signed_distances,
)


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    X, P = rng.normal(size=(60, 3)), rng.normal(size=(7, 3))
    return X, P, np.array([0, 0, 1, 1, 1, 2, 2]), rng.integers(0, 3, 60)


def distance_to_plane(x, own, foreign):
    """Signed distance from the plane midway, by its normal: positive on own's side."""
    normal = (own - foreign) / np.linalg.norm(own - foreign)
    return (x - (own + foreign) / 2) @ normal


def between(P):
    return lambda which: np.linalg.norm(P[which][:, None] - P, axis=2)


def squares(X, P):
    return ((X[:, None] - P) ** 2).sum(axis=2)


def test_the_signed_distance_is_that_from_the_plane_midway():
    rng = np.random.default_rng(0)
    X, own, foreign = rng.normal(size=(20, 4)), rng.normal(size=4), rng.normal(size=4)
    found = signed_distances(
        squares(X, own[None]), squares(X, foreign[None]), np.linalg.norm(own - foreign)
    )
    wanted = [distance_to_plane(x, own, foreign) for x in X]
    np.testing.assert_allclose(found[:, 0], wanted, atol=1e-14)


def test_prototypes_in_one_place_have_no_border_but_distance_zero():
    foreign, gaps = np.array([[1.0, 1.0 + 4e-16]]), np.array([[0.0, 1e-16]])
    assert signed_distances(np.ones((1, 1)), foreign, gaps).tolist() == [[0.0, 0.0]]


def test_the_border_that_counts_is_that_of_the_nearest_own_prototype(model):
    X, P, owner, y = model
    found = border_distances(squares(X, P), between(P), owner, y)
    for x, c, d in zip(X, y, found, strict=True):
        own = min(P[owner == c], key=lambda p: np.linalg.norm(x - p))
        wanted = min(distance_to_plane(x, own, p) for p in P[owner != c])
        assert d == pytest.approx(wanted, abs=1e-13)


def test_the_literal_reading_takes_the_worst_own_prototype(model):
    X, P, owner, y = model
    found = literal_border_distances(squares(X, P), between(P), owner, y)
    for x, c, d in zip(X, y, found, strict=True):
        pairs = [(own, p) for own in P[owner == c] for p in P[owner != c]]
        wanted = min(distance_to_plane(x, *pair) for pair in pairs)
        assert d == pytest.approx(wanted, abs=1e-13)


def test_both_readings_agree_for_one_prototype_per_class(model):
    X, P, _, y = model
    D, owner = squares(X, P[:3]), np.arange(3)
    np.testing.assert_allclose(
        border_distances(D, between(P[:3]), owner, y),
        literal_border_distances(D, between(P[:3]), owner, y),
    )


def test_the_sign_says_whether_the_nearest_prototype_decides_correctly(model):
    X, P, owner, y = model
    D = squares(X, P)
    found = border_distances(D, between(P), owner, y)
    assert ((found > 0) == (owner[D.argmin(axis=1)] == y)).all()
    assert ((confidence(found, 3.0) < 0.5) == (found < 0)).all()


def test_confidence_has_no_limits_in_size():
    assert confidence(np.array([-1e4, 1e4]), 10.0).tolist() == [0.0, 1.0]


def test_blocks_do_not_change_the_margins(model, monkeypatch):
    X, P, owner, y = model
    whole = margins(VectorMeans(X), P, owner, y)

    def in_small_blocks(function, blocks):
        stop = blocks[-1].stop
        return map_blocks(
            function, [slice(i, min(i + 7, stop)) for i in range(0, stop, 7)]
        )

    monkeypatch.setattr(
        "labelscape.prototypes.grow._growing.map_blocks", in_small_blocks
    )
    assert (margins(VectorMeans(X), P, owner, y) == whole).all()


def test_the_unit_of_margins_follows_the_scale_and_never_vanishes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.repeat([0, 1], 20)
    s = margin_scale(VectorMeans(X), y)
    assert margin_scale(VectorMeans(1000 * X), y) == pytest.approx(1000 * s)
    # Coinciding centroids: a thousandth of the objects' spread of 1 takes over.
    cross = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    assert margin_scale(VectorMeans(cross), np.array([0, 0, 1, 1])) == pytest.approx(
        1e-3
    )
    assert margin_scale(VectorMeans(np.zeros((4, 2))), np.array([0, 0, 1, 1])) == 1.0
