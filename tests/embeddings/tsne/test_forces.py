"""The forces of t-SNE: a tree of our own, against sums over all pairs and openTSNE."""

import numpy as np
import openTSNE
import pytest
from openTSNE.tsne import kl_divergence_bh
from scipy.sparse import csr_matrix
from threadpoolctl import threadpool_limits

from labelscape._core import threads
from labelscape.embeddings.tsne._descent import Descent, slopes_of_places


def made(n, q=2, seed=0, spread=20.0):
    """Return places in clumps, and random symmetric affinities that add up to 1."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(7, q))[rng.integers(7, size=n)] * spread
    Z = Z + rng.normal(size=(n, q))
    P = rng.random((n, n)) * (rng.random((n, n)) < min(1.0, 12 / n))
    P = np.triu(P, 1)
    P = P + P.T
    return Z, csr_matrix(P / P.sum())


def reference(Z, P):
    """Return divergence, slopes, largest force of t-SNE, written from the formulas."""
    P = P.toarray()
    difference = Z[:, None] - Z[None]
    q = 1.0 / (1.0 + np.sum(difference**2, axis=2))
    np.fill_diagonal(q, 0.0)
    Q = q / q.sum()
    pull, push = (np.sum((W * q)[:, :, None] * difference, axis=1) for W in (P, Q))
    some = P > 0.0
    error = np.sum(P[some] * np.log(P[some] / Q[some]))
    return error, pull - push, max(np.abs(pull).max(), np.abs(push).max())


@pytest.mark.parametrize("q", [1, 2])
@pytest.mark.parametrize("n", [2, 30, 700])
def test_slopes_and_divergence_agree_with_the_formulas(n, q):
    Z, P = made(n, q)
    padded = np.c_[Z, np.zeros((n, 2 - q))]
    error, slopes = slopes_of_places(padded, P, has_error=True)
    slopes = slopes[:, :q]
    right_error, right, scale = reference(Z, P)
    # Of few points, no cell is far enough to repel as one: only rounding remains.
    assert np.abs(slopes - right).max() < (1e-4 if n < 100 else 0.02) * scale
    assert error == pytest.approx(right_error, rel=1e-5 if n < 100 else 0.005, abs=1e-4)


def test_they_are_nearer_to_the_formulas_than_those_of_opentsne():
    Z, P = made(3000, spread=30.0)
    right = reference(Z, P)[1]
    theirs = kl_divergence_bh(Z, P, 1, {"theta": 0.5})[1]
    ours = slopes_of_places(Z, P)[1]
    assert np.linalg.norm(ours - right) < np.linalg.norm(theirs - right)


@pytest.mark.parametrize("places", ["one", "two", "line", "far"])
def test_places_that_no_square_divides_are_no_harm(places):
    Z, P = made(400)
    Z = {
        "one": np.zeros_like(Z),
        "two": np.repeat([[0.0, 0.0], [1.0, 3.0]], 200, axis=0),
        "line": np.c_[Z[:, 0], np.zeros(len(Z))],
        "far": np.r_[Z[:-1], [[1e9, -1e9]]],
    }[places]
    slopes = slopes_of_places(Z, P)[1]
    right, scale = reference(Z, P)[1:]
    assert np.abs(slopes - right).max() <= 0.02 * scale


def test_bits_are_the_same_with_any_number_of_threads(monkeypatch):
    Z, P = made(1500)
    one = slopes_of_places(Z, P, n_jobs=1, has_error=True)
    for count in (2, 5):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        with threadpool_limits(count):
            many = slopes_of_places(Z, P, n_jobs=count, has_error=True)
        assert many[0] == one[0]
        assert np.array_equal(many[1], one[1])


@pytest.mark.parametrize("n", [300, 1100])
def test_steps_are_those_of_opentsne(n):
    Z, P = made(n, spread=2.0)
    given = openTSNE.affinity.PrecomputedAffinities(P.copy(), normalize=False)
    theirs = openTSNE.TSNEEmbedding(Z, given, negative_gradient_method="bh", theta=0.0)
    theirs.optimize(3, exaggeration=12, inplace=True)
    theirs.optimize(3, inplace=True)
    ours = Descent(Z, P)
    ours.run(3, 12)
    ours.run(3)
    moved = np.linalg.norm(theirs - Z)
    assert np.linalg.norm(ours.places - theirs) < 0.02 * moved


@pytest.mark.parametrize("n", [300, 1100])
def test_a_watched_descent_goes_the_same_way(n):
    Z, P = made(n)
    alone, watched = Descent(Z, P), Descent(Z, P)
    alone.run(20, 4)
    errors = []
    watched.run(20, 4, watch=lambda i, error, places: errors.append(error))
    assert np.array_equal(alone.places, watched.places)
    assert len(errors) == 20
    assert watched.run(20, watch=lambda i, error, places: i == 3)


@pytest.mark.parametrize("n", [1, 40, 3000])
def test_points_are_sorted_along_the_curve_and_ties_keep_their_order(n):
    from labelscape.embeddings.tsne import _tree_kernels as kernels

    keys = np.random.default_rng(n).integers(2**60, size=n, dtype=np.uint64)
    keys[::3] = keys[0]
    order, ordered = kernels.sorted_by_digits(keys.copy())
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(ordered, keys[order])


def test_a_step_is_that_of_the_formulas():
    from labelscape.embeddings.tsne import _tree_kernels as kernels

    rng = np.random.default_rng(0)
    Z, slopes, update, gains = rng.normal(size=(4, 50, 2))
    slopes[:5], update[3:8] = 0.0, 0.0
    gains, before = np.abs(gains), update.copy()
    right = np.where(np.sign(update) != np.sign(slopes), gains + 0.2, 0.8 * gains)
    right += 0.01 * (np.sign(update) == np.sign(slopes))
    step = 0.8 * before - 9.0 * right * slopes
    step *= np.minimum(5.0 / np.maximum(np.linalg.norm(step, axis=1), 1e-9), 1)[:, None]
    places = Z + step
    kernels.move(Z, slopes, gains, update, 9.0)
    np.testing.assert_allclose(gains, right)
    np.testing.assert_allclose(update, step)
    np.testing.assert_allclose(Z, places - places.mean(axis=0), atol=1e-12)
