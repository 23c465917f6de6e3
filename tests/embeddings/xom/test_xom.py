import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist
from scipy.stats import pearsonr, spearmanr

from labelscape._core import threads
from labelscape.embeddings import XOM
from labelscape.embeddings.xom import _kernels


def reference(Y, D, S, eta, sigma, winner="nearest"):
    """XOM from eqs. 2-4, with squared distances inside h, for Y (n, q)."""
    Y = Y.copy()
    for s, rate, width in zip(S, eta, sigma, strict=True):
        H = np.exp(-(D**2) / (2 * width**2))
        gaps = np.sum((Y - s) ** 2, axis=1)
        best = np.argmin(gaps if winner == "nearest" else H @ gaps)
        for i in range(len(Y)):
            Y[i] = Y[i] - min(2 * rate * H[best, i], 1.0) * (Y[i] - s)
    return Y


@pytest.fixture
def run():
    """A map, data, and what a run of 120 steps needs."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(21, 5)), rng.uniform(size=(21, 2))
    steps = rng.uniform(size=(120, 2)), np.geomspace(0.9, 0.05, 120)
    return X, Y, (*steps, np.geomspace(3.0, 0.8, 120))


@pytest.fixture
def X():
    return np.random.default_rng(1).normal(size=(40, 3))


def test_steps_on_data_follow_the_formulas(run):
    X, Y, steps = run
    Z = np.ascontiguousarray(Y.T)
    _kernels.steps_on_data(Z, np.ascontiguousarray(X.T), *steps)
    np.testing.assert_allclose(Z.T, reference(Y, cdist(X, X), *steps), atol=1e-10)


def test_steps_on_a_matrix_follow_the_formulas(run):
    X, Y, steps = run
    Z, D = np.ascontiguousarray(Y.T), cdist(X, X) ** 1.5
    _kernels.steps_on_matrix(Z, D, *steps)
    np.testing.assert_allclose(Z.T, reference(Y, D, *steps), atol=1e-10)


def test_steps_with_the_winner_of_heskes_follow_the_formulas(run):
    X, Y, steps = run
    Z, D = np.ascontiguousarray(Y.T), cdist(X, X)
    _kernels.heskes_steps(Z, D**2, *steps)
    expected = reference(Y, D, *steps, winner="heskes")
    np.testing.assert_allclose(Z.T, expected, atol=1e-10)
    assert np.abs(expected - reference(Y, D, *steps)).max() > 1e-3


def test_the_quick_exponential_keeps_its_promise():
    x = np.linspace(-40.0, 0.0, 2001)
    quick = np.array([_kernels.decay(value) for value in x])
    np.testing.assert_allclose(quick, np.exp(x), rtol=3e-13)
    assert _kernels.decay(-1e300) == _kernels.decay(-40.0)
    assert _kernels.decay(0.0) == 1.0


def test_a_fit_is_its_start_schedule_and_steps(X):
    start = np.random.default_rng(0).uniform(size=(40, 2))
    xom = XOM(
        structure="box",
        n_steps=200,
        learning_rate=0.4,
        learning_rate_end=0.02,
        sigma=2.0,
        sigma_end=0.5,
        init=start,
        random_state=3,
    ).fit(X)
    rng = np.random.RandomState(3)
    S = np.concatenate([rng.uniform(size=(4, 2)) for _ in range(50)])
    eta, sigma = np.geomspace(0.4, 0.02, 200), np.geomspace(2.0, 0.5, 200)
    # The data go in as float32.
    expected = reference(start, cdist(X, X), S, eta, sigma)
    np.testing.assert_allclose(xom.embedding_, expected, atol=1e-5)
    assert xom.n_iter_ == 200


def test_data_and_their_distances_give_the_same_map(X):
    start = np.random.default_rng(0).uniform(size=(40, 2))
    settings = {"init": start, "n_steps": 2000, "random_state": 0}
    of_data = XOM(**settings).fit_transform(X)
    of_matrix = XOM(metric="precomputed", **settings).fit_transform(cdist(X, X))
    np.testing.assert_allclose(of_data, of_matrix, atol=1e-4)


def test_neighbours_much_closer_than_the_data_are_wide_are_told_apart(X):
    X[:20] += 1e6
    settings = {"sigma": 2.0, "sigma_end": 0.5, "n_steps": 2000, "random_state": 0}
    settings["init"] = np.random.default_rng(0).uniform(size=(40, 2))
    of_data = XOM(**settings).fit_transform(X)
    of_matrix = XOM(metric="precomputed", **settings).fit_transform(cdist(X, X))
    np.testing.assert_allclose(of_data, of_matrix, atol=1e-4)


def test_one_and_two_threads_give_the_same_bits(X, monkeypatch):
    maps = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        maps.append(XOM(n_steps=500, random_state=0).fit_transform(X))
    np.testing.assert_array_equal(maps[0], maps[1])


def test_images_stay_inside_convex_structures_and_fill_them(X):
    Z = XOM(structure="box", random_state=0).fit_transform(X)
    assert Z.min() >= 0.0
    assert Z.max() <= 1.0
    assert np.ptp(Z, axis=0).min() > 0.6
    Z = XOM(structure="disc", random_state=0, init="random").fit_transform(X)
    assert np.linalg.norm(Z - 0.5, axis=1).max() <= 0.5
    assert np.ptp(Z, axis=0).min() > 0.6


def test_gaussians_gather_clusters_around_their_centres():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 20)
    X = 30.0 * np.eye(5)[labels] + rng.normal(size=(60, 5))
    Z = XOM(
        structure="gaussians", n_sites=3, spread=0.02, random_state=0
    ).fit_transform(X)
    angle = 2 * np.pi * np.arange(3) / 3
    corners = 0.5 + 0.5 * np.column_stack([np.cos(angle), np.sin(angle)])
    nearest = np.argmin(cdist(Z, corners), axis=1)
    assert cdist(Z, corners).min(axis=1).max() < 0.1
    assert len(set(zip(labels, nearest, strict=True))) == 3


def test_given_points_are_the_places_of_the_map(X):
    sites = np.array([[0.0, 0.0], [4.0, 1.0]])
    Z = XOM(structure=sites, random_state=0).fit_transform(X)
    direction = sites[1] / np.linalg.norm(sites[1])
    off_the_line = Z - np.outer(Z @ direction, direction)
    assert np.abs(off_the_line).max() < 1e-6


@pytest.mark.parametrize("structure", ["box", "disc", "lattice"])
@pytest.mark.parametrize("n_components", [1, 3])
def test_maps_have_any_number_of_dimensions(X, structure, n_components):
    xom = XOM(n_components, structure=structure, n_steps=500, random_state=0)
    Z = xom.fit_transform(X)
    assert Z.shape == (40, n_components)
    assert np.isfinite(Z).all()


@pytest.mark.parametrize("winner", ["nearest", "heskes"])
def test_the_unit_of_the_data_does_not_matter(X, winner):
    maps = [
        XOM(winner=winner, n_steps=2000, random_state=0).fit_transform(c * X)
        for c in (1.0, 1024.0)
    ]
    np.testing.assert_allclose(maps[0], maps[1], atol=1e-9)
    tiny = XOM(winner=winner, n_steps=100, random_state=0).fit_transform(1e-100 * X)
    assert np.isfinite(tiny).all()


def test_too_many_objects_for_heskes_are_an_error_with_a_way_out():
    with pytest.raises(ValueError, match=r"limited to 500 samples, got 501.*'nearest'"):
        XOM(winner="heskes").fit(np.arange(501.0)[:, None])


def test_duplicates_end_close_together(X):
    X[5:10] = X[5]
    Z = XOM(random_state=0).fit_transform(X)
    assert pdist(Z[5:10]).max() < 0.02
    Z = XOM(random_state=0).fit_transform(np.repeat(X[:2], 9, axis=0))
    assert pdist(Z[:9]).max() < 0.02
    assert np.linalg.norm(Z[0] - Z[-1]) > 0.1


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_few_objects_have_a_map(n):
    xom = XOM(random_state=0).fit(np.eye(3)[:n])
    assert xom.embedding_.shape == (n, 2)
    assert np.isfinite(xom.embedding_).all()
    if n == 1:
        np.testing.assert_array_equal(xom.embedding_, [[0.5, 0.5]])
    else:
        assert pdist(xom.embedding_).min() > 0.05


def test_objects_that_are_one_share_the_centre():
    xom = XOM().fit(np.ones((6, 3)))
    np.testing.assert_array_equal(xom.embedding_, np.full((6, 2), 0.5))
    assert xom.stress_ == 0.0


def test_equal_distances_between_all_still_give_a_map_in_the_structure():
    Z = XOM(metric="precomputed", random_state=0).fit_transform(1.0 - np.eye(12))
    assert Z.min() >= 0.0
    assert Z.max() <= 1.0
    assert np.ptp(Z) > 0.05


def test_a_callback_watches_and_may_stop_without_changing_the_steps(X):
    seen = []

    def watch(news):
        seen.append(news)
        return len(seen) == 3

    xom = XOM(n_steps=1000, random_state=0, callback=watch).fit(X)
    assert xom.n_iter_ == 60
    assert [news["epoch"] for news in seen] == [1, 2, 3]
    assert xom.loss_curve_ == [news["cost"] for news in seen]
    np.testing.assert_array_equal(seen[0]["embedding"], xom.embedding_)  # a view

    ends = []
    XOM(n_steps=1000, sigma=3.0, sigma_end=0.25, callback=ends.append).fit(X)
    assert len(ends) == 50
    assert ends[-1]["eta"] == pytest.approx(0.01)
    assert ends[-1]["sigma"] == pytest.approx(0.25)
    watched = XOM(n_steps=1000, random_state=0, callback=lambda news: None).fit(X)
    alone = XOM(n_steps=1000, random_state=0).fit(X)
    np.testing.assert_array_equal(watched.embedding_, alone.embedding_)
    assert watched.loss_curve_ == alone.loss_curve_


def test_wine_comes_out_as_measured_for_the_specification(paper_table):
    X, _ = paper_table("wine")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    xom = XOM(n_steps=100 * len(X), random_state=0).fit(X)
    assert xom.stress_ <= 0.12
    assert spearmanr(pdist(X), pdist(xom.embedding_))[0] >= 0.79
    assert pearsonr(pdist(X), pdist(xom.embedding_))[0] >= 0.79
