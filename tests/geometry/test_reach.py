import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from tests.geometry.cases import clouds

from labelscape.geometry import FisherMetric
from labelscape.geometry._distances import TOLERANCE, single_suffices
from labelscape.geometry._internal import distances_among, kernel_squares
from labelscape.geometry._kernels import mark_heavy

OPTIONS = [
    {},
    {"regularization": 0.0},
    {"regularization": 1.0, "parzen_points": 20},
    {"rule": "midpoint"},
    {"method": "endpoint"},
    {"bandwidth": 0.02},
    {"n_steps": 1},
    {"n_steps": 25},
]


def shares(squares, scales):
    """Weights of kernels that add up to 1, written from the formula."""
    exponents = squares * scales
    weights = np.exp(exponents.min(axis=1, keepdims=True) - exponents)
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("width", [0.01, 0.1, 0.5, 5.0])
@pytest.mark.parametrize("options", OPTIONS)
def test_kernels_left_out_weigh_next_to_nothing_and_others_are_exact(options, width):
    X, y = clouds(150, 4, 3)
    metric = FisherMetric(random_state=0, **options).fit(X[:100], y[:100])
    columns, new = np.arange(0, 100, 2), X[100:]
    D = metric.pairwise(new, X[:100])[:, columns] ** 2
    scales = 0.5 / (width * np.linspace(0.5, 2.0, 50) * np.sqrt(np.median(D))) ** 2
    found = kernel_squares(metric, new, columns, scales)([slice(0, 50)])[0]
    kept = np.isfinite(found)
    error = 1e-4 if single_suffices(scales) else 1e-10
    assert_allclose(found[kept], D[kept], rtol=error, atol=error)
    weights = shares(D, scales)
    assert np.where(kept, 0.0, weights).sum(axis=1).max() <= TOLERANCE
    assert np.abs(shares(found, scales) - weights).sum(axis=1).max() <= 2 * TOLERANCE


def test_narrow_kernels_need_few_lengths(monkeypatch):
    X, y = clouds(400, 3, 6)
    metric = FisherMetric(random_state=0).fit(X[:300], y[:300])
    lines, looked = metric._at(None).distances.lines, []
    measure = lines.listed

    def counted(*arguments):
        looked.append(len(arguments[3]))
        return measure(*arguments)

    monkeypatch.setattr(lines, "listed", counted)
    scales = np.full(300, 0.5 / 0.02**2)
    kernel_squares(metric, X[300:], np.arange(300), scales)([slice(0, 100)])[0]
    assert 100 <= sum(looked) < 0.2 * 100 * 300


def test_a_classifier_is_asked_only_where_kernels_carry_weight():
    X, y = clouds(150, 4, 3)
    asked = []
    model = LogisticRegression(max_iter=1000).fit(X, y)

    def classify(points):
        asked.append(len(points))
        return model.predict_proba(points)

    metric = FisherMetric(estimator=classify, random_state=0).fit(X[:100])
    D = metric.pairwise(X[100:], X[:100])
    all_pairs = sum(asked)
    asked.clear()
    scales = np.full(100, 0.5 / 0.1**2)
    found = kernel_squares(metric, X[100:], np.arange(100), scales)([slice(0, 50)])[0]
    assert sum(asked) < 0.5 * all_pairs
    kept = np.isfinite(found)
    assert_allclose(found[kept], D[kept] ** 2, atol=1e-10)


def test_fitted_objects_are_known_as_a_table():
    X, y = clouds(80)
    metric = FisherMetric(random_state=0).fit(X, y)
    squares = kernel_squares(metric, X, np.arange(80), np.full(80, 1e-6))
    D = metric.pairwise()
    assert_allclose(squares([slice(10, 30)])[0], D[10:30] ** 2, rtol=1e-5, atol=1e-6)
    assert_allclose(
        distances_among(metric, np.arange(5, 20)), D[5:20, 5:20], atol=1e-10
    )


def test_single_and_double_objects_may_be_mixed():
    X, y = clouds(80)
    metric = FisherMetric(random_state=0).fit(X.astype(np.float32), y)
    new = X[:10] + 0.1
    found = kernel_squares(metric, new, np.arange(80), np.full(80, 1e-6))
    D = metric.pairwise(new, X.astype(np.float32))
    assert_allclose(found([slice(0, 10)])[0], D**2, rtol=1e-4, atol=1e-5)


def test_what_is_not_marked_adds_up_to_the_tolerance_at_most():
    rng = np.random.default_rng(0)
    exponents = rng.uniform(0.0, 60.0, size=(40, 300))
    exponents[0] = 0.0  # all alike
    exponents[1] = 1e9  # all but one far beyond the last bin
    exponents[1, 7] = 3.0
    known = exponents.min(axis=1) + rng.uniform(0.0, 2.0, size=40)
    heavy = np.empty(exponents.shape, dtype=bool)
    for tolerance in (1e-8, 1e-4, 0.5):
        mark_heavy(exponents, known, tolerance, heavy)
        left_out = np.where(heavy, 0.0, np.exp(known[:, None] - exponents))
        assert left_out.sum(axis=1).max() <= tolerance
        assert heavy[np.arange(40), exponents.argmin(axis=1)].all()
        # As few as bins of a quarter allow.
        least = np.sort(np.exp(known[:, None] - exponents), axis=1).cumsum(axis=1)
        needed = (least > tolerance * np.exp(-0.25)).sum(axis=1)
        assert (heavy.sum(axis=1)[2:] <= needed[2:] + 3).all()
    assert_array_equal(heavy[0], True)
    assert heavy[1].sum() == 1
