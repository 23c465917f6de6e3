import numpy as np
import pytest
from tests.geometry.cases import clouds, plain
from tests.geometry.reference import fisher_matrix, posterior

from labelscape.geometry import FisherMetric
from labelscape.geometry._parzen import loo_bandwidth


@pytest.mark.parametrize(
    ("asked", "got"), [("all", 40), (10, 10), (0.5, 20), (1000, 40), (2, 6)]
)
def test_parzen_points_are_a_number_a_share_or_all(asked, got):
    X, y = clouds(40)
    metric = FisherMetric(parzen_points=asked, random_state=0).fit(X, y)
    assert len(metric.parzen_points_) == got
    np.testing.assert_array_equal(metric.parzen_points_, X[metric.parzen_indices_])
    assert len(set(metric.parzen_indices_)) == got


def test_posteriors_are_those_of_the_formula():
    X, y = clouds(20)
    p = plain(bandwidth=0.7).fit(X, y).predict_proba(X + 0.1)
    np.testing.assert_allclose(p[4], posterior(X[4] + 0.1, X, y, 0.7), rtol=1e-12)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_balanced_classes_are_equally_probable_far_inside():
    X = np.array([[0.0], [0.0], [0.0], [1.0]])
    metric = plain(class_weight="balanced").fit(X, [0, 0, 0, 1])
    np.testing.assert_allclose(metric.predict_proba([[0.5]]), [[0.5, 0.5]])
    unweighted = plain().fit(X, [0, 0, 0, 1])
    np.testing.assert_allclose(unweighted.predict_proba([[0.5]]), [[0.75, 0.25]])


def test_kmeans_centres_count_as_often_as_their_points():
    X = np.repeat([[0.0], [1.0], [10.0], [30.0]], [6, 2, 3, 5], axis=0)
    y = np.repeat([0, 1], [8, 8])
    metric = plain(parzen_points=4, parzen_selection="kmeans").fit(X, y)
    assert sorted(metric.parzen_points_.ravel()) == [0.0, 1.0, 10.0, 30.0]
    assert (metric.parzen_indices_ == -1).all()
    probes = np.array([[0.4], [5.5], [20.0]])
    np.testing.assert_allclose(
        metric.predict_proba(probes), plain().fit(X, y).predict_proba(probes)
    )


def test_the_slope_of_log_posteriors_makes_the_tensor():
    # J = sum_c p_c grad log p_c grad log p_c^T, slopes by central differences.
    X, y = clouds(25)
    metric = plain(bandwidth=1.2).fit(X, y)
    x, step = np.array([0.3, -0.2, 0.5]), 1e-5
    up, down = (metric.predict_proba(x + k * step * np.eye(3)) for k in (1, -1))
    slopes = (np.log(up) - np.log(down)) / (2 * step)
    J = np.einsum("c,ic,jc->ij", metric.predict_proba([x])[0], slopes, slopes)
    np.testing.assert_allclose(metric.tensor([x])[0], J, rtol=1e-6)


def test_the_tensor_is_that_of_the_formula_far_from_the_origin_too():
    X, y = clouds(25)
    J = plain().fit(X + 1e4, y).tensor(X[:5] + 1e4)
    for k in range(5):
        wanted = fisher_matrix(X[k], X, y, 1.0)
        np.testing.assert_allclose(J[k], wanted, rtol=1e-6, atol=1e-9)


def test_the_loo_bandwidth_makes_left_out_labels_most_likely():
    X, y = clouds(30)
    metric = FisherMetric(bandwidth_scale=1.0, random_state=0).fit(X, y)

    def likelihood(s):
        left_out = [
            posterior(X[i], np.delete(X, i, 0), np.delete(y, i), s)[y[i]]
            for i in range(30)
        ]
        return np.log(np.maximum(left_out, 1e-12)).sum()

    best = likelihood(metric.bandwidth_)
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)) + np.diag(np.full(30, np.inf))
    grid = np.median(D.min(axis=1)) * np.geomspace(0.1, 3.0, 30)
    assert best >= max(likelihood(s) for s in grid) - 1e-9
    wider = FisherMetric(random_state=0).fit(X, y)
    assert wider.bandwidth_ == pytest.approx(1.5 * metric.bandwidth_)
    median = FisherMetric("median", random_state=0).fit(X, y)
    assert median.bandwidth_ == pytest.approx(np.median(D.min(axis=1)))


def test_duplicates_do_not_make_the_bandwidth_zero():
    X, y = clouds(20)
    metric = FisherMetric(random_state=0).fit(np.repeat(X, 3, axis=0), np.repeat(y, 3))
    assert loo_bandwidth(metric._parzen) > 0.0
    assert np.isfinite(metric.pairwise()).all()


def test_parzen_points_may_be_given_with_labels_of_their_own():
    X, y = clouds(40)
    points, names = X[:30], np.array(["x", "y", "z"])[y[:30]]
    metric = FisherMetric(0.7, parzen_points=(points, names)).fit(X[30:])
    assert metric.classes_.tolist() == ["x", "y", "z"]
    assert (metric.parzen_indices_ == -1).all()
    p = metric.predict_proba(X[30:])
    np.testing.assert_allclose(p[4], posterior(X[34], X[:30], y[:30], 0.7), rtol=1e-12)
    # Nothing is left out, and labels of the fitted objects are not looked at.
    again = plain(bandwidth=0.7, regularization=0.01).fit(X[:30], y[:30])
    np.testing.assert_allclose(
        metric._at(None).fitted.rows.U ** 2, again.predict_proba(X[30:])
    )
    assert not metric.__sklearn_tags__().target_tags.required


def test_given_parzen_points_may_be_balanced_and_need_no_order():
    X, y = clouds(31)
    order = np.random.default_rng(0).permutation(31)
    given = plain(parzen_points=(X[order], y[order]), class_weight="balanced").fit(X)
    drawn = plain(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(given.predict_proba(X), drawn.predict_proba(X))
