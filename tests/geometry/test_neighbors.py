import numpy as np
import pytest
from tests.geometry.cases import clouds

from labelscape.geometry import FisherMetric
from labelscape.geometry._distances import lower_bounds

OPTIONS = [
    {},
    {"regularization": 0.0},
    {"regularization": 1.0},
    {"rule": "midpoint"},
    {"method": "endpoint"},
    {"method": "graph", "n_neighbors": 3},
    {"bandwidth": 0.02},
    {"parzen_points": 12},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_neighbours_are_those_of_all_distances(options):
    X, y = clouds(90, 4, 3)
    metric = FisherMetric(random_state=0, **options).fit(X, y)
    new = X[:20] + 0.2
    for given, D in ((None, metric.pairwise()), (new, metric.pairwise(new, X))):
        if given is None:
            np.fill_diagonal(D, np.inf)
        distances, indices = metric.kneighbors(given, n_neighbors=6)
        wanted = np.sort(D, axis=1)[:, :6]
        np.testing.assert_allclose(distances, wanted, atol=1e-11)
        found = np.take_along_axis(D, indices, axis=1)
        np.testing.assert_allclose(found, wanted, atol=1e-11)
        assert all(len(set(row)) == 6 for row in indices)


def test_bounds_are_never_above_the_distances():
    X, y = clouds(80)
    for regularization in (0.0, 0.1):
        metric = FisherMetric(regularization=regularization, random_state=0).fit(X, y)
        bounds = lower_bounds(
            metric._at(None).distances, metric._at(None).fitted, metric._at(None).fitted
        )
        assert (bounds <= metric.pairwise() + 1e-12).all()


def test_the_search_looks_at_few_pairs(monkeypatch):
    X, y = clouds(300, 3, 6)
    metric = FisherMetric(random_state=0).fit(X, y)
    lines, looked = metric._at(None).distances.lines, []
    measure = lines.listed

    def counted(*arguments):
        looked.append(len(arguments[3]))
        return measure(*arguments)

    monkeypatch.setattr(lines, "listed", counted)
    metric.kneighbors(n_neighbors=5)
    assert sum(looked) < 0.5 * 300 * 300


def test_all_others_can_be_neighbours():
    X, y = clouds(9)
    metric = FisherMetric(random_state=0).fit(X, y)
    _, indices = metric.kneighbors(n_neighbors=8)
    assert all(set(row) == set(range(9)) - {i} for i, row in enumerate(indices))
    with pytest.raises(ValueError, match="n_neighbors must be a whole number between"):
        metric.kneighbors(n_neighbors=9)


def test_a_given_point_finds_itself_first():
    X, y = clouds(30)
    metric = FisherMetric(random_state=0, exclude_self=False).fit(X, y)
    distances, indices = metric.kneighbors(X[:4], n_neighbors=1)
    assert indices.ravel().tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(distances, 0.0, atol=1e-12)
